"""A compiled pack, which is pickled; its functions are linked when it is loaded."""

# If postponed, Python would compile each annotation at every start.

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from altay_cli.base.findings import Severity, short_repr
from altay_cli.base.values import Bag, Entity
from altay_cli.pack.notations import ForeignStatement
from altay_cli.pack.terms import *  # noqa: F403 - one namespace
from altay_cli.pack.terms import (
    NOTHING,
    Cite,
    Effects,
    Expr,
    Message,
    Phase,
    Place,
    RuleText,
    Shape,
)

if TYPE_CHECKING:
    from altay_cli.pack.looks import View

_T = TypeVar("_T")

# ---------------------------------------------------------------- moves


class PatternPart(NamedTuple):
    """A word in lower case, a slot, or an optional ``inner`` pattern.

    The value of a slot ends at a word in ``stops``, or is a ``single`` number.
    """

    word: str = ""
    slot: str = ""
    inner: tuple["PatternPart", ...] = ()
    stops: frozenset[str] = frozenset()
    single: bool = False


class Pattern(NamedTuple):
    """How a statement is written."""

    source: str
    parts: tuple[PatternPart, ...]
    outcome: str | None

    @property
    def verb(self) -> str:
        """The first word; "" if the statement begins with a slot."""
        return self.parts[0].word


def slots_of(pattern: Pattern) -> Iterator[str]:
    """Yield the names of a pattern's slots."""
    yield from slots_in(pattern.parts)
    if pattern.outcome:
        yield pattern.outcome


def slots_in(parts: tuple[PatternPart, ...]) -> Iterator[str]:
    """Yield the names of slots."""
    for part in parts:
        if part.slot:
            yield part.slot
        yield from slots_in(part.inner)


class Slot(NamedTuple):
    """A part of a statement that takes values.

    With ``each``, a list makes one move per value. ``infer`` gives the values if none is written:
    of several, ``unclear`` is reported, or else the first is taken that keeps the log legal. For
    listing moves, ``least`` and ``most`` bound the size of a bag or list, ``orders`` gives lists to
    take in any order, and without ``ordered``, each set is listed once.
    """

    name: str
    shape: Shape
    kind: str
    each: bool
    optional: bool
    hidden: bool
    exact: bool
    domain: Expr | None
    infer: Expr | None
    unclear: RuleText | None
    reveals: tuple[Place, ...]
    least: Expr | None = None
    most: Expr | None = None
    orders: Expr | None = None
    ordered: bool = True

    @property
    def empty(self) -> Any:
        """The value if nothing is written."""
        return Bag() if self.shape == "bag" else [] if self.shape == "list" else None


class Requirement(NamedTuple):
    """A condition for a move to be legal; a finding marks the slot ``at``.

    After a violation, ``otherwise`` is "play" to apply the move, "skip" to leave it out, "stop" to
    skip the rest of the section, "over" that of the game; ``before`` repairs the state. With
    ``afterwards``, the state after the move counts. ``goal`` is the index in ``Pack.goals`` of what
    the move must reach as well as any other.
    """

    text: RuleText
    that: Expr
    at: str | None
    otherwise: str
    before: Effects
    afterwards: bool
    goal: int | None = None


class Goal(NamedTuple):
    """What players must reach as well as possible: a number, after any of ``moves`` in sequence."""

    best: Expr
    moves: tuple[str, ...]


