import type { Answer } from "./host.js";

/** Limits on a daemon's response. */
export interface Patience {
  /** Longest time without a byte, in milliseconds. The complete response may take longer. */
  silence: number;
  /** Largest response, in bytes. */
  largest: number;
}

const standard: Patience = { silence: 120_000, largest: 160 * 2 ** 20 };

/**
 * Posts body to a daemon. It rejects if there is no readable response, or if the response stalls or exceeds the limit.
 */
export async function post(
  url: string,
  body: Uint8Array,
  authorization: string,
  signal: AbortSignal,
  { silence, largest } = standard,
): Promise<Answer> {
  const headers: Record<string, string> = {
    "content-type": url.endsWith(".bin") ? "application/octet-stream" : "application/json",
  };
  if (authorization !== "") headers.authorization = authorization;
  const end = new AbortController();
  const giveUp = (): void => end.abort(signal.reason);
  const silent = (): void => end.abort(new Error(`the daemon said nothing for ${silence} ms`));
  signal.addEventListener("abort", giveUp);
  if (signal.aborted) giveUp();
  let timer = setTimeout(silent, silence);
  try {
    const response = await fetch(url, {
      method: "POST",
      headers,
      body: body as Uint8Array<ArrayBuffer>,
      signal: end.signal,
      credentials: "omit",
      cache: "no-store",
      referrerPolicy: "no-referrer",
      redirect: "error",
    });
    const parts: Uint8Array[] = [];
    let size = 0;
    const reader = response.body?.getReader();
    for (let read = await reader?.read(); read && !read.done; read = await reader?.read()) {
      clearTimeout(timer);
      timer = setTimeout(silent, silence);
      parts.push(read.value);
      size += read.value.length;
      if (size > largest) {
        end.abort();
        throw new Error(`the daemon's answer is larger than ${largest} bytes`);
      }
    }
    return { status: response.status, body: joined(parts, size), challenge: response.headers.get("www-authenticate") };
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", giveUp);
  }
}

function joined(parts: readonly Uint8Array[], size: number): Uint8Array {
  const [only] = parts;
  if (only && parts.length === 1) return only;
  const all = new Uint8Array(size);
  let at = 0;
  for (const p of parts) {
    all.set(p, at);
    at += p.length;
  }
  return all;
}
