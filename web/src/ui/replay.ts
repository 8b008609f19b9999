/** The replay beside the log: `replay.html` in a frame, with the modules of the replay page. */

import { spoken } from "../texts";
import type { ReplayAnswer } from "./answers";

/** A message to the frame, and from it. */
export type ToFrame = { answer: ReplayAnswer; language: string } | { line: number };
export type FromFrame = { waiting: true } | { ready: true } | { line: number };

/** Keep the frame that is seen until the next one has drawn. */
export class ReplayPane {
  readonly host = document.createElement("div");
  private frame: HTMLIFrameElement | null = null;
  private next: HTMLIFrameElement | null = null;
  private answer: ReplayAnswer | null = null;
  private line = 0;

  constructor(private readonly clicked: (line: number) => void) {
    this.host.className = "replay";
    window.addEventListener("message", (event: MessageEvent<FromFrame>) => this.hear(event));
  }

  /** Show other data; null for none. */
  show(answer: ReplayAnswer | null, title: string): void {
    this.answer = answer;
    this.next?.remove();
    this.next = null;
    if (answer === null || !answer.games.length) {
      this.frame?.remove();
      this.frame = null;
      return;
    }
    const frame = document.createElement("iframe");
    frame.title = title;
    frame.className = "coming";
    frame.src = "replay.html";
    this.next = frame;
    this.host.append(frame);
  }

  /** Show the moment of a line of the log. */
  follow(line: number): void {
    if (line !== this.line) {
      this.line = line;
      this.send(this.frame, { line });
    }
  }

  /** Use the colours that the reader chose. */
  dress(theme: string): void {
    for (const frame of [this.frame, this.next]) {
      const root = frame?.contentDocument?.documentElement;
      if (root) {
        dressed(root, theme);
      }
    }
  }

  private send(frame: HTMLIFrameElement | null, message: ToFrame): void {
    frame?.contentWindow?.postMessage(message, location.origin);
  }

  private hear(event: MessageEvent<FromFrame>): void {
    const { next, answer } = this;
    if (event.origin !== location.origin) {
      return;
    }
    if (next !== null && answer !== null && event.source === next.contentWindow) {
      if ("waiting" in event.data) {
        this.send(next, { answer, language: spoken() });
      } else if ("ready" in event.data) {
        this.frame?.remove();
        this.frame = next;
        this.next = null;
        next.classList.remove("coming");
        this.send(next, { line: this.line });
      }
    } else if (event.source === this.frame?.contentWindow && "line" in event.data) {
      this.line = event.data.line; // the frame is there already
      this.clicked(event.data.line);
    }
  }
}

/** Give the page a theme: "auto" follows the system. */
export function dressed(root: HTMLElement, theme: string): void {
  if (theme === "auto") {
    delete root.dataset["theme"];
  } else {
    root.dataset["theme"] = theme;
  }
}
