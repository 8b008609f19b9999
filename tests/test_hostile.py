"""Files that were made to hurt: each gets a clear answer, soon, and in bounded memory.

Exit codes are 0 where nothing is wrong, 1 where errors were found, 2 where something cannot be read
or judged.
There is never a traceback, never a finding `rule-failure` (the rules of the game cannot be
applied) unless the rules themselves were changed, and no control character of a log in the output.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import unicodedata
from dataclasses import dataclass
from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner

from altay_cli.archive.judging import result_of
from altay_cli.base.findings import Severity
from altay_cli.checking.check import check_text
from altay_cli.cli.main import main
from altay_cli.report.results import FileResults, Wanted
from altay_cli.report.terminal import check_lines
from tests.effort import FUSE, at_most, ends
from tests.engine.table import SETUP

MEMORY = 2 << 30  # bytes of address space
MANY = 25_000
FEW_SECONDS = 50
"""What a large log may take of the processor: some five times what it does, on a machine of its own."""

TURNS = """\
turn 1 Ann
  play 2 Hunter
  play Village; place 2 food on Village
  build F2
  attack W2 from F2 with Warrior
  end => 2 Warrior, Shaman, Village, Hunter
turn 1 Bob
  play 3 Hunter
  buy Farmer; buy Scholar for 2 food
  end => 2 Hunter, 2 Warrior, Loremaster
turn 2 Ann
  play Shaman consuming W2 for stone
  develop Masonry with stone => Engineering
  attack M3 from F2 with 2 Warrior
  end => Scholar, ?, 3 Hunter
"""
RESULT = "result\n  Ann: score 1\n  Bob: score 1\n  winner Ann, Bob\n"
LEGAL = SETUP + TURNS.partition("turn 2")[0] + RESULT
LOG = SETUP + TURNS + RESULT
HEAD = '[Game "altay"]\n'


@dataclass(frozen=True)
class Answer:
    """What a command said; all of it has been looked at for what must not be there."""

    code: int
    out: str
    err: str

    @property
    def rules(self) -> list[str]:
        """The rules of the findings of a text report."""
        return [
            line.rpartition("[")[2].removesuffix("]")
            for line in self.out.splitlines()
            if line.endswith("]") and any(f": {s}: " in line for s in ("error", "warning", "note"))
        ]


def looked_at(code: int, out: str, err: str, *, rules_changed: bool = False) -> Answer:
    assert code in {0, 1, 2}, (code, err[-2000:])
    assert "Traceback" not in out + err, err[-2000:]
    if not rules_changed:
        assert "rule-failure" not in out
    strange = {c for c in out + err if unicodedata.category(c) in {"Cc", "Cf", "Cs"} and c != "\n"}
    assert not strange, f"control characters in the output: {strange!r}"
    return Answer(code, out, err)


def altay(
    *arguments: str | bytes | Path, text: bytes = b"", changed: bool = False, seconds: int = FUSE
) -> Answer:
    """Run the program as people do, with little memory, and not for ever."""

    def limits() -> None:
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))

    done = subprocess.run(
        [sys.executable, "-m", "altay_cli", *arguments],
        input=text,
        capture_output=True,
        preexec_fn=limits,
        check=False,
    )
    return looked_at(
        done.returncode, done.stdout.decode(), done.stderr.decode(), rules_changed=changed
    )


def quick(text: str, *arguments: str, changed: bool = False) -> Answer:
    """Call a command in this process; it reads ``text`` from standard input if no file is named."""
    with ends():
        result = CliRunner().invoke(main, list(arguments) or ["check", "-"], input=text)
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return looked_at(result.exit_code, result.stdout, result.stderr, rules_changed=changed)


@pytest.fixture(scope="module", autouse=True)
def _own_cache(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Keep the packs of hostile variants out of the user's cache."""
    folder = tmp_path_factory.mktemp("cache")
    folder.chmod(0o700)
    os.environ["ALTAY_CACHE"] = str(folder)


def test_the_log_that_is_tampered_with() -> None:
    # All that follows would prove little if these were refused for another reason.
    assert quick(LEGAL) == Answer(0, quick(LEGAL).out, "")
    assert quick(LEGAL).rules == ["game-unfinished"]
    assert {"draw-impossible", "card-hidden"} & set(quick(LOG).rules)


