/** The score sheet: who won and why, points by category, and how they were counted. */

import { html, nothing, type TemplateResult } from "lit-html";
import { say } from "../texts";
import type { GameReport, Sheet } from "./answers";
import { icon } from "./icons";

type Line = [level: number, text: string];

/** Points, or a sign for unrecorded ones. */
function shown(points: number | null | undefined): string {
  return points === null || points === undefined ? "?" : String(points);
}

/** The whole sheet of a game; a text where there are no scores. */
export function scoreSheet(game: GameReport): TemplateResult {
  const { sheet } = game;
  if (!sheet) {
    return html`<p class="empty">${say("no-scores")}</p>`;
  }
  return html`
    ${decision(sheet)} ${pointsTable(game, sheet)} ${proof(game, sheet)} ${outcomes(game)}
    ${sheet.players.some(({ lines }) => lines.length > 1) ? derivations(sheet) : nothing}
  `;
}

/** The result below a score pad, which has a table of its own. */
export function padResult(game: GameReport, sheet: Sheet): TemplateResult {
  return html`${decision(sheet)} ${proof(game, sheet)} ${outcomes(game)}`;
}

/** Who won and by what, and what that hangs on. */
function decision({ verdict, assumed, ties }: Sheet): TemplateResult {
  return html`<h2 class="verdict-line">${icon("crown")}<span>${verdict}</span></h2>
    ${[assumed, ...ties].filter(Boolean).map((text) => html`<p class="assumed">${text}</p>`)}`;
}

/** Categories below each other, a column for each player. */
function pointsTable(game: GameReport, sheet: Sheet): TemplateResult {
  const plays = new Map(sheet.players.map((player) => [player.player, player.plays]));
  const best = (name: string) => (game.winners.includes(name) ? "won" : "");
  const row = (title: string, cell: (row: GameReport["rows"][number]) => string, of = "") =>
    html`<tr class=${of}>
      <th scope="row">${title}</th>
      ${game.rows.map((points) => html`<td class=${best(points.player)}>${cell(points)}</td>`)}
    </tr>`;
  return html`<div class="scroll" role="group" aria-label=${say("scores")} tabindex="0">
    <table class="points">
      <thead>
        <tr>
          <td></td>
          ${game.rows.map(
            ({ player }) => html`<th scope="col" class=${best(player)}>
              ${player}${plays.get(player) ? html`<small>${plays.get(player)}</small>` : nothing}
            </th>`,
          )}
        </tr>
      </thead>
      <tbody>
        ${sheet.categories.map(({ id, title }) =>
          row(title, (points) => shown(points[id]), id === game.decided_by ? "decides" : ""),
        )}
        ${sheet.categories.length ? row(say("total"), ({ total }) => shown(total), "sum") : nothing}
        ${row(say("rank"), ({ rank }) => (rank === null ? "" : String(rank)), "rank")}
      </tbody>
    </table>
  </div>`;
}

/**
 * The tie-break as a proof: those with the most points, category by category, until one decides.
 * Categories stand in the order that breaks ties (docs/json.md); whoever differs from the winner in
 * one of them is out.
 */
