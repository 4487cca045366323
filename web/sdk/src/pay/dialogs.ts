/** The dialogs of the button. The browser keeps the focus in them, closes them on Escape, and returns the focus. */

import { formatXMR } from "../money.js";
import type { MoneroProviderDetail } from "../provider.js";
import { element, icons, qrCode } from "./dom.js";
import type { PaymentRequest } from "./link.js";
import type { PayTexts } from "./texts.js";

/** Opens a dialog with a title and a button that closes it. It is removed when it closes. */
function open(root: ShadowRoot, title: string, texts: PayTexts, content: Node[]): HTMLDialogElement {
  const close = element("button", { type: "button", "aria-label": texts.close, part: "close" }, icons.close());
  const heading = element("h2", { id: "title" }, title);
  const dialog = element(
    "dialog",
    { part: "dialog", "aria-labelledby": "title" },
    element("header", {}, heading, close),
    ...content,
  );
  close.addEventListener("click", () => dialog.close());
  dialog.addEventListener("close", () => dialog.remove());
  root.append(dialog);
  dialog.showModal();
  return dialog;
}

/** Lets the person choose one of several wallets. */
export class ChoiceDialog {
  constructor(
    private readonly root: ShadowRoot,
    private readonly texts: PayTexts,
    private readonly wallets: readonly MoneroProviderDetail[],
  ) {}

  /** Returns the choice, or undefined if the person closes the dialog. */
  choice(): Promise<MoneroProviderDetail | "other" | undefined> {
    return new Promise((resolve) => {
      let chosen: MoneroProviderDetail | "other" | undefined;
      const entry = (label: string, picture: Node, choice: MoneroProviderDetail | "other"): HTMLLIElement => {
        const button = element("button", { type: "button", part: "wallet" }, picture, label);
        button.addEventListener("click", () => {
          chosen = choice;
          dialog.close();
        });
        return element("li", {}, button);
      };
      const list = element(
        "ul",
        { role: "list" },
        ...this.wallets.map((w) => entry(w.info.name, iconOf(w), w)),
        entry(this.texts.other, icons.code(), "other"),
      );
      const dialog = open(this.root, this.texts.choose, this.texts, [element("p", {}, this.texts.chooseWhy), list]);
      dialog.addEventListener("close", () => resolve(chosen));
    });
  }
}

/** Shows a wallet's icon in the one place where it can run no scripts; nothing if it is not an image. */
function iconOf({ info }: MoneroProviderDetail): Node {
  if (!/^data:image\//i.test(info.icon)) return icons.pay();
  const image = element("img", { src: info.icon, alt: "", width: "28", height: "28" });
  // The page's policy may forbid it.
  image.addEventListener("error", () => image.replaceWith(icons.pay()));
  return image;
}

/** Shows the payment for any wallet: a QR code, a link, and what it says, to be copied. */
export class LinkDialog {
  constructor(
    private readonly root: ShadowRoot,
    private readonly texts: PayTexts,
    private readonly request: PaymentRequest,
    private readonly link: string,
  ) {}

  /** Opens the dialog and returns it. */
  show(): HTMLDialogElement {
    const { texts, request, link } = this;
    const status = element("p", { class: "status", role: "status", part: "status" });
    const copy = (text: string, label: string): HTMLButtonElement => {
      const button = element(
        "button",
        { type: "button", "aria-label": label, title: label, part: "copy" },
        icons.copy(),
      );
      button.addEventListener("click", () => {
        navigator.clipboard.writeText(text).then(
          () => (status.textContent = texts.copied),
          () => (status.textContent = texts.notCopied),
        );
      });
      return button;
    };
    const fact = (name: string, value: string | undefined, button?: Node, look?: string): Node | undefined => {
      if (value === undefined) return undefined;
      const text = element("span", { class: look }, value);
      return element("div", {}, element("dt", {}, name), element("dd", {}, text, button));
    };
    const amount = request.amount === undefined ? undefined : formatXMR(request.amount);
    const facts = [
      amount === undefined ? undefined : fact(texts.amount, `${amount} XMR`, copy(amount, texts.copyAmount)),
      fact(texts.recipient, request.recipient),
      fact(texts.description, request.description),
      fact(texts.address, request.address, copy(request.address, texts.copyAddress), "mono"),
    ].filter((f) => f !== undefined);
    return open(this.root, texts.title, texts, [
      element("p", {}, texts.otherWhy),
      element("figure", {}, qrCode(link, texts.code)),
      element("dl", { part: "facts" }, ...facts),
      element("a", { class: "button", href: link, part: "link" }, texts.open),
      status,
    ]);
  }
}
