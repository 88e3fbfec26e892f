"""The window of `puzzle-envs watch`: agents searching side by side, then their solutions."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import pygame

from puzzle_agents.player.board_view import BoardView
from puzzle_agents.player.commands import WATCHING
from puzzle_agents.player.game import Game
from puzzle_agents.player.searching import AT_ONCE, Attempt, Pace
from puzzle_agents.player.style import Style, text
from puzzle_agents.player.widgets import Bar, Button, chart, counter, grid, panel, paragraph
from puzzle_agents.progress import Snapshot
from puzzle_envs.env import PuzzleEnv

SMALLEST_TYPE, LARGEST_TYPE = 14, 24
STEP = 0.4
"""Initial seconds per step."""
FASTEST, SLOWEST = 1 / 60, 4.0
LOOK = 1 / 30
"""Seconds between updates during a search."""
COUNTERS, CHART = 6.4, 4.0
"""Heights of the counters and of the chart below a board, in units of the font size."""


@dataclass
class Pane:
    """One agent or one episode: its game, and its search until there is a solution."""

    title: str
    game: Game
    search: Callable[[], Attempt] | None = None
    """Starts its search, if it has one."""
    attempt: Attempt | None = None
    seen: Snapshot | None = None
    area: pygame.Rect = field(default_factory=lambda: pygame.Rect(0, 0, 1, 1))

    def __post_init__(self) -> None:
        """Show the initial state."""
        self.board = BoardView(self.game.now.picture, *self._size)
        self._probe = self.game.env.simulation()

    @property
    def _size(self) -> tuple[int, int]:
        rows, columns = self.game.now.board.planes.shape[1:]
        return rows, columns

    @property
    def is_searching(self) -> bool:
        """Whether its agent is searching."""
        return self.attempt is not None and not self.attempt.is_over

    def begin(self) -> None:
        """Start the search over."""
        if self.search is not None:
            self.game = Game(self._at_start())
            self.board.show(self.game.now.picture, *self._size)
            self.attempt, self.seen = self.search(), None
            self.attempt.start()

    def look(self) -> bool:
        """Show the agent's latest snapshot; return whether it is new."""
        attempt = self.attempt
        if attempt is None or attempt.snapshot is self.seen or attempt.snapshot is None:
            return False
        self.seen = attempt.snapshot
        if self.seen.state is not None:
            self._show_state(self.seen.state)
        return True

    def take_result(self) -> None:
        """Show the agent's solution."""
        assert self.attempt is not None
        result = self.attempt.result
        if result is not None and result.solved:
            self.game = Game(self._at_start(), result.actions)
            self.game.go_to(0)
        self.board.show(self.game.now.picture, *self._size)

    def go_to(self, position: int, *, moving: bool, seconds: float) -> None:
        """Show the game after this many actions, at most its end."""
        game = self.game
        before, wanted = game.now, min(position, game.last)
        step = wanted - game.position
        if not game.go_to(wanted):
            return
        if moving and abs(step) == 1:
            shown = game.now.picture if step > 0 else before.picture
            self.board.step(shown, backwards=step < 0, seconds=seconds)
            self.board.rest(game.now.picture)
        else:
            self.board.show(game.now.picture, *self._size)

    def _at_start(self) -> PuzzleEnv:
        self._probe.set_state(self.game.moments[0].state)
        return self._probe

    def _show_state(self, words: Sequence[int]) -> None:
        state = self.game.moments[0].state._replace(words=tuple(words))
        try:
            planes, _ = self._probe.set_state(state)
        except ValueError:  # a state that play cannot reach
            return
        picture = self._probe.puzzle.picture(int(self._probe.action_space.n), self._probe.theme)
        picture.begin(planes)
        self.board.show(picture, *self._size)


