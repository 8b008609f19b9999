"""Every rule of the pack: logs that it lets pass and logs that it catches."""

from __future__ import annotations

from pathlib import Path

import pytest

from altay_cli.base.catalogue import PROGRAM_RULES
from altay_cli.compile.load import load_pack
from altay_cli.pack.model import DrawEffect, Effect, IfEffect, ReportEffect
from tests.logs import expected, verify

HERE = Path(__file__).parent
LOGS = sorted(HERE.glob("*/*.agn"))


def effect_rules(effects: tuple[Effect, ...]) -> set[str]:
    found: set[str] = set()
    for effect in effects:
        if isinstance(effect, DrawEffect):
            found |= {text.rule for text in effect.rules.values()}
        elif isinstance(effect, ReportEffect):
            found.add(effect.text.rule)
        elif isinstance(effect, IfEffect):
            found |= effect_rules(effect.then) | effect_rules(effect.otherwise)
        elif hasattr(effect, "does"):
            found |= effect_rules(effect.does)
    return found


def pack_rules() -> set[str]:
    """Return the ids of all rules of the pack that can give a finding."""
    pack = load_pack("altay")
    rules: set[str] = {check.text.rule for check in pack.checks}
    for move in pack.moves:
        rules |= {requirement.text.rule for requirement in move.requires}
        rules |= {move.unasked.rule} if move.unasked else set()
        rules |= {s.unclear.rule for s in move.slots.values() if s.unclear}
        rules |= effect_rules(move.does)
    for decision in pack.decisions.values():
        rules |= {decision.overdue.rule, decision.wrong.rule}
    for procedure in pack.procedures.values():
        rules |= effect_rules(procedure.does)
    return rules


@pytest.mark.parametrize("path", LOGS, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_log_gives_the_findings_it_announces(path: Path) -> None:
    verify(path)


@pytest.mark.parametrize("rule", sorted(pack_rules()))
def test_rule_has_a_legal_and_an_illegal_log(rule: str) -> None:
    folder = HERE / rule
    legal = list(folder.glob("legal*.agn"))
    illegal = list(folder.glob("illegal*.agn"))
    assert legal, f"no legal log in tests/rules/{rule}"
    assert illegal, f"no illegal log in tests/rules/{rule}"
    for path in legal:
        found = {name for _, name, _ in expected(path.read_text(encoding="utf-8"))}
        assert rule not in found, f"{path} is named legal but announces {rule}"
    for path in illegal:
        found = {name for _, name, _ in expected(path.read_text(encoding="utf-8"))}
        assert rule in found, f"{path} is named illegal but does not announce {rule}"


def test_no_folder_is_named_after_an_unknown_rule() -> None:
    folders = {path.parent.name for path in LOGS}
    assert folders <= pack_rules() | set(PROGRAM_RULES)
