"""The texts of the program that a reader sees, found in its source.

A text is a string that reaches a message or the help of a `Finding`, a `Text`, a refusal or a
phrase of a report: directly, by variables, constants, attributes, parameters of functions or what
functions return. Names of functions and constants are looked up in all of the program, whatever
module they are in. Values that are inserted into other texts are not found here: `test_recorded.py`
collects them while logs are judged.
"""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import altay_cli
from altay_cli.base.translations import REPORT

CODE = Path(altay_cli.__file__).parent
SINKS = {
    "Finding": ("message", "help"), "Related": ("message",), "Text": ("template", "many"),
    ".plural": ("singular", "many"), ".report_text": ("help_lines",),
    "DataFinding": ("message", "help"), "Traced": ("message", "help"),
    "ReadError": ("message", "help_lines"), "ExpressionError": ("message",),
    "NotationError": ("message",), "ImpossibleError": ("message",), "GameError": ("message",),
    "PermissionError": ("strerror",), "Refused": ("message",), "warn": ("message", "text"),
    "with_values": ("message",),
}  # fmt: skip
"""The functions and classes whose parameters are translated, and these parameters."""

REPLACED = frozenset({"help", "message"})
"""The fields of a finding that are translated."""

SHOWN = re.compile(r"\b(str|Text)\b")
"""What stands in the types of functions that return texts."""

PHRASES = frozenset({"phrase", "counted"})
"""The functions that translate phrases of reports."""

CONTAINERS = frozenset({"chain", "join", "list", "reversed", "sorted", "str", "tuple"})
"""The functions of Python whose results have the texts of their arguments."""

TRANSLATING = frozenset({"fill", "language", "template", "translated"})
"""The functions that are given what is found elsewhere."""

SPOKEN = frozenset({"cli", "replay", "report"})
"""The rooms that speak one language; the phrases of others name it before."""

Function = ast.FunctionDef | ast.AsyncFunctionDef
Key = tuple[str, str]


class Scope(NamedTuple):
    """A function or module: its parent, its name and parameters, and what its names are given."""

    file: Path
    parent: Scope | None
    name: str
    parameters: frozenset[str]
    values: dict[str, list[tuple[ast.expr, int | None]]]


class Use(NamedTuple):
    """An expression in its scope; of a tuple, ``item`` says which item is used."""

    node: ast.expr
    scope: Scope
    item: int | None = None


