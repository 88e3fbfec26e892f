"""Whole levels played by real keys and a real pointer, on a screen that is not there."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections import deque
from collections.abc import Iterator
from pathlib import Path

import pytest

from puzzle_agents.environments import make_env, puzzle_of
from puzzle_agents.episode import read_episode
from puzzle_agents.player.hints import hint_agent
from puzzle_agents.player.play_view import PlayView
from puzzle_agents.player.remembered import Progress
from puzzle_agents.player.session import Session, levels_around
from puzzle_agents.player.style import style_of
from puzzle_agents.registry import make
from puzzle_envs.rendering.controls import ARROWS, Board, Controls, Cursor, Point
from puzzle_envs.rendering.theme import LIGHT
from tests.desk import Desk, missing_tools

needs_a_desk = pytest.mark.skipif(
    bool(missing_tools()), reason=f"not on this machine: {', '.join(missing_tools())}"
)
CODE = "import sys; from puzzle_agents.cli.app import main; sys.exit(main())"
PROGRAM = [sys.executable, "-c", CODE]
SCREENSHOTS = Path(__file__).parents[2] / "build" / "screenshots"
SIZE = (1120, 760)
LEVELS = {
    "ZenGarden-v0": "first-steps/3",
    "HuaRongDao-v0": "test/1-10/1",
    "Kwirk-v0": "easy/2",
    "KwirkSteps-v0": "easy/1",
    "Skyscraper-v0": "4x4/easy-1",
}
X_NAMES = {"tab": "Tab", "return": "Return", **{arrow: arrow.capitalize() for arrow in ARROWS}}
KEYS = (*X_NAMES, *"123456789")


@pytest.fixture
def desk() -> Iterator[Desk]:
    with Desk() as made:
        yield made


def title(desk: Desk) -> str:
    return desk.tool("getwindowname", desk.window)


def keys_for(controls: Controls, board: Board, cursor: Cursor, action: int) -> list[str] | None:
    """The keys that play an action, by the cursor's shortest way."""
    ways: dict[Cursor, list[str]] = {cursor: []}
    waiting = deque([cursor])
    while waiting:
        here = waiting.popleft()
        for key in KEYS:
            answer = controls.press(board, here, key)
            if answer is None:
                continue
            if answer.actions == (action,):
                return [*ways[here], key]
            if not answer.actions and answer.cursor not in ways:
                ways[answer.cursor] = [*ways[here], key]
                waiting.append(answer.cursor)
    return None


def gesture_for(view: PlayView, board: Board, action: int) -> tuple[Point, Point | None] | None:
    """A click, or a drag from one point to another, that plays an action."""
    height, width = board.planes.shape[1:]

    def is_shown(point: Point) -> bool:
        return view.board.point_at(*view.board.place_of(point)) is not None

    centres = [Point(c + 0.5, r + 0.5) for r in range(-1, height + 1) for c in range(-1, width + 1)]
    for point in filter(is_shown, centres):
        if view.controls.click(board, view.cursor, point).actions == (action,):
            return point, None
    for start in filter(is_shown, centres):
        for across, down in ((0, -1), (1, 0), (0, 1), (-1, 0)):
            end = Point(start.x + 0.9 * across, start.y + 0.9 * down)
            for dropped in (False, True):
                answer = view.controls.drag(board, view.cursor, start, end, dropped=dropped)
                if answer.actions == (action,) and is_shown(end):
                    return start, end
    return None


class Player:
    """Plays in the window and, in the same way, in a view of its own that says where things are."""

    def __init__(self, desk: Desk, session: Session) -> None:
        self._desk, self._session = desk, session
        self._view = PlayView(session, style_of(LIGHT))
        self._view.resize(*SIZE)
        self.used: set[str] = set()

    def play(self, action: int, *, by_pointer: bool) -> None:
        view, board = self._view, self._session.game.now.board
        gesture = gesture_for(view, board, action) if by_pointer else None
        if gesture is None and by_pointer and view.choices:
            self._choose(action)
            return
        if gesture is None:
            keys = keys_for(view.controls, board, view.cursor, action)
            assert keys is not None
            for key in keys:
                view.key(key)
            self._desk.keys(*(X_NAMES.get(key, key) for key in keys))
            self.used.add("keys")
            return
        self.used.add("pointer")
        start, end = (None if p is None else view.board.place_of(p) for p in gesture)
        assert start is not None
        if end is None:
            self._click(start)
            return
        self._desk.drag(start, end)
        view.press(*start)
        for place in (((start[0] + end[0]) / 2, (start[1] + end[1]) / 2), end):
            view.move(*place, held=True)
        view.release(*end)

    def _choose(self, action: int) -> None:
        """Click on the place of an action, and on the button that is then offered for it."""
        view, board = self._view, self._session.game.now.board
        mark = view.controls.action_mark(board, action)
        assert mark is not None
        self._click(view.board.place_of(mark.centre))
        offered = view.controls.choices(board, view.cursor)
        number = [choice.action for choice in offered].index(action)
        self._click(view.choices[number].area.center)

    def _click(self, place: tuple[float, float]) -> None:
        self.used.add("pointer")
        self._view.press(*place)
        self._view.release(*place)
        self._desk.click(*place)


