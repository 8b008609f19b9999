"""A table at which games are played statement by statement.

``Table.say`` plays one statement and returns the findings that it gives. What can be counted on
the table stands in ``attack.counting``.
"""

from __future__ import annotations

from typing import Any

from altay_cli.base.findings import Finding, Severity
from altay_cli.base.values import Entity
from altay_cli.compile.load import load_pack
from altay_cli.match.match import Match
from altay_cli.match.referee import Referee
from altay_cli.match.state import State
from altay_cli.match.statements import play
from altay_cli.moves.ability import Ability
from altay_cli.notation.reading import read_log
from attack.counting import zone_of

SETUP = """\
[Game "altay"]
setup
  seat Ann as Firefolk
  seat Bob as Elvenfolk
  marker 1 on F3, F5, W2, W5, H3
  marker 2 food on W3
  marker 2 wood on H2, H5
  marker 2 stone on H6, W6
  marker 3 metal on M3; marker 3 wood on M4, M5
  reveal Writing, Masonry, Strategy, Commerce, Religion, Government, Ark, Colossus, Academy
  Bob: settle F6
  Ann: settle F2
  Ann: secret Highways
  Bob: secret Great Wall
  Ann: draw 2 Hunter, 2 Warrior, Village
  Bob: draw 3 Hunter, Loremaster, Village
"""
FIRST_TURN = "turn 1 Ann\n"

# Both are in the middle of things: cards on the table, an achievement begun, opponents adjacent.
MIDDLE = """\
[Game "altay"]
position
  Ann: faction Smallfolk
  Bob: faction Earthfolk
  Ann: deck Craftsman(wood), Craftsman(stone), 4 Hunter, Spellweaver, Village, 2 Warrior,
    Chariot(2), Chariot(1), Cavalry(1), Scholar, Farmer, City(2), Merchant(1)
  Bob: deck Colonist, Digger, 3 Hunter, 2 Village, 3 Warrior, Cavalry, 2 Scholar, Worker(1), Town(1)
  Ann: hand Chariot(2), Cavalry(1), Scholar, Farmer, Hunter
  Bob: hand 2 Warrior, Colonist, Cavalry, Scholar
  Ann: table City(2) with food
  Ann: table Merchant(1) with wood, culture
  Bob: table Village with food
  Ann: discarded 2 Warrior, Village
  Bob: discarded 2 Hunter, Worker(1)
  Ann: completed Writing, Mathematics, Commerce
  Bob: completed Strategy, Engineering, Philosophy
  Ann: secret Ark
  Bob: secret Colossus
  Ann: developing Ark with 2 wood
  Ann: settlements 2 F2, H2, W2
  Bob: settlements 3 F3, 2 H3, M3
  Ann: took 2 wood in H2
  Bob: took 2 food in H3
  Ann: captured Bob
  marker 1 on W3, F5, F6
  marker 3 metal on M4, M5
  reveal Masonry, Strategy, Writing, Leadership, Religion, Government, Great Wall, Academy, Highways
turn 5 Ann
"""

# Ann has one settlement left to place, and what it takes to place it.
LATE = """\
[Game "altay"]
position
  Ann: faction Elvenfolk
  Bob: faction Earthfolk
  Ann: hand 2 Hunter, Village, Loremaster, Warrior
  Bob: hand 2 Hunter, Village, Digger, Colonist
  Ann: secret Ark
  Bob: secret Colossus
  Ann: settlements 4 F2, 4 H2, 3 W2
  Ann: captured 2 Bob
  Ann: lost 3
  Bob: settlements 3 F6, 4 H6, M5
  reveal Masonry, Strategy, Writing, Leadership, Religion, Government, Great Wall, Academy, Highways
turn 17 Ann
"""


def record(text: str) -> Any:
    """Return the only game of a text whose syntax is right."""
    log = read_log(text)
    assert not log.findings, log.findings
    return log.games[0]


class Table:
    """A game under way."""

    def __init__(self, text: str = SETUP + FIRST_TURN, **options: str) -> None:
        pack = load_pack("altay")
        chosen = {option.id: option.default for option in pack.options.values()} | options
        self.match = Match(pack, chosen, Ability)
        self.state: State = self.match.state
        Referee(self.match, record(text)).run()
        self.findings = self.match.report.findings

    def say(self, line: str) -> list[Finding]:
        """Play one statement or turn heading; returns what it gives rise to."""
        before = len(self.findings)
        self.match.report.begin("turns")
        try:
            if line.startswith("turn "):
                play(self.match, record(f'[Game "x"]\n{line}').sections[0].heading, "heading")
            else:
                section = record(f'[Game "x"]\nturn 1 x\n{line}').sections[0]
                play(self.match, section.statements[0], "turns")
        except Exception as stop:
            if type(stop).__name__ != "Stop":  # a rule says that the rest is not played
                raise
        found = self.findings[before:]
        # The same slip in a later statement is another one, though it stands in the same place here.
        self.match.report._reported.clear()
        return found

    def attempt(self, line: str) -> bool:
        """Play a statement if it is legal; else nothing has happened."""
        mark = self.state.journal.mark()
        before = len(self.findings)
        if any(finding.severity is Severity.ERROR for finding in self.say(line)):
            self.state.journal.undo(mark)
            del self.findings[before:]
            return False
        return True

    def __getitem__(self, zone: str) -> Any:
        """Return a zone of the state by its name."""
        return zone_of(self.state, zone)

    def named(self, kind: str, ident: str) -> Entity:
        """Return an entity of the pack."""
        return next(e for e in self.state.pack.entities[kind] if e.id == ident)

    def player(self, name: str) -> Entity:
        """Return a player."""
        return next(player for player in self.state.players if player.id == name)
