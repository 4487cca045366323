/** Node's counterpart of http.ts. Node's fetch ends a request that is not answered within five minutes. */
import http from "node:http";
import https from "node:https";

import type { Line, Question, Response } from "./http.js";

export type { Line, Question, Response };

/** Node opens as many connections as there are requests. */
export const mostWallets = Infinity;

/** Each line is a connection. */
export const anyLine = false;

/** How long a connection is kept without a request, in milliseconds: less than any server keeps it. */
const idle = 5000;

/** Returns a way to send requests over a connection of its own. */
export function line(): Line {
  const options = { keepAlive: true, maxSockets: 1, timeout: idle };
  const agents = { "http:": new http.Agent(options), "https:": new https.Agent(options) };
  return (url, { method, headers, body, signal }) =>
    new Promise((resolve, reject) => {
      const secure = new URL(url).protocol === "https:";
      const sent = (secure ? https : http).request(
        url,
        { method, headers, agent: agents[secure ? "https:" : "http:"] },
        (got) => resolve({ status: got.statusCode ?? 0, challenges: got.headers["www-authenticate"] ?? "", body: got }),
      );
      // Given to the request, the signal would stay with the connection, and end it in a later request.
      const abort = (): void => void sent.destroy();
      signal.addEventListener("abort", abort);
      sent.on("close", () => signal.removeEventListener("abort", abort));
      sent.on("error", reject);
      if (signal.aborted) abort();
      else sent.end(body);
    });
}
