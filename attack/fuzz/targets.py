"""The fuzz targets: functions that take any bytes, and raise ``Broken`` for a broken invariant."""

from __future__ import annotations

import atexit
import shutil
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from altay_cli.base.findings import Finding
    from altay_cli.expressions.environment import Environment
    from altay_cli.expressions.types import Type
    from altay_cli.lint.examine import Examiner
from altay_cli.notation.tree import Item, Log

GAME = '[Game "altay"]\n'

STEPS = 100_000

# Only a variant can cause these: its rules are faulty.
FAULTS = frozenset({"rule-failure", "rule-budget", "score-failure", "rules"})

TWO_PLAYERS = """\
[Game "altay"]
position
  Ann: faction Smallfolk
  Bob: faction Earthfolk
  Ann: deck 4 Hunter, Spellweaver, Village, 2 Warrior, Chariot(2), Scholar, Farmer, Merchant(1)
  Bob: deck Colonist, Digger, 3 Hunter, 2 Village, 3 Warrior, Cavalry, 2 Scholar
  Ann: hand Chariot(2), Scholar, Farmer, 2 Hunter
  Bob: hand 2 Warrior, Colonist, Cavalry, Scholar
  Ann: table Merchant(1) with wood, culture
  Bob: table Village with food
  Ann: completed Writing, Mathematics, Commerce
  Bob: completed Strategy, Engineering, Philosophy
  Ann: secret Ark
  Bob: secret Colossus
  Ann: developing Ark with 2 wood
  Ann: settlements 2 F2, H2, W2
  Bob: settlements 3 F3, 2 H3, M3
  Ann: took 2 wood in H2
  Ann: captured Bob
  marker 1 on W3, F5, F6
  marker 3 metal on M4, M5
  reveal Masonry, Strategy, Writing, Leadership, Religion, Government, Great Wall, Academy, Highways
turn 5 Ann
"""
"""A state in the middle of a game, for expressions."""

PLAY = """\
  play Hunter
  buy Farmer
  take Merchant
  attack W3 from W2 with Chariot
  use Commerce spending wood for stone
  place wood on Ark
  end => 2 Warrior, Village, Hunter, Spellweaver
turn 5 Bob
  play Village
  place food on Village
  build M3
  attack W2 from F3 with 2 Warrior
  Ann: fight
  end
result
  Ann: score 1
  winner Ann
"""
"""A turn of each player, legal or not, to judge by changed rules."""


class Broken(AssertionError):  # noqa: N818 - a word that the reports use
    """An invariant is broken."""


def require(holds: object, message: str) -> None:
    """Raise ``Broken`` if a condition is false."""
    if not holds:
        raise Broken(message)


@dataclass(frozen=True)
class Target:
    """``largest`` is the maximum size of an input."""

    title: str
    run: Callable[[bytes], None]
    largest: int


# ---------------------------------------------------------------- AGN


def run_agn(data: bytes) -> None:
    """Read, format and check a log; neither may raise.

    Formatting keeps games, comments and mistakes, and is idempotent. Every finding has a place, and
    fixes do not add errors.
    """
    from altay_cli.notation.lexis import NotationError, decode
    from altay_cli.notation.reading import read_log
    from altay_cli.notation.writing import format_log

    try:
        text = decode(data)
    except NotationError:
        text = data.decode("utf-8", "replace")
    log = read_log(text)
    neat = format_log(text)
    again = read_log(neat)
    require(format_log(neat) == neat, "formatting twice changes the text")
    require(_outline(again) == _outline(log), "the formatted text says something else")
    require(
        [comment.text for comment in again.comments] == [comment.text for comment in log.comments],
        "formatting changes the comments",
    )
    require(
        [finding.rule for finding in again.findings] == [finding.rule for finding in log.findings],
        "formatting changes what is wrong with the text",
    )
    text = text if "[Game" in text else GAME + text
    findings = cache(_findings)  # each text is judged once
    # One text in four, chosen by its content, as this doubles the work.
    _check(text, format_log(text) if sum(data) % 4 == 0 else text, findings)
    if sum(data) % 4 == 1:
        check_fixes(text, findings, guesses=sum(data) % 8 == 1)


