import { useLive } from "../lib/context.js";
import { duration } from "../lib/progress.js";

/** How far the wallet has read the chain, with the time left. */
export function Sync() {
  const live = useLive();
  const height = live.height.toLocaleString("en");
  if (!live.syncing) {
    return (
      <p class="row small muted" style={{ gap: "8px" }}>
        <span class="dot good" aria-hidden="true" />
        <span class="num">Up to date at block {height}</span>
      </p>
    );
  }
  const share = live.target > 0 ? Math.min(1, live.height / live.target) : 0;
  return (
    <div class="stack tight">
      <div class="bar" role="progressbar" aria-label="Reading the chain" aria-valuemin={0} aria-valuemax={live.target} aria-valuenow={live.height}>
        <i style={{ width: (share * 100).toFixed(2) + "%" }} />
      </div>
      <p class="row between small muted num">
        <span>
          Block {height} of {live.target.toLocaleString("en")}
        </span>
        <span>{live.left === undefined ? "Reading the chain" : duration(live.left) + " left"}</span>
      </p>
    </div>
  );
}
