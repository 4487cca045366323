/**
 * A button for sites: it lets a person pay with a wallet in the browser, or shows a payment link and its QR code for
 * any other wallet. It is a custom element without a framework; ../../README.md describes its attributes and events.
 */

import { ATOMIC_UNITS, formatXMR, parseXMR } from "../money.js";
import { findMoneroProviders, type MoneroProviderDetail, type MoneroRequests } from "../provider.js";
import { element, icons } from "./dom.js";
import { ChoiceDialog, LinkDialog } from "./dialogs.js";
import { paymentLink, type PaymentRequest } from "./link.js";
import { css } from "./styles.js";
import { english, type PayTexts } from "./texts.js";

/** What the button is doing; the attribute state of the element, for styles. */
export type PayState = "ready" | "waiting" | "paid" | "refused" | "failed";

/** The details of the events of the button. */
export interface PayEvents {
  /**
   * The person pressed the button. A listener may call preventDefault, make an order, set the attributes, and then call
   * pay().
   */
  requested: CustomEvent<PaymentRequest>;
  /** A wallet says that it has sent the payment. Wait for your own node or wallet to see it before you deliver. */
  paid: CustomEvent<MoneroRequests["pay"]["result"] & { wallet: string }>;
  /** The person declined it. */
  refused: CustomEvent<{ wallet: string }>;
  /** The attributes or the wallet do not allow the payment. code is that of the provider, or 0. */
  error: CustomEvent<{ message: string; code: number }>;
}

const code = { rejected: 4001, unauthorized: 4100, busy: -32002 };
const limits = { description: 200, most: (1n << 64n) - 1n };

/** The element <monero-pay-button>. Its attributes say what is to be paid; PayEvents are the events that it sends. */
export class MoneroPayButton extends HTMLElement {
  /** The attributes whose changes the element follows. */
  static readonly observedAttributes = ["address", "amount", "description", "recipient", "label"];
  readonly #root = this.attachShadow({ mode: "open", delegatesFocus: true });
  readonly #button = element("button", { type: "button", class: "pay", part: "button" });
  readonly #label = element("slot");
  readonly #other = element("button", { type: "button", class: "other", part: "other", hidden: "" });
  readonly #status = element("p", { class: "status", part: "status", role: "status" });
  readonly #wallets: MoneroProviderDetail[] = [];
  #forget: (() => void) | undefined;
  /** The last dialog with a payment link. */
  #link: HTMLDialogElement | undefined;
  #texts: PayTexts = { ...english };
  #busy = false;

  constructor() {
    super();
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(css);
    this.#root.adoptedStyleSheets = [sheet];
    this.#button.append(icons.pay(), this.#label);
    this.#root.append(this.#button, this.#other, this.#status);
    this.#button.addEventListener("click", () => this.#press());
    this.#other.addEventListener("click", () => this.#showLink());
  }

  /** Called by the browser: begins to look for wallets in the page. */
  connectedCallback(): void {
    this.#forget ??= findMoneroProviders((wallet) => this.#wallets.push(wallet));
    if (!this.hasAttribute("state")) this.#show("ready");
    this.#render();
  }

  /** Called by the browser: ends the search for wallets. */
  disconnectedCallback(): void {
    this.#forget?.();
    this.#forget = undefined;
    this.#wallets.length = 0;
  }

