"""The parts of the site that come from the code: written into its pages when it is built.

A page asks for a part by a line such as `<!-- site: environment ZenGarden-v0 -->`. Generated
parts are not stored, so they cannot be out of date. The part replaces the text from there to
`<!-- / -->`, which is for readers of the bare file. A part that no page asks for is a warning.
"""

from __future__ import annotations

import html
import re
from collections import defaultdict
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from docs.pages import agents, citation, commands, environments, levels, reference
from docs.pages.links import DOCS, ROOT, relinked

REPORT = DOCS / "report" / "report.html"
"""Written by `make docs` from docs/results/standard, and copied as it is."""
MARKER = re.compile(
    r"^<!-- site: (\w+)(?: (\S+))? -->$(?:(?:(?!<!--).)*<!-- / -->$)?", re.MULTILINE | re.DOTALL
)


THEMED = re.compile(
    r'^<picture><source media="[^"]*dark[^"]*" srcset="([^"]+)">'
    r'<img alt="([^"]*)" src="([^"]+)"></picture>$',
    re.MULTILINE,
)
"""A picture for both themes, as GitHub shows it; Sphinx copies no file that only HTML names."""


def _file(name: str) -> str:
    """A file of the repository's root."""
    return (ROOT / name).read_text()


def _code(name: str) -> str:
    """A file of the repository as a block of code."""
    return f"```python\n{_file(name)}```"


def _report(_: str) -> str:
    """The benchmark's page of replays, where docs/report has one."""
    if not REPORT.exists():
        return ""
    return (
        '<a href="report.html">The report on a separate page</a>, '
        "with a replay of every solution:\n\n"
        '<iframe src="report.html" title="The report" class="report" loading="lazy"></iframe>'
    )


PARTS: dict[str, Callable[[str], str]] = {
    "file": _file,
    "code": _code,
    "citation": lambda _: citation.entries(),
    "environment": environments.page,
    "agents": agents.family,
    "commands": lambda _: commands.every_command(),
    "levels": lambda _: levels.summary(),
    "reference": reference.package,
    "report": _report,
}
WANTED: dict[str, Callable[[], list[str]]] = {
    "environment": environments.names,
    "agents": agents.families,
    "reference": reference.packages,
}
"""The parts that must be on some page."""


def write(text: str, page: Path) -> tuple[str, list[tuple[str, str]]]:
    """A page's text with its parts, and which parts these are."""
    asked = [(match[1], match[2] or "") for match in MARKER.finditer(text)]
    written = MARKER.sub(partial(_part, page), relinked(text, page, page))
    return THEMED.sub(_for_each_theme, written), asked


def _for_each_theme(picture: re.Match[str]) -> str:
    """The directives of a picture for both themes, of which the site shows one."""
    dark, alt, light = picture.groups()
    return "\n\n".join(
        f"```{{image}} {file}\n:alt: {html.unescape(alt)}\n:class: only-{theme}\n```"
        for theme, file in (("light", light), ("dark", dark))
    )


def _part(page: Path, marker: re.Match[str]) -> str:
    """The text of a part, with its links as seen from the page."""
    kind, name = marker[1], marker[2] or ""
    if kind not in PARTS:
        raise ValueError(f"{page} asks for '{kind}'; the parts are {', '.join(PARTS)}.")
    source = ROOT / (name if kind == "file" else "docs/index.md")
    return relinked(PARTS[kind](name), source, page)


def setup(app: Any) -> dict[str, bool]:
    """The entry point that Sphinx calls."""
    asked: dict[str, set[str]] = defaultdict(set)

    def read(app: Any, docname: str, content: list[str]) -> None:
        page = Path(app.env.doc2path(docname))
        if page.suffix != ".md":
            return
        content[0], parts = write(content[0], page)
        for kind, name in parts:
            asked[kind].add(name)

    def check(app: Any, env: Any) -> None:
        from sphinx.util import logging

        for kind, names in WANTED.items():
            for name in sorted({*names()} - asked[kind]):
                logging.getLogger(__name__).warning("No page has the %s %s.", kind, name)

    def qualify(app: Any, tree: Any) -> None:
        """Resolve types in signatures to those of the module, if others have the same name."""
        from sphinx.addnodes import pending_xref

        for node in tree.findall(pending_xref):
            module, name = node.get("py:module"), node["reftarget"]
            if node.get("refdomain") == "py" and node.get("reftype") == "class" and module:
                node.attributes.pop("refspecific", None)
                if name in reference.exported(home := reference.home_of(module, name)):
                    node["reftarget"] = f"{home}.{name}"

    app.connect("source-read", read)
    app.connect("doctree-read", qualify)
    app.connect("env-updated", check)
    return {"parallel_read_safe": False, "parallel_write_safe": True}
