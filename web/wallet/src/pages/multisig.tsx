import { Head } from "../components/page.js";
import { Notice } from "../components/notice.js";
import { useLive } from "../lib/context.js";
import { MultisigSetup } from "./multisig-setup.js";
import { MultisigUse } from "./multisig-use.js";

/** Multisig wallets: setting them up, and spending from them. */
export function Multisig({ about }: { about: string }) {
  const live = useLive();
  const m = live.kind.multisig;
  return (
    <div class="stack loose">
      <Head
        title="Multisig"
        about={
          m?.ready
            ? `${m.threshold} of ${m.total} signers must sign each payment from this wallet.`
            : "A wallet shared by several signers. A chosen number of them must sign each payment."
        }
      />
      {live.kind.viewOnly ? (
        <Notice>This wallet has no spend key, so it cannot be a signer.</Notice>
      ) : m?.ready ? (
        <MultisigUse signFirst={about === "sign"} />
      ) : (
        <MultisigSetup />
      )}
    </div>
  );
}
