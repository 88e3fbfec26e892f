"""The reference of the public names: those in a module's `__all__`.

The source is read, not imported: no extra has to be installed, and compiled functions look as they
are written.
"""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path

from docs.pages.links import ROOT

SOURCES = {"puzzle_envs": ROOT / "puzzle_envs", "puzzle_agents": ROOT / "agents" / "puzzle_agents"}
LONGEST_VALUE = 60
SECTION = re.compile(r"^(Args|Returns|Raises|Attributes|Yields):$", re.MULTILINE)
HEADINGS = {"Args": "Arguments"}


@dataclass(frozen=True)
class Definition:
    """A name that a module defines."""

    name: str
    directive: str
    signature: str = ""
    """What follows the name: arguments and result, or nothing."""
    text: str = ""
    options: dict[str, str] = field(default_factory=dict)
    members: list[Definition] = field(default_factory=list)
    bases: list[str] = field(default_factory=list)


def packages() -> list[str]:
    """The packages with public modules."""
    return sorted({_package_of(module) for module in _modules() if exported(module)})


def package(name: str) -> str:
    """A section for each public module of a package."""
    found = [one for one in _modules() if _package_of(one) == name and exported(one)]
    return "\n\n".join(_module(one) for one in found)


@cache
def _modules() -> dict[str, Path]:
    """The files of the packages, by module."""
    found = {}
    for name, folder in SOURCES.items():
        for path in folder.rglob("*.py"):
            parts = (name, *path.relative_to(folder).with_suffix("").parts)
            found[".".join(parts).removesuffix(".__init__")] = path
    return dict(sorted(found.items()))


def _package_of(module: str) -> str:
    """The package that a module is in; of a package, itself."""
    is_package = _modules()[module].name == "__init__.py"
    return module if is_package else module.rpartition(".")[0]


@cache
def _tree(module: str) -> ast.Module:
    return ast.parse(_modules()[module].read_text())


@cache
def exported(module: str) -> tuple[str, ...]:
    """The names in `__all__`; none of a module without it."""
    for node in _tree(module).body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__":
            return tuple(ast.literal_eval(node.value))
    return ()


def _module(module: str) -> str:
    """A module's docstring and public names."""
    lines = [
        f"## `{module}`",
        f"```{{py:module}} {module}\n```",
        prose(ast.get_docstring(_tree(module)) or ""),
    ]
    elsewhere, here = [], []
    for name in exported(module):
        home = home_of(module, name)
        if home != module and name in exported(home):
            elsewhere.append(f"{{py:obj}}`{name} <{home}.{name}>`")
        else:
            here.append(_directive(definition(home, name), module))
    if elsewhere:
        lines.append("Also here: " + ", ".join(elsewhere) + ".")
    return "\n\n".join((*lines, *here))


def home_of(module: str, name: str) -> str:
    """The module that defines a name, which may be another that it is imported from."""
    if any(one.name == name for one in _definitions(_tree(module).body)):
        return module
    for node in ast.walk(_tree(module)):
        if isinstance(node, ast.ImportFrom) and node.module in _modules():
            for alias in node.names:
                if name == (alias.asname or alias.name):
                    return home_of(node.module, alias.name)
    return module


def definition(module: str, name: str) -> Definition:
    """What a module says of one of its names."""
    for one in _definitions(_tree(module).body):
        if one.name == name:
            return _with_arguments(one, module)
    raise LookupError(f"{module} exports '{name}' and does not define it.")


def _with_arguments(one: Definition, module: str) -> Definition:
    """A class that inherits its constructor, with the one that it inherits."""
    if one.directive != "py:class" or any(member.name == "__init__" for member in one.members):
        return one
    for base in one.bases:
        home = home_of(module, base)
        if any(other.name == base for other in _definitions(_tree(home).body)):
            inherited = definition(home, base)
            init = [member for member in inherited.members if member.name == "__init__"]
            members = [*one.members, *init]
            return replace(one, members=members, signature=inherited.signature)
    return one


def _definitions(body: list[ast.stmt], *, inside: bool = False) -> Iterator[Definition]:
    """The functions, classes and values of a body, each with its docstring."""
    for number, node in enumerate(body):
        if isinstance(node, ast.FunctionDef):
            yield _function(node, inside)
        elif isinstance(node, ast.ClassDef):
            yield _class(node)
        elif isinstance(node, (ast.Assign, ast.AnnAssign)):
            following = body[number + 1] if number + 1 < len(body) else None
            yield from _values(node, _string(following), inside)


