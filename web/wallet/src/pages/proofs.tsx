import { useState } from "preact/hooks";
import { Head } from "../components/page.js";
import { Segments } from "../components/segments.js";
import { CheckProof } from "./proofs-check.js";
import { MakeProof } from "./proofs-make.js";

/** The kinds of proof there are. */
export const proofKinds = [
  ["payment", "Payment"],
  ["key", "Transaction key"],
  ["spend", "Spending"],
  ["reserve", "Reserve"],
  ["message", "Message"],
] as const;
export type ProofKind = (typeof proofKinds)[number][0];

/** What each is for, in a sentence. */
export const proofAbout: Record<ProofKind, string> = {
  payment: "Shows that a transaction paid an address. The sender and the receiver can make it.",
  key: "The simplest way to show a payment. With the key and the address anybody can check what was paid there.",
  spend: "Shows that this wallet made a transaction, without saying to whom.",
  reserve: "Shows that the wallet holds at least so much. It also shows which outputs it is made of.",
  message: "Shows that the holder of an address wrote a text.",
};

/** Proofs: made here, or made by others and checked here. about is a transaction to begin with. */
export function Proofs({ about }: { about: string }) {
  const [side, setSide] = useState<"make" | "check">("make");
  const [kind, setKind] = useState<ProofKind>("payment");
  return (
    <div class="stack">
      <Head title="Proofs" about="Statements that convince others, and theirs to be checked." />
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
      {side === "make" ? <MakeProof key={kind} kind={kind} txid={about} /> : <CheckProof key={kind} kind={kind} txid={about} />}
    </div>
  );
}
