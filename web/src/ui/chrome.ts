/** What surrounds every screen: the top, choices of the reader, messages, dialogs. */

import { html, nothing, type TemplateResult } from "lit-html";
import { LANGUAGES, say, spoken, type Language } from "../texts";
import type { App } from "./app";
import type { GameReport } from "./answers";
import { icon } from "./icons";

/** A moment in the language of the page; empty for none. */
export function when(time: number): string {
  return time ? new Intl.DateTimeFormat(spoken(), { dateStyle: "medium", timeStyle: "short" }).format(time) : "";
}

/** The verdict of a game, with a sign that does not depend on its colour. */
export function badge(verdict: GameReport["verdict"]): TemplateResult {
  const sign = verdict === "legal" ? "legal" : verdict === "illegal" ? "error" : "unknown";
  return html`<strong class="badge ${verdict.replace(" ", "-")}">${icon(sign)}<span>${say(verdict)}</span></strong>`;
}

export function top(app: App, middle: TemplateResult | typeof nothing = nothing): TemplateResult {
  return html`<header class="top">
    <a class="brand" href="#">${icon("legal")}<span>altay<span class="hidden-text">: ${say("home")}</span></span></a>
    <div class="middle">${middle}</div>
    <div class="reader">
      ${state(app)}
      <label class="iconic" title=${say("language")}>
        <span class="hidden-text">${say("language")}</span>${icon("globe")}
        <select @change=${(event: Event) => app.speak((event.target as HTMLSelectElement).value as Language)}>
          ${Object.entries(LANGUAGES).map(
            ([code, name]) => html`<option value=${code} ?selected=${code === spoken()}>${name}</option>`,
          )}
        </select>
      </label>
      <label class="iconic" title=${say("theme")}>
        <span class="hidden-text">${say("theme")}</span>${icon("moon")}
        <select @change=${(event: Event) => app.dress((event.target as HTMLSelectElement).value)}>
          ${(["auto", "light", "dark"] as const).map(
            (theme) => html`<option value=${theme} ?selected=${theme === app.theme}>${say(`theme-${theme}`)}</option>`,
          )}
        </select>
      </label>
    </div>
  </header>`;
}

/** Whether Python is loaded, and the page ready without a network. */
function state({ loaded, total, isReady, isOffline }: App): TemplateResult {
  if (isReady) {
    return html`<span class="state ready" title=${say(isOffline ? "ready-offline" : "ready")}>
      <i aria-hidden="true"></i><span>${say(isOffline ? "ready-offline" : "ready")}</span>
    </span>`;
  }
  const megabytes = (bytes: number): string => (bytes / 1e6).toFixed(1);
  const text = !total
    ? say("loading")
    : loaded < total
      ? say("loading-of", { loaded: megabytes(loaded), total: megabytes(total) })
      : say("starting");
  return html`<span class="state loading">
    <progress aria-label=${text} max=${total || 1} .value=${total ? loaded : 0}></progress><span>${text}</span>
  </span>`;
}

/** Messages: what went wrong stays until it is closed, what was done is only told. */
export function messages({ problem, told, close }: App): TemplateResult {
  return html`
    <div role="alert" class="alerts">
      ${problem
        ? html`<p class="alert">
            ${icon("warning")}<span>${problem}</span>
            <button class="iconic" aria-label=${say("cancel")} @click=${close}>${icon("close")}</button>
          </p>`
        : nothing}
    </div>
    <div role="status" class="told ${told ? "" : "hidden-text"}">${told}</div>
  `;
}

/** Ask before something is lost. */
export function question(app: App): TemplateResult {
  return html`<dialog id="question" aria-labelledby="question-text">
    <p id="question-text">${app.question?.text ?? ""}</p>
    <form method="dialog" class="buttons">
      <button class="danger" @click=${() => app.question?.act()}>${app.question?.label ?? ""}</button>
      <button>${say("cancel")}</button>
    </form>
  </dialog>`;
}
