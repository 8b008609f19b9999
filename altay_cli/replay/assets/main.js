// The page: which game, which moment, whose knowledge; keys, buttons, links.

import { Chart } from "./chart.js";
import { config, find, make, say } from "./dom.js";
import { Game, unpack } from "./game.js";
import { Log } from "./log.js";
import { mayMove, moved } from "./moves.js";
import { Panels } from "./panels.js";
import { Preview } from "./preview.js";
import { Outcome } from "./result.js";
import { about } from "./things.js";

/** A step that is this near to the one before it, in milliseconds, is not animated. */
const HURRY = 300;

/** @type {Map<number, Game>} */
const games = new Map();
let number = 0;
let timer = 0;
let waiting = 0;
let stepped = 0;

/**
 * What is shown: replaced when another game is opened.
 * @type {{ game: Game, panels: Panels, log: Log, chart: Chart, outcome: Outcome } | null}
 */
let table = null;

// ---------------------------------------------------------------- showing

/** What is shown; an error before a game has been opened. */
function present() {
  if (table === null) {
    throw new Error("no game has been opened");
  }
  return table;
}

/** Show the present moment; the page moves its cards if it comes from the one before. */
function show(isNext = false) {
  const { game, panels, log, chart, outcome } = present();
  const now = performance.now();
  if (isNext && now - stepped > HURRY && mayMove()) {
    moved(game, panels, () => panels.update());
  } else {
    panels.update();
  }
  stepped = now;
  log.update();
  chart.update();
  outcome.update();
  const { active, due, ended } = game.course();
  const round = game.round();
  const course = [
    ...(round ? [say("round", { round })] : []),
    ...(ended ? [game.data.verdict || say("over")] : active === null ? [] : [say("turn-of", { player: game.name(active) })]),
    ...due.map(([seat, title]) => say("due", { player: game.name(seat), title: game.data.texts[title] })),
  ];
  find("course").textContent = course.join(" · ");
  find("place").textContent = say("place", { number: game.now, count: game.count });
  const slider = find("slider", HTMLInputElement);
  slider.value = String(game.now);
  slider.setAttribute("aria-valuetext", [...course, find("place").textContent].join(", "));
  tell();
  link();
}

/** Tell the last move: what it was, what it changed, what was found. */
function tell() {
  const { game, log } = present();
  const { step } = game;
  const parts = [step ? log.text(game.now) : say("laid-out")];
  if (step?.tells) {
    parts.push(...step.tells.map((text) => game.data.texts[text]));
  }
  const told = make("p", { class: "told" });
  const who = step && step.player !== undefined && !step.heading ? `${game.name(step.player)}: ` : "";
  if (step && who && !parts[0].startsWith(who)) {
    // Whose turn it is stands before it.
    const known = step.player === game.course().active && !step.ended;
    told.append(make("span", { class: known ? "hidden-text" : null }, who));
  }
  told.append(...log.names.drawn(parts.join(" – ")));
  // The course of the game says the same of a heading.
  told.classList.toggle("hidden-text", Boolean(step?.heading));
  const found = log.found(game.now).map(({ severity, message, gist }) =>
    make("p", { class: `found ${severity}` }, `${say(severity)}: ${game.viewer === null ? (message ?? gist) : gist}`),
  );
  find("status").replaceChildren(told, ...found);
  const { addresses, fields, texts } = game.data;
  const changes = game.changes().filter(({ told: text }) => text >= 0);
  find("move").hidden = !changes.length;
  find("changes").replaceChildren(
    ...changes.map(({ address, told: text }) => {
      const [field, seat, place] = addresses[address];
      const whose = seat !== null ? game.name(seat) : place !== null ? game.thing(place).name : "";
      return make("li", {}, `${whose ? `${whose}: ` : ""}${fields[field].title} ${texts[text]}`.trim());
    }),
  );
}

/** Keep the address of the page a link to the present moment. */
function link() {
  const { game } = present();
  const slug = `${prefix()}${encodeURIComponent(game.slugs[game.now])}`;
  find("link", HTMLAnchorElement).href = slug;
  clearTimeout(waiting);
  // Browsers allow only so many changes of the address in a while.
  waiting = setTimeout(() => {
    try {
      history.replaceState(null, "", slug);
    } catch {
      // The link in the help is right all the same.
    }
  }, 150);
}

/** What links to moments of this game begin with. */
function prefix() {
  return config.count > 1 ? `#game-${number + 1}-` : "#";
}

/** @param {number} moment */
function go(moment) {
  const { game } = present();
  const before = game.now;
  game.seek(moment);
  show(game.now === before + 1);
}

// ---------------------------------------------------------------- games

/**
 * Open a game at a moment.
 * @param {number} which
 * @param {(game: Game) => number} moment
 */
