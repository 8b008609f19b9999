"""A compiled rules pack: what the engine reads, and nothing but data and functions.

Built once from a folder by ``altay_cli.compile.building``. Everything here is plain and
picklable, so that a compiled pack can be kept on disk; the functions of expressions
are linked in again when it is loaded.
"""

# Annotations are not postponed here: Python would compile each field's as text at every start.

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeVar

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

_T = TypeVar("_T")

# ---------------------------------------------------------------- moves


class PatternPart(NamedTuple):
    """A part of a pattern; one of the first three is there.

    ``word`` is a word, in lower case, ``slot`` a place for a value, ``inner`` a part that may be
    left out. A value reaches to the first of the words in ``stops``, or is a ``single`` number.
    """

    word: str = ""
    slot: str = ""
    inner: tuple["PatternPart", ...] = ()
    stops: frozenset[str] = frozenset()
    single: bool = False


class Pattern(NamedTuple):
    """How a statement is written: words and slots; ``outcome`` is the slot behind ``=>``."""

    source: str
    parts: tuple[PatternPart, ...]
    outcome: str | None

    @property
    def verb(self) -> str:
        """The word that the statement begins with; "" where it begins with a slot."""
        return self.parts[0].word


def slots_of(pattern: Pattern) -> Iterator[str]:
    """Yield the names of a pattern's slots."""
    yield from slots_in(pattern.parts)
    if pattern.outcome:
        yield pattern.outcome


def slots_in(parts: tuple[PatternPart, ...]) -> Iterator[str]:
    """Yield the names of the slots in parts of a pattern, optional ones included."""
    for part in parts:
        if part.slot:
            yield part.slot
        yield from slots_in(part.inner)


class Slot(NamedTuple):
    """A part of a statement.

    ``shape`` is "entity", "bag", "list", "int", "drawn" or "new player". ``each`` makes a list of
    values into so many moves. ``domain`` gives the candidates, a list or a bag. ``infer`` gives the
    values that are possible where none is written; ``unclear`` is said of several, and where there
    is nothing to say the first one is taken that makes the log legal. Where moves are listed,
    ``least`` and ``most`` tell how many things a bag or list can hold, and ``orders`` gives lists
    of which a list can be any one, in any order. Of a list that is not ``ordered`` each set of
    things is listed once.
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
        """What it holds where nothing is written."""
        return Bag() if self.shape == "bag" else [] if self.shape == "list" else None


class Requirement(NamedTuple):
    """What must hold for a move to be legal.

    ``at`` is the slot that a finding marks. ``otherwise`` says how reading goes on after a
    finding: "play" carries the move out anyway, "skip" leaves it out, "stop" leaves
    out the rest of the section, "over" the rest of the game. ``before`` mends the state first.
    What must hold ``afterwards`` is looked at in the state that the move leads to.
    """

    text: RuleText
    that: Expr
    at: str | None
    otherwise: str
    before: Effects
    afterwards: bool


class MoveDef(NamedTuple):
    """A move: how it is written, what must hold, what it does. A claim is one, too."""

    id: str
    title: str
    phases: tuple[Phase, ...]
    patterns: tuple[Pattern, ...]
    slots: Mapping[str, Slot]
    lets: tuple[tuple[str, Expr], ...]
    does: Effects
    unread: Effects
    """What is open where such a statement of a setup or position could not be read."""
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
    """The value of the answer, for those who ask."""
    unasked: RuleText | None = None
    when: Expr | None = None
    requires: tuple[Requirement, ...] = ()
    listed: Expr | None = None
    """Whether it is listed among the legal moves; None for always."""
    also: tuple[Pattern, ...] = ()
    """How people write it as well, though it should be written by ``patterns``."""
    number: int = -1
    """Its place among the moves of the pack; -1 of a claim."""
    looks_back: bool = False
    """Whether something must hold behind it."""
    holds: tuple[tuple[Expr, Expr], ...] = ()
    """Of a claim: what there is and what is claimed of it, pair by pair."""
    otherwise: Message | None = None
    """Of a claim: what is said where it does not hold, if the rules have words for it."""

    @property
    def seat(self) -> str | None:
        """The slot that names who takes a seat by it, if there is one."""
        seats = (name for name, slot in self.slots.items() if slot.shape == "new player")
        return next(seats, None)


class Decision(NamedTuple):
    """Something that a player must answer before anything else happens.

    ``values`` name what it is about: an answer to a decision without any can be understood unasked.
    ``forced`` is told of another answer than the only one, where that was taken without asking.
    ``named`` says that an answer without a name is that of the player whose turn it is.
    """

    id: str
    title: str
    due: RuleText
    wrong: RuleText
    values: tuple[str, ...]
    forced: RuleText | None = None
    named: bool = False


class Procedure(NamedTuple):
    """Steps that several moves share."""

    parameters: tuple[str, ...]
    does: Effects


class Trigger(NamedTuple):
    """What happens as soon as something holds, after a completed move or after a change.

    ``zones`` are those after whose change it is looked at at once; None if that is after a move.
    ``reads`` are those that decide whether it holds; None if other things do, too.
    """

    id: str
    title: str
    when: Expr
    does: Effects
    zones: frozenset[int] | None = None
    reads: frozenset[int] | None = None


class Check(NamedTuple):
    """What must hold when a section is complete, or ``begun`` if the first turn behind it has."""

    text: RuleText
    after: tuple[Phase, ...]
    at: str | None
    each: tuple[str, Expr] | None
    that: Expr
    does: Effects
    otherwise: str
    begun: bool = False


class Lint(NamedTuple):
    """What must hold of the rules themselves at the beginning of any game, so that they make sense.

    ``each`` are names and lists, later ones inside of earlier ones. ``at`` tells the path of the
    part of the rules that is wrong where ``that`` does not hold.
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
    """Effects carried out behind the statements of an order, or behind a section or turn."""

    phases: tuple[Phase, ...]
    order: int
    does: Effects


