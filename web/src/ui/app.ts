/** The page: what is open, what is known of it, and what the reader does. */

import { html, nothing, render } from "lit-html";
import { EngineError, type Engine, type Files, type Request } from "../protocol";
import { say, speak, spoken, type Language } from "../texts";
import type {
  CheckAnswer,
  CompleteAnswer,
  Finding,
  Fix,
  GameInfo,
  GameReport,
  GamesAnswer,
  ReplayAnswer,
  RulesAnswer,
  TokensAnswer,
  WhyAnswer,
} from "./answers";
import { messages, question, top } from "./chrome";
import { Collecting } from "./collecting";
import { collectionView } from "./collection";
import { Drafts } from "./drafts";
import { LogEditor } from "./editor";
import { beside, chosen, dropped, read, type Named } from "./files";
import type { FindingActions } from "./findings";
import { basename, LinkError, MARK, MOST_BYTES, MOST_CHARS, packed, unpacked } from "./link";
import { padView } from "./pad";
import { PadDesk } from "./pad-desk";
import { dressed, ReplayPane } from "./replay";
import { startView } from "./start";
import { draft, remember, remembered, type Draft, type Store } from "./store";
import { workTop, workView, type Tab } from "./work";

/** How long typing must rest before the log is checked, in milliseconds. */
const REST = 120;
/** How long `rules check` and a log of a collection may take, in seconds. */
const RULES_SECONDS = 600;
const CHECK_SECONDS = 10;
/** How long the data of a replay may take, and of an explanation, which plays the game too. */
const LONG_SECONDS = 30;
/** How long a log with variants beside it may take: their rules are compiled first. */
const VARIANT_SECONDS = 60;

type Screen = "start" | "work" | "files" | "pad";

export class App {
  screen: Screen = "start";
  theme = remembered("theme") ?? "auto";
  tab: Tab = "findings";

  // What is loaded.
  loaded = 0;
  total = 0;
  isReady = false;
  isOffline = false;
  games: GameInfo[] | null = null;

  // What is open, and what is known of it.
  open: Draft | null = null;
  report: { games: GameReport[] } | null = null;
  number = 0;
  replay: ReplayAnswer | null = null;
  why: WhyAnswer | null = null;
  rules: RulesAnswer | null = null;
  isChecking = false;
  isReplaying = false;
  isExplaining = false;
  /** The line that is explained. */
  asked = 1;

  readonly drafts: Drafts;
  readonly pad: PadDesk;
  readonly collecting = new Collecting(this);

  // Messages.
  problem = "";
  told = "";
  question: { text: string; label: string; act: () => void } | null = null;

  readonly actions: FindingActions = {
    go: (place) => this.go(place),
    fix: (fixes) => this.fix(fixes),
    fixAt: (line) => this.fixAt(line),
    why: (line) => {
      this.editor.reveal(line);
      this.askWhy(line);
    },
    preview: (fix) => this.editor.preview(fix),
  };
  readonly editor = new LogEditor(
    {
      changed: (text) => this.changed(text),
      moved: (line) => this.moved(line),
      complete: (text, line, column) => this.complete(text, line, column),
      actions: this.actions,
    },
    true,
  );
  readonly pane = new ReplayPane((line) => this.editor.reveal(line));

  /** Counts the texts: an answer to an older one is dropped. */
  private revision = 0;
  /** The text that the report is of. */
  private reported = -1;
  private timer = 0;
  private whyTimer = 0;
  private toldTimer = 0;
  private scheduled = false;
  private dragged = 0;

  constructor(
    private readonly root: HTMLElement,
    private readonly engine: Engine,
    store: Store,
  ) {
    this.drafts = new Drafts(this, store);
    this.pad = new PadDesk(this, store);
    engine.language = spoken();
    engine.onProgress = (loaded, total) => {
      Object.assign(this, { loaded, total });
      this.update();
    };
    engine.onReady = () => {
      this.isReady = true;
      this.update();
    };
    window.addEventListener("hashchange", () => void this.route());
    window.addEventListener("beforeunload", () => void this.drafts.keepNow());
    document.addEventListener("visibilitychange", () => void this.drafts.keepNow());
    this.listenForDrops();
  }

