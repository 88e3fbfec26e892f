"""Constructor parameters, for arguments from command lines and files."""

from __future__ import annotations

import inspect
from typing import Any, get_type_hints


def parameters(made: type) -> dict[str, Any]:
    """Types of a class's parameters by name; `**more` includes the base class's."""
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
