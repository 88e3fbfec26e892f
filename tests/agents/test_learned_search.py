"""Levin tree search and PHS*: their policy, their training, their model files."""

from __future__ import annotations

import io
import json
import math
import os
import random
import re
import subprocess
import sys
import time
import zipfile
from collections.abc import Callable
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

import puzzle_agents
from puzzle_agents import Budget, Status
from puzzle_agents.cli.app import WRONG_USAGE, main
from puzzle_agents.environments import make_env, puzzle_of
from puzzle_agents.learning.card import ModelError
from puzzle_agents.learning.card_file import CARD
from puzzle_agents.progress_bar import ProgressBar
from puzzle_agents.search.learned import measuring, studies
from puzzle_agents.search.learned import release as release_of
from puzzle_agents.search.learned.bootstrap import Bootstrap, Settings, problem_of, sought
from puzzle_agents.search.learned.config import Config, read_config
from puzzle_agents.search.learned.heap import Heap, pop, push
from puzzle_agents.search.learned.levin import guided
from puzzle_agents.search.learned.model import (
    FOLDER,
    TABLE,
    Card,
    Model,
    load_model,
    model_of,
    save_model,
    uniform,
)
from puzzle_agents.search.learned.orders import (
    LEVIN,
    LIKELIEST,
    PHS,
    ROOTED,
    Order,
    Paths,
    Place,
    key_of,
    prolong,
)
from puzzle_agents.search.learned.policy import Guide, look, score, share
from puzzle_agents.search.learned.presets import PRESETS
from puzzle_agents.search.learned.run import CHECKPOINT, resume, train
from puzzle_agents.search.learned.tilings import SHAPES, TILINGS, TRAITS, keys_of
from puzzle_agents.search.search import Problem
from puzzle_envs.env import PuzzleEnv
from puzzle_envs.kernels.bitboards import copy_words
from puzzle_envs.kernels.compiled import kernel
from puzzle_envs.states.bundles import Instance, Scratch
from puzzle_envs.verbs import canonical, successors, traits
from tests.agents.test_cli import error_of

TILES = "tests.sliding_tiles:SlidingTiles-v0"
LEVELS = [
    ("ZenGarden-v0", "test/4x4/1"),
    ("HuaRongDao-v0", "test/11-20/3"),
    ("Kwirk-v0", "test/4-6/2"),
    ("KwirkSteps-v0", "easy/1"),
    ("Skyscraper-v0", "test/4x4/5"),
    (TILES, "123/4.6/758"),
]
"""A small level of each puzzle."""
TINY = Config(
    env="ZenGarden-v0",
    levels=("rocks", "first-steps"),
    validation=("leaves",),
    tilings=("cell", "square after"),
    bits=12,
    budget=12,
    steps=20_000,
)


def standing(id: str, level: str) -> PuzzleEnv:
    env = make_env(id, level=level).unwrapped
    assert isinstance(env, PuzzleEnv)
    env.reset()
    return env


# --- the search --------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["levin", "phs", "rooted", "guided-greedy", "guided-beam"])
@pytest.mark.parametrize(("id", "level"), LEVELS)
@pytest.mark.parametrize("tilings", [(), ("square", "cell after in place")])
def test_it_solves_levels_with_any_policy(
    id: str, level: str, name: str, tilings: tuple[str, ...]
) -> None:
    """`solve` replays every solution; test_search has random boards of all puzzles."""
    env = standing(id, level)
    noise = np.random.default_rng(0).normal(size=1 << 10).astype(np.float32)
    model = Model(noise, tilings) if tilings else "none"
    result = puzzle_agents.make(name, Budget(seconds=60), model=model).solve(env)
    assert result.solved
    assert result.moves is not None and result.moves >= env.level.least


