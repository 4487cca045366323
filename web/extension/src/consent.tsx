/** The extension's window in which the user answers a request of a site. */
import { Glim, type Wallet } from "glim";
import { render } from "preact";
import { useEffect, useState } from "preact/hooks";
import "./styles.js";
import "./consent.css";
import { Button } from "../../wallet/src/components/button.js";
import { PasswordField, SelectField } from "../../wallet/src/components/field.js";
import { Form } from "../../wallet/src/components/form.js";
import { Failed, Notice } from "../../wallet/src/components/notice.js";
import { plain, Told, type Plain } from "../../wallet/src/lib/errors.js";
import { loadNames, nameOfOpen, shownName } from "../../wallet/src/lib/names.js";
import { testNetwork } from "../../wallet/src/lib/network.js";
import { engineOptions, load, type Settings } from "../../wallet/src/lib/settings.js";
import { Asked } from "./asked.js";
import { Frame, NetworkContext } from "./frame.js";
import { belongs, networkOf } from "./lib/address.js";
import { extensionPage } from "./lib/platform.js";
import { Code, type Grant, type Outcome, type Pending } from "./lib/site.js";
import { sites } from "./lib/sites.js";
import { engineThread } from "./lib/thread.js";
import { speak, t } from "../../wallet/src/lib/i18n.js";
import { LinkAmount, LinkPaid, UnusableLink } from "./link.js";

const id = location.hash.slice(1);

/** What must be known before the user is asked. */
interface Question {
  ask: Pending;
  grant: Grant | undefined;
  /** All connected sites. */
  grants: readonly Grant[];
  engine: Glim;
  settings: Settings;
  /** The file names of the wallets to choose from; once the site is connected, only its wallet. */
  files: string[];
  /** The name that a wallet is shown by, as in the wallet itself. */
  nameOf(file: string): string;
  /** Returns an open wallet with the name that it is shown by. */
  named(wallet: Wallet): Promise<Opened>;
  /** The wallet to answer with, if it is open. */
  opened: Opened | undefined;
}

/** An open wallet, and the name that it is shown by. */
interface Opened {
  wallet: Wallet;
  name: string;
}

async function question(): Promise<Question> {
  const platform = extensionPage("popup");
  const settings = await load(platform);
  await speak(settings.language);
  const ask = (await chrome.runtime.sendMessage({ type: "pending", id })) as Pending | undefined;
  if (ask === undefined || ask.outcome !== undefined) throw new Told(t("consent.alreadyAnswered"));
  const options = engineOptions(settings, "");
  const engine = await Glim.start({ ...options, rest: false, thread: await engineThread() });
  const grants = await sites.all();
  // A payment link is the user's own matter: any wallet may pay it, whether or not the site is connected.
  const grant = ask.method === "link" ? undefined : grants.find((g) => g.origin === ask.origin);
  const all = await engine.wallets();
  const files = grant === undefined ? all : all.filter((n) => n === grant.wallet);
  const names = await loadNames(platform);
  const named = async (wallet: Wallet): Promise<Opened> => ({
    wallet,
    name: await nameOfOpen(names, options.database, wallet),
  });
  const file = grant?.wallet ?? settings.last;
  const wallet = file === "" ? undefined : await engine.attach(file);
  return {
    ask,
    grant,
    grants,
    engine,
    settings,
    files,
    nameOf: (file) => shownName(names, options.database, file),
    named,
    opened: wallet && (await named(wallet)),
  };
}

const tell = (outcome: Outcome, grant?: Grant): Promise<unknown> =>
  chrome.runtime.sendMessage({ type: "outcome", id, outcome, ...(grant && { grant }) });

async function answer(outcome: Outcome, grant?: Grant): Promise<void> {
  await tell(outcome, grant);
  window.close();
}

const decline = (): void => void answer({ error: { code: Code.Rejected, message: "the user rejected the request" } });

function Consent() {
  const [q, setQuestion] = useState<Question | undefined>(undefined);
  const [error, setError] = useState<Plain | undefined>(undefined);
  useEffect(() => {
    void question().then(setQuestion, (e: unknown) => setError(plain(e)));
  }, []);
  if (error)
    return (
      <Frame>
        <Failed error={error} />
      </Frame>
    );
  if (!q)
    return (
      <Frame>
        <p class="row muted" role="status">
          <span class="spinner" aria-hidden="true" /> {t("consent.oneMoment")}
        </p>
      </Frame>
    );
  return (
    <NetworkContext.Provider value={testNetwork(q.settings)}>
      <Request question={q} />
    </NetworkContext.Provider>
  );
}