# ---------------------------------------------------------------- scoring


class Part(NamedTuple):
    """A part of a score category: points for each of some things.

    ``show`` says what they are for, ``how`` how they come about where ``counted`` does not say it.
    """

    each: tuple[str, Expr] | None
    points: Expr
    cap: Expr | None
    show: Message
    counted: Expr | None
    key: Expr | None
    how: Message | None = None


class Category(NamedTuple):
    """A score category; ``counts`` says that it is a part of the total."""

    id: str
    title: str
    cite: Cite
    ruling: str | None
    parts: tuple[Part, ...]
    counts: bool

    def __repr__(self) -> str:
        return short_repr(self, id=self.id, title=self.title, counts=self.counts)


class Ending(NamedTuple):
    """A way in which the game ends that no points decide.

    With ``losers`` alone, all others win; with neither, the game is drawn.
    """

    when: Expr
    winners: Expr | None
    losers: Expr | None
    by: Message
    cite: Cite
    ruling: str | None


class Assumption(NamedTuple):
    """Something that a log may leave open: for ``each`` of some things, ``one_of`` several.

    ``does`` carries out that it is a certain one, which ``show`` tells.
    """

    each: tuple[str, Expr]
    one_of: tuple[str, Expr]
    show: Message
    does: Effects


# ---------------------------------------------------------------- playouts


class Step(NamedTuple):
    """A step of laying out a game where no log tells it: which move, and with which values.

    ``each`` does it once for each of a list, ``loop`` as long as something holds. ``picks`` name
    things that chance takes out of a list or bag; ``values`` are those of the move's slots. A slot
    that is not among them is the choice of the player who acts, ``actor``; what is drawn is chance.
    A step whose move seats a player is done once for every player.
    """

    title: str
    move: str
    each: tuple[str, Expr] | None
    loop: Expr | None
    actor: Expr | None
    picks: tuple[tuple[str, Expr], ...]
    values: Mapping[str, Expr]


class Policy(NamedTuple):
    """A way to play: what each move is worth, as a number; the move that is worth most is made.

    ``worth`` is by the id of the move; ``otherwise`` is what all other moves are worth.
    """

    id: str
    title: str
    worth: Mapping[str, Expr]
    otherwise: int


class Measure(NamedTuple):
    """What is counted over many games, for each player; one of the four is there.

    ``group`` tells a group that a player belongs to, whose results are shown apart; ``number`` is
    a number at the end of the game; ``each`` lists things that a player has at the end; ``moves``
    tells for moves, by their id, what they count.
    """

    id: str
    title: str
    group: Expr | None
    number: Expr | None
    each: Expr | None
    moves: Mapping[str, Expr]


# ---------------------------------------------------------------- how a game looks


