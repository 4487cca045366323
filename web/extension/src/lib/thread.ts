import type { Begin, Reply } from "glim";

/** Makes sure that the engine's page is open, and connects to its engine. */
export async function engineThread(): Promise<Begin> {
  await chrome.runtime.sendMessage({ type: "engine" });
  return (hear, fail) => {
    const port = chrome.runtime.connect({ name: "engine" });
    port.onMessage.addListener((reply: Reply) => hear(reply));
    port.onDisconnect.addListener(() => fail("the wallet's engine was closed"));
    return { post: (request) => port.postMessage(request), terminate: () => port.disconnect() };
  };
}
