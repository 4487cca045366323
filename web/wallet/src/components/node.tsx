import { createContext, type ComponentChildren } from "preact";
import { useContext, useEffect, useState } from "preact/hooks";
import { useApp } from "../lib/context.js";
import { explain, health, healthWords, type Health } from "../lib/health.js";
import { playing, usesPublic } from "../lib/settings.js";
import { ChooseNode } from "./notice.js";
import { t } from "../lib/i18n.js";

interface Watched {
  health: Health | undefined;
  /** Checks now, and asks all public nodes. */
  again(): void;
}

const HealthContext = createContext<Watched>({ health: undefined, again: () => undefined });

/** Checks the node now and every half minute while the page is visible, once for all components that show it. */
export function HealthProvider({ children }: { children: ComponentChildren }) {
  const { engine, platform, settings } = useApp();
  const [state, set] = useState<Health | undefined>(undefined);
  const [count, setCount] = useState(0);
  useEffect(() => {
    const gone = new AbortController();
    let all = count > 0;
    const ask = (): void => {
      if (document.visibilityState === "hidden") return;
      const around = { engine, platform, signal: gone.signal, again: all };
      all = false;
      void health(settings, around).then((h) => gone.signal.aborted || set(h));
    };
    ask();
    const timer = setInterval(ask, 30_000);
    addEventListener("online", ask);
    addEventListener("offline", ask);
    document.addEventListener("visibilitychange", ask);
    return () => {
      gone.abort();
      clearInterval(timer);
      removeEventListener("online", ask);
      removeEventListener("offline", ask);
      document.removeEventListener("visibilitychange", ask);
    };
  }, [engine, settings.public, settings.node, settings.network, count]);
  return (
    <HealthContext.Provider value={{ health: state, again: () => setCount((n) => n + 1) }}>
      {children}
    </HealthContext.Provider>
  );
}

export function useHealth(): Watched {
  return useContext(HealthContext);
}

/** Returns the address without its scheme. */
const bare = (address: string): string => address.replace(/^https?:\/\//, "");

/** The node in one line: a dot and the address. */
export function NodeStatus() {
  const { settings } = useApp();
  const { health: h } = useHealth();
  const name = playing(settings)
    ? t("common.privateChain")
    : usesPublic(settings)
      ? [t("node.public"), h?.address && bare(h.address)].filter(Boolean).join(" ")
      : settings.node === ""
        ? t("node.noNode")
        : bare(settings.node);
  const words = h && healthWords(h.state);
  return (
    <span class="row" style={{ gap: "8px", flexWrap: "nowrap", minWidth: 0 }}>
      <span class={`dot ${words?.tone ?? ""}`} aria-hidden="true" />
      <span style={{ overflow: "hidden", textOverflow: "ellipsis", whiteSpace: "nowrap", maxWidth: "180px" }}>
        {name}
      </span>
      {words && <span class="sr">: {words.title}</span>}
    </span>
  );
}

/** What is wrong with the node and what to do; nothing if all is well. */
export function NodeTrouble() {
  const { health: h } = useHealth();
  if (!h || h.state === "good") return null;
  const words = explain(h);
  return (
    <div class={`notice ${words.tone}`} role="status">
      <span class={`dot ${words.tone}`} style={{ marginTop: "6px" }} aria-hidden="true" />
      <div>
        <strong>{words.title}</strong>
        {words.next}
        {h.state !== "offline" && <ChooseNode />}
      </div>
    </div>
  );
}
