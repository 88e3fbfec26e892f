"""What the Python interface says to values that it cannot take: a table of entry points × values.

Each pair is refused by an error of the right class, in a sentence that names the value, and leaves
the environment as it was. Of the wrong kind is a TypeError, out of range a ValueError.
"""

from __future__ import annotations

import contextlib
import functools
import math
import re
from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any, NamedTuple

import gymnasium
import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from gymnasium.vector import AutoresetMode
from hypothesis import given, settings
from hypothesis import strategies as st

import puzzle_envs  # noqa: F401 (registers the ids)
from puzzle_agents import make, names
from puzzle_agents.exact.skyscraper import SkyscraperExact
from puzzle_envs.common.arguments import shown
from puzzle_envs.env import PuzzleEnv
from puzzle_envs.episodes.batch import State
from puzzle_envs.level import Level, LevelError
from puzzle_envs.vector import PuzzleVectorEnv
from tests.test_environments import IDS, every_id, make_vec
from tests.test_environments import make as make_env

PYTHONS_OWN = re.compile(
    "not supported between|object is not|object has no|has no attribute|object cannot be|"
    "could not convert|invalid literal|cannot be interpreted|unhashable|out of bounds|ambiguous|"
    r"must be(?!.*, not )|"
    "only integer|unsupported operand|takes .* positional|setting an array|not a valid|"
    r"\bexpected |argument of type|maximum allowed|too large to convert"
)
"""Words of Python and NumPy, which say nothing of puzzles."""


class Named(NamedTuple):
    """A value of which an error says something else than what Python writes."""

    value: Any
    said: str


Values = Mapping[type[Exception], Sequence[Any]]


class Entry(NamedTuple):
    """An entry point, and what it refuses."""

    call: Callable[[Any, Any], object]
    """Takes what is called (an environment, its id, or nothing) and the value."""
    values: Values


NO_INTEGERS: list[Any] = [
    3.7, 3.0, math.nan, math.inf, "3", b"3", True, 1j, Fraction(3), Decimal(3), object(), [3], (3,),
    {3}, {}, np.float32(3), np.True_, np.array([3]), np.array(3.0),
]  # fmt: skip
NO_POSITIVE: list[Any] = [0, -3, np.int64(-2), -(2**70)]
NO_NUMBERS: list[Any] = ["x", "1", b"1", True, 1j, Decimal(1), [1], {}, np.array([1.0])]
NO_FLAGS: list[Any] = ["yes", 1, 0.0, None, []]
NO_LEVELS: list[Any] = [3.5, b"....", [], {}, object(), True]


def positive(least: int = 1, *, none: bool = True) -> Values:
    """What is no whole number from 1 (or so) on, and not None if that means something."""
    wrong = [None, *NO_INTEGERS] if not none else NO_INTEGERS
    return {TypeError: wrong, ValueError: NO_POSITIVE if least else NO_POSITIVE[1:]}


def none_of(*more: Any) -> Values:
    """What is not among some names, ever."""
    return {ValueError: ["x", "", "MOVES ", 5, 1.5, b"moves", True, [], {}, np.ones(2), *more]}


def refuse(call: Callable[[], object], error: type[Exception], value: Any) -> None:
    """Check the error of a call: its class, and that it is a sentence about the value."""
    value, said = value if isinstance(value, Named) else (value, None)
    with pytest.raises(error) as caught:
        call()
    assert type(caught.value) is error or error not in (TypeError, ValueError)
    text = str(caught.value)
    assert re.search(r"[.?!]$", text), text
    assert not PYTHONS_OWN.search(text), text
    plain = value.item() if isinstance(value, (np.integer, np.bool_)) else value
    mentions = [said] if said is not None else [shown(value), shown(plain)]
    assert any(mention in text for mention in mentions), f"{text!r} says nothing of {mentions}"


