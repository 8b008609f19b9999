"""Judge changed rules: run the project's tests until one fails."""

from __future__ import annotations

import importlib
import signal
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType
from typing import Any
from unittest.mock import patch

from altay_cli.checking import tags
from altay_cli.compile import load
from altay_cli.lint.logic import logic
from altay_cli.lint.startup import StartupChecks
from altay_cli.pack.model import Pack
from attack.rules_cases import TESTS, Case, cases
from attack.rules_mutants import Mutant
from attack.rules_packs import Built, Refused, Undo, Variants, build, plain

LIMIT = 60.0
"""Seconds for a change; it may make the rules loop."""

TRUE, FALSE, FAILED = 1, 2, 4


@dataclass(frozen=True, slots=True)
class Verdict:
    """``fate``: "killed", "refused", "slow" or "survived"; ``by``: the case responsible."""

    mutant: Mutant
    fate: str
    by: str = ""
    seconds: float = 0.0

    @property
    def survived(self) -> bool:
        return self.fate == "survived"


class _Slow(BaseException):
    """No test catches this, as it is not an ``Exception``."""


@contextmanager
def limited(seconds: float) -> Iterator[None]:
    """Raise `_Slow` after so many seconds, where that is supported."""
    if not hasattr(signal, "setitimer"):
        yield
        return

    def stop(_number: int, _frame: FrameType | None) -> None:
        raise _Slow

    previous = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, previous)


