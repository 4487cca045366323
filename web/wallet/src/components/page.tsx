import type { ComponentChildren } from "preact";
import { IconButton } from "./button.js";
import { t } from "../lib/i18n.js";

/** The head of a page. */
export function Head({
  title,
  about,
  onBack,
  children,
}: {
  title: string;
  about?: ComponentChildren;
  onBack?: () => void;
  children?: ComponentChildren;
}) {
  return (
    <header class="page-head">
      {onBack && <IconButton icon="back" label={t("page.back")} onClick={onBack} />}
      <div>
        <h1 tabIndex={-1}>{title}</h1>
        {about && <p>{about}</p>}
      </div>
      {children}
    </header>
  );
}

/** Shown in place of an empty list. */
export function Empty({ title, children }: { title: string; children?: ComponentChildren }) {
  return (
    <div class="empty">
      <p class="strong">{title}</p>
      {children}
    </div>
  );
}

/** A section of a page with a heading. */
export function Section({
  title,
  about,
  end,
  children,
}: {
  title: string;
  about?: ComponentChildren;
  end?: ComponentChildren;
  children: ComponentChildren;
}) {
  return (
    <section>
      <div class="section-head">
        <h2>{title}</h2>
        {end}
      </div>
      {about && (
        <p class="muted small" style={{ marginBottom: "12px" }}>
          {about}
        </p>
      )}
      {children}
    </section>
  );
}

export function Facts({ children }: { children: ComponentChildren }) {
  return <dl class="facts">{children}</dl>;
}

export function Fact({
  name,
  total = false,
  children,
}: {
  name: string;
  total?: boolean;
  children: ComponentChildren;
}) {
  return (
    <div class={total ? "total" : undefined}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
