"""A screen that is not there, a hand that presses real keys on it, and an eye that sees it."""

from __future__ import annotations

import os
import shutil
import struct
import subprocess
import tempfile
import time
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

TOOLS = ("Xvfb", "xdotool")
PATIENCE = 120.0
"""Seconds for a window to open, on a machine that is busy."""
PIXELS = (1600, 1000)


def missing_tools() -> list[str]:
    """What this machine lacks."""
    return [tool for tool in TOOLS if shutil.which(tool) is None]


class Desk:
    """A screen of its own; everything on it ends with it."""

    def __enter__(self) -> Desk:
        self._folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        read, write = os.pipe()
        size = "x".join(map(str, PIXELS))
        self._server = subprocess.Popen(
            ["Xvfb", "-displayfd", str(write), "-screen", "0", f"{size}x24", "-nolisten", "tcp",
             "-fbdir", self._folder.name],
            pass_fds=[write], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        os.close(write)
        with os.fdopen(read) as display:
            self.environment = {**os.environ, "DISPLAY": f":{display.readline().strip()}"}
        self.environment.pop("SDL_VIDEODRIVER", None)
        self._programs: list[subprocess.Popen[str]] = []
        return self

    def __exit__(self, *_: object) -> None:
        for program in self._programs:
            program.kill()
            program.communicate()
        self._server.terminate()
        self._server.wait()
        self._folder.cleanup()

    def start(self, command: list[str], **environment: str) -> subprocess.Popen[str]:
        """Start a program and wait for its window, which then has the keyboard."""
        program = subprocess.Popen(
            command, env=self.environment | environment, text=True,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )  # fmt: skip
        self._programs.append(program)
        end = time.monotonic() + PATIENCE
        while not self.window:
            assert program.poll() is None, program.communicate()
            assert time.monotonic() < end, "No window has opened."
            time.sleep(0.05)
        # SDL may make the window anew when it is first drawn.
        time.sleep(0.3)
        self.until(lambda: self.window, "a window")
        self.tool("windowfocus", self.window)
        return program

    @property
    def window(self) -> str:
        """The number of the last program's window; nothing while there is none."""
        pid = str(self._programs[-1].pid)
        return self.tool("search", "--onlyvisible", "--pid", pid).partition("\n")[0]

    def tool(self, *arguments: str) -> str:
        done = subprocess.run(
            ["xdotool", *arguments], env=self.environment, capture_output=True, text=True,
            check=False, timeout=20,
        )  # fmt: skip
        return done.stdout.strip()

    def keys(self, *names: str) -> None:
        """Press keys one after the other, by their X names."""
        self.tool("key", "--delay", "30", *names)

    def click(self, x: float, y: float) -> None:
        self.tool("mousemove", *self._at(x, y), "click", "1")

    def _at(self, x: float, y: float) -> list[str]:
        return ["--window", self.window, str(round(x)), str(round(y))]

    def drag(self, start: tuple[float, float], end: tuple[float, float]) -> None:
        middle = ((start[0] + end[0]) / 2, (start[1] + end[1]) / 2)
        self.tool("mousemove", *self._at(*start), "mousedown", "1")
        for place in (middle, end):
            self.tool("mousemove", *self._at(*place))
        self.tool("mouseup", "1")

    def resize(self, width: int, height: int) -> None:
        self.tool("windowsize", self.window, str(width), str(height))

    def pixels(self) -> NDArray[np.uint8]:
        """What is on the screen, (height, width, 3): the file that Xvfb keeps its memory in."""
        dump = (Path(self._folder.name) / "Xvfb_screen0").read_bytes()
        head = struct.unpack(">25I", dump[:100])
        begin, width, height, row, colours = head[0], head[4], head[5], head[12], head[19]
        begin += 12 * colours
        lines = np.frombuffer(dump, np.uint8, row * height, begin).reshape(height, row)
        return lines[:, : 4 * width].reshape(height, width, 4)[:, :, 2::-1].copy()

    def area(self) -> tuple[int, int, int, int]:
        """Where the window is: left, top, width, height."""
        told = self.tool("getwindowgeometry", "--shell", self.window).splitlines()
        numbers = dict(line.split("=") for line in told)
        left, top, width, height = (int(numbers[key]) for key in ("X", "Y", "WIDTH", "HEIGHT"))
        return left, top, width, height

    def save(self, path: Path) -> None:
        """Write what the window shows as a PNG."""
        left, top, width, height = self.area()
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(_png(self.pixels()[top : top + height, left : left + width]))

    def until(self, holds: Callable[[], Any], what: str, seconds: float = 30.0) -> None:
        """Wait for something that has to come about."""
        end = time.monotonic() + seconds
        while not holds():
            assert time.monotonic() < end, f"In {seconds:g} seconds it did not come about: {what}"
            time.sleep(0.05)


def _png(pixels: NDArray[np.uint8]) -> bytes:
    height, width, _ = pixels.shape
    rows = np.zeros((height, 1 + 3 * width), np.uint8)
    rows[:, 1:] = pixels.reshape(height, -1)
    parts = (
        (b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)),
        (b"IDAT", zlib.compress(rows.tobytes(), 1)),
        (b"IEND", b""),
    )
    chunks = (
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        for kind, data in parts
    )
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunks)
