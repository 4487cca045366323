import { useContext } from "preact/hooks";
import { AppContext, useApp } from "../lib/context.js";
import { failure } from "../lib/errors.js";
import { t } from "../lib/i18n.js";
import { Button } from "./button.js";
import { useFixed } from "./form.js";
import { Icon } from "./icon.js";

/** Longest text that is taken from the clipboard, in characters: payment links are shorter. */
const longest = 8192;

/**
 * Returns a function that reads the clipboard and passes the text on; undefined where pages cannot read it, and outside
 * the app, as in the window that asks for a payment.
 */
function usePaste(onText: (text: string) => void): (() => void) | undefined {
  const app = useContext(AppContext);
  if (!app?.platform.paste) return undefined;
  const { say } = app;
  const { paste } = app.platform;
  return () =>
    void paste().then(
      (text) => (text.trim() === "" ? say(t("sharing.empty")) : onText(text.slice(0, longest))),
      () => say(t("sharing.pasteRefused")),
    );
}

/** A button that pastes into the field above it. */
export function Paste({ what, onText }: { what: string; onText(text: string): void }) {
  const paste = usePaste(onText);
  const fixed = useFixed();
  if (!paste) return null;
  return (
    <Button small icon="paste" disabled={fixed} aria-label={t("sharing.pasteWhat", { what })} onClick={paste}>
      {t("sharing.paste")}
    </Button>
  );
}

/** The same as an icon at the end of a field. */
export function PasteInto({ what, onText }: { what: string; onText(text: string): void }) {
  const paste = usePaste(onText);
  const fixed = useFixed();
  if (!paste) return null;
  return (
    <span class="paste">
      <button type="button" class="btn plain icon small" disabled={fixed} title={t("sharing.paste")} onClick={paste}>
        <Icon name="paste" size={17} />
        <span class="sr">{t("sharing.pasteWhat", { what })}</span>
      </button>
    </span>
  );
}

/** A button that shares a public text, such as an address. Where pages cannot share, the copy button is enough. */
export function Share({ text, what }: { text: string; what: string }) {
  const { platform, copy } = useApp();
  const { share } = platform;
  if (!share) return null;
  const act = async (): Promise<void> => {
    try {
      await share(text);
    } catch (e) {
      // The user may have closed the list of apps; otherwise the text is at least on the clipboard.
      if (failure(e).kind !== "aborted") await copy(text, what);
    }
  };
  return (
    <Button small icon="share" disabled={text === ""} onClick={() => void act()}>
      {t("sharing.share")}
    </Button>
  );
}