async function open(which, moment) {
  stop();
  const game = games.get(which) ?? new Game(await unpack(find(`game-${which}`)));
  games.set(which, game);
  number = which;
  find("game", HTMLSelectElement).value = String(which);
  find("title").textContent = game.data.title;
  find("pack").textContent = game.data.pack;
  const named = game.data.title !== game.data.pack;
  find("pack").hidden = !named;
  document.title = named ? `${game.data.title} – ${game.data.pack}` : game.data.title;
  find("slider", HTMLInputElement).max = String(game.count);
  notice(game);
  viewers(game);
  const panels = new Panels(game);
  game.seek(moment(game));
  panels.update();
  performance.mark("drawn"); // the state can be seen; the log and the chart follow
  const log = new Log(game, go, prefix());
  table = { game, panels, log, chart: new Chart(game), outcome: new Outcome(game) };
  show();
}

/** @param {Game} game */
function notice(game) {
  const lines = [];
  if (game.data.viewer !== null) {
    lines.push(say("made-as", { player: game.name(game.data.viewer) }));
  }
  if (game.data.cut) {
    lines.push(say("cut"));
  }
  find("notice").textContent = lines.join(" ");
  find("notice").hidden = !lines.length;
}

/** @param {Game} game */
function viewers(game) {
  const names = game.data.players.map((_, seat) => ({ seat: String(seat), text: say("as", { player: game.name(seat) }) }));
  const all = game.data.viewer === null ? [{ seat: "", text: say("everything") }, ...names] : names;
  const select = find("viewer", HTMLSelectElement);
  select.replaceChildren(...all.map(({ seat, text }) => make("option", { value: seat }, text)));
  select.value = game.viewer === null ? "" : String(game.viewer);
  find("whose").hidden = game.data.viewer !== null;
}

/** Go to the moment that a link names: `#turn-7-Bob`, `#game-2-turn-7-Bob-3`, `#end`. */
async function follow() {
  let slug = location.hash.slice(1);
  try {
    slug = decodeURIComponent(slug);
  } catch {
    // It names no moment then.
  }
  const found = /^game-(\d+)-?(.*)$/.exec(slug);
  const which = found ? Math.min(Math.max(Number(found[1]) - 1, 0), config.count - 1) : number;
  const named = found ? found[2] : slug;
  const moment = (/** @type {Game} */ there) => there.bySlug.get(named) ?? (named === "end" ? there.count : there.now);
  if (table === null || which !== number) {
    await open(which, moment);
  } else {
    go(moment(table.game));
  }
}

// ---------------------------------------------------------------- playing

function stop() {
  clearInterval(timer);
  timer = 0;
  document.body.classList.remove("playing");
  find("play").setAttribute("aria-label", say("play"));
  find("play").title = say("play");
  find("status").setAttribute("aria-live", "polite");
}

function play() {
  const { game } = present();
  if (game.now >= game.count) {
    go(0);
  }
  stop();
  document.body.classList.add("playing");
  find("play").setAttribute("aria-label", say("pause"));
  find("play").title = say("pause");
  // While it runs by itself, nobody wants every move read out.
  find("status").setAttribute("aria-live", "off");
  timer = setInterval(() => {
    if (game.now < game.count) {
      go(game.now + 1);
    } else {
      stop();
    }
  }, Number(find("speed", HTMLSelectElement).value));
}

/** Where each button and key goes. @type {Record<string, (game: Game) => number>} */
const ways = {
  "move-back": (game) => game.now - 1,
  "move-on": (game) => game.now + 1,
  "turn-back": (game) => game.beside(game.turns, -1),
  "turn-on": (game) => game.beside(game.turns, 1),
  "round-back": (game) => game.beside(game.rounds, -1),
  "round-on": (game) => game.beside(game.rounds, 1),
  start: () => 0,
  end: (game) => game.count,
};

/** @type {Record<string, string>} */
const keys = {
  ArrowLeft: "move-back",
  ArrowRight: "move-on",
  "Shift ArrowLeft": "turn-back",
  "Shift ArrowRight": "turn-on",
  "Shift ArrowUp": "round-back",
  "Shift ArrowDown": "round-on",
  Home: "start",
  End: "end",
};

/** @param {string} way */
function take(way) {
  stop();
  go(ways[way](present().game));
}

/** @param {KeyboardEvent} event */
function key(event) {
  const target = event.target instanceof Element ? event.target : document.body;
  if (event.ctrlKey || event.altKey || event.metaKey || target.closest("select, dialog")) {
    return;
  }
  const name = (event.shiftKey ? "Shift " : "") + event.key;
  const scrolls = target.matches("#log, #shared, .scroll, .counting") && ["Home", "End"].includes(event.key);
  if (keys[name] && !scrolls) {
    take(keys[name]);
  } else if (event.key === " " && !target.closest("button, a, summary, [role=button]")) {
    toggle();
  } else if (event.key === "Escape") {
    choose(false);
  } else if (event.key === "F8") {
    stop();
    present().log.jump(event.shiftKey ? -1 : 1);
  } else {
    return;
  }
  event.preventDefault();
}

