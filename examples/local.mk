# Examples, one a line in EXTRA_DIST. installcheck_source is compiled against the installed library by `make installcheck`.
installcheck_source =
