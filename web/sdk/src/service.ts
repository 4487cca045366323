import { authorization, challengeIn, type Challenge, type Login } from "./digest.js";
import type { Reason } from "./errors.js";
import { anyLine, line, type Line, type Response } from "./http.js";
import type { Failure } from "./protocol.js";
import { refusal } from "./refusals.js";
import { quoted } from "./wire.js";

/** A failed request. */
export class Refused extends Error {
  constructor(readonly failure: Failure) {
    super(failure.message);
  }
}

/** Returns the failure of a request that the service did not answer as a wallet service does. */
export function trouble(reason: Reason, message: string, cause?: unknown): Refused {
  return new Refused({
    kind: reason === "ServiceUnreachable" ? "network" : "internal",
    code: 0,
    message,
    reason,
    ...(cause instanceof Error && { cause: cause.message }),
  });
}

/** Returns the failure of something that the service refuses. */
export function refused(code: number, message: string, reason: Reason | "" = ""): Refused {
  return new Refused({ kind: "contract", code, message, reason });
}

/** The longest answer that is read, in characters. */
const largest = 2 ** 28;

/**
 * How often a request with a login is sent before it fails. A server gives each connection its own challenge, and a
 * browser may choose another connection for the answer to it.
 */
const tries = 20;

/** A connection, with the last challenge that was received over it. */
interface Lane {
  readonly send: Line;
  challenge: Challenge | undefined;
  /** Number of requests with this challenge. */
  count: number;
}

/** An event of a stream, as JSON in which 64-bit numbers are strings. */
export type Told = { type: string; cursor?: string | number; txid?: string };

/** The connection to a wallet service over HTTP: JSON-RPC, server-sent events and logins. */
export class Service {
  /** The service's address, without a slash at its end. */
  readonly url: string;
  readonly #login: Login | undefined;
  readonly #token: string | undefined;
  /** Connections without a request; the last one was used last. */
  readonly #free: Lane[] = [];
  /** Resolves when the next request with a login may be sent. */
  #turn = Promise.resolve();

  /** Throws a TypeError if url is not the address of a service. */
  constructor(url: string, login: Login | undefined, token?: string) {
    const { protocol, username, password, href } = new URL(url);
    if (!/^https?:$/.test(protocol) || username + password !== "" || /[?#]/.test(href))
      throw new TypeError("url must be http(s)://host:port; a login is given as login");
    if (login && !/^[\x20\x21\x23-\x5b\x5d-\x7e]+$/.test(login.username))
      throw new TypeError("a user name is of printable ASCII without quotes and backslashes");
    this.url = href.replace(/\/+$/, "");
    this.#login = login;
    this.#token = token;
  }

  /** Calls an operation at a path, such as /json_rpc. Returns the result, with 64-bit numbers as strings. */
  async call(path: string, method: string, params: string, signal: AbortSignal): Promise<unknown> {
    const body = `{"jsonrpc":"2.0","id":"0","method":${JSON.stringify(method)},"params":${params || "{}"}}`;
    const text = await this.#ask(path, "POST", body, signal, async ({ status, body }) => {
      if (status !== 200) throw trouble("ServiceInvalid", `the service answered with the HTTP status ${status}`);
      return read(body);
    });
    let answer: { result?: unknown; error?: { code?: unknown; message?: unknown } } | null;
    try {
      answer = JSON.parse(quoted(text)) as typeof answer;
    } catch (cause) {
      throw trouble("ServiceInvalid", "the answer is not JSON: is this a wallet service?", cause);
    }
    if (answer?.error && typeof answer.error.code === "number") {
      const { code, message } = { code: answer.error.code, message: String(answer.error.message) };
      throw refused(code, message, code === -1 ? refusal(message) : "");
    }
    if (answer?.result === undefined) throw trouble("ServiceInvalid", "the answer has no result");
    return answer.result;
  }