  /** Say that the page opens without a network from now on. */
  offline(isOffline: boolean): void {
    this.isOffline = isOffline;
    this.update();
  }

  /** The game that scores and verdict are shown of. */
  get game(): GameReport | null {
    return this.report?.games[this.number] ?? this.report?.games[0] ?? null;
  }

  /** The findings of all games of the log, by place. */
  get findings(): Finding[] {
    return (this.report?.games ?? []).flatMap((game) => game.findings);
  }

  async start(): Promise<void> {
    dressed(document.documentElement, this.theme);
    await this.drafts.load();
    await this.pad.load();
    await this.route();
    void this.loadGames();
  }

  // ---------------------------------------------------------------- drawing

  /** Draw the page again, once for all changes of a moment. */
  update(): void {
    if (!this.scheduled) {
      this.scheduled = true;
      queueMicrotask(() => {
        this.scheduled = false;
        this.draw();
      });
    }
  }

  private draw(): void {
    document.body.dataset["screen"] = this.screen;
    document.body.dataset["ready"] = this.isReady ? "yes" : "no";
    this.editor.name(say(this.open?.kind === "rules" ? "rules-label" : "editor-label"));
    const screens = {
      start: () => startView(this),
      work: () => workView(this),
      files: () => (this.collecting.collection ? collectionView(this, this.collecting.collection) : startView(this)),
      pad: () => padView(this),
    };
    render(
      html`${top(this, this.screen === "work" ? workTop(this) : nothing)} ${messages(this)} ${screens[this.screen]()}
      ${question(this)}
      <div class="drop" ?hidden=${!this.dragged}>${say("dropping")}</div>`,
      this.root,
    );
  }

  speak(language: Language): void {
    speak(language);
    remember("language", language);
    this.engine.language = language;
    this.revision += 1;
    this.replay = null;
    this.why = null;
    this.update();
    void this.loadGames();
    if (this.open) {
      this.ask();
    }
    this.pad.changed();
  }

  dress(theme: string): void {
    this.theme = theme;
    remember("theme", theme);
    dressed(document.documentElement, theme);
    this.pane.dress(theme);
    this.update();
  }

  turnTo(tab: Tab): void {
    this.tab = tab;
    this.draw();
    if (tab === "replay") {
      void this.askReplay();
    } else if (tab === "why") {
      this.askWhy(this.editor.line);
    }
  }

  /** Say what was done, for some seconds. */
  tell(text: string): void {
    this.told = text;
    clearTimeout(this.toldTimer);
    this.toldTimer = window.setTimeout(() => this.tell(""), text ? 6000 : 1e9);
    this.update();
  }

  /** Say what went wrong, until it is closed. */
  complain(text: string): void {
    this.problem = text;
    this.update();
  }

  readonly close = (): void => this.complain("");

  // ---------------------------------------------------------------- where we are

  /** Show what the address names. */
  private async route(): Promise<void> {
    const { hash } = location;
    await this.drafts.keepNow();
    if (hash.startsWith(MARK)) {
      await this.follow(hash.slice(MARK.length));
    } else if (hash.startsWith("#draft=")) {
      const found = this.drafts.all.find(({ id }) => id === hash.slice("#draft=".length));
      this.screen = found ? "work" : "start";
      if (found && found.id !== this.open?.id) {
        this.show(found);
      }
    } else if (hash === "#pad") {
      this.screen = "pad";
      this.pad.choose();
    } else {
      this.screen = hash === "#files" && this.collecting.collection ? "files" : "start";
    }
    this.update();
  }

  /** Open the log of a link. */
  private async follow(link: string): Promise<void> {
    try {
      const { name, text, files } = unpacked(link);
      const same = this.drafts.same(name, text);
      await this.enter(same ?? draft(name, text, files), true);
    } catch (error) {
      this.screen = "start";
      history.replaceState(null, "", "#");
      const reason = error instanceof LinkError ? error.reason : "bad";
      const sizes = { size: Math.round(link.length / 1024), most: MOST_CHARS / 1024 };
      this.complain(
        reason === "large"
          ? say("link-large", { most: MOST_BYTES / 1024 / 1024 })
          : say(reason === "long" ? "link-long" : "link-bad", sizes),
      );
    }
  }

