import { useState } from "preact/hooks";
import { Head } from "../components/page.js";
import { Segments } from "../components/segments.js";
import { CheckProof } from "./proofs-check.js";
import { MakeProof } from "./proofs-make.js";

/** The kinds of proof. */
export const proofKinds = [
  ["payment", "Payment"],
  ["key", "Transaction key"],
  ["spend", "Spending"],
  ["reserve", "Reserve"],
  ["message", "Message"],
] as const;
export type ProofKind = (typeof proofKinds)[number][0];

/** What each kind is for. */
export const proofAbout: Record<ProofKind, string> = {
  payment: "Proves that a transaction paid an address. The sender and the recipient can make it.",
  key: "The simplest proof of a payment. Anyone with the key and the address can check what was paid.",
  spend: "Proves that this wallet made a transaction, without revealing the recipient.",
  reserve: "Proves that the wallet holds at least an amount. It also reveals which outputs hold it.",
  message: "Proves that the holder of an address signed a text.",
};

/** Makes and checks proofs. about is a transaction to begin with. */
export function Proofs({ about }: { about: string }) {
  const [side, setSide] = useState<"make" | "check">("make");
  const [kind, setKind] = useState<ProofKind>("payment");
  return (
    <div class="stack">
      <Head title="Proofs" about="Make proofs for others, or check theirs." />
      <Segments
        label="Make or check"
        value={side}
        onValue={setSide}
        options={[
          ["make", "Make"],
          ["check", "Check"],
        ]}
      />
      <Segments label="Kind of proof" value={kind} onValue={setKind} options={proofKinds} />
      <p class="muted small">{proofAbout[kind]}</p>
      {side === "make" ? (
        <MakeProof key={kind} kind={kind} txid={about} />
      ) : (
        <CheckProof key={kind} kind={kind} txid={about} />
      )}
    </div>
  );
}