  /**
   * Follows the events at a path. It calls opened once the service sends all events from then on, and hear with each.
   * Returns when the stream ends. Without an open wallet it fails with the code of that.
   */
  stream(path: string, signal: AbortSignal, opened: () => void, hear: (event: Told) => void): Promise<void> {
    return this.#ask(path, "GET", undefined, signal, async ({ status, body }) => {
      if (status === 409) {
        const { error } = JSON.parse(await read(body)) as { error: { code: number; message: string } };
        throw refused(error.code, error.message);
      }
      if (status !== 200) throw trouble("ServiceInvalid", `there are no events: HTTP status ${status}`);
      opened();
      const decoder = new TextDecoder();
      let rest = "";
      for await (const bytes of body) {
        const lines = (rest + decoder.decode(bytes, { stream: true })).split("\n");
        rest = lines.pop() ?? "";
        if (rest.length > largest) throw trouble("ServiceInvalid", "an event is too long");
        for (const l of lines) if (l.startsWith("data:")) hear(JSON.parse(quoted(l.slice(5))) as Told);
      }
    });
  }

  /** Waits until a request with a login may be sent. Returns a function to call once that is answered. */
  async #next(): Promise<() => void> {
    const before = this.#turn;
    let done = (): void => undefined;
    this.#turn = new Promise((resolve) => {
      done = resolve;
    });
    await before;
    return done;
  }

  /** Sends a request, with the login if the service asks for it, and passes the response to take. */
  async #ask<T>(
    path: string,
    method: "GET" | "POST",
    body: string | undefined,
    signal: AbortSignal,
    take: (response: Response) => Promise<T>,
  ): Promise<T> {
    const url = this.url + path;
    const { pathname, search } = new URL(url);
    const inTurn = anyLine && this.#login !== undefined;
    let done: (() => void) | undefined;
    let lane: Lane | undefined;
    try {
      for (let sent = 0; sent < tries; sent++) {
        if (inTurn) done ??= await this.#next();
        signal.throwIfAborted();
        lane ??= this.#free.pop() ?? { send: line(), challenge: undefined, count: 0 };
        const headers: Record<string, string> = body === undefined ? {} : { "content-type": "application/json" };
        if (this.#token) headers.authorization = `Bearer ${this.#token}`;
        if (this.#login && lane.challenge) {
          lane.count++;
          headers.authorization = authorization(this.#login, lane.challenge, method, pathname + search, lane.count);
        }
        const answering = lane.send(url, { method, headers, signal, ...(body !== undefined && { body }) });
        // The login is checked at once, so that a call without an answer is being carried out, or the service is slow.
        if (done && !(await settles(answering, 100 * (sent + 1)))) {
          done();
          done = undefined;
        }
        const answer = await answering;
        if (answer.status !== 401) {
          done?.();
          return await take(answer);
        }
        await read(answer.body);
        const challenge = challengeIn(answer.challenges);
        if (!this.#login) throw trouble("ServiceLogin", "the service requires a login");
        if (!challenge)
          throw trouble("ServiceLogin", "the service asks for a login of another kind than digest with MD5");
        if (headers.authorization && !challenge.stale)
          throw trouble("ServiceLogin", "the service rejected the user name or the password");
        lane.challenge = challenge;
        lane.count = 0;
      }
      throw trouble("ServiceLogin", "the service kept asking for the login: too many requests at once");
    } catch (error) {
      if (error instanceof Refused || signal.aborted) throw error;
      throw trouble("ServiceUnreachable", `the wallet service at ${this.url} cannot be reached`, error);
    } finally {
      done?.();
      if (lane) this.#free.push(lane);
    }
  }
}

/** Returns whether a promise settles within some milliseconds. */
async function settles(promise: Promise<unknown>, ms: number): Promise<boolean> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), ms);
  });
  const settled = promise.then(
    () => true,
    () => true,
  );
  const result = await Promise.race([settled, late]);
  clearTimeout(timer);
  return result;
}

async function read(body: AsyncIterable<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const bytes of body) {
    text += decoder.decode(bytes, { stream: true });
    if (text.length > largest) throw trouble("ServiceInvalid", "the answer is too long");
  }
  return text + decoder.decode();
}
