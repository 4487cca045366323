import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { ChooseNodeContext, useApp, useAsked, useWork } from "../lib/context.js";
import { embedded, type Network } from "../lib/engine.js";
import { explain, health, type Health } from "../lib/health.js";
import { listed } from "../lib/node-list.js";
import { defaults, keep, nodeAddress, playing, sendingAddress, usesPublic } from "../lib/settings.js";
import { Button } from "./button.js";
import { Dialog } from "./dialog.js";
import { Check, PasswordField, SelectField, TextField } from "./field.js";
import { useHealth } from "./node.js";
import { Failed, Notice } from "./notice.js";
import { Fact, Facts } from "./page.js";
import { PublicList } from "./public-list.js";
import { Segments } from "./segments.js";
import { number, t, withUnit } from "../lib/i18n.js";

const networks = (): readonly (readonly [Network, string])[] => [
  ["mainnet", t("network.mainnet")],
  ["stagenet", t("network.stagenet")],
  ["testnet", t("network.testnet")],
  ["regtest", t("network.regtest")],
];

/** Opens the node settings from anywhere inside, see ChooseNodeContext. */
export function NodeChooser({ children }: { children: ComponentChildren }) {
  const [open, show] = useState(false);
  return (
    <ChooseNodeContext.Provider value={() => show(true)}>
      {children}
      {open && (
        <Dialog title={t("common.node")} onClose={() => show(false)}>
          <ChooseNodeContext.Provider value={undefined}>
            <NodeSettings onDone={() => show(false)} />
          </ChooseNodeContext.Provider>
        </Dialog>
      )}
    </ChooseNodeContext.Provider>
  );
}

/** Chooses one's own node, public nodes, or the private chain in the page. */
export function NodeSettings({ onDone }: { onDone?: () => void }) {
  return useApp().demo ? (
    <Notice title={t("demo.ownChain")}>{t("demo.ownChainAbout")}</Notice>
  ) : (
    <NodeForm {...(onDone && { onDone })} />
  );
}

function NodeForm({ onDone }: { onDone?: () => void }) {
  const { engine, platform, settings, change } = useApp();
  const watched = useHealth();
  const [kind, setKind] = useState<"node" | "public" | "play" | "none">(
    playing(settings) ? "play" : usesPublic(settings) ? "public" : settings.node === "" ? "none" : "node",
  );
  const lists = useAsked(() => platform.nodeLists(), [platform]);
  const [network, setNetwork] = useState<string>(settings.network);
  const [address, setAddress] = useState(playing(settings) ? "" : settings.node);
  const [user, setUser] = useState(settings.nodeUser);
  const [password, setPassword] = useState("");
  const [trusted, setTrusted] = useState(settings.trusted);
  const [sending, setSending] = useState(settings.sending);
  const [tested, setTested] = useState<{ node: string; health: Health } | undefined>(undefined);
  const work = useWork();
  const trial = useWork();
  const parsed = nodeAddress(address);
  const node = kind === "play" ? embedded : kind === "none" ? "" : kind === "public" ? settings.node : parsed;
  const second = kind === "node" || kind === "public" ? sendingAddress(sending) : settings.sending;
  const same = kind === "node" && second !== "" && second === node;
  const wrong = (kind === "node" && (node === undefined || node === "")) || second === undefined || same;
  const next = {
    network: network as Network,
    public: kind === "public",
    node: kind === "public" && playing(settings) ? defaults.node : (node ?? ""),
    nodeUser: user,
    trusted,
    sending: second ?? "",
  };
  /** What a test is about: its result is shown only for what is entered. */
  const about = JSON.stringify([next, password]);
  const result = tested?.node === about ? tested.health : undefined;
  const list = listed(lists.data?.[network as Network]);
  /** Asks for access to the nodes. The browser wants this to happen while an event of the user is handled. */
  const allow = async (): Promise<void> => {
    const read = kind === "public" ? list : kind === "node" && node ? [node] : [];
    const wanted = [...read, ...(second && read.length > 0 ? [second] : [])];
    if (wanted.length > 0) await platform.allow?.(wanted);
  };

  return (
    <form
      class="stack"
      onSubmit={(e) => {
        e.preventDefault();
        if (wrong) return;
        // A popup closes when the browser asks for access, so the settings are stored before. The engine uses them when
        // it starts next, which is at the end of this, or when the popup is opened again.
        const stored = keep(platform, { ...settings, ...next });
        const allowed = allow();
        void work.run(async () => {
          await stored;
          await allowed;
          // The engine uses a node that was just allowed once it starts again.
          const restart = kind === "public" && platform.allow !== undefined;
          await change(next, password === "" ? undefined : password, restart);
          onDone?.();
        });
      }}
    >
      <Segments
        label={t("nodeSettings.source")}
        value={kind}
        onValue={setKind}
        options={[
          ["node", t("nodeSettings.myOwn")],
          ...(platform.desktop
            ? []
            : ([
                ["public", t("nodeSettings.public")],
                ["play", t("common.privateChain")],
              ] as const)),
          ["none", t("common.none")],
        ]}
      />
      {kind !== "play" && !platform.desktop && (
        <SelectField label={t("nodeSettings.network")} value={network} onValue={setNetwork} options={networks()} />
      )}
      {kind === "node" && (
        <>
          <TextField
            label={t("nodeSettings.address")}
            mono
            inputMode="url"
            value={address}
            onValue={setAddress}
            placeholder="http://127.0.0.1:18081"
            error={(node === undefined || node === "") && address !== "" ? t("nodeSettings.addressLike") : undefined}
          />
          <details class="more">
            <summary>{t("nodeSettings.loginAndTrust")}</summary>
            <div class="stack">
              <TextField label={t("nodeSettings.userName")} optional value={user} onValue={setUser} />
              {user !== "" && (
                <PasswordField
                  label={t("nodeSettings.password")}
                  hint={t("nodeSettings.passwordKept")}
                  value={password}
                  onValue={setPassword}
                />
              )}
              <Check checked={trusted} onChecked={setTrusted}>
                {t("nodeSettings.trusted")}
              </Check>
            </div>
          </details>
          <Sending value={sending} onValue={setSending} invalid={second === undefined} same={same} />
          {result && <Result health={result} />}
          {/^https?:$/.test(location.protocol) && !platform.desktop && (
            <Front node={parsed ?? ""} network={network as Network} />
          )}
        </>
      )}
      {kind === "public" && (
        <>
          <PublicList
            addresses={list}
            health={usesPublic(settings) && settings.network === network ? watched.health : undefined}
            onAgain={watched.again}
          />
          <Sending value={sending} onValue={setSending} invalid={second === undefined} same={false} />
        </>
      )}
      {kind === "play" && <Notice title={t("nodeSettings.ownChainTitle")}>{t("nodeSettings.ownChain")}</Notice>}
      {kind === "none" && <Notice title={t("nodeSettings.noNodeTitle")}>{t("nodeSettings.noNode")}</Notice>}
      <p class="hint">{t("nodeSettings.locks")}</p>
      <Failed error={work.error} />
      <div class="row">
        <Button look="primary" type="submit" busy={work.busy} disabled={wrong}>
          {t("common.save")}
        </Button>
        {kind === "node" && (
          <Button
            busy={trial.busy}
            disabled={wrong}
            onClick={() => {
              const allowed = allow();
              void trial.run(async (signal) => {
                await allowed;
                setTested({
                  node: about,
                  health: await health({ ...settings, ...next }, { engine, platform, signal }),
                });
              });
            }}
          >
            {t("nodeSettings.test")}
          </Button>
        )}
      </div>
    </form>
  );
}