def _function(node: ast.FunctionDef, inside: bool) -> Definition:
    decorators = {ast.unparse(one) for one in node.decorator_list}
    text = prose(ast.get_docstring(node) or "")
    result = "" if node.returns is None else ast.unparse(node.returns)
    if inside and decorators & {"property", "cached_property"}:
        return Definition(node.name, "py:property", "", text, {"type": result} if result else {})
    arguments = node.args
    static = "staticmethod" in decorators
    if inside and not static:
        first = [*arguments.posonlyargs, *arguments.args][:1]
        arguments = _without(arguments, first)
    signature = f"({ast.unparse(arguments)})" + (f" -> {result}" if result else "")
    options = {"classmethod": ""} if "classmethod" in decorators else {}
    options |= {"staticmethod": ""} if static else {}
    options |= {"abstractmethod": ""} if "abstractmethod" in decorators else {}
    return Definition(node.name, "py:method" if inside else "py:function", signature, text, options)


def _without(arguments: ast.arguments, left_out: list[ast.arg]) -> ast.arguments:
    """Arguments without some of them."""
    kept = [one for one in arguments.args if one not in left_out]
    return ast.arguments(
        posonlyargs=[one for one in arguments.posonlyargs if one not in left_out],
        args=kept,
        vararg=arguments.vararg,
        kwonlyargs=arguments.kwonlyargs,
        kw_defaults=arguments.kw_defaults,
        kwarg=arguments.kwarg,
        defaults=arguments.defaults,
    )


def _class(node: ast.ClassDef) -> Definition:
    members = list(_definitions(node.body, inside=True))
    init = next((one for one in members if one.name == "__init__"), None)
    bases = [ast.unparse(base) for base in node.bases]
    text = prose((ast.get_docstring(node) or "").partition("\n## ")[0])
    if bases:
        text += f"\n\nBases: {', '.join(f'`{base}`' for base in bases)}."
    signature = "" if init is None else init.signature.removesuffix(" -> None")
    return Definition(node.name, "py:class", signature, text, {}, members, bases)


def _values(node: ast.Assign | ast.AnnAssign, text: str, inside: bool) -> Iterator[Definition]:
    """The names that a statement assigns."""
    targets = node.targets if isinstance(node, ast.Assign) else [node.target]
    options = {"type": ast.unparse(node.annotation)} if isinstance(node, ast.AnnAssign) else {}
    for target in targets:
        named = target.elts if isinstance(target, ast.Tuple) else [target]
        value = "" if node.value is None or len(named) > 1 else ast.unparse(node.value)
        shown = {"value": value} if value and len(value) <= LONGEST_VALUE else {}
        for one in named:
            if isinstance(one, ast.Name):
                kind = "py:attribute" if inside else "py:data"
                yield Definition(one.id, kind, "", prose(text), options | shown)


def _string(node: ast.stmt | None) -> str:
    """The docstring of an assignment: the string that follows it."""
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        value = node.value.value
        return inspect.cleandoc(value) if isinstance(value, str) else ""
    return ""


def _directive(one: Definition, module: str, depth: int = 0) -> str:
    """A definition as a directive, its public members inside."""
    init = [member.text for member in one.members if member.name == "__init__"]
    public = [member for member in one.members if not member.name.startswith("_")]
    inner = [_directive(member, module, depth + 1) for member in public]
    fence = ":" * (5 - depth)
    options = {**({} if depth else {"module": module}), **one.options}
    lines = [f"{fence}{{{one.directive}}} {one.name}{one.signature}"]
    lines += [f":{key}: {value}".rstrip() for key, value in options.items()]
    body = "\n\n".join(part for part in (one.text, *init, *inner) if part)
    return "\n".join((*lines, "", body, fence))


def prose(docstring: str) -> str:
    """A docstring as Markdown: its sections as lists, its angle brackets as such."""
    head, *rest = SECTION.split(docstring)
    parts = [without_html(head.strip())]
    for title, body in zip(rest[::2], rest[1::2], strict=True):
        parts.append(_section(title, inspect.cleandoc("\n" + body)))
    return "\n\n".join(part for part in parts if part)


def _section(title: str, body: str) -> str:
    """A section's entries as a list, or its text as a paragraph."""
    heading = f"**{HEADINGS.get(title, title)}**"
    entries = re.findall(r"^(\*{0,2}\w+): (.*(?:\n[ \n].*)*)", body, re.MULTILINE)
    if title in ("Returns", "Yields") or not entries:
        return f"{heading}: {without_html(body)}"
    items = [f"* `{name}`: {without_html(' '.join(text.split()))}" for name, text in entries]
    return "\n".join((heading, "", *items))


def without_html(text: str) -> str:
    """Escape angle brackets outside of code, which are not HTML."""
    parts = re.split(r"(`[^`]+`)", text)
    return "".join(
        part if number % 2 else part.replace("<", "\\<") for number, part in enumerate(parts)
    )
