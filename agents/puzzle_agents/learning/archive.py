"""Untrusted zip archives: contents are bounded before they are unpacked."""

from __future__ import annotations

import io
import struct
import zipfile
import zlib
from collections.abc import Collection

MOST_PARTS = 10_000
ENCRYPTED = 1
"""Flag of encrypted parts."""
FAULTS = (
    zipfile.BadZipFile, zlib.error, struct.error, EOFError, LookupError, OSError, RuntimeError,
    ValueError,
)  # fmt: skip
"""Exceptions that zipfile raises on damaged archives."""


class Archive:
    """The parts of a zip archive by name. All its errors are ValueErrors."""

    def __init__(self, data: bytes, *, packed: bool) -> None:
        """Check the list of parts.

        Args:
            data: The whole archive.
            packed: Whether parts may be compressed; those of a nested archive may not.
        """
        try:
            self._zip = zipfile.ZipFile(io.BytesIO(data))
        except FAULTS as error:
            raise ValueError(f"It is not an archive, or it is damaged: {_short(error)}.") from None
        self._parts = {part.filename: part for part in self._zip.infolist()}
        if len(self._parts) < len(self._zip.infolist()) or len(self._parts) > MOST_PARTS:
            raise ValueError(f"It has parts with the same name, or more than {MOST_PARTS:,} parts.")
        methods = (zipfile.ZIP_STORED, *([zipfile.ZIP_DEFLATED] if packed else []))
        for name, part in self._parts.items():
            if part.compress_type not in methods or part.flag_bits & ENCRYPTED:
                raise ValueError(f"Its part '{name[:60]}' uses an unknown compression.")
            if part.compress_type == zipfile.ZIP_STORED and part.file_size != part.compress_size:
                raise ValueError(f"Its part '{name[:60]}' declares two different sizes.")
        if not packed and sum(part.file_size for part in self._parts.values()) > len(data):
            raise ValueError("Its parts overlap.")

    @property
    def names(self) -> Collection[str]:
        """Names of the parts."""
        return self._parts.keys()

    def size(self, name: str) -> int:
        """Unpacked size of a part in bytes."""
        if name not in self._parts:
            raise ValueError(f"It has no part '{name[:60]}'.")
        return self._parts[name].file_size

    def read(self, name: str, largest: int) -> bytes:
        """Unpack a part after checking its declared size, which is enforced."""
        size = self.size(name)
        if size > largest:
            raise ValueError(
                f"Its part '{name[:60]}' unpacks to {size:,} bytes, more than the "
                f"allowed {largest:,}."
            )
        try:
            with self._zip.open(self._parts[name]) as part:
                data = (
                    part.read(size) if size else b""
                )  # without a number it would unpack everything
        except FAULTS as error:
            raise ValueError(f"Its part '{name[:60]}' is damaged: {_short(error)}.") from None
        if len(data) != size:
            raise ValueError(f"Its part '{name[:60]}' ends early.")
        return data


def _short(error: Exception) -> str:
    """The message of zipfile, which may contain raw bytes, shortened."""
    return str(error)[:100]
