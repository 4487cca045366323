import { explain, stateWords, type Health } from "../lib/health.js";
import { Button } from "./button.js";
import { Notice } from "./notice.js";
import { t, withUnit } from "../lib/i18n.js";

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
      <Notice title={t("publicList.aboutTitle")}>{t("publicList.about")}</Notice>
      {words && h.state !== "good" && (
        <Notice tone={words.tone} title={words.title}>
          {words.next}
        </Notice>
      )}
      {h?.state === "good" && second === "" && (
        <Notice tone="warn" title={t("publicList.onlyOneTitle")}>
          {t("publicList.onlyOne")}
        </Notice>
      )}
      {addresses.length === 0 && <p class="muted">{t("publicList.empty")}</p>}
      <ul class="list" aria-label={t("common.publicNodes")}>
        {order.map((address) => {
          const node = known.get(address);
          const good = node?.state === "good";
          const role = address === first ? t("publicList.inUse") : address === second ? t("publicList.confirms") : "";
          const text = node ? stateWords(node.state) : t("publicList.notAskedYet");
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
                  {good
                    ? t("publicList.height", { height: node.height, time: withUnit(node.latency, "millisecond") })
                    : text}
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
            {t("publicList.askAgain")}
          </Button>
        </p>
      )}
    </div>
  );
}