@needs_a_desk
@pytest.mark.parametrize("id", LEVELS)
def test_a_level_is_played_to_its_end(id: str, desk: Desk, tmp_path: Path) -> None:
    level = LEVELS[id]
    # What hints need is compiled here, so that the window need not wait for it.
    env = make_env(id, level)
    solution = make(hint_agent(env)).solve(env).actions
    saved, kept = tmp_path / "mine.json", tmp_path / "progress.json"
    arguments = ["play", id, level, "--save", str(saved), "--progress", str(kept)]
    program = desk.start([*PROGRAM, *arguments])
    levels, number = levels_around(puzzle_of(id).format, level)
    own = Session(id, {}, levels, Progress(None, id, puzzle_of(id).format))
    own.go_to(number or 0)
    player = Player(desk, own)

    # A hint is shown, and played when it is asked for again; undo takes it back.
    begun = f"0 {own.unit}"
    desk.until(lambda: begun in title(desk), "the first picture", 120)
    end = time.monotonic() + 120
    while begun in title(desk):
        assert time.monotonic() < end, title(desk)
        desk.keys("i")
        time.sleep(0.3)
    desk.keys(*["u"] * 12)
    desk.until(lambda: begun in title(desk), "undo")

    for turn, action in enumerate(solution):
        before = own.game.position
        player.play(action, by_pointer=turn % 2 == 0)
        assert own.game.position == before + 1
    desk.until(lambda: "solved" in title(desk), "the solution")
    time.sleep(1.0)
    desk.save(SCREENSHOTS / f"{id}.png")

    episode = read_episode(saved)
    episode.replay()
    assert (episode.actions, episode.agent) == (tuple(solution), "by hand")
    assert list(json.loads(kept.read_text())["solved"][id].values()) == [episode.moves]
    assert player.used == {"keys", "pointer"}
    desk.keys("q")
    assert end_of(program) == (0, "", "")


@needs_a_desk
def test_nothing_is_done_while_nothing_moves_and_ctrl_c_ends_it(desk: Desk, tmp_path: Path) -> None:
    arguments = ["play", "ZenGarden-v0", "--progress", str(tmp_path / "p.json")]
    program = desk.start([*PROGRAM, *arguments])
    desk.until(lambda: "0 moves" in title(desk), "the first picture", 120)
    desk.keys("h")
    time.sleep(1.0)
    desk.save(SCREENSHOTS / "help.png")
    before, began = seconds_of(program.pid), time.monotonic()
    time.sleep(2.5)
    share = (seconds_of(program.pid) - before) / (time.monotonic() - began)
    assert share < 0.05
    program.send_signal(signal.SIGINT)
    assert end_of(program) == (130, "", "Stopped.\n")


def end_of(program: subprocess.Popen[str]) -> tuple[int, str, str]:
    """The exit code, and what it has written but for a notice of compilation."""
    out, err = program.communicate(timeout=30)
    said = [line for line in err.splitlines(keepends=True) if "compiling" not in line]
    return program.returncode, out, "".join(said)


def seconds_of(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@needs_a_desk
def test_agents_are_watched_side_by_side(desk: Desk) -> None:
    agents = [f"--agent={name}" for name in ("astar", "bfs", "hua-rong-dao-bfs")]
    program = desk.start([*PROGRAM, "watch", "HuaRongDao-v0", "test/1-10/3", *agents])
    desk.until(lambda: "searching" in title(desk), "searches", 120)
    desk.keys("space", *["Right"] * 6)
    time.sleep(1.5)
    desk.save(SCREENSHOTS / "live-search.png")
    assert "searching" in title(desk)
    desk.keys("End")
    desk.until(lambda: ": 0 of " in title(desk), "solutions", 120)
    desk.keys("space", "Home", "Right", "Right")
    desk.until(lambda: ": 2 of " in title(desk), "steps forward")
    desk.keys("Left")
    desk.until(lambda: ": 1 of " in title(desk), "a step back")
    time.sleep(0.6)
    desk.save(SCREENSHOTS / "watch.png")
    desk.keys("q")
    assert end_of(program) == (0, "", "")


@pytest.mark.parametrize(
    ("arguments", "driver"),
    [
        (["play", "ZenGarden-v0"], {}),  # SDL would take a screen that nobody sees
        (["watch", "ZenGarden-v0", "first-steps/1"], {"SDL_VIDEODRIVER": "x11"}),
    ],
)
def test_without_a_screen(arguments: list[str], driver: dict[str, str], tmp_path: Path) -> None:
    bare = {
        key: value
        for key, value in os.environ.items()
        if "DISPLAY" not in key and key not in ("SDL_VIDEODRIVER", "XDG_RUNTIME_DIR")
    }
    bare |= {**driver, "PUZZLE_ENVS_PROGRESS": str(tmp_path / "p.json")}
    done = subprocess.run(
        [*PROGRAM, *arguments], env=bare, capture_output=True, text=True, check=False, timeout=120
    )
    assert done.returncode == 2
    said = [line for line in done.stderr.splitlines() if "compiling" not in line]
    assert done.stdout == "" and len(said) == 1
    assert "no screen" in said[0]
