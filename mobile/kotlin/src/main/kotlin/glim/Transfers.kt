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

/** A transaction's part in a wallet. */
data class Transfer(
    val txid: String,
    val type: Type,
    /** atomic units; of what was sent without the fee and the change */
    val amount: ULong,
    /** atomic units */
    val fee: ULong,
    /** index of its block; 0 when it is in none yet */
    val height: Long,
    /** of its block, or when it was first seen */
    val date: Date,
    val confirmations: Long,
    /** whether what it brought cannot be spent yet */
    val locked: Boolean,
    val account: Long,
    val address: String,
    val note: String,
    /** where this wallet sent it; empty when that is not known */
    val destinations: List<Destination>,
    /** another transaction that spends the same was seen */
    val doubleSpendSeen: Boolean
) {
    /** Received, sent, on its way from here, not taken by the network, on its way to here, or mined. */
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

/** A wallet's transfers, newest first, those in no block before all. */
internal suspend fun transfers(rpc: WalletOperations, account: Long?, since: Long?): List<Transfer> {
    val lists = rpc.getTransfers(
        GetTransfersRequest(
            `in` = true, out = true, pending = true, failed = true, pool = true, accountIndex = account ?: 0, allAccounts = account == null,
            filterByHeight = since != null, minHeight = (since ?: 0).toULong()
        )
    )
    val all = (lists.`in` + lists.out + lists.pending + lists.failed + lists.pool).map { transfer(it) }
    return all.sortedWith(compareByDescending<Transfer> { if (it.height == 0L) Long.MAX_VALUE else it.height }.thenByDescending { it.date })
}

/** What is to be sent. */
sealed class Send {
    /** An amount of atomic units to an address; null is what a payment link says. The address may be such a link, monero:… */
    class To(val address: String, val amount: ULong? = null) : Send()

    /** Several at once. */
    class Many(val destinations: List<Destination>) : Send()

    /** Everything an account has. */
    class Sweep(val address: String) : Send()
}

/** Transactions that are made and not sent. */
class Preview private constructor(
    private val rpc: WalletOperations,
    /** Whom they pay; of a sweep the address that gets everything. */
    val destinations: List<Destination>,
    /** Atomic units, of all together. */
    val amount: ULong,
    val fee: ULong,
    /** What a view-only wallet made, for who has the spend key; empty for others. Then there is nothing to confirm. */
    val unsigned: String,
    private var left: List<String>,
    private val note: String
) {
    private val sent = ArrayList<String>()

    /** Sends, and returns the IDs of the transactions. Asked again after a failure it goes on with what is left: nothing is sent twice. */
    suspend fun confirm(): List<String> {
        if (unsigned.isNotEmpty()) throw GlimException(glim.rpc.Code.WATCH_ONLY, "others have to sign this before it can be sent")
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
                            address = what.address, accountIndex = account, subaddrIndicesAll = true, priority = priority,
                            doNotRelay = true, getTxMetadata = true
                        )
                    )
                    val amount = made.amountList.fold(0uL) { a, b -> a + b }
                    return Preview(
                        rpc, listOf(Destination(amount = amount, address = what.address)), amount, made.feeList.fold(0uL) { a, b -> a + b },
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
                    listOf(Destination(amount = amount ?: throw GlimException(glim.rpc.Code.ZERO_AMOUNT, "nothing says how much to send"), address = address))
                }
            }
            val made = rpc.transferSplit(
                TransferSplitRequest(
                    destinations = destinations, accountIndex = account, priority = priority, doNotRelay = true, getTxMetadata = true
                )
            )
            return Preview(
                rpc, destinations, made.amountList.fold(0uL) { a, b -> a + b }, made.feeList.fold(0uL) { a, b -> a + b },
                made.unsignedTxset, made.txMetadataList, note
            )
        }
    }
}