function proof(game: GameReport, sheet: Sheet): TemplateResult | typeof nothing {
  const decisive = sheet.categories.findIndex(({ id }) => id === game.decided_by);
  const winner = game.rows.find(({ player }) => game.winners.includes(player));
  if (decisive < 0 || game.outcomes || !winner) {
    return nothing;
  }
  const tied = game.rows.filter(({ total }) => total === winner.total);
  const steps = [{ id: "total", title: say("total") }, ...sheet.categories.slice(0, decisive + 1)];
  const lines = new Map(sheet.players.map((player) => [player.player, player.lines]));
  const last = sheet.categories[decisive]?.title ?? "";
  let left = tied;
  const rows = steps.map(({ id, title }) => {
    const before = left;
    left = left.filter((row) => row[id] === winner[id]);
    const decides = id === game.decided_by;
    const how = decides ? say("proof-decides") : left.length === before.length ? say("proof-equal") : say("proof-left", { players: left.map(({ player }) => player).join(", ") });
    const cell = (row: GameReport["rows"][number]) =>
      html`<td class=${!before.includes(row) ? "out" : decides && game.winners.includes(row.player) ? "won" : ""}>${shown(row[id])}</td>`;
    return html`<tr class=${decides ? "decides" : ""}>
      <th scope="row">${title}</th>
      ${tied.map(cell)}
      <td class="how">${how}</td>
    </tr>`;
  });
  const derived = tied.map(({ player }) => ({ player, part: category(lines.get(player) ?? [], last) }));
  return html`<section class="proof">
    <h3>${say("proof")}</h3>
    <div class="scroll" role="group" aria-label=${say("proof")} tabindex="0">
      <table>
        <thead>
          <tr>
            <td></td>
            ${tied.map(({ player }) => html`<th scope="col">${player}</th>`)}
            <td></td>
          </tr>
        </thead>
        <tbody>
          ${rows}
        </tbody>
      </table>
    </div>
    ${derived.some(({ part }) => part.length > 1)
      ? html`<div class="columns">
          ${derived.map(({ player, part }) => html`<div><h4>${player}</h4>${listed(part)}</div>`)}
        </div>`
      : nothing}
  </section>`;
}

/** The results that are possible if something decisive is not recorded. */
function outcomes({ outcomes: all, outcomes_complete: complete, totals, rows }: GameReport): TemplateResult | typeof nothing {
  if (!all) {
    return nothing;
  }
  const players = rows.map(({ player }) => player);
  return html`<section class="outcomes">
    <h3>${say("outcomes")}</h3>
    <p>${say("outcomes-about")}</p>
    <div class="scroll" role="group" aria-label=${say("outcomes")} tabindex="0">
      <table>
        <thead>
          <tr>
            <th scope="col" class="text">${say("if")}</th>
            ${players.map((player) => html`<th scope="col">${player}</th>`)}
            <th scope="col" class="text">${say("winner")}</th>
          </tr>
        </thead>
        <tbody>
          ${all.slice(0, 100).map(
            ({ assumed, scores, winners }) => html`<tr>
              <th scope="row" class="text">${assumed.join("; ")}</th>
              ${players.map((player) => html`<td class=${winners.includes(player) ? "won" : ""}>${shown(scores[player]?.total)}</td>`)}
              <td class="text">${winners.join(", ")}</td>
            </tr>`,
          )}
          ${totals
            ? html`<tr class="sum">
                <th scope="row" class="text">${say("totals-within")}</th>
                ${players.map((player) => html`<td>${interval(totals[player])}</td>`)}
                <td></td>
              </tr>`
            : nothing}
        </tbody>
      </table>
    </div>
    ${complete === false || all.length > 100 ? html`<p>${say("outcomes-more")}</p>` : nothing}
  </section>`;
}

function interval(bounds: [number, number] | undefined): string {
  return bounds === undefined ? "" : bounds[0] === bounds[1] ? String(bounds[0]) : `${bounds[0]}–${bounds[1]}`;
}

/** How the points of each player were counted. */
function derivations(sheet: Sheet): TemplateResult {
  return html`<section class="derivation">
    <h3>${say("derivation")}</h3>
    ${sheet.players.map(
      ({ player, lines }) => html`<details>
        <summary>${say("counted", { player })}</summary>
        ${listed(lines)}
      </details>`,
    )}
  </section>`;
}

function listed(lines: Line[]): TemplateResult {
  return html`<ul>
    ${lines.map(([level, text]) => html`<li class="level-${level}">${text}</li>`)}
  </ul>`;
}

/** The lines of one category of a derivation. */
function category(lines: Line[], title: string): Line[] {
  const start = lines.findIndex(([level, text]) => level === 1 && text.startsWith(`${title}:`));
  const length = lines.slice(start + 1).findIndex(([level]) => level < 2);
  return start < 0 ? [] : lines.slice(start, length < 0 ? undefined : start + 1 + length);
}
