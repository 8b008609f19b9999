import { de } from "./de";
import { en, type Key } from "./en";
import { ja } from "./ja";

export type { Key } from "./en";
export type Language = "en" | "de" | "ja";

/** The languages of the page, each by its own name. */
export const LANGUAGES: Record<Language, string> = { en: "English", de: "Deutsch", ja: "日本語" };

const TEXTS: Record<Language, Record<Key, string>> = { en, de, ja };
let current: Language = "en";

/** Choose the language of all texts from now on. */
export function speak(language: Language): void {
  current = language;
  document.documentElement.lang = language;
  document.title = say("title");
}

/** The language of the texts. */
export function spoken(): Language {
  return current;
}

/** Return a text of the page, with values in place of `{name}`. */
export function say(key: Key, values: Record<string, string | number> = {}): string {
  return TEXTS[current][key].replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
}

/** Return a count with its noun. */
export function count(of: "error" | "warning" | "note", number: number): string {
  return number === 1 ? say(`one-${of}`) : say(`${of}s`, { count: number });
}

/** The language that the reader chose before, or that of the browser. */
export function preferred(): Language {
  const wanted = [kept(), ...navigator.languages].map((tag) => tag?.slice(0, 2));
  return (wanted.find((tag) => tag !== undefined && tag in LANGUAGES) as Language | undefined) ?? "en";
}

function kept(): string | undefined {
  try {
    return localStorage.getItem("altay language") ?? undefined;
  } catch {
    return undefined; // storage may be forbidden; it is a convenience only
  }
}
