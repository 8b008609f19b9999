"""HTML, XML and text, made from the templates that lie beside the modules that fill them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

_NO_FILTERS: Mapping[str, Callable[..., object]] = {}


def rendered(
    template: Path,
    filters: Mapping[str, Callable[..., object]] = _NO_FILTERS,
    /,
    **values: object,
) -> str:
    """Return a template with its values filled in: in HTML each of them escaped.

    In all else, ``filters`` of the template's own make of a value what can stand there.
    """
    # Jinja is imported for pages only.
    from jinja2 import Environment, FileSystemLoader, StrictUndefined, select_autoescape

    environment = Environment(
        loader=FileSystemLoader(template.parent),
        autoescape=select_autoescape(["html"]),
        undefined=StrictUndefined,
    )
    environment.filters.update(filters)
    return environment.get_template(template.name).render(values)
