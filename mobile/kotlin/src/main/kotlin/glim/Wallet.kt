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

/** The balance of an account or a wallet, in atomic units. */
data class Balance(
    val total: ULong,
    /** What can be spent now. */
    val unlocked: ULong,
    /** Number of blocks until everything can be spent. */
    val blocksToUnlock: Long,
    /** Seconds until outputs with a time lock can be spent. */
    val timeToUnlock: Long
)

data class Account(
    val index: Long,
    /** Its first address. */
    val address: String,
    val label: String,
    val tag: String,
    /** In atomic units. */
    val total: ULong,
    val unlocked: ULong
)

data class Address(
    val account: Long,
    val index: Long,
    val address: String,
    val label: String,
    /** Whether it has received money. */
    val used: Boolean
)

/** An open wallet. It refreshes itself; reads answer at once, from what it has scanned. */
class Wallet internal constructor(
    val name: String,
    private val engine: Engine,
    /** Every operation of the wallet service, on this wallet. */
    val rpc: WalletOperations
) {
    /** Returns the balance of one account, or of the wallet. */
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

    /** Returns the addresses of an account; the first of account 0 is the wallet's primary address. */
    suspend fun addresses(account: Long = 0): List<Address> {
        val found = rpc.getAddress(GetAddressRequest(accountIndex = account)).addresses
        return found.map { Address(account, it.addressIndex, it.address, it.label, it.used) }
    }

    /** Creates a subaddress, for example for one payer. */
    suspend fun newAddress(account: Long = 0, label: String = ""): Address {
        val a = rpc.createAddress(CreateAddressRequest(accountIndex = account, label = label))
        return Address(account, a.addressIndex, a.address, label, false)
    }

    /** Labels an account, or with an index one of its addresses. */
    suspend fun label(text: String, account: Long, index: Long? = null) {
        if (index == null) rpc.labelAccount(LabelAccountRequest(accountIndex = account, label = text))
        else rpc.labelAddress(LabelAddressRequest(index = SubaddressIndex(account, index), label = text))
    }

    /** Returns the number of blocks that the wallet has scanned. */
    suspend fun height(): Long = rpc.getHeight().height.toLong()

    /**
     * Scans to the end of the chain. If it is cancelled, what was scanned is kept. [progress] is called while blocks
     * are scanned, on a thread of the engine, which waits until the call returns. The last call, with a
     * [SyncProgress.done] of 1.0, happens before sync returns. [syncProgress] is the same as a Flow.
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

    /** Makes the transactions of a payment, with their fee, without sending them: the preview's confirm() does that. */
    suspend fun send(what: Send, priority: Long = 0, account: Long = 0): Preview =
        Preview.prepare(rpc, what, priority, account)

    /** Returns received and sent transfers, newest first; of one account or of all, above a height. */
    suspend fun history(account: Long? = null, since: Long? = null): List<Transfer> = transfers(rpc, account, since)

    /** Returns the note of a transaction; empty for none. */
    suspend fun note(txid: String): String =
        rpc.getTxNotes(GetTxNotesRequest(txids = listOf(txid))).notes.firstOrNull() ?: ""

    suspend fun setNote(txid: String, text: String) =
        rpc.setTxNotes(SetTxNotesRequest(txids = listOf(txid), notes = listOf(text)))

    /** Returns the wallet's seed. Anyone with it has the money. */
    suspend fun seed(): String = rpc.queryKey(QueryKeyRequest(keyType = "mnemonic")).key

    /**
     * Removes the spend key from memory. The wallet keeps scanning, and operations that need the key ask the
     * [PasswordStore]. The first call needs the wallet's password, in order to store separately what scanning needs.
     */
    suspend fun lock(password: String? = null) {
        if (password != null) {
            rpc.setupBackgroundSync(
                SetupBackgroundSyncRequest(backgroundSyncType = "reuse-wallet-password", walletPassword = password)
            )
        }
        rpc.startBackgroundSync()
    }

    suspend fun unlock(password: String) = rpc.stopBackgroundSync(StopBackgroundSyncRequest(walletPassword = password))

    /**
     * Makes a file NAME.background, which [Glim.open] opens with its own password, and which scans but cannot spend. It
     * is for work while the phone is locked. Opening the wallet takes over what was found. The wallet must be closed
     * before the file is opened.
     */
    suspend fun allowBackground(password: String, backgroundPassword: String) = rpc.setupBackgroundSync(
        SetupBackgroundSyncRequest(
            backgroundSyncType = "custom-background-password",
            walletPassword = password,
            backgroundCachePassword = backgroundPassword
        )
    )

    suspend fun changePassword(old: String, password: String) =
        rpc.changeWalletPassword(ChangeWalletPasswordRequest(oldPassword = old, newPassword = password))

    /** Closes the wallet; everything is already stored. */
    suspend fun close() = rpc.closeWallet(CloseWalletRequest())

    /**
     * Reports the events after [cursor], which is that of the last known event or 0, each once and in order, and then
     * new events as they happen; null selects only new events. Both functions are called on a thread of the engine, and
     * the next events wait until the call returns. [ended] is the last call, with null unless something failed. Closing
     * the returned object stops it.
     */
    fun follow(cursor: ULong?, ended: (GlimException?) -> Unit = {}, tell: (List<Event>) -> Unit): Closeable {
        val place = engine.follow(name, cursor?.toString() ?: "", object : Listener {
            override fun events(json: String) = tell(Json.asList(Json.read(json)) { Event.read(Json.asObject(it)) })
            override fun end(code: Int, message: String) = ended(if (code == 0) null else GlimException(code, message))
        })
        return Closeable { place.cancel() }
    }
}