/** The request, after what it needs: a wallet that is open, and the amount of a payment. */
function Request({ question: q }: { question: Question }) {
  const [opened, setOpened] = useState(q.opened);
  const [amount, setAmount] = useState<bigint | undefined>(undefined);
  const [paid, setPaid] = useState<readonly string[] | undefined>(undefined);
  const { ask, grant, grants, settings } = q;
  const { origin } = ask;
  if (paid) return <LinkPaid origin={origin} txids={paid} />;
  if (!opened) {
    const named = async (wallet: Wallet): Promise<void> => setOpened(await q.named(wallet));
    return q.files.length === 0 ? <NoWallet question={q} /> : <Unlock question={q} onOpen={named} />;
  }
  if (ask.method === "link") {
    const { network } = engineOptions(settings, "");
    const of = networkOf(ask.params.address ?? "");
    if (of === undefined) return <UnusableLink origin={origin} onDecline={decline} />;
    if (!belongs(of, network))
      return <UnusableLink origin={origin} onDecline={decline} network={t(`network.${network}`)} />;
    if (amount === undefined && !ask.params.amount)
      return <LinkAmount origin={origin} onDecline={decline} onAmount={setAmount} />;
  }
  return (
    <Asked
      ask={ask.method === "link" ? payment(ask, amount) : ask}
      grant={grant}
      grants={grants}
      settings={settings}
      wallet={opened.wallet}
      walletName={opened.name}
      onAnswer={async (outcome, given) => {
        if (ask.method !== "link" || !("result" in outcome)) return answer(outcome, given);
        setPaid((outcome.result as { txids: string[] }).txids);
        await tell(outcome);
      }}
      onDecline={decline}
    />
  );
}

/** Returns a payment link as a request to pay; amount is the user's if the link has none. */
function payment(link: Pending, amount: bigint | undefined): Pending {
  return {
    ...link,
    method: "pay",
    params: { ...link.params, amount: link.params.amount || (amount ?? 0n).toString() },
  };
}

/**
 * There is no wallet to answer with. The window goes on by itself once the user has made one, and otherwise does not
 * tell the site that the user rejected its request.
 */
function NoWallet({ question: { ask, grant, nameOf } }: { question: Question }) {
  useEffect(() => {
    // The settings name the wallet that was opened last, so opening one changes them.
    const changed = (): void => location.reload();
    chrome.storage.local.onChanged.addListener(changed);
    return () => chrome.storage.local.onChanged.removeListener(changed);
  }, []);
  const close = (): void =>
    void answer({ error: { code: Code.Disconnected, message: "the user has no wallet to answer with yet" } });
  const go = (page: string): void => void chrome.tabs.create({ url: chrome.runtime.getURL(page) });
  const answers = (
    <div class="answers">
      <Button onClick={close}>{t("consent.notNow")}</Button>
      {grant === undefined ? (
        <Button look="primary" block onClick={() => go("page.html")}>
          {t("consent.setUpWallet")}
        </Button>
      ) : (
        <Button look="primary" block onClick={() => go("sites.html")}>
          {t("common.connectedSites")}
        </Button>
      )}
    </div>
  );
  return (
    <Frame origin={ask.origin} answers={answers}>
      {grant === undefined ? (
        <>
          <h1>{t("consent.noWalletYet")}</h1>
          <p>{t(ask.method === "link" ? "link.makeFirst" : "consent.makeFirst")}</p>
          <Notice>{t("consent.otherNetworks")}</Notice>
        </>
      ) : (
        <>
          <h1>{t("consent.walletMissingTitle")}</h1>
          <p>{t("consent.walletMissing", { wallet: nameOf(grant.wallet), network: t(`network.${grant.network}`) })}</p>
        </>
      )}
    </Frame>
  );
}

function Unlock({
  question: { ask, files, nameOf, engine, settings },
  onOpen,
}: {
  question: Question;
  onOpen(w: Wallet): Promise<void>;
}) {
  const [name, setName] = useState(files.includes(settings.last) ? settings.last : (files[0] ?? ""));
  const [password, setPassword] = useState("");
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<Plain | undefined>(undefined);
  const open = async (e: Event): Promise<void> => {
    e.preventDefault();
    setBusy(true);
    setError(undefined);
    try {
      await onOpen(await engine.open(name, password));
    } catch (e) {
      setError(plain(e));
      setBusy(false);
    } finally {
      setPassword("");
    }
  };
  const answers = (
    <>
      <Failed error={error} />
      <div class="answers">
        <Button onClick={decline}>{t("common.decline")}</Button>
        <Button look="primary" block type="submit" form="unlock" icon="lock" busy={busy}>
          {t("common.unlock")}
        </Button>
      </div>
    </>
  );
  return (
    <Frame origin={ask.origin} answers={answers}>
      <Form busy={busy} id="unlock" class="stack" onSubmit={(e) => void open(e)}>
        <h1>{t("common.unlock")}</h1>
        <p>{t(ask.method === "link" ? "link.unlockFirst" : "consent.unlockFirst")}</p>
        {files.length > 1 && (
          <SelectField
            label={t("common.wallet")}
            value={name}
            onValue={setName}
            options={files.map((file) => [file, nameOf(file)])}
          />
        )}
        <PasswordField
          label={t("consent.passwordOf", { name: nameOf(name) })}
          value={password}
          onValue={setPassword}
          failed={error}
          autoFocus
        />
      </Form>
    </Frame>
  );
}

render(<Consent />, document.getElementById("app") ?? document.body);
