import { useState } from "preact/hooks";
import { Value } from "../components/address.js";
import { Button } from "../components/button.js";
import { Described } from "../components/described.js";
import { Money } from "../components/money.js";
import { Failed, Notice } from "../components/notice.js";
import { Head, Section } from "../components/page.js";
import { HandOut, TakeIn } from "../components/transport.js";
import { useApp, useOpen, useLive, useWork } from "../lib/context.js";
import type { TxDescription } from "../lib/engine.js";
import { fromHex, hex } from "../lib/hex.js";
import { isEncryptedFile, keyImages } from "../lib/key-images.js";
import { t } from "../lib/i18n.js";
import { Text } from "../components/text.js";

/** The exchange between a view-only wallet and the cold wallet with the spend key. */
export function ColdSigning({ about }: { about: string }) {
  const live = useLive();
  return (
    <div class="stack loose">
      <Head
        title={t("common.coldSigning")}
        about={live.kind.viewOnly ? t("cold.watcherAbout") : t("cold.signerAbout")}
      />
      {live.kind.multisig ? (
        <Notice>{t("cold.multisig")}</Notice>
      ) : live.kind.viewOnly ? (
        <Watching submitFirst={about === "submit"} />
      ) : (
        <Signing />
      )}
    </div>
  );
}

function Steps({ n }: { n: number }) {
  return <span class="tag">{t("cold.step", { number: n })}</span>;
}

/** The view-only side: exports outputs, imports key images, makes and sends payments. */
function Watching({ submitFirst }: { submitFirst: boolean }) {
  const { router } = useOpen();
  const submit = <Submit />;
  return (
    <>
      {submitFirst && submit}
      <ExportOutputs />
      <ImportKeyImages />
      <Section title={t("cold.prepare")} end={<Steps n={3} />} about={t("cold.prepareAbout")}>
        <Button icon="send" onClick={() => router.go("send")}>
          {t("cold.prepare")}
        </Button>
      </Section>
      {!submitFirst && submit}
    </>
  );
}

/** The cold side: imports outputs, exports key images, signs transactions. */
function Signing() {
  return (
    <>
      <ImportOutputs />
      <ExportKeyImages />
      <Sign />
      <Notice title={t("cold.copyTitle")}>{t("cold.copyAbout")}</Notice>
    </>
  );
}

function ExportOutputs() {
  const { live } = useOpen();
  const [data, setData] = useState<Uint8Array | undefined>(undefined);
  const work = useWork();
  return (
    <Section title={t("cold.exportOutputsTitle")} end={<Steps n={1} />} about={t("cold.exportOutputsAbout")}>
      <div class="stack">
        <Button
          busy={work.busy}
          onClick={() =>
            void work.run(async () =>
              setData(bytes((await live.wallet.rpc.exportOutputs({ all: true })).outputs_data_hex)),
            )
          }
        >
          {t("cold.exportOutputs")}
        </Button>
        <Failed error={work.error} />
        {data && <HandOut kind="O" data={data} name={`${live.wallet.name}-outputs`} />}
      </div>
    </Section>
  );
}

function ImportKeyImages() {
  const { live } = useOpen();
  const [result, setResult] = useState<{ spent: bigint; unspent: bigint } | undefined>(undefined);
  return (
    <Section title={t("cold.importImagesTitle")} end={<Steps n={2} />} about={t("cold.importImagesAbout")}>
      <TakeIn
        kind="K"
        onData={async (data) => {
          const { rpc } = live.wallet;
          setResult(
            isEncryptedFile(data)
              ? await rpc.importKeyImagesData({ key_images_data_hex: hex(data) })
              : await rpc.importKeyImages(keyImages(data)),
          );
          live.touch();
        }}
      />
      {result && (
        <Notice tone="good" title={t("cold.imagesImported")}>
          <Text
            id="cold.spentAndNot"
            unspent={<Money value={result.unspent} />}
            spent={<Money value={result.spent} />}
          />
        </Notice>
      )}
    </Section>
  );
}

