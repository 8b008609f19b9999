"""Read statements in another notation, such as chess coordinates."""

from __future__ import annotations

from contextlib import suppress

from altay_cli.base.findings import (
    EvaluationError,
    Fix,
    ReadError,
    Severity,
    Text,
    either,
)
from altay_cli.match.judging import BoundStatement, would_be_legal
from altay_cli.match.match import Match
from altay_cli.notation.parser import parse
from altay_cli.notation.tree import Statement
from altay_cli.pack.binding import Binding
from altay_cli.pack.notations import recognised


def bind_foreign_notation(match: Match, statement: Statement) -> Binding | None:
    """Bind a statement in another notation, if it is in one.

    Of several readings, take the only legal one, or list them in the help.
    """
    found = recognised(match.pack.notations, statement.phrase)
    if found is None:
        return None
    actor = match.report.context.actor
    state, report, (notation, values) = match.state, match.report, found
    first, last = statement.items[0].start, statement.items[-1].end
    bindings: dict[str, Binding] = {}
    with suppress(EvaluationError):
        for text in notation.means.fn(state, values):
            parsed = parse(text)
            items = tuple(item._replace(start=first, end=last) for item in parsed.phrase.items)
            phrase = parsed.phrase._replace(actor=statement.actor, items=items)
            binding = match.binder.bind(phrase, "turns", guessing=False)
            if parsed.sound and binding.readings:
                bindings[text] = binding
    if len(bindings) > 1:
        legal = [
            text
            for text, binding in bindings.items()
            if would_be_legal(match, BoundStatement(statement, binding.readings, actor))
        ]
        bindings = {text: bindings[text] for text in legal}
    title = state.words.word(notation.title)
    if len(bindings) != 1:
        help_line = Text("{title}, and no legal move", title=title)
        if bindings:
            help_line = Text(
                "this may be {names}; say which", names=either([f"`{text}`" for text in bindings])
            )
        error = match.binder.bind(statement.phrase, "turns").errors[0]
        return Binding((), (ReadError(error.rule, error.message, first, last, (help_line,)),))
    ((text, binding),) = bindings.items()
    is_first = not any(found.rule == "badly-written" and found.help for found in report.findings)
    report.add(
        "badly-written",
        Severity.WARNING,
        Text("{why}: `{text}`", why=title, text=text),
        help_lines=(state.message_text(notation.help, {}),) if notation.help and is_first else (),
        fixes=(Fix(statement.span(first, last), text, certain=not report.errors),),
    )
    return binding
