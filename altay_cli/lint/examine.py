"""Find all problems of rules in one run: form, references, types, and logic."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import NamedTuple

from altay_cli.base.findings import (
    START,
    Finding,
    Severity,
    Span,
    Text,
    did_you_mean,
    joined_by_semicolon,
)
from altay_cli.compile.building import apply_variants, compile_tree
from altay_cli.compile.load import contents, keep, link_pack, pack_key
from altay_cli.compile.shelf import pack_entry
from altay_cli.lint import limits
from altay_cli.lint.logic import logic, texts
from altay_cli.lint.startup import StartupChecks
from altay_cli.source import limits as source_limits
from altay_cli.source.document import DataFinding, first_of
from altay_cli.source.folder import LAYOUT, WORDS, Change, Tree, read_folder, walk
from altay_cli.source.inspect import UnknownPartError, find
from altay_cli.source.variants import HEAD, Left, change_number

_WORD = re.compile(r"[\w-]+")
_QUOTED = re.compile(r"`([^`]*)`")
# These can follow from other problems, and are then not reported.
_CONSEQUENCES = frozenset(
    {"rule-never-fails", "rule-never-met", "never-happens", "zone-never-filled"}
)
_WORDING = frozenset({"names", "plurals", "messages", "view"})

Thing = Finding | DataFinding
"""A problem, by its position in a file or path in the rules."""
Key = tuple[object, ...]
"""Identifies a problem across runs: rule, and path or position."""


class Examiner:
    """Checks a game and variants of it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._base_key = pack_key(folder, ())
        self.base = read_folder(folder)
        name = folder.resolve().name
        if (game := self.base.data.get("game", name)) != name:
            template = (
                "the game is `{game}`, but its folder is `{name}`: logs find a game by its folder"
            )
            self.base.problem("game-folder", template, ("game",), game=game, name=name)
        self.tree = self.base
        self.plain: dict[int, _Results] = {}
        """The problems of the game itself, the same for all variants."""
        # Caches the last rules under this key if they are right.
        self._key = ""
        self._cache_pack: Callable[[], None] | None = None

    def _unread_files(self) -> Iterator[Finding]:
        known = [pattern for pattern, _ in LAYOUT]
        read = {path for pattern in known for path in self.folder.glob(pattern)}
        for path in sorted(self.folder.rglob("*.y*ml")):
            name = path.relative_to(self.folder).as_posix()
            if path not in read and not name.startswith((".", "variants/", "versions/")):
                message = Text("`{name}` is not a file of the rules: nothing reads it", name=name)
                near = did_you_mean(name, known, "there are: {names}")
                unread = Finding("file-unread", Severity.WARNING, message, START, help=near)
                yield unread._replace(file=f"{self.folder.name}/{name}")

    def examine(self, variants: Sequence[Path]) -> list[Finding]:
        """Return problems with variants; those of logic only if all else is right."""
        problems: list[Finding] = [] if variants else [*self._unread_files()]
        left: Left = frozenset()
        self._key, self._cache_pack = pack_key(self.folder, variants), None
        for stage in range(limits.STAGES):
            # A faulty change may hide others: check the rest without it.
            tree, things = self.judged(variants, left)
            of_stage = _ProblemLocator(self, tree, variants, left).problems(things)
            if stage == 0:
                self.tree = tree
            # An omitted change may add what a reference needs.
            brought = self._added_names(left) if left else set()
            problems += (p for p in of_stage if brought.isdisjoint(_quoted_words(p)))
            wrong = frozenset(
                (source.file, change_number(source, problem))
                for problem in of_stage
                for source in self.tree.layers
                if problem.severity is Severity.ERROR and problem.file == source.file
            )
            if not tree.problems or wrong <= left:
                break
            left |= wrong
        requested = {path.name for path in variants}
        once = {(str(problem), problem.help): problem for problem in problems}.values()
        ordered = sorted(once, key=lambda p: (p.file not in requested, p.file, p.span, p.rule))
        if any(problem.rule == "too-many-problems" for problem in ordered):
            return ordered
        rest = Text(
            "there are {count} more problems", count=len(ordered) - source_limits.MAX_PROBLEMS
        )
        return first_of(ordered, rest)

    def _added_names(self, left: Left) -> set[str]:
        names: set[str] = set()
        for source in self.tree.layers:
            changes = [
                source.data["change"][n] for file, n in left if file == source.file and n != HEAD
            ]
            for path, value in (part for change in changes for part in walk(change)):
                names.update(map(str, path[-1:]))
                if isinstance(value, str) and path[:1] and path[0] in WORDS:
                    names.update(value.split("."))
                elif isinstance(value, str) and _WORD.fullmatch(value):
                    names.add(value)
        return names - {str(key) for path, _ in walk(self.base.data) for key in path[-1:]}

    def order(self, variants: Sequence[Path]) -> list[Finding]:
        """Report if the order of the last variants matters."""
        other = apply_variants(self.base, self.folder, variants[::-1])
        # The order of categories breaks ties.
        categories, reordered = ([*tree.data.get("categories", ())] for tree in (self.tree, other))
        same = other.data == self.tree.data and categories == reordered
        if self.tree.problems or (not other.problems and same):
            return []
        message = "in another order these variants make other rules; logs apply them in this order"
        return [Finding("variant-order", Severity.WARNING, message, START, file=variants[-1].name)]

    def judged(self, variants: Sequence[Path], left: Left) -> tuple[Tree, Sequence[Thing]]:
        """Apply variants; return problems of form, or else of logic."""
        tree = apply_variants(self.base, self.folder, variants, left)
        extended = contents(tree.files)
        compiled = compile_tree(tree) if tree.well_formed else None
        if compiled is None or tree.problems:
            return tree, tree.problems
        functions = link_pack(compiled.pack)
        if not left:
            storing = partial(pack_entry, compiled.pack, functions)
            self._cache_pack = partial(keep, self._key, storing, tree.files, extended)
        senseless = [*logic(compiled, self.base.data), *texts(tree, self.folder)]
        return tree, [*senseless, *_same(tree), *StartupChecks(tree, compiled.pack).run()]

    def keep(self, variants: Sequence[Path]) -> None:
        """Cache the pack of the last examination."""
        unchanged = self._base_key == pack_key(self.folder, ())
        if (
            self._cache_pack is not None
            and unchanged
            and self._key == pack_key(self.folder, variants)
        ):
            self._cache_pack()


