"""Links between files of the repository, as links of the site."""

from __future__ import annotations

import re
import tomllib
from os.path import relpath
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
DOCS = ROOT / "docs"
PAGES = {
    "README.md": "index.md",
    "CHANGELOG.md": "changelog.md",
    "CONTRIBUTING.md": "contributing.md",
}
"""Files outside docs/ that are pages of the site."""

LINK = re.compile(r"(?<=\]\()(?![a-z]+:|#|<)([^)\s#]+)(#[^)\s]*)?(?=\))")
CODE = re.compile(r"^(```+).*?^\1$|`[^`\n]+`", re.MULTILINE | re.DOTALL)


def source_url() -> str:
    """The address of the repository, from pyproject.toml."""
    about = tomllib.loads((ROOT / "pyproject.toml").read_text())
    address: str = about["project"]["urls"]["Source"]
    return address


def relinked(text: str, source: Path, page: Path) -> str:
    """A text of one file as part of a page: links are resolved, those in code left alone.

    Files that are not pages of the site are linked in the repository. Broken links stay as they
    are, and Sphinx warns of them.
    """
    held: list[str] = []

    def hold(code: re.Match[str]) -> str:
        held.append(code[0])
        return f"\0{len(held) - 1}\0"

    def resolve(link: re.Match[str]) -> str:
        return _resolved(link[1], source, page) + (link[2] or "")

    moved = LINK.sub(resolve, CODE.sub(hold, text))
    while "\0" in moved:
        moved = re.sub("\0(\\d+)\0", lambda one: held[int(one[1])], moved)
    return moved


def online(text: str, source: Path) -> str:
    """A text of one file for elsewhere: its links lead to the repository's address."""

    def resolve(link: re.Match[str]) -> str:
        inside = (source.parent / link[1]).resolve().relative_to(ROOT).as_posix()
        return f"{source_url()}/blob/main/{inside}{link[2] or ''}"

    return LINK.sub(resolve, text)


def _resolved(target: str, source: Path, page: Path) -> str:
    found = (source.parent / target).resolve()
    if not found.exists() or not found.is_relative_to(ROOT):
        return target
    inside = found.relative_to(ROOT).as_posix()
    if inside in PAGES:
        found = DOCS / PAGES[inside]
    elif not found.is_relative_to(DOCS) or found.suffix not in (".md", ".png", ".gif", ".ipynb"):
        kind = "tree" if found.is_dir() else "blob"
        return f"{source_url()}/{kind}/main/{inside}"
    return Path(relpath(found, page.parent)).as_posix()
