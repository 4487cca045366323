/**
 * Returns a URL from which a worker with the script at url can be started here, and a function to call when the worker
 * has ended. A worker's script must have the origin of the page; one from elsewhere, for example from a CDN, is
 * imported by a local one. In a worker that was started in this way, origin is that of the page as well.
 */
export function startable(url: string): { url: string; release(): void } {
  if (new URL(url, location.href).origin === origin) return { url, release: () => undefined };
  const local = URL.createObjectURL(new Blob([`import ${JSON.stringify(url)};`], { type: "text/javascript" }));
  return { url: local, release: () => URL.revokeObjectURL(local) };
}
