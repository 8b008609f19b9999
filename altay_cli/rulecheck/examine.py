"""All that is wrong with rules, in one run: form, references, types, and sense."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from altay_cli.pack.building import compile_whole, lay_over
from altay_cli.pack.document import DataPath
from altay_cli.pack.folder import Tree, read_folder, walk
from altay_cli.pack.inspect import UnknownPartError, find
from altay_cli.pack.load import link_pack
from altay_cli.pack.problems import MAX_PROBLEMS, Problem
from altay_cli.pack.variants import WORDS, Chains, Patcher, Variant, revalidate
from altay_cli.rulecheck.logic import logic
from altay_cli.rulecheck.remarks import Remark
from altay_cli.rulecheck.tables import Trial
from altay_cli.rulecheck.texts import texts
from altay_cli.spans import START, Span

MAX_PARTS = 24
"""How often rules are compiled with a part of their changes, to find those that are at fault."""

_CONSEQUENCES = frozenset(
    {"rule-never-fails", "rule-never-met", "never-happens", "zone-never-filled"}
)
"""What follows from other mistakes as well, and is then not told beside its cause."""
_ELSEWHERE = "it shows in"
MAX_PLACES = 12
"""How many places are listed that use what was removed."""

Key = tuple[object, ...]
"""What two runs tell a problem by: its rule, and its place in the rules or in a file."""


def examine(folder: Path, variants: Sequence[Path]) -> list[Problem]:
    """Check a rules folder with variants laid over it; give every problem, in order.

    Sense is only asked where form, references and types are right.
    """
    return Examiner(folder).examine(variants)


class Examiner:
    """Checks variants of one game; the files of the game are read once."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.base = read_folder(folder)
        self._check_name()
        self.tree = self.base
        """The rules that were examined last."""
        self._plain: frozenset[Key] | None = None

    def _check_name(self) -> None:
        """Check that the game has the id by which its folder is found."""
        name = self.folder.resolve().name
        game = self.base.data.get("game", name)
        if game != name:
            message = f"the game is `{game}` and its folder `{name}`, by which logs find it"
            self.base.problem("game-folder", message, ("game",))

    def examine(self, variants: Sequence[Path]) -> list[Problem]:
        """Check the game with variants laid over it, in order; give every problem, in order."""
        tree = self.tree = lay_over(self.base, self.folder, variants)
        remarks = _judge(tree, self.folder, variants, self.base.data) if tree.well_formed else []
        problems: Sequence[Problem] = tree.problems
        if problems or remarks:
            problems = _Placing(self, tree, variants).problems(remarks)
        # What stands in the file that was asked about comes first.
        own = {path.name for path in variants}
        found = sorted(set(problems), key=lambda p: (p.file not in own, p.file, p.span, p.rule))
        if len(found) <= MAX_PROBLEMS:
            return found
        last = found[MAX_PROBLEMS]
        message = f"there are {len(found) - MAX_PROBLEMS} more problems"
        return [*found[:MAX_PROBLEMS], Problem("too-many-problems", message, last.file, last.span)]

    def order(self, variants: Sequence[Path]) -> list[Problem]:
        """Say if the variants that were examined last come to something else in another order."""
        other = lay_over(self.base, self.folder, variants[::-1])
        # The order of categories counts: it breaks ties.
        same = other.data == self.tree.data and _categories(other) == _categories(self.tree)
        if self.tree.problems or (not other.problems and same):
            return []
        message = "these variants come to something else in another order: logs keep to this one"
        return [Problem("variant-order", message, variants[-1].name, START, (), "warning")]

    def partly(self, variants: Sequence[Variant], changes: int) -> frozenset[Key]:
        """Return what is wrong after so many changes of the variants, the first ones."""
        if changes == 0 and self._plain is not None:
            return self._plain
        tree = self.base.copy()
        patcher = Patcher(tree)
        left = changes
        for variant in variants:
            patcher.apply(variant, left)
            left = max(left - len(variant.source.data["change"]), 0)
        paths = [variant.path for variant in variants] or [self.folder]
        revalidate(tree, self.base, paths[-1].name)
        base = self.base.data
        remarks = _judge(tree, self.folder, paths, base) if tree.well_formed else []
        found = _keys(tree, remarks)
        if changes == 0:
            self._plain = found
        return found


