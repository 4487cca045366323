import { webPage, type Platform } from "../../../wallet/src/lib/platform.js";

const prefix = "glim.";

/** Returns the host permissions for nodes. The patterns of Firefox have no ports. */
function origins(addresses: readonly string[]): string[] {
  return addresses.map((a) => {
    const { protocol, hostname } = new URL(a);
    return `${protocol}//${hostname}/*`;
  });
}

/** Whether this page shows an open wallet to the user. */
let watching = false;

/**
 * The platform of the extension's pages: settings in storage that the background can read, and the layout of the page.
 */
export function extensionPage(layout: Platform["layout"]): Platform {
  const page = webPage();
  // The background asks before it tells the user of a payment.
  chrome.runtime.onMessage.addListener((message: { type?: string }, sender, reply) => {
    if (sender.id === chrome.runtime.id && message.type === "watching" && watching) reply(true);
    return undefined;
  });
  return {
    ...page,
    layout,
    read: async (key) => {
      const { [prefix + key]: value } = await chrome.storage.local.get(prefix + key);
      return typeof value === "string" ? value : undefined;
    },
    write: (key, value) => chrome.storage.local.set({ [prefix + key]: value }),
    allowed: (addresses) => chrome.permissions.contains({ origins: origins(addresses) }),
    allow: (addresses) => chrome.permissions.request({ origins: origins(addresses) }),
    watching: (now) => {
      watching = now;
      if (now) void chrome.runtime.sendMessage({ type: "seen" }).catch(() => undefined);
    },
    allowNotices: () => chrome.permissions.request({ permissions: ["notifications"] }),
    // A popup closes when the browser asks for permission to use the camera, so the camera is only used in a tab.
    camera: layout === "page" && page.camera,
    ...(layout !== "page" && {
      expand: (at) => void chrome.tabs.create({ url: chrome.runtime.getURL(`page.html${at ? `#${at}` : ""}`) }),
    }),
    begins: (at) => {
      if (location.hash !== `#${at}`) return false;
      history.replaceState(history.state, "", location.pathname);
      return true;
    },
    places: [
      {
        name: "common.connectedSites",
        icon: "link",
        open: () => void chrome.tabs.create({ url: chrome.runtime.getURL("sites.html") }),
      },
    ],
  };
}