@pytest.mark.parametrize("name", ["levin", "phs", "rooted", "guided-greedy", "guided-beam"])
def test_it_keeps_to_its_budget(name: str) -> None:
    env = standing("HuaRongDao-v0", "classics/1")
    result = puzzle_agents.make(name, Budget(expansions=100), model="none").solve(env)
    assert (result.status, result.expanded) == (Status.GAVE_UP, 100)
    env = standing("ZenGarden-v0", "large/16")
    result = puzzle_agents.make(name, Budget(memory="1 MiB"), model="none").solve(env)
    assert result.status == Status.OUT_OF_MEMORY


def test_the_padding_of_a_set_changes_nothing() -> None:
    """A board is seen the same alone and among larger ones."""
    alone = standing("ZenGarden-v0", "test/4x4/7")
    among = gymnasium.make("ZenGarden-v0", levels=["test/4x4", "large"]).unwrapped
    assert isinstance(among, PuzzleEnv)
    among.reset(options={"level": "test/4x4/7"})
    agent = puzzle_agents.make("phs", model=Model(_noise(10), ("large", "cell in place")))
    one, other = agent.solve(alone), agent.solve(among)
    assert (one.expanded, one.generated, one.moves) == (
        other.expanded,
        other.generated,
        other.moves,
    )


@kernel
def push_all(heap: Heap, keys: Any) -> None:
    for number in range(keys.size):
        push(heap, number, keys[number], number)


@kernel
def pop_all(heap: Heap, popped: Any) -> None:
    for number in range(popped.size):
        popped[number] = pop(heap, popped.size - number)


@given(st.lists(st.floats(-100, 100), min_size=1, max_size=50))
@settings(deadline=None)
def test_the_heap_gives_the_lowest_key_first(keys: list[float]) -> None:
    heap, popped = Heap.of(len(keys)), np.empty(len(keys), np.int64)
    push_all(heap, np.array(keys))
    pop_all(heap, popped)
    assert sorted(popped.tolist()) == list(range(len(keys)))
    assert [keys[number] for number in popped] == sorted(keys)


def plain_key(order: Order, chances: list[float], lefts: list[int], roots: list[int]) -> float:
    """The key of the last state of a path of moves that cost 1, by its definition."""
    depth = len(chances)
    inverse = [1 / math.prod(chances[:number]) for number in range(depth + 1)]
    if order.kind == LEVIN:
        return math.log(depth * inverse[-1])
    if order.kind == PHS:
        return math.log(depth + lefts[-1]) + math.log(inverse[-1]) * (1 + lefts[-1] / depth)
    if order.kind == LIKELIEST:
        return math.log(inverse[-1])
    return math.log(
        min(
            sum(inverse[root + 1 :]) / inverse[root] / math.exp(-order.slope * lefts[root] / 9)
            for root in roots
        )
    )


@kernel
def walk(paths: Paths, order: Order, chances: Any, lefts: Any, marks: Any) -> float:
    key = 0.0
    for move in range(chances.size):
        prolong(paths, order, move, move + 1, chances[move])
        key = key_of(order, paths, Place(move + 1, move + 1, move + 1, lefts[move + 1]))
        if marks[move + 1]:
            paths.weights[move + 1] = -order.slope * lefts[move + 1] / 9
    return key


@given(
    st.sampled_from([Order(LEVIN), Order(PHS), Order(LIKELIEST), Order(ROOTED, slope=3.0)]),
    st.lists(st.tuples(st.floats(1e-3, 1), st.integers(0, 20), st.booleans()), min_size=1,
             max_size=12),
)  # fmt: skip
@settings(deadline=None)
def test_keys_are_those_of_their_definitions(
    order: Order, moves: list[tuple[float, int, bool]]
) -> None:
    chances = [chance for chance, _, _ in moves]
    lefts = [9, *(left for _, left, _ in moves)]
    marks = [True, *(mark for _, _, mark in moves)]
    paths = Paths.of(len(lefts), order)
    if order.kind != ROOTED:
        marks = [False] * len(marks)
    roots = [0, *(number for number in range(1, len(moves)) if marks[number])]
    key = walk(paths, order, np.array(chances), np.array(lefts), np.array(marks))
    assert key == pytest.approx(plain_key(order, chances, lefts, roots), rel=1e-9, abs=1e-9)


