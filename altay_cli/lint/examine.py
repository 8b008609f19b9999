"""All that is wrong with rules, in one run: form, references, types, and sense."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from types import CodeType
from typing import NamedTuple

from altay_cli.base.findings import START, Finding, Severity, Text, did_you_mean, in_turn, made_of
from altay_cli.compile.building import compile_tree, lay_over
from altay_cli.compile.load import compile_pack, contents, keep, link_pack, pack_key
from altay_cli.lint.logic import logic, texts
from altay_cli.lint.startup import StartupChecks
from altay_cli.pack.model import Pack
from altay_cli.source.document import MAX_PROBLEMS, DataFinding, Document, Entry
from altay_cli.source.folder import LAYOUT, WORDS, Change, Tree, change_at, read_folder, walk
from altay_cli.source.inspect import UnknownPartError, find
from altay_cli.source.variants import Left

STAGES = 6
"""How many times faulty parts are left out to find more: form, references, types, sense."""
MAX_PARTS = 24
"""How many times rules are compiled with some of their changes to find those at fault."""

_WORD = re.compile(r"[\w-]+")
_QUOTED = re.compile(r"`([^`]*)`")
_CONSEQUENCES = frozenset(
    {"rule-never-fails", "rule-never-met", "never-happens", "zone-never-filled"}
)
"""Rules of problems that can follow from others, and are then not reported beside their cause; so
can whatever is unused."""
_UNUSED = "unused-"
"""What the rules of parts that nothing uses begin with."""
_SAID = frozenset({"names", "plurals", "messages", "view"})
"""Sections that say how things are called and shown: what makes sense does not hang on them."""
_ELSEWHERE = "it shows in {places}", "it shows in {places}; {count} more places"
MAX_PLACES = 12
"""How many places are listed that use what was removed."""

Key = tuple[object, ...]
"""What two runs tell a problem by: its rule, and its place in the rules or in a file."""


def examine(folder: Path, variants: Sequence[Path]) -> list[Finding]:
    """Check a rules folder with variants laid over it; give every problem, in order.

    Sense is only asked where form, references and types are right.
    """
    return Examiner(folder).examine(variants)


class Examiner:
    """Checks variants of one game; the files of the game are read once."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._base_key = pack_key(folder, ())
        self.base = read_folder(folder)
        name = folder.resolve().name
        game = self.base.data.get("game", name)
        if game != name:
            template = "the game is `{game}` and its folder `{name}`, by which logs find it"
            self.base.problem("game-folder", Text(template, game=game, name=name), ("game",))
        self.tree = self.base
        """The rules that were examined last."""
        self.plain: dict[int, _Known] = {}
        """What is told of the game behind no changes, the same for all variants."""
        self._names: set[str] | None = None
        """All keys of the game."""
        self._key = ""
        """What the rules examined last are kept under, and what was compiled of them."""
        self._made: tuple[Pack, CodeType, str] | None = None

    def _unread_files(self) -> Iterator[Finding]:
        known = [pattern for pattern, _ in LAYOUT]
        read = {path for pattern in known for path in self.folder.glob(pattern)}
        for path in sorted(self.folder.rglob("*.y*ml")):
            name = path.relative_to(self.folder).as_posix()
            apart = name.startswith((".", "variants/", "versions/"))
            if path in read or apart:
                continue
            help_lines = did_you_mean(name, known, "there are: {names}")
            message = Text("`{name}` is not a file of the rules: nothing reads it", name=name)
            file = f"{self.folder.name}/{name}"
            yield Finding(
                "file-unread", Severity.WARNING, message, START, help=help_lines, file=file
            )

    def examine(self, variants: Sequence[Path]) -> list[Finding]:
        """Check the game with variants laid over it, in order; give every problem, in order."""
        problems: list[Finding] = [] if variants else [*self._unread_files()]
        left: Left = frozenset()
        self._key, self._made = pack_key(self.folder, variants), None
        for stage in range(STAGES):
            # Behind a faulty change others may be hidden: it is left out, and the rest looked at.
            tree, lints = self.judged(variants, left)
            of_stage = _Placing(self, tree, variants, left).problems(lints)
            if stage == 0:
                self.tree = tree
            problems += (
                p for p in of_stage if not left or not self._follows(p, self.tree.layers, left)
            )
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
        rest = len(ordered) - MAX_PROBLEMS
        if rest <= 0 or any(problem.rule == "too-many-problems" for problem in ordered):
            return ordered
        last = ordered[MAX_PROBLEMS]
        message = Text("there are {count} more problems", count=rest)
        more = Finding("too-many-problems", Severity.ERROR, message, last.span, file=last.file)
        return [*ordered[:MAX_PROBLEMS], more]

    def _follows(self, problem: Finding, sources: Sequence[Document], left: Left) -> bool:
        """Return whether something may be wrong only because changes were left out.

        So it is where it names something that the game does not have, and these changes do.
        """
        if self._names is None:
            self._names = {str(key) for path, _ in walk(self.base.data) for key in path[-1:]}
        brought = {
            name
            for source in sources
            for file, number in left
            if file == source.file
            for name in _brought(source.data["change"][number])
        }
        quoted = " ".join(_QUOTED.findall(" ".join([problem.message, *problem.help])))
        return not (brought - self._names).isdisjoint(_WORD.findall(quoted))

    def order(self, variants: Sequence[Path]) -> list[Finding]:
        """Report if the variants examined last give different rules in another order."""
        other = lay_over(self.base, self.folder, variants[::-1])
        # The order of categories counts: it breaks ties.
        same = other.data == self.tree.data and _categories(other) == _categories(self.tree)
        if self.tree.problems or (not other.problems and same):
            return []
        message = "these variants give other rules in another order: logs keep to this one"
        file = variants[-1].name
        return [Finding("variant-order", Severity.WARNING, message, START, file=file)]

    def judged(self, variants: Sequence[Path], left: Left) -> tuple[Tree, list[DataFinding]]:
        """Lay variants over the game; say what makes no sense in what has the right form."""
        tree = lay_over(self.base, self.folder, variants, left)
        extended = contents(tree.files)
        compiled = compile_tree(tree, variants) if tree.well_formed else None
        if compiled is None or tree.problems:
            return tree, []
        code = compile_pack(compiled.pack)
        link_pack(compiled.pack, code)
        if not left:
            self._made = compiled.pack, code, extended
        failed = StartupChecks(tree, compiled.pack).run()
        senseless = logic(tree, compiled, self.base.data)
        return tree, [*senseless, *texts(tree, self.folder), *failed]

    def keep(self, variants: Sequence[Path]) -> None:
        """Keep what was compiled of the variants examined last, for whoever plays by them."""
        unchanged = self._base_key == pack_key(self.folder, ())
        if self._made is not None and unchanged and self._key == pack_key(self.folder, variants):
            pack, code, extended = self._made
            keep(self._key, pack, code, self.tree.files, extended)


