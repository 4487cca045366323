/**
 * React hooks: components that show a wallet, and follow its events while they are mounted.
 *
 * @module glim/react
 */
import {
  createContext,
  createElement,
  useCallback,
  useContext,
  useEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
  type ReactElement,
  type ReactNode,
} from "react";

import type { Create, Glim, Restore } from "./glim.js";
import type { HistoryOptions, Transfer } from "./history.js";
import type { CallOptions } from "./operation.js";
import { useLive, type Live } from "./react/live.js";
import { asError, nothing, Session, type SessionState } from "./react/session.js";
import type { Preview, Send, SendOptions } from "./send.js";
import type { Address, Balance, Wallet } from "./wallet.js";

export type { Live } from "./react/live.js";

const Context = createContext<Session | undefined>(undefined);

/** The properties of GlimProvider. */
export interface GlimProviderProps {
  /**
   * Starts the engine, as in () => Glim.start({ … }) or () => Glim.connect({ … }). It is called once, when the provider
   * is mounted, and not on a server. A provider with another key starts another engine.
   */
  start: () => Promise<Glim>;
  /** The components that use the hooks. */
  children?: ReactNode;
}

/**
 * Starts an engine for the components inside, and stops it when the provider is unmounted. Several providers need a
 * database each.
 */
export function GlimProvider({ start, children }: GlimProviderProps): ReactElement {
  const [session] = useState(() => new Session());
  const latest = useRef(start);
  useEffect(() => {
    session.mount(latest.current);
    return session.unmount;
  }, [session]);
  return createElement(Context.Provider, { value: session }, children);
}

/** Returns the session of the provider around a component. */
function useSession(): Session {
  const session = useContext(Context);
  if (!session) throw new Error("glim/react: the component is not inside a GlimProvider");
  return session;
}

function useSessionState(session: Session): SessionState {
  return useSyncExternalStore(session.subscribe, session.state, () => nothing);
}

/** The provider's engine. */
export interface UseGlim {
  /** The engine; undefined until it has started. */
  glim: Glim | undefined;
  /** Why it did not start. */
  error: Error | undefined;
}

/** Returns the provider's engine. */
export function useGlim(): UseGlim {
  const { glim, error } = useSessionState(useSession());
  return { glim, error: glim ? undefined : error };
}

/** The provider's open wallet, and the calls that change which one is open. */
export interface UseWallet {
  /** The open wallet; undefined before one is opened and after it is closed. */
  wallet: Wallet | undefined;
  /** Whether the engine starts, or one of the calls below has not ended. */
  busy: boolean;
  /** Why the engine did not start, or why the last call failed: mostly a GlimError. */
  error: Error | undefined;
  /**
   * Opens a wallet, as glim.open does, and closes the one that was open before. It waits until the engine has started,
   * and never rejects: it returns undefined after a failure, which is then in error. So do create and restore.
   */
  open: (name: string, password: string, options?: { inFile?: boolean } & CallOptions) => Promise<Wallet | undefined>;
  /** Creates a wallet, as glim.create does, and opens it. */
  create: (options: Create) => Promise<Wallet | undefined>;
  /** Restores a wallet, as glim.restore does, and opens it. */
  restore: (options: Restore) => Promise<Wallet | undefined>;
  /** Closes the open wallet. It never rejects. */
  close: () => Promise<void>;
}

/** Returns the provider's open wallet, and the calls that open, create, restore and close it. */
export function useWallet(): UseWallet {
  const session = useSession();
  const { wallet, busy, error } = useSessionState(session);
  const { open, create, restore, close } = session;
  return { wallet, busy, error, open, create, restore, close };
}

/** Returns the given wallet, or the provider's open one. */
function useChosen(chosen: Wallet | undefined): Wallet | undefined {
  const session = useContext(Context);
  if (!session && !chosen) throw new Error("glim/react: the component is not inside a GlimProvider");
  const get = useCallback(() => chosen ?? session?.state().wallet, [chosen, session]);
  return useSyncExternalStore(session?.subscribe ?? never, get, () => undefined);
}

