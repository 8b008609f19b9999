"""Fill templates of HTML, XML and text."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from html import escape
from pathlib import Path

from altay_cli.report.text import visible


def _words(text: str, *, quote: bool = False) -> str:
    text = "\n".join(map(visible, text.split("\n")))
    return escape(text, quote=quote).replace("##", "#&#35;")  # no CI system takes it for a command


XML = {"value": lambda text: f'"{_words(visible(text), quote=True)}"', "words": _words}
"""Filters for XML templates: quoted values and texts."""


def rendered(
    template: str | Path,
    filters: Mapping[str, Callable[..., object]] | None = None,
    /,
    **values: object,
) -> str:
    """Fill in a template: a name in ``assets``, or a path.

    Values in HTML are escaped; templates of other formats pass ``filters`` that do it.
    """
    # Slow to import.
    from jinja2 import Environment, FileSystemLoader, StrictUndefined, select_autoescape

    path = Path(__file__).parent / "assets" / template
    environment = Environment(
        loader=FileSystemLoader(path.parent),
        autoescape=select_autoescape(["html"]),
        undefined=StrictUndefined,
    )
    environment.filters.update(filters or {})
    return environment.get_template(path.name).render(values)
