package glim

import glim.bridge.Engine
import glim.bridge.Listener
import glim.rpc.CreateAccountRequest
import glim.rpc.CreateAddressRequest
import glim.rpc.ChangeWalletPasswordRequest
import glim.rpc.CloseWalletRequest
import glim.rpc.Event
import glim.rpc.GetAddressRequest
import glim.rpc.GetBalanceRequest
import glim.rpc.GetTxNotesRequest
import glim.rpc.Json
import glim.rpc.LabelAccountRequest
import glim.rpc.LabelAddressRequest
import glim.rpc.QueryKeyRequest
import glim.rpc.SetTxNotesRequest
import glim.rpc.SetupBackgroundSyncRequest
import glim.rpc.StopBackgroundSyncRequest
import glim.rpc.SubaddressIndex
import glim.rpc.WalletOperations
import java.io.Closeable

/** What an account holds, in atomic units. */
data class Balance(
    val total: ULong,
    /** what can be spent now */
    val unlocked: ULong,
    /** blocks until everything can be spent */
    val blocksToUnlock: Long,
    /** seconds until what is locked until a date can be spent */
    val timeToUnlock: Long
)

data class Account(
    val index: Long,
    /** its first address */
    val address: String,
    val label: String,
    val tag: String,
    /** atomic units */
    val total: ULong,
    val unlocked: ULong
)

data class Address(
    val account: Long,
    val index: Long,
    val address: String,
    val label: String,
    /** has received money */
    val used: Boolean
)

/** A wallet that is open. It refreshes itself; reads answer at once, from what it has seen. */
class Wallet internal constructor(
    val name: String,
    private val engine: Engine,
    /** Every operation of the wallet service, on this wallet. */
    val rpc: WalletOperations
) {
    /** What one account holds, or the wallet. */
    suspend fun balance(account: Long? = null): Balance {
        val b = rpc.getBalance(GetBalanceRequest(accountIndex = account ?: 0, allAccounts = account == null))
        return Balance(b.balance, b.unlockedBalance, b.blocksToUnlock.toLong(), b.timeToUnlock.toLong())
    }

    suspend fun accounts(): List<Account> = rpc.getAccounts().subaddressAccounts.map {
        Account(it.accountIndex, it.baseAddress, it.label, it.tag, it.balance, it.unlockedBalance)
    }

    suspend fun createAccount(label: String = ""): Account {
        val a = rpc.createAccount(CreateAccountRequest(label = label))
        return Account(a.accountIndex, a.address, label, "", 0uL, 0uL)
    }

    /** The addresses of an account; the first of account 0 is the wallet's primary one. */
    suspend fun addresses(account: Long = 0): List<Address> = rpc.getAddress(GetAddressRequest(accountIndex = account)).addresses.map {
        Address(account, it.addressIndex, it.address, it.label, it.used)
    }

    /** Makes a new address, for one payer to know. */
    suspend fun newAddress(account: Long = 0, label: String = ""): Address {
        val a = rpc.createAddress(CreateAddressRequest(accountIndex = account, label = label))
        return Address(account, a.addressIndex, a.address, label, false)
    }

    /** Labels an account, or with an index one of its addresses. */
    suspend fun label(text: String, account: Long, index: Long? = null) {
        if (index == null) rpc.labelAccount(LabelAccountRequest(accountIndex = account, label = text))
        else rpc.labelAddress(LabelAddressRequest(index = SubaddressIndex(account, index), label = text))
    }

    /** How many blocks the wallet has seen. */
    suspend fun height(): Long = rpc.getHeight().height.toLong()

    /**
     * Reads the chain to its end. What was read stays when it is cancelled. [progress] is called as blocks are read, on a thread of the
     * engine, which goes on when the call returns; the last call, with 1.0 as [SyncProgress.done], is before sync returns. As a Flow:
     * [syncProgress].
     */
    suspend fun sync(progress: ((SyncProgress) -> Unit)? = null): Synced {
        if (progress == null) return refresh()
        val meter = Meter(height(), progress)
        val place = follow(null) { meter.hear(it) }
        try {
            val synced = refresh()
            meter.finish(height())
            return synced
        } finally {
            meter.end()
            place.close()
        }
    }

    private suspend fun refresh(): Synced {
        val r = rpc.refresh()
        return Synced(r.blocksFetched.toLong(), r.receivedMoney)
    }

    /** Makes the transactions of a payment, with their fee, and sends nothing: that is the preview's confirm(). */
    suspend fun send(what: Send, priority: Long = 0, account: Long = 0): Preview = Preview.prepare(rpc, what, priority, account)

    /** What came and went, newest first; of one account or of all, above a height. */
    suspend fun history(account: Long? = null, since: Long? = null): List<Transfer> = transfers(rpc, account, since)

    /** The note of a transaction; empty for none. */
    suspend fun note(txid: String): String = rpc.getTxNotes(GetTxNotesRequest(txids = listOf(txid))).notes.firstOrNull() ?: ""

    suspend fun setNote(txid: String, text: String) = rpc.setTxNotes(SetTxNotesRequest(txids = listOf(txid), notes = listOf(text)))

    /** The wallet's words. Who has them has the money. */
    suspend fun seed(): String = rpc.queryKey(QueryKeyRequest(keyType = "mnemonic")).key

    /**
     * Takes the spend key out of memory; the wallet goes on reading the chain, and what needs the key asks the [PasswordStore]. The first
     * time it takes the wallet's password, to keep apart what reading needs.
     */
    suspend fun lock(password: String? = null) {
        if (password != null) {
            rpc.setupBackgroundSync(SetupBackgroundSyncRequest(backgroundSyncType = "reuse-wallet-password", walletPassword = password))
        }
        rpc.startBackgroundSync()
    }

    suspend fun unlock(password: String) = rpc.stopBackgroundSync(StopBackgroundSyncRequest(walletPassword = password))

    /**
     * Makes a file NAME.background that [Glim.open] opens with a password of its own: it reads the chain and cannot spend. That is for
     * work while the phone is locked; opening the wallet takes over what it found. Close the wallet before.
     */
    suspend fun allowBackground(password: String, backgroundPassword: String) = rpc.setupBackgroundSync(
        SetupBackgroundSyncRequest(
            backgroundSyncType = "custom-background-password", walletPassword = password, backgroundCachePassword = backgroundPassword
        )
    )

    suspend fun changePassword(old: String, password: String) =
        rpc.changeWalletPassword(ChangeWalletPasswordRequest(oldPassword = old, newPassword = password))

    /** Closes the wallet; everything is kept already. */
    suspend fun close() = rpc.closeWallet(CloseWalletRequest())

    /**
     * Tells what happened after a cursor, the last event known or 0, each once and in order, and goes on as things happen; null is
     * only what is to come. Both are called on a thread of the engine's, and the next events wait for the call: ended is the last one,
     * with null unless something failed. Closing what is returned ends it.
     */
    fun follow(cursor: ULong?, ended: (GlimException?) -> Unit = {}, tell: (List<Event>) -> Unit): Closeable {
        val place = engine.follow(name, cursor?.toString() ?: "", object : Listener {
            override fun events(json: String) = tell(Json.asList(Json.read(json)) { Event.read(Json.asObject(it)) })
            override fun end(code: Int, message: String) = ended(if (code == 0) null else GlimException(code, message))
        })
        return Closeable { place.cancel() }
    }
}
