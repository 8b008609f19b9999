"""Archives of the page: modules are imported from them, and fetched when they are needed."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from importlib import import_module, resources
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "web" / "python"))

from archive import Archive, written


def code(source: str) -> object:
    return compile(source, "sample.py", "exec")


CORE = written(
    {
        "sample_core.": code("from sample_core.part import VALUE"),  # type: ignore[dict-item]
        "sample_core.part": code("VALUE = 7"),  # type: ignore[dict-item]
    },
    {"sample_core/text.txt": b"here", "data/a.txt": b"a"},
    {"sample_more": "more"},
)
MORE = written({"sample_more": code("VALUE = 8")}, {"data/b.txt": b"b"})  # type: ignore[dict-item]


@pytest.fixture
def archive(tmp_path: Path) -> Iterator[tuple[Archive, list[str]]]:
    fetched: list[str] = []

    def fetch(name: str) -> bytes | None:
        fetched.append(name)
        return MORE if name == "more" else None

    archive = Archive(tmp_path, fetch)
    archive.add(CORE)
    sys.meta_path.insert(0, archive)  # type: ignore[arg-type]
    yield archive, fetched
    sys.meta_path.remove(archive)  # type: ignore[arg-type]
    for name in [name for name in sys.modules if name.startswith("sample_")]:
        del sys.modules[name]


def test_modules_and_their_files_are_found(archive: tuple[Archive, list[str]]) -> None:
    package = import_module("sample_core")
    assert package.VALUE == 7
    assert package.__file__ == str(archive[0].top / "sample_core" / "__init__.py")
    assert (resources.files("sample_core") / "text.txt").read_text("utf-8") == "here"
    assert (archive[0].top / "data" / "a.txt").read_bytes() == b"a"


def test_another_archive_is_fetched_once_when_a_module_of_it_is_imported(
    archive: tuple[Archive, list[str]],
) -> None:
    unpacker, fetched = archive
    import_module("sample_core")
    assert fetched == []
    assert import_module("sample_more").VALUE == 8
    assert fetched == ["more"]
    assert (unpacker.top / "data" / "b.txt").read_bytes() == b"b"


def test_files_are_written_again_after_a_snapshot(archive: tuple[Archive, list[str]]) -> None:
    unpacker, _ = archive
    import_module("sample_more")
    for name in ("a.txt", "b.txt"):
        (unpacker.top / "data" / name).unlink()
    unpacker.unpack()
    assert [(unpacker.top / "data" / name).read_bytes() for name in ("a.txt", "b.txt")] == [
        b"a",
        b"b",
    ]


def test_an_unknown_module_is_left_to_python(archive: tuple[Archive, list[str]]) -> None:
    assert archive[0].find_spec("json") is None
    with pytest.raises(ModuleNotFoundError):
        import_module("sample_unknown")
