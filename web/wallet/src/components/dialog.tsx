import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef } from "preact/hooks";
import { IconButton } from "./button.js";
import { t } from "../lib/i18n.js";

/** A modal dialog, open while it is rendered. Escape and the close button call onClose. */
export function Dialog({ title, onClose, children }: { title: string; onClose(): void; children: ComponentChildren }) {
  const ref = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const dialog = ref.current;
    const before = document.activeElement;
    dialog?.showModal();
    return () => {
      dialog?.close();
      // The browser returns the focus only while the dialog is in the page, which it no longer is.
      const back = before?.isConnected && before !== document.body ? before : document.querySelector("main");
      if (back instanceof HTMLElement) back.focus();
    };
  }, []);
  return (
    <dialog
      ref={ref}
      aria-labelledby={id}
      onCancel={(e) => {
        e.preventDefault();
        onClose();
      }}
    >
      <div class="stack">
        <header>
          <h2 id={id}>{title}</h2>
          <IconButton small icon="cross" label={t("dialog.close")} onClick={onClose} />
        </header>
        {children}
      </div>
    </dialog>
  );
}
