"""The page in a browser: keys, links, perspectives, findings, safety, accessibility, speed."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from altay_cli.base.translations import languages, template
from altay_cli.replay.page import ASSETS, MODULES
from tests.cli.sample import run
from tests.effort import at_most
from tests.scoring.positions import TRASHED
from tests.view.browsing import Browser, Seen, axe, url_of
from tests.view.sample import CROSSES, GAMES, LOG

FOUR = GAMES[0].parent / "four-players.agn"
TIE = GAMES[0].parent / "tie.agn"
SIZES = {"phone": (390, 844), "tablet": (1024, 768), "wide": (1600, 1000)}


@cache
def page_of(log: Path | str, arguments: tuple[str, ...]) -> str:
    """Return the page of a log: a file, or a text."""
    path, text = (log, "") if isinstance(log, Path) else ("-", log)
    result = run("replay", path, "-o", "-", *arguments, text=text)
    assert result.exit_code == 0, result.stderr
    return result.stdout


def made(folder: Path, log: Path | str, *arguments: str) -> Path:
    """Make the page of a log and return its file."""
    out = folder / "game.html"
    out.write_text(page_of(log, arguments), encoding="utf-8")
    return out


@contextmanager
def shown(
    browser: Browser,
    folder: Path,
    log: Path | str,
    moment: str = "",
    *arguments: str,
    **options: Any,
) -> Iterator[Seen]:
    with browser.open(url_of(made(folder, log, *arguments), moment), **options) as seen:
        yield seen


def place(seen: Seen) -> int:
    """Return at which moment the page stands."""
    return int(re.match(r"\d+", seen.page.inner_text("#place"))[0])  # type: ignore[index]


def until(seen: Seen, condition: str) -> None:
    """Wait for something in the page; Playwright's own way needs what the policy forbids."""
    for _ in range(10_000):
        if seen.page.evaluate(f"() => {condition}"):
            return
        seen.page.wait_for_timeout(25)
    pytest.fail(f"never: {condition}")


def heard(seen: Seen) -> str:
    return " ".join(seen.page.text_content("#status").split())


# ---------------------------------------------------------------- going about


def test_keys(browser: Browser, tmp_path: Path) -> None:
    with shown(browser, tmp_path, TIE) as seen:
        press = seen.page.keyboard.press
        count = int(seen.page.get_attribute("#slider", "max"))
        assert (place(seen), heard(seen)) == (0, "The setup")
        press("ArrowRight")
        assert (place(seen), heard(seen)) == (1, "turn 1 Ruth")
        press("ArrowRight")
        press("ArrowLeft")
        assert place(seen) == 1
        press("Shift+ArrowRight")
        assert heard(seen) == "turn 1 Simon"
        press("Shift+ArrowDown")
        assert heard(seen) == "turn 2 Ruth"
        press("Shift+ArrowUp")
        assert heard(seen) == "turn 1 Ruth"
        press("End")
        assert place(seen) == count
        press("ArrowRight")
        assert place(seen) == count
        press("Shift+ArrowLeft")
        assert heard(seen) == "turn 15 Clara"
        press("Home")
        assert place(seen) == 0


def test_buttons_and_slider(browser: Browser, tmp_path: Path) -> None:
    with shown(browser, tmp_path, TIE) as seen:
        page = seen.page
        page.click("#turn-on")
        page.click("#move-on")
        assert (place(seen), page.inner_text("#course")) == (2, "Round 1 · Ruth's turn")
        page.click("#round-on")
        assert heard(seen) == "turn 2 Ruth"
        page.click("#turn-back")
        assert heard(seen) == "turn 1 Clara"
        page.click("#round-back")
        page.click("#move-back")
        assert place(seen) == 0
        page.evaluate("() => { slider.value = 100; slider.dispatchEvent(new InputEvent('input')) }")
        assert place(seen) == 100
        # The slider has arrow keys of its own, which do the same.
        page.focus("#slider")
        page.keyboard.press("ArrowRight")
        assert place(seen) == 101
        assert "Round" in page.get_attribute("#slider", "aria-valuetext")


