/** Reading what is opened, dropped or pasted: logs, folders, and archives of them. */

import { Unzip, UnzipInflate } from "fflate";
import { say } from "../texts";
import type { Files } from "../protocol";

const MB = 1024 * 1024;
/** The largest text that is opened, and the largest archive with all that it contains. */
const MOST_TEXT = 5 * MB;
const MOST_ARCHIVE = 64 * MB;
const MOST_FILES = 5000;
/** The bytes of an archive that are unpacked at a time. */
const STEP = 16 * 1024;

const LOG = /\.(agn|txt|log)$/i;
const RULES = /\.ya?ml$/i;

/** What was opened: logs and variants by path, and what could not be read. */
export interface Opened {
  logs: Files;
  rules: Files;
  problems: string[];
}

/** A file with its path in the folder that was opened. */
export interface Named {
  path: string;
  file: File;
}

/** Read files and the archives among them. */
export async function read(files: Named[]): Promise<Opened> {
  const opened: Opened = { logs: {}, rules: {}, problems: [] };
  for (const { path, file } of files.slice(0, MOST_FILES)) {
    const isZip = /\.zip$/i.test(path);
    const most = isZip ? MOST_ARCHIVE : MOST_TEXT;
    if (!isZip && !LOG.test(path) && !RULES.test(path) && files.length > 1) {
      continue; // folders hold other things, too
    }
    if (file.size > most) {
      const sizes = { name: path, size: (file.size / MB).toFixed(1), most: most / MB };
      opened.problems.push(say("file-large", sizes));
    } else if (isZip) {
      await unpack(path, new Uint8Array(await file.arrayBuffer()), opened);
    } else {
      add(path, new Uint8Array(await file.arrayBuffer()), opened);
    }
  }
  return opened;
}

function add(path: string, bytes: Uint8Array, opened: Opened): void {
  if (bytes.includes(0)) {
    opened.problems.push(say("file-unreadable", { name: path }));
    return;
  }
  const text = new TextDecoder().decode(bytes).replace(/\r\n?/g, "\n");
  (RULES.test(path) ? opened.rules : opened.logs)[path] = text;
}

/** Unpack an archive piece by piece: sizes are counted, as what a header says may be wrong. */
async function unpack(name: string, bytes: Uint8Array, opened: Opened): Promise<void> {
  const contents = new Map<string, Uint8Array[]>();
  let size = 0;
  const archive = new Unzip((entry) => {
    const isText = (LOG.test(entry.name) || RULES.test(entry.name)) && !/(^|\/)[._]/.test(entry.name);
    if (!isText || contents.size >= MOST_FILES) {
      return;
    }
    const chunks: Uint8Array[] = [];
    contents.set(entry.name, chunks);
    entry.ondata = (error, chunk) => {
      if (error) {
        throw error;
      }
      size += chunk.length;
      if (size > MOST_ARCHIVE) {
        throw new RangeError(name);
      }
      chunks.push(chunk);
    };
    entry.start();
  });
  archive.register(UnzipInflate);
  try {
    for (let at = 0; at < bytes.length; at += STEP) {
      archive.push(bytes.subarray(at, at + STEP), at + STEP >= bytes.length);
      if (at % (64 * STEP) === 0) {
        await new Promise((done) => setTimeout(done)); // let the page draw
      }
    }
    for (const [path, chunks] of contents) {
      add(path, joined(chunks), opened);
    }
    if (!bytes.length || (!contents.size && !isArchive(bytes))) {
      throw new Error(name);
    }
  } catch (error) {
    const tooLarge = { name, size: `> ${MOST_ARCHIVE / MB}`, most: MOST_ARCHIVE / MB };
    opened.problems.push(error instanceof RangeError ? say("file-large", tooLarge) : say("zip-bad", { name }));
  }
}

/** Whether bytes begin like an archive. */
function isArchive(bytes: Uint8Array): boolean {
  return bytes[0] === 0x50 && bytes[1] === 0x4b;
}

/** Join chunks of bytes. */
export function joined(chunks: Uint8Array[]): Uint8Array {
  const all = new Uint8Array(chunks.reduce((sum, chunk) => sum + chunk.length, 0));
  let at = 0;
  for (const chunk of chunks) {
    all.set(chunk, at);
    at += chunk.length;
  }
  return all;
}

/** The files of an `<input>`; those of a folder have a path. */
export function chosen(list: FileList): Named[] {
  return Array.from(list, (file) => ({ path: file.webkitRelativePath || file.name, file }));
}

/** The files of a drop, with those in the folders of it. */
export async function dropped(transfer: DataTransfer): Promise<Named[]> {
  const entries = Array.from(transfer.items, (item) => item.webkitGetAsEntry?.() ?? null);
  const loose = Array.from(transfer.files); // before the first await, which empties the transfer
  if (!entries.some((entry) => entry?.isDirectory)) {
    return loose.map((file) => ({ path: file.name, file }));
  }
  const found: Named[] = [];
  for (const entry of entries) {
    await walk(entry, found);
  }
  return found;
}

async function walk(entry: FileSystemEntry | null, found: Named[]): Promise<void> {
  if (entry === null || found.length >= MOST_FILES) {
    return;
  }
  if (entry.isFile) {
    const file = await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject));
    found.push({ path: entry.fullPath.replace(/^\//, ""), file });
    return;
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (!some.length) {
      return;
    }
    for (const child of some) {
      await walk(child, found);
    }
  }
}

/** The files in the folder of a log, by their path from it. */
export function beside(path: string, files: Files): Files {
  const folder = path.slice(0, path.lastIndexOf("/") + 1);
  return Object.fromEntries(
    Object.entries(files)
      .filter(([other]) => other.startsWith(folder))
      .map(([other, text]) => [other.slice(folder.length), text]),
  );
}
