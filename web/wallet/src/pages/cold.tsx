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
import { plural } from "../lib/progress.js";

/** The exchange between a view-only wallet and the cold wallet with the spend key. */
export function ColdSigning({ about }: { about: string }) {
  const live = useLive();
  return (
    <div class="stack loose">
      <Head
        title="Cold signing"
        about={
          live.kind.viewOnly
            ? "This wallet is view-only. Another one, on a device without a network, has the spend key and signs."
            : "This wallet signs. A view-only copy of it scans the chain on another device."
        }
      />
      {live.kind.multisig ? (
        <Notice>Multisig wallets exchange their data on the page Multisig.</Notice>
      ) : live.kind.viewOnly ? (
        <Watching submitFirst={about === "submit"} />
      ) : (
        <Signing />
      )}
    </div>
  );
}

function Steps({ n }: { n: number }) {
  return <span class="tag">Step {n}</span>;
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
      <Section
        title="Prepare a payment"
        end={<Steps n={3} />}
        about="Make it here, and take it to the signing wallet as a file or as QR codes."
      >
        <Button icon="send" onClick={() => router.go("send")}>
          Prepare a payment
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
      <Notice title="Make a view-only copy">
        On the other device, restore a wallet from keys: enter this wallet's first address and secret view key (from
        Settings, Seed and keys), and leave the spend key empty.
      </Notice>
    </>
  );
}

function ExportOutputs() {
  const { live } = useOpen();
  const [data, setData] = useState<Uint8Array | undefined>(undefined);
  const work = useWork();
  return (
    <Section
      title="Export the outputs"
      end={<Steps n={1} />}
      about="The signing wallet needs to know the outputs that can be spent."
    >
      <div class="stack">
        <Button
          busy={work.busy}
          onClick={() =>
            void work.run(async () =>
              setData(bytes((await live.wallet.rpc.exportOutputs({ all: true })).outputs_data_hex)),
            )
          }
        >
          Export outputs
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
    <Section
      title="Import the key images"
      end={<Steps n={2} />}
      about="They show which outputs are spent. Without them, the balance includes spent money."
    >
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
        <Notice tone="good" title="Key images imported">
          <Money value={result.unspent} /> not spent, <Money value={result.spent} /> spent.
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
    <Section title="Send the signed payment" end={<Steps n={4} />}>
      <TakeIn
        kind="S"
        onData={async (data) => {
          const { tx_hash_list } = await live.wallet.rpc.submitTransfer({ tx_data_hex: hex(data) });
          setTxids(tx_hash_list);
          live.touch();
          say("Sent");
        }}
      />
      {txids.map((txid) => (
        <Notice key={txid} tone="good" title="Sent">
          <Value text={txid} what="Transaction ID" />
        </Notice>
      ))}
    </Section>
  );
}

function ImportOutputs() {
  const { live } = useOpen();
  const [count, setCount] = useState<bigint | undefined>(undefined);
  return (
    <Section title="Import the outputs" end={<Steps n={1} />} about="From the view-only wallet.">
      <TakeIn
        kind="O"
        onData={async (data) => {
          setCount((await live.wallet.rpc.importOutputs({ outputs_data_hex: hex(data) })).num_imported);
          live.touch();
        }}
      />
      {count !== undefined && <Notice tone="good" title={`${plural(count, "output")} imported`} />}
    </Section>
  );
}

function ExportKeyImages() {
  const { live } = useOpen();
  const [data, setData] = useState<Uint8Array | undefined>(undefined);
  const work = useWork();
  return (
    <Section
      title="Export the key images"
      end={<Steps n={2} />}
      about="For the view-only wallet, so that it knows what is spent."
    >
      <div class="stack">
        <Button
          busy={work.busy}
          onClick={() =>
            void work.run(async () =>
              setData(bytes((await live.wallet.rpc.exportKeyImagesData({ all: true })).key_images_data_hex)),
            )
          }
        >
          Export key images
        </Button>
        <Failed error={work.error} />
        {data && <HandOut kind="K" data={data} name={`${live.wallet.name}-key-images`} />}
      </div>
    </Section>
  );
}

function Sign() {
  const { live } = useOpen();
  const [set, setSet] = useState("");
  const [what, setWhat] = useState<readonly TxDescription[] | undefined>(undefined);
  const [signed, setSigned] = useState<Uint8Array | undefined>(undefined);
  const work = useWork();
  const forget = (): void => {
    setSet("");
    setWhat(undefined);
    setSigned(undefined);
  };
  return (
    <Section title="Sign" end={<Steps n={3} />} about="You can check the payment before you sign it.">
      <div class="stack">
        <TakeIn
          kind="U"
          onData={async (data) => {
            forget();
            const text = hex(data);
            setWhat((await live.wallet.rpc.describeTransfer({ unsigned_txset: text })).desc);
            setSet(text);
          }}
        />
        {what && !signed && (
          <>
            <Described transactions={what} />
            <Failed error={work.error} />
            <div class="row">
              <Button
                look="primary"
                busy={work.busy}
                onClick={() =>
                  void work.run(async () =>
                    setSigned(bytes((await live.wallet.rpc.signTransfer({ unsigned_txset: set })).signed_txset)),
                  )
                }
              >
                Sign
              </Button>
              <Button onClick={forget}>Do not sign</Button>
            </div>
          </>
        )}
        {signed && (
          <>
            <Notice tone="good" title="Signed">
              Take it back to the view-only wallet, which sends it.
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