class Look(NamedTuple):
    """How a thing looks: a colour (`#rrggbb`), the shape of its token, what stands on it.

    What is None or empty is told elsewhere, or not at all.
    """

    colour: str | None = None
    shape: str = ""
    sign: str = ""


class Field(NamedTuple):
    """Something that is shown: ``items`` for each member of ``each``, with ``of`` before them.

    ``only_owner`` says that others see no more than how many things there are, ``told`` that a
    change of it is told when a game is retold.
    """

    id: str
    title: str
    cite: Cite
    when: Expr | None
    each: tuple[str, Expr] | None
    of: Expr | None
    items: Expr
    splay: Expr | None
    unknown: Expr | None
    only_owner: bool
    told: bool
    look: Look


class MapFrame(NamedTuple):
    """The coordinates of the edges of a map, and how wide and high it is."""

    left: int
    right: int
    top: int
    bottom: int
    width: int
    height: int


class Map(NamedTuple):
    """A map: a place for each of a list, where it lies, and what is shown there.

    ``shape`` is "circle", "square" or "outline".
    """

    id: str
    title: str
    each: tuple[str, Expr]
    x: Expr
    y: Expr
    frame: MapFrame
    shape: str
    outline: Expr | None
    ground: Expr | None
    edges: Expr | None
    shows: tuple[Field, ...]


class KindLooks(NamedTuple):
    """How the things of a kind look, and what is told about them; ``like`` gives another thing.

    ``seats`` is how players look, by their seats.
    ``cites`` is where the rulebook tells of single things, by id; ``cite`` of all others.
    """

    looks: Mapping[str, Look] = NOTHING
    like: Expr | None = None
    sign: Message | None = None
    tells: tuple[tuple[str, Expr], ...] = ()
    cite: Cite = NOTHING
    cites: Mapping[str, Cite] = NOTHING
    seats: tuple[Look, ...] = ()


class MoveTelling(NamedTuple):
    """What is told of a move besides what it changes, and the slots that its maker alone knows.

    Where ``open`` holds after the move, everybody knows them.
    """

    tells: Message | None
    hides: tuple[str, ...]
    open: Expr | None = None


class View(NamedTuple):
    """How a game looks."""

    maps: tuple[Map, ...]
    table: tuple[Field, ...]
    player: tuple[Field, ...]
    kinds: Mapping[str, KindLooks]
    moves: Mapping[str, MoveTelling]


# ---------------------------------------------------------------- the rest


@dataclass(frozen=True, eq=False)
class Zone:
    """A zone of the state: per which kinds, and what it holds.

    ``shape`` is "int", "bool", "entity", "bag" or "pile"; ``lifetime`` is "game" or the
    name of what it lasts for. ``least`` and ``most`` are the bounds of a number, None for none.
    What a ``tally`` counts lies elsewhere as well. ``backs`` are the fields that are seen of a
    thing that is there although nobody knows what it is. ``cells`` are the first of its cells and
    the one behind the last; ``first`` is that of the first of its places, see
    ``altay_cli.pack.table``. Two places that differ by one in a key lie so many ``steps`` apart.
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
    """A function of the rules' own: the Python that computes it, of its parameters' variables.

    ``key`` is its name in Python. ``lets`` are the variables that it fills first, each with its
    Python. ``source`` is how the rules write it, ``place`` the file and line where. ``keeps`` says
    that what it gives can be looked up by what it takes.
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
    """What a table can choose; ``tag`` is the tag of a log that says it."""

    id: str
    tag: str | None
    values: tuple[str, ...]
    default: str
    variants: Mapping[str, str]


STATUS = ("ended", "ending", "round", "active", "next", "turn_over")
"""What rules can say of the course of a game."""


class Ruling(NamedTuple):
    """A reading chosen where the sources differ or fall silent."""

    id: str
    title: str
    default: str
    reason: str
    source: tuple[str, ...]
    choices: tuple[str, ...]


