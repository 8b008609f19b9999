/** The start page: what this is, samples, and what is kept on this device. */

import { html, nothing, type TemplateResult } from "lit-html";
import { say } from "../texts";
import type { GameInfo } from "./answers";
import type { App } from "./app";
import { icon } from "./icons";
import { when } from "./chrome";

export function startView(app: App): TemplateResult {
  return html`<main class="start" id="main">
    <section class="hero">
      <h1>${say("claim")}</h1>
      <p>${say("about")}</p>
      <p class="private">${icon("lock")}${say("private")}</p>
    </section>
    <div class="column">
    <section class="card opening">
      <h2><label for="paste">${say("paste")}</label></h2>
      <textarea id="paste" rows="6" spellcheck="false" autocapitalize="off" @input=${(event: Event) => pasted(app, event)}></textarea>
      <div class="buttons">
        <button class="primary" @click=${() => app.write("")}>${icon("new")}${say("new")}</button>
        <label class="button">
          ${icon("open")}${say("open")}
          <input class="hidden-text" type="file" multiple accept=".agn,.txt,.log,.yaml,.yml,.zip" @change=${(event: Event) => picked(app, event)} />
        </label>
        <label class="button">
          ${icon("folder")}${say("open-folder")}
          <input class="hidden-text" type="file" webkitdirectory @change=${(event: Event) => picked(app, event)} />
        </label>
      </div>
      <p class="soft">${say("paste-hint")}</p>
    </section>
    ${drafts(app)}
    </div>
    <div class="column">
    <section class="card pad-card">
      <h2>${say("pad")}</h2>
      <p>${say("pad-about")}</p>
      <div class="buttons"><a class="button" href="#pad">${icon("pad")}${say("pad")}</a></div>
    </section>
    ${samples(app)}
    </div>
  </main>`;
}

/** A text that is pasted is opened at once; one that is typed, with the button below. */
function pasted(app: App, event: Event): void {
  const box = event.target as HTMLTextAreaElement;
  if ((event as InputEvent).inputType !== "insertText" && box.value.trim()) {
    const text = box.value;
    box.value = "";
    void app.write(text);
  }
}

function picked(app: App, event: Event): void {
  const input = event.target as HTMLInputElement;
  if (input.files?.length) {
    void app.openChosen(input.files);
    input.value = "";
  }
}

function samples(app: App): TemplateResult | typeof nothing {
  const games = (app.games ?? []).filter((game) => game.samples.length);
  if (app.games === null) {
    return html`<section class="card samples">
      <h2>${say("samples")}</h2>
      <p class="soft">${say(app.isReady ? "checking" : "loading")} …</p>
    </section>`;
  }
  if (!games.length) {
    return nothing;
  }
  const button = (sample: GameInfo["samples"][number], title: string) =>
    html`<li>
      <button @click=${() => app.openSample(sample)}>${icon("log")}<span>${title}</span></button>
    </li>`;
  // A game with one sample needs no heading.
  const [several, single] = [games.filter((game) => game.samples.length > 1), games.filter((game) => game.samples.length === 1)];
  return html`<section class="card samples">
    <h2>${say("samples")}</h2>
    ${several.map(
      (game) => html`<h3>${game.title}</h3>
        <ul class="choices">${game.samples.map((sample) => button(sample, sample.title))}</ul>`,
    )}
    ${single.length
      ? html`<hr />
          <ul class="choices">${single.map((game) => game.samples.map((sample) => button(sample, game.title)))}</ul>`
      : nothing}
  </section>`;
}

function drafts(app: App): TemplateResult {
  const drafts = app.drafts.all;
  return html`<section class="card drafts">
    <h2>${say("drafts")}</h2>
    ${drafts.length ? nothing : html`<p class="soft">${say(app.drafts.areKept ? "drafts-none" : "not-kept")}</p>`}
    <ul>
      ${drafts.map(
        (draft) => html`<li>
          <a href="#draft=${draft.id}">
            <strong>${draft.name || say("untitled")}</strong>
            <small>${when(draft.changed)} · ${say(draft.saved ? (draft.saved < draft.changed ? "saved-changed" : "saved-at") : "never-saved", { time: when(draft.saved) })}</small>
          </a>
          <button class="iconic" aria-label=${say("delete-one", { name: draft.name || say("untitled") })} @click=${() => app.drafts.drop(draft.id)}>
            ${icon("trash")}
          </button>
        </li>`,
      )}
    </ul>
    ${drafts.length || app.pad.isKept
      ? html`<div class="buttons">
          <button class="danger" @click=${() => app.askToClear()}>${icon("trash")}${say("delete-all")}</button>
        </div>`
      : nothing}
  </section>`;
}