# ---------------------------------------------------------------- files that are none


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    (tmp_path / "binary.agn").write_bytes(bytes(range(256)) * 40)
    (tmp_path / "latin.agn").write_bytes(LEGAL.replace("Ann", "André").encode("latin-1"))
    (tmp_path / "wide.agn").write_bytes(LEGAL.encode("utf-16"))
    (tmp_path / "zero.agn").write_bytes(LEGAL.encode().replace(b"Bob", b"B\0b", 1))
    (tmp_path / "dangling.agn").symlink_to("nowhere")
    (tmp_path / "loop.agn").symlink_to("loop.agn")
    (tmp_path / "good.agn").write_text(LEGAL)
    reasons = {
        "binary": "not a text",
        "latin": "not a text in UTF-8: byte 0xE9 in line 3",
        "wide": "this text is in UTF-16: save it as UTF-8",
        "zero": "binary data: a zero byte in line 4",
        "dangling": "there is no such file",
        "loop": "too many levels of symbolic links",
    }
    for name, reason in reasons.items():
        for command in ("check", "score", "fmt"):
            answer = quick("", command, str(tmp_path / f"{name}.agn"))
            assert (answer.code, answer.out) == (2, "")
            assert reason in answer.err
            assert f"{name}.agn: " in answer.err
    every = altay("check", tmp_path)
    assert every.code == 2
    assert ": legal (1 note); " in every.out
    assert {name for name in reasons if f"{name}.agn: " in every.err} >= set(reasons) - {
        "dangling",
        "loop",
    }


def test_paths_that_lead_nowhere(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "file").write_text(LEGAL)
    for path in (
        "missing.agn",
        "empty",
        "file/below",
        "x" * 300,
        "x/" * 3000,
        "a\nb",
        "a\x1b[31mb",
        "",
    ):
        answer = quick("", "check", str(tmp_path / path) if path else "")
        assert (answer.code, answer.out) == (2, ""), path
        assert answer.err.startswith("altay: ")


def test_a_file_without_rights(tmp_path: Path) -> None:
    path = tmp_path / "locked.agn"
    path.write_text(LEGAL)
    path.chmod(0)
    answer = quick("", "check", str(path))
    if os.geteuid() == 0:  # who may read everything reads this, too
        assert answer.code == 0
    else:
        assert (answer.code, "permission denied" in answer.err) == (2, True)


