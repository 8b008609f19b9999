// The log: its lines as they were written, with the findings at their places.

import { find, make, say } from "./dom.js";

const STATEMENT = 1;
const COMMENT = 2;
const SIGNS = { error: "✖", warning: "▲", note: "●" };

/** The list of the log's lines. */
export class Log {
  constructor(game, go, prefix) {
    this.game = game;
    this.go = go;
    this.prefix = prefix;
    this.veiled = [];
    this.links = new Map();
    this.findings = [];
    const lines = new Map();
    const list = make("ol", { class: "lines" });
    for (const [line, ...segments] of game.data.log) {
      const row = this.#row(line, segments);
      lines.set(line, row);
      list.append(row);
    }
    for (const finding of [...game.data.findings].reverse()) {
      const entry = this.#finding(finding);
      const near = lines.get(finding.line);
      if (near) {
        near.after(entry);
      } else {
        list.append(entry);
      }
      this.findings.unshift({ ...finding, entry });
    }
    this.box = find("log");
    this.box.replaceChildren(list);
    this.at = -1;
    this.#count();
    this.reveal();
  }

  #row(line, segments) {
    const row = make("li", { class: "row" }, make("span", { class: "number" }, String(line)));
    const text = make("span", { class: "text" });
    let open = false;
    for (const [index, [kind, moment, owner, ...pieces]] of segments.entries()) {
      open ||= kind === STATEMENT;
      const parts = pieces.map((piece) => this.#piece(piece, owner));
      if (kind === STATEMENT && moment >= 0) {
        const link = make("a", { class: "line", "data-step": moment + 1 }, ...parts);
        link.href = `${this.prefix}${encodeURIComponent(this.game.slugs[moment + 1])}`;
        this.links.set(moment + 1, [...(this.links.get(moment + 1) ?? []), link]);
        text.append(link);
      } else {
        const name = kind === COMMENT ? "comment" : kind === STATEMENT ? "statement" : "other";
        // What is lined up in a wide file need not be so in a narrow column.
        const gap = index && segments[index + 1]?.[0] === COMMENT;
        text.append(make("span", { class: gap ? "gap" : name }, ...parts));
      }
    }
    if (!open) {
      row.classList.add("aside");
    }
    row.append(text);
    return row;
  }

  #piece(piece, owner) {
    if (!Array.isArray(piece)) {
      return piece;
    }
    const [text, veil] = piece;
    const part = make("span", { class: "private" }, text);
    this.veiled.push({ part, text, veil, owner });
    return part;
  }

  #finding({ severity, rule, message, gist, cite, help = [] }) {
    const told = make("span", { class: "message" }, message ?? gist);
    if (message !== undefined) {
      this.veiled.push({ part: told, text: message, veil: gist, owner: -1 });
    }
    const more = help.map((line) => make("span", { class: "more private-only" }, line));
    return make(
      "li",
      { class: `finding ${severity}`, tabindex: -1 },
      make("strong", {}, `${SIGNS[severity]} ${say(severity)}: `),
      told,
      " ",
      make("code", {}, rule),
      ...more,
      ...(cite ? [make("span", { class: "more" }, `${say("see")}: ${cite}`)] : []),
    );
  }

  #count() {
    const counts = ["error", "warning", "note"]
      .map((severity) => [severity, this.findings.filter((one) => one.severity === severity).length])
      .filter(([, count]) => count)
      .map(([severity, count]) => `${SIGNS[severity]} ${say(severity)}: ${count}`);
    find("found").textContent = `${say("findings")}: ${counts.join(", ") || say("none")}`;
    for (const id of ["previous", "next"]) {
      find(id).disabled = !this.findings.length;
    }
  }

  /** Show of each line what the viewer knows. */
  reveal() {
    const { viewer } = this.game;
    const partial = viewer !== null;
    this.box.classList.toggle("partial", partial);
    for (const { part, text, veil, owner } of this.veiled) {
      part.textContent = partial && owner !== viewer ? veil : text;
    }
  }

  /** The text of a statement, as the viewer knows it. */
  text(step) {
    return (this.links.get(step) ?? []).map((link) => link.textContent.trim()).join(" ");
  }

  /** Mark the line of the present moment, and bring it into view within the log. */
  update() {
    const { now } = this.game;
    for (const link of this.links.get(this.marked) ?? []) {
      link.classList.remove("current");
      link.removeAttribute("aria-current");
    }
    this.marked = now;
    const links = this.links.get(now) ?? [];
    for (const link of links) {
      link.classList.add("current");
      link.setAttribute("aria-current", "step");
    }
    this.#into(links[0] ?? (now ? null : this.box.querySelector(".row")));
  }

  #into(element) {
    if (!element) {
      return;
    }
    const place = element.getBoundingClientRect();
    const box = this.box.getBoundingClientRect();
    if (place.top < box.top + 24 || place.bottom > box.bottom - 24) {
      this.box.scrollTop += place.top - box.top - box.height / 3;
    }
  }

  /** Go to the finding behind (1) or before (-1) the one that was gone to last. */
  jump(direction) {
    const { findings } = this;
    if (!findings.length) {
      return;
    }
    this.at = (this.at + direction + findings.length + (this.at < 0 && direction < 0 ? 1 : 0)) % findings.length;
    const { step, entry } = findings[this.at];
    this.go(step + 1);
    this.#into(entry);
    entry.focus({ preventScroll: true });
  }

  /** The findings at a moment. */
  found(moment) {
    return this.findings.filter(({ step }) => step + 1 === moment);
  }
}
