import { createContext } from "preact";
import { useCallback, useContext, useEffect, useRef, useState } from "preact/hooks";
import type { DemoMode } from "./demo.js";
import type { Engine, EngineWallet } from "./engine.js";
import type { Counterparty } from "./counterparty.js";
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
  /**
   * Stores changed settings. A change of the node, the network or the workers closes the wallet and restarts the
   * engine, as restart does; nodePassword is used until the next restart.
   */
  change(settings: Partial<Settings>, nodePassword?: string, restart?: boolean): Promise<void>;
  /** Whether the browser keeps stored wallets until the user deletes them; undefined while unknown. */
  storageKept: boolean | undefined;
  /** Asks the browser to keep them. */
  keepStorage(): Promise<boolean>;
  /** Returns the name that a wallet is shown by. */
  nameOf(file: string): string;
  /** Changes the name that an open wallet is shown by. */
  rename(wallet: EngineWallet, name: string): Promise<void>;
  /** Closes the open wallet and deletes it from this device. */
  removeOpen(): Promise<void>;
  /** The demo, while it runs. */
  demo: DemoMode | undefined;
  /** Begins the demo; undefined if the page has no demo. */
  beginDemo: (() => void) | undefined;
  /** Shows a message that needs no answer. */
  say(text: string): void;
  /** Copies a text and says so. A secret is removed from the clipboard after a minute. */
  copy(text: string, what: string, secret?: boolean): Promise<void>;
}

/** Opens the node settings; undefined on pages without them. */
export const ChooseNodeContext = createContext<(() => void) | undefined>(undefined);

/** What the pages of an open wallet may use in addition. */
export interface Open {
  live: Live;
  router: Router;
  /** Locks, that is closes, all open wallets. */
  lock(): Promise<void>;
  /** The names of the other open wallets. */
  asides: readonly string[];
  /** Shows another wallet in place of this one, which stays open. It may be open already, or needs its password. */
  switchTo(name: string, password?: string): Promise<void>;
  /** Goes to the pages that create or restore a wallet. This one stays open. */
  add(): void;
}

/** The demo's other side; undefined outside the demo. */
export const CounterpartyContext = createContext<Counterparty | undefined>(undefined);

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

/** Returns the live view of the open wallet, and renders again whenever it changes. */
export function useLive(): Live {
  const { live } = useOpen();
  const [, again] = useState(0);
  useEffect(() => live.subscribe(() => again((n) => n + 1)), [live]);
  return live;
}

/** The state of a query: done, running or failed. */
export interface Asked<T> {
  data: T | undefined;
  error: Plain | undefined;
  again(): void;
}

/**
 * Runs a query when the page opens, when a dependency changes, and on demand. on contains what the query is about: the
 * result for other values is not returned, so that nothing is shown, copied or paid that belongs to an earlier input.
 * When only a member of when changes, the last result stays while a new one is fetched.
 */
export function useAsked<T>(
  ask: (signal: AbortSignal) => Promise<T>,
  on: readonly unknown[],
  when: readonly unknown[] = [],
): Asked<T> {
  const [state, set] = useState<{ on: readonly unknown[]; data: T | undefined; error: Plain | undefined }>({
    on,
    data: undefined,
    error: undefined,
  });
  const [count, setCount] = useState(0);
  useEffect(() => {
    const gone = new AbortController();
    ask(gone.signal).then(
      (data) => gone.signal.aborted || set({ on, data, error: undefined }),
      (e: unknown) =>
        gone.signal.aborted || set((s) => ({ on, data: same(s.on, on) ? s.data : undefined, error: plain(e) })),
    );
    return () => gone.abort();
    // The function is new at every rendering; its dependencies are in the lists.
  }, [...on, ...when, count]);
  const again = useCallback(() => setCount((n) => n + 1), []);
  const { data, error } = same(state.on, on) ? state : { data: undefined, error: undefined };
  return { data, error, again };
}

const same = (a: readonly unknown[], b: readonly unknown[]): boolean => a.every((x, i) => Object.is(x, b[i]));

/** Like useAsked, for the open wallet: queries again whenever it changes. on is what else the query is about. */
export function useWallet<T>(
  ask: (live: Live, signal: AbortSignal) => Promise<T>,
  on: readonly unknown[] = [],
): Asked<T> {
  const live = useLive();
  return useAsked((signal) => ask(live, signal), [live, ...on], [live.version]);
}

/** An action of the user: whether it is running, and how it failed. Starting it again while it runs does nothing. */
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