def test_a_folder_with_a_pipe_does_not_wait_for_it(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.agn")
    (tmp_path / "good.agn").write_text(LEGAL)
    assert "1 game: legal" in altay("check", tmp_path).out


@pytest.mark.parametrize(
    "command", [["check"], ["score"], ["check", "--format", "json"], ["fmt", "--check"]]
)
@pytest.mark.parametrize(
    "name", [b"\xff\xfe.agn", b"\x1b[31m\xc2\x9b.agn", "\u202eann.agn".encode()]
)
def test_names_of_files_that_are_no_text(
    tmp_path: Path, command: list[str], name: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONIOENCODING", "utf-8:strict")
    path = os.fsencode(tmp_path) + b"/" + name
    with open(path, "wb") as file:  # noqa: PTH123 - a name that is no text
        file.write(OVER.encode())
    if "json" in command:
        done = subprocess.run(
            [sys.executable, "-m", "altay_cli", *command, path], capture_output=True, check=False
        )
        assert done.returncode == 0, done.stderr
        assert json.loads(done.stdout)["files"][0]["games"][0]["verdict"] == "legal"
    else:
        assert altay(*command, path).code == (1 if command[0] == "fmt" else 0)


OVER = HEAD + "position\nAnn: faction Firefolk\nBob: faction Elvenfolk\n"


@pytest.mark.parametrize("encoding", ["ascii", "latin-1"])
def test_a_terminal_that_knows_few_characters(
    encoding: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONIOENCODING", encoding)
    text = OVER.replace("Ann", "狩人").encode()
    for command in (["check"], ["score"], ["check", "--format", "json"]):
        done = subprocess.run(
            [sys.executable, "-m", "altay_cli", *command, "-"],
            input=text + "狩人: zork 1\n".encode(),
            capture_output=True,
            check=False,
        )
        assert (done.returncode, b"Traceback" in done.stderr) == (1, False)


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("", "no-game"),
        ("\n\r\n\t \n", "no-game"),
        ("# nothing", "no-game"),
        ("\ufeff", "no-game"),
        ("{}", "no-game"),
        ("setup\n", "no-game"),
        ("[", "bad-tag"),
        ('[Event "x"]\nsetup\n', "game-tag"),
        (HEAD, "no-moves"),
        (HEAD + "setup\n", "no-players"),
        (HEAD + "position\n", "no-players"),
        (HEAD + "turn 1 Ann\nend\n", "no-players"),
        (HEAD + "result\ndraw\n", "no-moves"),
        (HEAD + "seat Ann as Firefolk\n", "statement-outside-section"),
    ],
)
def test_files_that_say_nothing(text: str, rule: str) -> None:
    answer = quick(text)
    assert answer.code == 2
    assert ": not judged" in answer.out
    assert rule in answer.rules
    assert quick(text, "score", "-").code == 2


# ---------------------------------------------------------------- large ones

LARGE = {
    "a line of 50 MB": lambda: HEAD + "setup\n" + "a" * 50_000_000,
    "50 MB of lines": lambda: HEAD + "setup\n" + "a b c\n" * 8_300_000,
    "tags": lambda: HEAD * MANY,
    "different tags": lambda: HEAD + "".join(f'[Tag{n} "x"]\n' for n in range(MANY)),
    "seats": lambda: HEAD + "setup\n" + "seat Ann as Firefolk\n" * MANY,
    "different seats": lambda: HEAD + "setup\n" + "".join(f"seat P{n} as Firefolk\n" for n in range(MANY)),
    "different factions": lambda: HEAD + "position\n" + "".join(f"P{n}: faction Firefolk\n" for n in range(MANY)),
    "brackets": lambda: HEAD + "setup\n" + "(\n" * MANY,
    "brackets in a line": lambda: HEAD + "setup\n" + "(" * MANY,
    "semicolons": lambda: HEAD + "setup\n" + ";" * MANY,
    "setups": lambda: HEAD + "setup\n" * MANY,
    "headings": lambda: SETUP + "turn 1 Ann\n" * MANY,
    "rounds": lambda: SETUP + "".join(f"turn {n} {who}\nend\n" for n in range(1, MANY // 4) for who in ("Ann", "Bob")),
    "errors": lambda: SETUP + "turn 1 Ann\n" + "play Chariot\n" * MANY,
    "unknown names": lambda: SETUP + "turn 1 Ann\n" + "".join(f"play Card{n}\n" for n in range(MANY)),
    "unknown verbs": lambda: SETUP + "turn 1 Ann\n" + "".join(f"verb{n} x\n" for n in range(MANY)),
    "attacks": lambda: SETUP + "turn 1 Ann\n" + "attack F3 from F6 with Warrior\n" * MANY,
    "ends": lambda: SETUP + "turn 1 Ann\n" + "end => Hunter\n" * MANY,
    "moves in a statement": lambda: HEAD + "setup\nseat Ann as Firefolk\nseat Bob as Elvenfolk\n" + "reveal 900 Ark\n" * 1000,
    "players of a result": lambda: HEAD + "result\n" + "".join(f"P{n}: score 1\n" for n in range(MANY)),
    "claims": lambda: LEGAL + "Ann: score 7\n" * MANY,
}  # fmt: skip


@pytest.mark.parametrize("name", LARGE)
def test_large_files(name: str) -> None:
    answer = altay("check", "-", text=LARGE[name]().encode(), seconds=FEW_SECONDS)
    unjudged = {"no-moves", "no-players", "too-many-statements"} & set(answer.rules)
    # In one of them nothing is wrong, but that nobody wrote down what was drawn.
    legal = answer.rules == ["unrecorded"]
    assert legal is (name == "rounds")
    assert answer.code == (2 if unjudged else 0 if legal else 1)
    assert 0 < len(answer.rules) <= 2100
    assert len(answer.out) < 5_000_000


def test_larger_than_is_read(tmp_path: Path) -> None:
    path = tmp_path / "large.agn"
    with path.open("wb") as file:
        file.truncate(200_000_000)
    assert "larger than 100,000,000 bytes" in altay("check", path).err


# ---------------------------------------------------------------- names and numbers

STRANGE = {
    "a count of 22 digits": (
        "play 2 Hunter",
        "play 2222222222222222222222 Hunter",
        "number-too-large",
    ),
    "a large count": ("play 2 Hunter", "play 999999999 Hunter", "count-range"),
    "a count of nothing": ("play 2 Hunter", "play 0 Hunter", "count-range"),
    "a count of 1000": ("play 2 Hunter", "play 1000 Hunter", "in-hand"),
    "1000 cards drawn": ("=> 2 Warrior, Shaman", "=> 990 Warrior, Shaman", "draw-too-many"),
    "1000 settlements": ("build F2", "build 1000 F2", "build-nothing"),
    "a round of 22 digits": ("turn 1 Bob", "turn 1111111111111111111111 Bob", "number-too-large"),
    "a round of 9 digits": ("turn 1 Bob", "turn 999999999 Bob", "round-number"),
    "round nought": ("turn 1 Bob", "turn 0 Bob", "round-number"),
    "a claim of 22 digits": ("score 1", "score 1111111111111111111111", "number-too-large"),
    "a huge claim": ("score 1", "score 999999999", "claim-wrong"),
    "an unknown pack": ('"altay"', '"altai"', "unknown-pack"),
    "an unknown tag": ("setup", '[Edtion "de"]\nsetup', "unknown-tag"),
    "an unknown tag in small letters": ("setup", '[varient "trading"]\nsetup', "unknown-tag"),
    "an unknown value": ("setup", '[Edition "fr"]\nsetup', "option-value"),
    "an empty value": ("setup", '[Map ""]\nsetup', "option-value"),
    "an unknown variant": ("setup", '[Variant "tradign"]\nsetup', "unknown-variant"),
    "an unknown verb": ("play Village", "dance Village", "unknown-statement"),
    "an unknown card": ("play Village", "play Zork", "unknown-card"),
    "an unknown player": ("turn 1 Bob", "turn 1 Zork", "unknown-player"),
    "an unknown player acts": ("  play Village", "  Zork: play Village", "unknown-player"),
    "an unknown place": ("build F2", "build Q7", "unknown-territory"),
    "an unknown category": ("Ann: score 1", "Ann: zork 1", "unknown-category"),
    "a hidden place": ("build F2", "build ?", "not-recorded"),
    "a lone comma": ("play Village;", "play ,;", "syntax"),
    "brackets in brackets": ("play Village", "play Village((1))", "syntax"),
}


@pytest.mark.parametrize("name", STRANGE)
def test_names_and_numbers(name: str) -> None:
    old, new, rule = STRANGE[name]
    assert old in LEGAL
    answer = quick(LEGAL.replace(old, new, 1))
    assert rule in answer.rules
    notes = {"unknown-tag"}
    assert answer.code == (0 if rule in notes else 1)


@pytest.mark.parametrize(
    "name",
    ["../../etc/passwd", "/etc/passwd", "altay/../altay", ".", "", "..", "altay.yaml",
     "a" * 9_000, "..%2f..%2faltay", "\\\\server\\x", "~", "$HOME", "C:"],
)  # fmt: skip
def test_packs_that_lie_elsewhere(name: str) -> None:
    escaped = name.replace("\\", "\\\\")
    answer = quick(LEGAL.replace('"altay"', f'"{escaped}"', 1))
    assert answer.code == 2
    assert answer.rules == ["unknown-pack"]
    assert "root:" not in answer.out


@pytest.mark.parametrize(("name", "code"), [("altay ", 0), ("ALTAY", 0), ("altay\u202e", 1)])
def test_packs_that_are_spelled_alike(name: str, code: int) -> None:
    assert quick(LEGAL.replace('"altay"', f'"{name}"', 1)).code == code


def test_variants_that_lie_elsewhere(tmp_path: Path) -> None:
    inside = tmp_path / "inside"
    inside.mkdir()
    (tmp_path / "outside.yaml").write_text("secret: hello\n")
    (inside / "link.yaml").symlink_to("../outside.yaml")
    (inside / "folder.yaml").mkdir()
    (inside / "far").symlink_to("..")
    os.mkfifo(inside / "pipe.yaml")
    log = inside / "log.agn"
    for name in (
        "../outside.yaml", str(tmp_path / "outside.yaml"), "link.yaml", "far/outside.yaml", "folder.yaml",
        "pipe.yaml", "/dev/zero", "/dev/zero.yaml", "..%2foutside.yaml", "missing.yaml", "a" * 5_000 + ".yaml",
        "x/" * 2_000 + ".yaml", "../../../../../../etc/passwd", "", ".yaml", "trading/../trading", "file:///x.yaml",
    ):  # fmt: skip
        log.write_text(LEGAL.replace("setup", f'[Variant "{name}"]\nsetup', 1))
        answer = quick("", "check", str(log))
        assert answer.code == 2
        assert set(answer.rules) <= {"unknown-variant", "variant-path"}, name
        assert "hello" not in answer.out
    # From standard input there is no folder to look in.
    assert quick(LEGAL.replace("setup", '[Variant "v.yaml"]\nsetup', 1)).rules == ["variant-path"]


def test_a_zero_in_a_name_is_no_text() -> None:
    assert quick(LEGAL.replace("setup", '[Variant "a\0.yaml"]\nsetup', 1)).code == 2


# ---------------------------------------------------------------- players


def table(*names: str, more: str = "") -> str:
    factions = ["Firefolk", "Elvenfolk", "Earthfolk", "Smallfolk", "Firefolk", "Elvenfolk"]
    seats = [f"seat {name} as {faction}" for name, faction in zip(names, factions, strict=False)]
    return HEAD + "\n".join(["setup", *seats, more]) + "\n"


def renamed(old: str, new: str, text: str = LEGAL) -> str:
    return text.replace(f"seat {old} ", f"seat {new} ").replace(f"{old}: ", f"{new}: ").replace(
        f" {old}\n", f" {new}\n").replace(f" {old},", f" {new},")  # fmt: skip


def test_one_seat_and_five() -> None:
    assert "too-few-seats" in quick(table("Ann")).rules
    five = table(
        "P1",
        "P2",
        "P3",
        "P4",
        "P5",
        "P6",
        more="P5: settle F1\nP5: secret ?\nturn 1 P5\nplay Hunter\nend",
    )
    assert "seat-count" in quick(five).rules
    placed = (
        HEAD
        + "position\n"
        + "".join(f"P{n}: faction Firefolk\n" for n in range(7))
        + "turn 1 P6\nend\n"
    )
    assert "seat-count" in quick(placed).rules


@pytest.mark.parametrize("second", ["Ann", "ann", "ANN", '"Ann"', '" Ann "', "Ａｎｎ"])
def test_two_players_with_one_name(second: str) -> None:
    rules = quick(table("Ann", second)).rules
    if second != "Ａｎｎ":
        assert "player-twice" in rules


@pytest.mark.parametrize(
    "name", ["turn", "end", "winner", "setup", "as", "from", "score", "1", "Hunter", "F2"]
)
@pytest.mark.parametrize("quoted", [False, True])
def test_players_named_like_keywords(name: str, quoted: bool) -> None:
    answer = quick(renamed("Bob", f'"{name}"' if quoted else name))
    if quoted:
        # Then it is a name like any other.
        assert (answer.code, answer.rules) == (0, ["game-unfinished"])
    assert "unknown-statement" not in answer.rules or not quoted


@pytest.mark.parametrize("name", ['""', '" "', "?", ",", "Ann(2)", '"\t"'])
def test_names_that_are_none(name: str) -> None:
    answer = quick(table("Bob", name))
    assert answer.code == 1
    assert "no starting territory" not in "".join(
        line
        for line in answer.out.splitlines()
        if not line.lstrip("-0123456789:").startswith(" error: Bob")
    )


def test_a_very_long_name() -> None:
    answer = quick(renamed("Ann", "A" * 9_000))
    assert answer.code == 2
    assert "player-name" in answer.rules
    assert len(answer.out) < 10_000
    too_long = quick(renamed("Ann", "A" * 10_000))
    assert too_long.code == 2
    assert "statement-too-long" in too_long.rules


@pytest.mark.parametrize(
    "name",
    [
        "\x1b[31mAnn",
        "A\x07nn",
        "\x9b2JAnn",
        "\u202eAnn",
        "Ann\u200f",
        "A\u2066nn",
        "A\u200bnn",
        "\x7fAnn",
        "A\u2028nn",
    ],
    ids=ascii,
)
@pytest.mark.parametrize("command", [["check", "-"], ["score", "-"], ["score", "--explain", "-"]])
def test_names_that_would_move_the_cursor(name: str, command: list[str]) -> None:
    # ``quick`` sees to it that none of these characters is in the output.
    text = renamed("Ann", f'"{name}"').replace(
        "setup", f'[Event "{name}"]\n[Date "{name}"]\nsetup', 1
    )
    quick(text.replace("play 2 Hunter", f'play 3 Hunter, "{name}" # {name}'), *command)


# ---------------------------------------------------------------- cut and tampered with


def judged(text: str) -> None:
    """Check a text, and write its report."""
    report = check_text(text, "log")
    for game in report.games:
        for finding in game.findings:
            assert finding.rule != "rule-failure", (finding, text)
    results = [result_of(game, Wanted(), report.lines) for game in report.games]
    list(check_lines([FileResults("log", results)]))


def test_a_log_cut_anywhere() -> None:
    for end in range(0, len(LOG), 7):
        judged(LOG[:end])


def test_a_log_begun_anywhere() -> None:
    for start in range(0, len(LOG), 5):
        judged(LOG[start:])


def tampered(random: Random) -> str:
    """Return the log with a few bytes, words or lines changed."""
    text = LOG
    for _ in range(random.randint(1, 4)):
        lines = text.splitlines(keepends=True) or [""]
        here, there = random.randrange(len(lines)), random.randrange(len(lines))
        match random.randrange(7):
            case 0:  # another character
                at = random.randrange(len(text) + 1)
                text = text[:at] + random.choice('?,;:#"()[]=>0 9\n\tAaéの\u202e') + text[at + 1 :]
                continue
            case 1:
                del lines[here]
            case 2:
                lines.insert(there, lines[here])
            case 3:
                lines[here], lines[there] = lines[there], lines[here]
            case 4:  # a word of another line
                words = lines[here].split(" ")
                words[random.randrange(len(words))] = random.choice(lines[there].split() or ["x"])
                lines[here] = " ".join(words)
            case 5:  # words in another order
                words = lines[here].split()
                random.shuffle(words)
                lines[here] = " ".join(words) + "\n"
            case 6:
                lines[here] = lines[here][: random.randrange(len(lines[here]) + 1)] + lines[there]
        text = "".join(lines)
    return text


@pytest.mark.parametrize("seed", range(4))
def test_a_log_tampered_with(seed: int) -> None:
    random = Random(seed)
    for _ in range(12):  # `python -m attack fuzz` tries thousands
        judged(tampered(random))


# ---------------------------------------------------------------- house rules of strangers

VARIANT = "variant: v\nextends: altay\ntitle: V\nchange:\n"


def variant(tmp_path: Path, text: str, command: str = "check", *, apart: bool = False) -> Answer:
    """Check the log by a changed game; ``apart`` in a process with little memory."""
    (tmp_path / "v.yaml").write_text(text, encoding="utf-8")
    log = tmp_path / "log.agn"
    log.write_text(LEGAL.replace("setup", '[Variant "v.yaml"]\nsetup', 1))
    if apart:
        return altay(command, log, changed=True)
    return quick("", command, str(log), changed=True)


BROKEN = {
    "empty": "",
    "no YAML": "{" * 50,
    "an alias bomb": "a: &a [x, x]\n" + "".join(
        f"{chr(98 + n)}: &{chr(98 + n)} [*{chr(97 + n)}, *{chr(97 + n)}]\n" for n in range(20)
    ),
    "deep": "a: " + "[" * 5_000 + "]" * 5_000,
    "a tag": "!!python/object/apply:os.system [echo hello]\n",
    "many keys": "".join(f"k{n}: 1\n" for n in range(60_000)),
    "very large": "# " + "x" * 3_000_000 + "\n",
    "two documents": VARIANT + "  - {set: numbers.hand_size.value, to: 6}\n---\na: b\n",
    "another game": VARIANT.replace("altay", "chess") + "  - {set: numbers.hand_size.value, to: 6}\n",
    "control characters": VARIANT.replace("title: V", 'title: "\\e[31m"') + "  - {remove: moves.buy}\n",
}  # fmt: skip


@pytest.mark.parametrize("name", BROKEN)
def test_broken_variant_files(tmp_path: Path, name: str) -> None:
    answer = variant(tmp_path, BROKEN[name])
    assert answer.code == 2
    assert set(answer.rules) == {"rules"}
    assert "v.yaml:" in answer.out


def function(body: str) -> str:
    return f"functions.f{abs(hash(body))}, to: {{takes: {{p: player}}, gives: bool, is: '{body}'}}"


# Problems come in three waves, each found only where there is none of the one before.
WRONG = {
    "paths that lead nowhere": [
        "{set: moves.zork.title, to: X}",
        "{set: " + ".".join(["a"] * 5_000) + ", to: 1}",
        "{remove: moves.buy.requires.99999999999999999999}",
        "{extend: numbers.hand_size, with: [3]}",
        "{add: moves.buy, to: {}}",
    ],
    "data of another form": [
        "{set: moves.buy.does, to: 5}",
        "{set: numbers.hand_size.value, to: six}",
        "{set: moves.settle.does, to: [{explode: all}]}",
        "{set: moves.trade.written, to: '<card> [[[buy'}",
        "{set: options.edition.variants.de, to: ../../../../etc/passwd}",
        "{set: numbers.settlements, to: [[[[[]]]]]}",
    ],
    "expressions": [
        "{set: " + function("players ++ 1") + "}",
        "{set: " + function("1 + 1") + "}",
        "{set: " + function('__import__("os")') + "}",
        "{set: " + function("p.__class__ == p") + "}",
        "{set: " + function("(" * 3_000 + "true" + ")" * 3_000) + "}",
        "{set: functions.myself, to: {takes: {p: player}, gives: bool, is: myself(p)}}",
        "{set: triggers.last-settlement.when, to: zork}",
    ],
}


@pytest.mark.parametrize("name", WRONG)
def test_changes_that_do_not_fit(tmp_path: Path, name: str) -> None:
    changes = WRONG[name]
    answer = variant(tmp_path, VARIANT + "".join(f"  - {change}\n" for change in changes))
    assert answer.code == 2
    assert set(answer.rules) == {"rules"}
    assert "root:" not in answer.out
    first = VARIANT.count("\n") + 1
    for number, change in enumerate(changes, first):
        assert f"v.yaml:{number}:" in answer.out, change[:100]


@pytest.mark.parametrize("part", ["zones.hand", "entities"])
def test_parts_removed(tmp_path: Path, part: str) -> None:
    answer = variant(tmp_path, VARIANT + f"  - {{remove: {part}}}\n")
    assert answer.code == 2
    assert set(answer.rules) == {"rules"}


def requires(that: str) -> str:
    return f"{{set: moves.end.requires, to: [{{rule: x, that: '{that}', else: x}}]}}"


EACH = "{each: {%s: territories}, does: [%s]}"
EXPENSIVE = {
    "loops in loops": requires("territories.all(a, territories.all(b, territories.all(c, territories.all(d, "
                               "territories.all(e, a.x + b.x + c.x + d.x + e.x >= 0)))))"),
    "a long list": requires("reserve.times(1000000000000).list().size() > 0"),
    "a string that doubles": "{set: functions.two, to: {takes: {s: string}, gives: string, is: s + s}}\n  - "
                             + requires("two(" * 60 + "string(1)" + ")" * 60 + ".size() > 0"),
    "effects in effects": "{set: procedures.close-turn.does, to: ["
                          + EACH % ("a", EACH % ("b", EACH % ("c", EACH % ("d", EACH % ("e", "{add: {round: 1}}")))))
                          + "]}",
    "a pile of millions": "{set: procedures.close-turn.does, to: [{move: {what: 'titles.farmer.prints[0]', "
                          "count: 50000000, to: 'market[titles.farmer]'}}]}",
    "a card worth millions": "{set: entities.title.farmer.prints, to: [{points: 1000000000, copies: 8}]}",
    "prices of thousands": "{set: entities.title.farmer.cost, to: [" + "any, " * 3_000 + "any]}",
    "a hand of millions": "{set: numbers.hand_size.value, to: 1000000000000}",
    "a pattern for ever": requires('"' + "a" * 200 + '".matches("(a|a)*(a|a)*(a|a)*b")'),
}  # fmt: skip


@pytest.mark.parametrize("name", EXPENSIVE)
def test_changes_that_would_take_for_ever(tmp_path: Path, name: str) -> None:
    answer = variant(tmp_path, VARIANT + f"  - {EXPENSIVE[name]}\n", apart=True)
    unjudged = {"rules", "rule-budget", "rule-failure"} & set(answer.rules)
    assert answer.code == (2 if unjudged else 1)
    assert "the rules cannot be applied here: \n" not in answer.out


FAILING = {
    "who plays": "{set: status.active, to: 'players[7]'}",
    "which round": "{set: status.round, to: 1 / 0}",
    "whether it is over": "{set: status.ended, to: 1 / 0 == 1}",
    "what is counted": "{set: scoring.categories.conquest.parts.0.points, to: 1 / me.conquered.size()}",
    "more than can be counted": "{set: scoring.categories.conquest.parts.0.points, to: 9223372036854775807}",
    "what is laid out": "{set: moves.settle.does, to: [{set: {round: 1 / 0}}]}",
    "whether a move is legal": requires("1 / 0 == 1"),
}


@pytest.mark.parametrize("name", FAILING)
def test_rules_that_fail_while_they_are_applied(tmp_path: Path, name: str) -> None:
    checked = variant(tmp_path, VARIANT + f"  - {FAILING[name]}\n")
    scored = variant(tmp_path, VARIANT + f"  - {FAILING[name]}\n", "score")
    assert (checked.code, scored.code) == (2, 2)
    if name != "more than can be counted":
        assert {"rule-failure", "score-failure", "rules"} & set(checked.rules)


def test_as_many_variants_as_one_likes() -> None:
    answer = quick(LEGAL.replace("setup", '[Variant "trading"]\n' * 1_000 + "setup", 1))
    assert "too-many-variants" in answer.rules


# ---------------------------------------------------------------- the cache


def test_a_cache_full_of_rubbish(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "kept"
    monkeypatch.setenv("ALTAY_CACHE", str(folder))
    game = Path(__file__).parents[1] / "games" / "classics" / "nim.agn"  # its pack is a small one
    good = altay("check", game)
    kept = {path: path.read_bytes() for path in folder.glob("*.pack")}
    assert kept
    for rubbish in (None, b"\x80\x05K\x01C\x01N\x86.", b"0."):
        for path, data in kept.items():
            path.write_bytes(data[: len(data) // 2] if rubbish is None else rubbish)
        assert altay("check", game) == good, rubbish


def test_a_cache_that_is_no_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("ALTAY_CACHE", str(tmp_path / "file"))
    assert altay("check", "-", text=LEGAL.encode()).code == 0


# ---------------------------------------------------------------- little that takes much

TWO_SEATS = HEAD + "setup\n  seat Ann as Firefolk\n  seat Bob as Elvenfolk\nturn 1 Ann\n"
LONG_ATTACK = "attack W2 from F2 with Warrior, Warrior, Warrior, Hunter, Hunter, Shaman"
UNKNOWN = ",".join(f"Hun{chr(ord('a') + n % 26)}er{n}" for n in range(270))


@pytest.mark.parametrize(
    ("body", "calls"),
    [
        ("  play Hunter\n" * 350, 15_000_000),
        (f"  {LONG_ATTACK}\n" * 32, 6_000_000),
        (f"  play {','.join(['Hunter'] * 340)}\n", 4_000_000),
        (f"  play {UNKNOWN}\n", 4_000_000),
        ("  turn 1 Ann\n" * 180, 10_000_000),
    ],
    ids=lambda given: str(given)[:24].strip(),
)
def test_a_short_log_is_judged_soon_whatever_it_says(body: str, calls: int) -> None:
    """A million calls take some tenth of a second where nobody counts them."""
    check_text(TWO_SEATS)
    with at_most(calls):
        check_text(TWO_SEATS + body)


@pytest.mark.parametrize(
    ("before", "calls"),
    [(TWO_SEATS, 25_000_000), (SETUP + "turn 1 Ann\n", 10_000_000)],
    ids=["nothing recorded", "all recorded"],
)
def test_each_of_many_attacks_costs_as_much_as_the_first(before: str, calls: int) -> None:
    """Where things may be that it names is not looked up again among all that was noted."""
    attack = "  attack H2 from F2 with Shaman, Warrior, Warrior, Hunter, Cavalry\n"
    check_text(before + attack * 3)  # what is read once for a process
    with at_most(calls):
        check_text(before + attack * 800)


def test_a_wrong_play_in_a_game_without_recorded_draws_costs_little_more_than_the_game() -> None:
    path = Path(__file__).parents[1] / "games" / "four-players.agn"
    recorded = path.read_text(encoding="utf-8").splitlines()
    lines = [line.partition(" =>")[0] for line in recorded]
    wrong = next(n for n in range(len(lines) * 4 // 5, len(lines)) if "  play " in lines[n])
    lines.insert(wrong, "  play 3 Shaman")
    with at_most(6_000_000):
        (game,) = check_text("\n".join(lines)).games
    assert [f.rule for f in game.findings if f.severity is Severity.ERROR] == ["in-hand"]
