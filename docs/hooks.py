"""Hooks of the site: copy files outside `docs` that pages link to, and rewrite those links.

The documents link to code, rules and logs in the repository. The site gets a page for each such
file; a link to a folder becomes plain text.
"""

from __future__ import annotations

import re
from pathlib import Path
from posixpath import relpath
from typing import TYPE_CHECKING

from mkdocs.structure.files import File

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files
    from mkdocs.structure.pages import Page

ROOT = Path(__file__).resolve().parent.parent
DOCS = ROOT / "docs"

LINK = re.compile(r"\[([^\]]*)\]\(([^)\s#]+)(#[^)\s]*)?\)")
LANGUAGES = {".py": "python", ".yaml": "yaml", ".json": "json"}
UNLISTED = "---\nsearch:\n  exclude: true\n---\n\n"


def outside(target: str, folder: Path) -> Path | None:
    """Return the file or folder of the repository that a link names, unless it is a page."""
    if "://" in target:
        return None
    path = (folder / target).resolve()
    inside = path.is_relative_to(DOCS) and not path.is_dir()
    return path if path.exists() and path.is_relative_to(ROOT) and not inside else None


def address(path: Path) -> str:
    """Return the address of the page of a file in the site."""
    name = path.relative_to(ROOT).as_posix()
    name = name.removesuffix("README.md") + "about.md" if name.endswith("README.md") else name
    return f"source/{name}" + ("" if name.endswith(".md") else ".md")


def page_of(path: Path) -> str:
    """Return the page of a file."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".md":
        return UNLISTED + text
    name, fence = path.relative_to(ROOT).as_posix(), "~~~~~~~~"
    return f"{UNLISTED}# {name}\n\n{fence}{LANGUAGES.get(path.suffix, 'text')}\n{text}\n{fence}\n"


def rewritten(text: str, folder: Path, page: str) -> str:
    """Rewrite the links of a page for the site."""

    def replaced(match: re.Match[str]) -> str:
        words, target, anchor = match[1], match[2], match[3] or ""
        path = outside(target, folder)
        if path is None and folder != DOCS and (folder / target).exists():
            # From a copy to a page of the documents.
            return f"[{words}]({relpath(to_docs(folder / target), parent(page))}{anchor})"
        if path is None:
            return match[0]
        if path.is_dir():
            return words
        return f"[{words}]({relpath(address(path), parent(page))}{anchor})"

    return LINK.sub(replaced, text)


def to_docs(path: Path) -> str:
    """Return the address of a page of the documents."""
    return path.resolve().relative_to(DOCS).as_posix()


def parent(page: str) -> str:
    """Return the folder of a page."""
    return page.rpartition("/")[0] or "."


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add a page for each file that the documents link to, directly or indirectly."""
    seen: set[Path] = set()
    left = [DOCS / file.src_uri for file in files.documentation_pages()]
    while left:
        page = left.pop()
        for _, target, _ in LINK.findall(page.read_text(encoding="utf-8")):
            path = outside(target, page.parent)
            if path is None or path.is_dir() or path in seen:
                continue
            seen.add(path)
            files.append(File.generated(config, address(path), content=page_of(path)))
            if path.suffix == ".md":
                left.append(path)
    return files


def on_page_markdown(markdown: str, page: Page, **_: object) -> str:
    """Rewrite the links of a page of the documents, or of a copied page."""
    uri = page.file.src_uri
    if not uri.startswith("source/"):
        return rewritten(markdown, (DOCS / uri).parent, uri)
    origin = ROOT / uri.removeprefix("source/")
    if origin.name == "about.md":
        origin = origin.with_name("README.md")
    return rewritten(markdown, origin.parent, uri) if origin.exists() else markdown
