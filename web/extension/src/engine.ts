/** The invisible page in which the engine runs. It stays when other pages are closed or the background is stopped. */
import { browserThread } from "glim";
import { readNews } from "./lib/news.js";
import { Relay } from "./lib/relay.js";

/** Sends a message to the background, which shows notifications. */
const tell = (message: unknown): void => void chrome.runtime.sendMessage(message).catch(() => undefined);
const relay = new Relay(browserThread, Date.now, {
  event: (wallet, event) => {
    const news = readNews(wallet, event);
    if (news) tell({ type: "news", news });
  },
  closed: (wallet) => tell({ type: "closed", wallet }),
});
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
