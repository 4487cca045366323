import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { Button } from "../components/button.js";
import { TextField } from "../components/field.js";
import { Form } from "../components/form.js";
import { Money } from "../components/money.js";
import { Failed, Notice } from "../components/notice.js";
import { useOpen, useWork } from "../lib/context.js";
import type { ProofKind } from "./proofs.js";
import { t } from "../lib/i18n.js";
import { Text } from "../components/text.js";

type Verdict = { good: boolean; title: string; words: ComponentChildren };

/** Checks a proof that someone else made. */
export function CheckProof({ kind, txid: start }: { kind: ProofKind; txid: string }) {
  const { live } = useOpen();
  const rpc = live.wallet.rpc;
  const [txid, setTxid] = useState(start);
  const [address, setAddress] = useState("");
  const [message, setMessage] = useState("");
  const [proof, setProof] = useState("");
  const [verdict, setVerdict] = useState<Verdict | undefined>(undefined);
  const work = useWork();
  const tx = kind === "payment" || kind === "key" || kind === "spend";
  const change =
    (set: (v: string) => void) =>
    (v: string): void => {
      set(v);
      setVerdict(undefined);
    };

  const check = async (): Promise<Verdict> => {
    const id = txid.trim();
    const to = address.replace(/\s+/g, "");
    const signature = proof.trim();
    const wrong: Verdict = {
      good: false,
      title: t("proofsCheck.notValid"),
      words: t("proofsCheck.notValidAbout"),
    };
    const received = (r: { received: bigint; in_pool: boolean; confirmations: bigint }): Verdict =>
      r.received === 0n
        ? { good: false, title: t("proofsCheck.nothing"), words: t("proofsCheck.nothingAbout") }
        : {
            good: true,
            title: t("proofsCheck.valid"),
            words: r.in_pool ? (
              <Text id="proofsCheck.receivedUnconfirmed" amount={<Money value={r.received} />} />
            ) : (
              <Text id="proofsCheck.received" amount={<Money value={r.received} />} count={r.confirmations} />
            ),
          };
    switch (kind) {
      case "payment": {
        const r = await rpc.checkTxProof({ txid: id, address: to, message, signature });
        return r.good ? received(r) : wrong;
      }
      case "key":
        return received(await rpc.checkTxKey({ txid: id, tx_key: signature, address: to }));
      case "spend": {
        const r = await rpc.checkSpendProof({ txid: id, message, signature });
        return r.good ? { good: true, title: t("proofsCheck.valid"), words: t("proofsCheck.spend") } : wrong;
      }
      case "reserve": {
        const r = await rpc.checkReserveProof({ address: to, message, signature });
        if (!r.good) return wrong;
        return {
          good: true,
          title: t("proofsCheck.valid"),
          words:
            r.spent > 0n ? (
              <Text
                id="proofsCheck.reserveSpent"
                amount={<Money value={r.total - r.spent} />}
                total={<Money value={r.total} />}
                spent={<Money value={r.spent} />}
              />
            ) : (
              <Text id="proofsCheck.reserve" amount={<Money value={r.total} />} />
            ),
        };
      }
      case "message": {
        const r = await rpc.verify({ data: message, address: to, signature });
        if (!r.good) return wrong;
        const signed = r.signature_type === "view" ? t("proofsCheck.signedView") : t("proofsCheck.signedSpend");
        const words = r.old ? `${signed} ${t("proofsCheck.oldFormat")}` : signed;
        return { good: true, title: t("proofsCheck.valid"), words };
      }
    }
  };

  const ready =
    proof.trim() !== "" &&
    (!tx || txid.trim() !== "") &&
    (kind === "spend" || address.trim() !== "") &&
    (kind !== "message" || message !== "");
  return (
    <Form
      busy={work.busy}
      class="stack"
      onSubmit={(e) => {
        e.preventDefault();
        setVerdict(undefined);
        void work.run(async () => setVerdict(await check()));
      }}
    >
      {tx && (
        <TextField
          label={t("common.transactionId")}
          mono
          value={txid}
          onValue={change(setTxid)}
          placeholder={t("common.characters64")}
        />
      )}
      {kind !== "spend" && (
        <TextField
          label={kind === "reserve" ? t("common.firstAddressWallet") : t("common.address")}
          mono
          rows={4}
          value={address}
          onValue={change(setAddress)}
        />
      )}
      {kind === "message" && (
        <TextField label={t("proofsCheck.text")} rows={4} value={message} onValue={change(setMessage)} />
      )}
      {kind !== "message" && kind !== "key" && (
        <TextField label={t("common.message")} optional value={message} onValue={change(setMessage)} />
      )}
      <TextField
        label={
          kind === "key" ? t("common.transactionKey") : kind === "message" ? t("common.signature") : t("common.proof")
        }
        mono
        rows={4}
        value={proof}
        onValue={change(setProof)}
      />
      <Failed error={work.error} />
      <Button look="primary" type="submit" busy={work.busy} disabled={!ready}>
        {t("common.check")}
      </Button>
      <div role="status">
        {verdict && (
          <Notice tone={verdict.good ? "good" : "bad"} title={verdict.title}>
            {verdict.words}
          </Notice>
        )}
      </div>
    </Form>
  );
}
