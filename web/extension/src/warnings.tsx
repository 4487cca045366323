/** Warnings of sites whose names can be mistaken for another's. */
import { Notice } from "../../wallet/src/components/notice.js";
import { t } from "../../wallet/src/lib/i18n.js";
import { suspicions, type Suspicion } from "./lib/lookalike.js";
import type { Grant } from "./lib/site.js";
import { Part } from "./seen.js";

/**
 * What is suspicious about the name of a site, next to those of the other sites that were connected before it. Nothing
 * is shown if it is an ordinary name.
 */
export function NameWarnings({ origin, grants }: { origin: string; grants: readonly Grant[] }) {
  const own = grants.find((g) => g.origin === origin);
  const before = grants.filter((g) => g.origin !== origin && (own === undefined || g.since < own.since));
  const found = suspicions(
    origin,
    before.map((g) => g.origin),
  );
  if (found.length === 0) return null;
  return (
    <Part>
      <div class="stack tight">
        {found.map((s) => {
          const { title, next } = words(s);
          return (
            <Notice key={title} tone="warn" title={title}>
              {next}
            </Notice>
          );
        })}
      </div>
    </Part>
  );
}

function words(s: Suspicion): { title: string; next: string } {
  switch (s.kind) {
    case "mixed":
      return { title: t("names.mixed"), next: t("names.mixedAbout", { name: s.name }) };
    case "foreign":
      return { title: t("names.isNot", { other: s.looks }), next: t("names.foreignAbout") };
    case "alike":
      return {
        title: t("names.isNot", { other: s.other }),
        next: t("names.alikeAbout", { name: s.name, other: s.other }),
      };
    case "near":
      return {
        title: t("names.isNot", { other: s.other }),
        next: t("names.nearAbout", { name: s.name, other: s.other }),
      };
    case "inside":
      return {
        title: t("names.isNot", { other: s.other }),
        next: t("names.insideAbout", { name: s.name, other: s.other }),
      };
  }
}
