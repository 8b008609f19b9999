/** The editor of a log: findings at their lines, colours, and what is legal at the cursor. */

import { autocompletion, completionKeymap, type CompletionContext, type CompletionResult } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { lintGutter, nextDiagnostic, previousDiagnostic, setDiagnostics, type Diagnostic } from "@codemirror/lint";
import { highlightSelectionMatches, searchKeymap } from "@codemirror/search";
import { Compartment, EditorState, StateEffect, StateField, type Extension, type Text } from "@codemirror/state";
import {
  Decoration,
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  keymap,
  lineNumbers,
  WidgetType,
  type DecorationSet,
} from "@codemirror/view";
import { render } from "lit-html";
import type { CompleteAnswer, Finding, Fix, Span } from "./answers";
import { findingCard, type FindingActions } from "./findings";

/** Longer texts are not coloured, and their findings stand in the list only. */
const MOST_DECORATED = 400_000;
/** So many findings at most are shown between the lines. */
const MOST_INLINE = 200;

export interface EditorHooks {
  changed(text: string): void;
  moved(line: number): void;
  complete(text: string, line: number, column: number): Promise<CompleteAnswer | null>;
  actions: FindingActions;
}

const setTokens = StateEffect.define<[number, number, string][]>();
const setInline = StateEffect.define<Finding[]>();

export class LogEditor {
  readonly host = document.createElement("div");
  private readonly view: EditorView;
  private readonly label = new Compartment();
  /** Set while a text is opened, which is not typing. */
  private opening = false;

  constructor(
    private readonly hooks: EditorHooks,
    private readonly legal: boolean,
  ) {
    this.host.className = "editor";
    this.view = new EditorView({ parent: this.host, state: this.state("") });
  }

  get text(): string {
    return this.view.state.doc.toString();
  }

  /** The line of the cursor, from 1. */
  get line(): number {
    return this.view.state.doc.lineAt(this.view.state.selection.main.head).number;
  }

  /** Show another text, with a history of its own. */
  open(text: string): void {
    this.opening = true;
    this.view.setState(this.state(text));
    this.opening = false;
  }

  /** Say to screen readers what this is. */
  name(label: string): void {
    const attributes = EditorView.contentAttributes.of({ "aria-label": label });
    this.view.dispatch({ effects: this.label.reconfigure(attributes) });
  }

  focus(): void {
    this.view.focus();
  }

  /** Show findings at their lines: in the margin, in the text, and between the lines. */
  show(findings: Finding[]): void {
    const { state } = this.view;
    const inText = findings.filter(({ line }) => line <= state.doc.lines);
    const diagnostics = inText.slice(0, 2000).map((finding) => this.diagnostic(finding));
    const inline = state.doc.length > MOST_DECORATED ? [] : inText.slice(0, MOST_INLINE);
    this.view.dispatch(setDiagnostics(state, diagnostics), { effects: setInline.of(inline) });
  }

  /** Colour the text by the terminals of the grammar. */
  colour(tokens: [number, number, string][]): void {
    this.view.dispatch({ effects: setTokens.of(tokens.slice(0, MOST_DECORATED / 4)) });
  }

  /** Whether a text is short enough to be coloured. */
  get coloured(): boolean {
    return this.view.state.doc.length <= MOST_DECORATED;
  }

  /** Put the cursor at a place and show it. */
  go({ line, column }: { line: number; column: number }): void {
    const at = offset(this.view.state.doc, line, column);
    this.view.dispatch({ selection: { anchor: at }, effects: EditorView.scrollIntoView(at, { y: "center" }) });
    this.view.focus();
  }

  /** Show a line without taking the focus. */
  reveal(line: number): void {
    const at = offset(this.view.state.doc, line, 1);
    this.view.dispatch({ selection: { anchor: at }, effects: EditorView.scrollIntoView(at, { y: "center" }) });
  }

  /** Make the changes of fixes as one step; overlapping ones are left out. */
  apply(fixes: Fix[]): void {
    const { doc } = this.view.state;
    const changes: { from: number; to: number; insert: string }[] = [];
    for (const fix of [...fixes].sort((a, b) => a.line - b.line || a.column - b.column)) {
      const { from, to } = range(doc, fix);
      if (from >= (changes.at(-1)?.to ?? 0)) {
        changes.push({ from, to, insert: fix.text });
      }
    }
    this.view.dispatch({ changes, userEvent: "input.fix" });
  }

  /** What a fix does, in the words of its button: the line as it would be, or the lines added. */
  preview(fix: Fix): { does: "fix" | "fix-insert" | "fix-delete"; text: string } {
    const { doc } = this.view.state;
    const { from, to } = range(doc, fix);
    const [first, last] = [doc.lineAt(from), doc.lineAt(to)];
    const after = (doc.sliceString(first.from, from) + fix.text + doc.sliceString(to, last.to)).trim();
    const old = doc.sliceString(from, to).trim();
    if (from === to && fix.text.includes("\n")) {
      return { does: "fix-insert", text: brief(fix.text) };
    }
    return after ? { does: "fix", text: brief(after) } : { does: "fix-delete", text: brief(old) };
  }

  private diagnostic(finding: Finding): Diagnostic {
    const { from, to } = range(this.view.state.doc, finding);
    return {
      from,
      to,
      severity: finding.severity === "note" ? "info" : finding.severity,
      message: finding.message,
      renderMessage: () => {
        const box = document.createElement("div");
        box.className = "hint";
        render(findingCard(finding, this.hooks.actions, "hint"), box);
        return box;
      },
    };
  }

