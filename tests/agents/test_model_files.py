"""Model files and cards that are wrong, damaged or hostile."""

from __future__ import annotations

import io
import json
import pickle
import random
import subprocess
import sys
import zipfile
from collections.abc import Callable
from dataclasses import asdict, replace
from inspect import signature
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("sb3_contrib", reason="needs the rl extra")

import torch

from puzzle_agents.cli.app import WRONG_USAGE, main
from puzzle_agents.learning.algorithms import ALGORITHMS
from puzzle_agents.learning.archive import Archive
from puzzle_agents.learning.card import ALGORITHM_NAMES, SIZES, Card, ModelError
from puzzle_agents.learning.card_file import CARD, WEIGHTS
from puzzle_agents.learning.model_file import Model, load_model, save_model
from puzzle_agents.learning.networks import TRUNKS
from puzzle_agents.learning.policy_agent import PolicyAgent
from puzzle_agents.learning.tensors import read_tensors
from tests.agents.small_models import CARDS
from tests.agents.test_cli import error_of

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
        beside = {"legal"}  # more planes, which the observation space has
        assert {*signature(trunk).parameters} - told == {*SIZES[kind]} - beside


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
        (packed(parts, zipfile.ZIP_BZIP2), "uses an unknown compression"),
        (packed(parts, zipfile.ZIP_LZMA), "uses an unknown compression"),
        (with_weights(garden, parts[WEIGHTS] + b"\0" * 2**21), "Its weights take"),
        (with_weights(garden, pickle.dumps({}) + b"\0" * len(parts[WEIGHTS])), "not an archive"),
        (with_weights(garden, packed(inner, zipfile.ZIP_DEFLATED) + b"\0" * 9000), "unknown comp"),
        (again(garden, lambda one: one | {"other/data.pkl": b""}), "not written by torch.save"),
        (again(garden, lambda one: {**one, "archive/data.pkl": pickled[:-9]}), "pickle"),
        (again(garden, lambda one: {**one, "archive/data.pkl": deep}), "nested more than 20 deep"),
        (again(garden, lambda one: {**one, "archive/data.pkl": itself}), "nested more than 20"),
        (again(garden, lambda one: {**one, "archive/data.pkl": shared}), ""),
        (again(garden, lambda one: {**one, "archive/data/0": b"1234"}), "the wrong length"),
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
    with pytest.raises(ValueError, match="two different sizes"):
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
