/** The score pad: a column for each player, categories from the rules, ranked as points are entered. */

import { html, nothing, type TemplateResult } from "lit-html";
import type { PadColumn, Request } from "../protocol";
import { say } from "../texts";
import type { GameInfo, GameReport, PadCategory } from "./answers";
import type { App } from "./app";
import { icon } from "./icons";
import { padResult } from "./scores";

/** What was entered; points as they were typed. */
export interface Pad {
  game: string;
  event: string;
  date: string;
  players: { name: string; points: Record<string, string> }[];
}

/** An empty sheet for a game. */
export function emptyPad(game: GameInfo): Pad {
  const date = new Date().toLocaleDateString("sv").replaceAll("-", ".");
  const players = Array.from({ length: Math.max(game.seats.least, 2) }, () => ({ name: "", points: {} }));
  return { game: game.id, event: "", date, players };
}

/** The request for the log of a sheet; null until two players have points. */
export function padRequest(pad: Pad): Extract<Request, { kind: "pad" }> | null {
  const points: PadColumn[] = pad.players
    .map(({ name, points }, index) => ({ player: nameOf(name, index), points: numbers(points) }))
    .filter(({ points }) => Object.keys(points).length);
  const tags = { ...(pad.event ? { Event: pad.event } : {}), ...(pad.date ? { Date: pad.date } : {}) };
  return points.length < 2 ? null : { kind: "pad", game: pad.game, tags, points };
}

function nameOf(name: string, index: number): string {
  return name.trim() || say("pad-player", { number: index + 1 }).replaceAll(" ", "");
}

function numbers(points: Record<string, string>): Record<string, number> {
  const entries = Object.entries(points).map(([id, typed]) => [id, Number.parseInt(typed, 10)] as const);
  return Object.fromEntries(entries.filter(([, value]) => Number.isSafeInteger(value)));
}

export function padView(app: App): TemplateResult {
  const games = app.games ?? [];
  const pad = app.pad.sheet;
  const game = games.find(({ id }) => id === pad?.game);
  if (!pad || !game) {
    return html`<main class="pad" id="main">
      <h1>${say("pad")}</h1>
      <p class="empty">${say(app.isReady ? "checking" : "loading")} …</p>
    </main>`;
  }
  const report = app.pad.report;
  return html`<main class="pad" id="main">
    <header class="no-print">
      <h1>${say("pad")}</h1>
      <div class="buttons">
        <button @click=${() => app.pad.open()} ?disabled=${!app.pad.text}>${icon("log")}${say("pad-open")}</button>
        <button @click=${() => window.print()}>${icon("print")}${say("pad-print")}</button>
        <button @click=${() => app.pad.askToClear()}>${icon("new")}${say("pad-clear")}</button>
      </div>
    </header>
    <section class="card about-pad">
      <label>
        ${say("pad-game")}
        <select @change=${(event: Event) => app.pad.choose((event.target as HTMLSelectElement).value)}>
          ${games.map(({ id, title }) => html`<option value=${id} ?selected=${id === game.id}>${title}</option>`)}
        </select>
      </label>
      <label>${say("pad-event")} <input .value=${pad.event} @input=${edit(app, (text) => (pad.event = text))} /></label>
      <label>${say("pad-date")} <input .value=${pad.date} @input=${edit(app, (text) => (pad.date = text))} /></label>
    </section>
    ${game.categories.length ? sheet(app, pad, game) : html`<p class="empty">${say("pad-none")}</p>`}
    <section class="card result" aria-live="polite">
      ${report?.sheet ? padResult(report, report.sheet) : html`<p class="empty">${say("pad-empty")}</p>`}
      ${report?.findings.length
        ? html`<ul class="findings">
            ${report.findings.map(
              ({ severity, message, rule, cited, help }) => html`<li>
                <article class="finding ${severity}">
                  <p class="message">
                    <strong class="severity">${icon(severity)}<span>${say(severity)}</span></strong>
                    <span>${message}</span> <code>${rule}</code>
                  </p>
                  ${help.map((line) => html`<p class="help">${line}</p>`)}
                  ${cited ? html`<p class="cited">${icon("book")}${say("see")}: ${cited}</p>` : nothing}
                </article>
              </li>`,
            )}
          </ul>`
        : nothing}
    </section>
  </main>`;
}

/** Call `set` with what is typed, and count again. */
function edit(app: App, set: (text: string) => void): (event: Event) => void {
  return (event) => {
    set((event.target as HTMLInputElement).value);
    app.pad.changed();
  };
}

function sheet(app: App, pad: Pad, game: GameInfo): TemplateResult {
  const rows = rowsOf(app.pad.report);
  const limits = (category: PadCategory): string => {
    const { values, least, most } = category;
    if (values?.length) {
      return values.join(", ");
    }
    if (most === null) {
      return least === null ? "" : say("pad-least", { least });
    }
    return say("pad-range", { least: least ?? "", most });
  };
  return html`<section class="card sheet">
    <div class="scroll" role="group" aria-label=${say("pad")} tabindex="0">
      <table>
        <thead>
          <tr>
            <th scope="col"><span class="hidden-text">${say("category")}</span></th>
            ${pad.players.map(
              (player, index) => html`<th scope="col">
                <input
                  class="player"
                  aria-label=${say("pad-player", { number: index + 1 })}
                  placeholder=${say("pad-player", { number: index + 1 })}
                  maxlength="40"
                  .value=${player.name}
                  @input=${edit(app, (text) => (player.name = text))}
                />
              </th>`,
            )}
          </tr>
        </thead>
        <tbody>
          ${game.categories.map((category) => {
            const range = limits(category);
            return html`<tr>
              <th scope="row" title=${category.because ?? ""}>${category.title}${range ? html`<small>${range}</small>` : nothing}</th>
              ${pad.players.map(
                (player, index) => html`<td>
                  <input
                    inputmode="numeric"
                    autocomplete="off"
                    maxlength="6"
                    aria-label=${say("pad-cell", { category: category.title, player: nameOf(player.name, index) })}
                    .value=${player.points[category.id] ?? ""}
                    @input=${edit(app, (text) => (player.points[category.id] = text.replace(/[^\d-]/g, "")))}
                  />
                </td>`,
              )}
            </tr>`;
          })}
          <tr class="sum">
            <th scope="row">${say("total")}</th>
            ${pad.players.map((player, index) => html`<td>${rows.get(nameOf(player.name, index))?.total ?? ""}</td>`)}
          </tr>
          <tr class="rank">
            <th scope="row">${say("rank")}</th>
            ${pad.players.map((player, index) => html`<td>${rows.get(nameOf(player.name, index))?.rank ?? ""}</td>`)}
          </tr>
        </tbody>
      </table>
    </div>
    <div class="buttons no-print">
      ${pad.players.length < game.seats.most
        ? html`<button @click=${() => app.pad.seat(1)}>${icon("add")}${say("pad-add")}</button>`
        : nothing}
      ${pad.players.length > Math.max(game.seats.least, 2)
        ? html`<button @click=${() => app.pad.seat(-1)}>
            ${icon("close")}${say("pad-remove", { player: nameOf(pad.players.at(-1)?.name ?? "", pad.players.length - 1) })}
          </button>`
        : nothing}
    </div>
  </section>`;
}

function rowsOf(report: GameReport | null): Map<string, GameReport["rows"][number]> {
  return new Map((report?.rows ?? []).map((row) => [row.player, row]));
}
