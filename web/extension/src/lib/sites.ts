import type { Grant } from "./site.js";

const key = "sites";

/** The sites a person has let in, by origin, in the extension's own storage. */
export const sites = {
  async all(): Promise<Grant[]> {
    const { [key]: kept } = await chrome.storage.local.get(key);
    return Object.values((kept ?? {}) as Record<string, Grant>).sort((a, b) => b.since - a.since);
  },
  async of(origin: string): Promise<Grant | undefined> {
    const { [key]: kept } = await chrome.storage.local.get(key);
    return ((kept ?? {}) as Record<string, Grant>)[origin];
  },
  async grant(grant: Grant): Promise<void> {
    const { [key]: kept } = await chrome.storage.local.get(key);
    await chrome.storage.local.set({ [key]: { ...(kept as object), [grant.origin]: grant } });
  },
  async revoke(origin: string): Promise<boolean> {
    const { [key]: kept } = await chrome.storage.local.get(key);
    const all = { ...((kept ?? {}) as Record<string, Grant>) };
    if (!(origin in all)) return false;
    delete all[origin];
    await chrome.storage.local.set({ [key]: all });
    return true;
  },
};
