// The service worker of a page that is built without one: it removes itself and the files that earlier ones stored.
// Wallets and settings are elsewhere, and stay.
self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) =>
  event.waitUntil(
    caches
      .keys()
      .then((names) => Promise.all(names.filter((n) => n.startsWith("glim-files-")).map((n) => caches.delete(n))))
      .then(() => self.registration.unregister()),
  ),
);
