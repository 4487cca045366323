import { explain, stateWords, type Health } from "../lib/health.js";
import { Button } from "./button.js";
import { Notice } from "./notice.js";

interface Props {
  /** The nodes of the list for the chosen network. */
  addresses: readonly string[];
  /** The state of the nodes; undefined if the wallet does not use them yet. */
  health: Health | undefined;
  onAgain(): void;
}

const bare = (address: string): string => address.replace(/^https:\/\//, "");

/** What a public node can see, and which of them the wallet uses. */
export function PublicList({ addresses, health: h, onAgain }: Props) {
  const { first = "", second = "", nodes = [] } = h?.nodes ?? {};
  const known = new Map(nodes.map((n) => [n.address, n]));
  const order = [...new Set([first, second, ...addresses])].filter((a) => a !== "");
  const words = h && explain(h);
  return (
    <div class="stack tight">
      <Notice title="What a public node can see">
        Your network address, when you use the wallet, how much of the chain it reads, and the payments that you send.
        It does not see your keys, your balance or where your payments come from, and it cannot spend your money. It
        could hide payments that you receive. Therefore the wallet asks a second node to confirm the latest block and
        the fees. If you use your own node, only you can see any of this.
      </Notice>
      {words && h.state !== "good" && (
        <Notice tone={words.tone} title={words.title}>
          {words.next}
        </Notice>
      )}
      {h?.state === "good" && second === "" && (
        <Notice tone="warn" title="Only one node can be used">
          No second node confirms what it says.
        </Notice>
      )}
      {addresses.length === 0 && <p class="muted">There is no list for this network.</p>}
      <ul class="list" aria-label="Public nodes">
        {order.map((address) => {
          const node = known.get(address);
          const good = node?.state === "good";
          const role = address === first ? "In use" : address === second ? "Confirms" : "";
          const text = node ? stateWords[node.state] : "Not asked yet";
          return (
            <li class="item" key={address}>
              <span
                class={`dot ${good ? "good" : !node || node.state === "unasked" ? "" : "bad"}`}
                aria-hidden="true"
              />
              <span class="grow">
                <span class="title wrap" style={{ overflowWrap: "anywhere" }}>
                  {bare(address)}
                </span>
                <span class="sub wrap">
                  {good ? `Height ${node.height.toLocaleString("en")}, ${node.latency} ms` : text}
                </span>
              </span>
              {role !== "" && <span class="small strong">{role}</span>}
            </li>
          );
        })}
      </ul>
      {h && (
        <p>
          <Button small onClick={onAgain}>
            Ask all of them again
          </Button>
        </p>
      )}
    </div>
  );
}