def _categories(tree: Tree) -> list[str]:
    return list(tree.data.get("categories", ()))


class _Known(NamedTuple):
    """What is told of rules: its keys, and whether it was asked if they make sense."""

    problems: frozenset[Key]
    judged: bool


def _known(tree: Tree, lints: Sequence[DataFinding]) -> _Known:
    keys = frozenset([*map(_key, tree.problems), *map(_key, lints)])
    return _Known(keys, not tree.problems)


def _key(problem: Finding | DataFinding) -> Key:
    if isinstance(problem, DataFinding):
        return problem.rule, problem.path
    return problem.rule, problem.file, problem.span


def _brought(change: Entry) -> Iterator[str]:
    """Yield what a change may give a name to: keys and single words, also of its path."""
    for path, value in walk(change):
        yield from map(str, path[-1:])
        if isinstance(value, str) and path[:1] and path[0] in WORDS:
            yield from value.split(".")
        elif isinstance(value, str) and _WORD.fullmatch(value):
            yield value


def _other_places(problem: Finding) -> str:
    line = problem.help[-1] if problem.help else ""
    return str(line.values["places"]) if made_of(line, *_ELSEWHERE) else ""


def _shows_in(places: Sequence[str]) -> Text:
    shown = in_turn(places[:MAX_PLACES])
    if len(places) <= MAX_PLACES:
        return Text(_ELSEWHERE[0], places=shown)
    return Text(_ELSEWHERE[1], places=shown, count=len(places) - MAX_PLACES)


