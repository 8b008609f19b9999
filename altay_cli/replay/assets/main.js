// The page: which game, which moment, whose knowledge; keys, buttons, links.

import { Chart } from "./chart.js";
import { config, find, make, say } from "./dom.js";
import { Game, unpack } from "./game.js";
import { Log } from "./log.js";
import { Panels } from "./panels.js";
import { about } from "./things.js";

const games = new Map();
let number = 0;
let game = null;
let panels = null;
let log = null;
let chart = null;
let timer = 0;

// ---------------------------------------------------------------- showing

/** Show the present moment. */
function show() {
  panels.update();
  log.update();
  chart.update();
  const { active, due, ended } = game.course();
  const round = game.round();
  const course = [
    ...(round ? [say("round", { round })] : []),
    ...(ended ? [game.data.verdict || say("over")] : active === null ? [] : [say("turn-of", { player: game.name(active) })]),
    ...due.map(([seat, title]) => say("due", { player: game.name(seat), title: game.data.texts[title] })),
  ];
  find("course").textContent = course.join(" · ");
  find("place").textContent = say("place", { number: game.now, count: game.count });
  const slider = find("slider");
  slider.value = game.now;
  slider.setAttribute("aria-valuetext", [...course, find("place").textContent].join(", "));
  tell();
  link();
}

/** Tell the last move: what it was, what it changed, what was found. */
function tell() {
  const { step } = game;
  const parts = [step ? log.text(game.now) : say("laid-out")];
  if (step?.tells) {
    parts.push(...step.tells.map((text) => game.data.texts[text]));
  }
  const who = step && step.player !== undefined && !step.heading ? `${game.name(step.player)}: ` : "";
  const told = make("p", { class: "told" }, who + parts.join(" – "));
  const found = log.found(game.now).map(({ severity, message, gist }) =>
    make("p", { class: `found ${severity}` }, `${say(severity)}: ${game.viewer === null ? (message ?? gist) : gist}`),
  );
  find("status").replaceChildren(told, ...found);
  const { addresses, fields, texts } = game.data;
  find("changes").replaceChildren(
    ...game
      .changes()
      .filter(({ told }) => told >= 0)
      .map(({ address, told }) => {
        const [field, seat, place] = addresses[address];
        const whose = seat !== null ? game.name(seat) : place !== null ? game.thing(place).name : "";
        const title = fields[field].title;
        return make("li", {}, `${whose ? `${whose}: ` : ""}${title} ${texts[told]}`.trim());
      }),
  );
}

