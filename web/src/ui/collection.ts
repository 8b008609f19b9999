/** Many logs: a table of verdicts and winners, filled one by one. */

import { html, nothing, type TemplateResult } from "lit-html";
import type { Files } from "../protocol";
import { say } from "../texts";
import type { GameReport } from "./answers";
import type { App } from "./app";
import { badge } from "./chrome";
import { summary } from "./findings";
import { icon } from "./icons";

/** A log of a collection; `games` is null until it has been checked, and empty if it could not be. */
export interface Row {
  path: string;
  text: string;
  files: Files;
  games: GameReport[] | null;
}

export interface Collection {
  rows: Row[];
  rules: Files;
  running: boolean;
}

export function collectionView(app: App, { rows, running, rules }: Collection): TemplateResult {
  const done = rows.filter(({ games }) => games !== null).length;
  return html`<main class="collection" id="main">
    <header>
      <h1>${say("files-of", { count: rows.length })}</h1>
      ${running
        ? html`<progress aria-label=${say("checking")} max=${rows.length} .value=${done}></progress>
            <button @click=${() => app.collecting.stop()}>${icon("stop")}${say("stop")}</button>`
        : nothing}
    </header>
    <div class="scroll card" role="group" aria-label=${say("files")} tabindex="0">
      <table>
        <thead>
          <tr>
            <th scope="col">${say("file")}</th>
            <th scope="col">${say("verdict")}</th>
            <th scope="col">${say("winner")}</th>
            <th scope="col" class="wide">${say("findings")}</th>
          </tr>
        </thead>
        <tbody>
          ${rows.map((row) => lines(app, row))}
        </tbody>
      </table>
    </div>
    ${Object.keys(rules).length
      ? html`<section class="card">
          <h2>${say("rules-check")}</h2>
          <ul class="choices">
            ${Object.keys(rules).map(
              (path) => html`<li><button @click=${() => app.openRules(path, rules)}>${icon("log")}<span>${path}</span></button></li>`,
            )}
          </ul>
        </section>`
      : nothing}
  </main>`;
}

function lines(app: App, row: Row): TemplateResult | TemplateResult[] {
  const button = html`<button class="link" @click=${() => app.collecting.openRow(row)}>${row.path}</button>`;
  const { games } = row;
  if (games === null || !games.length) {
    return html`<tr>
      <th scope="row">${button}</th>
      <td>${games === null ? "…" : badge("not judged")}</td>
      <td></td>
      <td class="wide"></td>
    </tr>`;
  }
  return games.map(
    (game, number) => html`<tr>
      <th scope="row">${number ? say("game-of", { number: number + 1 }) : button}</th>
      <td>${badge(game.verdict)}</td>
      <td>${game.ended || game.sheet ? game.winners.join(", ") : ""}</td>
      <td class="wide">${summary(game.findings)}</td>
    </tr>`,
  );
}