class MoveDef(NamedTuple):
    """A move or a claim."""

    id: str
    title: str
    phases: tuple[Phase, ...]
    patterns: tuple[Pattern, ...]
    slots: Mapping[str, Slot]
    lets: tuple[tuple[str, Expr], ...]
    does: Effects
    unread: Effects
    """What stays open if the statement is unreadable."""
    needs_actor: bool
    cite: Cite = NOTHING
    order: int = 0
    heading: bool = False
    closes: bool = False
    fallback: bool = False
    implied: bool = False
    introduces: bool = False
    actor: str | None = None
    answers: str | None = None
    gives: Expr | None = None
    """The answer to the decision."""
    unasked: RuleText | None = None
    when: Expr | None = None
    requires: tuple[Requirement, ...] = ()
    listed: Expr | None = None
    """When the move is listed; None for always."""
    also: tuple[Pattern, ...] = ()
    """More accepted ways of writing it."""
    number: int = -1
    """The index among the moves; -1 for a claim."""
    looks_back: bool = False
    """Whether a requirement must hold after the move."""
    holds: tuple[tuple[Expr, Expr], ...] = ()
    """Of a claim: pairs of the actual and the claimed value."""
    otherwise: Message | None = None
    """Of a claim: the message for a wrong one."""

    @property
    def seat(self) -> str | None:
        """The slot for the player who takes a seat."""
        seats = (name for name, slot in self.slots.items() if slot.shape == "new player")
        return next(seats, None)


class Decision(NamedTuple):
    """A question that a player must answer before anything else happens.

    Without ``values``, its subject, an answer can precede the question. ``forced`` is reported if
    the log differs from the only answer. With ``named``, an answer without a name is that of the
    current player.
    """

    id: str
    title: str
    overdue: RuleText
    wrong: RuleText
    values: tuple[str, ...]
    forced: RuleText | None = None
    named: bool = False


class Procedure(NamedTuple):
    """Effects that several moves share."""

    parameters: tuple[str, ...]
    does: Effects


class Trigger(NamedTuple):
    """Effects that follow as soon as a condition holds.

    Checked after a change in ``zones``, or after each move if None. ``reads`` is None if the
    condition depends on more than zones.
    """

    id: str
    title: str
    when: Expr
    does: Effects
    zones: frozenset[int] | None = None
    reads: frozenset[int] | None = None


class Check(NamedTuple):
    """A condition on a section; with ``begun``, on the first turn after it as well."""

    text: RuleText
    after: tuple[Phase, ...]
    at: str | None
    each: tuple[str, Expr] | None
    that: Expr
    does: Effects
    otherwise: str
    begun: bool = False


class Lint(NamedTuple):
    """A condition on the rules themselves.

    ``each`` are nested names and lists, ``at`` the path of the faulty part.
    """

    rule: str
    title: str
    lets: tuple[tuple[str, Expr], ...]
    each: tuple[tuple[str, Expr], ...]
    at: Message
    that: Expr
    message: Message
    help: Message | None
    severity: Severity
    example: str


class SectionEffects(NamedTuple):
    """Effects that follow the statements of an order, a section or a turn."""

    phases: tuple[Phase, ...]
    order: int
    does: Effects


# ---------------------------------------------------------------- scoring


class CategoryPart(NamedTuple):
    """Points for each of some entities.

    ``show`` describes them; ``how`` explains the points if ``counted`` does not.
    """

    each: tuple[str, Expr] | None
    points: Expr
    cap: Expr | None
    show: Message
    counted: Expr | None
    key: Expr | None
    how: Message | None = None


class PossiblePoints(NamedTuple):
    """The points that a category can give to a player, and to all together.

    ``values`` are all of them, instead of ``least`` (by default 0) and ``most``.
    """

    least: Expr | None
    most: Expr | None
    values: Expr | None
    together: Expr | None
    because: Message
    cite: Cite
    ruling: str | None


class Category(NamedTuple):
    """A score category; without ``counts``, not part of the total."""

    id: str
    title: str
    cite: Cite
    ruling: str | None
    parts: tuple[CategoryPart, ...]
    counts: bool
    possible: PossiblePoints | None = None

    def __repr__(self) -> str:
        return short_repr(self, id=self.id, title=self.title, counts=self.counts)


class Ending(NamedTuple):
    """A way the game ends without counting points.

    With only ``losers``, all others win; with neither, the game is drawn.
    """

    when: Expr
    winners: Expr | None
    losers: Expr | None
    by: Message
    cite: Cite
    ruling: str | None


class Assumption(NamedTuple):
    """A choice that a log may leave open; ``does`` applies a value."""

    each: tuple[str, Expr]
    choices: tuple[str, Expr]
    show: Message
    does: Effects


# ---------------------------------------------------------------- playouts


