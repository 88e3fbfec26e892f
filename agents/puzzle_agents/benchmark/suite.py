"""Suites, in TOML files: agents, levels, budgets and seeds."""

from __future__ import annotations

import functools
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib.resources import files
from pathlib import Path
from typing import Any

from puzzle_agents import registry
from puzzle_agents.agent import Agent, Budget, bytes_of
from puzzle_agents.benchmark.row import Limits
from puzzle_agents.benchmark.task import Task
from puzzle_agents.environments import options_of, puzzle_of
from puzzle_agents.fields import (
    ANYTHING,
    Kind,
    check,
    list_of,
    number,
    of_type,
    table,
    table_of,
    text,
    whole,
)
from puzzle_agents.parameters import parameters
from puzzle_agents.reading import bytes_of_file, toml_of
from puzzle_envs.common.suggestion import did_you_mean
from puzzle_envs.level import Level
from puzzle_envs.puzzle import Puzzle

FOLDER = files("puzzle_agents.benchmark") / "suites"

LARGEST = 1 << 20
"""Maximum size of a suite file in bytes."""
MOST_SECONDS = 10**7
"""Longer budgets are pointless, and systems do not accept much larger limits."""
OURS = ("budget", "seed")
"""Arguments of agents that a suite provides differently."""

SEEDS = list_of(whole(0, 2**32 - 1), 1, 10**6)
NAMES = list_of(text(), 1, 10**6)
ARGUMENTS = table_of(ANYTHING)
"""Each is checked by its consumer."""
TRANSITIONS = whole(1, 10**15)
BUDGET = table(
    {"seconds": number(0, MOST_SECONDS), "memory": text(), "transitions": TRANSITIONS},
    needed=("seconds", "memory"),
)
ENVIRONMENT = table(
    {
        "id": text(),
        "options": ARGUMENTS,
        "levels": NAMES,
        "first": whole(1),
        "transitions": TRANSITIONS,
        "agents": NAMES,
    },
    needed=("id", "levels", "agents"),
)
AGENT = table({"name": text(), "arguments": ARGUMENTS, "seeds": SEEDS})
SUITE = table(
    {
        "about": text(10**5),
        "seeds": SEEDS,
        "budget": BUDGET,
        "environments": list_of(ENVIRONMENT),
        "agents": table_of(AGENT),
    },
    needed=("budget", "environments"),
)


class SuiteError(ValueError):
    """An invalid suite file: what is wrong with it, and where."""


@dataclass(frozen=True)
class Suite:
    """The tasks of a suite."""

    name: str
    about: str
    tasks: list[Task]
    left_out: list[str]
    """Why agents whose extra is missing have no tasks: a sentence each."""


def bundled() -> list[str]:
    """Names of the bundled suites."""
    return sorted(file.name.removesuffix(".toml") for file in FOLDER.iterdir())


@dataclass(frozen=True)
class Outline:
    """What a list shows of a suite."""

    about: str
    runs: int
    limits: Limits


def read_suite(named: str) -> Suite:
    """The suite that a name or a file means; a SuiteError says what is wrong with it."""
    reader, parsed = _opened(named, plainly=False)
    return reader.suite(parsed)


def outline(named: str) -> Outline:
    """A quick reading for lists, which imports no agents, reads no levels and checks less."""
    reader, parsed = _opened(named, plainly=True)
    return reader.outline(parsed)


def _opened(named: str, *, plainly: bool) -> tuple[_Reader, dict[str, Any]]:
    path = Path(str(FOLDER / f"{named}.toml")) if named in bundled() else Path(named)
    place = f"suite {named}" if named in bundled() else named
    if path.suffix != ".toml":
        near = did_you_mean(named, bundled())
        raise SuiteError(
            f"There is no suite '{named}'.{near} Available: {', '.join(bundled())}; a file of "
            "your own ends in .toml."
        )
    if not path.is_file():
        raise SuiteError(f"{named} is a folder." if path.is_dir() else f"There is no file {named}.")
    try:
        parsed = toml_of(bytes_of_file(path, LARGEST))
    except ValueError as error:
        raise SuiteError(f"{place}: {error}") from None
    return _Reader(path.stem, place, plainly=plainly), parsed


