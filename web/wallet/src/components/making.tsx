import { t } from "../lib/i18n.js";
/** Shown in place of a fee while the transaction is made. */
export function Making() {
  return (
    <span class="row muted" style={{ gap: "8px" }}>
      <span class="spinner" aria-hidden="true" />
      <span class="sr">{t("making.making")}</span>
    </span>
  );
}
