"""What rules are made of, compiled: expressions, texts and effects.

Part of ``altay_cli.pack.model``.
"""

# Annotations are not postponed here: Python would compile each field's as text at every start.

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Literal, NamedTuple

from altay_cli.base.findings import Severity

Cite = Mapping[str, int | str]

NOTHING: Mapping[str, Any] = {}
"""The default of mappings; never changed."""

STEADY = frozenset({"players", "options", "text"})
"""What expressions read that no effect changes, except by seating a player."""

LEGAL = -1
"""What the function of a move returns where it was legal and is made."""

UNCLEAR = -2
"""What it returns where a value was left out and several are possible."""


Phase = Literal["setup", "position", "turns", "result", "heading"]
"""Where a statement stands: in which part of a log, or as a heading."""

Shape = Literal["int", "bool", "entity", "bag", "pile", "list", "drawn", "new player"]
"""What a zone or a slot holds: one of something or many, counted or in order."""


class Linked:
    """A part of the rules that is a function, by the name ``key``, once a pack is linked.

    The function is no part of what is kept on disk.
    """

    __slots__ = ("fn", "key")

    def __init__(self, key: str) -> None:
        self.key = key
        self.fn: Any = None

    def __getstate__(self) -> tuple[None, dict[str, object]]:
        names = ("key", *type(self).__slots__)
        return None, {"fn": None, **{name: getattr(self, name) for name in names}}


class Expr(Linked):
    """An expression of the rules: ``expr.fn(state, values)`` evaluates it.

    ``names`` are the names of the environment that it mentions; ``locals`` the Python variables
    that its code reads, each with the key of its value in ``values``; ``type`` is the name of the
    type of its value, ``place`` the file and line where it stands. ``reads`` is what it looks at in
    a state, also in functions that it calls: the indexes of zones, and words for everything else.
    The function raises ``altay_cli.expressions.ExpressionError``.
    """

    __slots__ = ("locals", "names", "place", "reads", "source", "type")

    def __init__(
        self,
        key: str,
        source: str,
        names: frozenset[str],
        locals: Mapping[str, str] = NOTHING,  # noqa: A002 - what Python calls them
        type: str = "",  # noqa: A002
        place: tuple[str, int] = ("?", 1),
        reads: frozenset[int | str] = frozenset(),
    ) -> None:
        super().__init__(key)
        self.source = source
        self.names = names
        self.locals = locals
        self.type = type
        self.place = place
        self.reads = reads

    @property
    def zones(self) -> frozenset[int]:
        """The zones among what it looks at."""
        return frozenset(one for one in self.reads if isinstance(one, int))


class Effects(Linked):
    """A list of effects that is carried out as a whole: ``effects.fn(state, values)``.

    ``key`` is the name of the function, ``tree`` are the effects themselves. ``waits`` says that
    something follows a question and has to wait for its answer. Where it does, or may do so for
    those who carry it out, ``steps`` are the same effects for ``altay_cli.match.operations``.
    """

    __slots__ = ("steps", "tree", "waits")

    def __init__(self, key: str, tree: tuple["Effect", ...]) -> None:
        super().__init__(key)
        self.tree = tree
        self.steps: Steps | None = None
        self.waits = False

    def __iter__(self) -> Iterator["Effect"]:
        return iter(self.tree)

    def __len__(self) -> int:
        return len(self.tree)


class Place(NamedTuple):
    """A place of the state: ``at`` gives the number of its cell.

    ``zone`` is the index of the zone that it belongs to, ``shape`` what it holds.
    """

    at: Expr
    zone: int
    shape: Shape


class Message(NamedTuple):
    """A text with expressions in it; ``source`` is how the rule file writes it."""

    parts: tuple[str | Expr, ...]
    source: str


# ---------------------------------------------------------------- effects


Piece = str | Expr | Place | None
"""A part of a call: Python that the compiler wrote, or a value or place of which there is code."""


class CallEffect(NamedTuple):
    """Call an operation of the state, see :mod:`altay_cli.match.operations`.

    An argument that is a tuple is made of its pieces, put together. ``changes`` are the zones, by
    index, in which something may be otherwise than before, ``fills`` those among them to which it
    can bring something.
    """

    operation: str
    arguments: tuple[Piece | tuple[Piece, ...], ...]
    changes: frozenset[int]
    fills: frozenset[int]


class SetEffect(NamedTuple):
    """Set a value, or add to it."""

    place: Place
    value: Expr
    add: bool
    bounds: tuple[int | None, int | None] = (None, None)
    """The least and the most that the number can be; None for no such bound."""


class IfEffect(NamedTuple):
    """Do one thing or another."""

    condition: Expr
    then: tuple["Effect", ...]
    otherwise: tuple["Effect", ...]


class EachEffect(NamedTuple):
    """Do something for each of a list, which is taken once, before the first.

    ``name`` is what rules call it, ``local`` the Python variable that holds it.
    """

    name: str
    items: Expr
    does: tuple["Effect", ...]
    local: str


