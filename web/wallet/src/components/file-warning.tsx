import { useLive, useOpen } from "../lib/context.js";
import { Button } from "./button.js";
import { Notice } from "./notice.js";

/** Says that a part of the wallet's file is missing, and what to do. */
export function FileWarning() {
  const { router } = useOpen();
  const { warning } = useLive();
  if (warning === "") return null;
  return (
    <Notice tone="bad" title="A part of this wallet's file is missing">
      <p>
        Your money is safe, but payments, notes and keys of payments may be missing here. If you have a newer copy, lock
        the wallet and restore that copy. Otherwise scan the chain again in Settings.
      </p>
      <details class="small">
        <summary>Technical details</summary>
        <span class="mono">{warning}</span>
      </details>
      <p style={{ marginTop: "8px" }}>
        <Button small onClick={() => router.go("settings")}>
          Settings
        </Button>
      </p>
    </Notice>
  );
}
