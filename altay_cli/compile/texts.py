"""Texts of the rules with expressions in them: messages, and what findings say."""

from __future__ import annotations

from altay_cli.base.findings import Severity
from altay_cli.base.text import Text
from altay_cli.compile.context import Clause, Context
from altay_cli.expressions.parser import MAX_LENGTH
from altay_cli.pack import model as m
from altay_cli.pack.messages import lone_brace, split_message
from altay_cli.source.document import DataPath


def message(clause: Clause) -> m.Message:
    """Compile a text with expressions in braces, which other languages have as well."""
    c, text, path = clause.c, clause.data, clause.path
    if "{" in text and len(text) > MAX_LENGTH:
        # Each of very many places would be read, checked and printed.
        # The check tells that it is too long.
        clause.check()
        return m.Message((), text)
    parts: list[str | m.Expr] = []
    for part, offset in split_message(text):
        if offset is None:
            parts.append(part)
        else:
            place = clause.saying(part)
            parts.append(place.register(place.check(offset=offset)))
    _check_braces(c, text, path)
    _check_translations(c, text)
    return m.Message(tuple(parts), text)


def optional_message(clause: Clause, key: str) -> m.Message | None:
    """Compile the text under a key if there is one."""
    return message(clause[key]) if key in clause else None


def _check_braces(c: Context, text: str, path: DataPath) -> None:
    """Check that every brace of a message has its partner."""
    brace = lone_brace(text)
    if brace is not None:
        alone = Text(
            "this `{brace}` has no partner: an expression stands between `{{` and `}}`",
            brace=text[brace],
        )
        hint = "a brace that is meant as one is written {'{'} or {'}'}"
        c.problem("lone-brace", alone, path, hint, within=(brace, brace + 1))


def _check_translations(c: Context, text: str) -> None:
    """Check that a text in other languages has no expressions but its own."""
    if text in c.translated:
        return
    c.translated.add(text)
    own = {part for part, offset in split_message(text) if offset is not None}
    for language, texts in c.section("texts").items():
        path = ("texts", language, text)
        translated = texts.get(text, "")
        _check_braces(c, translated, path)
        for part, offset in split_message(translated):
            if offset is not None and part not in own:
                foreign = Text("the English text has no `{part}`", part=f"{{{part}}}")
                within = (offset, offset + len(part))
                c.problem("text-expression", foreign, path, within=within)


def rule_text(
    clause: Clause, rule: str | None = None, cite: m.Cite | None = None, key: str = "else"
) -> m.RuleText:
    """Compile what a finding of a rule says: of that which the clause names, if none is given.

    ``cite`` is where its move is explained, if it is one of a move; ``key`` is where its message
    stands.
    """
    c, data = clause.c, clause.data
    ruling = data.get("ruling")
    if ruling is not None and ruling not in c.section("rulings"):
        clause["ruling"].unknown("ruling", c.section("rulings"))
    sentence = message(clause[key])
    help_line = optional_message(clause, "help")
    text = m.RuleText(
        data["rule"] if rule is None else rule,
        sentence,
        # What comes from somewhere else does not stand on the page of its move.
        data.get("cite", {} if "source" in data else cite or {}),
        Severity(data.get("severity", Severity.ERROR)),
        () if help_line is None else (help_line,),
        data.get("title", ""),
        ruling,
        str(data["that"]) if "that" in data else None,
        data.get("unrecorded", ""),
        optional_message(clause, "since"),
        cite is None and not {"cite", "source"} & data.keys(),
    )
    if text.unrecorded and text.unrecorded not in c.kinds:
        clause["unrecorded"].unknown("kind", c.kinds)
    c.rules.setdefault(text.rule, []).append((c.about, text))
    return text
