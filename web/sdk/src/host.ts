/** The interface between the engine's program (wasm/browser) and the script that runs it. */

/** A file that one engine has open. A change is durable when its promise resolves. */
export interface StoredFile {
  load(): Promise<Uint8Array>;
  append(bytes: Uint8Array): Promise<void>;
  replace(bytes: Uint8Array): Promise<void>;
  truncate(size: number): Promise<void>;
  close(): Promise<void>;
}

/** Stores wallets. Errors have the names ExistsError, MissingError and InUseError. */
export interface FileStore {
  exists(name: string): Promise<boolean>;
  /** Creates an empty file. */
  create(name: string): Promise<StoredFile>;
  open(name: string): Promise<StoredFile>;
  remove(name: string): Promise<void>;
  names(): Promise<string[]>;
  /** Returns the content of a file, which may be open. */
  read(name: string): Promise<Uint8Array>;
}

export interface Answer {
  status: number;
  body: Uint8Array;
  /** The WWW-Authenticate header, if it is readable. */
  challenge: string | null;
}

/** Derives a key from a password in its own worker, which then ends, so that its memory is freed. */
export type Derive = (
  password: Uint8Array,
  salt: Uint8Array,
  time: number,
  memory: number,
  lanes: number,
  size: number,
) => Promise<Uint8Array>;

/** The object that the engine's program finds as glimHost in the global scope. */
export interface EngineHost {
  role: "engine";
  options: string;
  derive: Derive;
  files: FileStore;
  /** Sends a request to the daemon at address. It rejects if there is no readable response. */
  post(address: string, path: string, body: Uint8Array, authorization: string, signal: AbortSignal): Promise<Answer>;
  /** Runs a job in a scanning worker. */
  scan(job: Uint8Array): Promise<Uint8Array>;
  /** Sends a request to the worker that holds the spend keys. The engine owns both byte arrays and wipes them. */
  vault(request: Uint8Array): Promise<Uint8Array>;
  /** Yields to the worker's other events. */
  turn(): Promise<void>;
  /** Returns a word list of the package, such as seeds/german; empty if it is unavailable. */
  words(list: string): string;
  log(level: number, message: string): void;
  ready(api: EngineAPI): void;
  failed(message: string): void;
}

export interface EngineAPI {
  call(
    id: number,
    wallet: string,
    method: string,
    params: string,
    done: (kind: string, code: number, text: string, reason: string, cause: string) => void,
  ): void;
  cancel(id: number): void;
  follow(id: number, wallet: string, cursor: string, tell: (event: string) => void, ended: () => void): void;
  pause(): void;
  resume(): void;
  close(done: (failure: string) => void): void;
}

export interface ScannerHost {
  role: "scanner";
  ready(api: ScannerAPI): void;
}

export interface ScannerAPI {
  scan(job: Uint8Array): Uint8Array | Error;
}

export interface SignerHost {
  role: "signer";
  /** The network and kdf options, in the engine's form. */
  options: string;
  derive: Derive;
  words(list: string): string;
  log(level: number, message: string): void;
  ready(api: SignerAPI): void;
  failed(message: string): void;
}

export interface SignerAPI {
  /** Answers a request of the engine. */
  serve(request: Uint8Array, done: (answer: Uint8Array) => void): void;
  /** Answers a request of the page. If kind is empty, text is the result. */
  ask(op: string, params: string, done: (kind: string, code: number, text: string, reason: string) => void): void;
}

export interface DeriverHost {
  role: "deriver";
  ready(api: DeriverAPI): void;
}

export interface DeriverAPI {
  derive(password: Uint8Array, salt: Uint8Array, time: number, memory: number, lanes: number, size: number): Uint8Array;
}

/** Stores the embedded daemon's chain: records under keys of a few bytes. */
export interface ChainStore {
  /** Returns all keys and values alternately, in the order of keys, compared byte by byte. */
  load(): Promise<Uint8Array[]>;
  /** Writes records, given in the same form, and deletes others by key: all or nothing, durable when it resolves. */
  commit(put: Uint8Array[], drop: Uint8Array[]): Promise<void>;
}

export interface DaemonHost {
  /** Null keeps the chain in memory. */
  store: ChainStore | null;
  /** Index of the first block of the next hard fork; 0 for none. */
  forkHeight: number;
  ready(api: DaemonAPI): void;
  failed(message: string): void;
}

export interface DaemonAPI {
  post(
    path: string,
    body: Uint8Array,
    bigStrings: boolean,
    done: (status: number, answer: Uint8Array | null) => void,
  ): void;
}
