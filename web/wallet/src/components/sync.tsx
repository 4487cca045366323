import { useEffect } from "preact/hooks";
import { useLive } from "../lib/context.js";
import { chainLength } from "../lib/health.js";
import { duration } from "../lib/progress.js";
import type { Scanning } from "../lib/scanning.js";
import { Button } from "./button.js";
import { useHealth } from "./node.js";
import { Failed } from "./notice.js";

const count = (n: number): string => n.toLocaleString("en");

/** A bar with the blocks scanned and the time left, or what the wallet waits for. */
export function ScanBar({ scanning: s, waits }: { scanning: Scanning; waits?: string | undefined }) {
  return (
    <div class="stack tight">
      <div
        class="bar"
        role="progressbar"
        aria-label="Scanning the chain"
        aria-valuemin={0}
        aria-valuemax={s.target}
        aria-valuenow={s.height}
      >
        <i style={{ width: `${((s.height / s.target) * 100).toFixed(2)}%` }} />
      </div>
      <p class="row between small muted num">
        <span>
          Block {count(s.height)} of {count(s.target)}
        </span>
        <span>{waits ?? (s.left === undefined ? "Estimating the time left" : `${duration(s.left)} left`)}</span>
      </p>
    </div>
  );
}

/**
 * Tells the open wallet how long its node's chain is. If it is behind, it scans once more for itself: that is how a
 * failure of scanning becomes known.
 */
export function useChainLength(): void {
  const live = useLive();
  const { health } = useHealth();
  useEffect(() => {
    live.scanning.know(chainLength(health));
    if (live.scanning.behindNode) void live.catchUp();
  }, [live, health]);
}

/** Returns what a wallet waits for that scans no blocks at present; undefined if it scans. */
function useWait(): string | undefined {
  const { scanning, trouble } = useLive();
  const { health } = useHealth();
  if (trouble) return "Interrupted";
  if (health?.state === "behind" && scanning.height >= health.height) return "Waiting for the node";
  return undefined;
}

/** How far the wallet has scanned the chain, and the time left. */
export function Sync() {
  const live = useLive();
  const { health } = useHealth();
  const { scanning } = live;
  const waits = useWait();
  const known = chainLength(health) > 0;
  if (!scanning.behind) {
    if (!health)
      return (
        <div class="stack tight">
          <div class="bar waiting" role="progressbar" aria-label="Asking the node for the length of the chain">
            <i />
          </div>
          <p class="row between small muted num">
            <span>Block {count(live.height)}</span>
            <span>Asking the node for the length of the chain</span>
          </p>
        </div>
      );
    return (
      <p class="row small muted" style={{ gap: "8px" }}>
        <span class={`dot${known ? " good" : ""}`} aria-hidden="true" />
        <span class="num">
          {known ? `In sync at block ${count(live.height)}` : `Scanned up to block ${count(live.height)}`}
        </span>
      </p>
    );
  }
  return (
    <div class="stack tight">
      <ScanBar scanning={scanning} waits={waits} />
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

/** The progress on pages that do not show it themselves: what they show is incomplete until the wallet is in sync. */
export function SyncStrip() {
  const { scanning } = useLive();
  const waits = useWait();
  if (!scanning.behind) return null;
  return (
    <section class="sync-strip" aria-label="Scanning the chain">
      <ScanBar scanning={scanning} waits={waits} />
      <p class="hint">Payments and amounts may be missing until the wallet has scanned the chain.</p>
    </section>
  );
}
