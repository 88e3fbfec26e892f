"""Zip archives whose authors may mean harm: what is in them is bounded before it is unpacked."""

from __future__ import annotations

import io
import struct
import zipfile
import zlib
from collections.abc import Collection

__all__ = ["Archive"]

MOST_PARTS = 10_000
ENCRYPTED = 1
"""The bit that says so in a part's flags."""
FAULTS = (
    zipfile.BadZipFile, zlib.error, struct.error, EOFError, LookupError, OSError, RuntimeError,
    ValueError,
)  # fmt: skip
"""What zipfile raises on damaged archives."""


class Archive:
    """The parts of a zip archive by their names. Everything wrong with it is a ValueError."""

    def __init__(self, data: bytes, *, packed: bool) -> None:
        """Progress at the list of its parts.

        Args:
            data: The whole archive.
            packed: Whether its parts may be compressed; those of an archive in an archive may not.
        """
        try:
            self._zip = zipfile.ZipFile(io.BytesIO(data))
        except FAULTS as error:
            raise ValueError(f"It is no archive, or a damaged one: {_short(error)}.") from None
        self._parts = {part.filename: part for part in self._zip.infolist()}
        if len(self._parts) < len(self._zip.infolist()) or len(self._parts) > MOST_PARTS:
            raise ValueError(f"It has two parts of one name, or more than {MOST_PARTS:,} parts.")
        methods = (zipfile.ZIP_STORED, *([zipfile.ZIP_DEFLATED] if packed else []))
        for name, part in self._parts.items():
            if part.compress_type not in methods or part.flag_bits & ENCRYPTED:
                raise ValueError(f"Its part '{name[:60]}' is packed in an unknown way.")
            if part.compress_type == zipfile.ZIP_STORED and part.file_size != part.compress_size:
                raise ValueError(f"Its part '{name[:60]}' has two sizes.")
        if not packed and sum(part.file_size for part in self._parts.values()) > len(data):
            raise ValueError("Its parts overlap.")

    @property
    def names(self) -> Collection[str]:
        """What there is."""
        return self._parts.keys()

    def size(self, name: str) -> int:
        """How many bytes a part unpacks to."""
        if name not in self._parts:
            raise ValueError(f"It has no part '{name[:60]}'.")
        return self._parts[name].file_size

    def read(self, name: str, largest: int) -> bytes:
        """Unpack a part, if it says that it is not larger than that, and then keeps to it."""
        size = self.size(name)
        if size > largest:
            raise ValueError(
                f"Its part '{name[:60]}' unpacks to {size:,} bytes, more than the {largest:,} that "
                "it may have."
            )
        try:
            with self._zip.open(self._parts[name]) as part:
                data = part.read(size) if size else b""  # without a number it unpacks all there is
        except FAULTS as error:
            raise ValueError(f"Its part '{name[:60]}' is damaged: {_short(error)}.") from None
        if len(data) != size:
            raise ValueError(f"Its part '{name[:60]}' ends early.")
        return data


def _short(error: Exception) -> str:
    """What zipfile says, which may go on with the bytes that it found."""
    return str(error)[:100]
