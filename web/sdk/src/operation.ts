import { read, write, type Shapes } from "./json.js";

/** What every call takes. */
export interface CallOptions {
  /** Gives the call up: it ends with kind "aborted" as soon as nothing would be lost. */
  signal?: AbortSignal;
}

/** Carries out an operation: its name, its parameters and its result as JSON. */
export type Ask = (method: string, params: string, options: CallOptions) => Promise<string>;

/** What the classes of all operations have in common. */
export class Operations {
  readonly #ask: Ask;
  readonly #shapes: Shapes;

  constructor(ask: Ask, shapes: Shapes) {
    this.#ask = ask;
    this.#shapes = shapes;
  }

  /** Calls an operation and reads its answer, which is of type R because the list of operations says that it has this shape. */
  protected async call<R>(method: string, params: unknown, shape: string, options: CallOptions = {}): Promise<R> {
    const answer = await this.#ask(method, write(params), options);
    return read(answer, shape, this.#shapes) as R;
  }
}
