"""Mutated level texts: each is a level that survives the way to a text and back, or a LevelError.

    python -m tests.fuzz_levels --count 1000000 --seed 0 --jobs 2

The texts are those of bundled levels, with characters, lines, numbers, keys and names changed. A
level that is read has to have a valid start, some are played; an error has to name a place that is
there, and nothing may take longer than a second.
"""

from __future__ import annotations

import argparse
import multiprocessing
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache, partial
from itertools import count
from pathlib import Path
from random import Random

import gymnasium
import numpy as np

import puzzle_envs  # noqa: F401 (registers the ids)
from puzzle_envs import hua_rong_dao, kwirk, skyscraper, zen_garden
from puzzle_envs.episodes.batch import Batch
from puzzle_envs.hua_rong_dao.keys import has_key
from puzzle_envs.hua_rong_dao.layout import code_of_text, digits_of_text, standard_text
from puzzle_envs.hua_rong_dao.level import pieces_of
from puzzle_envs.level import Level, LevelError, LevelFormat
from puzzle_envs.puzzle import Puzzle
from puzzle_envs.skyscraper.level import CHARACTERS, clues_of, towers_id
from puzzle_envs.text import LINE_END

SECONDS = 1.0 if sys.gettrace() is None else 4.0  # measuring coverage slows reading down
"""The most that a text may take of the processor's time."""
CHUNK = 1000
"""Texts to a seed: what they are does not depend on how many processes share the work."""
PLAYED, KEPT_IN_FILES = 200, 50
"""One in so many levels is played, one in so many texts goes by way of a file."""
STEPS = 100
LONGEST = 200_000
"""The characters of a text."""

GAMES: tuple[tuple[str, Puzzle, dict[str, object]], ...] = (
    ("ZenGarden-v0", zen_garden.PUZZLE, {}),
    ("HuaRongDao-v0", hua_rong_dao.PUZZLE, {}),
    ("HuaRongDao-v0", hua_rong_dao.PUZZLE, {"metric": "step"}),
    ("Kwirk-v0", kwirk.PUZZLE, {}),
    ("KwirkSteps-v0", kwirk.STEPS, {}),
    ("Skyscraper-v0", skyscraper.PUZZLE, {}),
)

BOX = "; name: box\n; goal: a 4 2\nbaac\nbaac\ndeef\ndghf\ni..j\n"
TURNSTILES = """; name: turnstiles
##########
#   ^    #
# 1a*OO %#
#  a  bB2#
##########
HOLE_UNDER 4 1
HOLE_UNDER 6 3
"""

BOARD_SIGNS = ".#Byor" + "SVHB*^<" + "# O%1234*^>`<abzAZ" + CHARACTERS + "_:/,"
STRANGE = (
    "\0\t\v\f\x1b\x1c\x85\xa0\u2028\u2029\ufeff\u200b\ud800"  # what one does not see
    "\r;:/\\'\"é٣²Ⅷ💧"
)
NUMBERS = (
    "", "0", "-1", "007", "1e3", "1_0", "0x1f", "٣", "²", "3.5", "inf", "nan", "none", "on", "off",
    str(10**9), str(10**9 + 1), str(2**31), str(2**63), "9" * 400, "9" * 5000, "0" * 5000 + "7",
)  # fmt: skip
KEYS = (
    "name", "optimum", "optimum-step", "optimum-straight", "pushes", "steps", "solution", "author",
    "note", "goal", "sideways-push", "turning-out", "nam", "Optimum", "",
)  # fmt: skip
NAMES = (
    "a/1", "/1", "1/", "//", ".", "..", "a.txt", "a.txt/1", ";x", ": y", "a: b", "x" * 3000,
    "none", "1\t2", "ä ö", "'", "\\n", "HOLE_UNDER 1 1",
)  # fmt: skip

Mutation = Callable[[Random, str], str]


# --- mutations --------------------------------------------------------------------------------


def _with_character(random: Random, text: str) -> str:
    """A character put in, or in the place of another."""
    at = random.randint(0, len(text))
    sign = random.choice(BOARD_SIGNS if random.random() < 0.7 else STRANGE)
    return text[:at] + sign + text[at + random.randint(0, 1) :]


def _without_characters(random: Random, text: str) -> str:
    at = random.randint(0, len(text))
    return text[:at] + text[at + random.choice((1, 1, 1, 2, 5)) :]


def _swapped(random: Random, text: str) -> str:
    """Two characters in each other's place."""
    if not text:
        return text
    signs = list(text)
    one, other = random.randrange(len(signs)), random.randrange(len(signs))
    signs[one], signs[other] = signs[other], signs[one]
    return "".join(signs)


