import { useState } from "preact/hooks";
import { useApp, useWork } from "../lib/context.js";
import { embedded, type Network } from "../lib/engine.js";
import { health, healthWords, type Health } from "../lib/health.js";
import { nodeAddress, playing } from "../lib/settings.js";
import { Button } from "./button.js";
import { Check, PasswordField, SelectField, TextField } from "./field.js";
import { Failed, Notice } from "./notice.js";
import { Fact, Facts } from "./page.js";
import { Segments } from "./segments.js";

const networks: readonly (readonly [Network, string])[] = [
  ["mainnet", "Mainnet"],
  ["stagenet", "Stagenet"],
  ["testnet", "Testnet"],
  ["regtest", "Regtest"],
];

/** Where the chain comes from: a node of one's own choice, or the private chain in the page. */
export function NodeSettings({ onDone }: { onDone?: () => void }) {
  const { engine, settings, change } = useApp();
  const [kind, setKind] = useState<"node" | "play" | "none">(playing(settings) ? "play" : settings.node === "" ? "none" : "node");
  const [network, setNetwork] = useState<string>(settings.network);
  const [address, setAddress] = useState(playing(settings) ? "" : settings.node);
  const [user, setUser] = useState(settings.nodeUser);
  const [password, setPassword] = useState("");
  const [trusted, setTrusted] = useState(settings.trusted);
  const [result, setResult] = useState<Health | undefined>(undefined);
  const work = useWork();
  const trial = useWork();
  const parsed = nodeAddress(address);
  const node = kind === "play" ? embedded : kind === "none" ? "" : parsed;
  const wrong = kind === "node" && (node === undefined || node === "");
  const next = { network: network as Network, node: node ?? "", nodeUser: user, trusted };

  return (
    <form
      class="stack"
      onSubmit={(e) => {
        e.preventDefault();
        if (!wrong) void work.run(async () => {
          await change(next, password === "" ? undefined : password);
          onDone?.();
        });
      }}
    >
      <Segments
        label="Where the chain comes from"
        value={kind}
        onValue={(k) => {
          setKind(k);
          setResult(undefined);
        }}
        options={[
          ["node", "A node"],
          ["play", "Private chain"],
          ["none", "None"],
        ]}
      />
      {kind !== "play" && <SelectField label="Network" value={network} onValue={setNetwork} options={networks} />}
      {kind === "node" && (
        <>
          <TextField
            label="Address of the node"
            mono
            inputMode="url"
            value={address}
            onValue={(v) => {
              setAddress(v);
              setResult(undefined);
            }}
            placeholder="http://127.0.0.1:18081"
            error={wrong && address !== "" ? "Write it like https://node.example:18089" : undefined}
          />
          <details class="more">
            <summary>Login and trust</summary>
            <div class="stack">
              <TextField label="User name" optional value={user} onValue={setUser} />
              {user !== "" && <PasswordField label="Password of the node" hint="Kept in memory until this page closes." value={password} onValue={setPassword} />}
              <Check checked={trusted} onChecked={setTrusted}>
                This node is mine. It may learn which payments the wallet looks up.
              </Check>
            </div>
          </details>
          {result && <Result health={result} />}
          {/^https?:$/.test(location.protocol) && <Front node={parsed ?? ""} network={network as Network} />}
        </>
      )}
      {kind === "play" && <Notice title="A chain of your own, in this page">You mine it yourself. Its money is worth nothing, and it ends when the page is closed, with the wallets on it.</Notice>}
      {kind === "none" && <Notice title="Without a node">For a wallet that only signs. It reads nothing and sends nothing by itself.</Notice>}
      <p class="hint">With another node the engine starts anew, and an open wallet is locked. Each network has wallets of its own.</p>
      <Failed error={work.error} />
      <div class="row">
        <Button look="primary" type="submit" busy={work.busy} disabled={wrong}>
          Use this
        </Button>
        {kind === "node" && (
          <Button
            busy={trial.busy}
            disabled={wrong}
            onClick={() =>
              void trial.run(async (signal) => {
                setResult(await health({ ...settings, ...next }, engine, signal));
              })
            }
          >
            Try it
          </Button>
        )}
      </div>
    </form>
  );
}

/** What to do about a node that lets no web page read it: what this page runs on is in the command, so that it can be copied. */
function Front({ node, network }: { node: string; network: Network }) {
  const at = node.replace(/^https?:\/\//, "");
  const own = at === "" || /^(localhost|127\.|\[::1\])/.test(at);
  const flag = network === "mainnet" ? "" : ` --${network}`;
  const command = `glim daemon${flag} --bootstrap-daemon-address ${own ? "node.example:18089" : at} --rpc-bind-port 18091 --rpc-access-control-origins ${location.origin}`;
  return (
    <Notice title="Nodes and web pages">
      Browsers let a page read a node only when the node allows it with CORS headers. Most public nodes send none. In front of any node, on your own machine, this does; then use http://127.0.0.1:18091 here:
      <code class="code">{command}</code>
      A node of your own allows this page with --rpc-access-control-origins {location.origin}. For many people at once there is glim's gateway, at the edge of a network.
    </Notice>
  );
}

/** How a node is, in full. */
export function Result({ health: h }: { health: Health }) {
  const words = healthWords[h.state];
  return (
    <div class="stack tight">
      <Notice tone={words.tone} title={words.title}>
        {words.next}
      </Notice>
      {h.height > 0 && (
        <Facts>
          <Fact name="Height">
            <span class="num">
              {h.height.toLocaleString("en")}
              {h.target > h.height && ` of ${h.target.toLocaleString("en")}`}
            </span>
          </Fact>
          <Fact name="Network">{h.network === "fakechain" ? "regtest" : h.network}</Fact>
          {h.version !== "" && <Fact name="Version">{h.version}</Fact>}
          <Fact name="Answers within">
            <span class="num">{h.latency} ms</span>
          </Fact>
        </Facts>
      )}
    </div>
  );
}