def test_a_beam_expands_no_more_of_each_depth_and_proves_nothing() -> None:
    env = standing("ZenGarden-v0", "test/8x8/1")
    narrow = puzzle_agents.make("guided-beam", Budget(seconds=60), model="none", width=1)
    result = narrow.solve(env)
    assert result.expanded <= 64  # each move rakes a cell
    assert result.status in (Status.GAVE_UP, Status.SOLVED)
    moves = []
    for width in (50, 2_000):
        wide = puzzle_agents.make("guided-beam", Budget(seconds=60), width=width).solve(env)
        assert wide.solved and wide.moves is not None
        moves.append(wide.moves)
    assert moves[1] <= moves[0]


# --- the policy --------------------------------------------------------------------------------


@kernel
def judge(instance: Instance, state: Any, scratch: Scratch, guide: Guide) -> int:
    """The probabilities of a state's moves, none refused."""
    copy_words(state, scratch.state)
    count = successors(instance.levels[0], scratch.state, scratch.rows, scratch.costs)
    canonical(instance.levels[0], scratch.state)
    look(instance.levels[0], scratch.state, guide.board)
    for index in range(count):
        score(instance, scratch.state, scratch.rows[index], guide, 0, index)
    share(guide, count)
    return count


def mixed(word: int) -> int:
    word = (word ^ word >> 30) * 0xBF58476D1CE4E5B9 % 2**64
    word = (word ^ word >> 27) * 0x94D049BB133111EB % 2**64
    return word ^ word >> 31


Codes = dict[tuple[int, int], int]


@kernel
def list_traits(instance: Instance, state: Any, row: Any, found: Any) -> int:
    return traits(instance.levels[0], instance.findings, state, row, found)


class Twin:
    """The same policy in plain Python, from the observations of an environment."""

    def __init__(self, env: PuzzleEnv, model: Model, view: int, instance: Instance) -> None:
        self.env, self.model = env.simulation(observation="planes"), model
        shape = env.puzzle.format.shape(env.level.record)
        self.keys = [int(key) for key in keys_of(env.puzzle.codec.planes(shape))]
        self.seen = env.puzzle.codec.views(shape)[view].planes
        self.instance = instance

    def codes(self, words: Any) -> Codes:
        state = self.env.get_state()._replace(words=tuple(words.tolist()))
        planes, _ = self.env.set_state(state)
        height, width = planes.shape[-2], planes.shape[-1]
        planes = planes.ravel()[self.seen].reshape(-1, height, width)
        return {
            (row, column): sum(
                key for key, plane in zip(self.keys, planes, strict=True) if plane[row, column]
            )
            % 2**64
            for row in range(height)
            for column in range(width)
        }

    def score(self, before: Codes, after: Codes) -> float:
        total = 0.0
        for cell in before:
            if before[cell] == after[cell]:
                continue
            for name in self.model.tilings:
                if name == TRAITS:
                    continue
                shape, *how = name.split(" ", 1)
                hashed = int(keys_of([name])[0])
                hashed += self.patch(shape, after, cell)
                if "after" not in "".join(how):
                    hashed = mixed(hashed % 2**64) + self.patch(shape, before, cell)
                if "in place" in "".join(how):
                    hashed += int(keys_of([f"row {cell[0]}, column {cell[1]}"])[0])
                total += float(self.model.table[mixed(hashed % 2**64) % len(self.model.table)])
        return total

    def of_traits(self, state: Any, row: Any) -> float:
        found, salt = np.zeros(16, np.int64), int(keys_of([TRAITS])[0])
        count = list_traits(self.instance, state, row, found)
        places = [mixed((salt + mixed(int(one))) % 2**64) for one in found[:count]]
        return sum(float(self.model.table[place % len(self.model.table)]) for place in places)

    @staticmethod
    def patch(shape: str, codes: Codes, cell: tuple[int, int]) -> int:
        return sum(
            (int(keys_of([f"{down},{right}"])[0]) | 1)
            * codes.get((cell[0] + down, cell[1] + right), 0)
            for down, right in SHAPES[shape]
        )

    def probabilities(self, state: Any, rows: Any, epsilon: float) -> list[float]:
        before = self.codes(state)
        scores = [self.score(before, self.codes(row)) for row in rows]
        if TRAITS in self.model.tilings:
            scores = [
                one + self.of_traits(state, row) for one, row in zip(scores, rows, strict=True)
            ]
        best = max(scores)
        shares = [math.exp(score - best) for score in scores]
        return [(1 - epsilon) * one / sum(shares) + epsilon / len(shares) for one in shares]


