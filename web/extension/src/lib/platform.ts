import { webPage, type Platform } from "../../../wallet/src/lib/platform.js";

const prefix = "glim.";

/** The platform of the extension's pages: settings where the background can read them, and the room there is. */
export function extensionPage(layout: Platform["layout"]): Platform {
  const page = webPage();
  return {
    ...page,
    layout,
    read: async (key) => {
      const { [prefix + key]: value } = await chrome.storage.local.get(prefix + key);
      return typeof value === "string" ? value : undefined;
    },
    write: (key, value) => chrome.storage.local.set({ [prefix + key]: value }),
    // A popup closes when a person is asked for the camera: what needs one is done in a tab.
    camera: layout === "page" && page.camera,
    ...(layout !== "page" && { expand: () => void chrome.tabs.create({ url: chrome.runtime.getURL("page.html") }) }),
    places: [{ name: "Connected sites", icon: "link", open: () => void chrome.tabs.create({ url: chrome.runtime.getURL("sites.html") }) }],
  };
}