  /** Called by the browser: shows the new payment. */
  attributeChangedCallback(): void {
    this.#render();
    if (this.#link === undefined) return;
    // An open dialog with the payment link shows the payment as it is now. Sites change several attributes at once.
    const before = this.#link;
    queueMicrotask(() => {
      if (this.#link !== before || !before.open) return;
      before.close();
      this.#showLink();
    });
  }

  /** The texts in another language; those that are missing stay English. */
  get texts(): PayTexts {
    return { ...this.#texts };
  }

  set texts(some: Partial<PayTexts>) {
    this.#texts = { ...english, ...some };
    this.#render();
  }

  /** The wallets that have announced themselves in this page. */
  get wallets(): readonly MoneroProviderDetail[] {
    return [...this.#wallets];
  }

  /**
   * Pays as if the person had pressed the button, without the event requested. It returns when the payment is made or
   * refused, or when the link is shown.
   */
  async pay(): Promise<void> {
    if (this.#busy) return;
    const request = this.#read();
    if (request === undefined) return;
    // A wallet must know the amount; a person can enter it in a wallet that opens the link.
    if (request.amount === undefined || this.#wallets.length === 0) return this.#showLink();
    const [only, ...more] = this.#wallets;
    const wallet = more.length === 0 ? only : await new ChoiceDialog(this.#root, this.#texts, this.#wallets).choice();
    if (wallet === "other") return this.#showLink();
    if (wallet !== undefined) await this.#payWith(wallet);
  }

  /** Makes the button ready for another payment. */
  reset(): void {
    if (!this.#busy) this.#show("ready");
  }

  #press(): void {
    const request = this.#read();
    if (request === undefined) return;
    if (this.#send("requested", request, true)) void this.pay();
  }

  async #payWith({ info, provider }: MoneroProviderDetail): Promise<void> {
    const wallet = info.name;
    this.#busy = true;
    this.#show("waiting", this.#say("waiting", { wallet }));
    try {
      // A site that is not connected yet must connect first: PROVIDER.md.
      await provider.request({ method: "address" }).catch((e: unknown) => {
        if (codeOf(e) !== code.unauthorized) throw e;
        return provider.request({ method: "connect" });
      });
      // The person may have needed minutes for this and for choosing the wallet: what the attributes say now is paid.
      const request = this.#read();
      if (request === undefined) return;
      if (request.amount === undefined) {
        this.#show("ready");
        return this.#showLink();
      }
      const params = {
        address: request.address,
        amount: request.amount.toString(),
        ...(request.description && { description: request.description }),
      };
      const done = (await provider.request({ method: "pay", params })) as MoneroRequests["pay"]["result"];
      this.#show("paid", this.#texts.sent);
      this.#send("paid", { ...done, wallet });
    } catch (e) {
      if (codeOf(e) === code.rejected) {
        this.#show("refused", this.#texts.refused);
        this.#send("refused", { wallet });
      } else {
        const reason = e instanceof Error ? e.message : String(e);
        this.#show("failed", this.#say(codeOf(e) === code.busy ? "busy" : "failed", { wallet, reason }));
        this.#send("error", { message: reason, code: codeOf(e) });
      }
    } finally {
      this.#busy = false;
      this.#render();
    }
  }

  #showLink(): void {
    const request = this.#read();
    this.#link = request && new LinkDialog(this.#root, this.#texts, request, paymentLink(request)).show();
  }

  /** Reads the attributes. Invalid ones are an error of the site, which the person cannot mend. */
  #read(): PaymentRequest | undefined {
    const get = (name: string): string | undefined => this.getAttribute(name)?.trim() || undefined;
    const [address, xmr, description, recipient] = ["address", "amount", "description", "recipient"].map(get);
    let amount: bigint | undefined;
    try {
      amount = xmr === undefined ? undefined : parseXMR(xmr);
    } catch {
      return this.#wrong("the attribute amount is not an amount of XMR");
    }
    if (amount !== undefined && (amount === 0n || amount > limits.most))
      return this.#wrong(`the attribute amount must be between 0 and ${limits.most / ATOMIC_UNITS} XMR`);
    if (address === undefined || !/^[1-9A-HJ-NP-Za-km-z]{95}([1-9A-HJ-NP-Za-km-z]{11})?$/.test(address))
      return this.#wrong("the attribute address is not a Monero address");
    if ((description?.length ?? 0) > limits.description)
      return this.#wrong(`the attribute description is longer than ${limits.description} characters`);
    return { address, amount, description, recipient };
  }

  #wrong(message: string): undefined {
    this.#show("failed", this.#say("failed", { wallet: "", reason: message }));
    this.#send("error", { message, code: 0 });
  }

  #show(state: PayState, text = ""): void {
    this.setAttribute("state", state);
    this.#status.textContent = text;
    this.#other.hidden = state !== "refused" && state !== "failed";
    this.#render();
  }

  #render(): void {
    const paid = this.getAttribute("state") === "paid";
    const amount = this.#amountText();
    const label = amount === undefined ? this.#texts.pay : this.#say("payAmount", { amount });
    this.#label.textContent = paid ? this.#texts.paid : (this.getAttribute("label") ?? label);
    this.#other.replaceChildren(icons.code(), this.#texts.other);
    this.#button.disabled = paid;
    // A button that is disabled while it has the focus would lose it.
    this.#button.setAttribute("aria-disabled", String(this.#busy));
    this.#button.setAttribute("aria-busy", String(this.#busy));
  }

  #amountText(): string | undefined {
    try {
      return formatXMR(parseXMR(this.getAttribute("amount") ?? ""));
    } catch {
      return undefined;
    }
  }

  #say(name: keyof PayTexts, values: Record<string, string>): string {
    return this.#texts[name].replace(/\{(\w+)\}/g, (all, key: string) => values[key] ?? all);
  }

  #send<E extends keyof PayEvents>(name: E, detail: PayEvents[E]["detail"], cancelable = false): boolean {
    return this.dispatchEvent(new CustomEvent(name, { detail, cancelable }));
  }
}

const codeOf = (e: unknown): number => {
  const { code: found } = (e ?? {}) as { code?: unknown };
  return typeof found === "number" ? found : 0;
};