def _same(tree: Tree) -> Iterator[Finding]:
    """Report changes that set the value of before; as notes if the variant has other changes."""
    for change in tree.same:
        others = [other for other in change.variant.changes if other not in tree.same]
        severity = Severity.NOTE if others else Severity.WARNING
        message = Text("this changes nothing: `{path}` is that already", path=change.path)
        file, span = change.place()
        yield Finding("patch-same", severity, message, span, file=file)


def _key(thing: Thing) -> Key:
    where = (thing.path,) if isinstance(thing, DataFinding) else (thing.file, thing.span)
    return thing.rule, *where


def _quoted_words(problem: Finding) -> list[str]:
    return _WORD.findall(" ".join(_QUOTED.findall(" ".join([problem.message, *problem.help]))))


class _Results(NamedTuple):
    problems: frozenset[Key]
    judged: bool


class _TooManyTriedError(Exception):
    """Finding the cause would compile too many sets of rules."""


class _PlacedProblem(NamedTuple):
    """A problem at its position, or at the ``change`` that ``shows`` it."""

    thing: Thing
    problem: Finding
    change: Change | None = None
    shows: str = ""

    @property
    def place(self) -> tuple[str, Span]:
        return self.problem.file, self.problem.span

    @property
    def left_unused(self) -> bool:
        return self.change is not None and self.problem.rule.startswith("unused-")

    @property
    def of_rest(self) -> bool:
        """Whether only what a variant removes used or filled a part: that does no harm."""
        if self.change is None or self.change.word != "remove":
            return False
        return self.left_unused or self.problem.rule == "zone-never-filled"

    @property
    def of_dropped_score(self) -> bool:
        """Whether only a category that a variant drops used a part."""
        return self.of_rest and self.change is not None and self.change.section == "categories"

    @property
    def of_removed(self) -> bool:
        removes = self.change is not None and "remove" in self.change.data
        return removes and "unknown-" in self.problem.rule