def test_playing(browser: Browser, tmp_path: Path) -> None:
    with shown(browser, tmp_path, TIE) as seen:
        page = seen.page
        page.select_option("#speed", "50")
        page.keyboard.press("Space")
        until(seen, "parseInt(place.textContent) >= 5")
        assert page.get_attribute("#play", "aria-label") == "Pause"
        assert page.get_attribute("#status", "aria-live") == "off"
        page.click("#play")
        stopped = place(seen)
        page.wait_for_timeout(200)
        assert place(seen) == stopped
        page.keyboard.press("End")
        page.click("#play")  # from the beginning again
        until(seen, "parseInt(place.textContent) < 50")


def test_links_to_moments(browser: Browser, tmp_path: Path) -> None:
    with shown(browser, tmp_path, TIE, "turn-7-Simon") as seen:
        page = seen.page
        assert heard(seen) == "turn 7 Simon"
        page.keyboard.press("ArrowRight")
        page.keyboard.press("ArrowRight")
        until(seen, "location.hash === '#turn-7-Simon-2'")
        assert page.get_attribute("#link", "href") == "#turn-7-Simon-2"
        told = heard(seen)
        page.evaluate("() => { location.hash = '#turn-2-Clara' }")
        until(seen, "document.querySelector('#status').textContent === 'turn 2 Clara'")
        page.goto(page.url.partition("#")[0] + "#turn-7-Simon-2")
        until(seen, "document.querySelector('#status').textContent !== 'turn 2 Clara'")
        assert heard(seen) == told
        page.evaluate("() => { location.hash = '#no-such-moment%' }")
        page.wait_for_timeout(100)
        assert heard(seen) == told


def test_a_link_to_a_player_with_a_difficult_name(browser: Browser, tmp_path: Path) -> None:
    text = LOG.replace("Ann", '"Ann #1/2-3 é"')
    with shown(browser, tmp_path, text) as seen:
        seen.page.keyboard.press("ArrowRight")
        seen.page.keyboard.press("ArrowRight")
        until(seen, "location.hash.endsWith('-1')")
        url = seen.page.url
        told = heard(seen)
        seen.page.goto("about:blank")
        seen.page.goto(url)
        seen.page.wait_for_selector("body[data-ready]")
        assert heard(seen) == told
        seen.requests[:] = [one for one in seen.requests if one != "about:blank"]


def test_a_click_on_a_line_goes_there(browser: Browser, tmp_path: Path) -> None:
    with shown(browser, tmp_path, TIE, size=SIZES["wide"]) as seen:
        page = seen.page
        turn = page.locator("#log .turn", has_text="Round 5").filter(has_text="Simon")
        turn.locator("h3 a.line").filter(has_text="Simon").click()
        until(seen, "document.querySelector('#status').textContent.includes('turn')")
        assert heard(seen) == "turn 5 Simon"
        current = page.locator("#log [aria-current=step]")
        assert current.inner_text().split() == ["Simon", "Round", "5"]
        page.keyboard.press("End")
        # The line of the present moment is brought into view within the log.
        until(
            seen,
            """(() => {
                const log = document.querySelector("#log").getBoundingClientRect();
                const line = document.querySelector("#log [aria-current=step]").getBoundingClientRect();
                return log.top <= line.top && line.top <= log.bottom;
            })()""",
        )


def test_a_log_that_is_scrolled_stays_there(browser: Browser, tmp_path: Path) -> None:
    with shown(browser, tmp_path, TIE, size=SIZES["wide"]) as seen:
        until(seen, "document.querySelector('#log .line')")
        seen.page.evaluate("() => { document.querySelector('#log').scrollTop = 2000; }")
        seen.page.wait_for_timeout(300)
        assert seen.page.evaluate("() => document.querySelector('#log').scrollTop") == 2000


