import type { Failure } from "./protocol.js";

/**
 * A failed call. Its kind is "contract" if the service refused it, and code is then one of Code; "aborted" if the
 * caller cancelled it; "network" if no daemon could be reached; "storage" if the browser did not store data; "internal"
 * otherwise.
 */
export class GlimError extends Error {
  override readonly name = "GlimError";
  /** The kind of failure. */
  readonly kind: Failure["kind"];
  /** The service's error code, one of Code, or 0. */
  readonly code: number;

  constructor(kind: Failure["kind"], message: string, code = 0) {
    super(message);
    this.kind = kind;
    this.code = code;
  }
}