def _noise(bits: int) -> Any:
    return np.random.default_rng(1).normal(size=1 << bits).astype(np.float32)


@given(
    st.sampled_from(LEVELS),
    st.lists(st.sampled_from((*TILINGS, TRAITS)), min_size=1, max_size=4, unique=True),
    st.lists(st.integers(0, 99), max_size=6),
    st.integers(0, 7),
)
@settings(deadline=None, max_examples=40)
def test_the_policy_is_that_of_its_plain_twin(
    named: tuple[str, str], tilings: list[str], picks: list[int], view: int
) -> None:
    env = standing(*named)
    model, epsilon = Model(_noise(10), tuple(tilings)), 0.01
    problem = problem_of(env.puzzle, env.level)
    instance, guide = guided(problem, model, epsilon)
    shape = env.puzzle.format.shape(env.level.record)
    view %= len(env.puzzle.codec.views(shape))
    guide = guide._replace(board=guide.board.viewed(env.puzzle, shape, view))
    twin, state = Twin(env, model, view, instance), problem.start
    scratch = Scratch.of(state.size, len(guide.moves.scores))
    for pick in picks:
        count = judge(instance, state, scratch, guide)
        if count == 0:
            return
        found = guide.moves.scores[:count]
        assert found.sum() == pytest.approx(1)
        assert (found >= epsilon / count).all()
        seen = twin.probabilities(scratch.state, scratch.rows[:count], epsilon)
        assert found.tolist() == pytest.approx(seen, rel=1e-5)
        state = scratch.rows[pick % count].copy()


# --- training ----------------------------------------------------------------------------------


def problems(id: str, name: str) -> list[Problem]:
    puzzle = puzzle_of(id)
    return [problem_of(puzzle, level) for level in puzzle.format.find_all(name)]


def spent(problems: list[Problem], model: Model, settings: Settings) -> int:
    return sum(sought(one, model, settings, 5_000).expanded for one in problems)


@pytest.mark.parametrize(
    ("id", "train", "validation", "tilings", "algorithm", "share"),
    [
        ("ZenGarden-v0", "train/6x6", "validation/6x6", ("square", "diamond after"), "phs", 0.8),
        ("HuaRongDao-v0", "train/21-40", "validation/21-40", ("square in place",), "phs", 0.5),
        (TILES, "near", "far", ("square in place",), "levin", 0.8),
    ],
)
def test_training_saves_expansions(
    id: str,
    train: str,
    validation: str,
    tilings: tuple[str, ...],
    algorithm: str,
    share: float,
) -> None:
    if id == TILES:
        puzzle, random = puzzle_of(id), np.random.default_rng(0)
        assert puzzle.generator is not None
        levels = {
            name: [problem_of(puzzle, puzzle.generator.draw(random, name)) for _ in range(count)]
            for name, count in (("near", 40), ("far", 40))
        }
        learned, tested = levels["near"] + levels["far"][:20], levels["far"][20:]
    else:
        learned, tested = problems(id, train)[:80], problems(id, validation)[:40]
    zeros = np.zeros(1 << 14, np.float32)
    how = Settings(algorithm)
    bootstrap = Bootstrap(learned, tilings, how, 0, zeros, zeros.copy(), how.budget)
    for _ in range(2):
        assert list(bootstrap.steps())[-1] == len(learned)
    assert spent(tested, bootstrap.model, how) < share * spent(tested, uniform(), how)