def test_several_games(browser: Browser, tmp_path: Path) -> None:
    text = LOG + "\n" + LOG.replace("Tuesday", "Friday").replace("Ann", "Zoe")
    with shown(browser, tmp_path, text, "game-2-turn-3-Zoe-1") as seen:
        page = seen.page
        assert page.inner_text("#title") == "Friday table"
        assert heard(seen).startswith("Zoe: play Hunter")
        options = page.locator("#game option").all_inner_texts()
        assert options == ["1. Tuesday table", "2. Friday table"]
        page.select_option("#game", "0")
        until(seen, "document.title.startsWith('Tuesday')")
        assert place(seen) == 0
        page.keyboard.press("ArrowRight")
        until(seen, "location.hash === '#game-1-turn-3-Ann'")


# ---------------------------------------------------------------- what is shown


def test_what_the_last_move_changed_is_marked(browser: Browser, tmp_path: Path) -> None:
    with shown(browser, tmp_path, LOG, "turn-3-Ann-5") as seen:
        page = seen.page
        assert heard(seen) == "Ann: attack H2 from F2 with Warrior – strength 3 against 2"
        assert page.locator("#changes li").all_inner_texts() == [
            "Ann: Hand −Warrior",
            "Ann: Resources at hand +food",
            "Ann: Conquest markers taken +2 food",
            "H2: Conquest marker −2 food",
        ]
        marked = page.eval_on_selector_all(
            ".player .changed", "rows => rows.map((row) => row.dataset.field)"
        )
        assert marked == ["hand", "pool", "conquered", "discard"]
        assert page.locator(".hand:visible .card.gone .card-name").inner_text() == "Warrior"
        places = page.eval_on_selector_all(
            ".place.changed", "all => all.map((one) => one.dataset.ref)"
        )
        assert places == ["territory H2"]


def test_about_a_territory_and_a_card(browser: Browser, tmp_path: Path) -> None:
    with shown(browser, tmp_path, LOG, "turn-3-Ann") as seen:
        page = seen.page
        page.click(".place[data-ref='territory H2']")
        told = page.inner_text("#about")
        for part in ("H2", "hill", "Conquest marker: 2 food", "English rulebook, page 6"):
            assert part in told
        page.keyboard.press("Escape")
        # What is there is a part of the name that is read out.
        page.get_by_role("button", name="F2 Settlements: Ann 2", exact=True).focus()
        page.keyboard.press("Enter")
        assert "Here now\nSettlements: Ann 2" in page.inner_text("#about")
        page.click("#about form button")
        page.click("#shared [data-field=market] >> text=Farmer")
        told = page.inner_text("#about")
        assert "food, use a farmland: 2 food" in told
        assert "page 8" in told


def test_findings_are_jumped_to(browser: Browser, tmp_path: Path) -> None:
    text = LOG.replace("buy Farmer", "buy Farmer; buy Farmer").replace("to H9", "")
    text = text.replace("  end =>", "  buy City\n  end =>")
    with shown(browser, tmp_path, text) as seen:
        page = seen.page
        assert page.inner_text("#found") == "Findings: ✖ error: 2"
        page.click("#next")
        assert "a second Farmer in one turn" in page.inner_text(":focus")
        assert place(seen) == 4
        assert "error: a second Farmer" in heard(seen)
        page.keyboard.press("F8")
        assert "cannot-pay" in page.inner_text(":focus")
        page.keyboard.press("F8")
        assert "bought-twice" in page.inner_text(":focus")
        page.keyboard.press("Shift+F8")
        assert "cannot-pay" in page.inner_text(":focus")
        # It stands below its line.
        before = page.locator(".finding").first.evaluate("one => one.previousSibling.textContent")
        assert before.endswith("buy Farmer")


def hand(seen: Seen, seat: int) -> str:
    """Return what the hand of a player shows, which a click on the player brings below the map."""
    who = seen.page.locator(".player .who").nth(seat)
    if who.get_attribute("aria-pressed") == "false":
        who.click()
    cards = seen.page.locator(".hand").nth(seat).locator("[data-field=hand] .fan")
    return " ".join(cards.inner_text().split())