class Step(NamedTuple):
    """A step of a default setup: a move and its values.

    It is repeated for the list ``each``, while ``loop`` holds, or for every player that it seats.
    ``picks`` are drawn at random, ``values`` fill slots, ``actor`` chooses all others.
    """

    title: str
    move: str
    each: tuple[str, Expr] | None
    loop: Expr | None
    actor: Expr | None
    picks: tuple[tuple[str, Expr], ...]
    values: Mapping[str, Expr]


class Policy(NamedTuple):
    """A way to play: make the move with the greatest ``worth``."""

    id: str
    title: str
    worth: Mapping[str, Expr]
    otherwise: int


class Measure(NamedTuple):
    """A statistic over many games, per player: one of the four fields of expressions is set.

    ``group`` names the player's group. ``number`` and ``each`` (a list) are taken at the end of the
    game; ``moves`` gives what moves count, by id.
    """

    id: str
    title: str
    group: Expr | None
    number: Expr | None
    each: Expr | None
    moves: Mapping[str, Expr]


# ---------------------------------------------------------------- the rest


@dataclass(frozen=True, eq=False)
class Zone:
    """A zone of the state: the kinds it is keyed by, and its contents.

    ``lifetime`` is "game", or a shorter period. ``least`` and ``most`` bound a number. A ``tally``
    counts entities that are stored elsewhere. ``backs`` are the fields visible on unidentified
    entities. ``cells`` is the half-open range of its cells, ``first`` that of its first place;
    neighbouring keys are ``steps`` cells apart.
    """

    name: str
    index: int
    per: tuple[str, ...]
    shape: Shape
    kind: str
    lifetime: str
    title: str
    least: int | None = None
    most: int | None = None
    backs: tuple[str, ...] = ()
    tally: bool = False
    first: int = 0
    steps: tuple[int, ...] = ()
    cells: tuple[int, int] = (0, 1)


class RuleFunction(NamedTuple):
    """A function defined by the rules, as Python over its parameters.

    ``key`` is its name in Python, ``lets`` the variables set first. With ``keeps``, results are
    cached by argument.
    """

    key: str
    parameters: tuple[str, ...]
    code: str
    quick: str
    source: str
    place: tuple[str, int]
    lets: tuple[tuple[str, str], ...] = ()
    keeps: bool = False


class Option(NamedTuple):
    """An option that players choose by a tag in the log."""

    id: str
    tag: str | None
    values: tuple[str, ...]
    default: str
    variants: Mapping[str, str]


STATUS = ("ended", "ending", "round", "active", "next", "turn_over")
"""What rules can define about the course of a game."""


class Ruling(NamedTuple):
    """An interpretation, where the sources differ or are silent."""

    id: str
    title: str
    default: str
    reason: str
    source: tuple[str, ...]
    choices: tuple[str, ...]


RARE = frozenset(
    {
        "codes", "details", "exprs", "functions", "lints", "listing", "measures", "opening",
        "policies", "quick", "routines", "rules", "rulings", "texts", "view",
    }
)  # fmt: skip
"""The fields that legal games need not; those of a pack from the cache are loaded when used."""