def _lines_changed(random: Random, text: str) -> str:
    """A line gone, said again, moved, emptied, or far too long; or all said again."""
    lines = text.split("\n")
    at = random.randrange(len(lines))
    change = random.randrange(7)
    if change == 0:
        del lines[at]
    elif change == 1:
        lines.insert(random.randint(0, len(lines)), lines[at])
    elif change == 2:
        lines.insert(random.randint(0, len(lines)), lines.pop(at))
    elif change == 3:
        lines.insert(at, random.choice(("", " ", "\t", ";", "; a comment", "HOLE_UNDER 1 1")))
    elif change == 4:
        lines[at] *= random.choice((2, 3, 3000))
    elif change == 5:
        lines[at : at + 1] = [lines[at]] * random.choice((2, 20, 2000))
    else:
        lines += lines
    return "\n".join(lines)


def _with_a_number(random: Random, text: str) -> str:
    """A number instead of a word."""
    words = text.split(" ")
    words[random.randrange(len(words))] = random.choice(NUMBERS)
    return " ".join(words)


def _with_a_key(random: Random, text: str) -> str:
    key, value = random.choice(KEYS), random.choice((*NUMBERS, *NAMES, "b 1 2", "a 0 9"))
    return f"; {key}: {value}\n{text}"


def _with_a_name(random: Random, text: str) -> str:
    lines = [line for line in text.split("\n") if not line.startswith("; name")]
    return "\n".join([f"; name: {random.choice(NAMES)}", *lines])


def _with_other_ends(random: Random, text: str) -> str:
    """Line ends as other systems write them, or a byte order mark."""
    return random.choice((text.replace("\n", "\r\n"), text.replace("\n", "\r"), "\ufeff" + text))


def _with_another(random: Random, text: str) -> str:
    """Another level below, or part of it."""
    _, _, texts = random.choice(_games())
    other = random.choice(texts)
    return text + random.choice(("\n", "")) + other[random.choice((0, random.randint(0, 40))) :]


MUTATIONS: tuple[Mutation, ...] = (
    _with_character, _with_character, _with_character, _without_characters, _swapped, _swapped,
    _lines_changed, _with_a_number, _with_a_key, _with_a_name, _with_other_ends, _with_another,
)  # fmt: skip


def mutated(random: Random, text: str) -> str:
    """A text with one to four changes."""
    for _ in range(random.choice((1, 1, 1, 2, 3, 4))):
        text = random.choice(MUTATIONS)(random, text)[:LONGEST]
    return text


@cache
def _games() -> list[tuple[str, Puzzle, list[str]]]:
    """The id, the puzzle as it is played, and texts to begin with."""
    games = []
    for id, puzzle, options in GAMES:
        configured = puzzle.configured(**options)
        games.append((id, configured, list(_texts(configured.format))))
    return games


def _texts(format: LevelFormat) -> Iterator[str]:
    """Some levels of each set, and the same in the puzzle's other notations."""
    for name in format.sets():
        for level in format.find(name)[:10]:
            yield format.text(level)
            if format.puzzle == "hua_rong_dao" and has_key(level.record):
                text = standard_text(pieces_of(level.record))
                yield from (text, code_of_text(text), digits_of_text(text))
            if format.puzzle == "skyscraper":
                yield towers_id(level.record)
                yield "/".join(str(clue or "") for clue in clues_of(level.record))
    if format.puzzle == "hua_rong_dao":
        yield BOX
    if format.puzzle == "kwirk":
        yield TURNSTILES


# --- what has to hold -------------------------------------------------------------------------


class FuzzError(AssertionError):
    """What does not hold of a text."""


def check(id: str, puzzle: Puzzle, text: str, *, play: bool = False, file: Path | None) -> str:
    """Read a text, directly or from a file; say what came of it."""
    try:
        levels = _read(puzzle.format, text, file)
    except LevelError as error:
        _check_place(text, error)
        return "refused"
    for level in levels:
        _check_round_trip(puzzle.format, level)
        _check_start(puzzle, level)
    _check_as_a_file(puzzle.format, levels)
    if play:
        _play(id, puzzle, levels[0])
        return "played"
    return "read"


def _read(format: LevelFormat, text: str, file: Path | None) -> list[Level]:
    if file is not None:
        file.write_bytes(text.encode("utf-8", "surrogatepass"))
        return format.find(file)
    if LINE_END.search(text) or format.is_text(text):
        return format.find(text)
    return format.parse(text, "text")


def _check_place(text: str, error: LevelError) -> None:
    """An error is at a line that is there, and at a character of it or just behind."""
    if error.line == 0:
        if "There is no level here" not in str(error):
            raise FuzzError(f"an error without a place: {error}")
        return
    lines = LINE_END.split(text.removeprefix("\ufeff"))
    if error.line > len(lines) or error.column > len(lines[error.line - 1]) + 1:
        raise FuzzError(f"an error at a place that is not there: {error}")
    if len(str(error)) > 1000:
        raise FuzzError(f"an error of {len(str(error))} characters")


