"""Check the result that a log claims against the computed one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import NamedTuple

from altay_cli.base.findings import Finding, Severity, Text, did_you_mean, either
from altay_cli.base.suggest import find_name, normal
from altay_cli.match.referee import Played
from altay_cli.notation.tree import GameRecord, Item, SectionKind, Statement
from altay_cli.pack.candidates import elements, on_pad, player_name
from altay_cli.pack.model import Cite
from altay_cli.pack.words import not_for
from altay_cli.scoring import limits
from altay_cli.scoring.bounds import bounds_for
from altay_cli.scoring.impossible import PointsClaim, impossible_claims
from altay_cli.scoring.outcomes import OpenTie, Outcomes, by_points, outcomes, pad_outcomes
from altay_cli.scoring.score import End, Standing, score


class _Claim(NamedTuple):
    """A claim: points of a player or team, or the names of winners.

    player: a team has a total only.
    lost: the names are those of losers.
    """

    statement: Statement
    player: str | None
    category: str | None
    value: int | tuple[str, ...]
    lost: bool = False

    def computed(self, standing: Standing) -> int | tuple[str, ...]:
        if self.player is None:
            return losers(standing) if self.lost else standing.winners
        for team in standing.teams:
            if team.name == self.player:
                return team.total
        score = standing.of(self.player)
        if self.category is None:
            return score.total
        return next(c.points for c in score.categories if c.category.id == self.category)

    def holds(self, standing: Standing) -> bool:
        computed = self.computed(standing)
        if isinstance(computed, int) or isinstance(self.value, int):
            return computed == self.value
        if not self.value and (standing.decided_by == "open" or losers(standing)):
            return False
        return set(computed) == set(self.value)


def tie_text(tie: OpenTie, titles: Mapping[str, str]) -> Text:
    """Return in words on which missing category a tie hangs."""
    template = (
        "tied at {points} points: {players}; {title} decides next, and is not recorded for "
        "{missing}"
    )
    return Text(
        template,
        players=tie.players,
        points=tie.points,
        title=titles.get(tie.category, tie.category),
        missing=tie.missing,
    )


def losers(standing: Standing) -> tuple[str, ...]:
    """Return who lost, by default all but the winners."""
    if standing.losers or not standing.winners:
        return standing.losers
    return tuple(p.player for p in standing.players if p.player not in standing.winners)


class Claims:
    """The claims in the `result` of a game, compared with the computed result.

    outcomes: the possible ones, best match first; ``best`` are the best matches.
    pad: the players of a score pad, whose claims are its only content.
    """

    def __init__(self, record: GameRecord, played: Played) -> None:
        self.record = record
        self.played = played
        self.pack = played.state.pack
        self.pad = on_pad(record)
        possible = None if self.pad else outcomes(played.state)
        players = possible.first.players if possible else ()
        names = [score.player for score in players] or self.pad[: self.pack.most]
        self.names = {normal(name): name for name in names}
        self.teams = {
            normal(team.name): team
            for team in (possible.first.teams if possible else ())
            if team.name and normal(team.name) not in self.names
        }
        self.cites = {c.id: c.cite for c in self.pack.categories}
        self.sections = [item for item in record.sections if item.kind is SectionKind.RESULT]
        self.all_read = [
            self._read(item) for section in self.sections for item in section.statements
        ]
        self.claims = [item for item in self.all_read if isinstance(item, _Claim)]
        self.bounds = bounds_for(played.state, self.pad) if self.pad else {}
        possible = possible or self._pad_outcomes()
        claims = self.claims[: limits.MAX_CLAIMS]
        fits = [(sum(claim.holds(o.standing) for claim in claims), o) for o in possible.all]
        fits.sort(key=lambda fit: fit[0], reverse=True)
        self.outcomes = possible._replace(all=tuple(outcome for _, outcome in fits))
        self.best = [outcome for count, outcome in fits if count == fits[0][0]]

    @property
    def claims_game_end(self) -> bool:
        """Whether a claim names winners, losers or a draw."""
        return any(claim.player is None for claim in self.claims)

    def _pad_outcomes(self) -> Outcomes:
        given: dict[tuple[str, str | None], int] = {}
        ends: dict[bool, tuple[str, ...]] = {}
        for claim in self.claims:
            if isinstance(claim.value, int):
                given.setdefault((claim.player or "", claim.category), claim.value)
            else:
                ends.setdefault(claim.lost, claim.value)
        names = tuple(self.names.values())
        lost = ends.get(True, ())
        won = ends.get(False, tuple(name for name in names if name not in lost))
        end = End(won, tuple(name for name in lost if name not in won)) if ends else None
        return pad_outcomes(self.played.state, names, given, end, self.bounds)

    def check(self) -> Iterator[Finding]:
        """Yield a finding for each wrong claim.

        All claims together must fit one outcome; errors compare them with the best match.
        """
        yield from islice(self._wrong_findings(), limits.MAX_CLAIMS)
        turns = (section for section in self.record.sections if section.kind is SectionKind.TURN)
        if self.sections and not self.played.ended and any(turns):
            message = (
                "the log ends before the game does; the claims are held against the last state"
            )
            span = self.sections[0].heading.span()
            yield Finding("game-unfinished", Severity.NOTE, message, span)

    def _wrong_findings(self) -> Iterator[Finding]:
        yield from (claim for claim in self.all_read if isinstance(claim, Finding))
        if self.pad:
            yield from self._impossible_claims()
        wrong = [claim for claim in self.claims if not claim.holds(self.outcomes.first)]
        if wrong and not (self.outcomes.complete or self.pad):
            message = "the log leaves so much open that the claims of the result are not judged"
            yield Finding("not-judged", Severity.ERROR, message, self.sections[0].heading.span())
            return
        if not wrong:
            return
        with self.played.state.unclear() as message:  # of an unrecorded value
            standing = score(self.played.state) if message else self.outcomes.first
        unrecorded = [
            (player.player, category.category)
            for player in standing.players
            for category in player.categories
            if category.fault == message
        ]
        for claim in wrong:
            finding = self._wrong_claim(claim)
            of_all = claim.player not in self.names.values()  # winners and teams depend on all
            if any(
                (of_all or player == claim.player)
                and (category.counts if not claim.category else category.id == claim.category)
                for player, category in unrecorded
            ):
                help_line = Text("according to the log: {message}", message=finding.message)
                finding = finding._replace(
                    rule="unrecorded", severity=Severity.NOTE, message=message, help=(help_line,)
                )
            yield finding

    def _impossible_claims(self) -> Iterator[Finding]:
        by_id = {category.id: category for category in self.pack.categories}
        claims = (
            PointsClaim(claim.statement, claim.player, by_id.get(claim.category or ""), claim.value)
            for claim in self.claims
            if claim.player is not None and isinstance(claim.value, int)
        )
        players = {player.player: player for player in self.outcomes.first.players}
        return impossible_claims(claims, players, self.bounds)

    def open_winner(self) -> Iterator[Finding]:
        """Yield a note if the winner depends on unrecorded facts."""
        by_winners = {frozenset(outcome.standing.winners): outcome for outcome in self.best}
        possible = self.outcomes
        if len(by_winners) == 1 and (
            possible.complete or frozenset(possible.winners) in by_winners
        ):
            return
        cases = [
            Text(
                "the winner is {names} with {what}",
                names=tuple(outcome.standing.winners),
                what="; ".join(outcome.assumed),
            )
            for outcome in list(by_winners.values())[: limits.MAX_VALUES]
            if outcome.assumed and outcome.standing.winners
        ]
        message = "the winner depends on unrecorded facts"
        yield Finding("winner-open", Severity.NOTE, message, self.record.span, {}, tuple(cases))

    def not_judged(self) -> Iterator[Finding]:
        """Yield what a score pad leaves open: missing categories, the winner.

        Missing categories are an error if the log promises to be complete.
        """
        titles = self.outcomes.first.titles if self.cites else {}
        open_win = self.outcomes.open_win
        lines = []
        for player in self.outcomes.first.players:
            missing = [
                category.category.id for category in player.categories if category.unrecorded
            ]
            template = (
                "{player}: {sum} without {missing}"
                if player.given is None
                else "{player}: only the score is given"
                if len(missing) == len(titles)
                else "{player}: without {missing}, the score is as it is given"
            )
            if missing:
                names = tuple(titles[ident] for ident in missing)
                lines.append(Text(template, player=player.player, missing=names, sum=player.total))
        lines += [tie_text(tie, titles) for tie in self.outcomes.open_ties if tie is not open_win]
        place = self.sections[0].heading.span()
        if lines:
            severity = Severity.ERROR if self.played.state.complete else Severity.NOTE
            message = "some categories are not given; the missing ones are not judged"
            yield Finding("unrecorded", severity, message, place, {}, tuple(lines))
        winners = {outcome.standing.winners for outcome in self.outcomes.all}
        if not by_points(self.pack):
            message = "the winner is not judged: points alone do not decide it"
        elif len(self.pad) < self.pack.least:
            message = not_for(len(self.pad), self.pack)
        elif open_win is not None:
            message = tie_text(open_win, titles)
        elif len(winners) > 1:
            message = "the winner depends on unrecorded facts"
        else:
            return
        yield Finding("winner-open", Severity.NOTE, message, place)

    # ------------------------------------------------------------ reading

    def _read(self, statement: Statement) -> _Claim | Finding:
        items = statement.items
        verb = items[0].text.casefold() if items and statement.outcome is None else ""
        if not statement.actor and verb == "draw" and len(items) == 1:
            return _Claim(statement, None, None, ())
        if not statement.actor and verb in {"winner", "loser"}:
            return self._winner(statement, lost=verb == "loser")
        if not verb or not statement.actor:
            return self._malformed(statement, *self._named_again(statement))
        name = player_name(statement.actor)
        team = find_name(name, self.teams)
        player = team.name if team else find_name(name, self.names)
        if player is None:
            return self._unknown(statement, statement.actor)
        if len(items) != 2 or items[1].kind != "number":
            return self._malformed(statement)
        if verb in {"score", "total"}:
            return _Claim(statement, player, None, items[1].value)
        if verb in self.cites and team is None:
            return _Claim(statement, player, verb, items[1].value)
        suggested = did_you_mean(verb, ["score", *self.cites], "possible: {names}")
        message = Text("there is no score category `{name}`", name=verb[:40])
        span = statement.span_of(items[0])
        return Finding("unknown-category", Severity.ERROR, message, span, {}, suggested)

    def _winner(self, statement: Statement, *, lost: bool) -> _Claim | Finding:
        claimed: list[str] = []
        for element in elements(statement.items[1:]):
            name = player_name(element) if element else ""
            if (player := find_name(name, self.names)) is not None:
                claimed.append(player)
            elif (team := find_name(name, self.teams)) is not None:
                claimed.extend(team.players)
            else:
                return self._unknown(statement, element) if element else self._malformed(statement)
        return _Claim(statement, None, None, tuple(claimed), lost)

    def _unknown(self, statement: Statement, items: Sequence[Item]) -> Finding:
        span = statement.span(items[0].start, items[-1].end)
        known = Text("at the table: {names}", names=", ".join(self.names.values()))
        if len(self.pad) > self.pack.most and player_name(items) in self.pad:
            known = not_for(len(self.pad), self.pack)
        message = Text("there is no player `{name}`", name=player_name(items)[:40])
        return Finding("unknown-player", Severity.ERROR, message, span, {}, (known,))

    def _named_again(self, statement: Statement) -> Iterator[Text]:
        """Yield the claim with its player, whom only an earlier part of the line names."""
        items = statement.items
        is_claim = [item.kind for item in items[1:]] == ["number"] and (
            items[0].text.casefold() in {"score", "total", *self.cites}
        )
        earlier = [
            other
            for section in self.sections
            for other in section.statements
            if other.line == statement.line and other.column < statement.column and other.actor
        ]
        if is_claim and earlier:
            name = earlier[-1].text[: earlier[-1].actor[-1].end]
            yield Text("repeat the name: `{statement}`", statement=f"{name}: {statement.text}")

    def _malformed(self, statement: Statement, *instead: Text) -> Finding:
        message, span = "this is not a claim of a result", statement.span()
        help_lines = (
            *instead,
            "it is written: NAME: score NUMBER, NAME: CATEGORY NUMBER, winner NAMES, "
            "loser NAMES, or draw",
            *([Text("categories: {names}", names=tuple(self.cites))] if self.cites else []),
        )
        return Finding("malformed-statement", Severity.ERROR, message, span, {}, help_lines)

    # ------------------------------------------------------------ wrong claims

    def _wrong_claim(self, claim: _Claim) -> Finding:
        statement, best = claim.statement, self.outcomes.all[0]
        help_lines = []
        if claim.player and not self.pad:
            help_lines.append("`altay score --explain` derives every number")
        if any(claim.holds(outcome.standing) for outcome in self.outcomes.all):
            computed, what = _computed(claim, best.standing), "; ".join(best.assumed)
            help_lines.append(Text("the other claims fit with {what}", what=what))
        else:
            values = list(dict.fromkeys(_computed(claim, o.standing) for o in self.outcomes.all))
            computed = either(
                [*values[: limits.MAX_VALUES], *(["…"] if values[limits.MAX_VALUES :] else [])]
            )
        if claim.player is None:
            template = (
                "claimed: a draw; computed: {computed}"
                if not claim.value
                else "claimed loser: {claimed}; computed: {computed}"
                if claim.lost
                else "claimed winner: {claimed}; computed: {computed}"
            )
            by = None if self.outcomes.open else _how_decided(best.standing)
            template += "" if by is None else " ({by})"
            message = Text(template, claimed=_shown(claim.value), computed=computed, by=by)
            if self.pad and not by_points(self.pack):
                message = Text("who has won is claimed twice: {computed} first", computed=computed)
            rule, span = "claim-winner", statement.span()
        else:
            template = "{player}: {title} {claimed} is claimed, {computed} is computed"
            if self.pad and (claim.category or best.standing.of(claim.player).given is not None):
                template = "{player}: {title} is claimed twice, as {computed} and as {claimed}"
            message = Text(
                template,
                player=claim.player,
                title=claim.category or "score",
                claimed=claim.value,
                computed=computed,
            )
            rule, span = "claim-wrong", statement.span_of(statement.items[1])
        cite, ruling = self._basis(claim, best.standing)
        return Finding(
            rule,
            Severity.ERROR,
            message,
            span,
            cite,
            tuple(help_lines),
            player=claim.player,
            ruling=ruling,
        )

    def _basis(self, claim: _Claim, standing: Standing) -> tuple[Cite, str | None]:
        if claim.category:
            return self.cites[claim.category], None
        if claim.player is not None:
            # The total has the page of its parts, if they share one.
            first, *others = self.cites.values() or [{}]
            return (first if all(cite == first for cite in others) else {}), None
        if standing.ended_by is not None:
            return standing.ended_by.cite, standing.ended_by.ruling
        return self.pack.winner_cite, None


def _computed(claim: _Claim, standing: Standing) -> str:
    computed = claim.computed(standing)
    if computed == ():
        if standing.decided_by == "open":
            return "no winner yet"
        if not standing.losers:
            return "a draw"
        return Text("a defeat of {names}", names=_shown(standing.losers))
    return _shown(computed)


def _shown(value: int | tuple[str, ...]) -> str:
    return str(value) if isinstance(value, int) else ", ".join(value)


def _how_decided(standing: Standing) -> str | None:
    texts: dict[str, str | None] = {
        "shared": "tied in every category: the victory is shared",
        "total": None,
        "open": None,
        "outcome": standing.by or None,
    }
    tie = Text("the tie is decided by {category}", category=standing.decided_by)
    return texts.get(standing.decided_by, tie)
