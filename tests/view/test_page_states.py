"""Every state that the page shows, at each move of three games, is that of the engine.

The engine's states come by another way than those of the page: the game is played again, move by
move, with `altay_cli.checking.playing`, and the zones are read as the rules declare them.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from altay_cli.base.values import Bag, Entity
from altay_cli.checking.opening import open_game
from altay_cli.checking.playing import Game
from altay_cli.notation.reading import read_log
from altay_cli.view.watching import LogLines, watch_text
from tests.cli.sample import run
from tests.view.browsing import Browser, url_of
from tests.view.sample import GAMES

THREE = [path for path in GAMES if path.stem in {"three-players", "trading", "swept-away"}]

# Steps through the whole game with the right arrow, and reads the page at each moment: of each
# field its groups (heading, names and counts, words), of each place its tokens. The cards of a
# player are shown when the player is clicked.
READ = """
() => {
  const words = (node) => node.textContent.replace(/\\s+/g, " ").trim();
  const add = (counts, name, count) => { counts[name] = (counts[name] ?? 0) + count; };
  const number = (node) => parseInt(words(node).replace("×", ""));
  // Cards, chips, tokens and names, with their counts.
  const counted = (box) => {
    const counts = {};
    for (const card of box.querySelectorAll("[data-card]:not(.gone)")) {
      const times = card.querySelector(".times");
      add(counts, words(card.querySelector(".card-name > :first-child")), times ? number(times) : 1);
    }
    for (const chip of box.querySelectorAll(".chip")) {
      const count = chip.querySelector(".count");
      add(counts, words(chip.lastElementChild), count ? number(count) : 1);
    }
    if (box.closest(".fact")) {
      for (const token of box.querySelectorAll("img[alt]:not([alt=''])")) {
        const [, count, name] = /^(?:(\\d+)× )?(.*)$/.exec(token.alt);
        if (!token.closest(".chip")) {
          add(counts, name, Number(count ?? 1));
        }
      }
      for (const pill of box.querySelectorAll(".pill")) {
        add(counts, pill.getAttribute("aria-label"), 1);
      }
      for (const named of box.querySelectorAll(".named")) {
        const [name, count] = words(named).split(" ×");
        add(counts, name, count ? Number(count) : 1);
      }
    }
    return counts;
  };
  const rows = (root) => [...root.querySelectorAll(".group")].map((group) => {
    const of = group.querySelector(".of");
    const items = group.lastElementChild;
    return [of ? words(of) : null, counted(items), words(items)];
  });
  const line = (root) => {
    const both = [...root.querySelectorAll(".both")];
    if (!both.length) {
      return [[null, counted(root.querySelector("dd")), words(root.querySelector("dd"))]];
    }
    return both.map((one) => {
      const [head, ...rest] = [one.firstElementChild, ...[...one.children].slice(1)];
      const box = document.createElement("div");
      box.className = "fact";
      box.append(...rest.map((part) => part.cloneNode(true)));
      return [words(head), counted(box), words(box)];
    });
  };
  const cards = (root) => [...root.querySelectorAll(".cards")].map((group) => {
    const of = group.querySelector(".of");
    return [of ? words(of) : null, counted(group), words(group)];
  });
  const read = (root) => root.hidden ? null
    : root.matches(".fact") ? line(root)
    : root.querySelector(".fan") ? cards(root) : rows(root);
  const fields = (...boxes) => Object.fromEntries(
    boxes.flatMap((box) => [...box.querySelectorAll("[data-field]")])
      .map((root) => [root.dataset.field, read(root)]),
  );
  const boxes = [...document.querySelectorAll(".player")];
  const player = (box, seat) => {
    box.querySelector(".who").click();
    return [words(box.querySelector(".name")), {
      total: parseInt(words(box.querySelector(".total"))),
      fields: fields(box, document.querySelectorAll(".hand")[seat]),
    }];
  };
  const state = () => ({
    course: words(document.getElementById("course")),
    table: fields(document.getElementById("shared")),
    players: Object.fromEntries(boxes.map(player)),
    places: Object.fromEntries([...document.querySelectorAll(".place")].map((place) => [
      place.dataset.ref.split(" ")[1],
      [...new Set([...place.querySelectorAll(".marks title")].map(words))],
    ])),
  });
  for (const rest of document.querySelectorAll(".rest")) {
    rest.open = true;
  }
  return new Promise((done) => setTimeout(() => {
    const states = [];
    const count = Number(document.getElementById("slider").max);
    for (let moment = 0; moment <= count; moment += 1) {
      states.push(state());
      document.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight" }));
    }
    done(JSON.stringify(states));
  }, 100));
}
"""


class Zones:
    """The zones of a game by their names."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.state = game.state
        self.zones = {zone.name: zone.index for zone in game.pack.zones}

    def __getitem__(self, name: str) -> Any:
        return self.state.zones.held(self.zones[name])

    def names(self, bag: Bag) -> dict[str, int]:
        return {self.state.words.name(thing): count for thing, count in bag.items()}

    def name(self, thing: Entity | None) -> dict[str, int]:
        return {} if thing is None else {self.state.words.name(thing): 1}