def _check_round_trip(format: LevelFormat, level: Level) -> None:
    (again,) = format.parse(format.text(level), "again")
    if again.record != level.record:
        raise FuzzError("another board comes back")
    told, back = (
        (one.name_in_file, one.optimum, one.solvable, dict(one.notes)) for one in (level, again)
    )
    if told != back:
        raise FuzzError(f"{told} comes back as {back}")


def _check_as_a_file(format: LevelFormat, levels: Iterable[Level]) -> None:
    names = [level.name for level in levels]
    whole = "\n".join(format.text(level) for level in levels)
    if [level.name for level in format.parse(whole, "whole")] != names:
        raise FuzzError("other names come back from a file")


def _check_start(puzzle: Puzzle, level: Level) -> None:
    batch = Batch(puzzle, [level], 1)
    batch.begin_all(0)
    batch.restore(0, batch.state(0))


def _play(id: str, puzzle: Puzzle, level: Level) -> None:
    """Do some actions, every fourth one legal or not."""
    env = gymnasium.make(id, level=level, **dict(puzzle.options)).unwrapped
    _, info = env.reset(seed=0)
    for step in range(STEPS):
        legal = np.flatnonzero(info["action_mask"])
        if info["solved"] or legal.size == 0:
            _, info = env.reset()
            continue
        actions = legal if step % 4 else np.arange(info["action_mask"].size)
        _, _, _, _, info = env.step(int(actions[step * 7919 % actions.size]))
    env.close()


# --- many of them -----------------------------------------------------------------------------


@dataclass
class Report:
    """What came of some texts."""

    outcomes: Counter[tuple[str, str]] = field(default_factory=Counter)
    """By the id and what `check` said."""
    slowest: float = 0.0
    """Seconds of the processor's time."""
    faults: list[str] = field(default_factory=list)
    """What does not hold, with the text that shows it."""

    def add(self, other: Report) -> None:
        """Take in what came of others."""
        self.outcomes += other.outcomes
        self.slowest = max(self.slowest, other.slowest)
        self.faults += other.faults


def timed(work: Callable[[], str]) -> tuple[str, float]:
    """What comes of it, and the CPU seconds of this thread."""
    began = time.thread_time()
    outcome = work()
    return outcome, time.thread_time() - began


def chunk(seed: int, number: int, texts: int = CHUNK) -> Report:
    """The texts that a seed and a number mean."""
    random, report = Random(f"{seed}/{number}"), Report()
    with tempfile.TemporaryDirectory() as folder:
        files = (Path(folder) / f"{number}.txt" for number in count())
        for index in range(texts):
            id, puzzle, begin_with = _games()[index % len(GAMES)]
            text = mutated(random, random.choice(begin_with))
            play = random.randrange(PLAYED) == 0
            file = next(files) if random.randrange(KEPT_IN_FILES) == 0 else None
            work = partial(check, id, puzzle, text, play=play, file=file)
            try:
                outcome, spent = timed(work)
                if spent > SECONDS:  # a slow text is slow again, a busy process is not
                    spent = min(spent, timed(work)[1])
            except Exception:
                outcome, spent = "fault", 0.0
                report.faults.append(f"{id} {text[:2000]!r}\n{traceback.format_exc(limit=-3)}")
            if spent > SECONDS:
                report.faults.append(f"{id} took {spent:.2f} s: {text[:2000]!r}")
            report.outcomes[id, outcome] += 1
            report.slowest = max(report.slowest, spent)
    return report


def warm_up() -> None:
    """Compile what is needed, so that no text has to wait for it."""
    for id, puzzle, texts in _games():
        check(id, puzzle, texts[0], play=True, file=None)


def fuzz(texts: int, seed: int, jobs: int = 1) -> Report:
    """So many texts, in so many processes."""
    warm_up()
    report, chunks = Report(), range(-(-texts // CHUNK))
    if jobs == 1:
        for number in chunks:
            report.add(chunk(seed, number, min(CHUNK, texts - number * CHUNK)))
        return report
    with multiprocessing.get_context("fork").Pool(jobs) as pool:
        for part in pool.imap_unordered(partial(chunk, seed), chunks):
            report.add(part)
    return report


def main() -> int:
    """Run, print what came of it; 1 where something does not hold."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--count", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=1)
    given = parser.parse_args()
    began = time.perf_counter()
    report = fuzz(given.count, given.seed, given.jobs)
    for (id, outcome), number in sorted(report.outcomes.items()):
        print(f"{id:14} {outcome:8} {number:>9,}")
    seconds = time.perf_counter() - began
    print(
        f"{report.outcomes.total():,} texts in {seconds:.0f} s; the slowest {report.slowest:.3f} s"
    )
    for fault in report.faults[:20]:
        print(f"\n{fault}")
    print(f"{len(report.faults)} faults")
    return 1 if report.faults else 0


if __name__ == "__main__":
    sys.exit(main())