class WatchView:
    """Shows panes: first the searches at the chosen pace, then the solutions side by side."""

    def __init__(self, panes: Sequence[Pane], style: Style, pace: Pace) -> None:
        """Show panes whose searches have not started."""
        self._panes, self._style, self._pace = list(panes), style, pace
        self.stale, self.done = True, False
        self._position, self._playing, self._period, self._next = 0, True, STEP, 0.0
        self._looked = 0.0
        self._statuses: list[str] = []
        self._searching = False
        self._type = SMALLEST_TYPE
        self.bar = Bar(self._scrub)
        self._acts: dict[str, Callable[[], object]] = {}
        self.buttons: list[Button] = []
        acts = {
            "pause": (self._pause, lambda: True),
            "back": (lambda: self._step(-1), lambda: not self._searching and self._position > 0),
            "forward": (lambda: self._step(1), lambda: self._searching or not self._at_end),
            "first": (lambda: self._scrub(0), lambda: True),
            "last": (self._finish, lambda: True),
            "slower": (lambda: self._change_pace(0.5), lambda: True),
            "faster": (lambda: self._change_pace(2), lambda: True),
            "again": (self.begin, lambda: any(pane.search for pane in self._panes)),
            "quit": (self._quit, lambda: True),
        }
        for command in WATCHING:
            act, enabled = acts[command.name]
            self._acts |= dict.fromkeys(command.keys, act)
            if command.label:
                self.buttons.append(Button(command.label, act, command.shown, enabled))

    @property
    def title(self) -> str:
        """The names of the panes, and the current position."""
        names = ", ".join(pane.title for pane in self._panes)
        return f"{names}: {self._place()}"

    @property
    def _length(self) -> int:
        return max(pane.game.last for pane in self._panes)

    @property
    def _at_end(self) -> bool:
        return self._position >= self._length

    def begin(self) -> None:
        """Start all searches over."""
        self.stop()
        self._pace.begin()
        for pane in self._panes:
            pane.begin()
        self._position, self._playing = 0, True
        self._searching = any(pane.is_searching for pane in self._panes)
        self.stale = True

    def stop(self) -> None:
        """Cancel all searches."""
        attempts = [pane.attempt for pane in self._panes if pane.attempt is not None]
        for attempt in attempts:
            attempt.stop()
        for attempt in attempts:
            attempt.join()

    # --- what the watcher does ----------------------------------------------------------------

    def key(self, name: str) -> None:
        """Run the command of a key."""
        if name in self._acts:
            self._acts[name]()
            self.stale = True

    def press(self, x: float, y: float) -> None:
        """Press a button, or grab the position bar."""
        self.stale = True
        if not any(button.click(x, y) for button in self.buttons) and not self._searching:
            self.bar.press(x, y)

    def move(self, x: float, y: float, *, held: bool) -> None:
        """Drag the knob of the bar."""
        for button in self.buttons:
            self.stale |= button.hover(x, y)
        if held:
            self.bar.drag(x)

    def release(self, x: float, y: float) -> None:
        """Release the knob."""
        self.bar.release()

    def wheel(self, amount: int) -> None:
        """Step forward or back."""
        self._step(-1 if amount > 0 else 1)

    def _pause(self) -> None:
        if self._searching:
            self._pace.pause(not self._pace.paused)
        elif self._at_end:
            self._show(0, moving=False)
            self._playing = True
        else:
            self._playing = not self._playing

    def _step(self, by: int) -> None:
        if self._searching:
            if by > 0:
                self._pace.step()
            return
        self._playing = False
        self._show(self._position + by, moving=True)

    def _scrub(self, position: int) -> None:
        if not self._searching:
            self._playing = False
            self._show(position, moving=False)

    def _finish(self) -> None:
        if self._searching:
            self._pace.finish()
        else:
            self._scrub(self._length)

    def _change_pace(self, factor: float) -> None:
        if self._searching:
            self._pace.change(factor)
        else:
            self._period = min(SLOWEST, max(FASTEST, self._period / factor))

    def _quit(self) -> None:
        self.done = True

    def _show(self, position: int, *, moving: bool) -> None:
        self._position = min(self._length, max(0, position))
        for pane in self._panes:
            pane.go_to(self._position, moving=moving, seconds=0.8 * self._period)
        self.stale = True

    # --- time ---------------------------------------------------------------------------------

    def advance(self, now: float) -> float | None:
        """Update the searches, or advance the playback."""
        pauses = [pane.board.advance(now) for pane in self._panes]
        self.stale |= 0 in pauses
        if self._searching:
            pauses.append(self._look(now))
        elif self._playing:
            pauses.append(self._play(now))
        due = [pause for pause in pauses if pause is not None]
        return min(due, default=None)

    def _look(self, now: float) -> float:
        if now - self._looked >= LOOK:
            self._looked = now
            seen = [pane.look() for pane in self._panes]
            over = not any(pane.is_searching for pane in self._panes)
            statuses = [pane.attempt.status for pane in self._panes if pane.attempt is not None]
            self.stale |= over or any(seen) or statuses != self._statuses
            self._statuses = statuses
            if over:
                self._searching = False
                for pane in self._panes:
                    if pane.attempt is not None:
                        pane.take_result()
                self._next = now + 1.0
        return LOOK

    def _play(self, now: float) -> float | None:
        if self._at_end:
            self._playing, self.stale = False, True
            return None
        if now >= self._next:
            self._next = now + self._period
            self._show(self._position + 1, moving=True)
        return max(0.0, self._next - now)

    # --- layout -------------------------------------------------------------------------------

    def resize(self, width: int, height: int) -> None:
        """Lay everything out: panes in as many columns as make the boards largest."""
        self.stale = True
        count = len(self._panes)
        size = min(width / 50, height / 36)
        size = self._type = round(min(LARGEST_TYPE, max(SMALLEST_TYPE, size)))
        edge, gap = size, size // 2
        window = pygame.Rect(0, 0, width, height).inflate(-2 * edge, -2 * edge)
        in_a_row = len(self.buttons) if width > 44 * size else -(-len(self.buttons) // 2)
        rows = -(-len(self.buttons) // in_a_row)
        line = 2 * size
        below = rows * (line + gap)
        buttons = pygame.Rect(window.left, window.bottom - below + gap, window.width, below)
        grid(self.buttons, buttons, in_a_row, line, gap)
        beside = round(7.5 * size)
        bar = pygame.Rect(window.left, buttons.top - line - gap, window.width - 2 * beside, line)
        self.bar.area = bar.move(beside, 0)
        room = pygame.Rect(window.left, window.top, window.width, bar.top - gap - window.top)
        columns = max(
            range(1, count + 1),
            key=lambda columns: self._board_side(room, columns, -(-count // columns)),
        )
        across = (room.width - (columns - 1) * gap) // columns
        down = (room.height - (-(-count // columns) - 1) * gap) // -(-count // columns)
        for number, pane in enumerate(self._panes):
            row, column = divmod(number, columns)
            left, top = room.left + column * (across + gap), room.top + row * (down + gap)
            pane.area = pygame.Rect(left, top, across, down)
            inner = pane.area.inflate(-2 * gap, -2 * gap)
            head = round(1.8 * size)
            inner = pygame.Rect(
                inner.left, inner.top + head, inner.width, inner.height - head - self._foot
            )
            pane.board.place(inner)

    @property
    def _foot(self) -> int:
        """Height of what is below a board."""
        searches = any(pane.search for pane in self._panes)
        return round((COUNTERS + CHART if searches else COUNTERS / 2) * self._type)

    def _board_side(self, room: pygame.Rect, columns: int, rows: int) -> float:
        height = room.height / rows - self._foot - 3 * self._type
        return min(room.width / columns - self._type, height)

    # --- drawing ------------------------------------------------------------------------------

    def draw(self, surface: pygame.Surface) -> None:
        """Draw everything."""
        style, size = self._style, self._type
        surface.fill(style.page)
        for pane in self._panes:
            self._draw_pane(surface, pane)
        self.bar.draw(surface, style, self._position, 0 if self._searching else self._length)
        left, right = surface.get_rect().left + size, surface.get_rect().right - size
        middle = self.bar.area.centery
        text(surface, self._place(), (left, middle), size, style.text)
        text(surface, self._speed(), (right, middle), size, style.muted, align="right")
        moving = not self._pace.paused if self._searching else self._playing
        self.buttons[0].label = "Pause" if moving else "Resume"
        for button in self.buttons:
            button.draw(surface, style, size)

    def _place(self) -> str:
        if self._searching:
            return "searching"
        return f"{self._position} of {self._length}"

    def _speed(self) -> str:
        if not self._searching:
            return f"{1 / self._period:.3g} steps/s"
        rate = self._pace.rate
        return "full speed" if rate >= AT_ONCE else f"{rate:,.0f} states/s"

    def _draw_pane(self, surface: pygame.Surface, pane: Pane) -> None:
        style, size = self._style, self._type
        panel(surface, pane.area, style, size // 2)
        gap = size // 2
        inner = pane.area.inflate(-2 * gap, -2 * gap)
        head = (inner.left, inner.top + 0.7 * size)
        large = round(1.15 * size)
        text(surface, pane.title, head, large, style.text, room=0.55 * inner.width)
        words, colour = _status(pane, style)
        text(
            surface, words, (inner.right, head[1]), size, colour, align="right",
            room=0.45 * inner.width - gap,
        )  # fmt: skip
        pane.board.draw(surface)
        top = inner.bottom - self._foot + gap
        if pane.attempt is not None and pane.attempt.failure:
            area = pygame.Rect(inner.left, top, inner.width, 0)
            paragraph(surface, pane.attempt.failure, area, size, style.warning)
            return
        numbers = _numbers(pane)
        width = inner.width // 2
        for number, (label, value) in enumerate(numbers):
            row, column = divmod(number, 2)
            area = pygame.Rect(
                inner.left + column * width, top + row * round(2.9 * size), width - gap, 3 * size
            )
            counter(surface, area, style, size, label, value)
        if pane.attempt is not None:
            height = round((CHART - 0.6) * size)
            chart(
                surface, pygame.Rect(inner.left, inner.bottom - height, inner.width, height),
                style, pane.attempt.history,
            )  # fmt: skip


def _status(pane: Pane, style: Style) -> tuple[str, str]:
    """The status of a pane in a few words, and its colour."""
    attempt = pane.attempt
    if attempt is None:
        solved = pane.game.now.info["solved"]
        return ("solved" if solved else ""), style.good
    result = attempt.result
    if result is None:
        return attempt.status, style.warning if attempt.failure else style.muted
    if result.solved:
        return ("proved optimal" if result.proved_optimal else "solved"), style.good
    return str(result.status), style.warning


def _numbers(pane: Pane) -> list[tuple[str, str]]:
    """The counters of a pane."""
    game, attempt = pane.game, pane.attempt
    moves = str(game.now.info["moves"])
    if game.last:
        moves += f" of {game.moments[-1].info['moves']}"
    numbers = [("moves", "–" if attempt is not None and not game.last else moves)]
    if attempt is None:
        return [*numbers, ("actions", f"{game.position} of {game.last}")]
    progress = None if pane.seen is None else pane.seen.progress
    expanded = attempt.result.expanded if attempt.result else progress.expanded if progress else 0
    evolves = progress is not None and progress.best is not None
    numbers.append(("genomes" if evolves else "expanded", f"{expanded:,}"))
    if evolves and progress is not None and progress.best is not None:
        best = progress.best
        numbers.append(("best score", f"{best:g}" if math.isfinite(best) else "–"))
    else:
        waiting = None if pane.seen is None else pane.seen.waiting
        numbers.append(("open", "–" if waiting is None else f"{waiting:,}"))
    return [*numbers, ("seconds", f"{attempt.seconds:.3f}")]