def _is_left_unused(problem: Finding) -> bool:
    return problem.rule.startswith(_UNUSED) and bool(_other_places(problem))


class _Placing:
    """Finds the places of what is wrong: in a variant where that brought it about."""

    def __init__(
        self, examiner: Examiner, tree: Tree, variants: Sequence[Path], left: Left
    ) -> None:
        self.examiner = examiner
        self.tree = tree
        self.paths, self.left = variants, left
        self.files = {variant.source.file for variant in tree.variants}
        self.changes = [change for variant in tree.variants for change in variant.changes]
        self.known = dict(examiner.plain)
        """What is told of the game behind so many of the changes."""

    def problems(self, lints: Sequence[DataFinding]) -> list[Finding]:
        """Return all problems of the tree, and what makes no sense.

        Of several alike at one place, there is the first.
        """
        self.known[len(self.changes)] = _known(self.tree, lints)
        things: list[Finding | DataFinding] = [*self.tree.problems, *lints]
        placed = [(thing, self._problem(thing)) for thing in {_key(t): t for t in things}.values()]
        alike: dict[Key, list[tuple[Finding | DataFinding, Finding]]] = {}
        for thing, problem in self._without_consequences(placed):
            together = _is_left_unused(problem) or self._is_of_removed(problem)
            place = (problem.file, problem.span) if together else _key(problem)
            alike.setdefault(place, []).append((thing, problem))
        return [self._together(several) for several in alike.values()]

    def _together(self, several: Sequence[tuple[Finding | DataFinding, Finding]]) -> Finding:
        """Return the problem that stands for several alike at one place."""
        (_, problem), *more = several
        if _is_left_unused(problem):
            paths = [thing.path for thing, _ in several if isinstance(thing, DataFinding)]
            named = tuple(f"`{'.'.join(map(str, path))}`" for path in paths)
            template = "nothing uses these parts any more: {paths}"
            return problem._replace(message=Text(template, paths=named)) if more else problem
        places = [place for _, one in several if (place := _other_places(one))]
        message, help_lines = problem.message, problem.help
        change = self._change_at(problem)
        names_nothing = places and "unknown-" in problem.rule
        change_data = change.data if change is not None and names_nothing else {}
        if "remove" in change_data:
            shown = list(dict.fromkeys(places))
            one = "`{path}` is removed here, and a place still uses it"
            many = "`{path}` is removed here, and {count} places still use it"
            message = Text.plural(len(shown), one, many, path=change_data["remove"])
            help_lines = (*help_lines[:-1], _shows_in(shown))
        elif more:
            tables = tuple(self._tables(change_data.get("set", "")))
            if tables:
                template = "`{path}` is replaced here, and what stood there is still named"
                message = Text(template, path=change_data["set"])
                advice = Text("these go with it: {paths}; set or remove them as well", paths=tables)
                help_lines = (advice, _shows_in(places[:1]))
            help_lines = (*help_lines, Text("{count} more of this kind", count=len(more)))
        if problem.rule == "schema-type":
            help_lines = (*help_lines, *self._inside(problem))
        return problem._replace(message=message, help=help_lines)

    def _tables(self, replaced: str) -> Iterator[str]:
        """Yield the paths of names and looks of things that a change has replaced by others."""
        section, _, kind = replaced.partition(".")
        if section != "entities" or not kind or "." in kind:
            return
        after = self.tree.data["entities"].get(kind, {})
        before = self.examiner.base.data.get("entities", {}).get(kind, {})
        gone = {ident for ident in before if ident not in after}
        for section in ("names", "plurals"):
            for language, table in self.tree.data.get(section, {}).items():
                if not gone.isdisjoint(table.get(kind, ())):
                    yield f"{section}.{language}.{kind}"
        things = self.tree.data.get("view", {}).get("things", {})
        if not gone.isdisjoint(things.get(kind, {}).get("looks", ())):
            yield f"view.things.{kind}.looks"

    def _inside(self, problem: Finding) -> Iterator[str]:
        """Yield the path that was perhaps meant where a whole entry is set to a single value."""
        for change in self.changes:
            data = change.data
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
                    yield Text("did you mean `{name}`?", name=f"{data['set']}.{alike[0]}")

    def _change_at(self, problem: Finding) -> Change | None:
        """Return the change that a problem is told of, if it is told of one as such."""
        place = problem.file, problem.span
        return next((change for change in self.changes if change.place() == place), None)

    def _is_of_removed(self, problem: Finding) -> bool:
        """Return whether something still names what a change has removed."""
        change = self._change_at(problem) if "unknown-" in problem.rule else None
        return change is not None and "remove" in change.data and bool(_other_places(problem))

    def _without_consequences(
        self, placed: Sequence[tuple[Finding | DataFinding, Finding]]
    ) -> Iterator[tuple[Finding | DataFinding, Finding]]:
        errors = [
            problem
            for _, problem in placed
            if problem.rule not in _CONSEQUENCES and problem.severity is Severity.ERROR
        ]
        removed = {(one.file, one.span) for one in errors if self._is_of_removed(one)}
        for thing, problem in placed:
            follows = problem.rule in _CONSEQUENCES or problem.rule.startswith(_UNUSED)
            change = self._change_at(problem) if follows and _other_places(problem) else None
            if change is not None and any(change.holds(one.file, one.span) for one in errors):
                continue
            # What lacks something gives no types either.
            of_removed = (problem.file, problem.span) in removed and _other_places(problem)
            if not of_removed or self._is_of_removed(problem):
                yield thing, problem

    def _problem(self, thing: Finding | DataFinding) -> Finding:
        problem = thing if isinstance(thing, Finding) else thing.placed(self.tree)
        if not self.changes or (problem.file in self.files and problem.span != START):
            return problem
        change = self._cause(thing)
        if change is None:
            return problem
        help_lines = problem.help
        if problem.file not in self.files:
            place = Text("{file}, line {line}", file=problem.file, line=problem.span.line)
            help_lines = (*help_lines, _shows_in([place]))
        file, span = change.place()
        return problem._replace(file=file, span=span, help=help_lines)

    def _cause(self, thing: Finding | DataFinding) -> Change | None:
        """Return the change behind which something is wrong.

        Whether rules make sense is only asked where they have no errors. What is told of their
        sense only behind changes between which they had errors does not come of new names.
        """
        key = _key(thing)
        known = self._after(0)
        if known is None or key in known.problems:
            return None
        # Changes only build on earlier ones, so what is wrong stays wrong: halving finds the one
        # behind which it is, with some five sets of rules compiled for thirty changes.
        low, high = 0, len(self.changes)
        while high - low > 1:
            middle = (low + high) // 2
            known = self._after(middle)
            if known is None:
                return None
            if key in known.problems:
                high = middle
            else:
                low = middle
        if isinstance(thing, DataFinding) and thing.path[0] not in _SAID:
            while high > 1 and self.changes[high - 1].path.partition(".")[0] in _SAID:
                known = self._after(high - 1)
                if known is None or known.judged:
                    break
                high -= 1
        return self.changes[high - 1]

    def _after(self, changes: int) -> _Known | None:
        """Return what is wrong behind so many changes; None if that is not looked for."""
        if changes not in self.known:
            if len(self.known) > MAX_PARTS:
                return None
            later = {(one.variant.source.file, one.number) for one in self.changes[changes:]}
            known = _known(*self.examiner.judged(self.paths, self.left | later))
            self.known[changes] = known
            if not changes:
                self.examiner.plain[0] = known
        return self.known[changes]