/** Keep the address of the page a link to the present moment. */
function link() {
  const slug = `${prefix()}${encodeURIComponent(game.slugs[game.now])}`;
  find("link").href = slug;
  clearTimeout(link.waiting);
  // Browsers allow only so many changes of the address in a while.
  link.waiting = setTimeout(() => {
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

function go(moment) {
  game.seek(moment);
  show();
}

// ---------------------------------------------------------------- games

async function open(which, moment) {
  stop();
  if (!games.has(which)) {
    games.set(which, new Game(await unpack(find(`game-${which}`))));
  }
  number = which;
  game = games.get(which);
  find("game").value = String(which);
  find("title").textContent = game.data.title;
  find("pack").textContent = game.data.pack;
  const named = game.data.title !== game.data.pack;
  find("pack").hidden = !named;
  document.title = named ? `${game.data.title} – ${game.data.pack}` : game.data.title;
  find("slider").max = game.count;
  notice();
  viewers();
  panels = new Panels(game);
  game.seek(moment(game));
  panels.update();
  performance.mark("drawn"); // the state can be seen; the log and the chart follow
  log = new Log(game, go, prefix());
  chart = new Chart(game);
  show();
}

function notice() {
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

function viewers() {
  const names = game.data.players.map((thing, seat) => [seat, say("as", { player: game.name(seat) })]);
  const all = game.data.viewer === null ? [["", say("everything")], ...names] : names.filter(([seat]) => seat === game.data.viewer);
  find("viewer").replaceChildren(...all.map(([value, text]) => make("option", { value }, text)));
  find("viewer").value = game.viewer === null ? "" : String(game.viewer);
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
  const moment = (there) => there.bySlug.get(named) ?? (named === "end" ? there.count : there.now);
  if (game === null || which !== number) {
    await open(which, moment);
  } else {
    go(moment(game));
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
  }, Number(find("speed").value));
}

const ways = {
  "move-back": () => go(game.now - 1),
  "move-on": () => go(game.now + 1),
  "turn-back": () => go(game.beside(game.turns, -1)),
  "turn-on": () => go(game.beside(game.turns, 1)),
  "round-back": () => go(game.beside(game.rounds, -1)),
  "round-on": () => go(game.beside(game.rounds, 1)),
  start: () => go(0),
  end: () => go(game.count),
};

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

function key(event) {
  const target = event.target instanceof Element ? event.target : document.body;
  if (event.ctrlKey || event.altKey || event.metaKey || target.closest("select, dialog")) {
    return;
  }
  const name = (event.shiftKey ? "Shift " : "") + event.key;
  const scrolls = target.matches("#log, .scroll") && ["Home", "End"].includes(event.key);
  if (keys[name] && !scrolls) {
    stop();
    ways[keys[name]]();
  } else if (event.key === " " && !target.closest("button, a, summary, [role=button]")) {
    toggle();
  } else if (event.key === "F8") {
    stop();
    log.jump(event.shiftKey ? -1 : 1);
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

function click(event) {
  const target = event.target instanceof Element ? event.target : document.body;
  const line = target.closest("[data-step]");
  const thing = target.closest("[data-thing]");
  if (line) {
    event.preventDefault();
    stop();
    go(Number(line.dataset.step));
  } else if (thing) {
    about(game, Number(thing.dataset.thing));
  } else if (target instanceof HTMLDialogElement) {
    target.close(); // beside the dialog
  }
}

// ---------------------------------------------------------------- the reader's choices

function remember(name, value) {
  try {
    localStorage.setItem(`altay ${name}`, value);
  } catch {
    // A page on disk may not be allowed to; it is a convenience only.
  }
}

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
  const { value } = find("theme");
  if (value === "auto") {
    delete document.documentElement.dataset.theme;
  } else {
    document.documentElement.dataset.theme = value;
  }
}

/** Load the page again when the log has changed: only where it comes from `altay replay --serve`. */
async function watch(version) {
  for (;;) {
    await new Promise((done) => setTimeout(done, 500));
    try {
      const answer = await fetch("version", { cache: "no-store" });
      const there = await answer.text();
      if (answer.ok && there && there !== version) {
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
  remembered(find("theme"), "theme");
  remembered(find("speed"), "speed");
  colours();
  await follow();
  for (const [id, act] of Object.entries(ways)) {
    find(id)?.addEventListener("click", () => {
      stop();
      act();
    });
  }
  find("play").addEventListener("click", toggle);
  find("previous").addEventListener("click", () => log.jump(-1));
  find("next").addEventListener("click", () => log.jump(1));
  find("help").addEventListener("click", () => find("keys").showModal());
  find("slider").addEventListener("input", () => {
    stop();
    go(Number(find("slider").value));
  });
  find("speed").addEventListener("change", () => {
    remember("speed", find("speed").value);
    if (timer) {
      play();
    }
  });
  find("theme").addEventListener("change", () => {
    remember("theme", find("theme").value);
    colours();
  });
  find("viewer").addEventListener("change", () => {
    const { value } = find("viewer");
    game.viewer = value === "" ? null : Number(value);
    log.reveal();
    show();
  });
  find("game").addEventListener("change", async () => {
    await open(Number(find("game").value), (there) => there.now);
  });
  document.addEventListener("keydown", key);
  document.addEventListener("click", click);
  window.addEventListener("hashchange", follow);
  document.body.dataset.ready = "yes";
  if (config.version) {
    watch(config.version);
  }
}

main();
