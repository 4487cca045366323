/** Returns the manifest for "chromium" or "firefox". What differs: where the engine lives, and what stands at the window's side. */
export function manifest(browser, version) {
  const common = {
    manifest_version: 3,
    name: "glim",
    version,
    description: "A Monero wallet whose keys never leave this browser.",
    icons: { 128: "icon.png" },
    action: { default_title: "glim", default_popup: "popup.html" },
    permissions: ["storage", "alarms", "unlimitedStorage"],
    // Nodes mostly send no CORS headers: with these an extension can read their answers all the same.
    host_permissions: ["http://*/*", "https://*/*"],
    content_security_policy: {
      extension_pages:
        "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; style-src 'self'; font-src 'self'; img-src 'self' data: blob:; media-src 'self' blob:; connect-src 'self' http: https:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    },
    content_scripts: [
      { matches: ["https://*/*", "http://localhost/*", "http://127.0.0.1/*"], js: ["content.js"], run_at: "document_start" },
      { matches: ["https://*/*", "http://localhost/*", "http://127.0.0.1/*"], js: ["inpage.js"], run_at: "document_start", world: "MAIN" },
    ],
  };
  if (browser === "firefox") {
    return {
      ...common,
      background: { scripts: ["background.js"], type: "module" },
      sidebar_action: { default_title: "glim", default_panel: "panel.html" },
      browser_specific_settings: { gecko: { id: "glim@glim.invalid", strict_min_version: "128.0" } },
    };
  }
  return {
    ...common,
    minimum_chrome_version: "116",
    permissions: [...common.permissions, "offscreen", "sidePanel"],
    background: { service_worker: "background.js", type: "module" },
    side_panel: { default_path: "panel.html" },
  };
}
