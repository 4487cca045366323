import type { Create, Glim, Restore } from "../glim.js";
import type { CallOptions } from "../operation.js";
import type { Wallet } from "../wallet.js";

/** What a provider has at one moment. A new object for every change. */
export interface SessionState {
  /** The engine, once it has started. */
  readonly glim: Glim | undefined;
  /** The open wallet. */
  readonly wallet: Wallet | undefined;
  /** Whether the engine starts, or a wallet is being opened, created, restored or closed. */
  readonly busy: boolean;
  /** Why the engine did not start, or why the last of these calls failed. */
  readonly error: Error | undefined;
}

/** What a server renders, and a page before the engine starts. */
export const nothing: SessionState = { glim: undefined, wallet: undefined, busy: true, error: undefined };

/** Returns a thrown value as an error. */
export const asError = (e: unknown): Error => (e instanceof Error ? e : new Error(String(e)));

/**
 * The engine and the open wallet of one provider. In strict mode React mounts a component, unmounts it and mounts it
 * again at once, so an engine is stopped only if no mount follows an unmount in the same task.
 */
export class Session {
  #state = nothing;
  readonly #listeners = new Set<() => void>();
  #starting: Promise<Glim> | undefined;
  #stopping: ReturnType<typeof setTimeout> | undefined;
  /** The end of the last call about the open wallet: each begins after the one before. */
  #turn: Promise<unknown> = Promise.resolve();
  #off: () => void = () => undefined;

  /** Begins when the provider is mounted: starts the engine unless it is running. */
  readonly mount = (start: () => Promise<Glim>): void => {
    clearTimeout(this.#stopping);
    if (this.#starting) return;
    const starting = new Promise<Glim>((resolve) => resolve(start()));
    this.#starting = starting;
    starting.then(
      (glim) => this.#starting === starting && this.#set({ glim, busy: false }),
      (error: unknown) => this.#starting === starting && this.#set({ busy: false, error: asError(error) }),
    );
  };

  /** Stops the engine when the provider is unmounted. */
  readonly unmount = (): void => {
    this.#stopping = setTimeout(() => {
      const starting = this.#starting;
      this.#starting = undefined;
      this.#off();
      this.#set(nothing);
      starting?.then((glim) => glim.stop()).catch(() => undefined); // nobody is left to tell
    });
  };

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  readonly state = (): SessionState => this.#state;

  readonly open = (
    name: string,
    password: string,
    options?: { inFile?: boolean } & CallOptions,
  ): Promise<Wallet | undefined> => this.#take((glim) => glim.open(name, password, options));

  readonly create = (options: Create): Promise<Wallet | undefined> => this.#take((glim) => glim.create(options));

  readonly restore = (options: Restore): Promise<Wallet | undefined> => this.#take((glim) => glim.restore(options));

  readonly close = async (): Promise<void> => {
    await this.#take(async () => undefined);
  };

  /** Makes the wallet that get returns the open one, and closes the one before. Failures are in the state. */
  #take(get: (glim: Glim) => Promise<Wallet | undefined>): Promise<Wallet | undefined> {
    const turn = this.#turn.then(async () => {
      const starting = this.#starting;
      if (!starting) return undefined;
      const of = (change: Partial<SessionState>): void => {
        if (this.#starting === starting) this.#set(change);
      };
      try {
        const glim = await starting;
        of({ busy: true, error: undefined });
        const wallet = await get(glim);
        const before = this.#state.wallet;
        if (this.#starting === starting && wallet !== before) {
          this.#off();
          this.#off = wallet?.on("closed", () => of({ wallet: undefined })) ?? (() => undefined);
          of({ wallet });
          await before?.close();
        }
        of({ busy: false });
        return wallet;
      } catch (error) {
        of({ busy: false, error: asError(error) });
        return undefined;
      }
    });
    this.#turn = turn;
    return turn;
  }

  #set(change: Partial<SessionState>): void {
    this.#state = { ...this.#state, ...change };
    for (const listener of [...this.#listeners]) listener();
  }
}
