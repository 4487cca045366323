/** Asks a resolver for DNS over HTTPS (RFC 8484) for the TXT records of a name. */
import { DNSError, readTexts, textQuery, type Texts } from "./dns.js";
import { GlimError } from "./errors.js";

/** How long to wait for the whole response, in milliseconds, and its largest size: that of a DNS message. */
const longest = 30_000;
const largest = 65_535;

/**
 * Returns the TXT records of a name as a resolver gives them. The query is in the address, so that the browser needs no
 * permission beforehand (section 4.1), and contains nothing about the page or the user. It fails with the reasons
 * ResolverUnreachable, ResolverInvalid and Aborted.
 */
export async function askResolver(resolver: string, name: string, signal?: AbortSignal): Promise<Texts> {
  const url = endpoint(resolver);
  url.searchParams.set("dns", base64url(textQuery(name)));
  const message = await get(url, signal);
  try {
    return readTexts(message, name);
  } catch (e) {
    throw e instanceof DNSError ? invalid(e.message, e) : e;
  }
}

const invalid = (problem: string, cause?: unknown): GlimError =>
  new GlimError("network", `the resolver did not answer: ${problem}`, 0, { reason: "ResolverInvalid", cause });

/** Returns the address of a resolver. Only https hides the name on the way, and protects the answer. */
function endpoint(resolver: string): URL {
  const url = URL.canParse(resolver) ? new URL(resolver) : undefined;
  const local = url?.protocol === "http:" && /^(localhost|127\.0\.0\.1|\[::1\])$/.test(url.hostname);
  if (url && (url.protocol === "https:" || local) && url.username === "" && url.password === "") return url;
  throw new GlimError("contract", "the address of the resolver does not begin with https://", -2, {
    reason: "ResolverInvalid",
  });
}

/** Returns the body of a successful response. */
async function get(url: URL, signal?: AbortSignal): Promise<Uint8Array> {
  const end = new AbortController();
  const cancel = (): void => end.abort();
  signal?.addEventListener("abort", cancel);
  if (signal?.aborted) cancel();
  const timer = setTimeout(cancel, longest);
  try {
    const response = await fetch(url, {
      headers: { accept: "application/dns-message" },
      signal: end.signal,
      credentials: "omit",
      cache: "no-store",
      referrerPolicy: "no-referrer",
      redirect: "error",
    });
    if (response.status !== 200) throw invalid(`status ${response.status}`);
    return await limited(response.body);
  } catch (cause) {
    if (signal?.aborted) throw new GlimError("aborted", "the call was cancelled", 0, { cause: signal.reason });
    if (cause instanceof GlimError) throw cause;
    throw new GlimError("network", `the resolver ${url.host} cannot be reached, or does not allow this page`, 0, {
      reason: "ResolverUnreachable",
      cause,
    });
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", cancel);
    end.abort(); // of a response that was not read to its end
  }
}

/** Reads a body of at most largest bytes. */
async function limited(body: ReadableStream<Uint8Array> | null): Promise<Uint8Array> {
  const all = new Uint8Array(largest);
  let size = 0;
  const reader = body?.getReader();
  for (let read = await reader?.read(); read && !read.done; read = await reader?.read()) {
    if (size + read.value.length > largest) throw invalid("it sent more than a message");
    all.set(read.value, size);
    size += read.value.length;
  }
  return all.slice(0, size);
}

const base64url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
