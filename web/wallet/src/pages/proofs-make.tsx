import { useState } from "preact/hooks";
import { Copy } from "../components/address.js";
import { Button } from "../components/button.js";
import { Check, SelectField, TextField } from "../components/field.js";
import { Form } from "../components/form.js";
import { AmountField } from "../components/money.js";
import { Failed, Notice } from "../components/notice.js";
import { parse } from "../lib/amount.js";
import { useApp, useOpen, useWallet, useWork } from "../lib/context.js";
import { accountName, addressName } from "../lib/labels.js";
import { short } from "../lib/payee.js";
import type { ProofKind } from "./proofs.js";
import { t } from "../lib/i18n.js";

/** Makes a proof of one kind. */
export function MakeProof({ kind, txid: start }: { kind: ProofKind; txid: string }) {
  const { live } = useOpen();
  const { platform } = useApp();
  const rpc = live.wallet.rpc;
  const [txid, setTxid] = useState(start);
  const [address, setAddress] = useState("");
  const [message, setMessage] = useState("");
  const [all, setAll] = useState(true);
  const [account, setAccount] = useState("0");
  const [amount, setAmount] = useState("");
  const [signer, setSigner] = useState("0");
  const [which, setWhich] = useState("spend");
  const [proof, setProof] = useState("");
  const work = useWork();
  const accounts = useWallet((l) => l.wallet.rpc.getAccounts());
  const addresses = useWallet((l) => l.wallet.rpc.getAddress({ account_index: 0 }));
  const history = useWallet((l, signal) => l.wallet.history({ signal }));
  // The addresses that a transaction of this wallet paid, to choose from.
  const paid = [
    ...new Set(
      (history.data ?? [])
        .filter((t) => t.txid === txid.trim())
        .flatMap((t) => (t.destinations.length > 0 ? t.destinations.map((d) => d.address) : [t.address])),
    ),
  ].filter(Boolean);
  const to = address.trim() || paid[0] || "";

  const make = async (): Promise<string> => {
    const id = txid.trim();
    switch (kind) {
      case "payment":
        return (await rpc.getTxProof({ txid: id, address: to, message })).signature;
      case "key":
        return (await rpc.getTxKey({ txid: id })).tx_key;
      case "spend":
        return (await rpc.getSpendProof({ txid: id, message })).signature;
      case "reserve": {
        const entry = parse(amount);
        return (
          await rpc.getReserveProof(
            all
              ? { all, message }
              : { account_index: Number(account), amount: "amount" in entry ? entry.amount : 0n, message },
          )
        ).signature;
      }
      case "message":
        return (
          await rpc.sign({ data: message, account_index: 0, address_index: Number(signer), signature_type: which })
        ).signature;
    }
  };
  const ready =
    kind === "message"
      ? message !== ""
      : kind === "reserve"
        ? all || "amount" in parse(amount)
        : /^[0-9a-f]{64}$/i.test(txid.trim()) && (kind !== "payment" || to !== "");
  const change =
    <T,>(set: (v: T) => void) =>
    (v: T): void => {
      set(v);
      setProof("");
    };

  return (
    <Form
      busy={work.busy}
      class="stack"
      onSubmit={(e) => {
        e.preventDefault();
        setProof("");
        void work.run(async () => setProof(await make()));
      }}
    >
      {kind !== "reserve" && kind !== "message" && (
        <TextField
          label={t("common.transactionId")}
          mono
          value={txid}
          onValue={change(setTxid)}
          placeholder={t("common.characters64")}
        />
      )}
      {kind === "payment" &&
        (paid.length > 1 ? (
          <SelectField
            label={t("proofsMake.paidAddress")}
            value={to}
            onValue={change(setAddress)}
            options={paid.map((a) => [a, short(a, 12, 8)])}
          />
        ) : (
          <TextField
            label={t("proofsMake.paidAddress")}
            mono
            rows={4}
            value={address || to}
            onValue={change(setAddress)}
          />
        ))}
      {kind === "reserve" && (
        <>
          <Check checked={all} onChecked={change(setAll)}>
            {t("proofsMake.everything")}
          </Check>
          {!all && (
            <>
              <SelectField
                label={t("common.account")}
                value={account}
                onValue={change(setAccount)}
                options={(accounts.data?.subaddress_accounts ?? []).map((a) => [
                  String(a.account_index),
                  accountName(a),
                ])}
              />
              <AmountField label={t("proofsMake.atLeast")} text={amount} onText={change(setAmount)} />
            </>
          )}
        </>
      )}
      {kind === "message" && (
        <>
          <TextField label={t("proofsMake.textToSign")} rows={4} value={message} onValue={change(setMessage)} />
          <SelectField
            label={t("proofsMake.signer")}
            value={signer}
            onValue={change(setSigner)}
            options={(addresses.data?.addresses ?? []).map((a) => [
              String(a.address_index),
              `${addressName(a)} (${short(a.address, 6, 4)})`,
            ])}
          />
          <SelectField
            label={t("proofsMake.key")}
            value={which}
            onValue={change(setWhich)}
            options={[
              ["spend", t("proofsMake.spendKeyUsual")],
              ["view", t("common.viewKey")],
            ]}
          />
        </>
      )}
      {kind !== "message" && kind !== "key" && (
        <TextField
          label={t("common.message")}
          optional
          value={message}
          onValue={change(setMessage)}
          hint={t("proofsMake.messageHint")}
        />
      )}
      <Failed error={work.error} />
      <Button look="primary" type="submit" busy={work.busy} disabled={!ready}>
        {kind === "key" ? t("proofsMake.showKey") : kind === "message" ? t("common.sign") : t("proofsMake.make")}
      </Button>
      {proof && (
        <section class="card stack">
          <div class="row between">
            <h2>
              {kind === "key"
                ? t("common.transactionKey")
                : kind === "message"
                  ? t("common.signature")
                  : t("common.proof")}
            </h2>
            <span class="row">
              <Copy
                text={proof}
                what={
                  kind === "key"
                    ? t("common.transactionKey")
                    : kind === "message"
                      ? t("common.signature")
                      : t("common.proof")
                }
                words
              />
              <Button
                small
                icon="file"
                onClick={() =>
                  void platform.save({ name: `monero-${kind}-proof.txt`, bytes: new TextEncoder().encode(proof) })
                }
              >
                {t("common.save")}
              </Button>
            </span>
          </div>
          <textarea class="code" readOnly rows={6} aria-label={t("common.proof")} value={proof} />
          <Notice title={t("proofsMake.needTitle")}>{along(kind, to)}</Notice>
        </section>
      )}
    </Form>
  );
}

function along(kind: ProofKind, to: string): string {
  switch (kind) {
    case "payment":
      return t("proofsMake.needPayment", { address: short(to) });
    case "key":
      return to ? t("proofsMake.needKey", { address: short(to) }) : t("proofsMake.needKeyAny");
    case "spend":
      return t("proofsMake.needSpend");
    case "reserve":
      return t("proofsMake.needReserve");
    case "message":
      return t("proofsMake.needMessage");
  }
}
