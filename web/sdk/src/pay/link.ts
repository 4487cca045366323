/** Payment links: the URIs of Monero, as wallets read them from links and QR codes. */

import { formatXMR } from "../money.js";

/** What a payer is asked for. */
export interface PaymentRequest {
  /** The recipient's address. */
  address: string;
  /** Atomic units; undefined leaves the amount to the payer. */
  amount?: bigint | undefined;
  /** What is paid, for people. */
  description?: string | undefined;
  /** The recipient's name, for people. */
  recipient?: string | undefined;
}

/** Returns a payment link. Source: src/wallet/wallet2.cpp, make_uri. */
export function paymentLink({ address, amount, description, recipient }: PaymentRequest): string {
  const parts = [
    ["tx_amount", amount === undefined ? "" : formatXMR(amount)],
    ["recipient_name", recipient ?? ""],
    ["tx_description", description ?? ""],
  ].filter(([, value]) => value !== "");
  const query = parts.map(([name, value]) => `${name}=${encodeURIComponent(value as string)}`).join("&");
  return `monero:${address}${query === "" ? "" : `?${query}`}`;
}