def test_perspectives(browser: Browser, tmp_path: Path) -> None:
    text = LOG.replace("turn 3 Ann", "# Bob holds a Warrior\nturn 3 Ann")
    with shown(browser, tmp_path, text, "turn-3-Ann") as seen:
        page = seen.page
        assert "Hunter" in hand(seen, 1)
        page.select_option("#viewer", label="As Ann knew it")
        assert hand(seen, 1) == "2 unknown"
        assert "Hunter" in hand(seen, 0)
        assert page.locator(".player").nth(1).locator("[data-field=hand] b").inner_text() == "2"
        log = page.inner_text("#log")
        assert "Bob: secret ?" in log
        assert "Colossus" not in log
        assert "holds a Warrior" not in log
        page.keyboard.press("End")
        page.keyboard.press("ArrowLeft")
        page.keyboard.press("ArrowLeft")
        assert heard(seen).startswith("Bob: fight with Warrior => ?")
        assert "Bob: Hand" not in page.inner_text("#changes")  # one went, one came
        page.select_option("#viewer", label="As Bob knew it")
        assert hand(seen, 0).endswith("unknown")
        assert heard(seen).startswith("Bob: fight with Warrior => Hunter")
        page.select_option("#viewer", label="Everything")
        assert "holds a Warrior" in page.inner_text("#log")


def test_a_page_made_for_a_player(browser: Browser, tmp_path: Path) -> None:
    with shown(browser, tmp_path, LOG, "turn-3-Ann", "--as", "ann") as seen:
        page = seen.page
        assert page.inner_text("#notice") == "This page holds only what Ann could know."
        assert hand(seen, 1) == "2 unknown"
        assert page.is_hidden("#viewer")
        whole = page.evaluate("() => document.documentElement.innerHTML")
        assert "Colossus" not in whole
        data = page.evaluate(
            """async () => {
              const bytes = Uint8Array.from(atob(document.getElementById("game-0").textContent),
                (char) => char.charCodeAt(0));
              const stream = new Blob([bytes]).stream()
                .pipeThrough(new DecompressionStream("deflate"));
              return new Response(stream).text();
            }"""
        )
        assert "Mausoleum" in data  # on display
        assert "Colossus" not in data


def totals(seen: Seen) -> list[str]:
    texts = seen.page.locator(".total").all_text_contents()
    return [" ".join(text.split()) for text in texts]


def test_points_that_depend_on_what_is_not_recorded(browser: Browser, tmp_path: Path) -> None:
    with shown(browser, tmp_path, TRASHED, "turn-5-Ann") as seen:
        page = seen.page
        assert totals(seen) == ["9 points", "1 point"]
        page.keyboard.press("ArrowRight")
        assert totals(seen) == ["? points", "1 point"]
        assert "Action cards ?" in page.locator(".player").first.inner_text()
        assert page.locator("#totals td").all_text_contents() == ["?", "1"]


def test_whatever_a_pack_is(browser: Browser, tmp_path: Path, stones: Path) -> None:
    with shown(browser, tmp_path, stones, "turn-2-Ann-2", size=SIZES["wide"]) as seen:
        page = seen.page
        assert page.locator(".board").count() == 2
        assert page.get_by_role("button", name="b2 Stone: black", exact=True).count() == 1
        stack = page.locator(".player").first.locator(".stack.splayed")
        assert stack.locator(".chip > span").all_inner_texts() == ["Dawn", "Noon"]
        assert stack.locator(".hidden-text").text_content() == "splayed left: "
        assert page.locator(".finding code").inner_text() == "cell-taken"
        assert page.inner_text("#totals td >> nth=0") in {"1", ""}
        page.evaluate(axe())
        assert violations(seen, "document") == []


