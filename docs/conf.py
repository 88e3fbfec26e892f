"""The site's configuration; `make docs` builds it into build/site."""

from __future__ import annotations

import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))

from puzzle_envs import __version__  # noqa: E402 (the checkout's, found by the line above)

_about = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]

project = _about["name"]
author = _about["authors"][0]["name"]
project_copyright = author
version = release = __version__

extensions = ["docs.pages", "myst_nb", "sphinx_copybutton"]
exclude_patterns = ["measured", "report", "results"]
myst_enable_extensions = ["colon_fence"]
myst_heading_anchors = 3
nb_execution_mode = "off"  # `make notebooks` executes them, and so does tests/test_notebooks.py
nb_merge_streams = True

html_theme = "furo"
pygments_dark_style = "monokai"
html_title = f"{project} {version}"
html_extra_path = ["report"] if Path(__file__).with_name("report").exists() else []
html_static_path = ["static"]
html_css_files = ["site.css"]
html_theme_options = {
    "source_repository": _about["urls"]["Source"],
    "source_branch": "main",
    "source_directory": "docs/",
}
html_show_sphinx = False
html_copy_source = False
copybutton_exclude = ".linenos, .gp, .go"

linkcheck_anchors = False
linkcheck_timeout = 30
