import type { ComponentChildren } from "preact";
import { useContext } from "preact/hooks";
import { ChooseNodeContext } from "../lib/context.js";
import type { Plain } from "../lib/errors.js";
import { explain } from "../lib/health.js";
import { Button } from "./button.js";
import { Icon, type IconName } from "./icon.js";
import { useHealth } from "./node.js";
import { t } from "../lib/i18n.js";

type Tone = "info" | "good" | "warn" | "bad";
const icons: Record<Tone, IconName> = { info: "info", good: "check", warn: "warn", bad: "warn" };

export function Notice({
  tone = "info",
  title,
  icon,
  children,
}: {
  tone?: Tone;
  title?: string;
  icon?: IconName;
  children?: ComponentChildren;
}) {
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

/** Opens the node settings. */
export function ChooseNode() {
  const choose = useContext(ChooseNodeContext);
  if (!choose) return null;
  return (
    <p style={{ marginTop: "8px" }}>
      <Button small onClick={choose}>
        {t("notice.chooseANode")}
      </Button>
    </p>
  );
}

/** Why the node in use fails, if that is known. */
function Cause() {
  const { health: h } = useHealth();
  if (!h || h.state === "good") return null;
  const { title, next } = explain(h);
  return (
    <p>
      {title}. {next}
    </p>
  );
}

/**
 * A failure in plain words; the engine's own message can be opened. A failure of the node comes with its cause and a
 * button that opens the node settings.
 */
export function Failed({ error }: { error: Plain | undefined }) {
  if (!error) return null;
  return (
    <Notice tone="bad" title={error.title}>
      {error.next}
      {error.node && <Cause />}
      {error.detail && (
        <details class="small">
          <summary>{t("common.technicalDetails")}</summary>
          <span class="mono">{error.detail}</span>
        </details>
      )}
      {error.node && <ChooseNode />}
    </Notice>
  );
}
