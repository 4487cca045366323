import { useEffect, useRef, useState } from "preact/hooks";
import { IconButton } from "../components/button.js";
import { DemoBanner } from "../components/demo-banner.js";
import { Brand, Icon } from "../components/icon.js";
import { useWatching } from "../components/notice-settings.js";
import { NodeStatus } from "../components/node.js";
import { Switcher, Wallets } from "../components/switcher.js";
import { UpdateNotice } from "../components/update-notice.js";
import { SyncStrip, useChainLength } from "../components/sync.js";
import { useApp, useLive, useOpen } from "../lib/context.js";
import { usePlace, type Page } from "../lib/router.js";
import { playing } from "../lib/settings.js";
import { Accounts } from "./accounts.js";
import { BackupPage } from "./backup.js";
import { ColdSigning } from "./cold.js";
import { Contacts } from "./contacts.js";
import { ThemeButton } from "./gate.js";
import { DemoPage } from "./demo.js";
import { History } from "./history.js";
import { Home } from "./home.js";
import { advanced, daily, demoEntry, keeping, owner, playground, preferences, type Entry } from "./nav.js";
import { More } from "./more.js";
import { Multisig } from "./multisig.js";
import { Outputs } from "./outputs.js";
import { Play } from "./play.js";
import { Proofs } from "./proofs.js";
import { Receive } from "./receive.js";
import { Send } from "./send.js";
import { SettingsPage } from "./settings.js";
import { TransferPage } from "./transfer.js";
import { t, type PlainKey } from "../lib/i18n.js";

/** The title of each page in the browser's tab. It does not say which address or transaction the page shows. */
const names = new Map<Page, PlainKey>([
  ...[...daily, ...keeping, ...advanced, playground, preferences].map((e) => [e.page, e.name] as const),
  ["transfer", "common.transaction"],
  ["backup", "shell.backup"],
  ["more", "common.more"],
]);

/** An open wallet: the navigation and one page. */
export function Shell() {
  const { settings, platform, demo } = useApp();
  const { router, lock } = useOpen();
  useLive(); // renders again when the wallet changes
  const place = usePlace(router);
  const [choosing, choose] = useState(false);
  const main = useRef<HTMLElement>(null);
  const first = useRef(true);
  const at = owner(place.page);
  const play = playing(settings);

  useChainLength();
  useWatching();

  // When the page changes, keyboards and screen readers continue at its heading.
  useEffect(() => {
    if (first.current) first.current = false;
    else main.current?.querySelector<HTMLElement>("h1")?.focus({ preventScroll: true });
  }, [place]);

  useEffect(() => {
    document.title = `${t(names.get(place.page) ?? "nav.home")} \u00b7 glim`;
    return () => {
      document.title = "glim";
    };
  }, [place.page]);

  const item = (e: Entry) => (
    <button
      key={e.page}
      type="button"
      aria-current={at === e.page ? "page" : undefined}
      onClick={() => router.go(e.page)}
    >
      <Icon name={e.icon} />
      {t(e.name)}
    </button>
  );

  return (
    <div class="shell">
      <button type="button" class="skip" onClick={() => main.current?.focus()}>
        {t("shell.skip")}
      </button>
      <aside class="sidebar">
        <Brand />
        <Switcher onOpen={() => choose(true)} />
        <nav class="nav" aria-label={t("common.wallet")}>
          {daily.map(item)}
          <h2>{t("shell.manage")}</h2>
          {keeping.map(item)}
          <h2>{t("shell.advanced")}</h2>
          {advanced.map(item)}
          {play && item(demo ? demoEntry : playground)}
        </nav>
        <div class="foot">
          <nav class="nav" aria-label={t("shell.app")}>
            {item(preferences)}
            {!demo && (
              <button type="button" onClick={() => void lock()}>
                <Icon name="lock" />
                {t("common.lock")}
              </button>
            )}
          </nav>
          <div class="row between small" style={{ flexWrap: "nowrap" }}>
            <button
              type="button"
              class="node-link"
              title={t("shell.nodeSettings")}
              onClick={() => router.go("settings")}
            >
              <NodeStatus />
            </button>
            <ThemeButton />
          </div>
        </div>
      </aside>
      <div>
        {place.page !== "send" && <UpdateNotice />}
        {demo && <DemoBanner />}
        <header class="topbar">
          <Switcher mark onOpen={() => choose(true)} />
          {platform.expand && (
            <IconButton small icon="expand" label={t("shell.openInTab")} onClick={() => platform.expand?.()} />
          )}
          {!demo && <IconButton small icon="lock" label={t("common.lock")} onClick={() => void lock()} />}
        </header>
        <main class="main" id="main" ref={main} tabIndex={-1}>
          {place.page !== "home" && <SyncStrip />}
          <PageOf page={place.page} about={place.about ?? ""} />
        </main>
      </div>
      {choosing && <Wallets onClose={() => choose(false)} />}
      <nav class="tabbar" aria-label={t("shell.main")}>
        {daily.map((e) => (
          <button
            key={e.page}
            type="button"
            aria-current={at === e.page ? "page" : undefined}
            onClick={() => router.go(e.page)}
          >
            <Icon name={e.icon} size={22} />
            {t(e.name)}
          </button>
        ))}
        <button
          type="button"
          aria-current={daily.some((e) => e.page === at) ? undefined : "page"}
          onClick={() => router.go("more")}
        >
          <Icon name="more" size={22} />
          {t("common.more")}
        </button>
      </nav>
    </div>
  );
}

function PlayOrDemo() {
  return useApp().demo ? <DemoPage /> : <Play />;
}

function PageOf({ page, about }: { page: Page; about: string }) {
  switch (page) {
    case "home":
      return <Home />;
    case "send":
      return <Send key={about} about={about} />;
    case "receive":
      return <Receive key={about} about={about} />;
    case "history":
      return <History />;
    case "transfer":
      return <TransferPage key={about} txid={about} />;
    case "accounts":
      return <Accounts />;
    case "proofs":
      return <Proofs key={about} about={about} />;
    case "contacts":
      return <Contacts />;
    case "outputs":
      return <Outputs />;
    case "cold":
      return <ColdSigning key={about} about={about} />;
    case "multisig":
      return <Multisig key={about} about={about} />;
    case "play":
      return <PlayOrDemo />;
    case "settings":
      return <SettingsPage />;
    case "backup":
      return <BackupPage />;
    case "more":
      return <More />;
  }
}
