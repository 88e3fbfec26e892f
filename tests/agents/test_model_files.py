"""Model files, cards and checkpoints that are wrong, damaged or hostile."""

from __future__ import annotations

import io
import json
import pickle
import random
import re
import subprocess
import sys
import time
import zipfile
from collections.abc import Callable
from dataclasses import asdict, replace
from inspect import signature
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("sb3_contrib", reason="needs the rl extra")

import torch

from puzzle_agents import environments
from puzzle_agents.agent import Budget, Status
from puzzle_agents.cli.app import WRONG_USAGE, main
from puzzle_agents.environments import puzzle_of
from puzzle_agents.learning.algorithms import ALGORITHMS
from puzzle_agents.learning.archive import Archive
from puzzle_agents.learning.card import ALGORITHM_NAMES, SIZES, Card, ModelError
from puzzle_agents.learning.card_file import CARD, WEIGHTS
from puzzle_agents.learning.checkpoint import read_checkpoint
from puzzle_agents.learning.config import read_config, write_config
from puzzle_agents.learning.evaluation import evaluate
from puzzle_agents.learning.model_file import Model, load_model, save_model
from puzzle_agents.learning.models import pretrained
from puzzle_agents.learning.networks import TRUNKS
from puzzle_agents.learning.policy_agent import PolicyAgent
from puzzle_agents.learning.scores import scores_of
from puzzle_agents.learning.tensors import read_tensors
from puzzle_agents.learning.training import CONFIG, resume, train
from puzzle_agents.learning.training_job import CHECKPOINT
from puzzle_agents.player.hints import Hints
from tests.agents.test_cli import error_of
from tests.agents.test_learning import CARDS, TINY

GARDEN = replace(
    CARDS["ZenGarden-v0"], trunk={"channels": 2, "blocks": 1, "lines": 1}, training={"longest": 20}
)
GRID = replace(
    CARDS["Skyscraper-v0"],
    trunk={"kind": "square", "channels": 2, "narrow": 2, "hidden": 2, "rounds": 1},
)


