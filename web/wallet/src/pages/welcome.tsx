import { Icon } from "../components/icon.js";
import { Button } from "../components/button.js";
import { useApp } from "../lib/context.js";
import { playing } from "../lib/settings.js";
import { t } from "../lib/i18n.js";

interface Props {
  onCreate(): void;
  onRestore(): void;
  onPlay(): void;
  /** Begins the demo, where there is one. */
  onDemo: (() => void) | undefined;
  onBack: (() => void) | undefined;
  /** Whether to offer wallets only, because one is open. */
  onlyWallets: boolean;
}

/** The first page: what this is, and how to begin. */
export function Welcome({ onCreate, onRestore, onPlay, onDemo, onBack, onlyWallets }: Props) {
  const { settings, platform } = useApp();
  const play = playing(settings);
  return (
    <div class="stack loose">
      <div class="stack">
        <h1 class="display">{t("welcome.title")}</h1>
        <p class="muted">{t(platform.desktop ? "desktop.about" : "welcome.about")}</p>
      </div>
      <div class="stack tight">
        <Button look="primary" block onClick={onCreate}>
          {t("common.createAWallet")}
        </Button>
        <Button block onClick={onRestore}>
          {t("common.restoreAWallet")}
        </Button>
        {onBack && (
          <Button look="plain" block onClick={onBack}>
            {t("welcome.back")}
          </Button>
        )}
      </div>
      {!play && !onlyWallets && !platform.desktop && (
        <button type="button" class="card item" onClick={onDemo ?? onPlay} style={{ textAlign: "start" }}>
          <span class="bullet in">
            <Icon name="play" />
          </span>
          <span class="grow">
            <span class="title wrap">{onDemo ? t("demo.begin") : t("welcome.play")}</span>
            <span class="sub wrap">{onDemo ? t("demo.beginAbout") : t("welcome.playAbout")}</span>
          </span>
          <Icon name="right" />
        </button>
      )}
    </div>
  );
}
