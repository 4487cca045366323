import type { Bother } from "./patience.js";
import type { Pending } from "./site.js";

/** Asks that wait for a person, in the session's storage: a background that was put to sleep finds them again. */
const prefix = "ask.";
const botherPrefix = "bother.";

export const pending = {
  async all(): Promise<Pending[]> {
    const kept = await chrome.storage.session.get(null);
    return Object.entries(kept)
      .filter(([name]) => name.startsWith(prefix))
      .map(([, value]) => value as Pending);
  },
  async get(id: string): Promise<Pending | undefined> {
    const { [prefix + id]: found } = await chrome.storage.session.get(prefix + id);
    return found as Pending | undefined;
  },
  put: (ask: Pending): Promise<void> => chrome.storage.session.set({ [prefix + ask.id]: ask }),
  drop: (id: string): Promise<void> => chrome.storage.session.remove(prefix + id),
};

/** How often a site was refused lately. */
export const bothers = {
  async of(origin: string): Promise<Bother | undefined> {
    const { [botherPrefix + origin]: found } = await chrome.storage.session.get(botherPrefix + origin);
    return found as Bother | undefined;
  },
  put: (origin: string, b: Bother | undefined): Promise<void> =>
    b === undefined ? chrome.storage.session.remove(botherPrefix + origin) : chrome.storage.session.set({ [botherPrefix + origin]: b }),
};
