/** Findings: in the list beside the log, and between its lines. */

import { html, nothing, type TemplateResult } from "lit-html";
import { count, say } from "../texts";
import type { Finding, Fix } from "./answers";
import { icon } from "./icons";

/** What a finding can do. */
export interface FindingActions {
  go(place: { line: number; column: number }): void;
  fix(fixes: Fix[]): void;
  /** Make the first fix of a line; false if it has none. */
  fixAt(line: number): boolean;
  why(line: number): void;
  /** What a fix does: a text of the page, and the part of the log in it. */
  preview(fix: Fix): { does: "fix" | "fix-insert" | "fix-delete"; text: string };
}

/** The form of a card: in the list, between the lines, or at the pointer. */
type Form = "list" | "inline" | "hint";

/** A finding with its rule, its page, what would have been legal, related places and fixes. */
export function findingCard(finding: Finding, actions: FindingActions, form: Form): TemplateResult {
  const { severity, message, rule, cited, ruling, help, related = [], fixes } = finding;
  const place = html`<button class="place" @click=${() => actions.go(finding)}>
    ${say("line", { line: finding.line })}
  </button>`;
  return html`<article class="finding ${severity}">
    <p class="message">
      <strong class="severity">${icon(severity)}<span>${say(severity)}</span></strong>
      ${form === "list" ? place : nothing}
      <span>${message}</span>
      <code>${rule}</code>
    </p>
    ${help.map((line) => html`<p class="help">${line}</p>`)}
    ${cited ? html`<p class="cited">${icon("book")}${say("see")}: ${cited}</p>` : nothing}
    ${ruling ? html`<p class="cited">${say("ruling")}: <code>${ruling}</code></p>` : nothing}
    ${related.map(
      (other) => html`<p class="related">
        <button class="place" @click=${() => actions.go(other)}>${say("line", { line: other.line })}</button>
        ${other.message}
      </p>`,
    )}
    <p class="fixes">
      ${fixes.map((fix) => fixButton(fix, actions))}
      ${form === "hint" || severity !== "error"
        ? nothing
        : html`<button class="quiet" @click=${() => actions.why(finding.line)}>${say("why")}</button>`}
    </p>
  </article>`;
}

function fixButton(fix: Fix, actions: FindingActions): TemplateResult {
  const { does, text } = actions.preview(fix);
  return html`<button class="fix ${fix.certain ? "certain" : ""}" @click=${() => actions.fix([fix])}>
    ${icon("wand")}<span>${say(does, { text })}</span>${fix.certain ? nothing : html` <small>${say("guess")}</small>`}
  </button>`;
}

/** The list of all findings, with the fixes that are certain as one button. */
export function findingList(findings: Finding[], actions: FindingActions): TemplateResult {
  const certain = findings.flatMap(({ fixes }) => fixes.slice(0, 1).filter((fix) => fix.certain));
  return html`
    ${certain.length > 1
      ? html`<p class="all-fixes">
          <button class="fix certain" @click=${() => actions.fix(certain)}>
            ${icon("wand")}<span>${say("fix-all", { count: certain.length })}</span>
          </button>
        </p>`
      : nothing}
    <ul class="findings">
      ${findings.slice(0, 1000).map((finding) => html`<li>${findingCard(finding, actions, "list")}</li>`)}
    </ul>
  `;
}

/** How many findings of each kind there are, in words. */
export function summary(findings: Finding[]): string {
  return (["error", "warning", "note"] as const)
    .map((of) => [of, findings.filter(({ severity }) => severity === of).length] as const)
    .filter(([, number]) => number)
    .map(([of, number]) => count(of, number))
    .join(", ");
}
