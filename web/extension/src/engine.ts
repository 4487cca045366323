/** The invisible page in which the engine runs. It stays when other pages are closed or the background is stopped. */
import { browserThread } from "glim";
import { Relay } from "./lib/relay.js";

const relay = new Relay(browserThread);
chrome.runtime.onConnect.addListener((port) => {
  if (
    port.name === "engine" &&
    port.sender?.id === chrome.runtime.id &&
    port.sender.url?.startsWith(chrome.runtime.getURL(""))
  )
    relay.join(port);
});
chrome.runtime.onMessage.addListener((message: { type?: string; after?: number }, sender, reply) => {
  if (sender.id !== chrome.runtime.id || !sender.url?.startsWith(chrome.runtime.getURL(""))) return undefined;
  if (message.type === "expect") {
    relay.expect();
    reply(true);
    return undefined;
  }
  if (message.type !== "rest") return undefined;
  void relay.rest(message.after ?? 0).then(reply);
  return true;
});
