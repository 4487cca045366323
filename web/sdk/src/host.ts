/** What the engine's program and the script around it say to each other: wasm/browser is the other side. */

/** A file of bytes that one engine has open. Each change is durable when its promise is kept. */
export interface StoredFile {
  load(): Promise<Uint8Array>;
  append(bytes: Uint8Array): Promise<void>;
  replace(bytes: Uint8Array): Promise<void>;
  truncate(size: number): Promise<void>;
  close(): Promise<void>;
}

/** Where wallets are kept. Failures have the names ExistsError, MissingError and InUseError. */
export interface FileStore {
  exists(name: string): Promise<boolean>;
  /** A new, empty file. */
  create(name: string): Promise<StoredFile>;
  open(name: string): Promise<StoredFile>;
  remove(name: string): Promise<void>;
  names(): Promise<string[]>;
}

export interface Answer {
  status: number;
  body: Uint8Array;
  /** The WWW-Authenticate header, where it can be read. */
  challenge: string | null;
}

/** Makes a key of a password in a worker that ends when it has: its memory ends with it. */
export type Derive = (password: Uint8Array, salt: Uint8Array, time: number, memory: number, lanes: number, size: number) => Promise<Uint8Array>;

/** What the engine's program finds in the global scope as glimHost. */
export interface EngineHost {
  role: "engine";
  options: string;
  derive: Derive;
  files: FileStore;
  /** Asks the daemon at address; rejects when there is no answer that can be read. */
  post(address: string, path: string, body: Uint8Array, authorization: string, signal: AbortSignal): Promise<Answer>;
  /** Lets a worker scan a job. */
  scan(job: Uint8Array): Promise<Uint8Array>;
  /** Asks the worker that has the spend keys. Both are the engine's own, and wiped by it. */
  vault(request: Uint8Array): Promise<Uint8Array>;
  /** Lets the worker's other events happen. */
  turn(): Promise<void>;
  /** The words of a list that comes with the package, such as seeds/german; empty when it cannot be had. */
  words(list: string): string;
  log(level: number, message: string): void;
  ready(api: EngineAPI): void;
  failed(message: string): void;
}

export interface EngineAPI {
  call(id: number, wallet: string, method: string, params: string, done: (kind: string, code: number, text: string) => void): void;
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
  /** Its network and kdf, as the engine's. */
  options: string;
  derive: Derive;
  words(list: string): string;
  log(level: number, message: string): void;
  ready(api: SignerAPI): void;
  failed(message: string): void;
}

export interface SignerAPI {
  /** Answers the engine. */
  serve(request: Uint8Array, done: (answer: Uint8Array) => void): void;
  /** Answers the page; kind is empty when text is the answer. */
  ask(op: string, params: string, done: (kind: string, code: number, text: string) => void): void;
}

export interface DeriverHost {
  role: "deriver";
  ready(api: DeriverAPI): void;
}

export interface DeriverAPI {
  derive(password: Uint8Array, salt: Uint8Array, time: number, memory: number, lanes: number, size: number): Uint8Array;
}

export interface DaemonHost {
  ready(api: DaemonAPI): void;
  failed(message: string): void;
}

export interface DaemonAPI {
  post(path: string, body: Uint8Array, bigStrings: boolean, done: (status: number, answer: Uint8Array | null) => void): void;
}
