/** A request of a site, and what accepting it does. */
import type { Preview, Wallet } from "glim";
import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { Address } from "../../wallet/src/components/address.js";
import { Button } from "../../wallet/src/components/button.js";
import { Making } from "../../wallet/src/components/making.js";
import { Money } from "../../wallet/src/components/money.js";
import { Failed, Notice } from "../../wallet/src/components/notice.js";
import { Fact, Facts } from "../../wallet/src/components/page.js";
import { ScanBar } from "../../wallet/src/components/sync.js";
import { format } from "../../wallet/src/lib/amount.js";
import { failure, plain, unsure, type Plain } from "../../wallet/src/lib/errors.js";
import { Scanning } from "../../wallet/src/lib/scanning.js";
import { engineOptions, type Settings } from "../../wallet/src/lib/settings.js";
import { Frame } from "./frame.js";
import { tellsAddress, type Grant, type Outcome, type Pending } from "./lib/site.js";
import { Part, useSeen } from "./seen.js";
import { t } from "../../wallet/src/lib/i18n.js";
import { NameWarnings } from "./warnings.js";

/**
 * How long all of a request is shown before it can be accepted, in milliseconds: a site could choose the moment and the
 * place of the user's next click.
 */
const reading = 1000;
/** After this time, in milliseconds, a hint says that there is more below. */
const hinting = 400;
/** The engine's error code if a wallet has too little money: core/walletrpc/errors.go. */
const tooLittle = -17;

interface Props {
  ask: Pending;
  grant: Grant | undefined;
  /** All connected sites. */
  grants: readonly Grant[];
  settings: Settings;
  wallet: Wallet;
  /** The name that the wallet is shown by. */
  walletName: string;
  onAnswer(outcome: Outcome, grant?: Grant): Promise<void>;
  onDecline(): void;
}

/** The complete request, and what accepting it does. */
export function Asked({ ask, grant, grants, settings, wallet, walletName, onAnswer, onDecline }: Props) {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<Plain | undefined>(undefined);
  const [Seen, all] = useSeen();
  const pay = ask.method === "pay";
  const scanning = useScanning(wallet);
  const behind = scanning?.behind ?? false;
  const preview = usePreview(ask, wallet, behind, setError);
  const complete = all && (!pay || preview !== undefined);
  const read = useAfter(reading, complete);
  const hint = useAfter(hinting, !complete && !error && (!pay || preview !== undefined));

  const yes = async (): Promise<void> => {
    setBusy(true);
    setError(undefined);
    try {
      const done = await accept(ask, grant, settings, wallet, preview);
      if ("title" in done) {
        setError(done);
        return setBusy(false);
      }
      await onAnswer(done.outcome, done.grant);
    } catch (e) {
      setError(pay ? unsure(e) : plain(e));
      setBusy(false);
    }
  };

  const p = ask.params;
  const amount = BigInt(p.amount ?? "0");
  const labels: Record<string, string> = {
    connect: t("asked.connect"),
    pay: t("asked.payAmount", { amount: format(amount) }),
    prove: t("asked.prove"),
    sign: t("common.sign"),
  };
  const answers = (
    <>
      {pay && behind && scanning && (
        <section aria-label={t("common.scanningTheChain")}>
          <ScanBar scanning={scanning} />
        </section>
      )}
      <Failed error={error} />
      {hint && (
        <p class="hint" role="status">
          {t("asked.scroll")}
        </p>
      )}
      <div class="answers">
        <Button disabled={busy} onClick={onDecline}>
          {t("common.decline")}
        </Button>
        <Button look="primary" block busy={busy} disabled={!read} onClick={() => void yes()}>
          {labels[ask.method] ?? t("asked.allow")}
        </Button>
      </div>
    </>
  );
  return (
    <Seen>
      <Frame
        origin={ask.origin}
        answers={answers}
        first={
          pay && <Price address={p.address ?? ""} amount={amount} preview={preview} failed={error !== undefined} />
        }
      >
        <NameWarnings origin={ask.origin} grants={grants} />
        <Details ask={ask} wallet={walletName} />
      </Frame>
    </Seen>
  );
}

