/** The extension's own window in which a person answers what a site asked. */
import { Glim, type Preview, type Wallet } from "glim";
import { render, type ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import "./styles.js";
import { Address } from "../../wallet/src/components/address.js";
import { Button } from "../../wallet/src/components/button.js";
import { PasswordField, SelectField } from "../../wallet/src/components/field.js";
import { Brand } from "../../wallet/src/components/icon.js";
import { Making } from "../../wallet/src/components/making.js";
import { Money } from "../../wallet/src/components/money.js";
import { Failed, Notice } from "../../wallet/src/components/notice.js";
import { Fact, Facts } from "../../wallet/src/components/page.js";
import { plain, unsure, type Plain } from "../../wallet/src/lib/errors.js";
import { engineOptions, load, type Settings } from "../../wallet/src/lib/settings.js";
import { Code, tellsAddress, type Grant, type Outcome, type Pending } from "./lib/site.js";
import { extensionPage } from "./lib/platform.js";
import { sites } from "./lib/sites.js";
import { engineThread } from "./lib/thread.js";

const id = location.hash.slice(1);

/** All there is to know before a person is asked. */
interface Question {
  ask: Pending;
  grant: Grant | undefined;
  engine: Glim;
  settings: Settings;
  /** Names a person may choose from: the site's wallet, once it has one. */
  names: string[];
}

async function question(): Promise<Question> {
  const ask = (await chrome.runtime.sendMessage({ type: "pending", id })) as Pending | undefined;
  if (ask === undefined || ask.outcome !== undefined) throw new Error("This question has been answered already.");
  const settings = await load(extensionPage("popup"));
  const engine = await Glim.start({ ...engineOptions(settings, ""), rest: false, thread: await engineThread() });
  const grant = await sites.of(ask.origin);
  const all = await engine.wallets();
  return { ask, grant, engine, settings, names: grant === undefined ? all : all.filter((n) => n === grant.wallet) };
}

async function answer(outcome: Outcome, grant?: Grant): Promise<void> {
  await chrome.runtime.sendMessage({ type: "outcome", id, outcome, ...(grant && { grant }) });
  window.close();
}

const decline = (): Promise<void> => answer({ error: { code: Code.Rejected, message: "the person said no" } });

function Consent() {
  const [q, setQuestion] = useState<Question | undefined>(undefined);
  const [wallet, setWallet] = useState<Wallet | undefined>(undefined);
  const [error, setError] = useState<Plain | undefined>(undefined);
  useEffect(() => {
    void question().then(
      async (found) => {
        const name = found.grant?.wallet ?? found.settings.last;
        setWallet(name === "" ? undefined : await found.engine.attach(name));
        setQuestion(found);
      },
      (e: unknown) => setError(plain(e)),
    );
  }, []);
  if (error) return <Frame><Failed error={error} /></Frame>;
  if (!q) return <Frame><p class="row muted" role="status"><span class="spinner" aria-hidden="true" /> One moment</p></Frame>;
  return (
    <Frame origin={q.ask.origin}>
      {!wallet ? <Unlock question={q} onOpen={setWallet} /> : <Asked question={q} wallet={wallet} />}
    </Frame>
  );
}

function Frame({ origin, children }: { origin?: string; children: ComponentChildren }) {
  return (
    <div class="gate">
      <header>
        <Brand />
      </header>
      <main class="stack">
        {origin && (
          <p class="strong" data-origin>
            {origin}
          </p>
        )}
        {children}
      </main>
    </div>
  );
}

function Unlock({ question: { names, engine, settings }, onOpen }: { question: Question; onOpen(w: Wallet): void }) {
  const [name, setName] = useState(names.includes(settings.last) ? settings.last : (names[0] ?? ""));
  const [password, setPassword] = useState("");
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<Plain | undefined>(undefined);
  if (names.length === 0) {
    return (
      <>
        <Notice tone="warn" title="There is no wallet to ask">Make or restore one in glim first, on the network that your settings name.</Notice>
        <Button block onClick={() => void decline()}>
          Close
        </Button>
      </>
    );
  }
  const open = async (e: Event): Promise<void> => {
    e.preventDefault();
    setBusy(true);
    setError(undefined);
    try {
      onOpen(await engine.open(name, password));
    } catch (e) {
      setError(plain(e));
      setBusy(false);
    } finally {
      setPassword("");
    }
  };
  return (
    <form class="stack" onSubmit={(e) => void open(e)}>
      <p>This site has a question. Unlock your wallet to read it.</p>
      {names.length > 1 && <SelectField label="Wallet" value={name} onValue={setName} options={names.map((n) => [n, n])} />}
      <PasswordField label={`Password of ${name}`} value={password} onValue={setPassword} autoFocus />
      <Failed error={error} />
      <Button look="primary" block type="submit" icon="lock" busy={busy}>
        Unlock
      </Button>
      <Button block onClick={() => void decline()}>
        Decline
      </Button>
    </form>
  );
}

/** Both answers are in sight, however long the question. */
const answers = { position: "sticky", bottom: 0, display: "grid", gridTemplateColumns: "1fr 1fr", gap: "12px", padding: "12px 0", background: "var(--bg)" } as const;

/** How long a question stands there until it can be said yes to, in milliseconds: sites choose when it comes, and where a person is about to click then. */
const reading = 1000;

/** What is asked, in full, and what a yes does. */
function Asked({ question: { ask, grant, settings }, wallet }: { question: Question; wallet: Wallet }) {
  const [preview, setPreview] = useState<Preview | undefined>(undefined);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<Plain | undefined>(undefined);
  const [read, setRead] = useState(false);
  const p = ask.params;
  useEffect(() => {
    const shown = setTimeout(() => setRead(true), reading);
    return () => clearTimeout(shown);
  }, []);
  useEffect(() => {
    if (ask.method !== "pay") return undefined;
    const gone = new AbortController();
    let made: Preview | undefined;
    wallet.send({ to: p.address ?? "", amount: BigInt(p.amount ?? "0") }, { signal: gone.signal }).then(
      (draft) => {
        made = draft;
        if (gone.signal.aborted) draft.discard();
        else setPreview(draft);
      },
      (e: unknown) => gone.signal.aborted || setError(plain(e)),
    );
    return () => {
      gone.abort();
      made?.discard();
    };
  }, []);

  const yes = async (): Promise<void> => {
    setBusy(true);
    setError(undefined);
    try {
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
          return await answer({ result: { address: given.address, network: given.network } }, given);
        }
        case "pay": {
          if (!preview) return;
          const txids = await preview.confirm();
          // What is sent is sent: a note that is not kept is no failure of it.
          const note = [new URL(ask.origin).host, p.description].filter(Boolean).join(": ");
          await wallet.rpc.setTxNotes({ txids, notes: txids.map(() => note) }).catch(() => undefined);
          return await answer({ result: { txids, amount: preview.amount.toString(), fee: preview.fee.toString() } });
        }
        case "prove": {
          const { signature } = await wallet.rpc.getTxProof({ txid: p.txid ?? "", address: p.address ?? "", message: p.message ?? "" });
          // The site hears of a no and nothing else.
          if (tellsAddress(signature, p.address ?? "", grant)) {
            setError({ title: "That address is your own", next: "This site was not given it, and the proof would say that it is yours. Decline.", detail: "" });
            return setBusy(false);
          }
          return await answer({ result: { signature } });
        }
        case "sign": {
          const { signature } = await wallet.rpc.sign({ data: p.message ?? "", account_index: grant?.account ?? 0, address_index: grant?.index ?? 0 });
          return await answer({ result: { address: grant?.address, signature } });
        }
      }
    } catch (e) {
      setError(ask.method === "pay" ? unsure(e) : plain(e));
      setBusy(false);
    }
  };

  return (
    <>
      {ask.method === "connect" && (
        <>
          <h1>Connect this site?</h1>
          <p>It gets a new subaddress of the wallet {wallet.name}, made for it alone. It sees no balance, no history and no other address.</p>
        </>
      )}
      {ask.method === "pay" && (
        <>
          <h1>Pay?</h1>
          <section class="card">
            <Facts>
              {p.description && <Fact name="The site says">{p.description}</Fact>}
              <Fact name="From">the wallet {wallet.name}</Fact>
              <Fact name="To">
                <Address text={p.address ?? ""} />
              </Fact>
              <Fact name="Amount">
                <Money value={BigInt(p.amount ?? "0")} />
              </Fact>
              <Fact name="Fee">{preview ? <Money value={preview.fee} /> : error ? "\u2013" : <Making />}</Fact>
              <Fact name="Total" total>
                {preview ? <Money value={preview.amount + preview.fee} /> : "\u2013"}
              </Fact>
            </Facts>
          </section>
          <Notice icon="info">A payment cannot be taken back.</Notice>
        </>
      )}
      {ask.method === "prove" && (
        <>
          <h1>Prove a payment?</h1>
          <p>The site learns that you made this payment, and what it paid that address.</p>
          <section class="card">
            <Facts>
              <Fact name="Transaction">
                <span class="mono">{p.txid}</span>
              </Fact>
              <Fact name="Paid to">
                <Address text={p.address ?? ""} />
              </Fact>
              {p.message && <Fact name="Message">{p.message}</Fact>}
            </Facts>
          </section>
        </>
      )}
      {ask.method === "sign" && (
        <>
          <h1>Sign a message?</h1>
          <p>With the keys of the subaddress that this site knows.</p>
          <section class="card">
            <p style={{ whiteSpace: "pre-wrap", overflowWrap: "anywhere" }}>{p.message}</p>
          </section>
        </>
      )}
      <Failed error={error} />
      <div style={answers}>
        <Button block disabled={busy} onClick={() => void decline()}>
          Decline
        </Button>
        <Button look="primary" block busy={busy} disabled={!read || (ask.method === "pay" && !preview)} onClick={() => void yes()}>
          {{ connect: "Connect", pay: "Pay now", prove: "Prove it", sign: "Sign" }[ask.method as string] ?? "Allow"}
        </Button>
      </div>
    </>
  );
}

render(<Consent />, document.getElementById("app") ?? document.body);
