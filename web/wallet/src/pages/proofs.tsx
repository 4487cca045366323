import { useState } from "preact/hooks";
import { Head } from "../components/page.js";
import { Segments } from "../components/segments.js";
import { CheckProof } from "./proofs-check.js";
import { MakeProof } from "./proofs-make.js";
import { t, type PlainKey } from "../lib/i18n.js";

/** The kinds of proof and the keys of their names. */
export const proofKinds = [
  ["payment", "proofs.payment"],
  ["key", "common.transactionKey"],
  ["spend", "proofs.spending"],
  ["reserve", "proofs.reserve"],
  ["message", "common.message"],
] as const;
export type ProofKind = (typeof proofKinds)[number][0];

/** What each kind is for: the keys of the texts. */
export const proofAbout: Record<ProofKind, PlainKey> = {
  payment: "proofs.paymentAbout",
  key: "proofs.keyAbout",
  spend: "proofs.spendAbout",
  reserve: "proofs.reserveAbout",
  message: "proofs.messageAbout",
};

/** Makes and checks proofs. about is a transaction to begin with. */
export function Proofs({ about }: { about: string }) {
  const [side, setSide] = useState<"make" | "check">("make");
  const [kind, setKind] = useState<ProofKind>("payment");
  return (
    <div class="stack">
      <Head title={t("common.proofs")} about={t("proofs.about")} />
      <Segments
        label={t("proofs.makeOrCheck")}
        value={side}
        onValue={setSide}
        options={[
          ["make", t("proofs.make")],
          ["check", t("common.check")],
        ]}
      />
      <Segments
        label={t("proofs.kindOfProof")}
        value={kind}
        onValue={setKind}
        options={proofKinds.map(([k, name]) => [k, t(name)])}
      />
      <p class="muted small">{t(proofAbout[kind])}</p>
      {side === "make" ? (
        <MakeProof key={kind} kind={kind} txid={about} />
      ) : (
        <CheckProof key={kind} kind={kind} txid={about} />
      )}
    </div>
  );
}
