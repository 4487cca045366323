/** The wallet in the popup, in the side panel or in a tab. */
import { Glim } from "glim";
import { render } from "preact";
import { App } from "../../wallet/src/app.js";
import type { Platform } from "../../wallet/src/lib/platform.js";
import { extensionPage } from "./lib/platform.js";
import { engineThread } from "./lib/thread.js";

const layouts: Record<string, Platform["layout"]> = { popup: "popup", panel: "panel" };
const layout = layouts[document.documentElement.dataset.page ?? ""] ?? "page";

// A browser without popups opens the page in a tab.
if (layout === "popup")
  void chrome.tabs.getCurrent().then((tab) => tab && document.documentElement.setAttribute("data-tab", ""));

render(
  <App
    start={async (options) => Glim.start({ ...options, rest: false, thread: await engineThread() })}
    platform={extensionPage(layout)}
  />,
  document.getElementById("app") ?? document.body,
);