def pairs(table: Mapping[str, Entry]) -> pytest.MarkDecorator:
    """The table as cases of a test with the arguments call, error and value."""
    found = [
        pytest.param(entry.call, error, value, id=f"{name}-{error.__name__}-{number}")
        for name, entry in table.items()
        for error, values in entry.values.items()
        for number, value in enumerate(values)
    ]
    return pytest.mark.parametrize(("call", "error", "value"), found)


def plain(value: Any) -> Any:
    """What is handed over."""
    return value.value if isinstance(value, Named) else value


# --- a single environment ------------------------------------------------------------------------


def with_state(env: PuzzleEnv, **fields: Any) -> object:
    return env.set_state(env.get_state()._replace(**fields))


def with_word(env: PuzzleEnv, word: Any) -> object:
    return with_state(env, words=(word, *env.get_state().words[1:]))


OPTIONS: Values = {
    TypeError: [5, "level", ["level"], 1.5, {"level"}, object()],
    ValueError: [
        Named({"lvl": 0}, "'lvl'. Did you mean 'level'?"),
        Named({"Level": 0}, "'Level'. Did you mean 'level'?"),
        Named({"levles": "x"}, "'levles'. Did you mean 'levels'?"),
        Named({"seed": 3}, "'seed'"),
        Named({None: 3}, "None"),
        Named({3: 3}, "3"),
        Named({"level": None, "x" * 200: 1}, "xxx"),
    ],
}
LEVEL_OPTION: Values = {
    TypeError: NO_LEVELS[:2] + NO_LEVELS[3:],
    LevelError: [99, -1, np.int64(7), 2**70, "no/such/level", Named("", "''")],
}
LEVELS_OPTION: Values = {
    TypeError: [5, 1.5, b"..", True, object(), Named([1, 2], "1"), Named([None], "None")],
    LevelError: [Named([], "at least one"), Named(iter(()), "at least one"), "no/such"],
}
SEEDS: Values = {
    TypeError: [1.5, "3", b"3", True, {}, np.float64(1), 1j],
    ValueError: [-1, -(2**70), np.int64(-5)],
}

SINGLE = {
    "step": Entry(
        lambda env, action: env.step(action),
        {
            TypeError: [None, *NO_INTEGERS],
            ValueError: [-1, 10**6, 2**63, 2**64, -(2**70), np.int64(-1), np.uint64(2**64 - 1)],
        },
    ),
    "reset seed": Entry(lambda env, seed: env.reset(seed=seed), SEEDS),
    "reset options": Entry(lambda env, options: env.reset(options=options), OPTIONS),
    "reset level": Entry(lambda env, level: env.reset(options={"level": level}), LEVEL_OPTION),
    "reset levels": Entry(lambda env, levels: env.reset(options={"levels": levels}), LEVELS_OPTION),
    "reset mask": Entry(
        lambda env, mask: env.reset(options={"reset_mask": mask}),
        {ValueError: [Named(np.ones(1, np.bool_), "'reset_mask'")]},
    ),
    "set_state": Entry(
        lambda env, state: env.set_state(state),
        {TypeError: [None, 5, "state", (), (0,), (0, (0,)), {}, (0, (0,), 0, 0, 0), object()]},
    ),
    "set_state level": Entry(
        lambda env, level: with_state(env, level=level),
        {TypeError: [None, 0.0, "0", True], ValueError: [7, -1, 2**64]},
    ),
    "set_state words": Entry(
        lambda env, words: with_state(env, words=words),
        {
            TypeError: [None, 5, "5", {1}, object()],
            ValueError: [(), (0,) * 500, Named([], "()"), Named(np.zeros(99, np.uint64), "(0, 0")],
        },
    ),
    "set_state word": Entry(
        with_word,
        {
            TypeError: [None, 0.0, 1.5, "0", True, [0], math.nan, np.float64(1)],
            ValueError: [-1, 2**64, 2**80, -(2**63)],
        },
    ),
    "set_state moves": Entry(
        lambda env, moves: with_state(env, moves=moves),
        {TypeError: [None, 0.0, "0", True], ValueError: [-1, 2**31, 2**64]},
    ),
    "set_state effort": Entry(
        lambda env, effort: with_state(env, effort=effort),
        {TypeError: [None, 0.5, "0"], ValueError: [-1, 2**31, 2**64]},
    ),
    "simulation": Entry(lambda env, mode: env.simulation(render_mode=mode), none_of("svg")),
    "simulation observed": Entry(
        lambda env, form: env.simulation(observation=form), none_of("plane")
    ),
    "motion": Entry(lambda env, frames: env.motion(frames), positive(none=False)),
}


