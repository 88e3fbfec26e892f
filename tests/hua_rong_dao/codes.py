"""The three ways to write a layout of the default box, one turned into another in plain Python.

Text: 20 characters, row by row: `.` empty, `S` a 1x1 block, `V` over `^` a vertical 2x1 block,
`H` left of `<` a horizontal one, `B` with three `*` the 2x2 block.

Digits: the paper's 20 digits, row by row: 0 empty, 1 a 1x1 block, 2 the 2x2 block, and for each
2x1 block a digit of its own from 3 to 8. Which block has which of these does not matter; written
here, they ascend with the cell of the block's upper or left half.

Code: the common 36 bits as nine hexadecimal digits: four bits for the cell of the 2x2 block's
upper-left corner, then two bits for each cell, row by row, that no block before covers: 00 empty,
01 H, 10 V, 11 S. What is left of the 36 bits is zero.
"""

from __future__ import annotations

WIDTH, HEIGHT = 4, 5
CELLS = WIDTH * HEIGHT
DOMINO_DIGITS = "345678"
CODE_DIGITS = 9
BITS = {".": "00", "H": "01", "V": "10", "S": "11"}
KINDS = {bits: kind for kind, bits in BITS.items()}
TAILS = {"S": "", "H": "<", "V": "^", "B": "***"}


def text_to_digits(text: str) -> str:
    """The paper's digits of a layout."""
    blocks = _blocks(text)
    dominoes = sum(kind in "HV" for kind, _ in blocks)
    if dominoes > len(DOMINO_DIGITS):
        raise ValueError(
            f"The layout has {dominoes} blocks of 2x1; the digits 3 to 8 stand for six at most."
        )
    digits = ["0"] * CELLS
    free = iter(DOMINO_DIGITS)
    for kind, cells in blocks:
        digit = {"S": "1", "B": "2"}.get(kind) or next(free)
        for cell in cells:
            digits[cell] = digit
    return "".join(digits)


def digits_to_text(digits: str) -> str:
    """The layout that the paper's digits stand for."""
    if len(digits) != CELLS or set(digits) - set("012" + DOMINO_DIGITS):
        raise ValueError(f"{digits!r} is not a layout; give 20 digits from 0 to 8.")
    text = ["."] * CELLS
    for digit in sorted(set(digits) - {"0"}):
        places = [cell for cell in range(CELLS) if digits[cell] == digit]
        if digit == "1":
            for cell in places:
                text[cell] = "S"
            continue
        kinds = "B" if digit == "2" else "HV"
        kind = next((kind for kind in kinds if _covered(kind, places[0]) == places), None)
        if kind is None:
            shape = "2x2" if digit == "2" else "2x1"
            raise ValueError(f"The cells {places} of digit {digit} are not one {shape} block.")
        _draw(text, kind, places)
    return "".join(text)


def text_to_code(text: str) -> str:
    """The common code of a layout."""
    blocks = _blocks(text)
    corners = [cells[0] for kind, cells in blocks if kind == "B"]
    if len(corners) != 1:
        raise ValueError(f"The layout has {len(corners)} blocks B; the code needs exactly one.")
    bits = f"{corners[0]:04b}"
    # A cell that ends a block's way, one of `<`, `^` and `*`, is covered by then.
    bits += "".join(BITS[character] for character in text if character in BITS)
    return f"{int(bits.ljust(4 * CODE_DIGITS, '0'), 2):0{CODE_DIGITS}X}"


def code_to_text(code: str) -> str:
    """The layout that the common code stands for."""
    if len(code) != CODE_DIGITS or set(code) - set("0123456789ABCDEFabcdef"):
        raise ValueError(f"{code!r} is not a code; give nine hexadecimal digits.")
    bits = f"{int(code, 16):0{4 * CODE_DIGITS}b}"
    text: list[str] = [""] * CELLS
    _place(text, "B", int(bits[:4], 2), code)
    rest = bits[4:]
    for cell in range(CELLS):
        if not text[cell]:
            kind, rest = KINDS[rest[:2]], rest[2:]
            _place(text, kind, cell, code)
    if "1" in rest:
        raise ValueError(f"The code {code} goes on after the last cell; fill it up with zeros.")
    return "".join(text)


def digits_to_code(digits: str) -> str:
    """The common code of the layout that the paper's digits stand for."""
    return text_to_code(digits_to_text(digits))


def code_to_digits(code: str) -> str:
    """The paper's digits of the layout that the common code stands for."""
    return text_to_digits(code_to_text(code))


def _covered(kind: str, cell: int) -> list[int] | None:
    """The cells that a block covers from its first on, None if it does not fit the box."""
    row, column = divmod(cell, WIDTH)
    height, width = {"S": (1, 1), "H": (1, 2), "V": (2, 1), "B": (2, 2)}[kind]
    if row + height > HEIGHT or column + width > WIDTH:
        return None
    return [cell + WIDTH * down + right for down in range(height) for right in range(width)]


def _draw(text: list[str], kind: str, cells: list[int]) -> None:
    for cell, character in zip(cells, kind + TAILS[kind], strict=True):
        text[cell] = character


def _place(text: list[str], kind: str, cell: int, code: str) -> None:
    """Draw what a code has for the cell."""
    cells = [cell] if kind == "." else _covered(kind, cell)
    if cells is None or any(text[covered] for covered in cells):
        raise ValueError(f"The code {code} has a block {kind} on cell {cell}, where it cannot be.")
    if kind == ".":
        text[cell] = "."
    else:
        _draw(text, kind, cells)


def _blocks(text: str) -> list[tuple[str, list[int]]]:
    """The blocks of a layout, kind and cells, in the order of their first cells."""
    if len(text) != CELLS:
        raise ValueError(f"The layout has {len(text)} characters; give 20, row by row.")
    blocks: list[tuple[str, list[int]]] = []
    drawn = ["."] * CELLS
    for cell, kind in enumerate(text):
        if kind in TAILS:
            cells = _covered(kind, cell)
            if cells is None or any(drawn[covered] != "." for covered in cells):
                raise ValueError(f"The block {kind} on cell {cell} of {text!r} is not whole.")
            _draw(drawn, kind, cells)
            blocks.append((kind, cells))
    if "".join(drawn) != text:
        raise ValueError(
            f"{text!r} does not draw whole blocks; use S, V and ^, H and <, B and ***."
        )
    return blocks
