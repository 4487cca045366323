import { useState } from "preact/hooks";
import { Button } from "../components/button.js";
import { SelectField } from "../components/field.js";
import { Money } from "../components/money.js";
import { Failed, Notice } from "../components/notice.js";
import { OutputList } from "../components/output-list.js";
import { Empty, Fact, Facts, Head } from "../components/page.js";
import { useApp, useOpen, useWallet, useWork } from "../lib/context.js";
import { t } from "../lib/i18n.js";
import { accountName } from "../lib/labels.js";
import { readOutputs, spendable, sumOf, type Output } from "../lib/outputs.js";

/** The outputs of an account: what each is, and whether it may be spent. */
export function Outputs() {
  const { live, router } = useOpen();
  const { say } = useApp();
  const [account, setAccount] = useState(0);
  const work = useWork();
  const accounts = useWallet((l) => l.wallet.rpc.getAccounts());
  const outputs = useWallet((l, signal) => readOutputs(l.wallet, account, signal), [account]);
  const own = accounts.data?.subaddress_accounts ?? [];
  const all = outputs.data ?? [];
  const frozen = all.filter((o) => o.frozen);
  const locked = all.filter((o) => !o.frozen && !o.unlocked);
  const free = all.filter((o) => spendable(o));

  const freeze = (o: Output): void =>
    void work.run(async () => {
      const request = { key_image: o.image };
      if (o.frozen) await live.wallet.rpc.thaw(request);
      else await live.wallet.rpc.freeze(request);
      live.touch();
      say(o.frozen ? t("outputs.isThawed") : t("outputs.isFrozen"));
    });

  return (
    <div class="stack">
      <Head title={t("outputs.title")} about={t("outputs.about")} />
      <section class="card stack">
        {own.length > 1 && (
          <SelectField
            label={t("common.account")}
            value={String(account)}
            onValue={(v) => setAccount(Number(v))}
            options={own.map((a) => [String(a.account_index), accountName(a)])}
          />
        )}
        <Facts>
          <Fact name={t("sendForm.spendable")}>{outputs.data ? <Money value={sumOf(free)} /> : "\u2013"}</Fact>
          {locked.length > 0 && (
            <Fact name={t("outputs.locked")}>
              <Money value={sumOf(locked)} />
            </Fact>
          )}
          {frozen.length > 0 && (
            <Fact name={t("outputs.frozen")}>
              <Money value={sumOf(frozen)} />
            </Fact>
          )}
        </Facts>
      </section>
      {all.some((o) => o.image === "") && (
        <Notice tone="warn" title={t("outputs.unknownTitle")}>
          {t("outputs.unknownAbout")}{" "}
          <button type="button" class="link" onClick={() => router.go(live.kind.multisig ? "multisig" : "cold")}>
            {live.kind.multisig ? t("outputs.exchange") : t("common.importKeyImages")}
          </button>
        </Notice>
      )}
      <Failed error={work.error ?? outputs.error} />
      {outputs.data?.length === 0 ? (
        <div class="list">
          <Empty title={t("outputs.empty")}>
            <p>{t("outputs.emptyAbout")}</p>
          </Empty>
        </div>
      ) : (
        <OutputList
          key={account}
          outputs={all}
          onOpen={(o) => router.go("transfer", o.txid)}
          action={(o) =>
            o.image !== "" && (
              <Button small icon={o.frozen ? "sun" : "cold"} disabled={work.busy} onClick={() => freeze(o)}>
                {o.frozen ? t("outputs.thaw") : t("outputs.freeze")}
              </Button>
            )
          }
        />
      )}
    </div>
  );
}