@functools.cache
def single(id: str) -> PuzzleEnv:
    return make_env(id, render_mode="rgb_array", cell_pixels=4)


def standing(env: PuzzleEnv) -> tuple[Any, ...]:
    """All that a refusal must not change."""
    episodes = env._batch._episodes.tobytes()
    return env.get_state(), env.level, episodes, env.np_random.bit_generator.state, env.begun


@every_id
@pairs(SINGLE)
def test_an_environment_refuses(
    id: str, call: Callable[[Any, Any], object], error: type[Exception], value: Any
) -> None:
    env = single(id)
    env.reset(seed=1)
    env.step(int(np.flatnonzero(env.action_masks())[0]))
    before, levels = standing(env), list(env._batch.levels)
    refuse(lambda: call(env, plain(value)), error, value)
    assert standing(env) == before
    assert env._batch.levels == levels


@every_id
def test_a_refused_reset_leaves_the_environment_as_if_it_had_not_been_called(id: str) -> None:
    env, twin = make_env(id), make_env(id)
    with pytest.raises(LevelError):
        env.reset(seed=3, options={"levels": "no/such/level"})
    with pytest.raises(ResetNeeded):
        env.get_state()
    for one in (env, twin):
        one.reset(seed=3)
    with pytest.raises(ValueError, match="Did you mean"):
        env.reset(seed=5, options={"lvl": 1})
    assert standing(env)[2:] == standing(twin)[2:]
    assert env.reset()[1]["level"] == twin.reset()[1]["level"]


def test_a_set_that_does_not_fit_leaves_the_old_one() -> None:
    """The fault is found when half of the levels are laid out."""
    env = make_env("SlidingTiles-v0", level="1234/5678/9ABC/DE.F")
    env.reset(seed=0)
    before = standing(env)
    with pytest.raises(ValueError, match="same side"):
        env.reset(options={"levels": ["1234/5678/9ABC/DEF.", "123/456/7.8"]})
    assert standing(env) == before
    assert env.reset()[1]["level"] == "level text"


@every_id
@settings(max_examples=100, deadline=None)
@given(
    action=st.one_of(
        st.integers(), st.floats(), st.text(), st.binary(), st.booleans(), st.none(),
        st.complex_numbers(), st.decimals(), st.fractions(), st.lists(st.integers()),
    )
)  # fmt: skip
def test_any_object_as_an_action_is_done_or_refused(id: str, action: Any) -> None:
    env = single(id)
    env.reset(seed=1)
    before = standing(env)
    if type(action) is int and 0 <= action < env.action_space.n:
        env.step(action)
        return
    error = ValueError if type(action) is int else TypeError
    refuse(lambda: env.step(action), error, Named(action, shown(action)))
    assert standing(env) == before


@every_id
@settings(max_examples=200, deadline=None)
@given(data=st.data())
def test_any_words_are_a_state_or_refused(id: str, data: st.DataObject) -> None:
    """What is taken for a state can be played on."""
    env = single(id)
    env.reset(seed=1)
    state = env.get_state()
    word = st.integers(0, 2**64 - 1)
    bit = st.integers(0, 63).map(lambda number: 1 << number)
    changes = data.draw(st.tuples(*[st.one_of(st.just(0), bit, word) for _ in state.words]))
    words = tuple(one ^ change for one, change in zip(state.words, changes, strict=True))
    with contextlib.suppress(ValueError):
        _, info = env.set_state(state._replace(words=words))
        assert env.get_state().words == words
        np.testing.assert_array_equal(env.action_masks(), info["action_mask"])
        for action in np.flatnonzero(info["action_mask"])[:3]:
            assert not env.simulation().step(action)[4]["illegal"]
        return
    assert env.get_state() == state