def _findings(text: str) -> list[Finding]:
    from altay_cli.checking.check import check_text

    return [finding for game in check_text(text).games for finding in game.findings]


def _check(text: str, neat: str, findings: Callable[[str], list[Finding]]) -> None:
    from altay_cli.notation.reading import read_log

    # A report on a text that is no log has no lines.
    lines = max(len(read_log(text).lines), 1)
    for finding in findings(text):
        span = finding.span
        require(finding.rule not in FAULTS, f"{finding.rule}: {finding.message}")
        require(
            1 <= span.line <= span.end_line <= lines, f"a finding outside of the text: {finding}"
        )
        require(finding.message, f"a finding that says nothing: {finding}")
    if neat != text:
        rules, formatted = ([finding.rule for finding in findings(some)] for some in (text, neat))
        require(sorted(formatted) == sorted(rules), "formatting changes the findings")


def check_fixes(
    text: str, findings: Callable[[str], list[Finding]] = _findings, *, guesses: bool
) -> None:
    """Apply the fixes of a log; they may not add errors."""
    from altay_cli.checking.fixing import mended

    def errors(text: str) -> int:
        return sum(finding.severity == "error" for finding in findings(text))

    left = mended(text, findings, guesses=guesses).text
    require(left == text or errors(left) <= errors(text), "fixing leaves more errors than before")


def _outline(log: Log) -> list[object]:
    def brief(items: tuple[Item, ...] | None) -> list[object] | None:
        if items is None:
            return None
        return [(i.kind, i.value if i.kind == "number" else i.text) for i in items]

    return [
        (
            [(tag.name, tag.value) for tag in game.tags],
            [
                (
                    section.kind,
                    brief(section.heading.items[1:]),
                    [
                        (brief(s.actor), brief(s.items), brief(s.outcome))
                        for s in section.statements
                    ],
                )
                for section in game.sections
            ],
        )
        for game in log.games
    ]


# ---------------------------------------------------------------- CEL


LOCALS = {
    "me": "player", "where": "territory", "card": "card", "cards": "bag(card)",
    "what": "bag(resource)", "number": "int", "a": "achievement", "drawn": "drawn",
}  # fmt: skip
"""The names in expressions besides those of the pack, as in a move, with their types."""


@dataclass(frozen=True)
class Setting:
    """A state for expressions."""

    env: Environment
    state: Any
    values: Mapping[str, Any]
    namespace: dict[str, Any]


@cache
def setting() -> Setting:
    """Return the middle of a game, with the environment of the pack."""
    from altay_cli.base.resources import data_folder
    from altay_cli.base.values import Bag, Drawn
    from altay_cli.compile.building import compile_rules
    from altay_cli.compile.context import Clause, Context
    from altay_cli.compile.load import link_pack
    from altay_cli.compile.vocabulary import parse_type
    from altay_cli.match.match import Match
    from altay_cli.match.referee import Referee
    from altay_cli.moves.ability import Ability
    from altay_cli.notation.reading import read_log
    from altay_cli.source.folder import read_folder

    context = Context(read_folder(data_folder("rules") / "altay"))
    pack = compile_rules(context)
    link_pack(pack)
    match = Match(pack, {option.id: option.default for option in pack.options.values()}, Ability)
    played = Referee(match, read_log(TWO_PLAYERS).games[0]).run()
    require(not any(f.severity == "error" for f in played.findings), str(played.findings))
    types = {name: parse_type(text, context.kinds) for name, text in LOCALS.items()}
    known = {name: kind for name, kind in types.items() if kind is not None}
    env = Clause(context, None, (), context.env).with_names(known).env
    entities = {kind: found[0] for kind, found in pack.entities.items() if found}
    values = {
        "me": played.state.players[0],
        "where": entities["territory"],
        "card": entities["card"],
        "cards": Bag({entities["card"]: 2}),
        "what": Bag({entities["resource"]: 1}),
        "number": 3,
        "a": entities["achievement"],
        "drawn": Drawn(None),
    }
    # Used by the code of expressions.
    return Setting(env, played.state, values, pack.exprs[0].fn.__globals__)