/** Returns true once something has held for so many milliseconds. */
function useAfter(ms: number, holds: boolean): boolean {
  const [since, set] = useState(false);
  useEffect(() => {
    if (!holds) {
      set(false);
      return undefined;
    }
    const timer = setTimeout(() => set(true), ms);
    return () => clearTimeout(timer);
  }, [ms, holds]);
  return holds && since;
}

/** Returns how far a wallet has scanned the chain; undefined until its events say so. */
function useScanning(wallet: Wallet): Scanning | undefined {
  const [scanning, set] = useState<{ now: Scanning } | undefined>(undefined);
  useEffect(() => {
    const now = new Scanning(wallet, () => set({ now }));
    void wallet.rpc.getHeight().then(({ height }) => now.begin(Number(height)));
    return () => now.stop();
  }, [wallet]);
  return scanning?.now;
}

/**
 * Makes the transactions of a payment without sending them, for their fee. If that fails while the wallet is behind, it
 * is tried again once the wallet is in sync.
 */
function usePreview(
  ask: Pending,
  wallet: Wallet,
  behind: boolean,
  onError: (error: Plain | undefined) => void,
): Preview | undefined {
  const [preview, setPreview] = useState<Preview | undefined>(undefined);
  const [tries, again] = useState(0);
  const failed = useRef(false);
  useEffect(() => {
    if (!behind && failed.current) again((n) => n + 1);
  }, [behind]);
  useEffect(() => {
    if (ask.method !== "pay") return undefined;
    failed.current = false;
    onError(undefined);
    const gone = new AbortController();
    let made: Preview | undefined;
    wallet
      .send({ to: ask.params.address ?? "", amount: BigInt(ask.params.amount ?? "0") }, { signal: gone.signal })
      .then(
        (draft) => {
          made = draft;
          if (gone.signal.aborted) draft.discard();
          else setPreview(draft);
        },
        (e: unknown) => {
          if (gone.signal.aborted) return;
          failed.current = true;
          onError(unpayable(e));
        },
      );
    return () => {
      gone.abort();
      made?.discard();
    };
  }, [tries]);
  return preview;
}

/** Describes why a payment cannot be made. The user cannot change its amount. */
function unpayable(thrown: unknown): Plain {
  const words = plain(thrown);
  return failure(thrown).code === tooLittle ? { ...words, next: t("asked.tooLittle") } : words;
}

/** The amount, the recipient, the fee and the total of a payment, which stay in view. */
function Price({
  address,
  amount,
  preview,
  failed,
}: {
  address: string;
  amount: bigint;
  preview: Preview | undefined;
  failed: boolean;
}) {
  const made = (value: bigint | undefined): ComponentChildren =>
    value !== undefined ? (
      <Part>
        <Money value={value} />
      </Part>
    ) : failed ? (
      "\u2013"
    ) : (
      <Making />
    );
  return (
    <>
      <h1>{t("asked.payTitle")}</h1>
      <Part>
        <p class="price">
          <Money value={amount} />
        </p>
      </Part>
      <Facts>
        <Fact name={t("common.to")}>
          <Part>
            <Address text={address} />
          </Part>
        </Fact>
        <div class="sum">
          <dt>{t("common.fee")}</dt>
          <dd>{made(preview?.fee)}</dd>
        </div>
        <div class="sum total">
          <dt>{t("common.total")}</dt>
          <dd>{made(preview && preview.amount + preview.fee)}</dd>
        </div>
      </Facts>
    </>
  );
}

