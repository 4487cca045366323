import { useEffect, useState } from "preact/hooks";
import { Address, Copy } from "../components/address.js";
import { BackupReminder } from "../components/backup.js";
import { Button } from "../components/button.js";
import { SelectField, TextField } from "../components/field.js";
import { Form } from "../components/form.js";
import { AmountField } from "../components/money.js";
import { Failed } from "../components/notice.js";
import { Head } from "../components/page.js";
import { Share } from "../components/sharing.js";
import { QR } from "../components/qr.js";
import { useApp, useAsked, useOpen, useWallet, useWork } from "../lib/context.js";
import { parse } from "../lib/amount.js";
import { accountName, addressName } from "../lib/labels.js";
import { short } from "../lib/payee.js";
import { t } from "../lib/i18n.js";

/** An address as text, payment link and QR code. about is an address of the wallet, as account/index. */
export function Receive({ about }: { about: string }) {
  const { live } = useOpen();
  const { say } = useApp();
  const [major, minor] = about === "" ? [0, -1] : (about.split("/").map(Number) as [number, number]);
  const [account, setAccount] = useState(major);
  const [index, setIndex] = useState(minor);
  const [amount, setAmount] = useState("");
  const [text, setText] = useState("");
  const [label, setLabel] = useState("");
  const work = useWork();
  const accounts = useWallet((l) => l.wallet.rpc.getAccounts());
  const list = useWallet((l) => l.wallet.rpc.getAddress({ account_index: account }), [account]);
  const own = accounts.data?.subaddress_accounts ?? [];
  const addresses = list.data?.addresses ?? [];

  // Each payer should get their own address: show the newest unused one, or the account's first address if there is
  // none.
  useEffect(() => {
    if (index >= 0 || addresses.length === 0) return;
    const unused = [...addresses].reverse().find((a) => !a.used && a.address_index > 0);
    setIndex(unused?.address_index ?? 0);
  }, [addresses.length, index]);

  const chosen = addresses.find((a) => a.address_index === index) ?? addresses[0];
  const entry = parse(amount);
  const atomic = "amount" in entry ? entry.amount : 0n;
  const link = useAsked(
    async () =>
      chosen
        ? (await live.wallet.rpc.makeUri({ address: chosen.address, amount: atomic, tx_description: text.trim() })).uri
        : "",
    [chosen?.address, atomic, text, live],
  );
  const uri = link.data ?? "";
  const request = atomic > 0n || text.trim() !== "";
  const code = uri || (chosen?.address ?? "");

  const fresh = (): void =>
    void work.run(async () => {
      const made = await live.wallet.rpc.createAddress({ account_index: account, label: label.trim() });
      setLabel("");
      setIndex(made.address_index);
      list.again();
      live.touch();
      say(t("receive.created"));
    });

  return (
    <div class="stack">
      <Head title={t("common.receive")} about={t("receive.about")} />
      <BackupReminder />
      <Failed error={list.error} />
      {(chosen || own.length > 0) && (
        <div class="receive">
          {chosen ? (
            <section class="card stack">
              <QR text={code} label={request && uri ? t("receive.qrRequest") : t("receive.qrAddress")} />
              <div class="center">
                <p class="strong">{addressName(chosen)}</p>
                {chosen.used && <p class="hint">{t("receive.used")}</p>}
              </div>
              <p class="center">
                <Address text={chosen.address} />
              </p>
              <div class="row" style={{ justifyContent: "center" }}>
                <Copy text={chosen.address} what={t("common.address")} words />
                {request && <CopyLink uri={uri} />}
                {request ? (
                  <Share text={uri} what={t("receive.paymentLink")} />
                ) : (
                  <Share text={chosen.address} what={t("common.address")} />
                )}
              </div>
              <Failed error={link.error} />
            </section>
          ) : (
            // The addresses of another account are on their way; the fields stay where they are.
            <section class="card" aria-busy="true">
              <figure class="qr">
                <svg viewBox="0 0 1 1" aria-hidden="true" />
              </figure>
            </section>
          )}
          <section class="stack">
            {own.length > 1 && (
              <SelectField
                label={t("common.account")}
                value={String(account)}
                onValue={(v) => {
                  setAccount(Number(v));
                  setIndex(-1);
                }}
                options={own.map((a) => [String(a.account_index), accountName(a)])}
              />
            )}
            <SelectField
              label={t("common.address")}
              value={chosen ? String(chosen.address_index) : ""}
              onValue={(v) => setIndex(Number(v))}
              options={addresses.map((a) => {
                const name = a.label || a.address_index === 0 ? addressName(a) : short(a.address, 5, 5);
                const values = { number: a.address_index, name };
                return [
                  String(a.address_index),
                  a.used ? t("receive.usedOption", values) : t("receive.option", values),
                ];
              })}
            />
            <AmountField label={t("common.amount")} optional text={amount} onText={setAmount} />
            <TextField
              label={t("receive.description")}
              optional
              value={text}
              onValue={setText}
              maxLength={200}
              hint={t("receive.descriptionHint")}
            />
            <Form
              busy={work.busy}
              class="card stack"
              onSubmit={(e) => {
                e.preventDefault();
                fresh();
              }}
            >
              <TextField
                label={t("receive.label")}
                optional
                value={label}
                onValue={setLabel}
                maxLength={100}
                placeholder={t("receive.labelHint")}
              />
              <Failed error={work.error} />
              <Button type="submit" icon="plus" busy={work.busy}>
                {t("common.newAddress")}
              </Button>
            </Form>
          </section>
        </div>
      )}
    </div>
  );
}

function CopyLink({ uri }: { uri: string }) {
  const { copy } = useApp();
  return (
    <Button small icon="copy" disabled={uri === ""} onClick={() => void copy(uri, t("receive.paymentLink"))}>
      {t("receive.copyLink")}
    </Button>
  );
}
