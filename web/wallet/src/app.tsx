import "./styles/tokens.css";
import "./styles/base.css";
import "./styles/layout.css";
import "./styles/controls.css";
import "./styles/surfaces.css";
import "./styles/content.css";
import "./styles/overlays.css";
import "./styles/pages.css";
import "./styles/demo.css";
import "./styles/sharing.css";
import "./styles/switcher.css";
import "./styles/update.css";
import "./styles/fiat.css";
import "./styles/outputs.css";
import "./styles/targets.css";
import { useCallback, useEffect, useMemo, useRef, useState } from "preact/hooks";
import { UpdateNotice } from "./components/update-notice.js";
import { RatesProvider } from "./components/fiat.js";
import { HealthProvider } from "./components/node.js";
import { NodeChooser } from "./components/node-settings.js";
import { Clipboard } from "./lib/clipboard.js";
import { AppContext, CounterpartyContext, OpenContext, type App as AppValue, type Open } from "./lib/context.js";
import { Counterparty } from "./lib/counterparty.js";
import { demoSettings, demoStorage, type DemoMode } from "./lib/demo.js";
import type { Engine, EngineWallet, Network, NodeList, StartEngine } from "./lib/engine.js";
import { plain, type Plain } from "./lib/errors.js";
import { useIdle } from "./lib/idle.js";
import { Live } from "./lib/live.js";
import { keepNames, loadNames, readName, renamed, shownName, writeName, type Names } from "./lib/names.js";
import type { Platform } from "./lib/platform.js";
import { Router } from "./lib/router.js";
import { engineOptions, keep, load, playing, usesPublic, type Settings } from "./lib/settings.js";
import { DemoStart } from "./pages/demo-start.js";
import { Gate } from "./pages/gate.js";
import { Starting } from "./pages/starting.js";
import { Shell } from "./pages/shell.js";
import { speak, t } from "./lib/i18n.js";

interface Props {
  /** Starts the engine: Glim.start in a page, a proxy for it in the extension. */
  start: StartEngine;
  platform: Platform;
  /** Set while the demo runs; platform is then demoPlatform's. */
  demo?: DemoMode;
  /** Called to begin the demo, after the engine was stopped; missing if the page has no demo. */
  onDemo?: (settings: Settings) => Promise<void>;
}

