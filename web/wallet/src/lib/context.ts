import { createContext } from "preact";
import { useCallback, useContext, useEffect, useRef, useState } from "preact/hooks";
import type { Engine } from "./engine.js";
import { failure, plain, type Plain } from "./errors.js";
import type { Live } from "./live.js";
import type { Platform } from "./platform.js";
import type { Router } from "./router.js";
import type { Settings } from "./settings.js";

/** What every page may use. */
export interface App {
  platform: Platform;
  engine: Engine;
  settings: Settings;
  /** Keeps changed settings. Those about the node, the network and the workers close the wallet and start the engine anew, with the node's password for this time. */
  change(settings: Partial<Settings>, nodePassword?: string): Promise<void>;
  /** Closes the open wallet and removes it from here, for good. */
  removeOpen(): Promise<void>;
  /** Says something that needs no answer. */
  say(text: string): void;
  /** Copies a text and says so; a secret is taken off the clipboard again after a minute, while the page may. */
  copy(text: string, what: string, secret?: boolean): Promise<void>;
}

/** What the pages of an open wallet may use beside. */
export interface Open {
  live: Live;
  router: Router;
  /** Closes the wallet. */
  lock(): Promise<void>;
}

export const AppContext = createContext<App | undefined>(undefined);
export const OpenContext = createContext<Open | undefined>(undefined);

export function useApp(): App {
  const app = useContext(AppContext);
  if (!app) throw new Error("outside the app");
  return app;
}

export function useOpen(): Open {
  const open = useContext(OpenContext);
  if (!open) throw new Error("no wallet is open");
  return open;
}

/** Returns the open wallet's live view and renders again whenever it changes. */
export function useLive(): Live {
  const { live } = useOpen();
  const [, again] = useState(0);
  useEffect(() => live.subscribe(() => again((n) => n + 1)), [live]);
  return live;
}

/** What was asked for: there, on its way, or failed. The last answer stays while a new one comes. */
export interface Asked<T> {
  data: T | undefined;
  error: Plain | undefined;
  again(): void;
}

/** Asks when the page comes, when what it depends on changes, and when asked again. */
export function useAsked<T>(ask: (signal: AbortSignal) => Promise<T>, on: readonly unknown[]): Asked<T> {
  const [state, set] = useState<{ data: T | undefined; error: Plain | undefined }>({ data: undefined, error: undefined });
  const [count, setCount] = useState(0);
  useEffect(() => {
    const gone = new AbortController();
    ask(gone.signal).then(
      (data) => gone.signal.aborted || set({ data, error: undefined }),
      (e: unknown) => gone.signal.aborted || set((s) => ({ data: s.data, error: plain(e) })),
    );
    return () => gone.abort();
    // ask is a new function at every rendering: what it depends on is in the list.
  }, [...on, count]);
  return { ...state, again: useCallback(() => setCount((n) => n + 1), []) };
}

/** As useAsked, of the open wallet: asks again whenever it changes. */
export function useWallet<T>(ask: (live: Live, signal: AbortSignal) => Promise<T>, on: readonly unknown[] = []): Asked<T> {
  const live = useLive();
  return useAsked((signal) => ask(live, signal), [live, live.version, ...on]);
}

/** Something a person started: whether it runs, and how it failed. A second start while it runs does nothing. */
export interface Work {
  busy: boolean;
  error: Plain | undefined;
  run(task: (signal: AbortSignal) => Promise<void>): Promise<void>;
  stop(): void;
  clear(): void;
}

export function useWork(): Work {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<Plain | undefined>(undefined);
  const current = useRef<AbortController | undefined>(undefined);
  useEffect(() => () => current.current?.abort(), []);
  return {
    busy,
    error,
    async run(task) {
      if (current.current) return;
      const work = new AbortController();
      current.current = work;
      setBusy(true);
      setError(undefined);
      try {
        await task(work.signal);
      } catch (e) {
        if (failure(e).kind !== "aborted") setError(plain(e));
      } finally {
        current.current = undefined;
        setBusy(false);
      }
    },
    stop: () => current.current?.abort(),
    clear: () => setError(undefined),
  };
}