  /** Keep a draft and open it; `replace`: in place of the address that led here. */
  async enter(next: Draft, replace = false): Promise<void> {
    await this.drafts.add(next);
    const address: [null, string, string] = [null, "", `#draft=${next.id}`];
    if (replace) {
      history.replaceState(...address);
    } else {
      history.pushState(...address);
    }
    await this.route();
    this.draw();
  }

  /** Show a draft in the editor. */
  private show(next: Draft): void {
    this.open = next;
    this.number = 0;
    this.tab = matchMedia("(max-width: 700px)").matches ? "log" : "findings";
    this.problem = "";
    this.editor.open(next.text);
    this.forget();
    this.pane.show(null, "");
    this.ask();
  }

  private forget(): void {
    this.revision += 1;
    this.report = this.replay = this.why = this.rules = null;
  }

  // ---------------------------------------------------------------- opening

  async write(text: string): Promise<void> {
    await this.enter(draft("", text));
    this.editor.focus();
  }

  openSample(sample: GameInfo["samples"][number]): void {
    const same = this.drafts.same(sample.name, sample.text);
    void this.enter(same ?? draft(sample.name, sample.text));
  }

  async openChosen(list: FileList): Promise<void> {
    await this.openFiles(chosen(list));
  }

  private async openFiles(files: Named[]): Promise<void> {
    const { logs, rules, problems } = await read(files);
    const [first, ...others] = Object.entries(logs);
    this.complain(problems.join(" "));
    if (first && others.length) {
      await this.collecting.collect(logs, rules);
    } else if (first) {
      await this.enter(draft(basename(first[0]), first[1], beside(first[0], rules)));
    } else if (Object.keys(rules).length && this.screen === "work" && this.open?.kind === "log") {
      this.putBeside(rules);
    } else if (Object.keys(rules).length) {
      const [path] = Object.keys(rules) as [string];
      this.openRules(path, rules);
    } else if (!problems.length) {
      this.complain(say("files-none"));
    }
  }

  /** Use variants with the log that is open. */
  private putBeside(rules: Files): void {
    if (this.open) {
      const named = Object.entries(rules).map(([path, text]) => [basename(path), text] as const);
      this.open.files = { ...this.open.files, ...Object.fromEntries(named) };
      this.drafts.keepSoon();
      this.ask();
    }
  }

  showCollection(): void {
    history.pushState(null, "", "#files");
    this.screen = "files";
    this.update();
  }

  openRules(path: string, all: Files): void {
    const { [path]: text = "", ...others } = all;
    void this.enter(draft(basename(path), text, beside(path, others), "rules"));
  }

  private listenForDrops(): void {
    const hasFiles = (event: DragEvent): boolean => event.dataTransfer?.types.includes("Files") ?? false;
    const drag = (step: number) => (event: DragEvent) => {
      if (hasFiles(event)) {
        this.dragged = Math.max(this.dragged + step, 0);
        this.update();
      }
    };
    document.addEventListener("dragenter", drag(1));
    document.addEventListener("dragleave", drag(-1));
    document.addEventListener("dragover", (event) => {
      if (hasFiles(event)) {
        event.preventDefault();
      }
    });
    // Before the editor, which would insert the text of the file.
    document.addEventListener(
      "drop",
      (event) => {
        if (event.dataTransfer && hasFiles(event)) {
          event.preventDefault();
          event.stopPropagation();
          this.dragged = 0;
          void dropped(event.dataTransfer).then((files) => this.openFiles(files));
          this.update();
        }
      },
      true,
    );
  }

  // ---------------------------------------------------------------- asking Python

  /** Ask, and say what went wrong; null if there is no answer. */
  async request<T>(request: Request, stream: string, seconds = CHECK_SECONDS): Promise<T | null> {
    try {
      return await this.engine.ask<T>(request, { stream, seconds });
    } catch (error) {
      const reason = error instanceof EngineError ? error.reason : "failed";
      if (reason === "stopped") {
        this.tell(say("stopped"));
      } else if (reason !== "overtaken") {
        const message = error instanceof Error ? error.message : String(error);
        const key = reason === "slow" ? "too-slow" : reason;
        this.complain(say(key, { seconds, reason: message }));
      }
      return null;
    }
  }

