import { useState } from "preact/hooks";
import { Address, Value } from "../components/address.js";
import { Button } from "../components/button.js";
import { Described } from "../components/described.js";
import { Messages } from "../components/messages.js";
import { Failed, Notice } from "../components/notice.js";
import { Section } from "../components/page.js";
import { HandOut, TakeIn } from "../components/transport.js";
import { format } from "../lib/amount.js";
import { useApp, useLive, useOpen, useWallet, useWork } from "../lib/context.js";
import type { TxDescription } from "../lib/engine.js";
import { fromHex, hex } from "../lib/hex.js";
import { t } from "../lib/i18n.js";

/** Spending from a multisig wallet: the signers synchronise, then a transaction goes from signer to signer. */
export function MultisigUse({ signFirst }: { signFirst: boolean }) {
  const { data } = useWallet((l) => l.wallet.rpc.getAddress());
  const parts = [<Exchange key="exchange" />, <Sign key="sign" />];
  return (
    <>
      {signFirst ? parts.reverse() : parts}
      {data && (
        <Section title={t("multisigUse.addressTitle")} about={t("multisigUse.addressAbout")}>
          <p class="card">
            <Address text={data.address} />
          </p>
        </Section>
      )}
    </>
  );
}

function Exchange() {
  const { live } = useOpen();
  const { kind } = useLive();
  const { say } = useApp();
  const rpc = live.wallet.rpc;
  const [mine, setMine] = useState("");
  const [theirs, setTheirs] = useState<readonly string[]>([]);
  const out = useWork();
  const into = useWork();
  const others = (kind.multisig?.total ?? 2) - 1;
  const needed = (kind.multisig?.threshold ?? 2) - 1;
  return (
    <Section title={t("multisigUse.exchangeTitle")} about={t("multisigUse.exchangeAbout")}>
      <div class="stack">
        <Button
          busy={out.busy}
          onClick={() => void out.run(async () => setMine((await rpc.exportMultisigInfo()).info))}
        >
          {t("multisigUse.createMyMessage")}
        </Button>
        <Failed error={out.error} />
        {mine && (
          <HandOut
            kind="M"
            data={new TextEncoder().encode(mine)}
            text={mine}
            name={`${live.wallet.name}-multisig-info.txt`}
          />
        )}
        <h3>{t("common.othersMessages")}</h3>
        <Messages list={theirs} want={others} own={mine} onList={setTheirs} />
        <Failed error={into.error} />
        <Button
          look="primary"
          busy={into.busy}
          disabled={theirs.length < needed}
          onClick={() =>
            void into.run(async () => {
              const { n_outputs } = await rpc.importMultisigInfo({ info: theirs });
              setTheirs([]);
              live.touch();
              say(t("multisigUse.outputsReady", { count: n_outputs }));
            })
          }
        >
          {t("multisigUse.importMessages")}
        </Button>
      </div>
    </Section>
  );
}

/** A payment of the group, as text for the engine, and what it does. */
interface Offer {
  set: string;
  what: readonly TxDescription[];
}

function Sign() {
  const { live, router } = useOpen();
  const { kind } = useLive();
  const rpc = live.wallet.rpc;
  const [offer, setOffer] = useState<Offer | undefined>(undefined);
  const [signed, setSigned] = useState<{ from: Offer; set: string; complete: boolean } | undefined>(undefined);
  const [sent, setSent] = useState<{ from: Offer; txids: readonly string[] } | undefined>(undefined);
  const work = useWork();
  const done = signed && signed.from === offer ? signed : undefined;
  const txids = sent && sent.from === offer ? sent.txids : [];
  const data = done && fromHex(done.set);
  const amount = (offer?.what ?? []).flatMap((tx) => tx.recipients).reduce((sum, r) => sum + r.amount, 0n);
  return (
    <Section
      title={t("multisigUse.signTitle")}
      about={t("multisigUse.signaturesNeeded", { count: kind.multisig?.threshold ?? 0 })}
    >
      <div class="stack">
        <div class="row">
          <Button icon="send" onClick={() => router.go("send")}>
            {t("multisigUse.makeAPayment")}
          </Button>
        </div>
        <h3>{t("multisigUse.fromAnother")}</h3>
        <TakeIn
          kind="T"
          disabled={work.busy}
          onData={async (bytes) => {
            setOffer(undefined);
            const set = hex(bytes);
            setOffer({ set, what: (await rpc.describeTransfer({ multisig_txset: set })).desc });
          }}
        />
        {offer && !done && (
          <>
            <Described transactions={offer.what} />
            <Failed error={work.error} />
            <div class="row">
              <Button
                look="primary"
                busy={work.busy}
                onClick={() =>
                  void work.run(async () => {
                    const r = await rpc.signMultisig({ tx_data_hex: offer.set });
                    setSigned({ from: offer, set: r.tx_data_hex, complete: r.tx_hash_list.length > 0 });
                  })
                }
              >
                {t("common.sign")}
              </Button>
              <Button disabled={work.busy} onClick={() => setOffer(undefined)}>
                {t("common.doNotSign")}
              </Button>
            </div>
          </>
        )}
        {done && data && txids.length === 0 && (
          <>
            <Notice tone="good" title={t("common.signed")}>
              {done.complete ? t("multisigUse.complete") : t("multisigUse.incomplete")}
            </Notice>
            <HandOut kind="T" data={data} name="multisig_monero_tx" />
            {done.complete && (
              <>
                <Failed error={work.error} />
                <Button
                  look="primary"
                  icon="send"
                  busy={work.busy}
                  onClick={() =>
                    void work.run(async () => {
                      const { tx_hash_list } = await rpc.submitMultisig({ tx_data_hex: done.set });
                      setSent({ from: done.from, txids: tx_hash_list });
                      live.touch();
                    })
                  }
                >
                  {amount > 0n ? t("common.sendAmount", { amount: format(amount) }) : t("common.send")}
                </Button>
              </>
            )}
          </>
        )}
        {txids.map((txid) => (
          <Notice key={txid} tone="good" title={t("common.sent")}>
            <Value text={txid} what={t("common.transactionId")} />
          </Notice>
        ))}
      </div>
    </Section>
  );
}
