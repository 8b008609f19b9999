"""All that is wrong with rules, in one run: form, references, types, and sense."""

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
from altay_cli.compile.building import compile_tree, lay_over
from altay_cli.compile.load import compile_pack, contents, keep, link_pack, pack_key
from altay_cli.lint import limits
from altay_cli.lint.logic import logic, texts
from altay_cli.lint.startup import StartupChecks
from altay_cli.source import limits as source_limits
from altay_cli.source.document import DataFinding, first_of
from altay_cli.source.folder import LAYOUT, WORDS, Change, Tree, change_at, read_folder, walk
from altay_cli.source.inspect import UnknownPartError, find
from altay_cli.source.variants import Left

_WORD = re.compile(r"[\w-]+")
_QUOTED = re.compile(r"`([^`]*)`")
# Rules of problems that can follow from others, and are then not reported beside their cause; so
# can whatever is unused.
_CONSEQUENCES = frozenset(
    {"rule-never-fails", "rule-never-met", "never-happens", "zone-never-filled"}
)
# Sections that say how things are called and shown: what makes sense does not hang on them.
_SAID = frozenset({"names", "plurals", "messages", "view"})

Thing = Finding | DataFinding
"""Something that is wrong, by its place in a file or by its path in the rules."""
Key = tuple[object, ...]
"""What two runs tell a problem by: its rule, and its place in the rules or in a file."""


