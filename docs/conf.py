"""Configuration of the documentation site; `make docs` builds it."""

from __future__ import annotations

import sys
import tomllib
import warnings
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "extensions"))

import fuzzytruth

_IDENTITY = Path(__file__).parent.parent / "packaging" / "identity.toml"
_known = tomllib.loads(_IDENTITY.read_text(encoding="utf-8"))["software"]

project = "fuzzytruth"
author = ", ".join(
    one.get("name") or f"{one['given-names']} {one['family-names']}"
    for one in _known["authors"]
)
project_copyright = author
version = release = fuzzytruth.__version__

extensions = [
    "myst_nb",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "numpydoc",
    "sphinx_gallery.gen_gallery",
    "sphinx_design",
    "sphinx_copybutton",
    # of this folder
    "docstrings",
    "mathml",
    "measure_catalogue",
    "repository_links",
    "section_pages",
    "validity_tables",
]
exclude_patterns = [
    "_build",
    "gallery",  # scripts; sphinx-gallery writes their pages to figures/
    "extensions",
    "figures/*.ipynb",
    "figures/*.py",
    "figures/*.json",
]
templates_path = ["_templates"]
# As numpydoc writes names: a link where there is such an object, else code.
default_role = "py:obj"

# Pages
myst_enable_extensions = ["colon_fence", "deflist", "dollarmath"]
myst_heading_anchors = 4
nb_execution_mode = "off"  # notebooks/execute.py has executed them
copybutton_exclude = ".linenos, .gp, .go"
suppress_warnings = [
    "misc.highlighting_failure"
]  # JSON that ends with dots is shown as text

# Reference
autosummary_generate = True
autodoc_typehints = "none"  # types stand in the sections of parameters
autodoc_member_order = "groupwise"
numpydoc_show_class_members = (
    False  # _templates/autosummary/class.rst lists them
)
numpydoc_xref_param_type = False

# Gallery
# What the samples lack is said where they are explained; a page of a figure shows the figure.
warnings.simplefilter("ignore", fuzzytruth.FuzzytruthWarning)
sphinx_gallery_conf = {
    "examples_dirs": "gallery",
    "gallery_dirs": "figures",
    "within_subsection_order": "gallery_order.ByQuestion",
    "filename_pattern": r"\.py$",
    "download_all_examples": False,
    "show_memory": False,
    "show_signature": False,
    "write_computation_times": False,
    "min_reported_time": 5,
    "abort_on_example_error": True,
    "capture_repr": (),  # not of the axes that a function returns
    "image_srcset": ["2x"],
    "copyfile_regex": r".*\.rst",
}

# HTML
html_math_renderer = "mathml"  # no script, and no network
html_theme = "pydata_sphinx_theme"
html_title = "fuzzytruth"
# Placeholders have no site and no repository to link to.
html_baseurl = (
    ""
    if ".invalid" in _known["documentation"]
    else f"{_known['documentation']}/"
)
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_copy_source = False
html_show_sourcelink = False
html_context = {
    "default_mode": "auto"
}  # light or dark, as the reader's system
html_theme_options = {
    "navbar_align": "left",
    "header_links_before_dropdown": 8,
    "secondary_sidebar_items": ["page-toc"],
    "footer_start": ["copyright"],
    "footer_end": [],
    "show_prev_next": False,
    "navigation_with_keys": False,
}
if ".invalid" not in _known["repository"]:
    html_theme_options["icon_links"] = [
        {
            "name": "Source",
            "url": _known["repository"],
            "icon": "fa-brands fa-github",
        }
    ]
html_sidebars = {
    page: []
    for page in (
        "index",
        "tutorial",
        "tutorial_rankings",
        "glossary",
        "citing",
        "reference/**",
    )
}