@pytest.fixture(scope="module")
def garden(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """A model's file."""
    return file_of(GARDEN, tmp_path_factory.mktemp("models"))


@pytest.fixture(scope="module")
def grid(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    return file_of(GRID, tmp_path_factory.mktemp("models"))


def file_of(card: Card, folder: Path) -> bytes:
    torch.manual_seed(0)
    save_model(folder / "a.model", card, Model(card).policy.state_dict())
    return (folder / "a.model").read_bytes()


def packed(parts: dict[str, bytes], method: int = zipfile.ZIP_STORED) -> bytes:
    """A zip archive."""
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", method) as archive:
        for name, part in parts.items():
            archive.writestr(name, part)
    return data.getvalue()


def parts_of(data: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def with_card(data: bytes, told: Any) -> bytes:
    text = told if isinstance(told, bytes) else json.dumps(told).encode()
    return packed(parts_of(data) | {CARD: text}, zipfile.ZIP_DEFLATED)


def with_weights(data: bytes, weights: bytes) -> bytes:
    return packed(parts_of(data) | {WEIGHTS: weights}, zipfile.ZIP_DEFLATED)


def saved(told: Any) -> bytes:
    data = io.BytesIO()
    torch.save(told, data)
    return data.getvalue()


# --- cards ------------------------------------------------------------------------------------

NO_NUMBERS: tuple[Any, ...] = (None, "4", 4.0, True, [4], {}, 0, -1, 2**62)
NO_TEXTS: tuple[Any, ...] = (None, 0, 1.5, True, [], {}, "")
NO_LISTS: tuple[Any, ...] = (None, 3, "a", [], [1], {}, [""])
NO_TABLES: tuple[Any, ...] = (None, 0, "text", [], True)

WRONG_FIELDS: list[tuple[str, Any]] = [
    *((key, value) for key in ("planes", "height", "width", "actions") for value in NO_NUMBERS),
    *((key, value) for key in ("algorithm", "env", "version") for value in NO_TEXTS),
    *((key, value) for key in ("options", "trunk", "training") for value in NO_TABLES),
    ("planes", 1),
    ("planes", 12),
    ("height", 3),
    ("width", 3),
    ("actions", 20),
    ("actions", 2**16),
    ("algorithm", "magic"),
    ("env", "Chess-v0"),
    ("env", "CartPole-v1"),
    ("env", "os:path-v0"),
    ("env", "x" * 1001),
    ("options", {"metric": "step"}),
    ("options", {"mask": []}),
    ("options", {"": 1}),
    ("trunk", {"kind": "tree"}),
    ("trunk", {"kind": []}),
    ("trunk", {"kind": "square"}),
    ("trunk", {"half": True}),
    ("trunk", {"features": 3}),
    *(
        ("trunk", {key: value})
        for key in ("channels", "blocks", "lines", "reach")
        for value in ("x", None, -1, 1.5, [8], 10**6)
    ),
    ("training", {"longest": "20"}),
    ("training", {"longest": 0}),
    ("training", {"longest": 10**9}),
    ("training", {"steps": []}),
    ("training", {"seconds": "long"}),
    ("training", {"validation": 2}),
    ("training", {"seed": -1}),
    ("training", {"command": 5}),
    ("training", {"test": []}),
    ("training", {"test": {"levels": 3}}),
    ("training", {"test": {"interval": [0.1]}}),
]


@pytest.mark.parametrize(("field", "value"), WRONG_FIELDS)
def test_a_field_that_is_wrong_is_named(
    field: str, value: Any, garden: bytes, tmp_path: Path
) -> None:
    path = tmp_path / "a.model"
    path.write_bytes(with_card(garden, asdict(GARDEN) | {field: value}))
    with pytest.raises(ModelError) as error:
        PolicyAgent(model=path)
    said = str(error.value)
    assert said.startswith(f"{path} is not a readable model: ")
    board = {"planes", "height", "width", "actions"}
    assert any(f"'{name}" in said for name in (board if field in board else {field})), said
    assert said.endswith(".") and len(said) < 700


@pytest.mark.parametrize(
    ("told", "words"),
    [
        (b"[" * 60_000, "nested"),
        (b"[" * 100_000, "unpacks to 100,000 bytes"),
        (b"{", "It is not JSON"),
        (b"\xff\xfe", "not text in UTF-8"),
        (b'{"format": 1, "format": 1}', "Duplicate key"),
        (b'{"format": NaN}', "NaN is not a number"),
        (b'{"format": 1' + b"0" * 5000 + b"}", "is too large"),
        ([], "another format"),
        ("text", "another format"),
        ({"format": 1.0}, "another format"),
        ({"format": [1], "version": ["x"] * 1000}, "another format"),
        ({"format": 1}, "The key 'algorithm' is missing"),
        (asdict(GARDEN) | {"plane": 1}, "no key 'plane'. Did you mean 'planes'?"),
        (asdict(replace(CARDS["HuaRongDao-v0"], algorithm="dqn")), "the network that its card"),
        (asdict(replace(GARDEN, trunk={"channels": 3})), "the network that its card"),
        (asdict(replace(GARDEN, trunk={"channels": 2, "blocks": 2})), "the network that its card"),
    ],
)
def test_cards_that_are_none(told: Any, words: str, garden: bytes, tmp_path: Path) -> None:
    path = tmp_path / "a.model"
    path.write_bytes(with_card(garden, told))
    with pytest.raises(ModelError) as error:
        load_model(path)
    assert str(path) in str(error.value) and words in str(error.value)
    assert len(str(error.value)) < 700


@pytest.mark.parametrize(
    "sizes",
    [{"rounds": 10**9}, {"narrow": 0}, {"hidden": "x"}, {"kind": "square", "blocks": 2}],
)
def test_a_square_trunk_is_checked_too(sizes: dict[str, Any], grid: bytes, tmp_path: Path) -> None:
    path = tmp_path / "a.model"
    told = asdict(GRID)
    path.write_bytes(with_card(grid, told | {"trunk": told["trunk"] | sizes}))
    with pytest.raises(ModelError, match=r"trunk"):
        load_model(path)
    square = {"planes": 27, "width": 5}  # which would be no grid
    path.write_bytes(with_card(grid, told | square))
    with pytest.raises(ModelError, match="'actions' is 64, which no board of Skyscraper-v0 has"):
        load_model(path)


def test_nothing_is_imported_because_a_card_says_so(
    garden: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import gymnasium

    monkeypatch.setitem(
        gymnasium.registry, "Elsewhere-v0", gymnasium.envs.registration.EnvSpec(
            "Elsewhere-v0", entry_point="antigravity:Env"
        )
    )  # fmt: skip
    path = tmp_path / "a.model"
    path.write_bytes(with_card(garden, asdict(GARDEN) | {"env": "Elsewhere-v0"}))
    with pytest.raises(ModelError, match="'Elsewhere-v0' is not an environment of an im"):
        load_model(path)
    assert "antigravity" not in sys.modules


def test_what_is_checked_without_torch_is_what_torch_makes() -> None:
    assert tuple(ALGORITHMS) == ALGORITHM_NAMES
    assert TRUNKS.keys() == SIZES.keys()
    for kind, trunk in TRUNKS.items():
        told = {"observation_space", "numbers", "half"}  # by others than the card
        assert {*signature(trunk).parameters} - told == {*SIZES[kind]}


@pytest.mark.parametrize(
    ("field", "value"),
    [("trunk", {"channels": "x"}), ("env", 0), ("planes", 1), ("options", {"metric": 3}),
     ("training", {"longest": None}), ("trunk", {"channels": 4096})],
)  # fmt: skip
def test_commands_say_what_is_wrong_with_a_model(
    field: str,
    value: Any,
    garden: bytes,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    path = tmp_path / "a.model"
    path.write_bytes(with_card(garden, asdict(GARDEN) | {field: value}))
    assert main(["evaluate", str(path), "--levels", "first-steps"]) == WRONG_USAGE
    said = error_of(capsys)
    assert str(path) in said and f"'{field}" in said
    told = ["--agent", "maskable-ppo", "--argument", f"model={path}"]
    assert main(["solve", "ZenGarden-v0", "first-steps/1", *told]) == WRONG_USAGE
    assert error_of(capsys) == said


# --- weights ----------------------------------------------------------------------------------


def weights(card: Card) -> dict[str, torch.Tensor]:
    return dict(Model(card).policy.state_dict())


def without_one(told: dict[str, torch.Tensor]) -> Any:
    return dict(list(told.items())[1:])


def changed(change: Callable[[torch.Tensor], Any]) -> Callable[[dict[str, torch.Tensor]], Any]:
    """The first of the weights is another."""

    def made(told: dict[str, torch.Tensor]) -> Any:
        name = min(told)
        return told | {name: change(told[name])}

    return made


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (without_one, "do not fit the network"),
        (lambda told: told | {"surprise": torch.zeros(3)}, "surprise"),
        (lambda told: told | {5: torch.zeros(3)}, "do not fit the network"),
        (lambda told: [told], "do not fit the network"),
        (lambda told: torch.zeros(12_000), "do not fit the network"),
        (changed(lambda one: one[:-1]), "do not fit the network"),
        (changed(lambda one: one.double()), "do not fit the network"),
        (changed(lambda one: one.bfloat16()), "holds more than numbers"),
        (changed(lambda one: one[None]), "do not fit the network"),
        (changed(lambda one: one.to_sparse()), "holds more than numbers"),
        (changed(lambda one: one * torch.nan), "are not all numbers"),
        (changed(lambda one: one / 0), "are not all numbers"),
        (changed(lambda one: 3), "do not fit the network"),
        (changed(lambda one: None), "do not fit the network"),
        (changed(lambda one: torch.zeros(()).expand(one.shape)), "not laid out row by row"),
        (lambda told: (told, bytearray(10**6)), "holds more than numbers"),
        (lambda told: (told, complex(1, 2)), "holds more than numbers"),
    ],
)
def test_weights_that_are_wrong(
    change: Callable[[Any], Any], words: str, garden: bytes, tmp_path: Path
) -> None:
    path = tmp_path / "a.model"
    path.write_bytes(with_weights(garden, saved(change(weights(GARDEN)))))
    with pytest.raises(ModelError) as error:
        load_model(path)
    assert words in str(error.value) and str(path) in str(error.value)


def again(data: bytes, change: Callable[[dict[str, bytes]], dict[str, bytes]]) -> bytes:
    """The same model with other parts in the archive of its weights."""
    return with_weights(data, packed(change(parts_of(parts_of(data)[WEIGHTS]))))


def test_archives_that_are_wrong(garden: bytes, tmp_path: Path) -> None:
    parts, inner = parts_of(garden), parts_of(parts_of(garden)[WEIGHTS])
    pickled = inner["archive/data.pkl"]
    deep = b"\x80\x02" + b")" + b"\x85" * 200_000 + b"."
    shared = b"\x80\x02]q\x00" + b"".join(
        b"](" + b"h%c" % level * 50 + b"eq%c" % (level + 1) for level in range(60)
    )
    itself = b"\x80\x02]q\x00h\x00a."
    files: list[tuple[bytes, str]] = [
        (b"", "not an archive"),
        (packed({}), "has no part"),
        (packed({CARD: parts[CARD]}), "has no part 'weights.pt'"),
        (packed({WEIGHTS: parts[WEIGHTS]}), "has no part 'model.json'"),
        (packed(parts | {"extra": b""}), "has a part 'extra'"),
        (packed(parts, zipfile.ZIP_BZIP2), "packed in an unknown way"),
        (packed(parts, zipfile.ZIP_LZMA), "packed in an unknown way"),
        (with_weights(garden, parts[WEIGHTS] + b"\0" * 2**21), "Its weights take"),
        (with_weights(garden, pickle.dumps({}) + b"\0" * len(parts[WEIGHTS])), "not an archive"),
        (with_weights(garden, packed(inner, zipfile.ZIP_DEFLATED) + b"\0" * 9000), "unknown way"),
        (again(garden, lambda one: one | {"other/data.pkl": b""}), "not written by torch.save"),
        (again(garden, lambda one: {**one, "archive/data.pkl": pickled[:-9]}), "pickle"),
        (again(garden, lambda one: {**one, "archive/data.pkl": deep}), "nested more than 20 deep"),
        (again(garden, lambda one: {**one, "archive/data.pkl": itself}), "nested more than 20"),
        (again(garden, lambda one: {**one, "archive/data.pkl": shared}), ""),
        (again(garden, lambda one: {**one, "archive/data/0": b"1234"}), "another length"),
    ]
    path = tmp_path / "a.model"
    for data, words in files:
        path.write_bytes(data)
        with pytest.raises(ModelError) as error:
            load_model(path)
        assert words in str(error.value) and str(path) in str(error.value)
    stored = packed({f"archive/data/{number}": b"12" for number in range(3)})
    with pytest.raises(ValueError, match=r"has no part 'archive/data\.pkl'"):
        read_tensors(stored)
    path.unlink()
    path.mkdir()
    with pytest.raises(ModelError, match="There is no model file"):
        PolicyAgent(model=path)


def test_sizes_that_lie_are_not_believed() -> None:
    """A part that says it is small is unpacked no further than that."""
    data = bytearray(packed({"part": b"\0" * 10**7}, zipfile.ZIP_DEFLATED))
    true, small = (10**7).to_bytes(4, "little"), (100).to_bytes(4, "little")
    assert data.count(true) == 2
    archive = Archive(bytes(data.replace(true, small)), packed=True)
    assert archive.size("part") == 100
    with pytest.raises(ValueError, match="is damaged: Bad CRC"):
        archive.read("part", 1000)
    with pytest.raises(ValueError, match="two sizes"):
        Archive(bytes(bytearray(packed({"a": b"12"})).replace(b"\2\0\0\0\2", b"\3\0\0\0\2")),
                packed=True)  # fmt: skip


BOMBS = """
import resource, sys
from pathlib import Path
from puzzle_agents.learning.card import ModelError
from puzzle_agents.learning.policy_agent import PolicyAgent
from puzzle_agents.learning.models import pretrained
pretrained("zen-garden-4x4")  # what is done once only
size = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (size + 2**27, size + 2**27))
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
for path in sys.argv[1:]:
    try:
        PolicyAgent(model=path)
    except ModelError as error:
        assert path in str(error), error
    else:
        raise AssertionError(path)
grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) >> 10
assert grown < 64, grown
"""


@pytest.mark.skipif(sys.platform != "linux", reason="measures as Linux does")
def test_no_file_takes_more_memory_than_it_should(garden: bytes, tmp_path: Path) -> None:
    """At most 128 MiB of addresses and 64 MiB of memory, for what took gigabytes."""
    wide = {"channels": 1024, "blocks": 64, "lines": 256, "reach": 8}
    inner = parts_of(parts_of(garden)[WEIGHTS])
    nothing = b"\0" * 2**26
    bombs = {
        "channels": with_card(garden, asdict(GARDEN) | {"trunk": {"channels": 4096}}),
        "wide": with_card(garden, asdict(GARDEN) | {"trunk": wide}),
        "inside": with_weights(
            garden,
            packed(inner | {"archive/data/0": nothing}, zipfile.ZIP_DEFLATED) + b"\0" * 10,
        ),
        "inflated": with_weights(garden, nothing),
        "card": with_card(garden, b"[" + b" " * 2**26 + b"]"),
        "parts": packed({CARD: parts_of(garden)[CARD], WEIGHTS: b"", **{
            str(number): b"" for number in range(20_000)}}),
    }  # fmt: skip
    for name, data in bombs.items():
        (tmp_path / name).write_bytes(data)
    with (tmp_path / "huge").open("wb") as file:
        file.truncate(2**40)
    names = [str(tmp_path / name) for name in (*bombs, "huge")]
    subprocess.run([sys.executable, "-c", BOMBS, *names], check=True, timeout=300)


def test_mutated_files_load_or_are_refused(garden: bytes, tmp_path: Path) -> None:
    """Bytes flipped, cut, doubled: of the file, of its card, of the weights, of their pickle."""
    chance, path = random.Random(7), tmp_path / "a.model"
    parts = parts_of(garden)
    inner = parts_of(parts[WEIGHTS])
    pickled = inner["archive/data.pkl"]
    loaded, sentences = 0, list[str]()

    def whole(data: bytes) -> None:
        path.write_bytes(data)
        load_model(path)

    rounds: list[tuple[int, bytes, Callable[[bytes], object]]] = [
        (400, garden, whole),
        (400, parts[CARD], lambda data: whole(with_card(garden, data))),
        (1500, parts[WEIGHTS], read_tensors),
        (1500, pickled, lambda data: read_tensors(packed(inner | {"archive/data.pkl": data}))),
    ]
    for times, data, read in rounds:
        for _ in range(times):
            try:
                read(mutated(data, chance))
                loaded += 1
            except ValueError as error:
                sentences.append(str(error))
    assert 100 < loaded < 3000
    assert all(10 < len(sentence) < 1000 for sentence in sentences)


def mutated(data: bytes, chance: random.Random) -> bytes:
    """Some bytes are others, or are gone, or come twice."""
    made = bytearray(data)
    for _ in range(chance.choice((1, 1, 2, 5))):
        place = chance.randrange(len(made))
        match chance.randrange(6):
            case 0:
                made[place] ^= 1 << chance.randrange(8)
            case 1:
                made[place] = chance.randrange(256)
            case 2:
                del made[place : place + chance.choice((1, 4, 1000))]
            case 3:
                made[place:place] = made[place : place + chance.choice((1, 4, 100))]
            case 4:
                made[place : place + 4] = b"\xff\xff\xff\x7f"
            case 5:
                other = chance.randrange(len(made))
                made[place : place + 8] = made[other : other + 8]
        made = made or bytearray(b"\0")
    return bytes(made)


# --- runs -------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run's folder with a checkpoint."""
    folder = tmp_path_factory.mktemp("run") / "run"
    train(replace(TINY, steps=128), folder, threads=1)
    return folder


WRONG_CONFIGS: list[tuple[str, Any]] = [
    *((key, value) for key in ("steps", "longest", "envs") for value in NO_NUMBERS),
    *(("evaluate_every", value) for value in NO_NUMBERS),
    *(("seed", value) for value in ("0", None, -1, 2**32, 1.0)),
    *((key, value) for key in ("env", "algorithm", "reward") for value in NO_TEXTS),
    *((key, value) for key in ("options", "trunk", "arguments") for value in NO_TABLES),
    *(("stages", value) for value in NO_LISTS),
    *(("validation", value) for value in NO_LISTS),
    ("threshold", "high"),
    ("half", 1),
    ("trunk", {"channels": 0}),
    ("reward", "taught"),
    ("arguments", {"n_steps": [1]}),
]  # fmt: skip


@pytest.mark.parametrize(("field", "value"), WRONG_CONFIGS)
def test_a_configuration_that_is_wrong_names_the_field(
    field: str, value: Any, tmp_path: Path
) -> None:
    path = tmp_path / "config.json"
    write_config(path, TINY)
    path.write_text(json.dumps(json.loads(path.read_text()) | {field: value}))
    with pytest.raises(ValueError) as error:  # noqa: PT011 (its words are looked at)
        read_config(path)
    said = str(error.value)
    assert str(path) in said and f"'{field}" in said and said.endswith(".")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"policy_kwargs": 1}, "no argument 'policy_kwargs'"),
        ({"n_steps": "x"}, "'n_steps' of maskable-ppo cannot be 'x'"),
        ({"n_steps": 16.5}, "'n_steps' of maskable-ppo cannot be 16.5"),
        ({"n_steps": 0}, "'n_steps' of maskable-ppo cannot be 0"),
        ({"batch_size": 1}, "'batch_size' of maskable-ppo cannot be 1"),
        ({"n_steps": 10**12}, "rejects the arguments"),
    ],
)
def test_arguments_of_an_algorithm_that_are_wrong(
    arguments: dict[str, Any], words: str, tmp_path: Path
) -> None:
    with pytest.raises(ValueError, match=words):
        train(replace(TINY, arguments=arguments), tmp_path / "run")
    assert not (tmp_path / "run").exists()


