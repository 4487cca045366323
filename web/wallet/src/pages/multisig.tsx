import { Head } from "../components/page.js";
import { Notice } from "../components/notice.js";
import { useLive } from "../lib/context.js";
import { MultisigSetup } from "./multisig-setup.js";
import { MultisigUse } from "./multisig-use.js";

/** Wallets of several signers: set up together, then spent from together. */
export function Multisig({ about }: { about: string }) {
  const live = useLive();
  const m = live.kind.multisig;
  return (
    <div class="stack loose">
      <Head
        title="Multisig"
        about={m?.ready ? `${m.threshold} of ${m.total} signers spend from this wallet together.` : "A wallet of several signers, some of whom must agree before anything is spent."}
      />
      {live.kind.viewOnly ? <Notice>This wallet has no spend key, so it cannot be one of the signers.</Notice> : m?.ready ? <MultisigUse signFirst={about === "sign"} /> : <MultisigSetup />}
    </div>
  );
}
