import { useState } from "preact/hooks";
import { Copy } from "../components/address.js";
import { Button, IconButton } from "../components/button.js";
import { Dialog } from "../components/dialog.js";
import { TextField } from "../components/field.js";
import { Form } from "../components/form.js";
import { Icon } from "../components/icon.js";
import { Money } from "../components/money.js";
import { Failed } from "../components/notice.js";
import { Head, Section } from "../components/page.js";
import { useOpen, useWallet, useWork } from "../lib/context.js";
import { accountName, addressName } from "../lib/labels.js";
import { short } from "../lib/payee.js";
import { t } from "../lib/i18n.js";

type Naming = { title: string; text: string; keep(label: string): Promise<unknown> };

/** Accounts, and the addresses of each. */
export function Accounts() {
  const { live, router } = useOpen();
  const [open, setOpen] = useState(0);
  const [naming, setNaming] = useState<Naming | undefined>(undefined);
  const accounts = useWallet((l) => l.wallet.rpc.getAccounts());
  const addresses = useWallet((l) => l.wallet.rpc.getAddress({ account_index: open }), [open]);
  const balance = useWallet((l) => l.wallet.rpc.getBalance({ account_index: open }), [open]);
  const rpc = live.wallet.rpc;
  const held = new Map(balance.data?.per_subaddress.map((p) => [p.address_index, p.balance]) ?? []);
  const list = accounts.data?.subaddress_accounts ?? [];

  const current = list.find((a) => a.account_index === open);

  return (
    <div class="stack loose">
      <div>
        <Head title={t("common.accounts")} about={t("accounts.about")}>
          <Button
            small
            icon="plus"
            onClick={() =>
              setNaming({ title: t("accounts.newAccount"), text: "", keep: (label) => rpc.createAccount({ label }) })
            }
          >
            {t("accounts.newAccount")}
          </Button>
        </Head>
        <Failed error={accounts.error} />
        <ul class="list">
          {list.map((a) => (
            <li key={a.account_index} class="pick">
              <button
                type="button"
                class="item"
                aria-pressed={a.account_index === open}
                onClick={() => setOpen(a.account_index)}
              >
                <span class={`bullet${a.account_index === open ? " in" : ""}`}>
                  <span class="num strong">{a.account_index}</span>
                </span>
                <span class="grow">
                  <span class="title">{accountName(a)}</span>
                  <span class="sub mono">{short(a.base_address, 6, 5)}</span>
                </span>
                <Money brief value={a.balance} />
              </button>
              <IconButton
                small
                icon="edit"
                label={t("common.renameWhat", { what: accountName(a) })}
                onClick={() =>
                  setNaming({
                    title: t("accounts.renameAccount"),
                    text: a.label,
                    keep: (label) => rpc.labelAccount({ account_index: a.account_index, label }),
                  })
                }
              />
            </li>
          ))}
        </ul>
      </div>
      {current && (
        <Section
          title={t("accounts.addressesOf", { account: accountName(current) })}
          end={
            <Button
              small
              icon="plus"
              onClick={() =>
                setNaming({
                  title: t("common.newAddress"),
                  text: "",
                  keep: (label) => rpc.createAddress({ account_index: open, label }),
                })
              }
            >
              {t("common.newAddress")}
            </Button>
          }
        >
          <Failed error={addresses.error} />
          <ul class="list">
            {addresses.data?.addresses.map((a) => (
              <li key={a.address_index} class="pick">
                <button type="button" class="item" onClick={() => router.go("receive", `${open}/${a.address_index}`)}>
                  <span class="bullet">
                    <Icon name="qr" size={18} />
                  </span>
                  <span class="grow">
                    <span class="title">{addressName(a)}</span>
                    <span class="sub wrap">
                      <span class="mono whole">{short(a.address, 6, 5)}</span>
                      {!held.has(a.address_index) && (
                        <>
                          {"\u2003" /* a space, because the words may be on the next line */}
                          <span class="whole">{a.used ? t("accounts.used") : t("accounts.notUsed")}</span>
                        </>
                      )}
                    </span>
                  </span>
                  {held.has(a.address_index) && <Money brief value={held.get(a.address_index) ?? 0n} />}
                </button>
                <Copy text={a.address} what={t("common.address")} />
                <IconButton
                  small
                  icon="edit"
                  label={t("common.renameWhat", { what: addressName(a) })}
                  onClick={() =>
                    setNaming({
                      title: t("accounts.renameAddress"),
                      text: a.label,
                      keep: (label) => rpc.labelAddress({ index: { major: open, minor: a.address_index }, label }),
                    })
                  }
                />
              </li>
            ))}
          </ul>
        </Section>
      )}
      {naming && (
        <Name
          naming={naming}
          onDone={(changed) => {
            setNaming(undefined);
            if (changed) live.touch();
          }}
        />
      )}
    </div>
  );
}

function Name({ naming, onDone }: { naming: Naming; onDone(changed: boolean): void }) {
  const [text, setText] = useState(naming.text);
  const work = useWork();
  return (
    <Dialog title={naming.title} onClose={() => onDone(false)}>
      <Form
        busy={work.busy}
        class="stack"
        onSubmit={(e) => {
          e.preventDefault();
          void work.run(async () => {
            await naming.keep(text.trim());
            onDone(true);
          });
        }}
      >
        <TextField
          label={t("accounts.label")}
          value={text}
          onValue={setText}
          maxLength={100}
          autoFocus
          hint={t("common.onlyStoredHere")}
        />
        <Failed error={work.error} />
        <Button look="primary" type="submit" busy={work.busy}>
          {t("common.done")}
        </Button>
      </Form>
    </Dialog>
  );
}
