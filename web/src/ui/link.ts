/** A log in the address: deflated JSON of name, text and variants, in base64url behind `#log=`. */

import { deflateSync, Inflate, strFromU8, strToU8 } from "fflate";
import type { Files } from "../protocol";
import { joined } from "./files";

export const MARK = "#log=";

/** The longest link that is made or opened, in characters. */
export const MOST_CHARS = 256 * 1024;
/** The largest content that a link is unpacked to, in bytes. */
export const MOST_BYTES = 2 * 1024 * 1024;

export interface Linked {
  name: string;
  text: string;
  files: Files;
}

/** Why a link was not opened or made. */
export class LinkError extends Error {
  constructor(
    readonly reason: "bad" | "large" | "long",
    readonly size = 0,
  ) {
    super(reason);
  }
}

/** Return what stands behind `#log=`; raise a LinkError if it is too long. */
export function packed({ name, text, files }: Linked): string {
  const named = Object.entries(files).filter(([path]) => text.includes(basename(path)));
  const document = { n: name, t: text, ...(named.length ? { f: Object.fromEntries(named) } : {}) };
  const bytes = deflateSync(strToU8(JSON.stringify(document)), { level: 9 });
  const link = base64url(bytes);
  if (link.length > MOST_CHARS) {
    throw new LinkError("long", link.length);
  }
  return link;
}

/** Return the log of a link; raise a LinkError for anything else. */
export function unpacked(link: string): Linked {
  if (link.length > MOST_CHARS) {
    throw new LinkError("long", link.length);
  }
  let document: unknown;
  try {
    document = JSON.parse(strFromU8(inflated(bytesOf(link))));
  } catch (error) {
    throw error instanceof LinkError ? error : new LinkError("bad");
  }
  const { n: name, t: text, f: files = {} } = (document ?? {}) as { n?: unknown; t?: unknown; f?: unknown };
  if (typeof name !== "string" || typeof text !== "string" || !isFiles(files)) {
    throw new LinkError("bad");
  }
  return { name: name.slice(0, 120), text, files };
}

function isFiles(value: unknown): value is Files {
  return (
    typeof value === "object" &&
    value !== null &&
    !Array.isArray(value) &&
    Object.values(value).every((text) => typeof text === "string")
  );
}

/** Inflate piece by piece, so that a bomb is found before it has unpacked. */
function inflated(bytes: Uint8Array): Uint8Array {
  const chunks: Uint8Array[] = [];
  let size = 0;
  let ended = false;
  const stream = new Inflate((chunk, final) => {
    size += chunk.length;
    ended ||= final;
    if (size > MOST_BYTES) {
      throw new LinkError("large");
    }
    chunks.push(chunk);
  });
  const STEP = 1024; // at most about a megabyte of output each
  for (let at = 0; at < bytes.length; at += STEP) {
    stream.push(bytes.subarray(at, at + STEP), at + STEP >= bytes.length);
  }
  if (!ended) {
    throw new LinkError("bad");
  }
  return joined(chunks);
}

function base64url(bytes: Uint8Array): string {
  let text = "";
  for (let at = 0; at < bytes.length; at += 0x8000) {
    text += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
  }
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

function bytesOf(link: string): Uint8Array {
  const text = atob(link.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(text, (char) => char.charCodeAt(0));
}

/** The last part of a path. */
export function basename(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}