@dataclass(slots=True)
class Judge:
    """Tries changes of the rules on cases.

    ``seen``: by pack and expression, the cases that evaluate it; no others can notice a change.
    """

    cases: list[Case]
    failing: dict[str, str] = field(default_factory=dict)
    """Cases that fail without a change, with the reason."""
    built: dict[Variants, Built] = field(default_factory=dict)
    seen: dict[tuple[Variants, str], dict[Case, int]] = field(default_factory=dict)
    limit: float = LIMIT
    _now: Mutant | None = None
    _recompiled: bool = False
    _changed: dict[Variants, Built] = field(default_factory=dict)
    _undo: list[Undo] = field(default_factory=list)
    _case: Case | None = None

    # ------------------------------------------------------------ the unchanged rules

    @classmethod
    def prepared(cls, chosen: Iterable[Case] | None = None) -> Judge:
        """Return a judge that has run every case on the unchanged rules."""
        judge = cls(list(cases() if chosen is None else chosen))
        judge.survey()
        return judge

    def survey(self) -> None:
        """Run all cases and record the expressions they evaluate."""
        for case in self.cases:
            self._case = case
            try:
                with self.rules():
                    case.run()
            except Exception as error:
                self.failing[case.ident] = f"{type(error).__name__}: {str(error)[:200]}"
        self._case = None
        self.cases = [case for case in self.cases if case.ident not in self.failing]
        for built in self.built.values():
            for key in (*built.by_key, *(f"fn {name}" for name in built.functions)):
                built.replace(key, built.function(key).unwatched)

    def _watch(self, built: Built) -> None:
        """Make every expression record the cases that evaluate it."""
        for key in (*built.by_key, *(f"fn {name}" for name in built.functions)):
            built.replace(key, self._watched(built.variants, key, built.function(key)))

    def _watched(self, variants: Variants, key: str, function: Any) -> Any:
        table: dict[Case, int] = self.seen.setdefault((variants, key), {})

        def watched(state: Any, values: Any) -> Any:
            try:
                result = function(state, values)
            except BaseException:
                table[self._case] = table.get(self._case, 0) | FAILED  # type: ignore[index, arg-type]
                raise
            bit = TRUE if result is True else FALSE if result is False else TRUE | FALSE
            table[self._case] = table.get(self._case, 0) | bit  # type: ignore[index, arg-type]
            return result

        watched.unwatched = function  # type: ignore[attr-defined]
        return watched

    # ------------------------------------------------------------ which rules are asked for

    @contextmanager
    def rules(self) -> Iterator[None]:
        """Make every loader of rules return the current ones."""

        def asked(name: str, variants: Sequence[Path] = (), folder: Path | None = None) -> Pack:
            del name, folder
            return self._pack(tuple(variants))

        with (
            patch.object(tags, "loaded", asked),
            patch.object(load, "load_pack", asked),
        ):
            bound = [m for m in map(importlib.import_module, TESTS) if hasattr(m, "load_pack")]
            loaders = [module.load_pack for module in bound]
            for module in bound:
                module.load_pack = asked  # type: ignore[attr-defined]
            try:
                yield
            finally:
                for module, function in zip(bound, loaders, strict=True):
                    module.load_pack = function  # type: ignore[attr-defined]

    def _pack(self, variants: Variants) -> Pack:
        if self._case is not None:
            self._case.packs.add(variants)
        mutant = self._now
        if mutant is not None and mutant.concerns(variants):
            return self._mutated(mutant, variants)
        if variants not in self.built:
            self.built[variants] = plain(variants)
            if self._case is not None:
                self._watch(self.built[variants])
        return self.built[variants].pack

    def _mutated(self, mutant: Mutant, variants: Variants) -> Pack:
        if variants not in self._changed:
            there = self.built.get(variants)
            if there is None:
                there = self.built[variants] = plain(variants)
            undo = None if self._recompiled else mutant.apply(there)
            if undo is None:
                self._changed[variants] = build(variants, mutant.edit)
            else:
                self._undo += undo
                self._changed[variants] = there
        return self._changed[variants].pack

    @contextmanager
    def changed(self, mutant: Mutant, recompile: bool = False) -> Iterator[None]:
        """Change the rules in the body; in place if possible, unless ``recompile``."""
        self._now, self._recompiled = mutant, recompile
        try:
            with self.rules():
                yield
        finally:
            self._now = None
            for undo in reversed(self._undo):
                undo()
            self._undo.clear()
            self._changed.clear()

    # ------------------------------------------------------------ one change

    def judge(self, mutant: Mutant, recompile: bool = False) -> Verdict:
        """Try a change on the cases it may affect, until one fails."""
        began = time.perf_counter()
        fate, by = "survived", ""
        try:
            with limited(self.limit), self.changed(mutant, recompile):
                fate, by = self._try(mutant)
        except _Slow:
            fate = "slow"
        return Verdict(mutant, fate, by, time.perf_counter() - began)

    def _try(self, mutant: Mutant) -> tuple[str, str]:
        try:
            self._mutated(mutant, (mutant.only,) if mutant.only is not None else ())
            for case in self.order(mutant):
                try:
                    case.run()
                except Refused:
                    raise
                except Exception:
                    case.kills += 1
                    return "killed", case.ident
            if not (mutant.requirement or mutant.condition):
                self._make_sense(mutant)
        except Refused as error:
            return "refused", str(error).partition("\n")[0][:100]
        return "survived", ""

    def order(self, mutant: Mutant) -> list[Case]:
        """Return cases that can notice a change, the likeliest first."""
        found = self._concerned(mutant)
        words = [word.lower() for word in mutant.words]
        words_path = f"/{words[0]}/" if words else "//"
        ranked = [
            (
                words_path not in case.ident,
                mutant.path[0] == "entities" and "tests/components/" not in case.ident,
                bool(mutant.only is None and case.packs != {()}),
                not any(word in case.text for word in words),
                -case.kills,
                number,
            )
            for number, case in enumerate(found)
        ]
        return [found[rank[-1]] for rank in sorted(ranked)]

    def _concerned(self, mutant: Mutant) -> list[Case]:
        wanted = {"always": FALSE | FAILED, "never": TRUE | FAILED}.get(mutant.condition, 7)
        found: set[Case] = set()
        for variants, built in self.built.items():
            if not mutant.concerns(variants):
                continue
            keys = mutant.keys(built)
            if keys is None:
                return [case for case in self.cases if mutant.only is None or case.packs & {
                    v for v in self.built if mutant.concerns(v)}]  # fmt: skip
            for key in keys:
                found |= {
                    c for c, bits in self.seen.get((variants, key), {}).items() if bits & wanted
                }
        return [case for case in self.cases if case in found]

    @staticmethod
    def _make_sense(mutant: Mutant) -> None:
        built = build((mutant.only,) if mutant.only is not None else (), mutant.edit)
        startup = StartupChecks(built.tree, built.pack)
        for found in (*logic(built.compiled), *startup.run()):
            raise Refused(f"{found.message} [{found.rule}]")
        with suppress(StopIteration):
            raise Refused(next(iter(built.tree.problems)).message)