function Submit() {
  const { live } = useOpen();
  const { say } = useApp();
  const [txids, setTxids] = useState<readonly string[]>([]);
  return (
    <Section title={t("cold.submitTitle")} end={<Steps n={4} />}>
      <TakeIn
        kind="S"
        onData={async (data) => {
          const { tx_hash_list } = await live.wallet.rpc.submitTransfer({ tx_data_hex: hex(data) });
          setTxids(tx_hash_list);
          live.touch();
          say(t("common.sent"));
        }}
      />
      {txids.map((txid) => (
        <Notice key={txid} tone="good" title={t("common.sent")}>
          <Value text={txid} what={t("common.transactionId")} />
        </Notice>
      ))}
    </Section>
  );
}

function ImportOutputs() {
  const { live } = useOpen();
  const [count, setCount] = useState<bigint | undefined>(undefined);
  return (
    <Section title={t("cold.importOutputsTitle")} end={<Steps n={1} />} about={t("cold.importOutputsAbout")}>
      <TakeIn
        kind="O"
        onData={async (data) => {
          setCount((await live.wallet.rpc.importOutputs({ outputs_data_hex: hex(data) })).num_imported);
          live.touch();
        }}
      />
      {count !== undefined && <Notice tone="good" title={t("cold.outputsImported", { count })} />}
    </Section>
  );
}

function ExportKeyImages() {
  const { live } = useOpen();
  const [data, setData] = useState<Uint8Array | undefined>(undefined);
  const work = useWork();
  return (
    <Section title={t("cold.exportImagesTitle")} end={<Steps n={2} />} about={t("cold.exportImagesAbout")}>
      <div class="stack">
        <Button
          busy={work.busy}
          onClick={() =>
            void work.run(async () =>
              setData(bytes((await live.wallet.rpc.exportKeyImagesData({ all: true })).key_images_data_hex)),
            )
          }
        >
          {t("cold.exportImages")}
        </Button>
        <Failed error={work.error} />
        {data && <HandOut kind="K" data={data} name={`${live.wallet.name}-key-images`} />}
      </div>
    </Section>
  );
}

/** Unsigned transactions: as text for the engine, and what they would do. */
interface Offer {
  set: string;
  what: readonly TxDescription[];
}

function Sign() {
  const { live } = useOpen();
  const [offer, setOffer] = useState<Offer | undefined>(undefined);
  const [made, setMade] = useState<{ from: Offer; data: Uint8Array } | undefined>(undefined);
  const work = useWork();
  const signed = made && made.from === offer ? made.data : undefined;
  return (
    <Section title={t("common.sign")} end={<Steps n={3} />} about={t("cold.signAbout")}>
      <div class="stack">
        <TakeIn
          kind="U"
          disabled={work.busy}
          onData={async (data) => {
            setOffer(undefined);
            const set = hex(data);
            setOffer({ set, what: (await live.wallet.rpc.describeTransfer({ unsigned_txset: set })).desc });
          }}
        />
        {offer && !signed && (
          <>
            <Described transactions={offer.what} />
            <Failed error={work.error} />
            <div class="row">
              <Button
                look="primary"
                busy={work.busy}
                onClick={() =>
                  void work.run(async () => {
                    const { signed_txset } = await live.wallet.rpc.signTransfer({ unsigned_txset: offer.set });
                    setMade({ from: offer, data: bytes(signed_txset) });
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
        {signed && (
          <>
            <Notice tone="good" title={t("common.signed")}>
              {t("cold.takeBack")}
            </Notice>
            <HandOut kind="S" data={signed} name="signed_monero_tx" />
          </>
        )}
      </div>
    </Section>
  );
}

function bytes(text: string): Uint8Array {
  const b = fromHex(text);
  if (!b) throw new Error("the engine did not return hexadecimal text");
  return b;
}
