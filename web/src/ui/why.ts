/** Why a line is legal or not: each requirement with its values and its page. */

import { html, nothing, type TemplateResult } from "lit-html";
import { say, type Key } from "../texts";
import type { Requirement, WhyAnswer, WhyStatement } from "./answers";
import { findingCard, type FindingActions } from "./findings";
import { icon, type Icon } from "./icons";

const VERDICTS: Record<WhyStatement["verdict"], [Key, Icon]> = {
  legal: ["why-legal", "legal"],
  illegal: ["why-illegal", "error"],
  undecided: ["why-unknown", "unknown"],
  "not judged": ["not judged", "unknown"],
};

export function whyView(answer: WhyAnswer | null, line: number, actions: FindingActions): TemplateResult {
  if (answer === null) {
    return html`<p class="empty">${say("why-ask")}</p>`;
  }
  const { about, statements, findings } = answer;
  return html`<h2>${say("line", { line })}</h2>
    ${statements.length ? nothing : nothingToExplain(about)}
    ${statements.map((statement) => explained(statement, actions))}
    ${findings.map((finding) => findingCard(finding, actions, "hint"))}`;
}

/** A line without a statement: what it is, with names in backticks as code, and what to do. */
function nothingToExplain(about: string): TemplateResult {
  const parts = (about || say("why-none")).split("`");
  return html`<p>${parts.map((part, number) => (number % 2 ? html`<code>${part}</code>` : part))}</p>
    <p class="soft">${say("why-ask")}</p>`;
}

function explained(statement: WhyStatement, actions: FindingActions): TemplateResult {
  const { text, verdict, about, title, cited, why, read_as: readAs, meanings, requirements, changes } = statement;
  const [key, sign] = VERDICTS[verdict] ?? VERDICTS["not judged"];
  return html`<section class="why">
    <h3>
      <code>${text}</code>
      <strong class="badge ${verdict.replace(" ", "-")}">${icon(sign)}${say(key)}</strong>
    </h3>
    <p class="soft">${[title ?? about, cited].filter(Boolean).join(" · ")}</p>
    ${why ? html`<p class="assumed">${why}</p>` : nothing}
    ${readAs ? html`<p>${say("why-read-as")} <code>${readAs}</code></p>` : nothing}
    ${pairs(meanings)}
    <ol class="requirements">
      ${[...requirements.filter(({ holds }) => holds !== true), ...requirements.filter(({ holds }) => holds)].map(requirement)}
    </ol>
    ${changes.length ? html`<h4>${say("why-changes")}</h4>${pairs(changes)}` : nothing}
    ${statement.possible?.length
      ? html`<h4>${say("why-possible")}</h4>
          <ul class="possible">${statement.possible.map((move) => html`<li><code>${move}</code></li>`)}</ul>`
      : nothing}
    ${statement.findings.map((finding) => findingCard(finding, actions, "hint"))}
  </section>`;
}

function requirement({ id, text, holds, values, condition, cited, ruling }: Requirement): TemplateResult {
  const [of, key, sign]: [string, Key, Icon] =
    holds === null ? ["open", "open-holds", "unknown"] : holds ? ["holds", "holds", "legal"] : ["fails", "fails", "error"];
  return html`<li class=${of}>
    <p class="message">
      ${icon(sign)}<span class="hidden-text">${say(key)}: </span><span>${text}</span> <code>${id}</code>
    </p>
    ${pairs(values)} ${condition ? html`<p class="condition"><code>${condition}</code></p>` : nothing}
    ${cited ? html`<p class="cited">${icon("book")}${say("see")}: ${cited}</p>` : nothing}
    ${ruling ? html`<p class="cited">${say("ruling")}: <code>${ruling}</code></p>` : nothing}
  </li>`;
}

function pairs(all: [name: string, text: string][]): TemplateResult | typeof nothing {
  return all.length
    ? html`<dl class="pairs">
        ${all.map(([name, text]) => html`<div><dt>${name}</dt><dd>${text}</dd></div>`)}
      </dl>`
    : nothing;
}
