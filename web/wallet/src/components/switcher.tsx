import { useState } from "preact/hooks";
import { useApp, useAsked, useOpen, useWork } from "../lib/context.js";
import { t } from "../lib/i18n.js";
import { longestName, possibleName } from "../lib/names.js";
import { Button } from "./button.js";
import { Dialog } from "./dialog.js";
import { PasswordField, TextField } from "./field.js";
import { Form } from "./form.js";
import { Icon, Mark } from "./icon.js";
import { Failed } from "./notice.js";

/** The name of the open wallet, as a button that opens the list of wallets. */
export function Switcher({ mark = false, onOpen }: { mark?: boolean; onOpen(): void }) {
  const { nameOf } = useApp();
  const { live } = useOpen();
  const name = nameOf(live.wallet.name);
  return (
    <button
      type="button"
      class="who"
      aria-haspopup="dialog"
      aria-label={t("switcher.button", { name })}
      onClick={onOpen}
    >
      {mark && <Mark size={26} />}
      <span>{name}</span>
      <Icon name="down" size={16} />
    </button>
  );
}

/** The wallets in this browser: shows another one, asking for its password unless it is open already. */
export function Wallets({ onClose }: { onClose(): void }) {
  const { engine, nameOf, demo, platform } = useApp();
  const { live, asides, switchTo, add } = useOpen();
  const [locked, setLocked] = useState<string | undefined>(undefined);
  const [renaming, rename] = useState(false);
  const [password, setPassword] = useState("");
  const work = useWork();
  const names = useAsked(() => engine.wallets(), [engine]);
  const go = (name: string, secret?: string): void =>
    void work.run(async () => {
      try {
        await switchTo(name, secret);
        onClose();
      } finally {
        setPassword("");
      }
    });
  const choose = (name: string): void => {
    work.clear();
    if (asides.includes(name)) go(name);
    else setLocked(name);
  };
  if (renaming) return <Rename onClose={onClose} />;
  return (
    <Dialog title={t("switcher.title")} onClose={onClose}>
      <ul class="list">
        {names.data?.map((name) => {
          const now = name === live.wallet.name;
          const open = asides.includes(name);
          return (
            <li key={name}>
              <button
                type="button"
                class="item"
                aria-current={now ? "true" : undefined}
                disabled={work.busy}
                onClick={() => (now ? onClose() : choose(name))}
              >
                <span class={`bullet${now ? " in" : ""}`}>
                  <Icon name={now ? "check" : open ? "accounts" : "lock"} size={18} />
                </span>
                <span class="grow">
                  <span class="title">{nameOf(name)}</span>
                  <span class="sub">{now ? t("switcher.now") : open ? t("switcher.open") : t("switcher.locked")}</span>
                </span>
              </button>
              {name === locked && (
                <Form
                  busy={work.busy}
                  class="stack tight switcher-unlock"
                  onSubmit={(e) => {
                    e.preventDefault();
                    go(name, password);
                  }}
                >
                  <PasswordField
                    label={t("switcher.passwordOf", { name: nameOf(name) })}
                    value={password}
                    onValue={setPassword}
                    failed={work.error}
                    autoFocus
                  />
                  <Failed error={work.error} />
                  <Button look="primary" type="submit" busy={work.busy}>
                    {t("common.unlock")}
                  </Button>
                </Form>
              )}
            </li>
          );
        })}
      </ul>
      <Failed error={names.error ?? (locked === undefined ? work.error : undefined)} />
      <div class="row">
        <Button small icon="edit" onClick={() => rename(true)}>
          {t("switcher.renameThis")}
        </Button>
        {!demo && (
          <Button
            small
            icon="plus"
            onClick={() => {
              onClose();
              // A popup closes as soon as the user looks elsewhere.
              if (platform.layout === "popup" && platform.expand) platform.expand("create");
              else add();
            }}
          >
            {t("unlock.another")}
          </Button>
        )}
      </div>
      <p class="hint">{demo ? t("switcher.aboutDemo") : t("switcher.about")}</p>
    </Dialog>
  );
}

/** Changes the name that the open wallet is shown by. */
export function Rename({ onClose }: { onClose(): void }) {
  const { engine, nameOf, rename, say } = useApp();
  const { live } = useOpen();
  const own = live.wallet.name;
  const [name, setName] = useState(nameOf(own));
  const [tried, setTried] = useState(false);
  const work = useWork();
  const files = useAsked(() => engine.wallets(), [engine]);
  const text = name.trim();
  const taken = files.data?.some((file) => file !== own && (file === text || nameOf(file) === text)) ?? false;
  const wrong = taken ? t("newWallet.nameTaken") : possibleName(text) ? undefined : t("newWallet.badName");
  return (
    <Dialog title={t("switcher.renameThis")} onClose={onClose}>
      <Form
        busy={work.busy}
        class="stack"
        onSubmit={(e) => {
          e.preventDefault();
          setTried(true);
          if (wrong || !files.data) return;
          void work.run(async () => {
            await rename(live.wallet, text);
            say(t("switcher.renamed"));
            onClose();
          });
        }}
      >
        <TextField
          label={t("common.walletName")}
          value={name}
          onValue={setName}
          maxLength={longestName}
          error={tried || taken ? wrong : undefined}
          hint={t("switcher.renameAbout")}
          autoFocus
        />
        <Failed error={work.error ?? files.error} />
        <Button look="primary" type="submit" busy={work.busy}>
          {t("switcher.rename")}
        </Button>
      </Form>
    </Dialog>
  );
}