def test_an_interrupted_run_gives_the_same_model(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole, broken = tmp_path / "whole", tmp_path / "broken"
    said: list[str] = []
    entries = load_model(train(TINY, whole, say=said.append)).table
    assert len(said) >= 3 and said[0].startswith("Pass 1, 12 expansions: ")
    shown = ProgressBar.show
    calls = 0

    def stop(self: ProgressBar, *arguments: Any) -> None:
        nonlocal calls
        calls += 1
        if calls in (1, 70):
            raise KeyboardInterrupt
        shown(self, *arguments)

    monkeypatch.setattr(ProgressBar, "show", stop)
    with pytest.raises(KeyboardInterrupt):
        train(TINY, broken)
    with pytest.raises(KeyboardInterrupt):
        resume(broken, say=said.append)
    assert said[-1].endswith(f". Resume with: puzzle-envs train --resume {broken}")
    assert (broken / CHECKPOINT).exists()
    model = load_model(resume(broken))
    assert (model.table == entries).all()
    columns = slice(0, -1)  # without seconds
    rows = [
        [row.split(",")[columns] for row in (folder / "curve.csv").read_text().splitlines()]
        for folder in (whole, broken)
    ]
    assert rows[0] == rows[1]
    resume(broken)  # nothing is left to do
    assert (load_model(broken / "policy.model").table == entries).all()


def run_in(folder: Path, code: str, **more: Any) -> subprocess.Popen[str]:
    """A process of its own that trains or resumes there."""
    head = "from tests.agents.test_learned_search import TINY, resume, train\n"
    head += f"from pathlib import Path\nfolder = Path({str(folder)!r})\n"
    return subprocess.Popen([sys.executable, "-c", head + code], text=True, **more)


def test_a_killed_run_gives_the_same_model_and_so_does_one_core(tmp_path: Path) -> None:
    killed, alone, whole = tmp_path / "killed", tmp_path / "alone", tmp_path / "whole"
    entries = load_model(train(TINY, whole)).table
    process = run_in(killed, "train(TINY, folder)")
    deadline = time.monotonic() + 300
    while not (killed / CHECKPOINT).exists() and time.monotonic() < deadline:
        time.sleep(0.01)
    process.kill()  # SIGKILL on Linux and macOS
    assert process.wait() != 0
    assert (load_model(resume(killed)).table == entries).all()
    code = "import os\nos.sched_setaffinity(0, [min(os.sched_getaffinity(0))])\n"
    if not hasattr(os, "sched_setaffinity"):
        code = ""
    assert run_in(alone, code + "train(TINY, folder)").wait() == 0
    assert (load_model(alone / "policy.model").table == entries).all()


@pytest.mark.parametrize(
    ("id", "teacher", "train_on", "test_on"),
    [
        ("HuaRongDao-v0", "astar", "train/21-40", "validation/21-40"),
        ("ZenGarden-v0", "astar", "train/5x5", "validation/5x5"),
        ("Kwirk-v0", "greedy", "train/7-9", "validation/7-9"),
    ],
)
def test_a_teacher_is_learned_from(
    id: str, teacher: str, train_on: str, test_on: str, tmp_path: Path
) -> None:
    config = Config(env=id, levels=(train_on,), validation=(test_on,), bits=14, teacher=teacher)
    card = load_model(train(config, tmp_path / "run")).card
    assert card is not None
    told = card.training["teacher"]
    assert (told["agent"], told["failed"]) == (teacher, 0)
    assert card.training["steps"] == told["expanded"]
    puzzle = puzzle_of(id)
    tested = [problem_of(puzzle, level) for level in puzzle.format.find_all(test_on)][:40]
    model, how = model_of(str(tmp_path / "run")), Settings()
    assert spent(tested, model, how) < spent(tested, uniform(), how)


def test_what_a_teacher_leaves_open_is_searched(tmp_path: Path) -> None:
    config = replace(TINY, levels=("train/5x5",), teacher="astar", patience=5, budget=500)
    said: list[str] = []
    train(config, tmp_path / "run", say=said.append)
    solved = re.match(r"Solutions of astar: ([0-9]+) of 1,000 levels solved", said[0])
    assert solved is not None and 0 < int(solved[1]) < 1000
    assert f" of {1000 - int(solved[1])} levels solved" in said[1]


@pytest.mark.parametrize("preset", PRESETS.values(), ids=PRESETS)
def test_presets_are_possible(preset: Config) -> None:
    preset.check()


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"env": "Chess-v0"}, "'env'"),
        ({"levels": ("train/99x99",)}, "99x99"),
        ({"tilings": ("circle",)}, "'tilings[1]' must be one of cell"),
        ({"bits": 60}, "'bits' must be an integer from 4 to 22"),
        ({"rate": float("nan")}, "'rate' must be a number"),
        ({"teacher": "nobody"}, "nobody"),
        ({"teacher": "skyscraper-exact"}, "does not play ZenGarden-v0, so it cannot teach it"),
        ({"patience": 0}, "'patience' must be an integer"),
        ({"views": 0}, "'views' must be an integer from 1"),
        ({"algorithm": "ppo"}, "'algorithm' must be one of phs, levin"),
    ],
)
def test_bad_configurations(changes: dict[str, Any], said: str, tmp_path: Path) -> None:
    assert said in refusal(lambda: train(replace(TINY, **changes), tmp_path / "run"))
    assert not (tmp_path / "run").exists()