/** The node that receives the transactions, apart from the one that is read. */
function Sending({
  value,
  onValue,
  invalid,
  same,
}: {
  value: string;
  onValue: (text: string) => void;
  invalid: boolean;
  same: boolean;
}) {
  const [open] = useState(value !== ""); // the user opens and closes it from then on
  return (
    <details class="more" open={open}>
      <summary>{t("nodeSettings.sendingElsewhere")}</summary>
      <TextField
        label={t("nodeSettings.sending")}
        optional
        mono
        inputMode="url"
        value={value}
        onValue={onValue}
        placeholder="https://node.example:18089"
        hint={t("nodeSettings.sendingHint")}
        error={invalid ? t("nodeSettings.addressLike") : same ? t("nodeSettings.sendingSame") : undefined}
      />
    </details>
  );
}

/**
 * What to do about a node that does not allow web pages to read it. The command contains this page's settings, ready to
 * be copied.
 */
function Front({ node, network }: { node: string; network: Network }) {
  const at = node.replace(/^https?:\/\//, "");
  const own = at === "" || /^(localhost|127\.|\[::1\])/.test(at);
  const flag = network === "mainnet" ? "" : ` --${network}`;
  const command = [
    `glim daemon${flag}`,
    `--bootstrap-daemon-address ${own ? "node.example:18089" : at}`,
    "--rpc-bind-port 18091",
    `--rpc-access-control-origins ${location.origin}`,
  ].join(" ");
  return (
    <Notice title={t("nodeSettings.frontTitle")}>
      {t("nodeSettings.frontRun", { address: "http://127.0.0.1:18091" })}
      <code class="code">{command}</code>
      {t("nodeSettings.frontOwn", { option: `--rpc-access-control-origins ${location.origin}` })}
    </Notice>
  );
}

/** The complete result of a check of a node. */
export function Result({ health: h }: { health: Health }) {
  const words = explain(h);
  return (
    <div class="stack tight">
      <Notice tone={words.tone} title={words.title}>
        {words.next}
      </Notice>
      {h.height > 0 && (
        <Facts>
          <Fact name={t("nodeSettings.height")}>
            <span class="num">
              {h.target > h.height ? t("common.someOf", { some: h.height, all: h.target }) : number(h.height)}
            </span>
          </Fact>
          <Fact name={t("nodeSettings.network")}>{h.network === "fakechain" ? "regtest" : h.network}</Fact>
          {h.version !== "" && <Fact name={t("nodeSettings.version")}>{h.version}</Fact>}
          <Fact name={t("nodeSettings.responseTime")}>
            <span class="num">{withUnit(h.latency, "millisecond")}</span>
          </Fact>
        </Facts>
      )}
    </div>
  );
}
