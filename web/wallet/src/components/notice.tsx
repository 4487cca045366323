import type { ComponentChildren } from "preact";
import type { Plain } from "../lib/errors.js";
import { Icon, type IconName } from "./icon.js";

type Tone = "info" | "good" | "warn" | "bad";
const icons: Record<Tone, IconName> = { info: "info", good: "check", warn: "warn", bad: "warn" };

export function Notice({ tone = "info", title, icon, children }: { tone?: Tone; title?: string; icon?: IconName; children?: ComponentChildren }) {
  return (
    <div class={`notice ${tone}`} role={tone === "bad" ? "alert" : undefined}>
      <Icon name={icon ?? icons[tone]} />
      <div>
        {title && <strong>{title}</strong>}
        {children}
      </div>
    </div>
  );
}

/** A failure in plain words; what the engine said is there to be opened. */
export function Failed({ error }: { error: Plain | undefined }) {
  if (!error) return null;
  return (
    <Notice tone="bad" title={error.title}>
      {error.next}
      {error.detail && (
        <details class="small">
          <summary>What the engine said</summary>
          <span class="mono">{error.detail}</span>
        </details>
      )}
    </Notice>
  );
}
