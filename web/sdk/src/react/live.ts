import { useEffect, useState } from "react";

import type { Wallet } from "../wallet.js";
import { asError } from "./session.js";

/** What a wallet returned last. */
export interface Live<T> {
  /** The latest value; undefined before the first one, and while no wallet is open. */
  readonly value: T | undefined;
  /** Why the value could not be read the last time. The value before it is kept. */
  readonly error: Error | undefined;
}

const empty = { value: undefined, error: undefined };

/**
 * Reads a value from the wallet when the component is mounted, and again after each event that may change it. Events
 * while it is being read cause one more reading, not one each. key names everything else that load depends on.
 */
export function useLive<T>(
  wallet: Wallet | undefined,
  key: string,
  load: (wallet: Wallet, signal: AbortSignal) => Promise<T>,
): Live<T> {
  const [read, setRead] = useState<{ wallet?: Wallet; key?: string; live: Live<T> }>({ live: empty });
  // biome-ignore lint/correctness/useExhaustiveDependencies: load is another function in every rendering; key tells
  useEffect(() => {
    if (!wallet) return undefined;
    const end = new AbortController();
    const { signal } = end;
    let reading = false;
    let again = false;
    const reload = async (): Promise<void> => {
      again = true;
      if (reading) return;
      reading = true;
      while (again && !signal.aborted) {
        again = false;
        const live = await load(wallet, signal).then(
          (value) => () => ({ value, error: undefined }),
          (error: unknown) => (before: Live<T>) => ({ value: before.value, error: asError(error) }),
        );
        if (signal.aborted) break;
        setRead((r) => ({ wallet, key, live: live(r.wallet === wallet && r.key === key ? r.live : empty) }));
      }
      reading = false;
    };
    const offs = [
      wallet.on("transfer", reload),
      wallet.on("height", reload),
      wallet.on("lost", reload),
      wallet.on("closed", () => end.abort()),
    ];
    void reload();
    return () => {
      end.abort();
      for (const off of offs) off();
    };
  }, [wallet, key]);
  // What another wallet returned is never shown as this one's, not even in the first rendering after a change.
  return read.wallet === wallet && read.key === key ? read.live : empty;
}