const never = () => () => undefined;

/** Which wallet a hook is about. */
export interface OfWallet {
  /** The wallet. Default: the one that the provider has open. */
  wallet?: Wallet | undefined;
}

/** Which account of which wallet a hook is about. */
export interface OfAccount extends OfWallet {
  /** Index of the account. */
  account?: number;
}

/** Returns the balance of the wallet, or of one account, and follows its changes. */
export function useBalance({ account, wallet }: OfAccount = {}): Live<Balance> {
  const key = `${account}`;
  return useLive(useChosen(wallet), key, (w, signal) => w.balance(account, { signal }));
}

/** Returns the addresses of an account, by default of account 0, and follows which of them have received money. */
export function useAddresses({ account = 0, wallet }: OfAccount = {}): Live<Address[]> {
  const key = `${account}`;
  return useLive(useChosen(wallet), key, (w, signal) => w.addresses(account, { signal }));
}

/** Returns the wallet's transfers, newest first, and follows new ones and their confirmations. */
export function useHistory({
  account,
  types,
  since,
  wallet,
}: Omit<HistoryOptions, "signal"> & OfWallet = {}): Live<Transfer[]> {
  const key = JSON.stringify([account, types, since]);
  return useLive(useChosen(wallet), key, (w, signal) =>
    w.history({
      signal,
      ...(account !== undefined && { account }),
      ...(types && { types }),
      ...(since !== undefined && { since }),
    }),
  );
}

/** How far a wallet has scanned the chain. */
export interface UseSync {
  /** Number of blocks that the wallet has scanned; undefined until it is known. */
  height: number | undefined;
  /** Number of blocks in the chain, as last reported while scanning; undefined until then. */
  target: number | undefined;
  /** height divided by target, at most 1; 1 after sync() has ended, and undefined until target is known. */
  done: number | undefined;
  /** Whether sync() is running. */
  syncing: boolean;
  /** Why the last sync() failed. */
  error: Error | undefined;
  /**
   * Scans to the end of the chain, as wallet.sync does, and ends early when the component is unmounted. It never
   * rejects. An open wallet also scans by itself.
   */
  sync: () => Promise<void>;
}

interface Scanned {
  wallet: Wallet | undefined;
  height?: number | undefined;
  target?: number | undefined;
  syncing: boolean;
  error?: Error | undefined;
}

/** Returns how far the wallet has scanned, and follows it. */
export function useSync({ wallet: chosen }: OfWallet = {}): UseSync {
  const wallet = useChosen(chosen);
  const [state, setState] = useState<Scanned>({ wallet: undefined, syncing: false });
  const scope = useRef<{ wallet: Wallet; signal: AbortSignal }>(undefined);
  useEffect(() => {
    if (!wallet) return undefined;
    const end = new AbortController();
    const { signal } = end;
    scope.current = { wallet, signal };
    setState({ wallet, syncing: false });
    const take = (height: number, target?: number): void =>
      setState((s) => ({ ...s, height, target: target ?? (s.target && Math.max(s.target, height)) }));
    const offs = [
      wallet.on("height", (height) => take(height)),
      wallet.on("sync", ({ height, target }) => take(height, target)),
    ];
    wallet.height({ signal }).then(
      (height) => !signal.aborted && setState((s) => ({ ...s, height: s.height ?? height })),
      () => undefined, // the next event has it
    );
    return () => {
      end.abort();
      for (const off of offs) off();
    };
  }, [wallet]);
  const sync = useCallback(async (): Promise<void> => {
    const signal = scope.current?.signal;
    if (!wallet || !signal || signal.aborted || scope.current?.wallet !== wallet) return;
    const set = (change: Partial<Scanned>): void => {
      if (!signal.aborted) setState((s) => ({ ...s, ...change }));
    };
    set({ syncing: true, error: undefined });
    try {
      await wallet.sync({ signal });
      const height = await wallet.height({ signal });
      set({ syncing: false, height, target: height });
    } catch (error) {
      set({ syncing: false, error: asError(error) });
    }
  }, [wallet]);
  const { height, target, syncing, error } = state.wallet === wallet ? state : ({ syncing: false } as Scanned);
  const done = height === undefined || !target ? undefined : Math.min(1, height / target);
  return { height, target, done, syncing, error, sync };
}