class _ProblemLocator:
    def __init__(self, examiner: Examiner, tree: Tree, paths: Sequence[Path], left: Left) -> None:
        self.examiner = examiner
        self.tree = tree
        self.paths, self.left = paths, left
        self.files = {variant.source.file for variant in tree.variants}
        self.changes = [change for variant in tree.variants for change in variant.changes]
        # By number of changes: the results for the game with them.
        self.known = dict(examiner.plain)

    def problems(self, things: Sequence[Thing]) -> list[Finding]:
        by_key = {_key(thing): thing for thing in things}
        self.known[len(self.changes)] = _Results(frozenset(by_key), not self.tree.problems)
        placed = [*map(self._placed, by_key.values())]
        causes = [item for item in placed if item.problem.rule not in _CONSEQUENCES]
        errors = [cause for cause in causes if cause.problem.severity is Severity.ERROR]
        # An expression that uses a removed part has no type either.
        removed = {error.place for error in errors if error.of_removed}
        groups: dict[Key, list[_PlacedProblem]] = {}
        for item in placed:
            can_follow = item.left_unused or item.problem.rule in _CONSEQUENCES
            follows = item.change is not None and (
                (can_follow and any(item.change.holds(*error.place) for error in errors))
                or (not item.of_removed and item.place in removed)
            )
            if not follows and not item.of_dropped_score:
                key = item.place if item.left_unused or item.of_removed else _key(item.problem)
                groups.setdefault(key, []).append(item)
        return [self._merged(several) for several in groups.values()]

    def _merged(self, several: Sequence[_PlacedProblem]) -> Finding:
        (_, problem, change, shows), *more = several
        message, help_lines = problem.message, [*problem.help]
        if shows:
            help_lines.append(_shows_in([shows]))
        if several[0].left_unused and more:
            paths = [item.thing.path for item in several if isinstance(item.thing, DataFinding)]
            named = tuple(f"`{'.'.join(map(str, path))}`" for path in paths)
            message = Text("nothing uses these parts any more: {paths}", paths=named)
        elif several[0].of_removed and change is not None:
            shown = list(dict.fromkeys(item.shows for item in several))
            single = "`{path}` is removed here, and a place still uses it"
            many = "`{path}` is removed here, and {count} places still use it"
            message = Text.plural(len(shown), single, many, path=change.data["remove"])
            help_lines[-1] = _shows_in(shown)
        elif more:
            replaced = change.data.get("set", "") if change and "unknown-" in problem.rule else ""
            if tables := tuple(self._replaced_looks(replaced)):
                template = "`{path}` is replaced here, but the replaced part is still named"
                message = Text(template, path=replaced)
                advice = Text("change or remove these parts as well: {paths}", paths=tables)
                help_lines = [advice, _shows_in([shows])]
            help_lines.append(Text("{count} more of this kind", count=len(more)))
        if problem.rule == "schema-type":
            help_lines += self._intended_paths(problem)
        severity = Severity.NOTE if several[0].of_rest else problem.severity
        return problem._replace(message=message, help=tuple(help_lines), severity=severity)

    def _replaced_looks(self, replaced: str) -> Iterator[str]:
        section, _, kind = replaced.partition(".")
        data = self.tree.data
        kinds = self.examiner.base.data.get("entities", {}) if section == "entities" else {}
        gone = kinds.get(kind, {}).keys() - data.get("entities", {}).get(kind, {}).keys()
        for section in ("names", "plurals"):
            for language, table in data.get(section, {}).items():
                if not gone.isdisjoint(table.get(kind, ())):
                    yield f"{section}.{language}.{kind}"
        things = data.get("view", {}).get("things", {})
        if not gone.isdisjoint(things.get(kind, {}).get("looks", ())):
            yield f"view.things.{kind}.looks"

    def _intended_paths(self, problem: Finding) -> Iterator[str]:
        for change in self.changes:
            data = change.data
            if "set" in data and change.holds(problem.file, problem.span):
                with suppress(UnknownPartError):
                    there = find(self.examiner.base, data["set"])[1]
                    inner = there.items() if isinstance(there, dict) else ()
                    matching = [key for key, value in inner if type(value) is type(data["to"])]
                    if len(matching) == 1:
                        yield Text("did you mean `{name}`?", name=f"{data['set']}.{matching[0]}")

    def _placed(self, thing: Thing) -> _PlacedProblem:
        problem = thing if isinstance(thing, Finding) else thing.placed(self.tree)
        change = None
        if problem.file not in self.files or problem.span == START:
            with suppress(_TooManyTriedError):
                change = self._cause(thing)
        if change is None:
            return _PlacedProblem(thing, problem)
        file, span = change.place()
        moved = problem._replace(file=file, span=span)
        if problem.file in self.files:
            return _PlacedProblem(thing, moved)
        shows = Text("{file}, line {line}", file=problem.file, line=problem.span.line)
        return _PlacedProblem(thing, moved, change, shows)

    def _cause(self, thing: Thing) -> Change | None:
        """Return the change that causes a problem; None if the game itself has it.

        A problem of logic can seem absent, as logic is checked only without other errors.
        """
        key = _key(thing)
        if key in self._after(0).problems:
            return None
        # Changes build only on earlier ones, so bisection finds the cause.
        numbers = range(len(self.changes))
        number = bisect_left(numbers, True, 1, key=lambda n: key in self._after(n).problems)
        if isinstance(thing, DataFinding) and thing.path[0] not in _WORDING:
            with suppress(_TooManyTriedError):
                while (
                    number > 1
                    and self.changes[number - 1].path.partition(".")[0] in _WORDING
                    and not self._after(number - 1).judged
                ):
                    number -= 1
        return self.changes[number - 1]

    def _after(self, changes: int) -> _Results:
        if changes not in self.known:
            if len(self.known) > limits.MAX_PARTS:
                raise _TooManyTriedError
            later = {
                (change.variant.source.file, change.number) for change in self.changes[changes:]
            }
            tree, things = self.examiner.judged(self.paths, self.left | later)
            self.known[changes] = _Results(frozenset(map(_key, things)), not tree.problems)
            if not changes:
                self.examiner.plain[0] = self.known[0]
        return self.known[changes]


def _shows_in(places: Sequence[str]) -> Text:
    rest = len(places) - source_limits.MAX_NAMES
    template = "it shows in {places}; {count} more places" if rest > 0 else "it shows in {places}"
    return Text(template, places=joined_by_semicolon(places[: source_limits.MAX_NAMES]), count=rest)
