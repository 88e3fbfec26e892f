"""The window of `puzzle-envs play`: a board, its counters, and buttons."""

from __future__ import annotations

from collections.abc import Callable

import pygame

from puzzle_agents.player.board_view import BoardView
from puzzle_agents.player.commands import PLAYING, table
from puzzle_agents.player.session import Session
from puzzle_agents.player.style import Style, lines_of, rounded, text, text_width
from puzzle_agents.player.widgets import Button, counter, grid, panel, paragraph
from puzzle_envs.rendering.controls import Answer, Controls, Point

SMALLEST_TYPE, LARGEST_TYPE = 15, 28
STILL = 0.35
"""Cells that the pointer may move during a click."""


class PlayView:
    """Shows a session, and plays what keys and the pointer ask for."""

    def __init__(self, session: Session, style: Style) -> None:
        """Show the session's current level."""
        self.session, self._style = session, style
        self.stale, self.done = True, False
        self._all_stale = True
        self._help = False
        self._hint_wanted = self._hint_awaited = False
        self._grip: Point | None = None
        self._dragged = False
        self.choices: list[Button] = []
        self._size: tuple[int, int] | None = None
        acts = {
            "undo": (lambda: self._travel(-1), lambda: session.game.position > 0),
            "redo": (lambda: self._travel(1), lambda: session.game.position < session.game.last),
            "restart": (self._restart, lambda: session.game.position > 0),
            "hint": (self._ask, lambda: not session.solved),
            "previous": (lambda: self._go_to(-1), lambda: session.number > 0),
            "next": (lambda: self._go_to(1), lambda: session.number + 1 < len(session.levels)),
            "save": (lambda: self._say(session.save()), lambda: session.solved),
            "help": (self._toggle_help, lambda: True),
            "quit": (self._quit, lambda: True),
        }
        self._acts: dict[str, Callable[[], object]] = {}
        self.buttons: list[Button] = []
        for command in PLAYING:
            act, enabled = acts[command.name]
            self._acts |= dict.fromkeys(command.keys, act)
            if command.label:
                self.buttons.append(Button(command.label, act, command.shown, enabled))
        self._begin_level()

    def _begin_level(self) -> None:
        game = self.session.game
        rows, columns = game.now.board.planes.shape[1:]
        format, level = game.env.puzzle.format, self.session.level
        self.controls: Controls = game.env.puzzle.controls(format.shape(level.record))
        self.cursor = self.controls.begin(game.now.board)
        self.board = BoardView(game.now.picture, rows, columns)
        self._hint_wanted = self._hint_awaited = False
        self._say(self.session.progress.complaint, warning=True)
        self.session.progress.complaint = ""
        self._follow_cursor()
        if self._size is not None:
            self.resize(*self._size)

    @property
    def title(self) -> str:
        """The level and the progress on it."""
        session = self.session
        place = f"{session.game.env.puzzle.title}: {session.level.name}"
        state = ", solved" if session.solved else ""
        return f"{place}, {session.moves} {session.unit}{state}"

    # --- what the player does -----------------------------------------------------------------

    def key(self, name: str) -> None:
        """Handle a key: common commands first, then the puzzle's own keys."""
        self._refresh()
        if self._help:
            self._help = False
            return
        if name in self._acts:
            self._acts[name]()
            return
        answer = self.controls.press(self.session.game.now.board, self.cursor, name)
        if answer is not None:
            self._take(answer)

    def press(self, x: float, y: float) -> None:
        """Press a button, or grab something on the board."""
        self._refresh()
        if self._help:
            self._help = False
            return
        if not any(button.click(x, y) for button in [*self.buttons, *self.choices]):
            self._grip, self._dragged = self.board.point_at(x, y), False
            self._start = self._grip

    def move(self, x: float, y: float, *, held: bool) -> None:
        """Drag what was grabbed."""
        for button in (*self.buttons, *self.choices):
            if button.hover(x, y):
                self._refresh()
        point = self.board.point_at(x, y)
        if not held or self._grip is None or point is None:
            return
        while self._grip is not None:
            board = self.session.game.now.board
            answer = self.controls.drag(board, self.cursor, self._grip, point, dropped=False)
            if not answer.actions or not self._take(answer):
                break
            self._grip, self._dragged = answer.grip, True

    def release(self, x: float, y: float) -> None:
        """Handle a click, or the end of a drag."""
        grip, self._grip = self._grip, None
        point = self.board.point_at(x, y)
        if grip is None or point is None or self._dragged:
            return
        board = self.session.game.now.board
        if max(abs(point.x - grip.x), abs(point.y - grip.y)) < STILL:
            self._take(self.controls.click(board, self.cursor, grip))
        else:
            self._take(self.controls.drag(board, self.cursor, grip, point, dropped=True))

    def wheel(self, amount: int) -> None:
        """Scroll through the history."""
        self._travel(-1 if amount > 0 else 1)

    def _take(self, answer: Answer) -> bool:
        """Play the actions of an answer; return whether any was played."""
        self._refresh()
        played = 0
        for action in answer.actions:
            if not self._play(action):
                break
            played += 1
        if played or not answer.actions:
            self.cursor = answer.cursor
        if not played and (answer.sentence or answer.actions):
            self._refuse(answer.sentence or "That is not possible.")
        elif not played:
            self._say("")
        self._follow_cursor()
        return played > 0

    def _play(self, action: int) -> bool:
        if self.session.solved or not self.session.play(action):
            return False
        self.board.step(self.session.game.now.picture)
        self._arrive()
        return True

    def _refuse(self, sentence: str) -> None:
        if self.session.solved:
            sentence = "Already solved. Press N for the next level."
        self.board.shake()
        self._say(sentence, warning=True)

    def _arrive(self) -> None:
        """Update everything to the game's current moment."""
        self.board.rest(self.session.game.now.picture)
        self._hint_wanted = self._hint_awaited = False
        self._say(self.session.verdict(), warning=not self.session.solved)
        self._follow_cursor()
        self._refresh()

    def _follow_cursor(self) -> None:
        board = self.session.game.now.board
        offered = self.controls.choices(board, self.cursor)
        self.choices = [
            Button(
                choice.label,
                lambda action=choice.action: self._take(Answer(self.cursor, (action,))),  # type: ignore[misc]
                enabled=lambda action=choice.action: bool(  # type: ignore[misc]
                    self.session.game.now.board.legal[action]
                ),
            )
            for choice in offered
        ]
        self._place_choices()

    # --- commands -----------------------------------------------------------------------------

    def _travel(self, by: int) -> None:
        game = self.session.game
        before = game.now
        if not game.go_to(game.position + by):
            return
        self.board.step(before.picture if by < 0 else game.now.picture, backwards=by < 0)
        self._arrive()

    def _restart(self) -> None:
        game = self.session.game
        if game.go_to(0):
            rows, columns = game.now.board.planes.shape[1:]
            self.board.show(game.now.picture, rows, columns)
            self._arrive()

    def _go_to(self, by: int) -> None:
        if self.session.go_to(self.session.number + by):
            self._begin_level()
            self._refresh()

    def _ask(self) -> None:
        """Show the next move, or play it if it is already shown."""
        if self.session.solved:
            self._say("Already solved.")
            return
        hint = self.session.find_hint()
        if self._hint_wanted and hint is not None and hint.action is not None:
            self._play(hint.action)
            return
        self._hint_wanted = True
        if hint is None and not self.session.hints.is_busy:
            self.session.ask_for_hint()
        self._tell_hint()

    def _tell_hint(self) -> None:
        """Show the hint, or that the search is running."""
        self._refresh()
        self._hint_awaited = False
        hint, hints = self.session.find_hint(), self.session.hints
        if hint is None:
            self._hint_awaited = not hints.failure
            self._say(hints.failure or "Searching for a hint …", warning=bool(hints.failure))
        elif hint.action is None:
            proved = "unsolvable from here: undo" if self.session.game.position else "unsolvable"
            self._say(
                f"Proved {proved}." if hint.proved else "No hint found in time.", warning=True
            )
        else:
            puzzle = self.session.game.env.puzzle
            shape = puzzle.format.shape(self.session.level.record)
            action = puzzle.codec.action_text(hint.action, shape)
            least = "at least " if hint.proved else ""
            unit = self.session.unit if hint.left != 1 else self.session.unit.removesuffix("s")
            self._say(
                f"Hint: {action} ({least}{hint.left} {unit} from here). Press I again to play it."
            )

    def _toggle_help(self) -> None:
        self._help = not self._help

    def _quit(self) -> None:
        self.done = True

    def _say(self, sentence: str, *, warning: bool = False) -> None:
        self._sentence, self._warning = sentence, warning
        self._refresh()

    def _refresh(self) -> None:
        """Redraw everything, not only the board."""
        self.stale = self._all_stale = True

    # --- time ---------------------------------------------------------------------------------

    def advance(self, now: float) -> float | None:
        """Advance the board's animation; pick up a hint that was found."""
        hints = self.session.hints
        if self._hint_awaited and not hints.is_busy:
            self._tell_hint()
        was_moving = self.board.is_moving
        pause = self.board.advance(now)
        if was_moving and not self.board.is_moving:
            self._refresh()
        self.stale |= pause == 0
        return pause

    # --- layout -------------------------------------------------------------------------------

    def resize(self, width: int, height: int) -> None:
        """Lay everything out: the panel to the right of the board, or above and below it."""
        self._size = (width, height)
        self._refresh()
        upright = height > 1.05 * width
        size = min(width / (26 if upright else 46), height / 34)
        size = self._type = round(min(LARGEST_TYPE, max(SMALLEST_TYPE, size)))
        self._upright = upright
        gap, edge = size // 2, size
        window = pygame.Rect(0, 0, width, height).inflate(-2 * edge, -2 * edge)
        line, said = 2 * size, 3 * size
        if upright:
            self._panel = pygame.Rect(window.left, window.top, window.width, round(6.9 * size))
            rows = 2 * (line + gap)
            buttons = pygame.Rect(window.left, window.bottom - rows + gap, window.width, rows)
            grid(self.buttons, buttons, 4, line, gap)
            below = buttons.top - gap
            self._offered = pygame.Rect(window.left, below - line, window.width, line)
            if self.choices:
                below -= line + gap
            top = self._panel.bottom + gap
            board = pygame.Rect(window.left, top, window.width, below - said - top)
        else:
            across = min(round(15.5 * size), round(0.4 * width))
            self._panel = pygame.Rect(window.right - across, window.top, across, window.height)
            inner = self._panel.inflate(-2 * gap, -2 * gap)
            rows = 4 * (line + gap) - gap
            buttons = pygame.Rect(inner.left, inner.bottom - rows, inner.width, rows)
            grid(self.buttons, buttons, 2, line, gap)
            self._offered = pygame.Rect(
                inner.left, inner.top + round(7.2 * size), inner.width, line
            )
            board = pygame.Rect(
                window.left, window.top, self._panel.left - edge - window.left, window.height - said
            )
        self._message = pygame.Rect(board.left, board.bottom, board.width, said)
        self.board.place(board)
        self._place_choices()

    def _place_choices(self) -> None:
        if not self.choices or self._size is None:
            return
        size = self._type
        longest = max(text_width(button.label, size) for button in self.choices) + 0.8 * size
        fitting = int((self._offered.width + size // 2) // (longest + size // 2))
        columns = min(len(self.choices) if self._upright else 6, max(1, fitting))
        grid(self.choices, self._offered, columns, round(1.8 * size), size // 3)

    # --- drawing ------------------------------------------------------------------------------

    def draw(self, surface: pygame.Surface) -> None:
        """Draw everything, or only the board while only it moves."""
        style, size = self._style, self._type
        if not self._all_stale and not self._help:
            surface.fill(style.page, self.board.drawn.inflate(2 * size - 2, 0))
            self.board.draw(surface)
            return
        self._all_stale = False
        surface.fill(style.page)
        self.board.draw(surface)
        if not self.board.is_moving:
            self._draw_marks(surface)
        if self._sentence:
            self._draw_message(surface)
        panel(surface, self._panel, style, size // 2)
        self._draw_counters(surface)
        for button in (*self.choices, *self.buttons):
            button.draw(surface, style, size)
        if not self._upright:
            self._draw_reminder(surface)
        if self._help:
            self._draw_help(surface)

    def _draw_marks(self, surface: pygame.Surface) -> None:
        session = self.session
        board = session.game.now.board
        cursor = self.controls.cursor_mark(board, self.cursor)
        if cursor is not None and not session.solved:
            self.board.draw_mark(surface, cursor, self._style, hint=False)
        hint = session.find_hint() if self._hint_wanted else None
        if hint is not None and hint.action is not None:
            mark = self.controls.action_mark(board, hint.action)
            if mark is not None:
                self.board.draw_mark(surface, mark, self._style, hint=True)

    def _draw_message(self, surface: pygame.Surface) -> None:
        style, size = self._style, self._type
        colour = style.warning if self._warning else style.good
        lines = lines_of(self._sentence, size, self._message.width)
        area = self._message.copy()
        area.height = round(1.35 * size) * len(lines)
        area.centery = self._message.centery
        paragraph(surface, self._sentence, area, size, colour, "middle")

    def _draw_counters(self, surface: pygame.Surface) -> None:
        style, size, session = self._style, self._type, self.session
        inner = self._panel.inflate(-size, -size)
        title = session.game.env.puzzle.title
        large = round(1.5 * size)
        text(
            surface, title, (inner.left, inner.top + large / 2), large, style.text, room=inner.width
        )
        label = f"{session.level.name}   {session.number + 1} of {len(session.levels)}"
        line = (inner.left, inner.top + 2.2 * size)
        solved = sum(session.progress.best(one) is not None for one in session.levels)
        done = f"{solved} solved" if solved else ""
        room = inner.width - text_width(done, size) - size
        text(surface, label, line, size, style.muted, room=room)
        text(surface, done, (inner.right, line[1]), size, style.muted, align="right")
        best = session.progress.best(session.level)
        numbers = (
            (session.unit, str(session.moves), style.good if session.solved else ""),
            (*session.fewest, ""),
            ("your best", "–" if best is None else str(best), ""),
        )
        top = inner.top + round((3.1 if self._upright else 3.7) * size)
        width = inner.width // len(numbers)
        for number, (label, value, colour) in enumerate(numbers):
            area = pygame.Rect(inner.left + number * width, top, width - size // 3, 3 * size)
            counter(surface, area, style, size, label, value, colour)

    def _draw_reminder(self, surface: pygame.Surface) -> None:
        """Draw the puzzle's own keys if the panel has room for them."""
        style, size = self._style, self._type
        top = max([self._offered.top, *(button.area.bottom + size for button in self.choices)])
        area = pygame.Rect(self._offered.left, top, self._offered.width, 0)
        rows = [*self.controls.keys.items(), *self.controls.pointer.items()]
        bottom = self.buttons[0].area.top - size
        for keys, meaning in rows:
            words = f"{keys}: {meaning}"
            if area.top + round(1.35 * size) * len(lines_of(words, size, area.width)) > bottom:
                return
            area.top = paragraph(surface, words, area, size, style.muted) + size // 3

    def _draw_help(self, surface: pygame.Surface) -> None:
        style = self._style
        shade = pygame.Surface(surface.get_size(), pygame.SRCALPHA)
        shade.fill((*pygame.Color(style.text if style.page > "#8" else "#000000")[:3], 150))
        surface.blit(shade, (0, 0))
        rows = table(self.controls, PLAYING)
        size = self._type
        width, height = surface.get_size()
        while True:
            left = max(text_width(keys, size) for keys, _ in rows)
            card = pygame.Rect(0, 0, min(width - 2 * size, left + 32 * size), height)
            room = card.width - left - 4 * size
            needed = _help_rows(None, rows, pygame.Rect(0, 0, room, 0), left, size, style)
            if needed + 5 * size <= height or size <= 10:
                break
            size -= 1
        card.height = min(height - size, needed + round(4.4 * size))
        card.center = (width // 2, height // 2)
        surface.blit(rounded(*card.size, style.panel, size), card)
        place = (card.centerx, card.top + 1.6 * size)
        text(surface, "Keys and pointer", place, round(1.3 * size), style.text, align="middle")
        area = pygame.Rect(card.left + left + 3 * size, card.top + 3 * size, room, 0)
        _help_rows(surface, rows, area, left, size, style)


def _help_rows(
    surface: pygame.Surface | None,
    rows: list[tuple[str, str]],
    area: pygame.Rect,
    left: int,
    size: int,
    style: Style,
) -> int:
    """Draw the key table, or only measure it; return its height."""
    step, top = round(1.35 * size), area.top
    for keys, meaning in rows:
        if surface is not None:
            place = (area.left - size, top + step / 2)
            text(surface, keys, place, size, style.accent, align="right", room=left)
            paragraph(surface, meaning, area.move(0, top - area.top), size, style.text)
        top += step * len(lines_of(meaning, size, area.width)) + size // 4
    return top - area.top