/** What a request says, except what a payment costs. */
function Details({ ask, wallet }: { ask: Pending; wallet: string }) {
  const p = ask.params;
  switch (ask.method) {
    case "connect":
      return (
        <Part>
          <div class="stack">
            <h1>{t("asked.connectTitle")}</h1>
            <p>{t("asked.connectAbout", { wallet })}</p>
          </div>
        </Part>
      );
    case "pay":
      return (
        <Part>
          <div class="stack">
            <Facts>
              {p.recipient && (
                <Fact name={t("asked.linkRecipient")}>
                  <span class="said">{p.recipient}</span>
                </Fact>
              )}
              {p.description && (
                <Fact name={t(p.recipient === undefined ? "asked.siteSays" : "asked.linkSays")}>
                  <span class="said">{p.description}</span>
                </Fact>
              )}
              <Fact name={t("common.from")}>{t("asked.walletNamed", { name: wallet })}</Fact>
            </Facts>
            <Notice icon="info">{t("asked.final")}</Notice>
          </div>
        </Part>
      );
    case "prove":
      return (
        <Part>
          <div class="stack">
            <h1>{t("asked.proveTitle")}</h1>
            <p>{t("asked.proveAbout")}</p>
            <section class="card">
              <Facts>
                <Fact name={t("common.transaction")}>
                  <span class="mono">{p.txid}</span>
                </Fact>
                <Fact name={t("asked.paidTo")}>
                  <Address text={p.address ?? ""} />
                </Fact>
                {p.message && (
                  <Fact name={t("common.message")}>
                    <span class="said">{p.message}</span>
                  </Fact>
                )}
              </Facts>
            </section>
          </div>
        </Part>
      );
    case "sign":
      return (
        <Part>
          <div class="stack">
            <h1>{t("asked.signTitle")}</h1>
            <p>{t("asked.signAbout")}</p>
            <section class="card">
              <p class="said">{p.message}</p>
            </section>
          </div>
        </Part>
      );
  }
  return null;
}

/** Does what a site asked for. Returns the outcome for the site, or why the user should decline instead. */
async function accept(
  ask: Pending,
  grant: Grant | undefined,
  settings: Settings,
  wallet: Wallet,
  preview: Preview | undefined,
): Promise<{ outcome: Outcome; grant?: Grant } | Plain> {
  const p = ask.params;
  switch (ask.method) {
    case "connect": {
      const made = await wallet.rpc.createAddress({ account_index: 0, label: new URL(ask.origin).host });
      const given: Grant = {
        origin: ask.origin,
        wallet: wallet.name,
        network: engineOptions(settings, "").network,
        address: made.address,
        account: 0,
        index: made.address_index,
        since: Date.now(),
      };
      return { outcome: { result: { address: given.address, network: given.network } }, grant: given };
    }
    case "pay": {
      if (!preview) throw new Error("the payment is not made yet");
      const txids = await preview.confirm();
      // The payment is sent: failing to store a note must not make it look failed.
      const note = [new URL(ask.origin).host, p.description].filter(Boolean).join(": ");
      await wallet.rpc.setTxNotes({ txids, notes: txids.map(() => note) }).catch(() => undefined);
      return { outcome: { result: { txids, amount: preview.amount.toString(), fee: preview.fee.toString() } } };
    }
    case "prove": {
      const { signature } = await wallet.rpc.getTxProof({
        txid: p.txid ?? "",
        address: p.address ?? "",
        message: p.message ?? "",
      });
      // The site learns only that the user rejected it.
      if (tellsAddress(signature, p.address ?? "", grant)) {
        return {
          title: t("asked.ownAddress"),
          next: t("asked.ownAddressAbout"),
          detail: "",
        };
      }
      return { outcome: { result: { signature } } };
    }
    case "sign": {
      const { signature } = await wallet.rpc.sign({
        data: p.message ?? "",
        account_index: grant?.account ?? 0,
        address_index: grant?.index ?? 0,
      });
      return { outcome: { result: { address: grant?.address, signature } } };
    }
  }
  throw new Error(`unknown method ${ask.method}`);
}
