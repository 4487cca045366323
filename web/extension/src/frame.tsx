import type { ComponentChildren } from "preact";
import { Mark } from "../../wallet/src/components/icon.js";

/**
 * The consent window: who asks, the request, and the answers below it. Only the request scrolls, so that the answers
 * never cover a part of it.
 */
export function Frame({
  origin,
  first,
  answers,
  children,
}: {
  origin?: string | undefined;
  /** What stays in view while the rest scrolls, if the window is tall enough. */
  first?: ComponentChildren;
  answers?: ComponentChildren;
  children?: ComponentChildren;
}) {
  return (
    <div class="consent">
      <header>
        <Mark size={24} />
        {origin ? (
          <p class="strong" data-origin>
            {origin}
          </p>
        ) : (
          <p class="strong">glim</p>
        )}
      </header>
      <main>
        {first && <div class="first stack tight">{first}</div>}
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it can be scrolled with the keyboard */}
        <div class="rest stack" tabIndex={0}>
          {children}
        </div>
      </main>
      {answers && <footer class="stack tight">{answers}</footer>}
    </div>
  );
}