  private state(text: string): EditorState {
    const nonce = document.querySelector<HTMLMetaElement>("meta[property=csp-nonce]")?.nonce ?? "";
    return EditorState.create({
      doc: text,
      extensions: [
        EditorView.cspNonce.of(nonce),
        this.label.of([]),
        lineNumbers(),
        lintGutter(),
        history(),
        drawSelection(),
        highlightActiveLine(),
        highlightActiveLineGutter(),
        highlightSelectionMatches(),
        EditorView.lineWrapping,
        EditorState.tabSize.of(2),
        EditorView.contentAttributes.of({ tabindex: "0", spellcheck: "false", autocapitalize: "off", autocorrect: "off" }),
        colours,
        this.inline(),
        this.legal ? this.completion() : [],
        keymap.of([
          { key: "F8", run: nextDiagnostic },
          { key: "Shift-F8", run: previousDiagnostic },
          { key: "Alt-Enter", run: () => this.hooks.actions.fixAt(this.line) },
          ...completionKeymap,
          ...searchKeymap,
          ...historyKeymap,
          ...defaultKeymap,
        ]),
        EditorView.updateListener.of((update) => {
          if (update.docChanged && !this.opening) {
            this.hooks.changed(this.text);
          }
          if (update.selectionSet || update.docChanged) {
            this.hooks.moved(this.line);
          }
        }),
      ],
    });
  }

  /** Cards of findings between the lines, each below the line where it ends. */
  private inline(): Extension {
    const card = (line: number, findings: Finding[]) => new FindingWidget(line, findings, this.hooks.actions);
    return StateField.define<DecorationSet>({
      create: () => Decoration.none,
      update(shown, transaction) {
        let next = shown.map(transaction.changes);
        for (const effect of transaction.effects) {
          if (effect.is(setInline)) {
            const { doc } = transaction.state;
            const widgets = [...byLine(effect.value)].map(([line, findings]) =>
              Decoration.widget({ widget: card(line, findings), block: true, side: 1 }).range(doc.line(line).to),
            );
            next = Decoration.set(widgets, true);
          }
        }
        return next;
      },
      provide: (field) => EditorView.decorations.from(field),
    });
  }

  private completion(): Extension {
    const source = async (context: CompletionContext): Promise<CompletionResult | null> => {
      const line = context.state.doc.lineAt(context.pos);
      const before = line.text.slice(0, context.pos - line.from);
      // A statement begins behind the last separator, wherever the cursor is in it.
      const typed = /[^;；]*$/.exec(before)?.[0].trimStart() ?? "";
      if ((!typed && !context.explicit) || before.trimStart().startsWith("#")) {
        return null;
      }
      const start = before.length - typed.length;
      const column = Array.from(before.slice(0, start)).length + 1;
      const answer = await this.hooks.complete(context.state.doc.toString(), line.number, column);
      if (answer === null || context.aborted || !answer.moves.length) {
        return null;
      }
      const options = answer.moves.map(({ statement, title }, index) => ({
        label: statement,
        detail: title,
        boost: -Math.min(index / 20, 90),
      }));
      return { from: line.from + start, options, validFor: /^[^;；\n]*$/ };
    };
    return autocompletion({ override: [source], icons: false, activateOnTypingDelay: 200, maxRenderedOptions: 60 });
  }
}

class FindingWidget extends WidgetType {
  constructor(
    private readonly line: number,
    private readonly findings: Finding[],
    private readonly actions: FindingActions,
  ) {
    super();
  }

  override eq(other: FindingWidget): boolean {
    return this.line === other.line && JSON.stringify(this.findings) === JSON.stringify(other.findings);
  }

  toDOM(): HTMLElement {
    const box = document.createElement("div");
    box.className = "between";
    render(
      this.findings.map((finding) => findingCard(finding, this.actions, "inline")),
      box,
    );
    return box;
  }

  override ignoreEvent(): boolean {
    return true; // its buttons are not part of the text
  }
}

/** A text in one line of a button. */
function brief(text: string): string {
  const line = text.trim().replace(/\s*\n\s*/g, " ⏎ ");
  return line.length > 90 ? `${line.slice(0, 90)}…` : line;
}

/** Findings by the line that they stand below; notes stand in the list only. */
function byLine(findings: Finding[]): Map<number, Finding[]> {
  const lines = new Map<number, Finding[]>();
  for (const finding of findings.filter(({ severity }) => severity !== "note")) {
    lines.set(finding.line, [...(lines.get(finding.line) ?? []), finding]);
  }
  return lines;
}

const colours = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(shown, transaction) {
    let next = shown.map(transaction.changes);
    for (const effect of transaction.effects) {
      if (effect.is(setTokens)) {
        const { length } = transaction.state.doc;
        const marks = effect.value
          .filter(([start, end]) => start < end && end <= length)
          .map(([start, end, name]) => Decoration.mark({ class: `t-${name.toLowerCase()}` }).range(start, end));
        next = Decoration.set(marks, true);
      }
    }
    return next;
  },
  provide: (field) => EditorView.decorations.from(field),
});

/** The offset of a place: lines from 1, columns from 1 in code points. */
function offset(doc: Text, line: number, column: number): number {
  if (line > doc.lines) {
    return doc.length;
  }
  const { from, text } = doc.line(Math.max(line, 1));
  const before = Array.from(text).slice(0, Math.max(column - 1, 0)).join("");
  return from + before.length;
}

function range(doc: Text, span: Span): { from: number; to: number } {
  const from = offset(doc, span.line, span.column);
  return { from, to: Math.max(from, offset(doc, span.end_line, span.end_column)) };
}
