import type { EngineWallet } from "./engine.js";

/**
 * Returns how much of the balance a view-only wallet cannot tell from spent money, in atomic units: its outputs without
 * a key image. Only the wallet with the spend key can compute key images, and only they show outgoing payments.
 */
export async function mayBeSpent(wallet: Pick<EngineWallet, "rpc">, accounts?: readonly number[]): Promise<bigint> {
  const all =
    accounts ?? (await wallet.rpc.getAccounts()).subaddress_accounts.map(({ account_index }) => account_index);
  const lists = await Promise.all(
    all.map((account_index) => wallet.rpc.incomingTransfers({ transfer_type: "available", account_index })),
  );
  return lists
    .flatMap((list) => list.transfers)
    .filter((t) => t.key_image === "")
    .reduce((sum, t) => sum + t.amount, 0n);
}
