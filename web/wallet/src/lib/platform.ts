import type { NodeCheck } from "glim";
import type { Settings } from "./settings.js";
import { demoDatabases, demoKey } from "./demo.js";
import type { Updates } from "./updates.js";
import { fetchNodeLists, type NodeLists } from "./node-list.js";
import { t, type PlainKey } from "./i18n.js";

/** A file that the user chose, or one to save. */
export interface Picked {
  name: string;
  bytes: Uint8Array;
}

/** Places at which a tab of the app can begin. */
export type Beginning = "create" | "restore" | "backup";

/** The command `glim app`, which serves the app and runs its engine. */
export interface Desktop {
  /** The folder of the wallets. */
  folder: string;
  /** Whether it looks up OpenAlias names. */
  names: boolean;
  /** Checks a node from there. It does not throw: problems are part of the result. */
  check(settings: Settings, signal?: AbortSignal): Promise<NodeCheck>;
  /** Closes all wallets and ends it. */
  quit(): Promise<void>;
}

/** What the app needs of its environment. A web page and the extension each have one. */
export interface Platform {
  /** The space available: a page, a side panel, or a popup of 380 by 600. */
  layout: "page" | "panel" | "popup";
  /** Stores settings, never secrets. */
  read(key: string): Promise<string | undefined>;
  write(key: string, value: string): Promise<void>;
  /** Returns the public nodes that whoever serves the app lists. */
  nodeLists(): Promise<NodeLists>;
  /** Returns whether the app may send requests to all of these nodes; without it, it may. */
  allowed?: (addresses: readonly string[]) => Promise<boolean>;
  /** Asks the user to allow these nodes. It must be called while an event of the user is handled. */
  allow?: (addresses: readonly string[]) => Promise<boolean>;
  copy(text: string): Promise<void>;
  /** Offers bytes as a download. */
  save(file: Picked): Promise<void>;
  /** Returns the text on the clipboard; the browser may ask the user. Missing where pages cannot read it. */
  paste?: () => Promise<string>;
  /** Hands a text to another app that the user chooses. Missing where pages cannot. */
  share?: (text: string) => Promise<void>;
  /** Asks the user for files of at most maxBytes each; returns none if they cancel. */
  pick(options: { accept: string; multiple?: boolean; maxBytes: number }): Promise<Picked[]>;
  /** Whether a camera may be available. */
  camera: boolean;
  openCamera(): Promise<MediaStream>;
  /** Returns whether the browser keeps stored wallets until the user deletes them. */
  storageKept(): Promise<boolean>;
  /** Asks the browser to keep stored wallets, and returns its answer. It may ask the user. */
  keepStorage(): Promise<boolean>;
  /** Opens the app in a tab, at a place or where it begins, if there is too little space here. */
  expand?: (at?: Beginning) => void;
  /** Returns whether the app is to begin at this place, because another page of the app opened it. True only once. */
  begins?: (at: Beginning) => boolean;
  /** Newer versions of the app, where it looks for them itself. */
  updates?: Updates;
  /** Deletes the demo's settings and databases. Missing if there is no demo here. */
  eraseDemo?: () => Promise<void>;
  /** Called when an open wallet comes into view, and when it no longer is. */
  watching?: (now: boolean) => void;
  /** Asks the user to allow notifications of payments. It must be called while an event of the user is handled. */
  allowNotices?: () => Promise<boolean>;
  /** Set if `glim app` runs the engine: there are no workers, no private chain and nothing is stored in the browser. */
  desktop?: Desktop;
  /** Further places of the platform with the keys of their names, such as the extension's list of sites. */
  places?: readonly { name: PlainKey; icon: "link"; open(): void }[];
}

/** Thrown if a file exceeds the limit. */
export class TooLarge extends Error {}

const prefix = "glim.";

/** Returns the platform of a web page. */
export function webPage(updates?: Updates): Platform {
  return {
    layout: "page",
    ...(updates && { updates }),
    read: async (key) => localStorage.getItem(prefix + key) ?? undefined,
    write: async (key, value) => localStorage.setItem(prefix + key, value),
    nodeLists: fetchNodeLists,
    eraseDemo,
    copy: (text) => navigator.clipboard.writeText(text),
    ...(typeof navigator.clipboard?.readText === "function" && { paste: () => navigator.clipboard.readText() }),
    ...(typeof navigator.share === "function" && { share: (text: string) => navigator.share({ text }) }),
    save,
    pick,
    storageKept: async () => (await navigator.storage?.persisted?.()) ?? false,
    keepStorage: async () => (await navigator.storage?.persist?.()) ?? false,
    camera: "mediaDevices" in navigator && "getUserMedia" in navigator.mediaDevices,
    openCamera: () =>
      navigator.mediaDevices.getUserMedia({
        video: { facingMode: "environment", width: { ideal: 1280 } },
        audio: false,
      }),
  };
}

async function eraseDemo(): Promise<void> {
  for (const key of Object.keys(localStorage))
    if (key === prefix + demoKey || key.startsWith(`${prefix}${demoKey}.`)) localStorage.removeItem(key);
  await Promise.all(demoDatabases.map(eraseDatabase));
}

/** Deletes a database. Workers that just ended may have it open for a moment. */
function eraseDatabase(name: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.deleteDatabase(name);
    const late = setTimeout(() => reject(new Error(`the database ${name} is open in another tab`)), 10_000);
    request.onsuccess = () => {
      clearTimeout(late);
      resolve();
    };
    request.onerror = () => {
      clearTimeout(late);
      reject(request.error ?? new Error("the browser's database failed"));
    };
  });
}

async function save(file: Picked): Promise<void> {
  const url = URL.createObjectURL(new Blob([file.bytes as BlobPart], { type: "application/octet-stream" }));
  const link = document.createElement("a");
  link.href = url;
  link.download = file.name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

function pick({
  accept,
  multiple = false,
  maxBytes,
}: {
  accept: string;
  multiple?: boolean;
  maxBytes: number;
}): Promise<Picked[]> {
  return new Promise((resolve, reject) => {
    const input = document.createElement("input");
    input.type = "file";
    input.accept = accept;
    input.multiple = multiple;
    input.addEventListener("cancel", () => resolve([]));
    input.addEventListener("change", () => {
      const files = [...(input.files ?? [])];
      if (files.some((f) => f.size > maxBytes)) return reject(new TooLarge(t("platform.fileTooLarge")));
      Promise.all(files.map(async (f) => ({ name: f.name, bytes: new Uint8Array(await f.arrayBuffer()) }))).then(
        resolve,
        reject,
      );
    });
    input.click();
  });
}