@dataclass(frozen=True)
class _Contender:
    """An agent of a suite."""

    label: str
    name: str
    arguments: dict[str, Any]
    kind: registry.Kind
    seeds: Sequence[int | None]
    agent: Agent | None
    """An instance for `check`; None if nothing is imported."""


class _Reader:
    """Reads one suite; everything is checked before anything runs."""

    def __init__(self, name: str, place: str, *, plainly: bool) -> None:
        self._name, self._place, self._plainly = name, place, plainly
        self._missing: list[str] = []

    def suite(self, parsed: Mapping[str, Any]) -> Suite:
        self._begin(parsed)
        tasks: dict[str, Task] = {}
        for index, one in enumerate(parsed["environments"], start=1):
            for task in self._environment(one, f"environments[{index}]"):
                tasks.setdefault(task.key, task)
        missing = list(dict.fromkeys(self._missing))
        if not tasks:
            sentence = " ".join(missing) or "There is no environment to play."
            raise self._wrong("environments", sentence)
        return Suite(self._name, parsed.get("about", ""), list(tasks.values()), missing)

    def outline(self, parsed: Mapping[str, Any]) -> Outline:
        self._begin(parsed)
        runs = 0
        for one in parsed["environments"]:
            form, most = puzzle_of(one["id"]).format, one.get("first", sys.maxsize)
            levels = sum(min(form.count(wanted), most) for wanted in one["levels"])
            runs += levels * sum(len(self._named(label, "").seeds) for label in one["agents"])
        return Outline(parsed.get("about", ""), runs, self._limits)

    # --- its parts ------------------------------------------------------------------------------

    def _begin(self, parsed: Mapping[str, Any]) -> None:
        """Read what all environments share."""
        self._check(parsed, SUITE)
        self._limits = self._budget(parsed["budget"])
        self._seeds = self._distinct(parsed.get("seeds", [0]), "seeds")
        self._agents = {
            label: self._contender(label, one, f"agents.{label}")
            for label, one in parsed.get("agents", {}).items()
        }

    def _budget(self, parsed: Mapping[str, Any]) -> Limits:
        try:
            limits = Limits(
                float(parsed["seconds"]), bytes_of(parsed["memory"]), parsed.get("transitions")
            )
            Budget(limits.seconds, limits.memory, transitions=limits.transitions)
        except ValueError as error:
            raise self._wrong("budget", str(error)) from None
        return limits

    def _environment(self, parsed: Mapping[str, Any], where: str) -> Iterator[Task]:
        id, options = parsed["id"], parsed.get("options", {})
        try:
            self._check_arguments(options, options_of(id), f"{where}.options")
            form = puzzle_of(id, **options).format
        except SuiteError:
            raise
        except (TypeError, ValueError) as error:
            raise self._wrong(where, str(error)) from None
        agents = self._distinct(parsed["agents"], f"{where}.agents")
        contenders = [self._named(label, f"{where}.agents") for label in agents]
        puzzle = puzzle_of(id, **options)
        transitions = parsed.get("transitions", self._limits.transitions)
        budget = replace(self._limits, transitions=transitions)
        for level in self._levels(form, parsed, where):
            text = form.text(level)
            for contender in contenders:
                if not self._plays(contender, id, puzzle, level, f"{where}.agents"):
                    continue
                for seed in contender.seeds:
                    yield Task(
                        suite=self._name, env=id, options=dict(options), level=level.name,
                        level_text=text, agent=contender.label, name=contender.name,
                        arguments=contender.arguments, kind=contender.kind, seed=seed,
                        budget=budget, optimum=level.optimum, known=level.known,
                        solvable=level.solvable,
                    )  # fmt: skip

    def _levels(self, form: Any, parsed: Mapping[str, Any], where: str) -> list[Level]:
        levels: list[Level] = []
        for wanted in self._distinct(parsed["levels"], f"{where}.levels"):
            try:
                levels += form.find_all(wanted)[: parsed.get("first")]
            except (OSError, ValueError) as error:
                raise self._wrong(f"{where}.levels", str(error)) from None
        return levels

    @functools.cache  # noqa: B019 (a reader reads one suite)
    def _named(self, label: str, where: str) -> _Contender:
        """The agent of a label: the suite's own, or one of the registry."""
        if label in self._agents:
            return self._agents[label]
        if label not in registry.names():
            known = [*self._agents, *registry.names()]
            raise self._wrong(
                where,
                f"There is no agent '{label}'.{did_you_mean(label, known)} "
                "`puzzle-envs list agents` shows all; others have a section [agents.NAME].",
            )
        return self._contender(label, {}, where)

    def _contender(self, label: str, parsed: Mapping[str, Any], where: str) -> _Contender:
        name, arguments = parsed.get("name", label), parsed.get("arguments", {})
        try:
            known = registry.entry_of(name)
            agent = None if self._plainly else self._made(name, arguments, f"{where}.arguments")
        except SuiteError:
            raise
        except (ImportError, TypeError, ValueError) as error:
            raise self._wrong(where, str(error)) from None
        if not known.seeded and "seeds" in parsed:
            raise self._wrong(f"{where}.seeds", f"'{name}' is deterministic; leave out its seeds.")
        seeds: Sequence[int | None] = [None]
        if known.seeded:
            seeds = self._distinct(parsed.get("seeds", self._seeds), f"{where}.seeds")
        return _Contender(label, name, dict(arguments), known.kind, seeds, agent)

    def _made(self, name: str, arguments: Mapping[str, Any], where: str) -> Agent:
        takes = parameters(registry.class_of(name))
        self._check_arguments(
            arguments, {key: hint for key, hint in takes.items() if key not in OURS}, where
        )
        return registry.make(name, **arguments)

    # --- checks ---------------------------------------------------------------------------------

    def _check(self, parsed: object, kind: Kind, where: str = "") -> None:
        """Reject unknown keys, values of the wrong kind, and missing keys."""
        try:
            check(parsed, kind, where)
        except ValueError as error:
            raise self._wrong("", str(error)) from None

    def _check_arguments(
        self, parsed: Mapping[str, Any], hints: Mapping[str, Any], where: str
    ) -> None:
        """Reject unknown arguments, and those of the wrong type."""
        self._check(parsed, table({key: of_type(hint) for key, hint in hints.items()}), where)

    def _plays(
        self, contender: _Contender, id: str, puzzle: Puzzle, level: Level, where: str
    ) -> bool:
        """Reject an agent that does not play a level; False if the extra for it is missing."""
        if registry.entry_of(contender.name).condition(id) is None:
            raise self._wrong(
                where,
                f"'{contender.label}' does not play {id}; `puzzle-envs list agents {id}` shows "
                "those that do.",
            )
        if contender.agent is not None:
            try:
                contender.agent.check(puzzle, level)
            except ModuleNotFoundError as error:
                self._missing.append(f"{error} It is skipped.")
                return False
            except (TypeError, ValueError) as error:
                raise self._wrong(
                    where, f"'{contender.label}' does not play '{level.name}': {error}"
                ) from None
        return True

    def _distinct(self, values: Sequence[Any], where: str) -> Sequence[Any]:
        for value in values:
            if values.count(value) > 1:
                raise self._wrong(where, f"{value!r} is listed twice.")
        return values

    def _wrong(self, where: str, sentence: str) -> SuiteError:
        """An error with its place, unless the message has one already."""
        return SuiteError(f"{self._place}, {where}: {sentence}" if where else
                          f"{self._place}: {sentence}")  # fmt: skip