@every_id
@pytest.mark.parametrize(
    "kind", [int, np.int8, np.uint8, np.int32, np.int64, np.uint64, np.array, np.intp]
)
def test_integers_of_any_kind_are_actions(id: str, kind: Callable[[int], Any]) -> None:
    env, twin = single(id), make_env(id)
    for one in (env, twin):
        one.reset(seed=1)
    action = int(np.flatnonzero(env.action_masks())[0])
    np.testing.assert_array_equal(env.step(kind(action))[0], twin.step(action)[0])


# --- before the first reset ----------------------------------------------------------------------

BEFORE: dict[str, Callable[[PuzzleEnv], object]] = {
    "step": lambda env: env.step(0),
    "step out of range": lambda env: env.step(-1),
    "action_masks": lambda env: env.action_masks(),
    "get_state": lambda env: env.get_state(),
    "set_state": lambda env: env.set_state(State(0, (0,), 0)),
    "state_key": lambda env: env.state_key(),
    "level": lambda env: env.level,
    "record": lambda env: env.record,
    "simulation": lambda env: env.simulation(),
    "planes": lambda env: env.planes,
    "render": lambda env: env.render(),
    "motion": lambda env: env.motion(3),
}
VECTOR_BEFORE: dict[str, Callable[[PuzzleVectorEnv], object]] = {
    "step": lambda venv: venv.step(np.zeros(3, np.int64)),
    "sample_legal": lambda venv: venv.sample_legal(),
    "action_masks": lambda venv: venv.action_masks(),
    "render": lambda venv: venv.render(),
    "level_names": lambda venv: venv.level_names,
    "situation": lambda venv: venv.situation(0),
    "reset of some": lambda venv: venv.reset(options={"reset_mask": np.array([True, False, True])}),
}


def needs_reset(call: Callable[[], object]) -> None:
    with pytest.raises(ResetNeeded, match=r"reset\(\).*\.$"):
        call()


@every_id
@pytest.mark.parametrize("name", BEFORE)
def test_an_environment_needs_a_reset(id: str, name: str) -> None:
    for mode in (None, "ansi"):
        needs_reset(functools.partial(BEFORE[name], make_env(id, render_mode=mode)))


@every_id
@pytest.mark.parametrize("name", VECTOR_BEFORE)
def test_a_vector_needs_a_reset(id: str, name: str) -> None:
    for mode in AutoresetMode:
        venv = make_vec(id, 3, render_mode="ansi", autoreset_mode=mode)
        needs_reset(functools.partial(VECTOR_BEFORE[name], venv))
        venv.reset(seed=0)
        venv.step(venv.sample_legal())


@every_id
@pytest.mark.parametrize("agent", names())
def test_an_agent_needs_a_reset(id: str, agent: str) -> None:
    """Whatever it solves: no answer, and none about the puzzle."""
    if agent == "maskable-ppo":
        pytest.importorskip("stable_baselines3")
    env = make_env(id)
    needs_reset(lambda: make(agent).solve(env))
    assert not env.begun


def test_counting_solutions_needs_a_reset() -> None:
    needs_reset(lambda: SkyscraperExact().count_solutions(gymnasium.make("Skyscraper-v0")))
    needs_reset(lambda: SkyscraperExact().is_unique(gymnasium.make("Skyscraper-v0")))


# --- a vector environment ------------------------------------------------------------------------

