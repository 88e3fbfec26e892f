"""What a class takes, for arguments that people type or write into files."""

from __future__ import annotations

import inspect
from typing import Any, get_type_hints

__all__ = ["parameters"]


def parameters(made: type) -> dict[str, Any]:
    """The types of what a class takes, by name; `**more` stands for what its base class takes."""
    found: dict[str, Any] = {}
    for base in made.__mro__:
        if "__init__" not in vars(base):
            continue
        init: Any = vars(base)["__init__"]
        signed = inspect.signature(init).parameters.values()
        hints = get_type_hints(init) if inspect.isfunction(init) else {}
        for parameter in signed:
            if parameter.kind in (parameter.KEYWORD_ONLY, parameter.POSITIONAL_OR_KEYWORD):
                found.setdefault(parameter.name, hints.get(parameter.name, str))
        if not any(parameter.kind == parameter.VAR_KEYWORD for parameter in signed):
            break
    found.pop("self", None)
    return found