def run_cel(data: bytes) -> None:
    """Check and evaluate an expression, with the types of the pack and without any.

    It is refused with a place, or gives a value of the inferred type.
    """
    from altay_cli.base.findings import ExpressionError
    from altay_cli.compile.emit import evaluating, text
    from altay_cli.expressions.checker import check, evaluate

    source = data.decode("utf-8", "replace")
    here = setting()
    try:
        checked = check(source, here.env)
    except ExpressionError as error:
        _placed(error, source)
    else:
        namespace = dict(here.namespace)
        exec(text(evaluating("found", checked.locals, checked.code)), namespace)  # noqa: S102
        function = namespace["found"]
        try:
            here.state.grant(STEPS)
            value = function(here.state, dict(here.values))
        except ExpressionError:
            pass
        else:
            require(_fits(value, checked.type), f"{value!r} is no {checked.type}")
    try:
        evaluate(source, {"x": 1, "a": [1, "b", None], "b.c": {"d": True}}, budget=STEPS)
    except ExpressionError as error:
        _placed(error, source)


def _placed(error: Any, source: str) -> None:
    start, end = error.start, error.end
    require(
        start is None or 0 <= start <= (start if end is None else end) <= len(source),
        f"`{error.message}` has no place in the expression: {start} to {end}",
    )
    require(error.code and error.message, "a refusal that says nothing")


def _fits(value: object, kind: Type) -> bool:
    """For CEL's own types."""
    match kind.name:
        case "int":
            return isinstance(value, int) and not isinstance(value, bool)
        case "bool":
            return isinstance(value, bool)
        case "string":
            return isinstance(value, str)
        case "null_type":
            return value is None
        case "list":
            return isinstance(value, list | tuple) and all(_fits(v, kind.args[0]) for v in value)
        case "map":
            return isinstance(value, Mapping) and all(
                _fits(key, kind.args[0]) and _fits(v, kind.args[1]) for key, v in value.items()
            )
        case "nothing":
            return False
        case _:
            return True


# ---------------------------------------------------------------- variants


@cache
def _examiner() -> Examiner:
    """Read the rules once, to apply variants to copies."""
    from altay_cli.base.resources import data_folder
    from altay_cli.lint.examine import Examiner

    return Examiner(data_folder("rules") / "altay")


@cache
def _file() -> Path:
    """Return a folder that is deleted at exit."""
    folder = tempfile.mkdtemp(prefix="altay-fuzz-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return Path(folder) / "fuzz.yaml"


def run_variant(data: bytes) -> None:
    """Apply a variant file to the rules, compile them, and judge two turns.

    It is refused with problems, each with a place, or played; nothing is raised.
    """
    from altay_cli.compile.building import apply_variants, compile_tree
    from altay_cli.compile.load import link_pack
    from altay_cli.notation.reading import read_log
    from altay_cli.source.variants import Chains

    path = _file()
    path.write_bytes(data)
    examiner = _examiner()
    # Unreadable files are refused before the rules are copied.
    problems: list[Any] = []
    Chains(examiner.folder, problems).read([path])
    compiled = None
    if not problems:
        tree = apply_variants(examiner.base, examiner.folder, [path])
        problems = tree.problems
        if not problems:
            compiled = compile_tree(tree)
    lines = data.count(b"\n") + data.count(b"\r") + data.count(b"\xc2\x85") + 2
    for problem in problems:
        require(problem.rule and problem.message, f"a problem that says nothing: {problem}")
        in_variant = problem.file == path.name
        require(
            not in_variant or 1 <= problem.span.line <= lines, f"no place in the file: {problem}"
        )
    require(compiled is not None or problems, "the rules cannot be used, and nothing says why")
    if compiled is None or problems:
        return
    link_pack(compiled.pack)
    _judge(compiled.pack, read_log(TWO_PLAYERS + PLAY).games[0])


def _judge(pack: Any, record: Any) -> None:
    from altay_cli.repair.play import play
    from altay_cli.scoring.claims import Claims

    options = {option.id: option.default for option in pack.options.values()}
    played = play(pack=pack, options=options, record=record)
    if played.state.players:
        list(Claims(record, played).check())


TARGETS: Mapping[str, Target] = {
    "agn": Target("logs: reading, formatting, checking", run_agn, 2_000),
    "cel": Target("expressions: checking and evaluating", run_cel, 1_000),
    "variant": Target("variant files laid over the rules", run_variant, 4_000),
}
