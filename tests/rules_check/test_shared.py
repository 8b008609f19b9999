"""Rules that are played on several processes: what is found is what one process finds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator, Iterable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from altay_cli.archive.work import Work, Workers
from altay_cli.archive.workers import LocalWorkers, results_in_order
from altay_cli.lint.playtests import Playtests, Quotas
from altay_cli.lint.tryout import ObservedGame, PlannedGame, plans, play
from altay_cli.simulation.simulated import Playout, PlayPlan
from tests.cli.sample import run
from tests.small import Pebbles

RULES = Path(__file__).parents[2] / "rules"

# What happens again and again is counted over several games.
TRIGGER = """\
change:
  - add: triggers.often
    to:
      title: It is often so
      when: round % 3 == 0
      does: [{each: {p: players}, does: [{set: {"debt[p]": 0}}]}]
"""


def shared(
    workers: Workers, call: object, games: Iterable[PlannedGame]
) -> Generator[ObservedGame, None, None]:
    work = Work(call, lambda _: 0.1, lambda _: ObservedGame(None, None), 2)  # type: ignore[arg-type]
    return results_in_order(work, games, workers)


def plan_of(game: str) -> PlayPlan:
    found = plans(RULES / game, (), ())
    assert found is not None
    return found[0]


def without_steps(tests: Playtests) -> Iterator[Playout]:
    """Yield outcomes without the steps they took: what is done for the second time takes fewer."""
    return (replace(outcome, steps=0) for outcome in tests.outcomes)


@pytest.mark.parametrize(
    ("game", "method"), [("nim", "fork"), ("gofish", "fork"), ("kalah", "fork"), ("nim", "spawn")]
)
def test_what_games_show_is_the_same(game: str, method: str) -> None:
    plan = plan_of(game)
    here = play(plan, 14)
    there = play(plan, 14, share=partial(shared, LocalWorkers(2, method)))
    for name in {*vars(here)} - {"was_stuck", "outcomes"}:
        assert getattr(here, name) == getattr(there, name), name
    assert [*without_steps(here)] == [*without_steps(there)]
    # Lists of what is legal are in the order in which it was first legal.
    assert [*here.legal] == [*there.legal]


def test_games_that_were_observed_otherwise_are_played_again() -> None:
    """A worker that knows nothing of other games tries too much; it makes no difference."""

    def forgetful(
        call: object, games: Iterable[PlannedGame]
    ) -> Generator[ObservedGame, None, None]:
        for number, _ in games:
            first = Quotas(Counter(), 0, 0, Counter())
            yield from call([PlannedGame(number, first)])  # type: ignore[operator]

    plan = plan_of("gofish")
    here, there = play(plan, 12), play(plan, 12, share=forgetful)
    assert (here.endless, here.loops, here.probed) == (there.endless, there.loops, there.probed)
    assert (here.walked, here.fired, here.firing) == (there.walked, there.fired, there.firing)
    assert [*without_steps(here)] == [*without_steps(there)]


def test_the_report_is_the_same(pebbles: Pebbles) -> None:
    path = pebbles.variant(TRIGGER)
    one, two = (run("rules", "check", path, "--play", "40", "--jobs", jobs) for jobs in "12")
    assert one.exit_code == two.exit_code
    assert one.output == two.output
    assert "variant: 40 games" in one.output