def test_turns_that_begin_by_themselves(browser: Browser, tmp_path: Path) -> None:
    with shown(browser, tmp_path, CROSSES, "turn-2-Bob") as seen:
        page = seen.page
        assert heard(seen) == "Ann: mark a3"
        page.keyboard.press("Shift+ArrowRight")
        assert heard(seen) == "Bob: mark c1"
        page.keyboard.press("Shift+ArrowUp")
        assert heard(seen) == "Bob: mark a1"
        assert page.get_by_role("button", name="b2 who has marked a square: Ann").count() == 1
        page.keyboard.press("End")
        assert page.inner_text("#course") == "Round 5 · A draw (a full board)"
        assert page.is_hidden("#numbers")  # nobody counts points
        assert totals(seen) == ["", ""]


# ---------------------------------------------------------------- safety

WICKED = '<img src=x onerror=\\"hit=1\\"><script>hit=1</script>\'&amp;{{7*7}}'


def test_a_hostile_log_does_nothing(browser: Browser, tmp_path: Path) -> None:
    name = "<img src=x onerror=alert(1)><script>"
    text = LOG.replace("Ann", f'"{name}"').replace(
        "Tuesday table", "</script></style><script>hit=1</script><svg onload=hit=1>"
    )
    comments = "\n".join(
        f"# {n} <script>hit=1</script></script><!-- {{{{7*7}}}} ]]> \u2028 &lt;"
        for n in range(10_000)
    )
    text = text.replace("turn 3 ", f"{comments}\nturn 3 ").replace(
        "  buy Farmer", '  buy "<b onmouseover=hit=1>"'
    )
    text = text.replace("\n", f'\n[Annotator "{WICKED}"]\n', 1)
    with shown(browser, tmp_path, text, size=SIZES["wide"]) as seen:
        page = seen.page
        assert page.evaluate("() => typeof window.hit") == "undefined"
        assert page.inner_text(".player .name >> nth=0") == name
        assert (
            page.locator(
                "img:not(.token, .icon), #log script, #log [onmouseover], main script"
            ).count()
            == 0
        )
        assert page.inner_text("#title").startswith("</script></style><script>hit=1</script>")
        assert page.locator(".comment").count() >= 10_000
        page.keyboard.press("End")
        page.click(".place >> nth=0")
        assert page.evaluate("() => typeof window.hit") == "undefined"


def test_the_policy_lets_nothing_else_run(browser: Browser, tmp_path: Path) -> None:
    with shown(browser, tmp_path, LOG, clean=False) as seen:
        seen.page.evaluate(
            """() => {
              const script = document.createElement("script");
              script.textContent = "window.hit = 1";
              document.body.append(script);
              const button = document.createElement("button");
              button.setAttribute("onclick", "window.hit = 1");
              document.body.append(button);
              button.click();
              const style = document.createElement("p");
              style.setAttribute("style", "color: red");
              document.body.append(style);
              const image = new Image();
              image.src = "https://example.com/x.png";
              fetch("https://example.com/").catch(() => { window.refused = 1; });
            }"""
        )
        until(seen, "window.refused === 1")
        assert seen.page.evaluate("() => typeof window.hit") == "undefined"
        assert len([error for error in seen.errors if "Content Security Policy" in error]) >= 4


# ---------------------------------------------------------------- for everybody


def violations(seen: Seen, what: str, rules: str = "{}") -> list[tuple[str, str, list[str]]]:
    found = seen.page.evaluate(f"() => axe.run({what}, {rules})")
    return [
        (one["id"], one["help"], [node["html"][:120] for node in one["nodes"]][:3])
        for one in found["violations"]
    ]


