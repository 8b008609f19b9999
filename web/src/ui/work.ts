/** A log that is open: the editor, and beside it findings, scores, replay, and why. */

import { html, nothing, type TemplateResult } from "lit-html";
import { say } from "../texts";
import type { Finding, GameReport, RulesAnswer } from "./answers";
import type { App } from "./app";
import { badge, when } from "./chrome";
import { findingList, summary } from "./findings";
import { icon, type Icon } from "./icons";
import { scoreSheet } from "./scores";
import { whyView } from "./why";

export const TABS = ["findings", "scores", "replay", "why"] as const;
export type Tab = (typeof TABS)[number] | "log";

const SIGNS: Record<Tab, Icon> = { log: "log", findings: "list", scores: "crown", replay: "play", why: "unknown" };

/** What stands in the middle of the top: the name of the log, and the verdict. */
export function workTop(app: App): TemplateResult {
  const { open, report } = app;
  const game = app.game;
  return html`<label class="doc-name">
      <span class="hidden-text">${say("name")}</span>
      <input .value=${open?.name ?? ""} placeholder=${say("untitled")} maxlength="120" @change=${(event: Event) => app.rename((event.target as HTMLInputElement).value)} />
    </label>
    <span class="verdict" aria-live="polite">
      ${game ? badge(game.verdict) : nothing}
      ${game?.recorded === "partly" ? html`<small>${say("unrecorded")}</small>` : nothing}
      ${app.isChecking ? html`<small class="checking">${say("checking")} …</small>` : nothing}
    </span>
    ${report && report.games.length > 1 ? gameChoice(app, report.games) : nothing}`;
}

function gameChoice(app: App, games: GameReport[]): TemplateResult {
  const title = ({ tags }: GameReport, number: number): string => {
    const named = [tags["Event"], tags["Date"]].filter((tag) => typeof tag === "string" && tag).join(", ");
    return `${number + 1}. ${named || say("game-of", { number: number + 1 })}`;
  };
  return html`<label>
    <span class="hidden-text">${say("game")}</span>
    <select class="game" @change=${(event: Event) => app.choose(Number((event.target as HTMLSelectElement).value))}>
      ${games.map((game, number) => html`<option value=${number} ?selected=${number === app.number}>${title(game, number)}</option>`)}
    </select>
  </label>`;
}

export function workView(app: App): TemplateResult {
  const isRules = app.open?.kind === "rules";
  const tabs = isRules ? (["findings"] as const) : TABS;
  const tab = tabs.some((name) => name === app.tab) ? app.tab : app.tab === "log" ? "log" : "findings";
  return html`<main class="work ${tab === "log" ? "at-log" : "at-panel"}" id="main">
      <h1 class="hidden-text">${app.open?.name || say("untitled")}</h1>
      <section class="log-pane" aria-label=${say("log")}>
        <div class="tools">
          <span class="kept" title=${kept(app)}><span>${kept(app)}</span></span>
          ${beside(app)}
          <button class="tool" title=${say("copy-link")} @click=${() => app.copyLink()}>${icon("link")}<span>${say("copy-link")}</span></button>
          <button class="tool" title=${say("save")} @click=${() => app.save()}>${icon("save")}<span>${say("save")}</span></button>
        </div>
        ${app.editor.host}
      </section>
      <section class="panel" aria-label=${say(tab === "log" ? "findings" : tab)}>
        <div class="tabs" role="tablist" aria-label=${say("parts")} @keydown=${(event: KeyboardEvent) => arrow(app, event, tabs)}>
          ${tabs.map((name) => tabButton(app, name, tab === "log" ? "findings" : tab))}
        </div>
        <div class="panel-body at-${tab === "log" ? "findings" : tab}" id="panel" role="tabpanel" tabindex="0" aria-labelledby="tab-${tab === "log" ? "findings" : tab}">
          ${isRules ? rulesPanel(app) : panel(app, tab === "log" ? "findings" : tab)}
        </div>
      </section>
    </main>
    <nav class="bottom" aria-label=${say("parts")}>
      ${(["log", ...tabs] as Tab[]).map(
        (name) => html`<button aria-pressed=${name === tab} @click=${() => app.turnTo(name)}>
          ${icon(SIGNS[name])}<span>${say(name)}${name === "findings" ? counted(app.findings) : nothing}</span>
        </button>`,
      )}
    </nav>`;
}

function tabButton(app: App, name: Tab, tab: Tab): TemplateResult {
  return html`<button
    role="tab"
    id="tab-${name}"
    aria-controls="panel"
    aria-selected=${name === tab}
    tabindex=${name === tab ? 0 : -1}
    @click=${() => app.turnTo(name)}
  >
    ${icon(SIGNS[name])}<span>${say(name)}</span>${name === "findings" ? counted(app.findings) : nothing}
  </button>`;
}

