"""Explain a line of a log: what it is, how it was read, and what the rules require there.

    from altay_cli.view.explaining import explain_line

    document = explain_line(text, 34, language="de")

The document is that of `altay explain FILE:LINE --format json` (`docs/json.md`).
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from altay_cli.base.findings import Finding, Severity
from altay_cli.base.suggest import normal
from altay_cli.base.translations import cited, phrase
from altay_cli.checking.check import GameReport, check_text
from altay_cli.checking.errors import GameError
from altay_cli.checking.opening import open_game
from altay_cli.checking.playing import Game
from altay_cli.match.match import Match
from altay_cli.notation.lexis import split_lines
from altay_cli.notation.reading import read_log
from altay_cli.notation.tree import GameRecord, SectionKind, Statement
from altay_cli.pack.candidates import elements, on_pad, player_name
from altay_cli.pack.model import MoveDef
from altay_cli.pack.words import words_of
from altay_cli.scoring.claims import losers
from altay_cli.scoring.score import Standing
from altay_cli.view import limits
from altay_cli.view.recording import CheckedRequirement, LineRecorder, Record

_OPEN = frozenset({"undecided", "not-judged"})

_ABOUT = {
    "section": "the heading of a section",
    "heading": "the heading of a turn",
    "setup": "a statement of the setup",
    "position": "a statement of a position",
    "move": "a statement of a turn",
    "expect": "a claim about the state at this point, which it does not change",
    "claim": "a claim of the result, compared with the computed scores",
}


class _LineStatement(NamedTuple):
    """A statement of a line.

    written, judged: as in the log, and as it was read.
    heading: the heading of its section.
    """

    kind: str
    written: Statement
    judged: Statement
    heading: str


def explain_line(
    text: str,
    line: int,
    *,
    folder: Path | str | None = None,
    language: str = "en",
) -> dict[str, object]:
    """Explain a line of a log, as plain data (`docs/json.md`).

    Args:
        text: the log, with one game or more.
        line: the number of the line, from 1.
        folder: where variant files are looked up; without it, none are read.
        language: the code of the language of names and messages.

    Raises:
        GameError: if the log has no such line.

    """
    return Explanations(text, folder=folder, language=language).of_line(line)


class Explanations:
    """Explanations of the lines of one log, for readers who go from line to line.

    Arguments are those of ``explain_line``.

    around: how many lines before and after a line are judged together with it.

    >>> explanations = Explanations("turn 1 Ann", around=30)
    >>> explanations.of_line(1)["text"]
    'turn 1 Ann'
    """

    def __init__(
        self,
        text: str,
        *,
        folder: Path | str | None = None,
        language: str = "en",
        around: int = 0,
    ) -> None:
        self.text, self.language, self.around = text, language, around
        self.folder = None if folder is None else Path(folder)
        self.log = read_log(text)
        self._lines = split_lines(text)
        self._judged: _JudgedGame | None = None

    def of_line(self, line: int) -> dict[str, object]:
        """Return the explanation of a line; raise GameError if there is none."""
        lines = self._lines
        if not 1 <= line <= len(lines):
            # The last line may be empty: the cursor of an editor can be there.
            template = "there is no line {line}: the log has {lines} lines"
            count = len(lines) - (lines[-1] == "")
            raise GameError(template, lines=count, line=str(line)[:12])
        number = bisect_right([record.span.line for record in self.log.games], line)
        judged = self._judged
        if judged is None or judged.number != number or line not in judged.lines:
            near = range(line - self.around, line + self.around + 1)
            judged = self._judged = _JudgedGame(self, number, near)
        return _Explainer(self, judged, line, lines[line - 1]).document()


class _JudgedGame:
    """A game of a log, judged once.

    number: of the game, from 1; 0 before the first.
    lines: those whose statements are recorded.
    """

    def __init__(self, of: Explanations, number: int, lines: range) -> None:
        self.number, self.lines = number, lines
        self.recorder: LineRecorder | None = None
        self.record: GameRecord | None = None
        report = check_text(
            of.text, folder=of.folder, language=of.language, watch=self._watch, only=number or None
        )
        self.game: GameReport = report.games[0]
        if self.recorder is not None:
            self.recorder.finish()

    def _watch(self, record: GameRecord, match: Match) -> None:
        self.record = record
        statements = [part for _, part, _ in _on_lines(record, self.lines)]
        self.recorder = LineRecorder(match, statements)


class _Explainer:
    def __init__(self, of: Explanations, judged: _JudgedGame, line: int, source: str) -> None:
        self.text, self.line, self.source = of.text, line, source
        self.folder, self.language = of.folder, of.language
        self.log, self.number = of.log, judged.number
        self.recorder, self.judged, self.game = judged.recorder, judged.record, judged.game

    def _phrase(self, english: str, **values: object) -> str:
        return phrase(self.language, english, **values)

    # ------------------------------------------------------------ the line

    def document(self) -> dict[str, object]:
        parts = list(self._parts())
        findings = self.game.findings
        entries = []
        for part in parts:
            span = part.written.span()
            own = [f for f in findings if span[:2] <= f.span[:2] < span[2:]]
            findings = [finding for finding in findings if finding not in own]
            entries.append(self._statement(part, own))
        return {
            "line": self.line,
            "text": self.source,
            "game": self.number or None,
            "about": self._about(parts),
            "statements": entries,
            "findings": [self._finding(f) for f in findings if f.span.line == self.line],
        }

    def _parts(self) -> Iterator[_LineStatement]:
        if not self.number:
            return
        written = [part for _, part, _ in _on_line(self.log.games[self.number - 1], self.line)]
        judged = _on_line(self.judged or self.log.games[self.number - 1], self.line)
        same = len(written) == len(judged)
        for number, (kind, statement, heading) in enumerate(judged):
            is_claim = kind in {"setup", "position", "move"} and self._is_claim(statement)
            yield _LineStatement(
                "expect" if is_claim else kind,
                written[number] if same else statement,
                statement,
                heading,
            )

    def _is_claim(self, statement: Statement) -> bool:
        binder = None if self.recorder is None else self.recorder.match.binder
        return binder is not None and binder.is_claim(statement.phrase)

    def _about(self, parts: Sequence[_LineStatement]) -> str:
        if parts:
            texts = [self._phrase(_ABOUT[part.kind]) for part in parts]
            return self._phrase("; ").join(dict.fromkeys(texts))
        for tag in self.log.games[self.number - 1].tags if self.number else ():
            if tag.span.line <= self.line <= tag.span.end_line:
                return self._phrase(self._about_tag(tag.name), name=tag.name)
        if not self.source.strip():
            return self._phrase("an empty line, without effect")
        if self.source.strip().startswith("#"):
            return self._phrase("a comment, without effect on the game")
        return self._phrase("no statement of a game")

    def _about_tag(self, name: str) -> str:
        pack = None if self.recorder is None else self.recorder.match.pack
        options = [option.tag for option in pack.options.values()] if pack else []
        counting = {"game", "variant", "rules", "recorded"}
        counting |= {tag.casefold() for tag in options if tag}
        if name.casefold() in counting:
            return "a tag of the game: `{name}` says by which rules it is judged"
        return "a tag of the game: `{name}` is kept and has no effect"

    # ------------------------------------------------------------ statements

    def _statement(self, part: _LineStatement, findings: Sequence[Finding]) -> dict[str, object]:
        recorder = self.recorder
        record = Record() if recorder is None else recorder.records[id(part.judged)]
        verdict = self._verdict(part, record, findings)
        move = record.moves[0] if record.moves else None
        checks = [of for n, of in enumerate(record.checks) if of not in record.checks[:n]]
        requirements = [self._requirement(check) for check in checks]
        if part.kind == "claim":
            requirements += self._computed(part, findings)
        if part.kind == "expect" and record.meanings:
            requirements.append({
                "id": "expect-wrong",
                "text": self._phrase("what is claimed is so"),
                "holds": verdict == "legal",
                "values": [list(value) for value in record.meanings],
                "condition": "",
                "cite": {},
                "cited": "",
                "ruling": None,
            })  # fmt: skip
        meanings = [] if part.kind == "expect" else record.meanings
        written, judged = part.written, part.judged
        words = None if recorder is None else words_of(recorder.match.pack, self.language)
        return {
            "text": written.text,
            **written.span()._asdict(),
            "kind": part.kind,
            "about": self._phrase(_ABOUT[part.kind]),
            "section": part.heading,
            "verdict": verdict,
            "legal": {"legal": True, "illegal": False}.get(verdict),
            "why": self._reason(written, verdict, findings),
            "read_as": judged.text if judged.phrase != written.phrase else None,
            "player": record.player,
            "title": words.word(move.title) if move and words else "",
            "cite": dict(move.cite) if move else {},
            "cited": cited(self.language, move.cite) if move else "",
            "meanings": [list(value) for value in dict.fromkeys(meanings)],
            "requirements": requirements,
            "changes": [list(value) for value in record.changes],
            "findings": [self._finding(finding) for finding in findings],
            "possible": self._possible(part, move) if verdict == "illegal" else [],
        }

    def _verdict(self, part: _LineStatement, record: Record, findings: Sequence[Finding]) -> str:
        errors = [finding for finding in findings if finding.severity is Severity.ERROR]
        if errors:
            return "undecided" if {error.rule for error in errors} <= _OPEN else "illegal"
        if part.kind == "section" and self.recorder is not None:
            return "legal"
        if part.kind == "claim":
            standing = self.game.standing
            claim = None if standing is None else _claimed(part.judged, standing)
            return "legal" if claim is not None and claim.agrees else "not judged"
        return "legal" if record.reached else "not judged"

    def _reason(self, written: Statement, verdict: str, findings: Sequence[Finding]) -> str | None:
        if verdict != "not judged":
            return None
        errors = [
            f for f in self.game.findings if f.severity is Severity.ERROR and f not in findings
        ]
        before = [error for error in errors if error.span[:2] < (written.line, written.column)]
        cause = next(iter([*before[::-1], *errors]), None)
        if cause is None:
            return self._phrase("the game is not judged here")
        template = "not judged because of line {line}: {message}"
        return self._phrase(template, line=cause.span.line, message=cause.message)

    def _requirement(self, check: CheckedRequirement) -> dict[str, object]:
        return {
            "id": check.rule,
            "text": check.text,
            "holds": check.holds,
            "values": [list(value) for value in check.values],
            "condition": check.condition,
            "cite": dict(check.cite),
            "cited": cited(self.language, check.cite),
            "ruling": check.ruling,
        }

    def _finding(self, finding: Finding) -> dict[str, object]:
        document = finding.to_dict(related=True)
        return {**document, "cited": cited(self.language, finding.cite)}

    # ------------------------------------------------------------ claims

    def _computed(
        self, part: _LineStatement, findings: Sequence[Finding]
    ) -> Iterator[dict[str, object]]:
        """Yield the claim of a result as a requirement, with what is computed."""
        standing = self.game.standing
        claim = None if standing is None else _claimed(part.judged, standing)
        if standing is None or claim is None or self.recorder is None:
            return
        pack = self.recorder.match.pack
        cites = {"": pack.winner_cite, **{of.id: of.cite for of in pack.categories}}
        cite = cites.get(claim.category, {})
        wrong = any(finding.severity is Severity.ERROR for finding in findings)
        ident = "claim-wrong" if part.judged.actor else "claim-winner"
        text = self._phrase("the claim agrees with what is computed")
        values = [
            [self._phrase("claimed"), claim.claimed],
            [self._phrase("computed"), claim.computed],
        ]
        on_pad_alone = self.judged is not None and bool(on_pad(self.judged))
        if on_pad_alone and claim.category in cites and claim.category:
            # Nothing computes the points of a score pad.
            ident, text = "claim-impossible", self._phrase("these points are possible")
            del values[1]
        yield {
            "id": ident,
            "text": text,
            "holds": False if wrong else True if claim.agrees else None,
            "values": values,
            "condition": "",
            "cite": dict(cite),
            "cited": cited(self.language, cite),
            "ruling": None,
        }

    # ------------------------------------------------------------ what would be legal

    def _possible(self, part: _LineStatement, move: MoveDef | None) -> list[str]:
        if part.kind not in {"move", "heading"} or self.recorder is None:
            return []
        at = f"{part.written.line}:{part.written.column}"
        with suppress(GameError):
            game = open_game(
                self.text, at, game=self.number, folder=self.folder, language=self.language
            )
            return list(islice(_sorted_moves(game, move), limits.MAX_ALTERNATIVES))
        return []


def _sorted_moves(game: Game, move: MoveDef | None) -> Iterable[str]:
    moves = game.candidates()
    alike = [of.statement for of in moves if move is not None and of.definition.id == move.id]
    return alike or [of.statement for of in moves]


def _on_line(record: GameRecord, line: int) -> list[tuple[str, Statement, str]]:
    return _on_lines(record, range(line, line + 1))


def _on_lines(record: GameRecord, lines: range) -> list[tuple[str, Statement, str]]:
    """Return the statements of some lines, with their kinds and headings."""
    found = []
    for section in record.sections:
        heading = " ".join(section.heading.text.split())
        first = "heading" if section.kind is SectionKind.TURN else "section"
        kind = {
            SectionKind.SETUP: "setup",
            SectionKind.POSITION: "position",
            SectionKind.TURN: "move",
            SectionKind.RESULT: "claim",
        }[section.kind]
        rows = [(first, section.heading), *((kind, statement) for statement in section.statements)]
        for of, statement in rows:
            last = statement.line + statement.text.count("\n")
            if statement.line < lines.stop and last >= lines.start:
                found.append((of, statement, heading))
    return found


class _ExplainedClaim(NamedTuple):
    """A claim of the result, and the computed value.

    category: its id, "" for the winners.
    """

    claimed: str
    computed: str
    category: str
    agrees: bool


_NOBODY = "–"


def _claimed(statement: Statement, standing: Standing) -> _ExplainedClaim | None:
    items = statement.items
    verb = items[0].text.casefold() if items else ""
    if not statement.actor:
        if verb not in {"winner", "loser", "draw"}:
            return None
        named = [player_name(element) for element in elements(items[1:]) if element]
        computed = losers(standing) if verb == "loser" else standing.winners
        agrees = {*map(normal, named)} == {*map(normal, computed)}
        claimed, found = (", ".join(names) or _NOBODY for names in (named, computed))
        return _ExplainedClaim(claimed, found, "", agrees)
    names = {normal(player.player): player for player in standing.players}
    player = names.get(normal(player_name(statement.actor)))
    if player is None or len(items) < 2:
        return None
    points = {score.category.id: score.points for score in player.categories}
    total = player.total if verb in {"score", "total"} else None
    points_found = points.get(verb, total)
    if points_found is None:
        return None
    category = verb if verb in points else "score"
    agrees = items[1].value == points_found
    return _ExplainedClaim(items[1].text, str(points_found), category, agrees)
