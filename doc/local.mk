# Texts to be installed, one a line: dist_doc_DATA += %D%/name.md; manual pages: dist_man_MANS += %D%/name.1
