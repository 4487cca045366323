import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { Button } from "../components/button.js";
import { TextField } from "../components/field.js";
import { Money } from "../components/money.js";
import { Failed, Notice } from "../components/notice.js";
import { useOpen, useWork } from "../lib/context.js";
import { plural } from "../lib/progress.js";
import type { ProofKind } from "./proofs.js";

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
      title: "Not valid",
      words: "This does not prove what it claims. Check that every part was copied exactly.",
    };
    const received = (r: { received: bigint; in_pool: boolean; confirmations: bigint }): Verdict =>
      r.received === 0n
        ? { good: false, title: "Nothing was paid to this address", words: "The transaction did not pay this address." }
        : {
            good: true,
            title: "Valid",
            words: (
              <>
                The address received <Money value={r.received} />
                {r.in_pool
                  ? ". The payment is not confirmed yet."
                  : `, with ${plural(r.confirmations, "confirmation")}.`}
              </>
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
        return r.good ? { good: true, title: "Valid", words: "The author of this proof made the transaction." } : wrong;
      }
      case "reserve": {
        const r = await rpc.checkReserveProof({ address: to, message, signature });
        if (!r.good) return wrong;
        return {
          good: true,
          title: "Valid",
          words: (
            <>
              The wallet holds <Money value={r.total - r.spent} />
              {r.spent > 0n && (
                <>
                  . The proof covers <Money value={r.total} />, of which <Money value={r.spent} /> has been spent since
                </>
              )}
              .
            </>
          ),
        };
      }
      case "message": {
        const r = await rpc.verify({ data: message, address: to, signature });
        if (!r.good) return wrong;
        const key = r.signature_type === "view" ? " with the view key" : "";
        const format = r.old ? " The signature has an older, weaker format." : "";
        return { good: true, title: "Valid", words: `The holder of the address signed this text${key}.${format}` };
      }
    }
  };

  const ready =
    proof.trim() !== "" &&
    (!tx || txid.trim() !== "") &&
    (kind === "spend" || address.trim() !== "") &&
    (kind !== "message" || message !== "");
  return (
    <form
      class="stack"
      onSubmit={(e) => {
        e.preventDefault();
        setVerdict(undefined);
        void work.run(async () => setVerdict(await check()));
      }}
    >
      {tx && (
        <TextField label="Transaction ID" mono value={txid} onValue={change(setTxid)} placeholder="64 characters" />
      )}
      {kind !== "spend" && (
        <TextField
          label={kind === "reserve" ? "First address of the wallet" : "Address"}
          mono
          rows={4}
          value={address}
          onValue={change(setAddress)}
        />
      )}
      {kind === "message" && <TextField label="Text" rows={4} value={message} onValue={change(setMessage)} />}
      {kind !== "message" && kind !== "key" && (
        <TextField label="Message" optional value={message} onValue={change(setMessage)} />
      )}
      <TextField
        label={kind === "key" ? "Transaction key" : kind === "message" ? "Signature" : "Proof"}
        mono
        rows={4}
        value={proof}
        onValue={change(setProof)}
      />
      <Failed error={work.error} />
      <Button look="primary" type="submit" busy={work.busy} disabled={!ready}>
        Check
      </Button>
      <div role="status">
        {verdict && (
          <Notice tone={verdict.good ? "good" : "bad"} title={verdict.title}>
            {verdict.words}
          </Notice>
        )}
      </div>
    </form>
  );
}