def test_damaged_checkpoints_and_configurations(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    train(replace(TINY, levels=("first-steps",), steps=1), folder)
    assert read_config(folder / "config.json").levels == ("first-steps",)
    good = (folder / CHECKPOINT).read_bytes()
    for data in mutations(good, 30):
        (folder / CHECKPOINT).write_bytes(data)
        said = refusal(lambda: resume(folder))
        assert said == "" or "is not a checkpoint of this run" in said
    (folder / "config.json").write_text('{"env": "ZenGarden-v0", "levels": 3}')
    with pytest.raises(ValueError, match=r"is not a run configuration: 'levels' must be a list"):
        resume(folder)


# --- model files -------------------------------------------------------------------------------

CARD_OF = Card("phs", "ZenGarden-v0", {}, ["cell", "plus"], 6, 1.0, {"seed": 1})


def mutations(data: bytes, count: int) -> list[bytes]:
    chance, found = random.Random(0), [b"", data[: len(data) // 2]]
    for _ in range(count):
        damaged = bytearray(data)
        for _ in range(chance.randint(1, 4)):
            damaged[chance.randrange(len(damaged))] = chance.randrange(256)
        found.append(bytes(damaged))
    return found


def refusal(read: Callable[[], Any]) -> str:
    """What a ValueError says; empty if there is none."""
    try:
        read()
    except ValueError as error:
        return str(error)
    return ""


def packed(parts: dict[str, bytes]) -> bytes:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        for name, part in parts.items():
            archive.writestr(name, part)
    return data.getvalue()


def test_a_model_is_read_as_it_was_written(tmp_path: Path) -> None:
    entries = _noise(6)
    save_model(tmp_path / "a.model", CARD_OF, entries)
    model = load_model(tmp_path / "a.model")
    assert model.card is not None
    assert replace(model.card, unit=1.0) == CARD_OF
    assert np.abs(model.table - entries).max() <= np.abs(entries).max() / 254 + 1e-6
    save_model(tmp_path / "b.model", model.card, model.table)
    assert (load_model(tmp_path / "b.model").table == model.table).all()


def test_damaged_models_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "a.model"
    save_model(file, CARD_OF, _noise(6))
    for data in mutations(file.read_bytes(), 300):
        file.write_bytes(data)
        said = refusal(lambda: load_model(file))
        assert said == "" or said.startswith(f"{file} is not a readable model: ")


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda parts: parts.pop(TABLE), "has not the two parts"),
        (lambda parts: parts.update({"more.py": b""}), "has not the two parts"),
        (lambda parts: parts.update({TABLE: b"123"}), "Its table has 3 entries"),
        (lambda parts: told(parts, bits=22), "Its table has 64 entries, and its card says 22 bits"),
        (lambda parts: told(parts, bits=40), "'bits' must be an integer from 4 to 22"),
        (lambda parts: told(parts, unit="x"), "'unit' must be a number"),
        (lambda parts: told(parts, tilings=["x"]), "'tilings[1]' must be one of"),
        (lambda parts: told(parts, more=1), "There is no key 'more'"),
    ],
)
def test_wrong_models_are_refused(
    change: Callable[[dict[str, bytes]], Any], said: str, tmp_path: Path
) -> None:
    parts = {CARD: json.dumps(asdict(CARD_OF)).encode(), TABLE: bytes(64)}
    change(parts)
    (tmp_path / "a.model").write_bytes(packed(parts))
    assert said in refusal(lambda: load_model(tmp_path / "a.model"))