@pytest.mark.parametrize("colours", ["light", "dark"])
@pytest.mark.parametrize("size", SIZES)
def test_nothing_in_the_way_of_assistive_technology(
    size: str, colours: str, browser: Browser, tmp_path: Path
) -> None:
    language = {"phone": "ja", "tablet": "de", "wide": "en"}[size]
    text = TIE.read_text(encoding="utf-8").replace("  play Hunter\n", "  play Huntress\n", 1)
    if (size, colours) != ("wide", "light"):  # a whole game once is enough: this takes its time
        text = text[: text.index("turn 4 Ruth")]
    with shown(
        browser, tmp_path, text, "turn-3-Simon-3", "--lang", language,
        size=SIZES[size], colours=colours,
    ) as seen:  # fmt: skip
        page = seen.page
        assert page.get_attribute("html", "lang") == language
        assert page.locator(".finding").count() == 1
        page.evaluate(axe())
        # Dark pages differ in their colours only.
        rules = "{runOnly: ['color-contrast']}" if colours == "dark" else "{}"
        assert violations(seen, "document", rules) == []
        dialogs = (
            (".place >> nth=0", "#about"),
            ("#help", "#keys"),
            ("#numbers", "#points"),
        )
        for opened, dialog in dialogs:
            if size == "phone" and opened == "#help":
                page.click("#choose")
                assert violations(seen, "document", rules) == []
            page.click(opened)
            assert violations(seen, f"'{dialog}'", rules) == []
            page.keyboard.press("Escape")
        # Nothing sticks out on the right.
        assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")


def test_the_reader_chooses_the_colours(browser: Browser, tmp_path: Path) -> None:
    with shown(browser, tmp_path, LOG) as seen:
        page = seen.page
        colour = "() => getComputedStyle(document.body).backgroundColor"
        light = page.evaluate(colour)
        page.select_option("#theme", "dark")
        assert page.evaluate(colour) != light
        page.reload()
        page.wait_for_selector("body[data-ready]")
        assert page.evaluate(colour) != light
        page.select_option("#theme", "light")
        assert page.evaluate(colour) == light


def test_the_log_of_a_phone_reaches_its_lines(browser: Browser, tmp_path: Path) -> None:
    with shown(browser, tmp_path, FOUR, "turn-9-Vera", size=SIZES["phone"], has_touch=True) as seen:
        page = seen.page
        page.locator("#tabs button", has_text="Log").tap()
        turn = page.locator("#log .turn", has_text="Round 9").filter(has_text="Oskar")
        turn.locator("h3 a").filter(has_text="Oskar").tap()
        assert heard(seen) == "turn 9 Oskar"


def test_colours_have_contrast() -> None:
    """Each colour of text on what it stands on, in both themes (AA: 4.5 to 1)."""
    style = (ASSETS / "style.css").read_text(encoding="utf-8")
    themes = re.findall(r"(?s)--paper: .*?--edge: #\w+;", style)
    assert len(themes) == 3
    assert themes[1].split() == themes[2].split()  # dark by the system, dark by choice
    for theme in themes[:2]:
        colours = dict(re.findall(r"--([\w-]+): (#\w{6})", theme))
        pairs = [(ink, "panel") for ink in ("ink", "soft", "accent", "error", "warning", "note")]
        pairs += [("ink", "paper"), ("soft", "paper"), ("hot-ink", "hot"), ("ink", "chip")]
        pairs += [("soft", "chip"), ("error", "paper"), ("warning", "paper"), ("note", "paper")]
        for ink, ground in pairs:
            first, second = sorted((light(colours[ink]), light(colours[ground])))
            assert (second + 0.05) / (first + 0.05) >= 4.5, (ink, ground)
        # What is no text: 3 to 1.
        for edge in ("edge", "focus", "accent"):
            first, second = sorted((light(colours[edge]), light(colours["panel"])))
            assert (second + 0.05) / (first + 0.05) >= 3, edge


def light(colour: str) -> float:
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    line = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * line[0] + 0.7152 * line[1] + 0.0722 * line[2]


# ---------------------------------------------------------------- speed and size


@cache
def longest() -> Path:
    """Return the longest game of four that there is: some 900 lines."""
    simulated = (GAMES[0].parent / "simulated" / "4-players").glob("*.agn")
    return max(simulated, key=lambda path: path.read_bytes().count(b"\n"))


def test_size(tmp_path: Path) -> None:
    page = made(tmp_path, longest()).read_text(encoding="utf-8")
    assert len(page.encode()) < 500_000
    data = re.search(r'id="game-0">(.*?)<', page)
    assert data is not None
    assert len(page.encode()) - len(data[1]) < 400_000


