/** Why a line is legal or not: each requirement with its values and its page. */

import { html, nothing, type TemplateResult } from "lit-html";
import { say } from "../texts";
import type { WhyAnswer, WhyStatement } from "./answers";
import { icon } from "./icons";

export function whyView(answer: WhyAnswer | null, line: number): TemplateResult {
  if (answer === null) {
    return html`<p class="empty">${say("why-ask")}</p>`;
  }
  if (!answer.statements.length) {
    return html`<h2>${say("line", { line })}</h2>
      <p class="empty">${say("why-none")}</p>`;
  }
  return html`<h2>${say("line", { line })}</h2>
    ${answer.statements.map(statement)}`;
}

function statement({ text, legal, title, requirements }: WhyStatement): TemplateResult {
  return html`<section class="why ${legal ? "legal" : "illegal"}">
    <h3>
      <code>${text}</code>
      <strong class="badge ${legal ? "legal" : "illegal"}">${icon(legal ? "legal" : "error")}${say(legal ? "why-legal" : "why-illegal")}</strong>
    </h3>
    ${title ? html`<p class="soft">${title}</p>` : nothing}
    <ol class="requirements">
      ${requirements.map(
        ({ id, text: message, holds, values, cited }) => html`<li class=${holds ? "holds" : "fails"}>
          <p class="message">
            ${icon(holds ? "legal" : "error")}<span class="hidden-text">${say(holds ? "holds" : "fails")}: </span>
            <span>${message}</span> <code>${id}</code>
          </p>
          ${values.length
            ? html`<dl>
                ${values.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}
              </dl>`
            : nothing}
          ${cited ? html`<p class="cited">${icon("book")}${say("see")}: ${cited}</p>` : nothing}
        </li>`,
      )}
    </ol>
  </section>`;
}