class Program:
    """What the source defines, by name, and the texts that reach a reader."""

    def __init__(self, folder: Path = CODE) -> None:
        self.parameters: dict[str, list[tuple[Path, list[str]]]] = defaultdict(list)
        """The parameters of the functions and classes of a name, each with its file, without `self`.

        Names of methods begin with a dot.
        """
        self.calls: dict[str, list[tuple[ast.Call, Scope]]] = defaultdict(list)
        self.returns: dict[str, list[Use]] = defaultdict(list)
        self.shown: set[str] = set()
        """The functions that return texts."""
        self.constants: dict[str, list[Use]] = defaultdict(list)
        self.bases: dict[str, list[str]] = defaultdict(list)
        self.imported: dict[Path, set[str]] = defaultdict(set)
        self.partial: dict[str, str] = {}
        """Functions of which some parameters were given by keyword."""
        self.found: set[str] = set()
        self._phrases: list[Use] = []
        self._seen: set[object] = set()
        self._todo: list[Use] = []
        for path in sorted(folder.rglob("*.py")):
            tree = ast.parse(path.read_text(encoding="utf-8"))
            scope = Scope(path, None, "", frozenset(), defaultdict(list))
            self._read(tree, scope, "", spoken=path.parent.name in SPOKEN)
            for name, values in scope.values.items():
                self.constants[name] += [Use(value, scope, item) for value, item in values]
        for name, function in self.partial.items():
            self.calls[function] += self.calls[name]
        self.parameters["PermissionError"].append((folder, ["errno", "strerror"]))
        for name in [*SINKS, *self.bases]:
            for parameter in self._translated_parameters(name):
                self._reach_parameter(name, parameter)
        self.texts = self._followed()
        self._todo = self._phrases
        self.phrases = self._followed()
        for page in (*folder.rglob("*.txt"), *folder.rglob("*.html")):
            self.phrases |= {*re.findall(r'phrase\("([^"]+)"', page.read_text(encoding="utf-8"))}

    def _followed(self) -> set[str]:
        """Return the strings to which the waiting expressions lead."""
        while self._todo:
            self._follow(self._todo.pop())
        found, self.found, self._seen = self.found, set(), set()
        return found

    # ------------------------------------------------------------ what there is

    def _read(self, node: ast.AST, scope: Scope, of_class: str, *, spoken: bool) -> None:
        for child in ast.iter_child_nodes(node):
            inner, inside = scope, of_class
            if isinstance(child, Function):
                inner = self._define(child, scope, of_class)
                inside = ""
            elif isinstance(child, ast.ClassDef):
                inside = child.name
                self.bases[child.name] = [ast.unparse(base) for base in child.bases]
                self._define_class(child, scope.file)
            self._note(child, inner, of_class, spoken=spoken)
            self._read(child, inner, inside, spoken=spoken)

    def _define(self, node: Function, scope: Scope, of_class: str) -> Scope:
        named = [*node.args.posonlyargs, *node.args.args]
        static = any(ast.unparse(one) == "staticmethod" for one in node.decorator_list)
        names = [one.arg for one in named[bool(of_class) and not static :]]
        rest = [node.args.vararg.arg + "*"] if node.args.vararg else []
        keywords = [one.arg for one in node.args.kwonlyargs]
        name = f".{node.name}" if of_class else node.name
        if node.name in {"__init__", "__new__"}:
            name = of_class
        self.parameters[name].append((scope.file, [*names, *rest, *keywords]))
        if node.returns is not None and SHOWN.search(ast.unparse(node.returns)):
            (self.shown if scope.parent is None and not of_class else set()).add(name)
        every = [*named, *node.args.kwonlyargs, *filter(None, [node.args.vararg])]
        known = frozenset(
            one.arg
            for one in every
            if one.annotation is None or SHOWN.search(ast.unparse(one.annotation))
        )
        return Scope(scope.file, scope, name, known, defaultdict(list))

    def _define_class(self, node: ast.ClassDef, file: Path) -> None:
        fields = [
            part.target.id
            for part in node.body
            if isinstance(part, ast.AnnAssign) and isinstance(part.target, ast.Name)
        ]
        has_init = any(isinstance(p, Function) and p.name == "__init__" for p in node.body)
        if fields and not has_init:
            self.parameters[node.name].append((file, fields))

    def _note(self, node: ast.AST, scope: Scope, of_class: str, *, spoken: bool) -> None:
        match node:
            case ast.Call():
                self._note_call(node, scope, of_class, spoken=spoken)
            case ast.Return(value=ast.expr() as value) | ast.Yield(value=ast.expr() as value):
                self.returns[scope.name].append(Use(value, scope))
            case ast.YieldFrom(value=value):
                self.returns[scope.name].append(Use(value, scope))
            case ast.Assign(
                targets=[ast.Name(id=name)],
                value=ast.Call(func=ast.Name(id="partial"), args=[ast.Name(id=function)]),
            ):
                self.partial[name] = function
            case ast.AugAssign(target=ast.Name(id=name), op=operator, value=value):
                scope.values[name] += [
                    (ast.BinOp(one, operator, value), None) for one, _ in scope.values[name][-1:]
                ]
            case ast.ImportFrom(names=names) | ast.Import(names=names):
                self.imported[scope.file] |= {one.asname or one.name for one in names}
            case ast.Assign(targets=targets, value=value):
                for target in targets:
                    self._bind(target, value, scope)
            case (
                ast.AnnAssign(target=target, value=ast.expr() as value)
                | ast.NamedExpr(target=target, value=value)
                | ast.For(target=target, iter=value)
                | ast.comprehension(target=target, iter=value)
            ):
                self._bind(target, value, scope)
            case _:
                pass

    def _note_call(self, call: ast.Call, scope: Scope, of_class: str, *, spoken: bool) -> None:
        name = called(call)
        if ast.unparse(call.func) == "super().__init__":
            for base in self.bases[scope.name]:
                self.calls[base.rpartition(".")[2]].append((call, scope))
        elif name == "cls":
            self.calls[of_class].append((call, scope))
        else:
            holder = call.func.value if isinstance(call.func, ast.Attribute) else None
            if holder is None or ast.unparse(holder) in self.imported[scope.file]:
                self.calls[name].append((call, scope))
            if holder is not None:
                self.calls[f".{name}"].append((call, scope))
        if name == "_replace":
            self._todo += [Use(k.value, scope) for k in call.keywords if k.arg in REPLACED]
        if name in {"append", "extend", "add"} and isinstance(call.func, ast.Attribute):
            for value in call.args[:1]:
                self._bind(call.func.value, value, scope)
        if name in PHRASES:
            given = call.args[not spoken :][: 1 + (name == "counted")]
            self._phrases += [Use(one, scope) for one in given]

    def _bind(self, target: ast.expr, value: ast.expr, scope: Scope) -> None:
        match target:
            case ast.Name(id=name):
                scope.values[name].append((value, None))
            case ast.Tuple(elts=parts) | ast.List(elts=parts):
                for item, part in enumerate(parts):
                    inner = part.value if isinstance(part, ast.Starred) else part
                    if isinstance(inner, ast.Name):
                        known = item if inner is part else None
                        scope.values[inner.id].append((value, known))
            case ast.Subscript(value=holder):
                self._bind(holder, value, scope)
            case _:
                pass

    # ------------------------------------------------------------ what reaches a reader

    def _reach_parameter(self, name: str, parameter: str, file: Path | None = None) -> None:
        """Follow what calls give for a parameter of the functions of a name, or of that in a file.

        A call means the function in its own file, if one has the name.
        """
        if ("parameter", name, parameter, file) in self._seen:
            return
        self._seen.add(("parameter", name, parameter, file))
        known = self._parameters_of(name)
        files = {where for where, _ in known}
        for where, names in known:
            if file is not None and where != file:
                continue
            rest = parameter + "*" in names
            if not rest and parameter not in names:
                continue
            place = names.index(parameter + "*" if rest else parameter)
            for call, scope in self.calls[name]:
                of_others = isinstance(call.func, ast.Attribute) and not is_own(call.func)
                if scope.file != where and scope.file in files and not of_others:
                    continue
                given = call.args[place:] if rest else call.args[place : place + 1]
                given = [one for one in given if not isinstance(one, ast.Starred) or rest]
                given += [one.value for one in call.keywords if one.arg == parameter]
                self._todo += [Use(one, scope) for one in given]

    def _translated_parameters(self, name: str) -> tuple[str, ...]:
        """Return the parameters of a function or class that are translated, also by its base."""
        bases = [] if self.parameters[name] else self.bases[name]
        inherited = (one for base in bases for one in self._translated_parameters(base))
        return SINKS.get(name) or tuple(inherited)

    def _parameters_of(self, name: str) -> list[tuple[Path, list[str]]]:
        """Return the parameters of a function or class, those of its base if it has none."""
        found = self.parameters[name]
        bases = () if found else self.bases[name]
        return found or [one for base in bases for one in self._parameters_of(base)]

    def _reach_name(self, name: str, scope: Scope | None, item: int | None) -> None:
        while scope is not None:
            if ("name", name, id(scope.values), item) in self._seen:
                return
            self._seen.add(("name", name, id(scope.values), item))
            if name in scope.values:
                self._todo += [
                    Use(one, scope, item if at is None else at) for one, at in scope.values[name]
                ]
            if name in scope.parameters:
                self._reach_parameter(scope.name, name, scope.file)
            if name in scope.values or name in scope.parameters:
                return
            scope = scope.parent
        self._reach_constant(name, item)

    def _reach_constant(self, name: str, item: int | None) -> None:
        if name.isupper() and ("constant", name, item) not in self._seen:
            self._seen.add(("constant", name, item))
            self._todo += [use._replace(item=item) for use in self.constants[name]]

    def _follow(self, use: Use) -> None:
        node, scope, item = use
        match node:
            case ast.Constant(value=str() as text):
                self.found.add(text)
            case ast.BinOp():
                self.found |= self._joined(node)
            case ast.Name(id=name):
                self._reach_name(name, scope, item)
            case ast.Attribute(attr=name):
                self._reach_constant(name, item)
            case ast.Call():
                self._follow_call(node, scope, item)
            case ast.Tuple(elts=[ast.Tuple(), *_] as rows) if item is not None:
                self._todo += [Use(row, scope, item) for row in rows]
            case ast.Tuple(elts=parts) if item is not None and item < len(parts):
                self._todo.append(Use(parts[item], scope))
            case _:
                self._todo += [Use(one, scope, item) for one in parts_of(node)]

    def _joined(self, node: ast.expr) -> set[str]:
        """Return what strings and constants are joined to, if it is nothing else."""
        match node:
            case ast.Constant(value=str() as text):
                return {text}
            case ast.BinOp(left=left, op=ast.Add(), right=right):
                return {a + b for a in self._joined(left) for b in self._joined(right)}
            case ast.IfExp(body=body, orelse=other):
                return self._joined(body) | self._joined(other)
            case ast.Name(id=name):
                return {text for use in self.constants[name] for text in self._joined(use.node)}
        return set()

    def _follow_call(self, call: ast.Call, scope: Scope, item: int | None) -> None:
        name = called(call)
        if name in SINKS or name in PHRASES or name in TRANSLATING:
            return  # its texts are found anyway
        if name in self.shown and isinstance(call.func, ast.Name):
            if ("returns", name, item) not in self._seen:
                self._seen.add(("returns", name, item))
                self._todo += [use._replace(item=item) for use in self.returns[name]]
        elif name in CONTAINERS:
            self._todo += [Use(one, scope, item) for one in call.args]


