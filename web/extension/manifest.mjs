/** The sizes of the icons in pixels: for toolbars and menus, at one and at two pixels for each point, and for lists. */
export const iconSizes = [16, 32, 48, 128];
const icons = (sizes) => Object.fromEntries(sizes.map((size) => [size, `icon-${size}.png`]));

/** The texts of the manifest by the browser's name of the language, for the folder _locales. */
export const locales = {
  en: { description: "A Monero wallet whose keys never leave this browser." },
  de: { description: "Eine Monero-Wallet, deren Schlüssel diesen Browser nie verlassen." },
  es: { description: "Un monedero de Monero cuyas claves nunca salen de este navegador." },
  fr: { description: "Un portefeuille Monero dont les clés ne quittent jamais ce navigateur." },
  it: { description: "Un portafoglio Monero le cui chiavi non lasciano mai questo browser." },
  ja: { description: "キーがこのブラウザから出ることのない Monero ウォレット。" },
  ko: { description: "키가 이 브라우저를 절대 떠나지 않는 Monero 지갑." },
  nl: { description: "Een Monero-portemonnee waarvan de sleutels deze browser nooit verlaten." },
  pt_BR: { description: "Uma carteira Monero cujas chaves nunca saem deste navegador." },
  pt_PT: { description: "Uma carteira Monero cujas chaves nunca saem deste navegador." },
  ru: { description: "Кошелёк Monero, ключи которого никогда не покидают этот браузер." },
  zh_CN: { description: "密钥绝不离开此浏览器的 Monero 钱包。" },
};

/** Returns the manifest for "chromium" or "firefox". They differ in where the engine runs, and in the side panel. */
export function manifest(browser, version) {
  const common = {
    manifest_version: 3,
    name: "glim",
    version,
    description: "__MSG_description__",
    default_locale: "en",
    icons: icons(iconSizes),
    action: { default_title: "glim", default_popup: "popup.html", default_icon: icons([16, 32]) },
    permissions: ["storage", "alarms", "unlimitedStorage"],
    // The user allows notifications with the setting for them.
    optional_permissions: ["notifications"],
    // Few nodes send CORS headers. With permission for its host, an extension can read a node's responses all the same.
    // The user allows each node when it is chosen.
    optional_host_permissions: ["http://*/*", "https://*/*"],
    content_security_policy: {
      extension_pages: [
        "default-src 'none'",
        "script-src 'self' 'wasm-unsafe-eval'",
        "worker-src 'self'",
        "style-src 'self'",
        "font-src 'self'",
        "img-src 'self' data: blob:",
        "media-src 'self' blob:",
        "connect-src 'self' http: https:",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
      ].join("; "),
    },
    content_scripts: [
      {
        matches: ["https://*/*", "http://localhost/*", "http://127.0.0.1/*"],
        js: ["content.js", "links.js"],
        run_at: "document_start",
      },
      {
        matches: ["https://*/*", "http://localhost/*", "http://127.0.0.1/*"],
        js: ["inpage.js"],
        run_at: "document_start",
        world: "MAIN",
      },
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
