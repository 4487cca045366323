import type { Grant } from "./site.js";
import { oneAtATime } from "./turns.js";

const key = "sites";

/** A change reads the list and then writes it, so changes must not overlap. Only the background makes them. */
const change = oneAtATime();

async function read(): Promise<Record<string, Grant>> {
  const { [key]: kept } = await chrome.storage.local.get(key);
  return (kept ?? {}) as Record<string, Grant>;
}

/** The connected sites, by origin, in the extension's own storage. */
export const sites = {
  async all(): Promise<Grant[]> {
    return Object.values(await read()).sort((a, b) => b.since - a.since);
  },
  async of(origin: string): Promise<Grant | undefined> {
    return (await read())[origin];
  },
  grant: (grant: Grant): Promise<void> =>
    change(async () => chrome.storage.local.set({ [key]: { ...(await read()), [grant.origin]: grant } })),
  /** Disconnects a site. Returns false if it was not connected. */
  revoke: (origin: string): Promise<boolean> =>
    change(async () => {
      const { [origin]: found, ...others } = await read();
      if (found === undefined) return false;
      await chrome.storage.local.set({ [key]: others });
      return true;
    }),
};
