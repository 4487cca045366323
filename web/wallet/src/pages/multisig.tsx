import { Head } from "../components/page.js";
import { Notice } from "../components/notice.js";
import { useLive } from "../lib/context.js";
import { MultisigSetup } from "./multisig-setup.js";
import { MultisigUse } from "./multisig-use.js";
import { t } from "../lib/i18n.js";

/** Multisig wallets: setting them up, and spending from them. */
export function Multisig({ about }: { about: string }) {
  const live = useLive();
  const m = live.kind.multisig;
  return (
    <div class="stack loose">
      <Head
        title={t("common.multisig")}
        about={m?.ready ? t("multisig.someOf", { some: m.threshold, count: m.total }) : t("multisig.about")}
      />
      {live.kind.viewOnly ? (
        <Notice>{t("multisig.viewOnly")}</Notice>
      ) : m?.ready ? (
        <MultisigUse signFirst={about === "sign"} />
      ) : (
        <MultisigSetup />
      )}
    </div>
  );
}