def told(parts: dict[str, bytes], **changes: Any) -> None:
    parts[CARD] = json.dumps(asdict(CARD_OF) | changes).encode()


def test_a_model_plays_its_own_puzzle_only(tmp_path: Path) -> None:
    save_model(tmp_path / "a.model", CARD_OF, _noise(6))
    agent = puzzle_agents.make("phs", model=tmp_path / "a.model")
    assert agent.solve(standing("ZenGarden-v0", "test/4x4/1")).solved
    with pytest.raises(ModelError, match=r"The model plays ZenGarden-v0, not HuaRongDao-v0"):
        agent.solve(standing("HuaRongDao-v0", "classics/1"))
    with pytest.raises(ModelError, match=r"There is no model 'zen-gardn'"):
        model_of("zen-gardn")


@pytest.mark.parametrize(
    ("name", "level"),
    [
        ("hua-rong-dao", "classics/1"),
        ("zen-garden", "large/12"),
        ("kwirk", "test/7-9/1"),
        ("skyscraper", "validation/8x8/2"),
    ],
)
def test_models_in_the_package_save_expansions(name: str, level: str) -> None:
    file = FOLDER / f"{name}.model"
    card = load_model(file).card
    assert card is not None and file.stat().st_size < 500_000
    config = PRESETS[name]
    assert (card.env, tuple(card.tilings), card.bits) == (config.env, config.tilings, config.bits)
    assert card.training["test"]["solved"] > 0.95 and card.training["seed"] == 0
    assert f"`{card.training['command']}`" in Path("docs/learned_search.md").read_text()
    env = standing(card.env, level)
    budget = Budget(expansions=20_000)
    agent, uniform = (puzzle_agents.make("phs", budget, model=one) for one in (None, "none"))
    assert agent.training_for(env) == card.training
    guided, blind = agent.solve(env), uniform.solve(env)
    assert guided.solved and guided.expanded < blind.expanded


def test_each_preset_has_a_model_in_the_package() -> None:
    assert {file.stem for file in FOLDER.glob("*.model")} == set(PRESETS)


# --- the command line --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["zen-garden", "--threads", "2"], "phs learns on one core; leave out --threads."),
        (["zen-garden", "--seeds", "0,1"], "Sweeps are for policies; train phs with one seed"),
        (["zen-gardn"], "There is no environment 'zen-gardn'"),
        (["Kwirk-v0"], "Give --levels and --validation for Kwirk-v0"),
        ([], "Give an environment or a preset: "),
    ],
)
def test_wrong_commands(
    arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["train", *arguments, "--algo", "phs"]) == WRONG_USAGE
    assert said in error_of(capsys)


