package glim

import glim.rpc.Destination
import glim.rpc.GetTransfersRequest
import glim.rpc.ParseURIRequest
import glim.rpc.RelayTxRequest
import glim.rpc.SetTxNotesRequest
import glim.rpc.SweepAllRequest
import glim.rpc.TransferEntry
import glim.rpc.TransferSplitRequest
import glim.rpc.WalletOperations
import java.util.Date

/** What a transaction does in a wallet. */
data class Transfer(
    val txid: String,
    val type: Type,
    /** In atomic units; for a sent payment, without fee and change. */
    val amount: ULong,
    /** In atomic units. */
    val fee: ULong,
    /** Index of its block; 0 while it is not in a block. */
    val height: Long,
    /** Time of its block, or when it was first seen. */
    val date: Date,
    val confirmations: Long,
    /** Whether the received outputs cannot be spent yet. */
    val locked: Boolean,
    val account: Long,
    val address: String,
    val note: String,
    /** Recipients of a sent payment; empty if unknown. */
    val destinations: List<Destination>,
    /** Whether another transaction that spends the same outputs was seen. */
    val doubleSpendSeen: Boolean
) {
    /**
     * Received, sent, sent but not in a block yet, rejected by the network, incoming but not in a block yet, or mined.
     */
    enum class Type(internal val id: String) {
        IN("in"), OUT("out"), PENDING("pending"), FAILED("failed"), POOL("pool"), BLOCK("block")
    }
}

private fun transfer(e: TransferEntry) = Transfer(
    txid = e.txid,
    type = Transfer.Type.values().find { it.id == e.type } ?: Transfer.Type.IN,
    amount = e.amount,
    fee = e.fee,
    height = e.height.toLong(),
    date = Date(e.timestamp.toLong() * 1000),
    confirmations = (e.confirmations ?: 0uL).toLong(),
    locked = e.locked,
    account = e.subaddrIndex.major,
    address = e.address,
    note = e.note,
    destinations = e.destinations,
    doubleSpendSeen = e.doubleSpendSeen
)

/** Returns a wallet's transfers, newest first; those that are not in a block come before all others. */
internal suspend fun transfers(rpc: WalletOperations, account: Long?, since: Long?): List<Transfer> {
    val lists = rpc.getTransfers(
        GetTransfersRequest(
            `in` = true, out = true, pending = true, failed = true, pool = true,
            accountIndex = account ?: 0, allAccounts = account == null,
            filterByHeight = since != null, minHeight = (since ?: 0).toULong()
        )
    )
    val all = (lists.`in` + lists.out + lists.pending + lists.failed + lists.pool).map { transfer(it) }
    val newestFirst = compareByDescending<Transfer> { if (it.height == 0L) Long.MAX_VALUE else it.height }
        .thenByDescending { it.date }
    return all.sortedWith(newestFirst)
}

/** What to send. */
sealed class Send {
    /**
     * An amount in atomic units to an address. The address may be a payment URI (monero:…); null takes the URI's
     * amount.
     */
    class To(val address: String, val amount: ULong? = null) : Send()

    /** Several recipients, paid together. */
    class Many(val destinations: List<Destination>) : Send()

    /** Everything in an account. */
    class Sweep(val address: String) : Send()
}

/** Transactions that are made but not sent. */
class Preview private constructor(
    private val rpc: WalletOperations,
    /** The recipients; for a sweep, the address that receives everything. */
    val destinations: List<Destination>,
    /** Total amount, in atomic units. */
    val amount: ULong,
    val fee: ULong,
    /**
     * The unsigned transaction set of a view-only wallet, for the wallet with the spend key; otherwise empty. If it is
     * set, [confirm] fails.
     */
    val unsigned: String,
    private var left: List<String>,
    private val note: String
) {
    private val sent = ArrayList<String>()

    /**
     * Sends the transactions and returns their IDs. Calling it again after a failure sends what is left: nothing is
     * sent twice.
     */
    suspend fun confirm(): List<String> {
        if (unsigned.isNotEmpty()) {
            throw GlimException(glim.rpc.Code.WATCH_ONLY, "others must sign this before it can be sent")
        }
        while (left.isNotEmpty()) {
            sent.add(rpc.relayTx(RelayTxRequest(hex = left.first())).txHash)
            left = left.drop(1)
        }
        if (note.isNotEmpty()) rpc.setTxNotes(SetTxNotesRequest(txids = sent, notes = sent.map { note }))
        return sent.toList()
    }

    internal companion object {
        suspend fun prepare(rpc: WalletOperations, what: Send, priority: Long, account: Long): Preview {
            var note = ""
            val destinations = when (what) {
                is Send.Sweep -> {
                    val made = rpc.sweepAll(
                        SweepAllRequest(
                            address = what.address, accountIndex = account, subaddrIndicesAll = true,
                            priority = priority,
                            doNotRelay = true, getTxMetadata = true
                        )
                    )
                    val amount = made.amountList.fold(0uL) { a, b -> a + b }
                    return Preview(
                        rpc, listOf(Destination(amount = amount, address = what.address)), amount,
                        made.feeList.fold(0uL) { a, b -> a + b },
                        made.unsignedTxset, made.txMetadataList, ""
                    )
                }
                is Send.Many -> what.destinations
                is Send.To -> {
                    var address = what.address
                    var amount = what.amount
                    if (address.startsWith("monero:", ignoreCase = true)) {
                        val uri = rpc.parseURI(ParseURIRequest(uri = address)).uri
                        address = uri.address
                        note = uri.txDescription
                        if (amount == null && uri.amount > 0uL) amount = uri.amount
                    }
                    if (amount == null) throw GlimException(glim.rpc.Code.ZERO_AMOUNT, "the amount is missing")
                    listOf(Destination(amount = amount, address = address))
                }
            }
            val made = rpc.transferSplit(
                TransferSplitRequest(
                    destinations = destinations, accountIndex = account, priority = priority,
                    doNotRelay = true, getTxMetadata = true
                )
            )
            return Preview(
                rpc, destinations, made.amountList.fold(0uL) { a, b -> a + b },
                made.feeList.fold(0uL) { a, b -> a + b },
                made.unsignedTxset, made.txMetadataList, note
            )
        }
    }
}
