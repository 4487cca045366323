import "./styles/tokens.css";
import "./styles/base.css";
import "./styles/layout.css";
import "./styles/components.css";
import { useCallback, useEffect, useMemo, useRef, useState } from "preact/hooks";
import { HealthProvider } from "./components/node.js";
import { Clipboard } from "./lib/clipboard.js";
import { AppContext, OpenContext, type App as AppValue, type Open } from "./lib/context.js";
import type { Engine, EngineWallet, StartEngine } from "./lib/engine.js";
import { plain, type Plain } from "./lib/errors.js";
import { useIdle } from "./lib/idle.js";
import { Live } from "./lib/live.js";
import type { Platform } from "./lib/platform.js";
import { Router } from "./lib/router.js";
import { engineOptions, keep, load, type Settings } from "./lib/settings.js";
import { Gate } from "./pages/gate.js";
import { Starting } from "./pages/starting.js";
import { Shell } from "./pages/shell.js";

interface Props {
  /** Starts the engine: Glim.start in a page, a proxy of it in an extension. */
  start: StartEngine;
  platform: Platform;
}

/** The wallet app: an engine, at most one open wallet, and the pages over it. */
export function App({ start, platform }: Props) {
  const [settings, setSettings] = useState<Settings | undefined>(undefined);
  const [engine, setEngine] = useState<Engine | undefined>(undefined);
  const [error, setError] = useState<Plain | undefined>(undefined);
  const [live, setLive] = useState<Live | undefined>(undefined);
  const [toasts, setToasts] = useState<readonly { id: number; text: string }[]>([]);
  const [removed, setRemoved] = useState(0);
  const router = useMemo(() => new Router(), []);
  const counter = useRef(0);
  const clipboard = useMemo(() => new Clipboard((text) => platform.copy(text), onFocus), [platform]);

  const boot = useCallback(
    async (next: Settings, nodePassword = ""): Promise<void> => {
      setError(undefined);
      try {
        const ended = (e: unknown): void => {
          setLive((l) => {
            l?.stop();
            return undefined;
          });
          setEngine(undefined);
          setError(plain(e));
        };
        setEngine(await start(engineOptions(next, nodePassword), ended));
      } catch (e) {
        setEngine(undefined);
        setError(plain(e));
      }
    },
    [start],
  );

  useEffect(() => {
    void load(platform).then((s) => {
      setSettings(s);
      return boot(s);
    });
  }, [platform, boot]);

  useEffect(() => {
    const root = document.documentElement;
    root.dataset.layout = platform.layout;
    if (!settings || settings.theme === "auto") delete root.dataset.theme;
    else root.dataset.theme = settings.theme;
  }, [settings?.theme, platform]);

  const say = useCallback((text: string): void => {
    const id = ++counter.current;
    setToasts((t) => [...t.slice(-2), { id, text }]);
    setTimeout(() => setToasts((t) => t.filter((x) => x.id !== id)), 4000);
  }, []);

  const shut = useCallback(async (): Promise<void> => {
    const closing = live;
    setToasts([]);
    setLive(undefined);
    router.reset();
    closing?.stop();
    await closing?.wallet.close().catch(() => undefined);
  }, [live, router]);

  const app = useMemo<AppValue | undefined>(() => {
    if (!settings || !engine) return undefined;
    return {
      platform,
      engine,
      settings,
      say,
      async change(part, nodePassword) {
        const next = { ...settings, ...part };
        await keep(platform, next);
        setSettings(next);
        const about = ["network", "node", "nodeUser", "trusted", "workers"] as const;
        if (nodePassword === undefined && about.every((name) => next[name] === settings[name])) return;
        await shut();
        setEngine(undefined);
        await engine.stop().catch(() => undefined);
        await boot(next, nodePassword);
      },
      async removeOpen() {
        if (!live) return;
        await shut();
        await engine.remove(live.wallet.name);
        const next = { ...settings, last: "" };
        await keep(platform, next);
        setSettings(next);
        setRemoved((n) => n + 1); // who listed wallets before lists them again
        say("Wallet removed");
      },
      async copy(text, what, secret = false) {
        try {
          await clipboard.copy(text, secret ? 60_000 : 0);
          say(secret ? `${what} copied. The clipboard is emptied in a minute, or when you are back here; other programs can read it until then.` : `${what} copied`);
        } catch {
          say("The browser did not allow copying. Select the text and copy it by hand.");
        }
      },
    };
  }, [platform, engine, settings, say, live, boot, shut, clipboard]);

  const opened = useCallback(
    async (wallet: EngineWallet): Promise<void> => {
      if (!app) return;
      router.reset();
      setLive(await Live.of(wallet, app.engine));
      void app.change({ last: wallet.name });
    },
    [app, router],
  );

  // An engine that outlives its pages may have the wallet open still.
  useEffect(() => {
    if (!engine || !app || live || app.settings.last === "") return;
    void engine.attach(app.settings.last).then((wallet) => wallet && opened(wallet), () => undefined);
  }, [engine]);

  const open = useMemo<Open | undefined>(() => (live ? { live, router, lock: shut } : undefined), [live, router, shut]);

  useIdle(live && settings ? settings.autoLock : 0, () => {
    void shut();
    say("Locked, because nobody was here for a while");
  });

  useEffect(
    () =>
      live?.subscribe(() => {
        if (!live.ended) return;
        live.stop();
        setLive(undefined);
        router.reset();
        say("The wallet was closed in another place");
      }),
    [live, router, say],
  );

  const retry = (part?: Partial<Settings>): void => {
    if (!settings) return;
    const next = { ...settings, ...part };
    setSettings(next);
    void keep(platform, next).then(() => boot(next));
  };

  return (
    <>
      {!app ? (
        <Starting error={error} onRetry={retry} />
      ) : (
        <AppContext.Provider value={app}>
          <HealthProvider>
            {open ? (
              <OpenContext.Provider value={open}>
                <Shell />
              </OpenContext.Provider>
            ) : (
              <Gate key={removed} onOpen={opened} />
            )}
          </HealthProvider>
        </AppContext.Provider>
      )}
      <div class="toasts" role="status" aria-live="polite">
        {toasts.map((t) => (
          <div key={t.id} class="toast">
            {t.text}
          </div>
        ))}
      </div>
    </>
  );
}

/** Calls whenever the page gets the focus, until the function that is returned is called. */
function onFocus(call: () => void): () => void {
  addEventListener("focus", call);
  return () => removeEventListener("focus", call);
}