def put(key: str, value: Any) -> Callable[[dict[str, Any]], Any]:
    return lambda told: told | {key: value}


def remembered(change: Callable[[dict[str, Any]], Any]) -> Callable[[dict[str, Any]], Any]:
    """What the optimizer keeps of the first weight is another."""

    def made(told: dict[str, Any]) -> Any:
        state = told["optimizer"]["state"]
        return told | {"optimizer": {"state": state | {0: change(state[0])}, "param_groups": []}}

    return made


@pytest.mark.parametrize(
    "change",
    [
        *(put("steps", value) for value in ("x", None, -1, 1.5, 10**18)),
        *(put("stage", value) for value in (None, 2, -1, True)),
        *(put("curve", value) for value in (None, 3, [[1, 2]], [["x"] * 6], [[-1, 0, 0, 0, 0, 0]])),
        *(put("curve", [[128, 0, 0.5, 0.5, 1.0, value]]) for value in (float("nan"), "x", -1.0)),
        *(put("seconds", value) for value in ("x", float("inf"))),
        *(put("policy", value) for value in (*NO_TABLES, {}, {"a": torch.zeros(2)})),
        *(put("optimizer", value) for value in (*NO_TABLES, {}, {"state": []})),
        put("optimizer", {"state": {99: {}}}),
        put("surprise", 1),
        remembered(lambda one: {}),
        remembered(lambda one: one | {"exp_avg": torch.zeros(2)}),
        remembered(lambda one: one | {"exp_avg": one["exp_avg"] * torch.nan}),
        remembered(lambda one: one | {"step": "x"}),
        remembered(lambda one: one | {"more": torch.zeros(2)}),
        lambda told: [told],
        lambda told: {key: value for key, value in told.items() if key != "steps"},
    ],
)
def test_a_checkpoint_that_is_wrong_is_refused(change: Callable[[Any], Any], run: Path) -> None:
    path = run / CHECKPOINT
    before = path.read_bytes()
    told = torch.load(path, weights_only=True)
    policy = model_of_run(run)
    assert read_checkpoint(path, policy, 2).steps == 128
    path.write_bytes(saved(change(told)))
    try:
        with pytest.raises(ValueError, match=f"{path} is not a checkpoint of this run"):
            read_checkpoint(path, policy, 2)
    finally:
        path.write_bytes(before)