def test_the_command_trains_resumes_and_solves(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = str(tmp_path / "run")
    levels = ["--levels", "train/4x4", "--validation", "validation/4x4", "--seed", "3"]
    command = ["train", "ZenGarden-v0", "--algo", "phs", *levels, "--output", folder]
    assert main(command) == 0
    assert "Model: " in capsys.readouterr().out
    assert main(["train", "--resume", folder]) == 0
    card = load_model(Path(folder) / "policy.model").card
    assert card is not None
    assert (card.training["seed"], card.training["validation"]) == (3, 1.0)
    solve = ["solve", "ZenGarden-v0", "test/4x4/1", "--agent", "phs", "--argument"]
    assert main([*solve, f"model={folder}"]) == 0


def test_it_needs_no_extra(tmp_path: Path) -> None:
    """Training, resuming and solving without PyTorch and Stable-Baselines3."""
    folder = str(tmp_path / "run")
    sets = ["--levels", "first-steps", "--validation", "leaves", "--steps", "1"]
    commands = [
        ["train", "ZenGarden-v0", "--algo", "phs", *sets, "--output", folder],
        ["train", "--resume", folder],
        ["solve", "ZenGarden-v0", "rocks/1", "--agent", "phs"],
    ]
    code = (
        "import sys\n"
        "for name in ('torch', 'stable_baselines3', 'sb3_contrib'):\n"
        "    sys.modules[name] = None\n"
        "from puzzle_agents.cli.app import main\n"
        f"sys.exit(any(main(command) for command in {commands!r}))\n"
    )
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert ended.returncode == 0, ended.stderr


# --- releases and studies ----------------------------------------------------------------------


def test_a_release_and_its_studies(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("matplotlib", reason="needs the bench extra")
    small = replace(TINY, levels=("train/4x4",), validation=("validation/4x4",), teacher="astar")
    monkeypatch.setattr(measuring, "EXPANSIONS", 200)
    monkeypatch.setattr(release_of, "name_of", lambda puzzle: tmp_path / "zen-garden.model")
    monkeypatch.setattr(release_of, "OTHERS", (("greedy", "greedy", {}),))
    monkeypatch.setattr(release_of, "KIN", ("levin",))
    runs = [tmp_path / f"run-{seed}" for seed in (0, 1)]
    for seed, run in enumerate(runs):
        train(replace(small, seed=seed), run, f"train {seed}")
    release_of.release(runs, tmp_path / "page.md")
    page = (tmp_path / "page.md").read_text()
    assert "200 levels of test/6x6" in page and "test/10x10" not in page
    assert "| phs, seed 1 |" in page and "| levin, its policy |" in page and "* `train 0`: " in page
    card = load_model(tmp_path / "zen-garden.model").card
    assert card is not None and card.training["test"]["count"] == 650

    monkeypatch.setattr(studies, "PRESETS", {"zen-garden": small})
    told = CliRunner().invoke(
        studies.app, ["ablations", "zen-garden", "validation/5x5", "--levels", "9"]
    )
    assert told.exit_code == 0
    labels = re.findall(r"^\| (.*?) (?:\(|\|)", told.output, re.MULTILINE)
    assert {"phs, everything", "levin, everything", "phs, a tenth of the levels", "phs, no teacher",
            "heuristic alone"} <= set(labels)  # fmt: skip
    assert "9 levels of validation/5x5" in told.output
    monkeypatch.setattr(studies, "OTHERS", studies.OTHERS[:1])
    told = CliRunner().invoke(studies.app, ["tiers", "zen-garden", "--levels", "1"])
    assert told.exit_code == 0
    assert "test/10x10-mixed" in told.output and "test/8x8\n" not in told.output
