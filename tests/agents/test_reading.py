"""JSON and TOML that anybody may have written; names that are nearly right."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from puzzle_agents.reading import bytes_of_file, json_of, text_of_file, toml_of
from puzzle_envs.common.suggestion import did_you_mean

LONG = b"a." * 50_000 + b"a"


@pytest.mark.parametrize(
    ("read", "data", "said"),
    [
        (json_of, b"", "not JSON: Expecting value at line 1, column 1"),
        (json_of, b'{"a": 1', "not JSON"),
        (json_of, b"\xff", "not text in UTF-8"),
        (json_of, b"[" * 100_000, "nested more than 50 deep"),
        (json_of, b'{"a":' * 100_000, "nested more than 50 deep"),
        (json_of, b"[" * 60 + b"]" * 60, "nested more than 50 deep"),
        (json_of, b"9" * 5000, "too large"),
        (json_of, b"[1, -9223372036854775809]", "too large"),
        (json_of, b"1e400", "too large"),
        (json_of, b"NaN", "NaN is not a number"),
        (json_of, b'{"a": 1, "a": 1}', "Duplicate key: 'a'"),
        (toml_of, b"a", "not TOML"),
        (toml_of, b"\xff", "not text in UTF-8"),
        (toml_of, b"a = " + b"[" * 100_000, "nested more than 50 deep"),
        (toml_of, b"a = " + b"[" * 60 + b"]" * 60, "nested more than 50 deep"),
        (toml_of, b"a = " + b"{a = " * 100_000, "nested more than 50 deep"),
        (toml_of, LONG + b" = 1", "more than 20 parts: a.a.a"),
        (toml_of, LONG.replace(b".", b" . ") + b" = 1", "more than 20 parts"),
        (toml_of, LONG.replace(b"a", b'"a b"') + b" = 1", "more than 20 parts"),
        (toml_of, b"a = {" + LONG + b" = 1}", "more than 20 parts"),
        (toml_of, b"[[" + LONG + b"]]", "more than 20 parts"),
        (toml_of, b"a = " + b"9" * 5000, "too many digits"),
        (toml_of, b"a = [" + b"9" * 400 + b"]", "too large"),
        (toml_of, b'"' * (1 << 20), "not TOML"),
        (toml_of, b"'" * (1 << 20), "not TOML"),
        (toml_of, b"a" * (1 << 20), "not TOML"),
        (toml_of, b"a-" * (1 << 19), "not TOML"),
    ],
)
def test_what_is_refused_within_a_second(
    read: Callable[[bytes], Any], data: bytes, said: str
) -> None:
    began = time.process_time()
    with pytest.raises(ValueError, match=said) as caught:
        read(data)
    assert str(caught.value).endswith(".") and len(str(caught.value)) < 200
    assert time.process_time() - began < 1


@pytest.mark.parametrize(
    ("read", "data", "told"),
    [
        (json_of, b'\xef\xbb\xbf{"a": [1, -2.5e3, true, null]}', {"a": [1, -2500.0, True, None]}),
        (json_of, b"9223372036854775807", 2**63 - 1),
        (toml_of, b"a = true\nb.c = 1.5\n[d]\ne = [1, 2]", {"a": True, "b": {"c": 1.5},
                                                          "d": {"e": [1, 2]}}),
        (toml_of, b'a = "' + LONG + b'" # ' + LONG, {"a": LONG.decode()}),
        (toml_of, b'a = """\n' + LONG + b'"""', {"a": LONG.decode()}),
        (toml_of, b"a = [" + b"1.5, " * 1000 + b"]", {"a": [1.5] * 1000}),
    ],
)  # fmt: skip
def test_what_is_read(read: Callable[[bytes], Any], data: bytes, told: object) -> None:
    assert read(data) == told


def test_a_file_is_read_as_far_as_it_may_be_long(tmp_path: Path) -> None:
    file = tmp_path / "a"
    file.write_bytes(b"x" * (1 << 20))
    assert len(bytes_of_file(file, 1 << 20)) == 1 << 20
    file.write_bytes(b"x" * ((1 << 20) + 1))
    with pytest.raises(ValueError, match=r"^It is larger than 1 MiB\.$"):
        bytes_of_file(file, 1 << 20)
    file.write_bytes(b"\xff")
    with pytest.raises(ValueError, match=r"/a: It is not text in UTF-8\.$"):
        text_of_file(file)


@pytest.mark.parametrize(
    ("word", "known", "most", "said"),
    [
        ("zengarden", ["ZenGarden-v0", "Kwirk-v0"], 1, " Did you mean 'ZenGarden-v0'?"),
        ("a-star", ["astar", "weighted-astar"], 1, " Did you mean 'astar'?"),
        ("PPO", ["astar", "maskable-ppo"], 1, " Did you mean 'maskable-ppo'?"),
        ("po", ["astar", "maskable-ppo"], 1, ""),
        ("easy/99", ["easy/9", "easy/8", "easy/1"], 2, " Did you mean 'easy/9' or 'easy/8'?"),
        ("Chess-v0", ["HuaRongDao-v0", "Kwirk-v0"], 1, ""),
        ("", ["a"], 1, ""),
        ("x" * 10**6, ["a"] * 100, 3, ""),
    ],
)
def test_what_may_have_been_meant(word: str, known: list[str], most: int, said: str) -> None:
    assert did_you_mean(word, known, most) == said
