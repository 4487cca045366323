import { createContext, type ComponentChildren } from "preact";
import { useContext } from "preact/hooks";
import { Mark } from "../../wallet/src/components/icon.js";

/** The name of the network if its money is worthless, otherwise "". */
export const NetworkContext = createContext("");

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
  const network = useContext(NetworkContext);
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
        {network && (
          <p class="tag warn" data-network>
            {network}
          </p>
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
