/* global version, urgent, files, needed, lists */
// Stores the files of one version of the app, so that it starts without a network. The build puts the version, the
// SHA-256 of each file, the names of the files that are stored at once, and the names of the lists that an owner may
// edit after building before this code. Nothing else passes through here: requests to nodes go to the network as if
// there were no service worker, and no answer is stored.

const prefix = "glim-files-";
const own = prefix + version;
/** When this service worker began, in milliseconds since 1970. */
const born = Date.now();
const scope = new URL(self.registration.scope);

/** Returns the name of the app's file at a URL; undefined for anything else. */
function nameOf(url) {
  const { origin, pathname } = new URL(url);
  if (origin !== scope.origin || !pathname.startsWith(scope.pathname)) return undefined;
  const name = decodeURIComponent(pathname.slice(scope.pathname.length)) || "index.html";
  return lists.includes(name) || Object.hasOwn(files, name) ? name : undefined;
}

/** Returns the URL of a file. That of the page is the scope's: some hosts redirect index.html to it. */
const urlOf = (name) => (name === "index.html" ? scope : new URL(name, scope)).href;

/** Fetches a file of this version. It fails if the server has another one. */
async function fetched(name) {
  const response = await fetch(urlOf(name), {
    integrity: `sha256-${files[name]}`,
    cache: "no-cache",
    credentials: "same-origin",
  });
  if (!response.ok) throw new Error(`${name}: HTTP ${response.status}`);
  return response;
}

async function install() {
  const cache = await caches.open(own);
  await Promise.all(
    needed.map(async (name) => {
      // Most files are the same as in the version before. What that one stored is checked like what the server sends.
      const before = await caches.match(urlOf(name));
      await cache.put(urlOf(name), before && (await same(before, name)) ? before : await fetched(name));
    }),
  );
  await Promise.all(lists.map((name) => list(urlOf(name)).catch(() => undefined)));
  if (urgent) await self.skipWaiting();
}

/** Whether a response has the content of a file of this version. */
async function same(response, name) {
  const sum = new Uint8Array(await crypto.subtle.digest("SHA-256", await response.clone().arrayBuffer()));
  return btoa(String.fromCharCode(...sum)) === files[name];
}

/** Removes the files of all versions but this one and the one before, which other tabs may still run. */
async function activate() {
  const all = (await caches.keys()).filter((name) => name.startsWith(prefix) && name !== own);
  await Promise.all(all.slice(0, -1).map((name) => caches.delete(name)));
  await self.clients.claim();
}

/** Returns a file of this version. One that was not needed so far is stored when it first is. */
async function answer(name) {
  const url = urlOf(name);
  const cache = await caches.open(own);
  const stored = await cache.match(url);
  if (stored) return stored;
  const response = await fetched(name);
  await cache.put(url, response.clone());
  return response;
}

/** Returns a list from the server, or without a network the last one. */
async function list(url) {
  const cache = await caches.open(own);
  try {
    const response = await fetch(url, { cache: "no-cache", credentials: "same-origin" });
    if (response.ok) await cache.put(url, response.clone());
    return response;
  } catch (e) {
    const stored = await caches.match(url);
    if (stored) return stored;
    throw e;
  }
}

self.addEventListener("install", (event) =>
  event.waitUntil(
    install().catch(async (e) => {
      await caches.delete(own);
      throw e;
    }),
  ),
);
self.addEventListener("activate", (event) => event.waitUntil(activate()));
self.addEventListener("message", (event) => {
  if (event.data === "take over") event.waitUntil(self.skipWaiting());
  else if (event.data === "born") event.ports[0]?.postMessage(born);
});
self.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method !== "GET") return;
  const name = nameOf(request.url);
  if (lists.includes(name)) event.respondWith(list(urlOf(name)));
  else if (name) event.respondWith(answer(name));
  else if (request.url.startsWith(new URL("assets/", scope).href)) event.respondWith(earlier(request));
});

/** Returns a file of the version before, for tabs that still run it, or what the server has. */
async function earlier(request) {
  return (await caches.match(request)) ?? fetch(request);
}
