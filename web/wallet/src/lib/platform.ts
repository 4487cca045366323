/** A file a person chose, or one to be saved. */
export interface Picked {
  name: string;
  bytes: Uint8Array;
}

/** What the app needs of where it runs. A web page has one, an extension another. */
export interface Platform {
  /** How much room there is: a whole page, a side panel, or a popup of 380 by 600. */
  layout: "page" | "panel" | "popup";
  /** Keeps settings. Never a secret. */
  read(key: string): Promise<string | undefined>;
  write(key: string, value: string): Promise<void>;
  copy(text: string): Promise<void>;
  /** Offers bytes as a download. */
  save(file: Picked): Promise<void>;
  /** Lets a person choose files of at most maxBytes each; none when they think better of it. */
  pick(options: { accept: string; multiple?: boolean; maxBytes: number }): Promise<Picked[]>;
  /** Whether a camera may be there. */
  camera: boolean;
  openCamera(): Promise<MediaStream>;
  /** Opens the whole app in a tab, where the platform is too small for everything. */
  expand?: () => void;
  /** Places of the platform's own beside those of the app, such as an extension's list of sites. */
  places?: readonly { name: string; icon: "link"; open(): void }[];
}

/** Thrown for a file that is larger than what was asked for can be. */
export class TooLarge extends Error {}

const prefix = "glim.";

/** Returns the platform of a web page. */
export function webPage(): Platform {
  return {
    layout: "page",
    read: async (key) => localStorage.getItem(prefix + key) ?? undefined,
    write: async (key, value) => localStorage.setItem(prefix + key, value),
    copy: (text) => navigator.clipboard.writeText(text),
    save,
    pick,
    camera: "mediaDevices" in navigator && "getUserMedia" in navigator.mediaDevices,
    openCamera: () => navigator.mediaDevices.getUserMedia({ video: { facingMode: "environment", width: { ideal: 1280 } }, audio: false }),
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

function pick({ accept, multiple = false, maxBytes }: { accept: string; multiple?: boolean; maxBytes: number }): Promise<Picked[]> {
  return new Promise((resolve, reject) => {
    const input = document.createElement("input");
    input.type = "file";
    input.accept = accept;
    input.multiple = multiple;
    input.addEventListener("cancel", () => resolve([]));
    input.addEventListener("change", () => {
      const files = [...(input.files ?? [])];
      if (files.some((f) => f.size > maxBytes)) return reject(new TooLarge("This file is too large to be what is asked for."));
      Promise.all(files.map(async (f) => ({ name: f.name, bytes: new Uint8Array(await f.arrayBuffer()) }))).then(resolve, reject);
    });
    input.click();
  });
}
