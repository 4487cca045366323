import type { Failure } from "./protocol.js";

/**
 * Why something was not done. kind says whose matter it is: "contract" the service refused and code is one of Code; "aborted" the
 * caller gave it up; "network" a daemon was not reached; "storage" the browser did not keep what it was given; "internal" the rest.
 */
export class GlimError extends Error {
  override readonly name = "GlimError";
  /** Whose matter it is. */
  readonly kind: Failure["kind"];
  /** The contract's error code, one of Code; 0 where it has none. */
  readonly code: number;

  constructor(kind: Failure["kind"], message: string, code = 0) {
    super(message);
    this.kind = kind;
    this.code = code;
  }
}
