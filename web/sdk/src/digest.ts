// Digest authentication over HTTP, with the algorithm MD5 and the quality of protection "auth".
// Source: RFC 7616, section 3; contrib/epee/src/http_auth.cpp.
import { md5 } from "./md5.js";

/** A user name and a password. */
export interface Login {
  /** The user name: printable ASCII without quotes and backslashes. */
  username: string;
  /** The password. It is never sent, only proven. */
  password: string;
}

/** What a server asks for in a WWW-Authenticate header. */
export interface Challenge {
  realm: string;
  nonce: string;
  opaque: string;
  /** Whether the login was right, and only its nonce outdated. */
  stale: boolean;
}

/** Returns the challenge with MD5 among those of a response, whose headers are joined by commas. */
export function challengeIn(headers: string): Challenge | undefined {
  for (const one of headers.split(/(?:^|,)\s*Digest\s+/i).slice(1)) {
    const members = new Map<string, string>();
    for (const [, name, quoted, plain] of one.matchAll(/([\w-]+)\s*=\s*(?:"([^"]*)"|([^\s,"]+))/g)) {
      if (name !== undefined) members.set(name.toLowerCase(), quoted ?? plain ?? "");
    }
    const of = (name: string): string => members.get(name) ?? "";
    if (of("algorithm") !== "" && of("algorithm").toUpperCase() !== "MD5") continue;
    if (
      of("nonce") === "" ||
      !of("qop")
        .toLowerCase()
        .split(/[\s,]+/)
        .includes("auth")
    )
      continue;
    return {
      realm: of("realm"),
      nonce: of("nonce"),
      opaque: of("opaque"),
      stale: of("stale").toLowerCase() === "true",
    };
  }
  return undefined;
}

/**
 * Returns the Authorization header of a request with a method for path, which includes the query. count is the number
 * of requests with the challenge's nonce, this one included.
 */
export function authorization(
  { username, password }: Login,
  { realm, nonce, opaque }: Challenge,
  method: string,
  path: string,
  count: number,
): string {
  const nc = count.toString(16).padStart(8, "0");
  const cnonce = [...crypto.getRandomValues(new Uint8Array(16))].map((b) => b.toString(16).padStart(2, "0")).join("");
  const secret = md5(`${username}:${realm}:${password}`);
  const response = md5(`${secret}:${nonce}:${nc}:${cnonce}:auth:${md5(`${method}:${path}`)}`);
  return (
    `Digest algorithm=MD5,nonce="${nonce}",realm="${realm}",response="${response}",uri="${path}",` +
    `username="${username}"${opaque && `,opaque="${opaque}"`},qop=auth,nc=${nc},cnonce="${cnonce}"`
  );
}
