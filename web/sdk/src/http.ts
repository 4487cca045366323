/** Requests over HTTP in a browser; in Node, http-node.ts replaces it. */

/** A request. */
export interface Question {
  method: "GET" | "POST";
  headers: Record<string, string>;
  body?: string;
  signal: AbortSignal;
}

/** A response; its body must be read to the end, or the request aborted. */
export interface Response {
  status: number;
  /** The WWW-Authenticate headers, joined by commas. */
  challenges: string;
  body: AsyncIterable<Uint8Array>;
}

/**
 * Browsers have up to six connections to a server, and each open wallet has one for its events. This many wallets leave
 * some for calls.
 */
export const mostWallets = 4;

/**
 * Whether the environment chooses a connection for each request. A server's challenge is for one connection, so that
 * requests which answer one are then sent one after the other.
 */
export const anyLine = true;

/** Sends requests over one connection after the other. A new one is used if the last was closed. */
export type Line = (url: string, question: Question) => Promise<Response>;

async function* chunks(stream: ReadableStream<Uint8Array> | null): AsyncGenerator<Uint8Array> {
  const reader = stream?.getReader();
  for (let read = await reader?.read(); read && !read.done; read = await reader?.read()) yield read.value;
}

/** Returns a way to send requests. The browser chooses the connection, usually the last one that was used. */
export const line = (): Line => async (url, question) => {
  const { status, headers, body } = await fetch(url, {
    ...question,
    credentials: "omit",
    cache: "no-store",
    referrerPolicy: "no-referrer",
    redirect: "error",
  });
  return { status, challenges: headers.get("www-authenticate") ?? "", body: chunks(body) };
};