@dataclass(eq=False, repr=False)
class Pack:
    """The checked and compiled rules of a game. Two packs are never equal."""

    id: str
    title: str
    version: str
    least: int
    most: int
    variants: tuple[tuple[str, str], ...]
    """Id and version, in the order of application."""
    options: Mapping[str, Option]
    kinds: Mapping[str, str]
    entities: Mapping[str, tuple[Entity, ...]]
    zones: tuple[Zone, ...]
    moves: tuple[MoveDef, ...]
    headings: frozenset[str]
    """The first words of headings, besides `turn`."""
    goals: tuple[Goal, ...]
    """What requirements compare among the possible moves."""
    claims: tuple[MoveDef, ...]
    """The claims that can follow `expect`."""
    decisions: Mapping[str, Decision]
    procedures: Mapping[str, Procedure]
    triggers: tuple[Trigger, ...]
    """Those checked after a move."""
    watches: tuple[Trigger, ...]
    """Those checked after a change."""
    prepare: tuple[SectionEffects, ...]
    complete: tuple[SectionEffects, ...]
    unrecorded_when: Mapping[int, Expr]
    """By zone index: when contents are unrecorded."""
    grids: Mapping[str, tuple[str, str]]
    """By kind: columns and rows."""
    repeats: tuple[int, ...]
    """The zones that distinguish positions, if repetition matters."""
    checks: tuple[Check, ...]
    categories: tuple[Category, ...]
    ties: tuple[str, ...]
    winner_cite: Cite
    endings: tuple[Ending, ...]
    """The first that holds counts."""
    teams: Expr | None
    ranking: tuple[Expr, ...]
    """What ranks the players, if not points and tie-breakers."""
    assumptions: tuple[Assumption, ...]
    lints: tuple[Lint, ...]
    opening: tuple[Step, ...]
    policies: Mapping[str, Policy]
    measures: Mapping[str, Measure]
    view: "View"
    rulings: Mapping[str, Ruling]
    status: Mapping[str, Expr]
    names: Mapping[str, Mapping[str, tuple[Entity, ...]]]
    """By kind: the entities of a normalized name."""
    typed_forms: Mapping[str, Mapping[str, str]]
    """By kind: a name of each form that any keyboard types, if that is no form of another thing."""
    shown: Mapping[str, Mapping[str, str]]
    """By language: "kind id" to the printed name."""
    details: Mapping[str, tuple[tuple[str, Expr], ...]]
    plurals: Mapping[str, str]
    """Plural to singular names, case-insensitive."""
    words: Mapping[str, tuple[str, ...]]
    """Common wrong words, and the correct ones."""
    several: tuple[tuple[Pattern, tuple[Pattern, ...]], ...]
    """Combined statements, and those they replace."""
    after_unread: frozenset[str]
    """Rules that an unreadable statement of the same turn may have fulfilled."""
    notations: tuple[ForeignStatement, ...]
    counts_rounds: bool
    """Whether the number in a turn heading counts rounds."""
    exprs: list[Expr]
    codes: dict[str, str]
    quick: dict[str, str]
    """Codes that may absorb errors, by those that do not: see ``Checked.quick``."""
    functions: Mapping[str, RuleFunction]
    constants: dict[str, object]
    routines: list[Effects]
    makers: list[Any]
    """By move: the function that applies it if legal; None for a fallback.

    Empty if moves are judged step by step.
    """
    standing: dict[str, Any]
    """By STATUS key: functions of a state.

    They return None if undefined or impossible to evaluate; "ended" is also True if an ending
    holds.
    """
    scorers: list[Any]
    """By category: the function for its points."""
    listing: list[Any]
    """How moves are listed: a single ``Listing``, or a function of the pack that returns it."""
    languages: frozenset[str]
    """Those of ``texts``."""
    texts: Mapping[str, Mapping[str, str]]
    """By language: translations of English titles and texts."""
    rules: dict[str, list[tuple[str, RuleText]]]
    """By id: the texts of the rule, with titles of their moves or sections."""

    def translations(self, language: str) -> Mapping[str, str]:
        """Return the translations of English titles and texts into a language."""
        return self.texts[language] if language in self.languages else {}

    def cached(self, make: Callable[..., _T], *language: str) -> _T:
        """Return ``make(pack, *language)``, stored with the pack."""
        cache: dict[object, _T] = self.__dict__.setdefault("_cache", {})
        key = make, *language
        if key not in cache:
            cache[key] = make(self, *language)
        return cache[key]

    if not TYPE_CHECKING:  # mypy sees the fields

        def __getattr__(self, name: str) -> object:
            if name not in RARE or "shelf" not in self.__dict__:
                raise AttributeError(f"a pack has no attribute {name!r}")
            self.__dict__.update(self.shelf.rare_fields())
            return self.__dict__[name]

    def __getstate__(self) -> dict[str, Any]:
        linked: dict[str, object] = {"makers": [], "scorers": [], "standing": {}}
        return {field.name: getattr(self, field.name) for field in fields(self)} | linked
