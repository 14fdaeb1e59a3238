# Sphinx's configuration for make html, which runs pages.py first.
import os

project = "ompfact"
copyright = "the ompfact authors; BSD 3-Clause"
version = release = os.environ.get("OMPFACT_VERSION", "")
root_doc = "README"
extensions = ["myst_parser", "breathe"]

# Markdown of the texts: links to headings have GitHub's form, indented text is literal.
myst_enable_extensions = ["deflist"]
myst_heading_anchors = 4
suppress_warnings = ["myst.header", "misc.highlighting_failure"]     # pages of the reference begin below a title
highlight_language = "none"
smartquotes = False

# The C interface, from Doxygen's XML.
breathe_projects = {"ompfact": os.environ.get("OMPFACT_XML", "")}
breathe_default_project = "ompfact"
breathe_domain_by_extension = {"h": "c"}
breathe_show_include = False

html_theme = "furo"
html_title = f"ompfact {version}"
html_static_path = [os.path.join(os.path.dirname(os.path.abspath(__file__)), "static")]
html_css_files = ["site.css"]
html_copy_source = False
html_show_sphinx = False
