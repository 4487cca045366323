import { fetchNodeLists, type NodeLists } from "./node-list.js";
import { t, type PlainKey } from "./i18n.js";

/** A file that the user chose, or one to save. */
export interface Picked {
  name: string;
  bytes: Uint8Array;
}

/** Places at which a tab of the app can begin. */
export type Beginning = "create" | "restore" | "backup";

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
  /** Further places of the platform with the keys of their names, such as the extension's list of sites. */
  places?: readonly { name: PlainKey; icon: "link"; open(): void }[];
}

/** Thrown if a file exceeds the limit. */
export class TooLarge extends Error {}

const prefix = "glim.";

/** Returns the platform of a web page. */
export function webPage(): Platform {
  return {
    layout: "page",
    read: async (key) => localStorage.getItem(prefix + key) ?? undefined,
    write: async (key, value) => localStorage.setItem(prefix + key, value),
    nodeLists: fetchNodeLists,
    copy: (text) => navigator.clipboard.writeText(text),
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