def _judge(
    tree: Tree, folder: Path, variants: Sequence[Path], base: Mapping[str, Any]
) -> list[Remark]:
    """Compile a tree and say what makes no sense; other problems are noted in the tree."""
    compiled = compile_whole(tree, variants)
    if compiled is None or tree.problems:
        return []
    link_pack(compiled.pack)
    return [*logic(tree, compiled, base), *texts(tree, folder), *Trial(tree, compiled.pack).run()]


def _categories(tree: Tree) -> list[str]:
    return list(tree.data.get("categories", ()))


def _keys(tree: Tree, remarks: Sequence[Remark]) -> frozenset[Key]:
    things: list[Problem | Remark] = [*tree.problems, *remarks]
    return frozenset(map(_key, things))


def _key(thing: Problem | Remark) -> Key:
    if isinstance(thing, Problem):
        return thing.rule, thing.file, thing.span
    return thing.rule, thing.path


@dataclass(frozen=True, slots=True)
class _Change:
    """One change of a variant file."""

    variant: Variant
    number: int

    def place(self) -> tuple[str, Span]:
        """Return where the change names what it changes."""
        source = self.variant.source
        change = source.data["change"][self.number]
        word = next(key for key in WORDS if key in change)
        return source.file, source.span(("change", self.number, word))

    def removed(self) -> str | None:
        """Return the path of what is taken out, if that is what it does."""
        found = self.variant.source.data["change"][self.number].get("remove")
        return found if isinstance(found, str) else None

    def holds(self, file: str, span: Span) -> bool:
        """Tell whether a place is one of this change."""
        source = self.variant.source
        whole = source.span(("change", self.number))
        first, last = (whole.line, whole.column), (whole.end_line, whole.end_column)
        return file == source.file and first <= (span.line, span.column) <= last


