import { createContext, type ComponentChildren } from "preact";
import { useContext, useEffect, useState } from "preact/hooks";
import { useApp } from "../lib/context.js";
import { health, healthWords, type Health } from "../lib/health.js";
import { playing } from "../lib/settings.js";

interface Watched {
  health: Health | undefined;
  /** Asks at once. */
  again(): void;
}

const HealthContext = createContext<Watched>({ health: undefined, again: () => undefined });

/** Asks the node how it is, now and every half minute while the page is in sight, once for all who want to know. */
export function HealthProvider({ children }: { children: ComponentChildren }) {
  const { engine, settings } = useApp();
  const [state, set] = useState<Health | undefined>(undefined);
  const [count, setCount] = useState(0);
  useEffect(() => {
    const gone = new AbortController();
    const ask = (): void => {
      if (document.visibilityState === "hidden") return;
      void health(settings, engine, gone.signal).then((h) => gone.signal.aborted || set(h));
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
  }, [engine, settings.node, settings.network, count]);
  return <HealthContext.Provider value={{ health: state, again: () => setCount((n) => n + 1) }}>{children}</HealthContext.Provider>;
}

export function useHealth(): Watched {
  return useContext(HealthContext);
}

/** The node in one line: a dot, and where it is. */
export function NodeStatus() {
  const { settings } = useApp();
  const { health: h } = useHealth();
  const name = playing(settings) ? "Private chain" : settings.node === "" ? "No node" : settings.node.replace(/^https?:\/\//, "");
  const words = h && healthWords[h.state];
  return (
    <span class="row" style={{ gap: "8px", flexWrap: "nowrap", minWidth: 0 }}>
      <span class={`dot ${words?.tone ?? ""}`} aria-hidden="true" />
      <span style={{ overflow: "hidden", textOverflow: "ellipsis", whiteSpace: "nowrap", maxWidth: "180px" }}>{name}</span>
      {words && <span class="sr">: {words.title}</span>}
    </span>
  );
}

/** What is wrong with the node, and what to do; nothing while it is well. */
export function NodeTrouble() {
  const { health: h } = useHealth();
  if (!h || h.state === "good") return null;
  const words = healthWords[h.state];
  return (
    <div class={`notice ${words.tone}`} role="status">
      <span class={`dot ${words.tone}`} style={{ marginTop: "6px" }} aria-hidden="true" />
      <div>
        <strong>{words.title}</strong>
        {words.next}
      </div>
    </div>
  );
}