/** The wallet app: an engine, at most one open wallet, and its pages. */
export function App({ start, platform, demo, onDemo }: Props) {
  const [settings, setSettings] = useState<Settings | undefined>(undefined);
  const [engine, setEngine] = useState<Engine | undefined>(undefined);
  const [error, setError] = useState<Plain | undefined>(undefined);
  const [live, setLive] = useState<Live | undefined>(undefined);
  const [toasts, setToasts] = useState<readonly { id: number; text: string }[]>([]);
  const [removed, setRemoved] = useState(0);
  const [kept, setKept] = useState<boolean | undefined>(undefined);
  const [asides, setAsides] = useState<readonly Live[]>([]);
  const [adding, add] = useState(false);
  const [names, setNames] = useState<Names>({});
  const [other, setOther] = useState<Counterparty | undefined>(undefined);
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
          setAsides((list) => {
            for (const l of list) l.stop();
            return [];
          });
          setEngine(undefined);
          setError(plain(e));
        };
        const nodes = usesPublic(next) ? await publicNodes(platform, next.network) : undefined;
        setEngine(await start(engineOptions(next, nodePassword, nodes, demo && demoStorage), ended));
      } catch (e) {
        setEngine(undefined);
        setError(plain(e));
      }
    },
    [start, platform, demo],
  );

  useEffect(() => {
    void (demo ? demoSettings(platform) : load(platform)).then(async (s) => {
      await speak(s.language);
      setNames(await loadNames(platform));
      setSettings(s);
      return boot(s);
    });
  }, [platform, boot, demo]);

  useEffect(() => {
    const root = document.documentElement;
    root.dataset.layout = platform.layout;
    if (!settings || settings.theme === "auto") delete root.dataset.theme;
    else root.dataset.theme = settings.theme;
  }, [settings?.theme, platform]);

  useEffect(() => {
    void platform.storageKept().then(setKept, () => setKept(false));
  }, [platform]);

  const say = useCallback((text: string): void => {
    const id = ++counter.current;
    setToasts((t) => [...t.slice(-2), { id, text }]);
    setTimeout(() => setToasts((t) => t.filter((x) => x.id !== id)), 4000);
  }, []);

  const shut = useCallback(async (): Promise<void> => {
    const closing = live ? [live, ...asides] : asides;
    setToasts([]);
    setLive(undefined);
    setAsides([]);
    add(false);
    router.reset();
    for (const l of closing) l.stop();
    await Promise.all(closing.map((l) => l.wallet.close().catch(() => undefined)));
  }, [live, asides, router]);

  useEffect(() => () => other?.stop(), [other]);

  /** Stops everything, so that another app can take the place of this one. */
  const leave = useCallback(async (): Promise<void> => {
    setOther(undefined);
    await shut();
    setEngine(undefined);
    await engine?.stop().catch(() => undefined);
  }, [shut, engine]);

  const app = useMemo<AppValue | undefined>(() => {
    if (!settings || !engine) return undefined;
    const { database } = engineOptions(settings, "", undefined, demo && demoStorage);
    const rename = async (file: string, name: string | undefined): Promise<void> => {
      const next = renamed(names, database, file, name);
      setNames(next);
      // A private chain in memory ends with the page, and its wallets' names with it.
      if (database !== "") await keepNames(platform, next);
    };
    return {
      platform,
      engine,
      settings,
      say,
      demo: demo && {
        ...demo,
        async again() {
          await leave();
          await demo.again();
        },
        async end() {
          await leave();
          await demo.end();
        },
      },
      beginDemo: onDemo && (() => void leave().then(() => onDemo(settings))),
      async change(part, nodePassword, restart = false) {
        const next = { ...settings, ...part };
        await keep(platform, next);
        if (next.language !== settings.language) await speak(next.language);
        setSettings(next);
        const about = ["network", "public", "node", "nodeUser", "trusted", "sending", "workers"] as const;
        if (!restart && nodePassword === undefined && about.every((name) => next[name] === settings[name])) return;
        await shut();
        setEngine(undefined);
        await engine.stop().catch(() => undefined);
        await boot(next, nodePassword);
      },
      storageKept: kept,
      async keepStorage() {
        const answer = await platform.keepStorage().catch(() => false);
        setKept(answer);
        return answer;
      },
      nameOf: (file) => shownName(names, database, file),
      async rename(wallet, name) {
        await writeName(wallet, name);
        await rename(wallet.name, name);
      },
      async removeOpen() {
        if (!live) return;
        await shut();
        await engine.remove(live.wallet.name);
        await rename(live.wallet.name, undefined);
        const next = { ...settings, last: "" };
        await keep(platform, next);
        setSettings(next);
        setRemoved((n) => n + 1); // so that lists of wallets are read again
        say(t("app.walletRemoved"));
      },
      async copy(text, what, secret = false) {
        try {
          await clipboard.copy(text, secret ? 60_000 : 0);
          say(secret ? t("app.secretCopied", { what }) : t("app.copied", { what }));
        } catch {
          say(t("app.copyRefused"));
        }
      },
    };
  }, [platform, engine, settings, say, live, boot, shut, clipboard, kept, demo, onDemo, leave, names]);

  const opened = useCallback(
    async (wallet: EngineWallet): Promise<void> => {
      if (!app) return;
      const next = await Live.of(wallet, app.engine);
      // The file of a wallet that was renamed elsewhere has its name.
      const name = app.nameOf(wallet.name) === wallet.name ? await readName(wallet) : undefined;
      const taken = name !== undefined && (await app.engine.wallets()).some((file) => app.nameOf(file) === name);
      if (name !== undefined && !taken) await app.rename(wallet, name);
      if (live) setAsides((list) => [...list, live]);
      add(false);
      router.reset();
      setLive(next);
      if (platform.begins?.("backup")) router.go("backup");
      void app.change({ last: wallet.name });
      // Ask once there is something to keep.
      if (!playing(app.settings)) void app.keepStorage();
    },
    [app, router, platform, live],
  );

  /** Shows one of the other open wallets. */
  const swap = useCallback(
    (next: Live): void => {
      setAsides((list) => [...list.filter((l) => l !== next), ...(live ? [live] : [])]);
      router.reset();
      setLive(next);
      void app?.change({ last: next.wallet.name });
    },
    [app, router, live],
  );

  // An engine that outlives its pages may still have the wallet open.
  useEffect(() => {
    if (!engine || !app || live || demo || app.settings.last === "") return;
    void engine.attach(app.settings.last).then(
      (wallet) => wallet && opened(wallet),
      () => undefined,
    );
  }, [engine]);

  const open = useMemo<Open | undefined>(
    () =>
      live && {
        live,
        router,
        lock: shut,
        asides: asides.map((l) => l.wallet.name),
        async switchTo(name, password) {
          const ready = asides.find((l) => l.wallet.name === name);
          if (ready) swap(ready);
          else if (app && password !== undefined) await opened(await app.engine.open(name, password));
        },
        add: () => add(true),
      },
    [live, router, shut, asides, swap, opened, app],
  );

  useIdle(live && settings ? settings.autoLock : 0, () => {
    void shut();
    say(t("app.lockedIdle"));
  });

  useEffect(
    () =>
      live?.subscribe(() => {
        if (!live.ended) return;
        live.stop();
        setLive(undefined);
        router.reset();
        say(t("app.closedElsewhere"));
      }),
    [live, router, say],
  );

  useEffect(() => {
    const offs = asides.map((l) =>
      l.subscribe(() => {
        if (!l.ended) return;
        l.stop();
        setAsides((list) => list.filter((x) => x !== l));
      }),
    );
    return () => {
      for (const off of offs) off();
    };
  }, [asides]);

  const retry = (part?: Partial<Settings>): void => {
    if (!settings) return;
    const next = { ...settings, ...part };
    setSettings(next);
    void keep(platform, next).then(() => boot(next));
  };

  return (
    <>
      {!settings ? null : !app ? (
        <Starting error={error} onRetry={retry} desktop={platform.desktop !== undefined} />
      ) : (
        <AppContext.Provider value={app}>
          <RatesProvider>
            <HealthProvider>
              <NodeChooser>
                {open && !adding ? (
                  <OpenContext.Provider value={open}>
                    <CounterpartyContext.Provider value={other}>
                      <Shell />
                    </CounterpartyContext.Provider>
                  </OpenContext.Provider>
                ) : open ? (
                  <Gate key="adding" onOpen={opened} onCancel={() => add(false)} />
                ) : demo ? (
                  <DemoStart
                    onOpen={async (wallets) => {
                      const counterparty = new Counterparty(app.engine, wallets);
                      setOther(counterparty);
                      await opened(wallets.own);
                      setAsides([await Live.of(wallets.other, app.engine)]);
                      void counterparty.start();
                    }}
                  />
                ) : (
                  <>
                    <UpdateNotice />
                    <Gate key={removed} onOpen={opened} />
                  </>
                )}
              </NodeChooser>
            </HealthProvider>
          </RatesProvider>
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

/** Returns the public nodes of a network that the app may use. */
async function publicNodes(platform: Platform, network: Network): Promise<NodeList> {
  const list = (await platform.nodeLists())[network] ?? { addresses: [] };
  if (!platform.allowed) return list;
  const may = await Promise.all(list.addresses.map((address) => platform.allowed?.([address])));
  const preferred = list.preferred && (await platform.allowed([list.preferred])) ? list.preferred : undefined;
  return { addresses: list.addresses.filter((_, at) => may[at]), ...(preferred && { preferred }) };
}

/** Calls a function whenever the page gets the focus, until the returned function is called. */
function onFocus(call: () => void): () => void {
  addEventListener("focus", call);
  return () => removeEventListener("focus", call);
}
