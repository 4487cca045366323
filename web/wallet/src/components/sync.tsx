import { useEffect } from "preact/hooks";
import { useLive } from "../lib/context.js";
import { chainLength } from "../lib/health.js";
import { duration } from "../lib/progress.js";
import type { Scanning } from "../lib/scanning.js";
import { Button } from "./button.js";
import { useHealth } from "./node.js";
import { Failed } from "./notice.js";
import { t } from "../lib/i18n.js";

/** A bar with the blocks scanned and the time left, or what the wallet waits for. */
export function ScanBar({ scanning: s, waits }: { scanning: Scanning; waits?: string | undefined }) {
  return (
    <div class="stack tight">
      <div
        class="bar"
        role="progressbar"
        aria-label={t("common.scanningTheChain")}
        aria-valuemin={0}
        aria-valuemax={s.target}
        aria-valuenow={s.height}
      >
        <i style={{ width: `${((s.height / s.target) * 100).toFixed(2)}%` }} />
      </div>
      <p class="row between small muted num">
        <span>{t("sync.blockOf", { height: s.height, all: s.target })}</span>
        <span>
          {waits ?? (s.left === undefined ? t("sync.estimating") : t("sync.left", { duration: duration(s.left) }))}
        </span>
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
  if (trouble) return t("sync.interrupted");
  if (health?.state === "behind" && scanning.height >= health.height) return t("sync.waiting");
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
          <div class="bar waiting" role="progressbar" aria-label={t("sync.asking")}>
            <i />
          </div>
          <p class="row between small muted num">
            <span>{t("sync.block", { height: live.height })}</span>
            <span>{t("sync.asking")}</span>
          </p>
        </div>
      );
    return (
      <p class="row small muted" style={{ gap: "8px" }}>
        <span class={`dot${known ? " good" : ""}`} aria-hidden="true" />
        <span class="num">
          {known ? t("sync.inSync", { height: live.height }) : t("sync.scanned", { height: live.height })}
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
              {t("common.tryAgain")}
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
    <section class="sync-strip" aria-label={t("common.scanningTheChain")}>
      <ScanBar scanning={scanning} waits={waits} />
      <p class="hint">{t("sync.incomplete")}</p>
    </section>
  );
}