def played(text: str) -> Iterator[Zones]:
    """Play a log move by move; gives the zones before the first move and behind each."""
    first = read_log(text).games[0].sections[1].heading
    game = open_game(text, str(first.line))
    _, (watched,) = watch_text(text)
    assert watched is not None
    yield Zones(game)
    for moment in watched.moments:
        game.apply(LogLines(watched).sentence(moment.statement))
        yield Zones(game)


def check(shown: dict[str, Any], zones: Zones) -> None:
    game, state = zones.game, zones.state
    assert state.round == 0 or f"Round {state.round}" in shown["course"]
    standing = game.score()
    for player in state.players:
        told = shown["players"][player.id]
        assert told["total"] == standing.of(player.id).total
        fields = told["fields"]

        def bag(name: str, fields: dict[str, Any] = fields) -> dict[str, int]:
            groups = fields.get(name) or [[None, {}, ""]]  # what is never used is left out
            assert len(groups) == 1
            found: dict[str, int] = groups[0][1]
            return found

        for name in ("hand", "archive", "deck", "discard", "pool", "completed", "conquered"):
            assert bag(name) == zones.names(zones[name][player]), name
        assert bag("secret") == zones.name(zones["secret"][player])
        assert bag("faction") == zones.name(zones["faction"][player])
        assert fields["supply"][0][2] == str(zones["supply"][player])
        table = {of: things for of, things, _ in fields.get("table") or []}
        assert table == {
            state.words.name(card): zones.names(zones["on"][player][card.parent])
            for card in zones["table"][player]
        }
        goal = zones["developing"][player]
        developing = {of: things for of, things, _ in fields.get("developing") or []}
        assert developing == (
            {} if goal is None else {state.words.name(goal): zones.names(zones["placed"][player])}
        )
        captured = {of: int(number) for of, _, number in fields.get("captured") or []}
        assert captured == {
            other.id: number
            for other in state.players
            if (number := zones["captured"][player][other])
        }
    table = shown["table"]
    assert table["reserve"][0][1] == zones.names(zones["reserve"])
    display: dict[str, int] = {}
    for _, things, _ in table["display"]:
        display |= things
    assert display == zones.names(zones["display"])
    market: dict[str, int] = {}
    for _, things, _ in table["market"]:
        market |= things
    assert market == {
        state.words.name(pile[0]): len(pile) for pile in zones["market"].values() if pile
    }
    for territory in game.pack.entities["territory"]:
        if territory.id not in shown["places"]:
            continue
        expected = [
            f"Settlements: {player.id} {number}"
            for player in state.players
            if (number := zones["settlers"][territory][player])
        ]
        marker = zones["marker"][territory]
        if marker is not None:
            expected.append(f"Conquest marker: {state.words.name(marker)}")
        if zones["vp"][territory]:
            expected.append(f"Victory point marker: {zones['vp'][territory]}")
        assert shown["places"][territory.id] == expected


@pytest.mark.parametrize("path", THREE, ids=lambda path: path.stem)
def test_every_state_of_the_page_is_that_of_the_engine(
    path: Path, browser: Browser, tmp_path: Path
) -> None:
    out = tmp_path / "game.html"
    assert run("replay", path, "-o", out).exit_code == 0
    with browser.open(url_of(out)) as seen:
        states = json.loads(seen.page.evaluate(READ))
    moments = 0
    for shown, zones in zip(states, played(path.read_text(encoding="utf-8")), strict=True):
        check(shown, zones)
        moments += 1
    assert moments > 200
