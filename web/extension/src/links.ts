/**
 * Opens payment links (monero:) of a page in the wallet, if the user wants that. Only the user's own clicks count: the
 * browser marks those, and a page cannot.
 */
(() => {
  if (window.origin === "null") return;
  const key = "links";
  let wanted = false;
  const read = (value: unknown): void => {
    wanted = value === true;
  };
  chrome.storage.local.get(key).then(
    (kept) => read(kept[key]),
    () => undefined,
  );
  chrome.storage.onChanged.addListener((changed, area) => {
    if (area === "local" && changed[key] !== undefined) read(changed[key].newValue);
  });
  window.addEventListener(
    "click",
    (e) => {
      if (!wanted || !e.isTrusted || e.button !== 0) return;
      const link = e.composedPath().find((node) => node instanceof HTMLAnchorElement);
      if (link === undefined || link.protocol !== "monero:") return;
      try {
        // Throws once the extension was removed or updated; the browser then follows the link.
        void chrome.runtime.sendMessage({ type: "link", href: link.href }).catch(() => undefined);
        e.preventDefault();
      } catch {}
    },
    true,
  );
})();
