"""`python -m attack planted` puts a mistake of ours into functions of the program, one by one.

A mistake of the program must end as an error of the program, never as a verdict on somebody's log.
Each function that judging a few logs calls raises an ``AttributeError`` instead; whoever checks a
log that comes to it must see that very error.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from random import Random
from types import CodeType, FrameType, FunctionType
from typing import Any, NamedTuple

import click

import altay_cli
from altay_cli.checking.check import check_text
from altay_cli.checking.tags import forget_rules
from attack.stored import text_of

PROGRAM = str(Path(altay_cli.__file__).parent)
MESSAGE = "planted"
LOGS = (
    "games/tie.agn", "games/classics/chess.agn", "games/innovation/players-2-0001.agn",
    *(f"{how} {number}" for how in ("changed", "masked") for number in range(4)),
)  # fmt: skip


class Planted(NamedTuple):
    """A function with a mistake in it, and what became of it: None if it was not called."""

    name: str
    ended: str | None


def broken(*_: object, **__: object) -> Any:
    """Stand for a function with a mistake; it runs among the names of that function."""
    from attack import planted as here  # noqa: PLW0406 - where it runs, this is another module

    here.reached.append(True)
    raise AttributeError(here.MESSAGE)


reached: list[bool] = []
"""Something, if the mistake was come to."""


def called(text: str) -> dict[CodeType, FunctionType]:
    """Return the functions of the program that checking a text calls, by their code."""
    codes: set[CodeType] = set()

    def note(frame: FrameType, event: str, _: object) -> None:
        if event == "call" and frame.f_code.co_filename.startswith(PROGRAM):
            codes.add(frame.f_code)

    forget_rules()
    sys.setprofile(note)
    try:
        check_text(text)
    finally:
        sys.setprofile(None)
    return {code: function for code, function in functions().items() if code in codes}


def functions() -> dict[CodeType, FunctionType]:
    """Return the functions and methods of the program without variables from around them."""
    found: dict[CodeType, FunctionType] = {}
    for name, module in [*sys.modules.items()]:
        if name.startswith("altay_cli"):
            for item in list(vars(module).values()):
                for one in _functions(item):
                    if not one.__code__.co_freevars:
                        found[one.__code__] = one
    return found


def _functions(item: object) -> Iterable[FunctionType]:
    if isinstance(item, type) and item.__module__.startswith("altay_cli"):
        inner: list[object] = [
            getattr(one, "fget", None) or getattr(one, "__func__", one)
            for one in vars(item).values()
        ]
    else:
        inner = [getattr(item, "__wrapped__", item)]
    return [one for one in inner if isinstance(one, FunctionType)]


def try_out(function: FunctionType, check: Callable[[], object]) -> Planted:
    """Check something with a mistake in a function."""
    code = function.__code__
    reached.clear()
    forget_rules()
    ended = "a verdict"
    function.__code__ = broken.__code__
    try:
        check()
    except AttributeError as error:
        ended = MESSAGE if str(error) == MESSAGE else f"{error!r}"
    except Exception as error:
        ended = f"{error!r}"
    finally:
        function.__code__ = code
    name = f"{function.__module__.removeprefix('altay_cli.')}.{function.__qualname__}"
    return Planted(name, ended if reached else None)


def wrong(count: int, seed: int) -> Iterator[Planted]:
    """Plant so many mistakes; yield those that end as something else than what they are."""
    random = Random(seed)
    texts = map(text_of, LOGS)
    every = [(text, function) for text in texts for function in called(text).values()]
    for text, function in random.sample(every, min(count, len(every))):
        found = try_out(function, lambda text=text: check_text(text))  # type: ignore[misc]
        if found.ended not in (None, MESSAGE):
            yield found


@click.command("planted")
@click.argument("count", type=click.IntRange(min=1), default=200)
@click.option("--seed", type=int, default=1, help="Which functions.")
def command(count: int, seed: int) -> None:
    """Put a mistake into functions of the program; it must be seen as one."""
    found = 0
    for one in wrong(count, seed):
        found += 1
        click.echo(f"{one.name}: {one.ended}")
    click.echo(f"{count:,} mistakes, {found:,} of which end as something else")
    sys.exit(found > 0)
