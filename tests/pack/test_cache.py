"""The cache of compiled packs: it never gives an old answer, and never what a stranger put there."""

from __future__ import annotations

import os
import pickle
import shutil
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

from altay_cli.base import cache, files
from altay_cli.base.resources import data_folder
from altay_cli.checking.check import check_text
from altay_cli.checking.tags import forget_rules
from altay_cli.compile import load, plans, shelf, trees
from altay_cli.compile.load import load_pack
from altay_cli.expressions import parser
from altay_cli.pack.plans import linked_plans
from altay_cli.source import folder as folder_reader

KEY = cache.fingerprint([])
NIM = (Path(__file__).parents[2] / "games" / "classics" / "nim.agn").read_text("utf-8")

RULES = data_folder("rules") / "altay"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache, sealed with a secret that lies somewhere else."""
    place = tmp_path / "kept"
    monkeypatch.setenv("ALTAY_CACHE", str(place))
    monkeypatch.setattr(cache, "_secret_file", lambda: tmp_path / "home" / "secret")
    return place


def change(path: Path, old: str, new: str) -> None:
    """Change a file so that neither its size nor its time tells."""
    status = path.stat()
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
    assert path.stat().st_size == status.st_size
    assert path.stat().st_mtime_ns == status.st_mtime_ns


def entry(folder: Path) -> Path:
    """Return the largest entry of the cache: the pack, where one is kept."""
    return max(folder.glob("*.pack"), key=lambda path: path.stat().st_size)


# ---------------------------------------------------------------- the key


def variant(
    path: Path, extends: str, changes: str = "{set: options.last.title, to: Who wins}"
) -> Path:
    path.parent.mkdir(exist_ok=True)
    path.write_text(
        f'variant: {path.stem}\nextends: {extends}\ntitle: T\nversion: "1.0"\nauthors: [A]\n'
        f"description: D.\nchange:\n  - {changes}\n",
        encoding="utf-8",
    )
    return path


def rules_broken(folder: Path, name: str) -> list[str]:
    forget_rules()
    log = NIM.partition("result")[0].replace("setup", f'[Variant "{name}"]\nsetup')
    (game,) = check_text(log, folder=folder).games
    assert not [f for f in game.findings if f.rule in {"rules", "variant-path"}], game.findings
    return [finding.rule for finding in game.findings if finding.severity == "error"]


ANY = "{set: moves.take.requires.take-one.that, to: number > 0}"
"""As the rules have it: more than one must be taken if it says 1."""


def test_a_change_of_what_a_variant_extends_counts(tmp_path: Path) -> None:
    parent = variant(tmp_path / "parent.yaml", "nim", ANY)
    variant(tmp_path / "child.yaml", "parent.yaml")
    assert rules_broken(tmp_path, "child.yaml") == []
    change(parent, "> 0", "> 1")
    assert rules_broken(tmp_path, "child.yaml") == ["take-one"]
    change(parent, "> 1", "> 0")
    assert rules_broken(tmp_path, "child.yaml") == []


def test_a_change_of_a_variant_counts(tmp_path: Path) -> None:
    own = variant(tmp_path / "own.yaml", "nim", ANY)
    assert rules_broken(tmp_path, "own.yaml") == []
    change(own, "> 0", "> 1")
    assert rules_broken(tmp_path, "own.yaml") == ["take-one"]


def test_where_a_link_leads_counts(tmp_path: Path) -> None:
    """The file that is extended stays the same; what that one extends is another."""
    for number in (0, 1):
        variant(tmp_path / f"{number}" / "top.yaml", "nim", ANY.replace("0", str(number)))
        variant(tmp_path / f"{number}" / "middle.yaml", "top.yaml")
    variant(tmp_path / "child.yaml", "link.yaml")
    link = tmp_path / "link.yaml"
    link.symlink_to("0/middle.yaml")
    assert rules_broken(tmp_path, "child.yaml") == []
    link.unlink()
    link.symlink_to("1/middle.yaml")
    assert rules_broken(tmp_path, "child.yaml") == ["take-one"]


def test_a_change_of_the_game_counts(tmp_path: Path) -> None:
    copy = tmp_path / "altay"
    shutil.copytree(RULES, copy)
    before = load.pack_key(copy, ())
    assert load.pack_key(copy, ()) == before
    change(copy / "game.yaml", "Altay", "Altai")
    assert load.pack_key(copy, ()) != before


REPLACED = """
import os, sys
from pathlib import Path
from altay_cli.compile import load
print(load.pack_key(Path(sys.argv[1]), ()))
os.utime(Path(load.__file__).with_name("emit.py"), (0, 0))
print(load.pack_key(Path(sys.argv[1]), ()))
"""


def test_a_program_replaced_while_it_runs_gets_nothing_of_the_old_one(tmp_path: Path) -> None:
    shutil.copytree(Path(load.__file__).parents[1], tmp_path / "altay_cli")
    command = [sys.executable, "-P", "-c", REPLACED, str(RULES)]
    environ = {**os.environ, "PYTHONPATH": str(tmp_path)}
    old, new = (
        subprocess.run(command, check=True, env=environ, capture_output=True, text=True).stdout
        for _ in range(2)
    )
    assert len({*old.split()}) == 1
    assert not {*old.split()} & {*new.split()}


def test_rules_that_change_while_they_are_compiled_are_not_kept(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    keys = iter("abc")  # of the variant, of its game, and of the variant once it is compiled
    monkeypatch.setattr(load, "pack_key", lambda *_: next(keys) * 64)
    load_pack("nim", [variant(tmp_path / "last.yaml", "nim")])
    assert not {path.stem for path in folder.glob("*.pack")} & {"a" * 64, "b" * 64, "c" * 64}


def test_what_is_kept_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    first = load_pack("nim")
    monkeypatch.setattr(load, "compile_pack", None)
    assert load_pack("nim").codes == first.codes


# ---------------------------------------------------------------- strangers


class Evil:
    """What leaves a trace when it is read with pickle."""

    def __init__(self, trace: Path) -> None:
        self.trace = trace

    def __reduce__(self) -> tuple[object, ...]:
        return Path.touch, (self.trace,)


def test_a_pack_from_the_cache_is_the_compiled_one() -> None:
    compiled, kept = load_pack("altay"), load_pack("altay")
    for one, other in zip(compiled.exprs, kept.exprs, strict=True):
        assert one.__getstate__() == other.__getstate__()
        assert other.fn.__code__ == one.fn.__code__, one.key
    for effects, others in zip(compiled.routines, kept.routines, strict=True):
        assert [type(part) for part in effects] == [type(part) for part in others]
        assert effects.waits == others.waits
        assert others.fn.__code__ == effects.fn.__code__, effects.key
    assert kept.rulings == compiled.rulings
    assert list(kept.rules) == list(compiled.rules)
    policy = next(iter(kept.policies.values()))
    assert any(next(iter(policy.worth.values())) is expr for expr in kept.exprs)
    things = {id(thing) for kind in kept.entities.values() for thing in kind}
    named = [one for table in kept.names.values() for found in table.values() for one in found]
    assert named
    assert things.issuperset(map(id, named))


def test_how_moves_are_listed_is_printed_for_the_first_list_and_kept(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as judging:
        judging.setattr(plans, "print_listing", None)  # a legal game needs none
        assert check_text(NIM).games[0].findings == []
        pack = load_pack("altay")
    printed = pack.cached(linked_plans)
    monkeypatch.setattr(plans, "print_listing", None)
    pack = load_pack("altay")
    kept = pack.cached(linked_plans)
    assert list(kept) == list(printed)
    for number, (one, other) in enumerate(zip(printed.values(), kept.values(), strict=True)):
        assert other.move in pack.moves, number
        assert [[asked.expr.key for asked in stage] for stage in one.asked] == [
            [asked.expr.key for asked in stage] for stage in other.asked
        ]
        assert all(asked.expr in pack.exprs for stage in other.asked for asked in stage)
        assert [slot.name for slot in one.slots] == [slot.name for slot in other.slots]
        assert all(slot is other.move.slots[slot.name] for slot in other.slots)
        assert not any(value.given() for value in other.drawn.values())
        assert one.lister is not None
        assert other.lister is not None
        assert one.lister.__code__ == other.lister.__code__
        assert one.worths.keys() == other.worths.keys()
    assert kept["buy"].worths.keys() == pack.policies.keys()


def test_what_was_not_sealed_here_does_not_run(folder: Path, tmp_path: Path) -> None:
    load_pack("tictactoe")
    path = entry(folder)
    trace = tmp_path / "trace"
    evil = pickle.dumps(Evil(trace))
    key = path.stem
    strange = os.urandom(32)
    for planted in (
        evil,
        cache._MARK + evil,
        cache._MARK + bytes(32) + evil,
        cache._MARK + cache._seal(strange, key, evil) + evil,
        path.read_bytes()[: len(cache._MARK) + 32] + evil,
    ):
        path.write_bytes(planted)
        assert load_pack("tictactoe").id == "tictactoe"
        assert not trace.exists()


def test_what_was_sealed_for_another_key_is_not_taken(folder: Path) -> None:
    cache.store(KEY, b"data")
    other = "0" * 64
    shutil.copy(entry(folder), folder / f"{other}.pack")
    assert (cache.load(KEY), cache.load(other)) == (b"data", None)


def test_a_secret_that_others_know_is_none(folder: Path, tmp_path: Path) -> None:
    cache.store(KEY, b"data")
    secret = tmp_path / "home" / "secret"
    assert secret.stat().st_mode & 0o777 == 0o600
    secret.chmod(0o644)
    assert cache.load(KEY) is None
    known = secret.read_bytes()
    cache.store(KEY, b"data")
    assert secret.read_bytes() != known
    assert cache.load(KEY) == b"data"


@pytest.mark.parametrize("variable", ["ALTAY_CACHE", "XDG_CACHE_HOME"])
def test_a_folder_that_depends_on_where_one_stands_is_not_used(
    tmp_path: Path, variable: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    repository = tmp_path / "repository"
    repository.mkdir()
    monkeypatch.chdir(repository)
    monkeypatch.delenv("ALTAY_CACHE")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv(variable, ".cache")
    cache.store(KEY, b"data")
    assert not list(repository.iterdir())


@pytest.mark.parametrize("mode", [0o777, 0o757, 0o1777])
def test_a_folder_that_others_can_write_to_is_not_used(folder: Path, mode: int) -> None:
    cache.store(KEY, b"data")
    assert cache.load(KEY) == b"data"
    folder.chmod(mode)
    assert cache.load(KEY) is None
    cache.store("1" * 64, b"data")
    assert len(list(folder.iterdir())) == 1


def test_a_folder_that_others_can_put_another_in_the_place_of_is_not_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    open_to_all = tmp_path / "shared"
    deep = open_to_all / "deep" / "kept"
    link = tmp_path / "link"
    link.symlink_to(deep)
    for named in (deep, link):
        monkeypatch.setenv("ALTAY_CACHE", str(named))
        if not deep.is_dir():
            deep.mkdir(parents=True, mode=0o700)
        open_to_all.chmod(0o700)
        cache.store(KEY, b"data")
        assert cache.load(KEY) == b"data"
        open_to_all.chmod(0o777)
        assert cache.load(KEY) is None


@pytest.mark.parametrize("kind", ["pipe", "endless", "folder", "huge"])
def test_an_entry_that_is_no_file_of_ours(folder: Path, kind: str) -> None:
    cache.store(KEY, b"data")
    path = entry(folder)
    path.unlink()
    if kind == "pipe":
        os.mkfifo(path)
    elif kind == "endless":
        path.symlink_to("/dev/zero")
    elif kind == "folder":
        path.mkdir()
    else:
        with path.open("wb") as file:
            file.truncate(1 << 40)
    assert cache.load(KEY) is None
    cache.store(KEY, b"data")


# ---------------------------------------------------------------- accidents


def test_a_legal_game_loads_only_what_it_needs(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    load_pack("nim")
    loaded: list[str] = []
    for name in ("details", "rare_fields"):
        monkeypatch.setattr(shelf.Shelf, name, property(lambda _, name=name: loaded.append(name)))
    forget_rules()
    assert check_text(NIM).games[0].findings == []
    assert loaded == []
    with pytest.raises(TypeError):  # what is patched in is no pack
        _ = load_pack("nim").rulings
    assert loaded == ["rare_fields"]


def test_a_damaged_entry_is_noticed_before_it_is_used(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pack = load_pack("nim")
    path = entry(folder)
    whole = path.read_bytes()
    chance = Random(7)
    with monkeypatch.context() as patch:
        patch.setattr(load.pickle, "loads", None)
        patch.setattr("marshal.loads", None)
        for _ in range(100):
            damaged = bytearray(whole)
            for _ in range(3):
                damaged[chance.randrange(len(whole))] ^= 1 << chance.randrange(8)
            path.write_bytes(damaged)
            assert cache.load(path.stem) is None
        for size in (0, 5, len(cache._MARK), 60, len(whole) // 2, len(whole) - 1):
            path.write_bytes(whole[:size])
            assert cache.load(path.stem) is None
    assert load_pack("nim").codes == pack.codes
    assert path.read_bytes()[: len(cache._MARK)] == cache._MARK
    assert cache.load(path.stem) is not None, "it is made anew"


def test_what_killed_runs_left_behind_is_removed(folder: Path) -> None:
    cache.store(KEY, b"data")
    ended = subprocess.Popen([sys.executable, "-c", "pass"])
    ended.wait()
    left = [
        folder / f".altay-{ended.pid}-0123abcd.tmp",
        folder / ".altay-1-00000000.tmp",
    ]
    stays = [
        folder / f".altay-{os.getpid()}-0123abcd.tmp",
        folder / "tmpk3x_9abc",
        folder / "tmp.txt",
    ]
    for path in (*left, *stays):
        path.write_bytes(b"half an ent")
    for path in left[1:]:
        os.utime(path, (1, 1))
    files.clear_up.cache_clear()  # as in another process
    cache.store(KEY, b"data")
    assert sorted(folder.iterdir()) == sorted([entry(folder), *stays])


def test_only_entries_are_dropped_and_those_used_last_are_kept(folder: Path) -> None:
    cache.store(KEY, b"data")
    foreign = [folder / "mine.pack", folder / f"pack-{'a' * 40}.pack", folder / "notes.txt"]
    for path in foreign:
        path.write_bytes(b"mine")
        os.utime(path, (1, 1))
    keys = [f"{number:064}" for number in range(cache.MAX_ENTRIES + 5)]
    for number, key in enumerate(keys):
        cache.store(key, b"data")
        os.utime(folder / f"{key}.pack", (number + 10, number + 10))
    assert cache.load(keys[6]) == b"data"
    for key in ("e" * 64, "f" * 64):
        cache.store(key, b"data")
    assert all(path.read_bytes() == b"mine" for path in foreign)
    assert len(list(folder.iterdir())) == cache.MAX_ENTRIES + len(foreign)
    assert cache.load(keys[6]) == b"data"
    assert cache.load(keys[7]) is None


def test_a_cache_that_cannot_be_written_can_be_read(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache.store(KEY, b"data")

    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    for module, name in ((os, "utime"), (Path, "mkdir"), (cache, "write_atomically")):
        monkeypatch.setattr(module, name, refuse)
    folder.chmod(0o500)
    assert cache.load(KEY) == b"data"
    cache.store("1" * 64, b"other")
    folder.chmod(0o700)
    assert list(folder.iterdir()) == [entry(folder)]


def test_without_a_home_there_is_no_cache(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def unknown(user: int) -> None:
        raise KeyError(f"getpwuid(): uid not found: {user}")

    monkeypatch.undo()  # the home that the tests have
    monkeypatch.setenv("ALTAY_CACHE", str(folder))
    monkeypatch.setattr("pwd.getpwuid", unknown)
    cache.store(KEY, b"data")
    assert cache.load(KEY) is None
    assert not list(folder.glob("*"))


@pytest.mark.parametrize("named", ["off", "kept", None])
def test_a_python_without_users_caches_nothing(tmp_path: Path, named: str | None) -> None:
    """As in a browser: there is no module `pwd`."""
    log = tmp_path / "nim.agn"
    log.write_text(NIM, encoding="utf-8")
    places = {"HOME": str(tmp_path), "XDG_CACHE_HOME": str(tmp_path / "cache")}
    environ = {**os.environ, **places}
    environ.pop("ALTAY_CACHE", None)
    if named is not None:
        environ["ALTAY_CACHE"] = "off" if named == "off" else str(tmp_path / named)
    script = (
        "import sys; sys.modules['pwd'] = None\n"
        "from altay_cli.cli.main import main; main(['check', sys.argv[1]])"
    )
    command = [sys.executable, "-c", script, str(log)]
    found = subprocess.run(command, check=False, capture_output=True, text=True, env=environ)
    assert (found.returncode, found.stderr) == (0, "")
    assert "legal" in found.stdout
    assert [path.name for path in tmp_path.rglob("*")] == ["nim.agn"]


def test_a_host_may_provide_the_rules_that_a_variant_changes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = variant(tmp_path / "last.yaml", "nim")
    asked: list[str] = []
    tree = trees.packed_tree(folder_reader.read_folder(data_folder("rules") / "nim"))

    def provide(name: str) -> bytes | None:
        asked.append(name)
        return tree if name == "tree nim" else None

    read = load_pack("nim", [path])
    monkeypatch.setattr(cache, "_providers", [provide])
    monkeypatch.setattr(trees, "read_folder", lambda _: pytest.fail("it was read again"))
    monkeypatch.setenv("ALTAY_CACHE", "off")
    provided = load_pack("nim", [path])
    assert "tree nim" in asked
    assert [e.source for e in provided.exprs] == [e.source for e in read.exprs]
    assert provided.variants == read.variants != ()


def test_a_second_variant_takes_over_what_was_read_for_the_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = (variant(tmp_path / f"{name}.yaml", "nim") for name in ("one", "two"))
    monkeypatch.setenv("ALTAY_CACHE", "off")
    anew = load_pack("nim", [second])
    monkeypatch.setenv("ALTAY_CACHE", str(tmp_path / "cache"))
    load_pack("nim", [first])
    monkeypatch.setattr(trees, "read_folder", lambda _: pytest.fail("it was read again"))
    monkeypatch.setattr(parser, "_parse", lambda text: pytest.fail(f"{text} was parsed again"))
    parser.parsed.clear()  # as in another process
    taken_over = load_pack("nim", [second])
    assert [e.source for e in taken_over.exprs] == [e.source for e in anew.exprs]
    assert taken_over.variants == anew.variants != ()