class Examiner:
    """Checks a game, and variants laid over it; the files of the game are read once."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._base_key = pack_key(folder, ())
        self.base = read_folder(folder)
        name = folder.resolve().name
        if (game := self.base.data.get("game", name)) != name:
            template = "the game is `{game}` and its folder `{name}`, by which logs find it"
            self.base.problem("game-folder", template, ("game",), game=game, name=name)
        self.tree = self.base
        """The rules that were examined last."""
        self.plain: dict[int, _Known] = {}
        """What is told of the game behind no changes, the same for all variants."""
        # What the rules examined last are kept under, and what keeps them, if they are right.
        self._key = ""
        self._kept: Callable[[], None] | None = None

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
        """Check the game with variants laid over it, in order; give every problem, in order.

        Sense is only asked where form, references and types are right.
        """
        problems: list[Finding] = [] if variants else [*self._unread_files()]
        left: Left = frozenset()
        self._key, self._kept = pack_key(self.folder, variants), None
        for stage in range(limits.STAGES):
            # Behind a faulty change others may be hidden: it is left out, and the rest looked at.
            tree, things = self.judged(variants, left)
            of_stage = _Placing(self, tree, variants, left).problems(things)
            if stage == 0:
                self.tree = tree
            # What names something that only the changes left out bring, may be right with them.
            brought = self._brought(left) if left else set()
            problems += (p for p in of_stage if brought.isdisjoint(_named(p)))
            wrong = frozenset(
                (source.file, number)
                for problem in of_stage
                for source in self.tree.layers
                for number in [change_at(source, problem.file, problem.span)]
                if problem.severity is Severity.ERROR and number is not None
            )
            if not tree.problems or wrong <= left:
                break
            left |= wrong
        # What stands in the file that was asked about comes first.
        own = {path.name for path in variants}
        once = {(str(problem), problem.help): problem for problem in problems}.values()
        ordered = sorted(once, key=lambda p: (p.file not in own, p.file, p.span, p.rule))
        if any(problem.rule == "too-many-problems" for problem in ordered):
            return ordered
        rest = Text(
            "there are {count} more problems", count=len(ordered) - source_limits.MAX_PROBLEMS
        )
        return first_of(ordered, rest)

    def _brought(self, left: Left) -> set[str]:
        """Return the keys and words that changes bring, and the game itself does not have."""
        names: set[str] = set()
        for source in self.tree.layers:
            changes = [source.data["change"][n] for file, n in left if file == source.file]
            for path, value in (part for change in changes for part in walk(change)):
                names.update(map(str, path[-1:]))
                if isinstance(value, str) and path[:1] and path[0] in WORDS:
                    names.update(value.split("."))
                elif isinstance(value, str) and _WORD.fullmatch(value):
                    names.add(value)
        return names - {str(key) for path, _ in walk(self.base.data) for key in path[-1:]}

    def order(self, variants: Sequence[Path]) -> list[Finding]:
        """Report if the variants examined last give different rules in another order."""
        other = lay_over(self.base, self.folder, variants[::-1])
        # The order of categories counts: it breaks ties.
        one, two = ([*tree.data.get("categories", ())] for tree in (self.tree, other))
        same = other.data == self.tree.data and one == two
        if self.tree.problems or (not other.problems and same):
            return []
        message = "these variants give other rules in another order: logs keep to this one"
        return [Finding("variant-order", Severity.WARNING, message, START, file=variants[-1].name)]

    def judged(self, variants: Sequence[Path], left: Left) -> tuple[Tree, Sequence[Thing]]:
        """Lay variants over the game; say what is wrong, or else what makes no sense."""
        tree = lay_over(self.base, self.folder, variants, left)
        extended = contents(tree.files)
        compiled = compile_tree(tree) if tree.well_formed else None
        if compiled is None or tree.problems:
            return tree, tree.problems
        code = compile_pack(compiled.pack)
        link_pack(compiled.pack, code)
        if not left:
            self._kept = partial(keep, self._key, compiled.pack, code, tree.files, extended)
        senseless = [*logic(compiled, self.base.data), *texts(tree, self.folder)]
        return tree, [*senseless, *StartupChecks(tree, compiled.pack).run()]

    def keep(self, variants: Sequence[Path]) -> None:
        """Keep what was compiled of the variants examined last, for whoever plays by them."""
        unchanged = self._base_key == pack_key(self.folder, ())
        if self._kept is not None and unchanged and self._key == pack_key(self.folder, variants):
            self._kept()


def _key(thing: Thing) -> Key:
    where = (thing.path,) if isinstance(thing, DataFinding) else (thing.file, thing.span)
    return thing.rule, *where


def _named(problem: Finding) -> list[str]:
    """Return the words that a problem and its help quote."""
    return _WORD.findall(" ".join(_QUOTED.findall(" ".join([problem.message, *problem.help]))))


class _Known(NamedTuple):
    """What is told of rules: its keys, and whether it was asked if they make sense."""

    problems: frozenset[Key]
    judged: bool


class _TooManyTriedError(Exception):
    """More sets of rules would have to be compiled than are worth it."""


class _Placed(NamedTuple):
    """A problem at its place, or at that of the ``change`` behind which it ``shows`` elsewhere."""

    thing: Thing
    problem: Finding
    change: Change | None = None
    shows: str = ""

    @property
    def place(self) -> tuple[str, Span]:
        return self.problem.file, self.problem.span

    @property
    def left_unused(self) -> bool:
        """Whether a change takes away what used it."""
        return self.change is not None and self.problem.rule.startswith("unused-")

    @property
    def of_removed(self) -> bool:
        """Whether something still names what a change has removed."""
        removes = self.change is not None and "remove" in self.change.data
        return removes and "unknown-" in self.problem.rule


class _Placing:
    """Finds the places of what is wrong: in a variant where that brought it about."""

    def __init__(self, examiner: Examiner, tree: Tree, paths: Sequence[Path], left: Left) -> None:
        self.examiner = examiner
        self.tree = tree
        self.paths, self.left = paths, left
        self.files = {variant.source.file for variant in tree.variants}
        self.changes = [change for variant in tree.variants for change in variant.changes]
        # What is told of the game behind so many of the changes.
        self.known = dict(examiner.plain)

    def problems(self, things: Sequence[Thing]) -> list[Finding]:
        """Return what is wrong at its places; of several alike at one place, there is the first."""
        by_key = {_key(thing): thing for thing in things}
        self.known[len(self.changes)] = _Known(frozenset(by_key), not self.tree.problems)
        placed = [*map(self._placed, by_key.values())]
        causes = [one for one in placed if one.problem.rule not in _CONSEQUENCES]
        errors = [one for one in causes if one.problem.severity is Severity.ERROR]
        # What lacks something that is removed gives no types either.
        removed = {one.place for one in errors if one.of_removed}
        alike: dict[Key, list[_Placed]] = {}
        for one in placed:
            can_follow = one.left_unused or one.problem.rule in _CONSEQUENCES
            follows = one.change is not None and (
                (can_follow and any(one.change.holds(*error.place) for error in errors))
                or (not one.of_removed and one.place in removed)
            )
            if not follows:
                key = one.place if one.left_unused or one.of_removed else _key(one.problem)
                alike.setdefault(key, []).append(one)
        return [self._together(several) for several in alike.values()]

    def _together(self, several: Sequence[_Placed]) -> Finding:
        """Return the problem that stands for several alike at one place."""
        (_, problem, change, shows), *more = several
        message, help_lines = problem.message, [*problem.help]
        if shows:
            help_lines.append(_shows_in([shows]))
        if several[0].left_unused and more:
            paths = [one.thing.path for one in several if isinstance(one.thing, DataFinding)]
            named = tuple(f"`{'.'.join(map(str, path))}`" for path in paths)
            message = Text("nothing uses these parts any more: {paths}", paths=named)
        elif several[0].of_removed and change is not None:
            shown = list(dict.fromkeys(one.shows for one in several))
            single = "`{path}` is removed here, and a place still uses it"
            many = "`{path}` is removed here, and {count} places still use it"
            message = Text.plural(len(shown), single, many, path=change.data["remove"])
            help_lines[-1] = _shows_in(shown)
        elif more:
            replaced = change.data.get("set", "") if change and "unknown-" in problem.rule else ""
            if tables := tuple(self._tables(replaced)):
                template = "`{path}` is replaced here, and what stood there is still named"
                message = Text(template, path=replaced)
                advice = Text("these go with it: {paths}; set or remove them as well", paths=tables)
                help_lines = [advice, _shows_in([shows])]
            help_lines.append(Text("{count} more of this kind", count=len(more)))
        if problem.rule == "schema-type":
            help_lines += self._inside(problem)
        return problem._replace(message=message, help=tuple(help_lines))

    def _tables(self, replaced: str) -> Iterator[str]:
        """Yield the paths of names and looks of things that a change has replaced by others."""
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

    def _inside(self, problem: Finding) -> Iterator[str]:
        """Yield the path that was perhaps meant where a whole entry is set to a single value."""
        for change in self.changes:
            data = change.data
            if "set" in data and change.holds(problem.file, problem.span):
                with suppress(UnknownPartError):
                    there = find(self.examiner.base, data["set"])[1]
                    inner = there.items() if isinstance(there, dict) else ()
                    alike = [key for key, value in inner if type(value) is type(data["to"])]
                    if len(alike) == 1:
                        yield Text("did you mean `{name}`?", name=f"{data['set']}.{alike[0]}")

    def _placed(self, thing: Thing) -> _Placed:
        problem = thing if isinstance(thing, Finding) else thing.placed(self.tree)
        change = None
        if problem.file not in self.files or problem.span == START:
            with suppress(_TooManyTriedError):
                change = self._cause(thing)
        if change is None:
            return _Placed(thing, problem)
        file, span = change.place()
        moved = problem._replace(file=file, span=span)
        if problem.file in self.files:
            return _Placed(thing, moved)
        shows = Text("{file}, line {line}", file=problem.file, line=problem.span.line)
        return _Placed(thing, moved, change, shows)

    def _cause(self, thing: Thing) -> Change | None:
        """Return the change behind which something is wrong, if it is not so without any.

        Whether rules make sense is only asked where they have no errors. What is told of their
        sense only behind changes between which they had errors does not come of new names.
        """
        key = _key(thing)
        if key in self._after(0).problems:
            return None
        # Changes only build on earlier ones, so what is wrong stays wrong: halving finds the one
        # behind which it is, with some five sets of rules compiled for thirty changes.
        numbers = range(len(self.changes))
        behind = bisect_left(numbers, True, 1, key=lambda n: key in self._after(n).problems)
        if isinstance(thing, DataFinding) and thing.path[0] not in _SAID:
            with suppress(_TooManyTriedError):
                while (
                    behind > 1
                    and self.changes[behind - 1].path.partition(".")[0] in _SAID
                    and not self._after(behind - 1).judged
                ):
                    behind -= 1
        return self.changes[behind - 1]

    def _after(self, changes: int) -> _Known:
        if changes not in self.known:
            if len(self.known) > limits.MAX_PARTS:
                raise _TooManyTriedError
            later = {(one.variant.source.file, one.number) for one in self.changes[changes:]}
            tree, things = self.examiner.judged(self.paths, self.left | later)
            self.known[changes] = _Known(frozenset(map(_key, things)), not tree.problems)
            if not changes:
                self.examiner.plain[0] = self.known[0]
        return self.known[changes]


def _shows_in(places: Sequence[str]) -> Text:
    rest = len(places) - source_limits.MAX_NAMES
    template = "it shows in {places}; {count} more places" if rest > 0 else "it shows in {places}"
    return Text(template, places=joined_by_semicolon(places[: source_limits.MAX_NAMES]), count=rest)
