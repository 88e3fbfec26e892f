"""A family of agents: what the registry says of each, with its class's docstring and arguments."""

from __future__ import annotations

from docs.pages import reference
from docs.pages.environments import table
from puzzle_agents.registry import AGENTS, ALL, KINDS, Entry


def families() -> list[str]:
    """The kinds of agents, each of which has a page."""
    return [*KINDS]


def family(kind: str) -> str:
    """The table of a family, and a section for each agent."""
    members = {name: entry for name, entry in AGENTS.items() if entry.kind == kind}
    rows = [(f"[`{name}`](#{name})", one.does, one.proves) for name, one in members.items()]
    sections = [_agent(name, entry) for name, entry in members.items()]
    overview = table(("Name", "What it does", "Proves"), rows, plain=True)
    return "\n\n".join((overview, *sections))


def _agent(name: str, entry: Entry) -> str:
    """An agent's section."""
    module, _, class_name = entry.home.partition(":")
    made = reference.definition(module, class_name)
    facts = [f"* Proves: {entry.proves}.", f"* Plays: {_plays(entry)}."]
    if entry.seeded:
        facts.append("* Randomised: takes a `seed`.")
    about = made.text.partition("\n\nBases: ")[0]
    parts = [f"## `{name}`", about, "\n".join(facts)]
    init = next((one for one in made.members if one.name == "__init__"), None)
    if init is not None:
        _, title, arguments = init.text.partition("**Arguments**")
        signature = init.signature.removesuffix(" -> None")
        parts += [f"```text\n{class_name}{signature}\n```", title + arguments]
    return "\n\n".join(part for part in parts if part)


def _plays(entry: Entry) -> str:
    """The environments, with conditions."""
    if set(entry.plays) == {ALL}:
        condition = entry.plays[ALL]
        return f"every environment, {condition}" if condition else "every environment"
    named = ["every environment"] if ALL in entry.plays else []
    for id, condition in entry.plays.items():
        if id != ALL:
            named.append(f"`{id}` ({condition})" if condition else f"`{id}`")
    return ", ".join(named)
