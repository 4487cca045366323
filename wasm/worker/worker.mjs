// The host of the gateway in Cloudflare Workers. It passes bytes between the platform and the program, which makes all
// decisions.
//
// An instance of the program answers one request at a time and is then reused, so that no two requests share what the
// platform binds to one of them. It does not log requests, only problems with upstreams.

import "./wasm_exec.js";
import program from "./gateway.wasm";

const maxBody = 1 << 20; // bytes of a request
const maxAnswer = 64 << 20; // bytes of an upstream's response
const maxIdle = 3; // idle instances kept, about 20 MB each

const list = (text) =>
  (text ?? "")
    .split(",")
    .map((s) => s.trim())
    .filter((s) => s !== "");

// Identifies the client, only for the request limit. Of an IPv6 address it uses the upper half, which belongs to one
// client.
function clientOf(request) {
  const address = request.headers.get("cf-connecting-ip") ?? "";
  if (!address.includes(":")) return address;
  const [head, tail] = address.split("::");
  const parts = head === "" ? [] : head.split(":");
  if (tail !== undefined) while (parts.length + (tail === "" ? 0 : tail.split(":").length) < 8) parts.push("0");
  return parts.slice(0, 4).join(":");
}

// Reads a body of at most this many bytes; null if it is longer.
async function read(body, most) {
  if (body === null) return new Uint8Array(0);
  const parts = [];
  let size = 0;
  for await (const part of body) {
    size += part.length;
    if (size > most) return null;
    parts.push(part);
  }
  if (parts.length === 1) return parts[0];
  const all = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

class Instance {
  pending = new Set(); // promises of the current request
  dead = false;

  constructor(env, origin) {
    const upstreams = list(env.UPSTREAMS).map((u) => u.replace(/\/$/, ""));
    const timeout = Number(env.UPSTREAM_TIMEOUT_MS ?? 10000);
    const headers = {};
    if (env.UPSTREAM_TOKEN) headers.authorization = `Bearer ${env.UPSTREAM_TOKEN}`;
    const address = (name) => `${origin}/kept/${name}`;
    const cached = (value, seconds) =>
      new Response(value, { headers: { "cache-control": `public, max-age=${seconds || 31536000}` } });
    const track = (promise) => {
      this.pending.add(promise);
      const drop = () => this.pending.delete(promise);
      promise.then(drop, drop);
      return promise;
    };
    const go = new globalThis.Go();
    // The bucket as the program sees it; its operations are part of the current request.
    const bucket = env.SEGMENTS && {
      get: (name) => track(env.SEGMENTS.get(name)),
      put: (name, value) => track(env.SEGMENTS.put(name, value)),
    };
    globalThis.context = { env: { SEGMENTS: bucket }, binding: {} };
    globalThis.glimHost = {
      network: env.NETWORK ?? "mainnet",
      depth: Number(env.DEPTH ?? 100),
      // A URL can contain a secret, so reports name only its host.
      upstreams: upstreams.map((u) => new URL(u).host),
      origins: list(env.ORIGINS),
      post: (number, path, body) =>
        track(
          (async () => {
            const type = path.endsWith(".bin") ? "application/octet-stream" : "application/json";
            const answer = await fetch(upstreams[number] + path, {
              method: "POST",
              body,
              headers: { ...headers, "content-type": type },
              redirect: "manual",
              signal: AbortSignal.timeout(timeout),
            });
            if (answer.status !== 200) {
              await answer.body?.cancel();
              throw new Error(`HTTP ${answer.status}`);
            }
            const bytes = await read(answer.body, maxAnswer);
            if (bytes === null) throw new Error("an answer that is too long");
            return bytes;
          })(),
        ),
      get: (name) =>
        track(
          (async () => {
            const hit = await caches.default.match(address(name));
            return hit ? new Uint8Array(await hit.arrayBuffer()) : null;
          })(),
        ),
      put: (name, value, seconds) => {
        track(caches.default.put(address(name), cached(value, seconds))).catch(() => {});
      },
      bucket: env.SEGMENTS ? "SEGMENTS" : "",
      report: (upstream, reason) => console.warn(`upstream ${upstream}: ${reason}`),
      ready: (answer) => {
        this.answer = answer;
      },
    };
    go.run(new WebAssembly.Instance(program, go.importObject)).then(() => {
      this.dead = true;
    });
    delete globalThis.context;
  }

  handle(method, path, origin, body) {
    return new Promise((resolve) => {
      this.answer(method, path, origin, body, (status, headers, bytes) => resolve({ status, headers, bytes }));
    });
  }

  async settled() {
    while (this.pending.size > 0) await Promise.allSettled(this.pending);
  }
}

const idle = [];

export default {
  async fetch(request, env, ctx) {
    if (env.RATE) {
      const { success } = await env.RATE.limit({ key: clientOf(request) });
      if (!success) return new Response(null, { status: 429 });
    }
    const body = await read(request.body, maxBody);
    if (body === null) return new Response(null, { status: 413 });
    const { pathname, origin } = new URL(request.url);
    const instance = idle.pop() ?? new Instance(env, origin);
    const { status, headers, bytes } = await instance.handle(
      request.method,
      pathname,
      request.headers.get("origin") ?? "",
      body,
    );
    ctx.waitUntil(
      instance.settled().then(() => {
        if (!instance.dead && idle.length < maxIdle) idle.push(instance);
      }),
    );
    return new Response(status === 204 || bytes.length === 0 ? null : bytes, { status, headers });
  },
};
