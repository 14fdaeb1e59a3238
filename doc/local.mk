# Texts to be installed, one a line: dist_doc_DATA += %D%/name.md; manual pages: dist_man_MANS += %D%/name.1
dist_doc_DATA += NEWS README.md
dist_man_MANS += %D%/ompfact.1
EXTRA_DIST += CONTRIBUTING.md %D%/accuracy.md %D%/design.md %D%/devices.md %D%/layouts.md %D%/performance.md

# Pictures of layouts.md, and what makes them again: doc/figures/make.sh build/ompfact
EXTRA_DIST += \
  %D%/figures/2dbc-6.svg \
  %D%/figures/cost-cholesky.svg \
  %D%/figures/cost-lu.svg \
  %D%/figures/cost.py \
  %D%/figures/design-23.svg \
  %D%/figures/design-31.svg \
  %D%/figures/g2dbc-10.svg \
  %D%/figures/gcrm-23.svg \
  %D%/figures/make.sh \
  %D%/figures/sbc-10.svg \
  %D%/figures/unequal-progress.svg \
  %D%/figures/unequal-steps.svg
