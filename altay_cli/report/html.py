"""HTML, made from the templates that lie beside the modules that fill them."""

from __future__ import annotations

from pathlib import Path


def rendered(template: Path, **values: object) -> str:
    """Return a template with its values filled in, each of them escaped."""
    # Jinja is imported for pages only.
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    environment = Environment(
        loader=FileSystemLoader(template.parent), autoescape=True, undefined=StrictUndefined
    )
    return environment.get_template(template.name).render(values)
