// Serves the built app as any static host would: files with their media types, and nothing else.
import { createReadStream, statSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join, normalize, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const types = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".webmanifest": "application/manifest+json",
  ".txt": "text/plain; charset=utf-8",
  ".wasm": "application/wasm",
  ".woff2": "font/woff2",
};

/**
 * Serves a folder on a free local port, with these texts in place of files of the same paths. Returns its address and
 * a function that stops it.
 */
export function serve(folder, port = 0, texts = {}) {
  const server = createServer((request, response) => {
    const path = normalize(decodeURIComponent(new URL(request.url ?? "/", "http://x").pathname));
    const text = texts[path];
    if (text !== undefined) return response.writeHead(200, { "content-type": "application/json" }).end(text);
    const file = join(folder, path.endsWith("/") ? `${path}index.html` : path);
    const found = file.startsWith(folder) ? statSync(file, { throwIfNoEntry: false }) : undefined;
    if (!found?.isFile()) return response.writeHead(404).end();
    response.writeHead(200, {
      "content-type": types[extname(file)] ?? "application/octet-stream",
      "content-length": found.size,
      "content-security-policy": "frame-ancestors 'none'",
      "x-content-type-options": "nosniff",
      "referrer-policy": "no-referrer",
      "cache-control": "no-cache",
    });
    createReadStream(file).pipe(response);
  });
  return new Promise((resolve) => {
    server.listen(port, "127.0.0.1", () =>
      resolve({
        url: `http://127.0.0.1:${server.address().port}/`,
        close: () => {
          server.closeAllConnections();
          return new Promise((closed) => server.close(closed));
        },
      }),
    );
  });
}

// Usage: node serve.mjs FOLDER PORT. It serves until it is stopped.
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { url } = await serve(resolve(process.argv[2] ?? "dist"), Number(process.argv[3] ?? 0));
  console.log(`The web wallet is at ${url}`);
}