class _Placing:
    """Finds the places of what is wrong: in a variant where that brought it about."""

    def __init__(self, examiner: Examiner, tree: Tree, variants: Sequence[Path]) -> None:
        self.examiner = examiner
        self.tree = tree
        self.variants: list[Variant] = []
        if variants:
            faults: list[Problem] = []
            found = Chains(examiner.folder, faults).read(variants)
            self.variants = [] if faults else found
        self.files = {variant.source.file for variant in self.variants}
        self.changes = [
            _Change(variant, number)
            for variant in self.variants
            for number in range(len(variant.source.data["change"]))
        ]
        self.known: dict[int, frozenset[Key]] = {}

    def problems(self, remarks: Sequence[Remark]) -> list[Problem]:
        """Return all problems of the tree, and those that remarks are.

        Of several alike at one place, there is the first.
        """
        found: dict[tuple[str, str, Span], Problem] = {}
        more: dict[tuple[str, str, Span], list[Problem]] = {}
        self.known[len(self.changes)] = _keys(self.tree, remarks)
        things: list[Problem | Remark] = [*self.tree.problems, *remarks]
        told = [self._problem(thing) for thing in {_key(t): t for t in things}.values()]
        for problem in self._causes(told):
            place = (problem.rule, problem.file, problem.span)
            if place in found:
                more.setdefault(place, []).append(problem)
            found.setdefault(place, problem)
        return [self._together(one, more.get(place, [])) for place, one in found.items()]

    def _together(self, problem: Problem, more: Sequence[Problem]) -> Problem:
        """Return a problem that stands for several alike, of which ``more`` are the others."""
        places = [
            one.help[-1].removeprefix(f"{_ELSEWHERE} ")
            for one in (problem, *more)
            if one.help and one.help[-1].startswith(_ELSEWHERE)
        ]
        message, told = problem.message, problem.help
        change = next((c for c in self.changes if c.place() == (problem.file, problem.span)), None)
        removed = None if change is None else change.removed()
        if removed is not None and places and "unknown-" in problem.rule:
            shown = list(dict.fromkeys(places))
            number = "a place still uses" if len(shown) == 1 else f"{len(shown)} places still use"
            message, told = f"`{removed}` is removed here, and {number} it", told[:-1]
            rest = f"; {len(shown) - MAX_PLACES} more places" if len(shown) > MAX_PLACES else ""
            told = (*told, f"{_ELSEWHERE} {'; '.join(shown[:MAX_PLACES])}{rest}")
        elif more:
            told = (*told, f"{len(more)} more of this kind")
        if problem.rule == "schema-type":
            told = (*told, *self._inside(problem))
        return problem._replace(message=message, help=told)

    def _inside(self, problem: Problem) -> Iterator[str]:
        """Yield the path that was perhaps meant where a whole entry is set to a single value."""
        for change in self.changes:
            data = change.variant.source.data["change"][change.number]
            if "set" not in data or not change.holds(problem.file, problem.span):
                continue
            with suppress(UnknownPartError):
                there = find(self.examiner.base, data["set"])[1]
                alike = [
                    key
                    for key, value in (there.items() if isinstance(there, dict) else ())
                    if type(value) is type(data["to"])
                ]
                if len(alike) == 1:
                    yield f"did you mean `{data['set']}.{alike[0]}`?"

    def _causes(self, problems: Sequence[Problem]) -> Iterator[Problem]:
        """Yield problems without what merely follows from another one of the same change."""
        for problem in problems:
            if problem.rule in _CONSEQUENCES and problem.help and _ELSEWHERE in problem.help[-1]:
                change = next(c for c in self.changes if c.place() == (problem.file, problem.span))
                others = [
                    other
                    for other in problems
                    if other.rule not in _CONSEQUENCES
                    and other.severity == "error"
                    and change.holds(other.file, other.span)
                ]
                if others:
                    continue
            yield problem

    def _problem(self, thing: Problem | Remark) -> Problem:
        if isinstance(thing, Problem):
            file, span = thing.file, thing.span
        else:
            file, span = self._place(thing.path, key=thing.key)
        told = thing.help
        if self.changes and (file not in self.files or span == START):
            change = self._cause(_key(thing))
            if change is not None:
                if file not in self.files:
                    told = (*told, f"{_ELSEWHERE} {file}, line {span.line}")
                file, span = change.place()
        return Problem(thing.rule, thing.message, file, span, told, thing.severity)

    def _place(self, path: DataPath, *, key: bool) -> tuple[str, Span]:
        """Return file and place of a part of the rules."""
        tree = self.tree
        with suppress(LookupError):  # of a section, the first part that has a place
            inside = (p for p, _ in walk(tree.at(path)[0], path) if tree.at(p)[1].text)
            path = next(inside, path)
        node = tree.placed(path)
        if node is tree.root or node.text is None:
            return f"{self.examiner.folder.name}/game.yaml", START
        if key:
            return tree.locate(path, "key")
        file, head = tree.locate(path, "head")
        whole = tree.span(path)
        try:
            value, _ = tree.at(path)
        except LookupError:
            return file, head
        # A part that has a name is shown by it; the new value of a change has none.
        named = node.key is None or node.text.text[slice(*node.key)] != "to"
        by_name = isinstance(value, dict | list) and (named or whole.line != head.line)
        return file, head if by_name else whole

    def _cause(self, key: Key) -> _Change | None:
        """Return the change behind which something is wrong."""
        found = self._after(0)
        if found is None or key in found:
            return None
        low, high = 0, len(self.changes)
        while high - low > 1:
            middle = (low + high) // 2
            found = self._after(middle)
            if found is None:
                return None
            if key in found:
                high = middle
            else:
                low = middle
        return self.changes[high - 1]

    def _after(self, changes: int) -> frozenset[Key] | None:
        """Return what is wrong behind so many changes; None where that is not looked for."""
        if changes not in self.known:
            if len(self.known) > MAX_PARTS:
                return None
            self.known[changes] = self.examiner.partly(self.variants, changes)
        return self.known[changes]
