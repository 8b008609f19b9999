"""The parts of compiled rules: expressions, texts and effects."""

# If postponed, Python would compile each annotation at every start.

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from altay_cli.base.findings import Severity

Cite = Mapping[str, int | str]

NOTHING: Mapping[str, Any] = {}
"""An empty mapping, never changed."""

STEADY = frozenset({"players", "options", "text"})
"""The parts of a state that change only when a player is seated."""

LEGAL = -1
"""Returned by the function of a legal move, which it has applied."""

UNCLEAR = -2
"""Returned by the function of a move if an omitted value is ambiguous."""


Phase = Literal["setup", "position", "turns", "result", "heading"]

Shape = Literal["int", "bool", "entity", "bag", "pile", "list", "drawn", "new player"]
"""The contents of a zone or a slot."""


class Linked:
    """A part of the rules with a function, which is linked by ``key``.

    Of a pack from the cache, only the key is loaded at once; the ``shelf`` has everything else.
    """

    __slots__ = ("fn", "key", "shelf")

    def __init__(self, key: str) -> None:
        self.key = key
        self.fn: Any = None
        self.shelf: Any = None

    if not TYPE_CHECKING:  # mypy sees the attributes

        def __getattr__(self, name: str) -> object:
            own = type(self).__slots__
            if name == "fn":
                self.fn = self.shelf.function(self.key)
            elif name in own:
                for slot, value in zip(own, self.shelf.details[self.key], strict=True):
                    setattr(self, slot, value)
            else:
                raise AttributeError(f"{type(self).__name__!r} has no attribute {name!r}")
            return getattr(self, name)

    def __getstate__(self) -> tuple[None, dict[str, object]]:
        names = ("key", *type(self).__slots__)
        return None, {"fn": None, "shelf": None, **{name: getattr(self, name) for name in names}}


class Expr(Linked):
    """An expression of the rules: ``expr.fn(state, values)``, which raises ``ExpressionError``.

    ``names`` are those of the environment, ``locals`` Python variables with their keys in
    ``values``. ``reads`` is what it reads of a state: indexes of zones, and words for the rest.
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
        """The indexes of the zones that it reads."""
        return frozenset(read for read in self.reads if isinstance(read, int))


class Effects(Linked):
    """A list of effects with one function: ``effects.fn(state, values)``.

    With ``waits``, some wait for an answer; then, here or in a caller, ``steps`` are the same
    effects for ``altay_cli.match.zones``.
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
    """A place of the state: ``at`` evaluates to its cell.

    With ``filled``, a null key raises, as things put there would be lost.
    """

    at: Expr
    zone: int
    shape: Shape
    filled: bool = False


class Message(NamedTuple):
    """A text with expressions; ``source`` is its form in the rule file."""

    parts: tuple[str | Expr, ...]
    source: str


# ---------------------------------------------------------------- effects


Piece = str | Expr | Place | None
"""A part of a call; a text is Python from the compiler."""


class CallEffect(NamedTuple):
    """Call an operation of the state, see :mod:`altay_cli.match.zones`.

    The pieces of a tuple are concatenated. The zones ``fills`` may gain entities.
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


class IfEffect(NamedTuple):
    """Apply one of two lists of effects."""

    condition: Expr
    then: tuple["Effect", ...]
    otherwise: tuple["Effect", ...]


class EachEffect(NamedTuple):
    """Apply effects for each item of a list, which is evaluated once.

    ``name`` is the variable in rules, ``local`` the one in Python.
    """

    name: str
    items: Expr
    does: tuple["Effect", ...]
    local: str


class LetEffect(NamedTuple):
    """Name values, then apply effects."""

    values: tuple[tuple[str, Expr], ...]
    does: tuple["Effect", ...]
    locals: tuple[str, ...]


class DoEffect(NamedTuple):
    """Apply a procedure."""

    procedure: str
    arguments: tuple[tuple[str, Expr], ...]


class AskEffect(NamedTuple):
    """Ask a player for a decision, ``times`` times (possibly 0).

    The following effects wait for the answer, named ``answer`` in rules and ``local`` in Python. If
    ``forced`` holds, the only answer ``gives`` is taken without asking.
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
    """Apply effects while a condition holds."""

    condition: Expr
    does: tuple["Effect", ...]


class RunEffect(NamedTuple):
    """Apply the effects in a field of an entity, as the player ``who``."""

    what: Expr
    who: Expr | None


class RuleText(NamedTuple):
    """The text of a finding of some rule.

    Missing entities of the kind ``unrecorded`` are reported only if all must be recorded. ``since``
    is reported at the statement that caused it. With ``of_move``, that move gives the page.
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
        """Yield the expressions in its texts."""
        for message in (self.message, *self.help):
            yield from (part for part in message.parts if isinstance(part, Expr))


class DrawEffect(NamedTuple):
    """Move drawn entities, as the log names them, from a hidden bag to another place.

    ``needed``: later effects depend on them. ``back``: they stay in the source as well. ``rest``:
    another draw takes the surplus of the log. The pile ``above`` the source comes first, ``below``
    last. ``backs`` are the fields visible on unidentified entities.
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


class ReportEffect(NamedTuple):
    """Report a text."""

    text: RuleText


class StopEffect(NamedTuple):
    """Skip the remaining effects, and all that wait for answers."""


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
    | ReportEffect
    | StopEffect
)


def branches(effect: Effect) -> tuple[tuple[Effect, ...], ...]:
    """Return the lists directly inside an effect."""
    match effect:
        case IfEffect():
            return effect.then, effect.otherwise
        case EachEffect() | LetEffect() | WhileEffect():
            return (effect.does,)
        case _:
            return ()


def everything(effects: Iterable[Effect]) -> Iterator[Effect]:
    """Yield effects and nested ones."""
    for effect in effects:
        yield effect
        for inner in branches(effect):
            yield from everything(inner)


def named(parts: Iterable[object]) -> Iterator[Place | Expr]:
    """Yield places and expressions."""
    for part in parts:
        if isinstance(part, Place | Expr):
            yield part
        elif type(part) is tuple:  # not a NamedTuple
            yield from named(part)


def zones_in(parts: Iterable[object]) -> frozenset[int]:
    """Return the zones of places."""
    return frozenset(part.zone for part in named(parts) if isinstance(part, Place))


def changes(effect: Effect) -> frozenset[int]:
    """Return the zones that an effect itself can change."""
    return effect.changes if isinstance(effect, CallEffect) else zones_in(effect)


class Nested(NamedTuple):
    """An effect with nested ones; ``inner`` are its branches as steps."""

    effect: IfEffect | EachEffect | LetEffect | WhileEffect
    inner: tuple["Steps", ...]


Steps = tuple[Effects | AskEffect | DoEffect | RunEffect | Nested, ...]
"""Effects that wait for answers, and functions of those between."""
