import { read, write, type Shapes } from "./json.js";

/** Options of every call. */
export interface CallOptions {
  /**
   * Cancels the call. It fails with the signal's reason, which is an AbortError (a DOMException) unless another one was
   * given, as soon as nothing would be lost: what had begun is complete or has not happened. A call that was already
   * done returns its result.
   */
  signal?: AbortSignal;
}

/** Calls an operation by name, with parameters and result as JSON. */
export type Ask = (method: string, params: string, options: CallOptions) => Promise<string>;

/** Base class of the generated classes of operations. */
export class Operations {
  readonly #ask: Ask;
  readonly #shapes: Shapes;

  constructor(ask: Ask, shapes: Shapes) {
    this.#ask = ask;
    this.#shapes = shapes;
  }

  /** Calls an operation and reads its result. The list of operations guarantees that the shape matches R. */
  protected async call<R>(method: string, params: unknown, shape: string, options: CallOptions = {}): Promise<R> {
    const answer = await this.#ask(method, write(params), options);
    return read(answer, shape, this.#shapes) as R;
  }
}