  /** Ask for the report of a log, with the variants beside it. */
  check<T>({ text, files }: { text: string; files: Files }, stream: string): Promise<T | null> {
    const seconds = Object.keys(files).length ? VARIANT_SECONDS : CHECK_SECONDS;
    return this.request<T>({ kind: "check", text, files }, stream, seconds);
  }

  private async loadGames(): Promise<void> {
    const answer = await this.request<GamesAnswer>({ kind: "games" }, "games", 60);
    if (answer) {
      this.games = answer.games;
      if (this.screen === "pad") {
        this.pad.choose();
      }
      this.update();
    }
  }

  private changed(text: string): void {
    if (this.open) {
      this.open.text = text;
      this.open.changed = Date.now();
      this.revision += 1;
      this.drafts.keepSoon();
      clearTimeout(this.timer);
      if (this.open.kind === "log") {
        this.timer = window.setTimeout(() => this.ask(), REST);
      }
      this.update();
    }
  }

  /** Ask for everything that is shown of the present text. */
  ask(): void {
    clearTimeout(this.timer);
    if (this.open?.kind === "rules") {
      void this.checkRules();
    } else {
      void this.checkOpen();
    }
  }

  private async checkOpen(): Promise<void> {
    const { open, revision } = this;
    if (!open) {
      return;
    }
    if (!open.text.trim()) {
      this.forget();
      this.editor.show([]);
      this.isChecking = false;
      this.update();
      return;
    }
    this.isChecking = true;
    this.update();
    const { text } = open;
    const answer = await this.check<CheckAnswer>(open, "check");
    if (revision !== this.revision) {
      return; // a newer text is being checked
    }
    this.isChecking = false;
    if (answer) {
      this.report = { games: answer.files[0]?.games ?? [] };
      this.reported = revision;
      this.editor.show(this.findings);
    }
    this.update();
    await this.colour(text, revision);
    if (this.tab === "replay") {
      await this.askReplay();
    } else if (this.tab === "why") {
      this.askWhy(this.editor.line);
    }
  }

  private async colour(text: string, revision: number): Promise<void> {
    if (this.editor.coloured) {
      const tokens = await this.request<TokensAnswer>({ kind: "tokens", text }, "tokens");
      if (tokens && revision === this.revision) {
        this.editor.colour(tokens);
      }
    }
  }

  private complete(text: string, line: number, column: number): Promise<CompleteAnswer | null> {
    const files = this.open?.files ?? {};
    return this.request<CompleteAnswer>({ kind: "complete", text, line, column, files }, "complete");
  }

  private replayed = -1;

  /** Ask for the data of the replay, unless those of this text are shown. */
  private async askReplay(): Promise<void> {
    const { open, revision } = this;
    if (!open || this.replayed === revision || !open.text.trim()) {
      return;
    }
    this.replayed = revision;
    this.isReplaying = true;
    this.update();
    const { text, files } = open;
    const answer = await this.request<ReplayAnswer>({ kind: "replay", text, files }, "replay", LONG_SECONDS);
    if (revision === this.revision) {
      this.isReplaying = false;
      this.replay = answer?.games.length ? answer : null;
      this.pane.show(this.replay, say("replay"));
      this.pane.follow(this.editor.line);
      this.update();
    }
  }

  private askWhy(line: number): void {
    this.asked = line;
    if (this.tab !== "why") {
      this.tab = "why";
      this.why = null;
    }
    this.update();
    clearTimeout(this.whyTimer);
    this.whyTimer = window.setTimeout(async () => {
      const { open, revision } = this;
      if (!open?.text.trim()) {
        return;
      }
      const { text, files } = open;
      this.isExplaining = true;
      this.update();
      const answer = await this.request<WhyAnswer>({ kind: "why", text, line, files }, "why", LONG_SECONDS);
      if (revision === this.revision && line === this.asked) {
        this.isExplaining = false;
        this.why = answer;
        this.update();
      }
    }, REST);
  }

