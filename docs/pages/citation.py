"""BibTeX of the package and the papers, from CITATION.cff."""

from __future__ import annotations

from typing import Any

from docs.pages.links import ROOT

KINDS = {"software": "misc", "article": "article", "conference-paper": "inproceedings"}


def entries() -> str:
    """An entry for the package, and for each paper."""
    import yaml  # of the extra docs

    about = yaml.safe_load((ROOT / "CITATION.cff").read_text())
    found = [_entry("puzzle-envs", about), *(_reference(one) for one in about["references"])]
    return "```bibtex\n" + "\n".join(found) + "```"


def _reference(paper: dict[str, Any]) -> str:
    return _entry(f"{paper['authors'][0]['family-names']}{paper.get('year', '')}".lower(), paper)


def _entry(key: str, about: dict[str, Any]) -> str:
    authors = [one.get("name") or _person(one) for one in about["authors"]]
    fields = {
        "title": f"{{{about['title']}}}",
        "author": " and ".join(authors),
        "year": about.get("year"),
        "booktitle": about.get("conference", {}).get("name"),
        "url": about.get("repository-code"),
        "note": about.get("notes"),
    }
    lines = [f"  {name} = {{{value}}}," for name, value in fields.items() if value]
    return "\n".join((f"@{KINDS[about['type']]}{{{key},", *lines, "}", ""))


def _person(author: dict[str, str]) -> str:
    return f"{author['family-names']}, {author['given-names']}"