class LetEffect(NamedTuple):
    """Name values, then do something; ``locals`` are the Python variables that hold them."""

    values: tuple[tuple[str, Expr], ...]
    does: tuple["Effect", ...]
    locals: tuple[str, ...]


class DoEffect(NamedTuple):
    """Carry out a procedure."""

    procedure: str
    arguments: tuple[tuple[str, Expr], ...]


class AskEffect(NamedTuple):
    """Put a decision before a player; with ``times`` of 0 nothing is due.

    What follows waits for the answer. ``answer`` is the name that the answer has from then on,
    and ``local`` the Python variable that holds it. Where ``forced`` holds nobody is asked, as only
    one thing can happen; the answer is ``gives`` then.
    """

    decision: str
    who: Expr
    times: Expr | None
    values: tuple[tuple[str, Expr], ...]
    answer: str | None = None
    local: str = ""
    forced: Expr | None = None
    gives: Expr | None = None


class WhileEffect(NamedTuple):
    """Do something as long as something holds."""

    condition: Expr
    does: tuple["Effect", ...]


class RunEffect(NamedTuple):
    """Carry out the effects that a field of a thing holds, as ``who``."""

    what: Expr
    who: Expr | None


class RuleText(NamedTuple):
    """What a finding of some rule says, apart from the place.

    ``unrecorded`` is the kind of thing that is only not recorded: told where all must be, else
    counted. ``since`` is told of the statement that made it so. ``of_move`` says that it stands on
    the page of the move that brings it about.
    """

    rule: str
    message: Message
    cite: Cite = NOTHING
    severity: Severity = Severity.ERROR
    help: tuple[Message, ...] = ()
    title: str = ""
    ruling: str | None = None
    that: str | None = None
    unrecorded: str = ""
    since: Message | None = None
    of_move: bool = False

    def exprs(self) -> Iterator[Expr]:
        """Yield the expressions that its texts mention."""
        for message in (self.message, *self.help):
            yield from (part for part in message.parts if isinstance(part, Expr))


class DrawEffect(NamedTuple):
    """Bring what chance brought, as the log says, from a hidden bag into another.

    ``needed`` says that what follows depends on what came, ``back`` that what comes stays where it
    came from as well, ``rest`` that what the log tells beyond it is for another draw. The piles
    ``above`` and ``below`` are known to lie on top of the source and below it: what is there comes
    first, or last. ``backs`` are the fields that are seen of what comes, although nobody wrote down
    what it is.
    """

    seen: Expr
    source: Place
    refill: Place | None
    target: Place
    times: Expr | None
    loop: Expr | None
    only: Expr | None
    rules: Mapping[str, RuleText]
    kind: str
    needed: bool
    back: bool = False
    rest: bool = False
    above: Place | None = None
    below: Place | None = None
    backs: tuple[str, ...] = ()


class SayEffect(NamedTuple):
    """Report something."""

    text: RuleText


class StopEffect(NamedTuple):
    """Leave out the rest of what is being carried out, and all that waits for answers."""


Effect = (
    CallEffect
    | SetEffect
    | IfEffect
    | EachEffect
    | LetEffect
    | DoEffect
    | AskEffect
    | WhileEffect
    | RunEffect
    | DrawEffect
    | SayEffect
    | StopEffect
)


def branches(effect: Effect) -> tuple[tuple[Effect, ...], ...]:
    """Return the lists of effects that an effect holds."""
    match effect:
        case IfEffect():
            return effect.then, effect.otherwise
        case EachEffect() | LetEffect() | WhileEffect():
            return (effect.does,)
        case _:
            return ()


def everything(effects: Iterable[Effect]) -> Iterator[Effect]:
    """Yield effects with all that stand inside of them."""
    for effect in effects:
        yield effect
        for inner in branches(effect):
            yield from everything(inner)


def named(parts: Iterable[object]) -> Iterator[Place | Expr]:
    """Yield the places and expressions that an effect itself names, or some parts of it."""
    for part in parts:
        if isinstance(part, Place | Expr):
            yield part
        elif type(part) is tuple:  # no effect
            yield from named(part)


def zones_in(parts: Iterable[object]) -> frozenset[int]:
    """Return the zones, by index, of the places that an effect itself names, or some parts."""
    return frozenset(part.zone for part in named(parts) if isinstance(part, Place))


def changes(effect: Effect) -> frozenset[int]:
    """Return the zones, by index, in which an effect itself can change something."""
    return effect.changes if isinstance(effect, CallEffect) else zones_in(effect)


class Nested(NamedTuple):
    """An effect that holds others, as a step; ``inner`` are its branches, as steps too."""

    effect: IfEffect | EachEffect | LetEffect | WhileEffect
    inner: tuple["Steps", ...]


Steps = tuple[Effects | AskEffect | DoEffect | RunEffect | Nested, ...]
"""Effects that wait for answers: those that ask nothing are joined to functions of their own."""
