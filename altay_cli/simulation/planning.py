"""Checks whether a plan can be played: its rules, players, policies and tags."""

from __future__ import annotations

from collections.abc import Sequence

from altay_cli.base.findings import Finding, errors_of
from altay_cli.base.suggest import suggest
from altay_cli.base.text import Text, in_turn
from altay_cli.checking.playing import not_for
from altay_cli.checking.tags import KNOWN_TAGS, rules_of
from altay_cli.compile.load import pack_names
from altay_cli.notation import read
from altay_cli.notation.lexis import quote
from altay_cli.pack.model import Pack
from altay_cli.simulation.policies import policy_names
from altay_cli.simulation.simulated import PlayPlan

OWN_TAGS = ("Event", "Round")
"""Tags that every simulated game has."""


class PlanError(ValueError):
    """A plan that cannot be played; the message says why."""


def rules_for(plan: PlayPlan) -> Pack:
    """Return the rules that a plan is played by.

    Raises:
        PlanError: if there are none, or if its tags or variants are wrong.

    """
    if plan.pack not in pack_names():
        raise PlanError(_unknown("there are no rules `{name}`", plan.pack, pack_names()))
    tags = [("Game", plan.pack), *plan.tags]
    head = "\n".join(f"[{name} {quote(value)}]" for name, value in tags)
    log = read(f"{head}\nsetup\n")
    found: list[Finding] = list(log.findings)
    rules = rules_of(log.games[0], plan.folder, found)
    errors = errors_of(found)
    if errors or rules is None:
        first = errors[0]  # without rules there is one
        raise PlanError(in_turn([first.message, *first.help]))
    return rules[0]


def check_plan(plan: PlayPlan, pack: Pack) -> None:
    """Check the players, policies and tags of a plan against its rules.

    Raises:
        PlanError: if they do not fit.

    """
    if not pack.opening:
        raise PlanError(
            Text(
                "the rules of {game} do not tell how a game is laid out by chance", game=pack.title
            )
        )
    if not pack.least <= plan.players <= pack.most:
        raise PlanError(not_for(plan.players, pack))
    names = policy_names(pack)
    for name in plan.policies:
        if name not in names:
            raise PlanError(_unknown("there is no policy `{name}`", name, names))
    tags = [option.tag for option in pack.options.values() if option.tag]
    tags += [tag for tag in KNOWN_TAGS if tag not in OWN_TAGS]
    folded = {tag.casefold() for tag in (*tags, "Rules", "Variant")}
    for name, _ in plan.tags:
        if name.casefold() not in folded:
            raise PlanError(_unknown("the rules know no tag `{name}`", name, tags))


def _unknown(what: str, name: str, known: Sequence[str]) -> Text:
    """Say that there is no such name, with the one that was probably meant, or else all."""
    near = suggest(name, known)
    if near:
        return Text(what + "; did you mean `{other}`?", name=name, other=near[0])
    return Text(what + "; there is: {names}", name=name, names=tuple(known))