/** A payment from its preview to its transactions. */
export interface UsePay {
  /**
   * "idle" at first, "preparing" while the transactions are made, "ready" when the preview can be shown to the user,
   * "sending" and "sent" after confirm(), "failed" if the preview could not be made or sent.
   */
  status: "idle" | "preparing" | "ready" | "sending" | "sent" | "failed";
  /** The transactions, with their amount and fee; undefined before "ready". */
  preview: Preview | undefined;
  /** IDs of the transactions that were sent; empty before "sent". */
  txids: readonly string[];
  /** Why it failed. With a preview, confirm() may be called again, and never pays twice. */
  error: Error | undefined;
  /** Makes the transactions, as wallet.send does, and discards those made before. It never rejects. */
  prepare: (what: Send, options?: Omit<SendOptions, "signal">) => Promise<void>;
  /** Sends the transactions. It never rejects, and goes on after the component is unmounted. */
  confirm: () => Promise<void>;
  /** Discards the transactions, unless they are being sent, and returns to "idle". */
  discard: () => void;
}

type Payment = Pick<UsePay, "status" | "preview" | "txids" | "error"> & { wallet?: Wallet | undefined };

const idle: Payment = { status: "idle", preview: undefined, txids: [], error: undefined };

/** Makes and sends one payment at a time. The preview is discarded when the component is unmounted. */
export function usePay({ wallet: chosen }: OfWallet = {}): UsePay {
  const wallet = useChosen(chosen);
  const [state, setState] = useState<Payment>(idle);
  /** What is being made or was made; aborted when something else takes its place. */
  const current = useRef<{ end: AbortController; preview?: Preview; sending?: boolean }>(undefined);
  const calls = useMemo(() => {
    const drop = (): void => {
      current.current?.end.abort();
      current.current?.preview?.discard();
      current.current = undefined;
    };
    const prepare: UsePay["prepare"] = async (what, options) => {
      if (!wallet || current.current?.sending) return;
      drop();
      const mine: NonNullable<typeof current.current> = { end: new AbortController() };
      current.current = mine;
      setState({ ...idle, wallet, status: "preparing" });
      try {
        const preview = await wallet.send(what, { ...options, signal: mine.end.signal });
        if (current.current !== mine) return preview.discard();
        mine.preview = preview;
        setState({ ...idle, wallet, status: "ready", preview });
      } catch (error) {
        if (current.current === mine) setState({ ...idle, wallet, status: "failed", error: asError(error) });
      }
    };
    const confirm: UsePay["confirm"] = async () => {
      const mine = current.current;
      if (!mine?.preview || mine.sending) return;
      const { preview } = mine;
      mine.sending = true;
      setState({ ...idle, wallet, status: "sending", preview });
      try {
        const txids = await preview.confirm();
        if (current.current === mine) setState({ ...idle, wallet, status: "sent", preview, txids });
      } catch (error) {
        if (current.current === mine) setState({ ...idle, wallet, status: "failed", preview, error: asError(error) });
      }
      mine.sending = false;
    };
    const discard = (): void => {
      if (current.current?.sending) return;
      drop();
      setState(idle);
    };
    return { prepare, confirm, discard, drop };
  }, [wallet]);
  useEffect(() => calls.drop, [calls]);
  const { status, preview, txids, error } = state.wallet === wallet ? state : idle;
  const { prepare, confirm, discard } = calls;
  return { status, preview, txids, error, prepare, confirm, discard };
}