def model_of_run(run: Path) -> Any:
    model = load_model(run / "policy.model")
    return model.policy


def test_a_run_s_files_from_anybody(
    run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, data, words in (
        (CONFIG, b"[" * 100_000, "is nested more than"),
        (CONFIG, b"\xff", "not text in UTF-8"),
        (CONFIG, b"{}" + b" " * 2**21, "larger than 1 MiB"),
        (CHECKPOINT, b"", "is not a checkpoint"),
        (CHECKPOINT, pickle.dumps({"steps": 3}), "is not a checkpoint"),
    ):
        before = (run / name).read_bytes()
        (run / name).write_bytes(data)
        try:
            assert main(["train", "--resume", str(run)]) == WRONG_USAGE
        finally:
            (run / name).write_bytes(before)
        said = capsys.readouterr().err.splitlines()[-1]
        assert words in said and str(run / name) in said
    assert resume(run).exists()


@pytest.mark.parametrize(
    "env", ["ZenGarden-v0", "HuaRongDao-v0", "Kwirk-v0", "KwirkSteps-v0", "Skyscraper-v0"]
)
def test_every_set_can_be_trained_on(env: str) -> None:
    """The boards of each set, of which some are wide and others high, are a model's."""
    form = puzzle_of(env).format
    for name in form.sets():
        shape = form.joint_shape([form.shape(level.record) for level in form.find(name)])
        planes = len(form.codec.planes(shape))
        card = Card("ppo", env, {}, planes, shape.height, shape.width, shape.actions, GARDEN.trunk)
        assert len(card.puzzle.codec.places(card.room)) == shape.actions
    if env == "ZenGarden-v0":
        model = Model(Card("ppo", env, {}, 11, 7, 8, 31, GARDEN.trunk))
        level = form.find("mixed")[:1]
        assert evaluate(model.scores, puzzle_of(env), level, room=model.card.room, longest=3)


# --- boards that a model was not made for -----------------------------------------------------

KWIRK = Card("maskable-ppo", "Kwirk-v0", {}, 15, 8, 8, 256, GARDEN.trunk)
WIDE = "; goal: a 2 5\naa....\naa....\n......"


@pytest.mark.parametrize(
    ("card", "env", "level", "words"),
    [
        (GARDEN, "Skyscraper-v0", "4x4/easy-1", "The model plays ZenGarden-v0, not Sky"),
        (KWIRK, "KwirkSteps-v0", "easy/1", "The model plays Kwirk-v0, not KwirkSteps-v0"),
        (GARDEN, "ZenGarden-v0", "large/1", "up to 4 by 4, and 'large/1' is larger (10 by 8)"),
        (GARDEN, "ZenGarden-v0", "....\n....\n....\n....\n....", "is larger (4 by 5)"),
        (GRID, "Skyscraper-v0", "5x5/easy-1", "is larger (5 by 5)"),
        (CARDS["HuaRongDao-v0"], "HuaRongDao-v0", WIDE, "is larger (6 by 3)"),
        (KWIRK, "Kwirk-v0", "two/1", "has 288 actions where the model knows 256"),
        (KWIRK, "Kwirk-v0", "hard/3", "is larger"),
    ],
)  # fmt: skip
def test_a_model_meets_a_board_that_it_was_not_made_for(
    card: Card, env: str, level: str, words: str, tmp_path: Path
) -> None:
    """Whoever lets it play, the sentence is the same."""
    made = environments.make_env(env, level)
    model = Model(card)
    for mode in ("sample", "greedy", "beam"):
        with pytest.raises(ModelError, match=re.escape(words)):
            PolicyAgent(model=model, mode=mode).solve(made)
    if made.puzzle.environment == puzzle_of(card.env).environment:
        with pytest.raises(ModelError, match=re.escape(words)):
            evaluate(model.scores, card.puzzle, [made.level], room=card.room)


def test_a_hint_of_a_model_that_is_too_small_is_its_sentence() -> None:
    hints = Hints("maskable-ppo")
    env = environments.make_env("ZenGarden-v0", "large/1")
    hints.ask(env)
    while hints.is_busy:
        time.sleep(0.05)
    assert hints.failure.startswith("maskable-ppo has no hint: No pretrained model plays Zen Puzz")
    assert hints.failure.endswith("train one with `puzzle-envs train` and give its file.")


def test_a_model_rates_no_boards_of_another_size() -> None:
    model = Model(GARDEN)
    planes, masks = np.zeros((2, 11, 4, 4), np.int8), np.ones((2, 19), np.int8)
    assert model.scores(planes, masks).shape == (2, 19)
    for other in ((planes[:, 1:], masks), (planes[..., :3], masks), (planes, masks[:, :18])):
        with pytest.raises(ModelError, match="The model needs boards of 11 planes, 4 by 4, with"):
            model.scores(*other)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["zen-garden-4x4", "--levels", "large"], "'large/1' is larger (10 by 8)"),
        (["zen-garden-4x4", "--levels", "test/4x4", "--levels", "test/5x5"], "'test/5x5/1' is la"),
        (["kwirk", "--levels", "two"], "has 288 actions where the model knows 256"),
        (["skyscraper-4x4", "--levels", "9x9"], "is larger (9 by 9)"),
        (["zen-garden-5x5", "zen-garden-4x4", "--levels", "test/5x5"], "zen-garden-4x4: The model"),
        (["zen-garden-4x4", "kwirk", "--levels", "test/4x4"], "The models play different puzzles"),
        (["zen-garden-4x4", "--levels", "test/9x9"], "ZenGarden-v0 has no level or set"),
        (["zen-garden-4", "--levels", "test/4x4"], "Did you mean 'zen-garden-4x4'?"),
        (["kwirk", "--levels", "test/1-3", "--samples", "10000000"], "need more than 4 GiB; use"),
        (["zen-garden-4x4", "--levels", "test/4x4", "--markdown", "no/a.md"], "There is no folder"),
    ],
)
def test_what_evaluate_refuses_before_it_plays(
    arguments: list[str],
    words: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("puzzle_agents.learning.model_file.load_model", None)
    assert main(["evaluate", *arguments]) == WRONG_USAGE
    assert words in error_of(capsys)


def test_solve_and_evaluate_say_the_same(
    capsys: pytest.CaptureFixture[str],
) -> None:
    told = ["--agent", "maskable-ppo", "--argument", "model=zen-garden-4x4"]
    assert main(["solve", "ZenGarden-v0", "large/1", *told]) == WRONG_USAGE
    said = error_of(capsys)
    assert main(["evaluate", "zen-garden-4x4", "--levels", "large/1"]) == WRONG_USAGE
    assert error_of(capsys) == f"zen-garden-4x4: {said}"


@pytest.mark.parametrize("trained", ["move", "straight", "step"])
@pytest.mark.parametrize("played", [{}, {"metric": "move"}, {"metric": "step"}])
def test_moves_are_counted_as_the_environment_counts_them(
    trained: str, played: dict[str, str]
) -> None:
    """Whatever metric the model was trained in; a wrong count would be a fault of the agent."""
    card = replace(CARDS["HuaRongDao-v0"], options={"metric": trained})
    env = environments.make_env("HuaRongDao-v0", "train/1-10/1", **played)
    torch.manual_seed(0)
    agent = PolicyAgent(model=Model(card), mode="beam", width=3000, longest=60)
    assert agent.solve(env).solved


@pytest.mark.parametrize(
    "played", [{}, {"mask": "writes"}, {"mask": "consistent"}, {"mask": "empty"}]
)
@pytest.mark.parametrize("trained", [{}, {"mask": "writes"}, {"mask": "empty"}])
def test_what_is_played_is_legal_under_the_environment_s_mask(
    trained: dict[str, str], played: dict[str, str]
) -> None:
    card = replace(CARDS["Skyscraper-v0"], options=trained)
    level = "3:3/2/1/1/2/2/3/2/1/1/2/2"
    env = environments.make_env("Skyscraper-v0", level, **played)
    torch.manual_seed(0)
    result = PolicyAgent(model=Model(card), mode="sample", width=50, longest=40).solve(env)
    free = all(one.get("mask", "writes") == "writes" for one in (trained, played))
    assert result.solved == (not free)  # a random policy gets nowhere where it may overwrite


def test_ratings_that_are_no_numbers_are_a_sentence() -> None:
    model = Model(GARDEN)
    with torch.no_grad():
        for tensor in model.policy.parameters():
            tensor.fill_(1e30)
    with pytest.raises(ModelError, match="scores are not finite"):
        PolicyAgent(model=model).solve(environments.make_env("ZenGarden-v0", "first-steps/1"))


def test_a_policy_keeps_to_its_budget_of_memory() -> None:
    env = environments.make_env("ZenGarden-v0", "first-steps/1")
    agent = PolicyAgent(Budget(memory="1 MiB"), model=Model(GARDEN), width=10**12)
    assert agent.solve(env).status == Status.OUT_OF_MEMORY


def test_boards_are_rated_some_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    model, levels = pretrained("zen-garden-4x4"), puzzle_of("ZenGarden-v0").format.find("test/4x4")
    found = []
    for at_once in (8192, 7):
        monkeypatch.setattr("puzzle_agents.learning.model_file.AT_ONCE", at_once)
        found.append(
            evaluate(model.scores, puzzle_of("ZenGarden-v0"), levels[:9], room=model.card.room)
        )
    assert np.array_equal(found[0].solved, found[1].solved)


def test_scores_of_models_by_their_folders(run: Path) -> None:
    scores = scores_of([str(run), str(run / "policy.model")], ["first-steps/1"], samples=3, seed=0)
    assert [score.levels for score in scores] == [1, 1, 1]
