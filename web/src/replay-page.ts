/**
 * The page of `replay.html`: the replay page of `altay_cli/replay/assets`, as it is.
 *
 * Its template is filled here instead of by Jinja. The data come from the page around this one.
 */

import "../../altay_cli/replay/assets/style.css";
import "../../altay_cli/replay/assets/board.css";
import "./replay-page.css";
import template from "../../altay_cli/replay/assets/page.html?raw";
import { strToU8, zlibSync } from "fflate";
import type { ReplayAnswer, ReplayGame } from "./ui/answers";
import { dressed, type FromFrame, type ToFrame } from "./ui/replay";
import { remembered } from "./ui/store";

let games: ReplayGame[] = [];

function tell(message: FromFrame): void {
  window.parent.postMessage(message, location.origin);
}

window.addEventListener("message", (event: MessageEvent<ToFrame>) => {
  if (event.origin !== location.origin || event.source !== window.parent) {
    return;
  }
  if ("answer" in event.data) {
    void open(event.data.answer, event.data.language);
  } else {
    follow(event.data.line);
  }
});

async function open(answer: ReplayAnswer, language: string): Promise<void> {
  games = answer.games;
  document.documentElement.lang = language;
  document.body.innerHTML = filled(body(template), answer.config.words);
  const select = document.querySelector<HTMLSelectElement>("#game");
  games.forEach(({ title }, number) => select?.append(new Option(`${number + 1}. ${title}`, String(number))));
  if (select?.parentElement) {
    select.parentElement.hidden = games.length === 1;
  }
  answer.maps.forEach((drawing, number) => {
    const map = document.createElement("template");
    map.id = `map-${number}`;
    map.innerHTML = drawing; // the program's own drawing, in which every text is escaped
    document.body.append(map);
  });
  const config = { ...answer.config, count: games.length, version: "" };
  data("config", "application/json", JSON.stringify(config));
  games.forEach((game, number) => data(`game-${number}`, "text/plain", packed(game)));
  await import("../../altay_cli/replay/assets/main.js");
  while (document.body.dataset["ready"] !== "yes") {
    await new Promise((done) => setTimeout(done, 10));
  }
  document.addEventListener("click", clicked);
  tell({ ready: true });
}

/** Text for the scripts of the replay page; an element that is no script may be made at any time. */
function data(id: string, type: string, text: string): void {
  const element = document.createElement("script");
  element.type = type;
  element.id = id;
  element.textContent = text;
  document.body.append(element);
}

/** A game as those scripts unpack it: base64 of deflated JSON. */
function packed(game: ReplayGame): string {
  const bytes = zlibSync(strToU8(JSON.stringify(game)), { level: 1 });
  let text = "";
  for (let at = 0; at < bytes.length; at += 0x8000) {
    text += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
  }
  return btoa(text);
}

/** The body of the template, up to the data. */
function body(page: string): string {
  return page.slice(page.indexOf("<body>") + "<body>".length, page.indexOf("{% for map"));
}

/** Fill in what the template uses of Jinja: drawings, controls, words. Raise an Error for more. */
function filled(page: string, words: Record<string, string>): string {
  const word = (key: string): string => escaped(words[key] ?? key);
  const icon = (path: string): string =>
    `<svg viewBox="0 0 24 24" width="18" height="18" aria-hidden="true" focusable="false"><path d="${path}"/></svg>`;
  const text = page
    .replace(/\{% if count == 1 %\}.*?\{% endif %\}/g, "")
    .replace(/\{%-? for name in names %\}.*?\{% endfor -?%\}\s*/gs, "")
    .replace(
      /\{\{ control\("([\w-]+)", "([^"]+)"\) \}\}/g,
      (_, id: string, path: string) =>
        `<button type="button" id="${id}" title="${word(id)}" aria-label="${word(id)}">${icon(path)}</button>`,
    )
    .replace(/\{\{ icon\("([^"]+)"\) \}\}/g, (_, path: string) => icon(path))
    .replace(/\{\{ words\["([\w-]+)"\]\.format\(count=(\d+)\) \}\}/g, (_, key: string, count: string) =>
      word(key).replace("{count}", count),
    )
    .replace(/\{\{ words(?:\.(\w+)|\["([\w-]+)"\]) \}\}/g, (_, name?: string, key?: string) => word(name ?? key ?? ""))
    .replace(/\{\{ (?:title|pack) \}\}/g, "");
  const left = /\{[{%].*/.exec(text);
  if (left !== null) {
    throw new Error(`the template of the replay page has more than is filled in: ${left[0]}`);
  }
  return text;
}

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}

/** Go to the last moment at or before a line, by the slider of the page. */
function follow(line: number): void {
  const number = Math.max(
    games.findLastIndex(({ log }) => (log[0]?.[0] ?? Infinity) <= line),
    0,
  );
  const select = document.querySelector<HTMLSelectElement>("#game");
  const slider = document.querySelector<HTMLInputElement>("#slider");
  const game = games[number];
  if (!select || !slider || !game) {
    return;
  }
  const turned = select.value !== String(number);
  if (turned) {
    select.value = String(number);
    select.dispatchEvent(new Event("change"));
  }
  const moment = momentOf(game, line);
  // Another game is opened first.
  setTimeout(
    () => {
      if (slider.value !== String(moment)) {
        slider.value = String(moment);
        slider.dispatchEvent(new Event("input"));
      }
    },
    turned ? 60 : 0,
  );
}

function momentOf({ log }: ReplayGame, line: number): number {
  let moment = -1;
  for (const [number, ...segments] of log) {
    if (number > line) {
      break;
    }
    for (const [, at] of segments) {
      moment = Math.max(moment, at);
    }
  }
  return moment + 1;
}

/** Tell the page around this one which line was chosen in the log of the replay. */
function clicked(event: MouseEvent): void {
  const entry = (event.target as Element).closest?.<HTMLElement>("[data-step]");
  const select = document.querySelector<HTMLSelectElement>("#game");
  const game = games[Number(select?.value ?? 0)];
  if (!entry || !game) {
    return;
  }
  const moment = Number(entry.dataset["step"]) - 1;
  const row = game.log.find(([, ...segments]) => segments.some(([, at]) => at === moment));
  if (row) {
    tell({ line: row[0] });
  }
}

dressed(document.documentElement, remembered("theme") ?? "auto");
tell({ waiting: true });
