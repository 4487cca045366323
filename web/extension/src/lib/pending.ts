import { answered, type Bother } from "./patience.js";
import type { Outcome, Pending } from "./site.js";
import { oneAtATime } from "./turns.js";

/** Requests that wait for the user, in the session storage, where they survive a restart of the background. */
const prefix = "ask.";
const botherPrefix = "bother.";

/** A change reads a record and then writes it, so changes must not overlap. */
const change = oneAtATime();

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

  /** Records the window that shows a request. Returns false if the request has been settled already. */
  shownIn: (id: string, window: number | undefined): Promise<boolean> =>
    change(async () => {
      const ask = await pending.get(id);
      if (ask === undefined || ask.outcome !== undefined) return false;
      await pending.put({ ...ask, window });
      return true;
    }),

  /**
   * Records the outcome of a request, and counts a refusal. Returns the request, or undefined if it has been settled
   * already: several callers notice a window that was closed while the background slept, and its refusal counts once.
   */
  settle: (id: string, outcome: Outcome): Promise<Pending | undefined> =>
    change(async () => {
      const ask = await pending.get(id);
      if (ask === undefined || ask.outcome !== undefined) return undefined;
      const now = Date.now();
      const settled = { ...ask, outcome, since: now };
      await pending.put(settled);
      await bothers.put(ask.origin, answered(await bothers.of(ask.origin), "result" in outcome, now));
      return settled;
    }),
};

/** How often each site was refused lately. */
export const bothers = {
  async of(origin: string): Promise<Bother | undefined> {
    const { [botherPrefix + origin]: found } = await chrome.storage.session.get(botherPrefix + origin);
    return found as Bother | undefined;
  },
  put: (origin: string, b: Bother | undefined): Promise<void> =>
    b === undefined
      ? chrome.storage.session.remove(botherPrefix + origin)
      : chrome.storage.session.set({ [botherPrefix + origin]: b }),
};
