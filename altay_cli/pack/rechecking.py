"""Expressions that were checked before, and need not be checked again.

Whoever writes a house rule compiles the same game again and again, with a change or two. What
checking an expression gives depends on what it says, on the local names around it, and on the
names, members and functions that it can mean. So it is taken from the last time unless something
of that has changed which is spelled with words of the expression.
"""

from __future__ import annotations

import pickle
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any

from altay_cli.expressions import Checked, Environment, Type, check
from altay_cli.pack.cache import fingerprint, load, store
from altay_cli.pack.load import program

_WORDS = re.compile(r"\w+")
_SIGNS = {"@index": "[", "@in": "in"}
FEW = 200
"""So many expressions may be new before what is remembered is renewed."""

_Key = tuple[str, str, bool, str]
"""Source, type asked for, whether it can ask how the game stands, and the local names."""


class Rechecking:
    """Checks the expressions of one game, and remembers them for the next time."""

    def __init__(self, game: str) -> None:
        self._store = fingerprint((), *program(), game, "checked expressions")
        data = load(self._store)
        found: Any = ({}, None) if data is None else pickle.loads(data)  # noqa: S301 - our own
        self._known: Mapping[_Key, Checked] = found[0]
        self._then: Environment | None = found[1]
        self._now: Environment | None = None
        self._usable = False
        self._changed: list[tuple[frozenset[str], str]] = []
        """What has changed since: the words that it is spelled with, and a sign."""
        self._other: frozenset[str] = frozenset()
        """The names that were there already, and stand for something else now."""
        self._locals: dict[int, tuple[Environment, str]] = {}
        self._found: dict[_Key, Checked] = {}
        self._new = 0

    def begin(self, env: Environment, *, weighed: bool) -> None:
        """Note what expressions can mention now, apart from local names.

        Before the rules' own functions are ``weighed``, it is not known what a call takes.
        """
        if not weighed:
            self._locals, self._found, self._new = {}, {}, 0
        self._now = env
        then = self._then
        if then is not None:
            self._usable = then.nullable == env.nullable and then.iterables == env.iterables
            self._changed = list(_changes(then, env, weighed=weighed))
            both = then.names.keys() & env.names.keys()
            self._other = frozenset(n for n in both if then.names[n] != env.names[n])

    def check(self, source: str, env: Environment, expect: Type | None = None) -> Checked:
        """Check an expression as ``altay_cli.expressions.check`` does, and raise as it does."""
        if self._now is None:
            return check(source, env, expect)
        key = source, str(expect), "able" in env.functions, self._local(env)
        found = self._found.get(key)
        if found is not None:
            return found
        kept = self._known.get(key) if self._usable else None
        if kept is not None and not self._touches(source, kept, env):
            found = kept
        else:
            found = check(source, env, expect)
            self._new += 1
        self._found[key] = found
        return found

    def _local(self, env: Environment) -> str:
        """Return what tells the local names of an environment apart from others."""
        known = self._locals.get(id(env.names))
        if known is None:
            names = sorted(env.local.items())
            text = " ".join(
                [
                    f"{n}:{one.type}:{one.code}:{one.local}:{sorted(map(str, one.reads))}"
                    for n, one in names
                ]
            )
            known = self._locals[id(env.names)] = env, text
        return known[1]

    def _touches(self, source: str, kept: Checked, env: Environment) -> bool:
        """Return whether an expression may mean something that has changed."""
        # Names that are local hide others, and are among what it was found by.
        if not self._other.isdisjoint(kept.names - env.local.keys()):
            return True
        if not self._changed:
            return False
        words = set(_WORDS.findall(source))
        return any(spelled <= words and sign in source for spelled, sign in self._changed)

    def keep(self) -> None:
        """Remember what was checked, if much of it is new."""
        if self._new < FEW or self._now is None:
            return
        types: dict[Type, Type] = {}
        kept: dict[_Key, Checked] = {}
        for key, found in self._found.items():
            with suppress(RecursionError):  # a sum of thousands is too deep to be pickled
                kept[key] = found.kept(types)
        now = replace(self._now, globals={}, local={})
        store(self._store, pickle.dumps((kept, now), pickle.HIGHEST_PROTOCOL))


def _changes(
    then: Environment, now: Environment, *, weighed: bool
) -> Iterator[tuple[frozenset[str], str]]:
    """Yield what can be mentioned otherwise than before: its words, and a sign.

    Names that stand for something else are not among it: who mentions these, is known.
    """
    for name in then.names.keys() ^ now.names.keys():
        yield frozenset(_WORDS.findall(name)), ""
    for member in then.members.keys() | now.members.keys():
        if then.members.get(member) != now.members.get(member):
            yield frozenset(_WORDS.findall(member[1])), ""
    for name in then.functions.keys() | now.functions.keys():
        old_, new_ = ([*env.functions.get(name, ())] for env in (then, now))
        if not weighed:
            old_, new_ = ([replace(one, least=0) for one in some] for some in (old_, new_))
        if old_ != new_:
            if name.startswith("@"):
                yield frozenset(), _SIGNS.get(name, name[1:])
            else:
                yield frozenset(_WORDS.findall(name)), ""