/** Arrows go from tab to tab, as the pattern of tabs says. */
function arrow(app: App, event: KeyboardEvent, tabs: readonly Tab[]): void {
  const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
  if (step) {
    const at = tabs.indexOf(app.tab === "log" ? "findings" : app.tab);
    app.turnTo(tabs[(at + step + tabs.length) % tabs.length] ?? "findings");
    event.preventDefault();
    document.querySelector<HTMLElement>("[role=tab][aria-selected=true]")?.focus();
  }
}

function counted(findings: Finding[]): TemplateResult | typeof nothing {
  const errors = findings.filter(({ severity }) => severity === "error").length;
  const shown = errors || findings.length;
  return shown
    ? html` <b class="count ${errors ? "error" : "other"}">${shown}<span class="hidden-text"> (${summary(findings)})</span></b>`
    : nothing;
}

/** When the log was last saved as a file. */
function kept({ open, drafts }: App): string {
  if (!open?.saved) {
    return say(drafts.areKept ? "never-saved" : "not-kept");
  }
  return say(open.saved < open.changed ? "saved-changed" : "saved-at", { time: when(open.saved) });
}

function beside({ open }: App): TemplateResult | typeof nothing {
  const names = Object.keys(open?.files ?? {});
  return names.length ? html`<small class="beside">${say("beside", { names: names.join(", ") })}</small>` : nothing;
}

function panel(app: App, tab: Tab): TemplateResult {
  const { game } = app;
  switch (tab) {
    case "scores":
      return game ? scoreSheet(game) : empty(app);
    case "replay":
      return html`${app.replay ? nothing : html`<p class="empty">${say(app.isReplaying ? "replay-loading" : "replay-none")}</p>`}
      ${app.pane.host}`;
    case "why":
      return html`${app.isExplaining && app.why?.line !== app.asked
        ? html`<p class="empty">${say("checking")} …</p>`
        : whyView(app.why, app.asked, app.actions)}`;
    default:
      return app.findings.length || !app.report ? findings(app) : fine(app);
  }
}

function findings(app: App): TemplateResult {
  if (!app.report) {
    return empty(app);
  }
  return html`<p class="summary">
      <span>${summary(app.findings)}</span>
    </p>
    ${findingList(app.findings, app.actions)}`;
}

function empty(app: App): TemplateResult {
  if (app.editor.text.trim() && app.isReady && !app.isChecking) {
    return html`<div class="buttons"><button @click=${() => app.ask()}>${icon("again")}${say("again")}</button></div>`; // it was stopped
  }
  const text = !app.isReady ? say("loading") : app.isChecking ? say("checking") : "";
  return html`<p class="empty">${text ? `${text} …` : say("no-text")}</p>`;
}

function fine({ report }: App): TemplateResult {
  const legal = report?.games.length && report.games.every(({ verdict }) => verdict === "legal");
  return html`<p class="empty ${legal ? "fine" : ""}">${legal ? icon("legal") : nothing}${say(legal ? "no-findings" : "no-text")}</p>`;
}

function rulesPanel(app: App): TemplateResult {
  const { rules, isChecking } = app;
  return html`
    <div class="buttons">
      ${isChecking
        ? html`<button class="danger" @click=${() => app.stop()}>${icon("stop")}${say("stop")}</button>`
        : html`<button @click=${() => app.checkRules()}>${icon("again")}${say("again")}</button>`}
    </div>
    ${isChecking ? html`<p class="soft">${say("rules-running")}</p>` : nothing}
    ${rules ? problems(app, rules) : nothing}
  `;
}

function problems(app: App, { files }: RulesAnswer): TemplateResult {
  const all = files.flatMap((file) => file.problems);
  const errors = files.flatMap(({ error, path }) => (error ? [`${path}: ${error}`] : []));
  return html`
    <h2>${say("rules-check")}</h2>
    ${errors.map((error) => html`<p class="alert">${icon("warning")}<span>${error}</span></p>`)}
    ${all.length || errors.length ? nothing : html`<p class="empty fine">${icon("legal")}${say("rules-ok")}</p>`}
    <ul class="findings">
      ${all.map(
        (problem) => html`<li>
          <article class="finding ${problem.severity}">
            <p class="message">
              <strong class="severity">${icon(problem.severity)}<span>${say(problem.severity)}</span></strong>
              <button class="place" @click=${() => app.actions.go(problem)}>${say("line", { line: problem.line })}</button>
              <span>${problem.message}</span> <code>${problem.rule}</code>
            </p>
            ${problem.help.map((line) => html`<p class="help">${line}</p>`)}
            <p class="cited">${say(problem.by === "playing" ? "by-playing" : "by-reading")}</p>
          </article>
        </li>`,
      )}
    </ul>
  `;
}
