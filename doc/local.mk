# Texts to be installed, one a line: dist_doc_DATA += %D%/name.md; manual pages: dist_man_MANS += %D%/name.1
dist_doc_DATA += NEWS README.md
dist_man_MANS += %D%/ompfact.1
EXTRA_DIST += CONTRIBUTING.md %D%/design.md %D%/measurements.md