function toggle() {
  if (timer) {
    stop();
  } else {
    play();
  }
}

/** @param {MouseEvent} event */
function click(event) {
  const target = event.target instanceof Element ? event.target : document.body;
  const part = (/** @type {string} */ selector) => /** @type {HTMLElement | null} */ (target.closest(selector));
  const [line, thing, seat, tab] = ["[data-step]", "[data-thing]", "[data-seat]", "[data-tab]"].map(part);
  if (!target.closest("#choose, .choices label")) {
    choose(false);
  }
  if (line) {
    event.preventDefault();
    stop();
    go(Number(line.dataset.step));
  } else if (thing) {
    about(present().game, Number(thing.dataset.thing));
  } else if (seat) {
    present().panels.choose(Number(seat.dataset.seat));
  } else if (tab) {
    turnTo(tab.dataset.tab ?? "");
  } else if (target instanceof HTMLDialogElement) {
    target.close(); // beside the dialog
  }
}

/**
 * Show one of the parts that a narrow page has room for: the map, the players or the log.
 * @param {string} tab
 */
function turnTo(tab) {
  document.body.dataset.at = tab;
  choose(false);
  for (const button of document.querySelectorAll("#tabs button")) {
    button.setAttribute("aria-pressed", String(/** @type {HTMLElement} */ (button).dataset.tab === tab));
  }
  table?.log.update();
}

// ---------------------------------------------------------------- the reader's choices

/**
 * Show or hide the choices, for which a narrow page has no room.
 * @param {boolean} open
 */
function choose(open) {
  document.body.classList.toggle("choosing", open);
  find("choose").setAttribute("aria-expanded", String(open));
}

/**
 * @param {string} name
 * @param {string} value
 */
function remember(name, value) {
  try {
    localStorage.setItem(`altay ${name}`, value);
  } catch {
    // A page on disk may not be allowed to; it is a convenience only.
  }
}

/**
 * @param {HTMLSelectElement} select
 * @param {string} name
 */
function remembered(select, name) {
  try {
    const value = localStorage.getItem(`altay ${name}`);
    if (value !== null && [...select.options].some((option) => option.value === value)) {
      select.value = value;
    }
  } catch {
    // As above.
  }
}

function colours() {
  const { value } = find("theme", HTMLSelectElement);
  if (value === "auto") {
    delete document.documentElement.dataset.theme;
  } else {
    document.documentElement.dataset.theme = value;
  }
}

/**
 * Load the page again when the log has changed: only where it comes from `altay replay --serve`.
 * @param {string} version
 */
async function watch(version) {
  for (;;) {
    await new Promise((done) => setTimeout(done, 500));
    try {
      const answer = await fetch("version", { cache: "no-store" });
      const there = await answer.text();
      if (answer.ok && there && there !== version) {
        const { game } = present();
        if (game.now === game.count) {
          history.replaceState(null, "", `${prefix()}end`);
        }
        location.reload();
        return;
      }
    } catch {
      // The server is gone; it may come back.
    }
  }
}

async function main() {
  if (typeof DecompressionStream === "undefined") {
    find("notice").textContent = say("too-old");
    find("notice").hidden = false;
    return;
  }
  const [theme, speed, viewer] = ["theme", "speed", "viewer"].map((id) => find(id, HTMLSelectElement));
  remembered(theme, "theme");
  remembered(speed, "speed");
  colours();
  turnTo("map");
  await follow();
  for (const way of Object.keys(ways)) {
    document.getElementById(way)?.addEventListener("click", () => take(way));
  }
  find("play").addEventListener("click", toggle);
  find("choose").addEventListener("click", () => choose(!document.body.classList.contains("choosing")));
  find("previous").addEventListener("click", () => present().log.jump(-1));
  find("next").addEventListener("click", () => present().log.jump(1));
  find("close-result").addEventListener("click", () => present().outcome.close());
  for (const [button, dialog] of [["help", "keys"], ["numbers", "points"]]) {
    find(button).addEventListener("click", () => find(dialog, HTMLDialogElement).showModal());
  }
  find("slider").addEventListener("input", () => {
    stop();
    go(Number(find("slider", HTMLInputElement).value));
  });
  speed.addEventListener("change", () => {
    remember("speed", speed.value);
    if (timer) {
      play();
    }
  });
  theme.addEventListener("change", () => {
    remember("theme", theme.value);
    colours();
  });
  viewer.addEventListener("change", () => {
    present().game.look(viewer.value === "" ? null : Number(viewer.value));
    present().log.reveal();
    show();
  });
  find("game").addEventListener("change", async () => {
    await open(Number(find("game", HTMLSelectElement).value), (there) => there.now);
  });
  document.addEventListener("keydown", key);
  document.addEventListener("click", click);
  window.addEventListener("hashchange", follow);
  new Preview(find("preview"));
  document.body.dataset.ready = "yes";
  if (config.version) {
    watch(config.version);
  }
}

main();