def is_own(function: ast.Attribute) -> bool:
    """Return True for a method of the object itself."""
    return ast.unparse(function.value) == "self"


def called(call: ast.Call) -> str:
    """Return the last part of the name of what is called."""
    return call.func.attr if isinstance(call.func, ast.Attribute) else ast.unparse(call.func)


def parts_of(node: ast.expr) -> Iterator[ast.expr]:
    """Yield the expressions whose values an expression can have, or contain."""
    match node:
        case ast.IfExp(body=body, orelse=other):
            yield from (body, other)
        case ast.BoolOp(values=parts) | ast.Tuple(elts=parts) | ast.List(elts=parts):
            yield from parts
        case ast.Set(elts=parts) | ast.Dict(values=parts):
            yield from parts
        case ast.Starred(value=part) | ast.NamedExpr(value=part) | ast.Subscript(value=part):
            yield part
        case ast.ListComp(elt=part) | ast.GeneratorExp(elt=part) | ast.SetComp(elt=part):
            yield part
        case ast.DictComp(value=part):
            yield part
        case _:
            pass


@cache
def program_texts() -> frozenset[tuple[str, str]]:
    """Return the context and English of each text of the program that has words."""
    program = Program()
    # What has no space is an id, a key or a name of a kind.
    found = {("", text) for text in program.texts if " " in text} | {
        (REPORT, text) for text in program.phrases
    }
    return frozenset(one for one in found if has_words(one[1]))


def has_words(template: str) -> bool:
    """Return True if something is left of a template without its placeholders."""
    return any(map(str.isalpha, re.sub(r"\{\w*\}", "", template)))
