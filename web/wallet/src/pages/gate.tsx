import { useEffect, useRef, useState } from "preact/hooks";
import { Brand } from "../components/icon.js";
import { Button, IconButton } from "../components/button.js";
import { NodeStatus } from "../components/node.js";
import { LanguageChoice } from "../components/language.js";
import { Dialog } from "../components/dialog.js";
import { NodeSettings } from "../components/node-settings.js";
import { useApp, useAsked } from "../lib/context.js";
import type { EngineWallet } from "../lib/engine.js";
import { playing } from "../lib/settings.js";
import { Create } from "./create.js";
import { Restore } from "./restore.js";
import { Unlock } from "./unlock.js";
import { Welcome } from "./welcome.js";
import { t } from "../lib/i18n.js";

/** The steps that a popup opens in a tab, because it closes as soon as the user looks elsewhere. */
const tabs = ["create", "restore"] as const;

type Step = "first" | "welcome" | "create" | "restore";

/** Everything before a wallet is open; with onCancel, before another one is. */
export function Gate({ onOpen, onCancel }: { onOpen(wallet: EngineWallet): Promise<void>; onCancel?: () => void }) {
  const { engine, settings, change, platform, beginDemo, nameOf } = useApp();
  const [step, setStep] = useState<Step>(
    () => tabs.find((s) => platform.begins?.(s)) ?? (onCancel ? "welcome" : "first"),
  );
  const [node, showNode] = useState(false);
  const names = useAsked(() => engine.wallets(), [engine]);
  const back = (): void => go("first");
  // The browser's back button leads to the first step, not out of the app.
  const go = (to: Step): void => {
    if ((to === "create" || to === "restore") && platform.layout === "popup" && platform.expand) {
      platform.expand(to);
      return;
    }
    if (to === "first") {
      if (history.state?.gate) history.back();
      else if (onCancel) onCancel();
      else setStep(to);
      return;
    }
    if (history.state?.gate) history.replaceState({ gate: to }, "");
    else history.pushState({ gate: to }, "");
    setStep(to);
  };
  // It must not lead away from the words of a new wallet before they are checked, either.
  const held = useRef(false);
  useEffect(() => {
    if (onCancel) history.pushState({ gate: "welcome" }, "");
    const pop = (): void => {
      if (held.current) history.pushState({ gate: "create" }, "");
      else if (onCancel) onCancel();
      else setStep("first");
    };
    addEventListener("popstate", pop);
    return () => removeEventListener("popstate", pop);
  }, []);
  const some = (names.data?.length ?? 0) > 0;
  // A new wallet can have neither the name of a file nor a name that is shown.
  const taken = [...new Set(names.data?.flatMap((file) => [file, nameOf(file)]))];
  return (
    <div class="gate">
      <header>
        <Brand />
        <span class="row">
          <Button small look="plain" onClick={() => showNode(true)}>
            <NodeStatus />
          </Button>
          <ThemeButton />
        </span>
      </header>
      <main class={step === "create" || step === "restore" ? "wide" : undefined}>
        {step === "create" ? (
          <Create names={taken} onMade={() => (held.current = true)} onOpen={onOpen} onBack={back} />
        ) : step === "restore" ? (
          <Restore names={taken} onOpen={onOpen} onBack={back} />
        ) : !names.data ? (
          <p class="row muted" role="status">
            <span class="spinner" aria-hidden="true" /> {t("gate.loadingWallets")}
          </p>
        ) : step === "first" && some ? (
          <Unlock names={names.data} onOpen={onOpen} onOther={() => go("welcome")} />
        ) : (
          <Welcome
            onCreate={() => go("create")}
            onRestore={() => go("restore")}
            onBack={some ? back : undefined}
            onPlay={() => void change({ node: "embedded:" })}
            onDemo={onCancel ? undefined : beginDemo}
            onlyWallets={onCancel !== undefined}
          />
        )}
      </main>
      <footer>
        <p>{t(platform.desktop ? "desktop.footer" : playing(settings) ? "gate.footerPrivate" : "gate.footer")}</p>
        {platform.desktop && (
          <Button small look="plain" onClick={() => void platform.desktop?.quit()}>
            {t("desktop.quit")}
          </Button>
        )}
        <LanguageChoice />
      </footer>
      {node && (
        <Dialog title={t("common.node")} onClose={() => showNode(false)}>
          <NodeSettings onDone={() => showNode(false)} />
        </Dialog>
      )}
    </div>
  );
}

/** Switches between dark and light. */
export function ThemeButton() {
  const { settings, change } = useApp();
  const dark =
    settings.theme === "dark" || (settings.theme === "auto" && matchMedia("(prefers-color-scheme: dark)").matches);
  return (
    <IconButton
      icon="sun"
      small
      label={dark ? t("gate.lightTheme") : t("gate.darkTheme")}
      onClick={() => void change({ theme: dark ? "light" : "dark" })}
    />
  );
}