def test_export_takes_little(tmp_path: Path) -> None:
    assert longest().read_bytes().count(b"\n") > 850
    run("replay", TIE, "-o", tmp_path / "other.html")  # what is read once for a process
    with at_most(5_500_000):
        run("replay", longest(), "-o", tmp_path / "game.html")


def test_the_page_does_little(browser: Browser, tmp_path: Path) -> None:
    """Calls of functions and layouts are counted: what else the machine does is not in it."""
    steps = 150
    with browser.open(url_of(made(tmp_path, longest()))) as seen:
        tools = seen.page.context.new_cdp_session(seen.page)
        for method in ("Profiler.enable", "Performance.enable"):
            tools.send(method)
        tools.send("Profiler.startPreciseCoverage", {"callCount": True, "detailed": False})

        def calls() -> int:
            scripts = tools.send("Profiler.takePreciseCoverage")["result"]
            functions = [function for script in scripts for function in script["functions"]]
            return sum(function["ranges"][0]["count"] for function in functions)

        def layouts() -> int:
            metrics = tools.send("Performance.getMetrics")["metrics"]
            return next(one["value"] for one in metrics if one["name"] == "LayoutCount")

        seen.page.reload()
        seen.page.wait_for_selector("body[data-ready]")
        drawing, before = calls(), layouts()
        seen.page.evaluate(
            """(steps) => {
              for (let number = 0; number < steps; number += 1) {
                document.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight" }));
                document.body.getBoundingClientRect();  // with its layout
              }
            }""",
            steps,
        )
        stepping, laid_out = calls(), layouts() - before
        assert place(seen) == steps
    assert drawing < 100_000
    assert stepping < 1100 * steps  # half of them look for the way of an arrow
    assert laid_out <= 3 * steps


# ---------------------------------------------------------------- the files of the page


def test_words_are_there_in_every_language_and_used() -> None:
    english = json.loads((ASSETS / "words.json").read_text(encoding="utf-8"))
    source = "".join(
        (ASSETS / name).read_text(encoding="utf-8")
        for name in ("page.html", *(f"{module}.js" for module in MODULES))
    )
    for language in languages():
        words = {key: template(language, text, "page") for key, text in english.items()}
        assert language == "en" or sum(words[key] == english[key] for key in english) < 3
        for key, text in words.items():
            holes = re.compile(r"\{(\w+)\}")
            assert sorted(holes.findall(text)) == sorted(holes.findall(english[key])), (
                language,
                key,
            )
    for key in english:
        assert re.search(rf"[\"'.( ]{key}[\"'.) :]", source), key


def test_every_module_is_put_in_once() -> None:
    assert {path.stem for path in ASSETS.glob("*.js")} == set(MODULES)
    names: list[str] = []
    for module in MODULES:
        text = (ASSETS / f"{module}.js").read_text(encoding="utf-8")
        found = re.findall(
            r"^(?:export )?(?:async )?(?:function|class|const|let) (\w+)", text, re.MULTILINE
        )
        names += found
        for imported in re.findall(r'^import \{.*\} from "\./(\w+)\.js";$', text, re.MULTILINE):
            assert MODULES.index(imported) < MODULES.index(module)
    assert len(names) == len(set(names))  # in one script they share one scope


def test_no_markup_is_made_of_text() -> None:
    for module in MODULES:
        text = (ASSETS / f"{module}.js").read_text(encoding="utf-8")
        for danger in (
            "innerHTML",
            "outerHTML",
            "insertAdjacent",
            "document.write",
            "eval(",
            "DOMParser",
        ):
            assert danger not in text, (module, danger)


def test_what_a_page_needs_is_in_the_wheel() -> None:
    """Files that are no modules are taken along, because they lie inside of the package."""
    text = (Path(__file__).parents[2] / "pyproject.toml").read_text(encoding="utf-8")
    assert 'packages = ["altay_cli"]' in text
    assert (ASSETS / "page.html").is_file()
    assert (ASSETS / "style.css").is_file()