VECTOR = {
    "step": Entry(
        lambda venv, actions: venv.step(actions),
        {
            TypeError: [
                None, 3.5, "0", "000", np.zeros(3), np.zeros(3, np.bool_), [0.0, 1.0, 0.0],
                ["0", "0", "0"], [None] * 3, [[0], [0, 0], [0]], [], {}, object(), [2**64] * 3,
                Named(np.zeros(3, object), "array([0, 0, 0]"),
            ],
            ValueError: [
                0, [0, 0], [0] * 4, [[0, 0, 0]], np.zeros((3, 1), np.int64),
                Named([0, -1, 0], "-1"), Named([0, 10**6, 0], "1000000"),
                Named(np.array([0, 0, 2**64 - 1], np.uint64), "18446744073709551615"),
            ],
        },
    ),
    "reset seed": Entry(
        lambda venv, seed: venv.reset(seed=seed),
        {
            TypeError: [
                *SEEDS[TypeError], Named([1, 2, "3"], "'3'"), Named([1.5] * 3, "1.5"),
                Named((1, None, True), "True"), {1, 2, 3},
            ],
            ValueError: [
                *SEEDS[ValueError], Named([1, 2], "2 seeds for 3"), Named([], "0 seeds"),
                Named([1, 2, -3], "-3"), Named(np.zeros(4, np.int64), "4 seeds"),
            ],
        },
    ),
    "reset options": Entry(lambda venv, options: venv.reset(options=options), OPTIONS),
    "reset level": Entry(
        lambda venv, level: venv.reset(options={"level": level}),
        {
            TypeError: [3.5, b"....", {}, object(), True, Named([0, 0, 1.5], "1.5")],
            LevelError: [
                99, -1, "no/such/level", Named([0, 0, 99], "99"), Named([0, 0, "x/y"], "x/y"),
            ],
            ValueError: [Named([0, 0], "2 levels for 3"), Named([], "0 levels for 3")],
        },
    ),
    "reset levels": Entry(
        lambda venv, levels: venv.reset(options={"levels": levels}), LEVELS_OPTION
    ),
    "reset mask": Entry(
        lambda venv, mask: venv.reset(options={"reset_mask": mask}),
        {
            TypeError: [True, [True, False, True], "all", np.ones(3, np.int64), np.ones(3), 5],
            ValueError: [
                np.zeros(3, np.bool_), np.ones(2, np.bool_), np.ones((3, 1), np.bool_),
                np.ones(0, np.bool_),
            ],
        },
    ),
}  # fmt: skip


@functools.cache
def vector(id: str) -> PuzzleVectorEnv:
    return make_vec(id, 3, render_mode="rgb_array", cell_pixels=4)


@every_id
@pairs(VECTOR)
def test_a_vector_refuses(
    id: str, call: Callable[[Any, Any], object], error: type[Exception], value: Any
) -> None:
    venv = vector(id)
    venv.reset(seed=1)
    venv.step(venv.sample_legal())
    batch = venv._batch

    def all_there_is() -> tuple[Any, ...]:
        return batch._episodes.tobytes(), batch._states.tobytes(), [*batch.levels], venv._samples

    before, masks = all_there_is(), venv.action_masks()
    refuse(lambda: call(venv, plain(value)), error, value)
    assert all_there_is() == before
    np.testing.assert_array_equal(venv.action_masks(), masks)


# --- constructors --------------------------------------------------------------------------------


def given_as(name: str) -> Callable[[Callable[..., object], Any], object]:
    return lambda made, value: made(**{name: value})


BOTH = {
    "level": Entry(
        given_as("level"), {TypeError: [3, *NO_LEVELS], LevelError: ["no/such", Named("", "''")]}
    ),
    "levels": Entry(given_as("levels"), LEVELS_OPTION),
    "reward": Entry(given_as("reward"), none_of(None, "points")),
    "render_mode": Entry(given_as("render_mode"), none_of("svg")),
    "cell_pixels": Entry(
        given_as("cell_pixels"),
        {TypeError: [None, *NO_INTEGERS], ValueError: [0, 3, 513, -1, 2**70]},
    ),
    "theme": Entry(given_as("theme"), none_of(None, "Dark")),
    "observation": Entry(given_as("observation"), none_of(None, "plane", "Box", "rgb_array")),
}
OF_VECTORS = {
    **BOTH,
    "render_mode human": Entry(given_as("render_mode"), {ValueError: ["human"]}),
    "num_envs": Entry(given_as("num_envs"), positive(none=False)),
    "max_episode_steps": Entry(given_as("max_episode_steps"), positive()),
    "threads": Entry(given_as("threads"), positive(none=False)),
    "autoreset_mode": Entry(given_as("autoreset_mode"), none_of(None, "NEXT_STEP")),
}


