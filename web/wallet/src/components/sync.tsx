import { useEffect } from "preact/hooks";
import { useLive } from "../lib/context.js";
import { duration } from "../lib/progress.js";
import { Button } from "./button.js";
import { useHealth } from "./node.js";
import { Failed } from "./notice.js";

/** So many blocks may come between two looks at the node. */
const slack = 2;

/** How far the wallet has read the chain, with the time left. */
export function Sync() {
  const live = useLive();
  const { health } = useHealth();
  const height = live.height.toLocaleString("en");
  const known = health?.state === "good" || health?.state === "behind";
  const target = Math.max(live.target, known ? health.height : 0);
  useEffect(() => {
    if (known && health.height > live.height + slack) void live.catchUp();
  }, [live, health]);
  if (!live.syncing && target <= live.height + slack) {
    return (
      <p class="row small muted" style={{ gap: "8px" }}>
        <span class={`dot${known ? " good" : ""}`} aria-hidden="true" />
        <span class="num">{known ? `Up to date at block ${height}` : `Read up to block ${height}`}</span>
      </p>
    );
  }
  const share = target > 0 ? Math.min(1, live.height / target) : 0;
  return (
    <div class="stack tight">
      <div class="bar" role="progressbar" aria-label="Reading the chain" aria-valuemin={0} aria-valuemax={target} aria-valuenow={live.height}>
        <i style={{ width: `${(share * 100).toFixed(2)}%` }} />
      </div>
      <p class="row between small muted num">
        <span>
          Block {height} of {target.toLocaleString("en")}
        </span>
        <span>{live.trouble ? "" : live.left === undefined ? "Reading the chain" : `${duration(live.left)} left`}</span>
      </p>
      {known && live.trouble && (
        <>
          <Failed error={live.trouble} />
          <p>
            <Button small onClick={() => void live.catchUp()}>
              Try again
            </Button>
          </p>
        </>
      )}
    </div>
  );
}
