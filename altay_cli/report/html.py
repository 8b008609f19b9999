"""HTML, XML and text, made from the templates that lie beside the modules that fill them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from html import escape
from pathlib import Path

from altay_cli.report.text import visible


def _words(text: str, *, quote: bool = False) -> str:
    """Return text as markup that says just that; its lines stay as they are."""
    text = "\n".join(map(visible, text.split("\n")))
    return escape(text, quote=quote).replace("##", "#&#35;")  # no CI system takes it for a command


XML = {"value": lambda text: f'"{_words(visible(text), quote=True)}"', "words": _words}
"""The filters of templates of XML, for all texts that stand in them: values with their quotes."""


def rendered(
    template: str | Path,
    filters: Mapping[str, Callable[..., object]] | None = None,
    /,
    **values: object,
) -> str:
    """Return a template with its values filled in: in HTML each of them escaped.

    In all else, ``filters`` of the template's own make of a value what can stand there. A template
    of the reports is called by its name, any other by its whole path.
    """
    # Jinja is imported for pages only.
    from jinja2 import Environment, FileSystemLoader, StrictUndefined, select_autoescape

    path = Path(__file__).parent / "assets" / template
    environment = Environment(
        loader=FileSystemLoader(path.parent),
        autoescape=select_autoescape(["html"]),
        undefined=StrictUndefined,
    )
    environment.filters.update(filters or {})
    return environment.get_template(path.name).render(values)