def class_of(entry_point: Any) -> Callable[..., Any]:
    module, _, name = str(entry_point).partition(":")
    return getattr(__import__(module, fromlist=[name]), name)  # type: ignore[no-any-return]


@every_id
@pairs(BOTH)
def test_a_constructor_refuses(
    id: str, call: Callable[[Any, Any], object], error: type[Exception], value: Any
) -> None:
    refuse(lambda: call(class_of(gymnasium.spec(id).entry_point), plain(value)), error, value)


@every_id
@pairs(OF_VECTORS)
def test_a_constructor_of_vectors_refuses(
    id: str, call: Callable[[Any, Any], object], error: type[Exception], value: Any
) -> None:
    made = class_of(gymnasium.spec(id).vector_entry_point)
    refuse(lambda: call(made, plain(value)), error, value)


PUZZLES_OWN: list[tuple[str, str, type[Exception], list[Any]]] = [
    ("HuaRongDao-v0", "metric", ValueError, ["leap", None, 5, True, b"move"]),
    ("HuaRongDao-v0", "metric", TypeError, [["move"], {}, np.ones(2)]),
    ("HuaRongDao-v0", "oracle", TypeError, NO_FLAGS),
    ("Skyscraper-v0", "mask", ValueError, ["all", None, 3, False]),
    ("Skyscraper-v0", "mask", TypeError, [["writes"], {"writes"}]),
    ("Kwirk-v0", "keys", TypeError, NO_FLAGS),
]


@pytest.mark.parametrize(
    ("id", "name", "error", "value"),
    [(id, name, error, value) for id, name, error, values in PUZZLES_OWN for value in values],
)
def test_arguments_of_a_puzzles_own_are_refused(
    id: str, name: str, error: type[Exception], value: Any
) -> None:
    spec = gymnasium.spec(id)  # gymnasium.make adds something of its own to each TypeError
    for entry_point in (spec.entry_point, spec.vector_entry_point):
        refuse(functools.partial(class_of(entry_point), **{name: value}), error, value)


@every_id
def test_no_limit_on_steps_is_none_or_minus_one(id: str) -> None:
    for unlimited in (None, -1):
        venv = make_vec(id, 2, max_episode_steps=unlimited)
        venv.reset(seed=0)
        assert not venv.step(venv.sample_legal())[3].any()


@every_id
@pytest.mark.parametrize("other", IDS)
def test_a_level_of_another_puzzle_is_refused_and_one_of_other_moves_is_counted_in_ours(
    id: str, other: str
) -> None:
    env = make_env(id)
    _, ours = env.reset(seed=0)
    theirs = make_env(other)
    theirs.reset(seed=0)
    if theirs.puzzle.format.puzzle != env.puzzle.format.puzzle:
        refuse(lambda: make_env(id, level=theirs.level), LevelError, Named(0, theirs.level.name))
        refuse(
            lambda: env.reset(options={"level": theirs.level}),
            LevelError,
            Named(0, theirs.level.name),
        )
        return
    for made in (make_env(id, level=theirs.level), env):
        _, info = made.reset(options={"level": theirs.level})
        assert {**info, "action_mask": None} == {**ours, "action_mask": None}
        np.testing.assert_array_equal(info["action_mask"], ours["action_mask"])


def test_the_optimum_of_a_level_is_that_of_the_metric() -> None:
    levels: dict[str, Level] = {}
    optima = {"move": 81, "straight": 90, "step": 116}
    for metric in optima:
        env = make_env("HuaRongDao-v0", metric=metric)
        env.reset()
        levels[metric] = env.level
    for metric, optimum in optima.items():
        for level in levels.values():
            _, info = make_env("HuaRongDao-v0", metric=metric, level=level).reset()
            assert info["optimum"] == optimum