@dataclass(eq=False, repr=False)
class Pack:
    """All rules of a game, checked and compiled. Two packs are never equal."""

    id: str
    title: str
    version: str
    least: int
    most: int
    variants: tuple[tuple[str, str], ...]
    """Id and version of every variant that is laid over the rules, in order."""
    options: Mapping[str, Option]
    kinds: Mapping[str, str]
    entities: Mapping[str, tuple[Entity, ...]]
    zones: tuple[Zone, ...]
    moves: tuple[MoveDef, ...]
    headings: frozenset[str]
    """The words that headings begin with, apart from `turn`, which is one in every game."""
    claims: tuple[MoveDef, ...]
    """What a log can say of the state, with `expect` in front."""
    decisions: Mapping[str, Decision]
    procedures: Mapping[str, Procedure]
    triggers: tuple[Trigger, ...]
    """Those that are looked at after a move."""
    watches: tuple[Trigger, ...]
    """Those that are looked at after a change."""
    prepare: tuple[SectionEffects, ...]
    complete: tuple[SectionEffects, ...]
    untold: Mapping[int, Expr]
    """By the index of a zone: when nobody wrote down what lies there."""
    grids: Mapping[str, tuple[str, str]]
    """By kind: the columns and rows of those whose things are the places of a grid."""
    repeats: tuple[int, ...]
    """The zones, by index, that tell one position from another; none if that is not asked."""
    checks: tuple[Check, ...]
    categories: tuple[Category, ...]
    ties: tuple[str, ...]
    """The ids of the categories that break ties, in order."""
    winner_cite: Cite
    """Where the rulebook says who has won by points."""
    endings: tuple[Ending, ...]
    """How the game ends that is not decided by points; the first that holds counts."""
    teams: Expr | None
    """What the players of a team have in common."""
    ranking: tuple[Expr, ...]
    """What players are ranked by, if not by the total of their points and what breaks ties."""
    assumptions: tuple[Assumption, ...]
    lints: tuple[Lint, ...]
    opening: tuple[Step, ...]
    policies: Mapping[str, Policy]
    measures: Mapping[str, Measure]
    view: View
    rulings: Mapping[str, Ruling]
    status: Mapping[str, Expr]
    names: Mapping[str, Mapping[str, tuple[Entity, ...]]]
    """By kind: a normalized name (with its qualifier, if any) to what it stands for."""
    shown: Mapping[str, Mapping[str, str]]
    """By language: "kind id" to the name to print."""
    tells: Mapping[str, tuple[tuple[str, Expr], ...]]
    """By kind: what is told of a thing, each with its title."""
    plurals: Mapping[str, str]
    """What several things are called, compared without regard to case, and what one is called."""
    words: Mapping[str, tuple[str, ...]]
    """What people write in the place of words of statements, and which these are."""
    several: tuple[tuple[Pattern, tuple[Pattern, ...]], ...]
    """How people write several statements as one, and the statements that it stands for."""
    after_unread: frozenset[str]
    """Rules that a statement of the same turn which cannot be read may have fulfilled."""
    notations: tuple[ForeignStatement, ...]
    """Statements of other notations of the game that are recognised in a log."""
    counts_rounds: bool
    """Whether the number in the heading of a turn counts rounds."""
    exprs: list[Expr]
    codes: dict[str, str]
    quick: dict[str, str]
    """Of those codes that may have to absorb errors, what does not: see ``Checked.quick``."""
    functions: Mapping[str, RuleFunction]
    constants: dict[str, object]
    routines: list[Effects]
    """The lists of effects that are functions of their own."""
    makers: list[Any]
    """By the number of a move: the function that makes it where it is legal, see ``emit``.

    None of a fallback; empty if moves are judged condition by condition.
    """
    standing: dict[str, Any]
    """What the rules say of the course of the game: by the keys of STATUS, functions of a state.

    They give None where nothing is said, or that cannot be evaluated; "ended" gives True if one of
    the ``endings`` holds as well, else False.
    """
    scorers: list[Any]
    """By the number of a category: the function of its points, see ``emit``."""
    listing: list[Any]
    """How its moves are listed, see ``pack.plans``: once the pack is linked, one ``Listing``."""
    texts: Mapping[str, Mapping[str, str]]
    """By language: what the English titles and texts of the rules are in it."""
    rules: dict[str, list[tuple[str, RuleText]]]
    """By id: every text of the rule, with the title of the move or section it belongs to."""

    def kept(self, make: Callable[..., _T], *language: str) -> _T:
        """Return what ``make`` makes of this pack, and a language: once, as it is kept with it."""
        kept: dict[object, _T] = self.__dict__.setdefault("_kept", {})
        key = make, *language
        if key not in kept:
            kept[key] = make(self, *language)
        return kept[key]

    def __getstate__(self) -> dict[str, object]:
        linked: dict[str, object] = {"makers": [], "scorers": [], "standing": {}}
        return {name: value for name, value in self.__dict__.items() if name != "_kept"} | linked