  private moved(line: number): void {
    this.pane.follow(line);
    if (this.tab === "why" && this.screen === "work") {
      this.askWhy(line);
    }
  }

  async checkRules(): Promise<void> {
    const { open, revision } = this;
    if (!open) {
      return;
    }
    this.isChecking = true;
    this.rules = null;
    this.update();
    const { name, text, files } = open;
    const asked: Request = { kind: "rules", name: name || "rules.yaml", text, files };
    const answer = await this.request<RulesAnswer>(asked, "rules", RULES_SECONDS);
    if (open === this.open) {
      this.isChecking = false;
      if (revision === this.revision && answer) {
        this.rules = answer;
        this.editor.show(problemsOf(answer));
      }
      this.update();
    }
  }

  /** End what runs. */
  stop(): void {
    this.engine.stop();
    this.isChecking = false;
    this.update();
  }

  // ---------------------------------------------------------------- acting on the log

  choose(number: number): void {
    this.number = number;
    this.update();
  }

  private go(place: { line: number; column: number }): void {
    if (matchMedia("(max-width: 700px)").matches) {
      this.tab = "log";
      this.draw();
    }
    this.editor.go(place);
  }

  private fix(fixes: Fix[]): void {
    if (this.reported !== this.revision) {
      return; // the text has changed, and with it the places of fixes
    }
    this.editor.apply(fixes);
    this.tell(fixes[0] ? say("fixed", { line: fixes[0].line }) : "");
  }

  private fixAt(line: number): boolean {
    const fix = this.findings.find((finding) => finding.line === line && finding.fixes.length)?.fixes[0];
    if (fix) {
      this.fix([fix]);
    }
    return fix !== undefined;
  }

  rename(name: string): void {
    if (this.open) {
      this.open.name = name.trim();
      this.drafts.keepSoon();
      this.update();
    }
  }

  /** Put a link with the log into the clipboard, or where that is not allowed into the address. */
  async copyLink(): Promise<void> {
    const { open } = this;
    if (!open) {
      return;
    }
    try {
      const hash = MARK + packed(open);
      const address = new URL(hash, location.href).href;
      try {
        await navigator.clipboard.writeText(address);
        this.tell(say("copied"));
      } catch {
        history.replaceState(null, "", hash);
        this.tell(say("copy-failed"));
      }
    } catch (error) {
      const size = error instanceof LinkError ? Math.round(error.size / 1024) : 0;
      this.complain(say("link-long", { size, most: MOST_CHARS / 1024 }));
    }
  }

  /** Save the log as a file. */
  async save(): Promise<void> {
    const { open } = this;
    if (!open) {
      return;
    }
    const ending = open.kind === "rules" ? ".yaml" : ".agn";
    const name = open.name || say("untitled").replaceAll(" ", "-");
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([open.text], { type: "text/plain;charset=utf-8" }));
    link.download = /\.\w+$/.test(name) ? name : name + ending;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
    open.saved = Date.now();
    open.changed = Math.min(open.changed, open.saved);
    await this.drafts.keep(open);
    this.update();
  }

  // ---------------------------------------------------------------- what is kept

  askToClear(): void {
    this.askFirst(say("delete-sure", { count: this.drafts.all.length }), say("delete-plain"), () => void this.clear());
  }

  private async clear(): Promise<void> {
    await this.drafts.clear();
    this.open = this.collecting.collection = null;
    this.pad.forget();
    this.pad.isKept = false;
    this.tell(say("deleted"));
  }

  /** Ask before something that cannot be undone. */
  askFirst(text: string, label: string, act: () => void): void {
    this.question = { text, label, act };
    this.draw();
    document.querySelector<HTMLDialogElement>("#question")?.showModal();
  }
}

/** Problems of rules as findings for the editor. */
function problemsOf({ files }: RulesAnswer): Finding[] {
  return files.flatMap(({ path, problems }) =>
    problems
      .filter(({ file }) => !file || basename(file) === basename(path))
      .map((problem) => ({ ...problem, round: null, player: null, ruling: null, fixes: [] })),
  );
}
