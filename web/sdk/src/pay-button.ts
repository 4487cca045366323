/**
 * Defines the element monero-pay-button, a button that sites put on a page to be paid.
 *
 * @module glim/pay-button
 */

import { MoneroPayButton } from "./pay/button.js";

export { MoneroPayButton, type PayEvents, type PayState } from "./pay/button.js";
export { paymentLink, type PaymentRequest } from "./pay/link.js";
export type { PayTexts } from "./pay/texts.js";

declare global {
  interface HTMLElementTagNameMap {
    "monero-pay-button": MoneroPayButton;
  }
}

if (!customElements.get("monero-pay-button")) customElements.define("monero-pay-button", MoneroPayButton);
