package glim

import glim.bridge.Bridge
import glim.bridge.Engine
import glim.bridge.Logger
import glim.bridge.Options
import glim.bridge.Receiver
import glim.bridge.Storage
import glim.rpc.Ask
import glim.rpc.CreateWalletRequest
import glim.rpc.GenerateFromKeysRequest
import glim.rpc.OpenWalletRequest
import glim.rpc.RestoreDeterministicWalletRequest
import glim.rpc.WalletOperations
import java.io.File
import kotlin.coroutines.resume
import kotlin.coroutines.resumeWithException
import kotlinx.coroutines.suspendCancellableCoroutine

/** The network of a wallet. */
enum class Network(internal val id: String) {
    MAINNET("mainnet"), STAGENET("stagenet"), TESTNET("testnet"), REGTEST("regtest")
}

/** How to connect to a daemon. */
data class Daemon(
    /** host:port or URL */
    val address: String,
    val username: String = "",
    val password: String = "",
    /** Whether to use operations that trust the daemon's answers. */
    val trusted: Boolean = false,
    /** SOCKS proxy as host:port, for example Tor; not with an [HttpStack]. */
    val proxy: String = "",
    /** Whether to use TLS; null detects it. */
    val tls: Boolean? = null,
    /** SHA-256 fingerprints of accepted certificates, in hexadecimal; not with an [HttpStack]. */
    val fingerprints: List<String> = emptyList()
) {
    override fun toString() = "Daemon($address)"
}

/** How to start an engine. Only one engine at a time may use a folder or a storage. */
class Config(
    val network: Network = Network.MAINNET,
    /** Folder of the wallet files, private to the app, such as File(context.noBackupFilesDir, "wallets"). */
    val folder: File? = null,
    /** Storage to use instead of a folder. */
    val storage: Storage? = null,
    val daemon: Daemon? = null,
    val http: HttpStack? = null,
    val passwords: PasswordStore? = null,
    /**
     * DNS server that looks up OpenAlias names, such as donate.getmonero.org: tcp://ADDRESS with an IP address, or tcp
     * for public servers; "" to look up no names. Queries go through the proxy of [daemon]. Not with an [HttpStack].
     */
    val names: String = "",
    /** Memory limit that the engine tries to keep, in bytes; 0 for none. */
    val memory: Long = 0,
    /** Number of cores to scan with; 0 for all. */
    val workers: Int = 0,
    /** Number of accounts, and of addresses in each, of the lookahead; null for 50 and 200. */
    val lookahead: Pair<Int, Int>? = null,
    /**
     * Receives log lines, on any thread, with the level 0 for errors, 1 for warnings, 2 for information. They contain
     * no secrets.
     */
    val log: ((level: Int, line: String) -> Unit)? = null
)

/** What a wallet is restored from. */
sealed class RestoreSource {
    /**
     * A seed of 25 words, or a Polyseed of 16. The offset is its passphrase. With the type "mymonero", "trezor" or
     * "ledger" the seed of that wallet; a Trezor and a Ledger have accounts.
     */
    class Words(
        val words: String, val offset: String = "", val language: String = "", val type: String = "",
        val account: Long = 0
    ) : RestoreSource()

    /** Keys, 64 hexadecimal digits each. Without a spend key the wallet is view-only. */
    class Keys(val address: String, val viewKey: String, val spendKey: String = "") : RestoreSource()
}

/** An engine with its wallets. It refreshes the open ones. */
class Glim private constructor(private val engine: Engine) : AutoCloseable {
    /** Every operation of the engine that does not need an open wallet, or that uses the one opened without a name. */
    val rpc = WalletOperations(ask(engine, ""))

    /** Creates a wallet. With the kind "polyseed" its seed has 16 words, which include its birthday. */
    suspend fun create(
        name: String, password: String, language: String = "English", polyseed: Boolean = false
    ): Wallet {
        val wallet = wallet(name)
        val kind = if (polyseed) "polyseed" else ""
        wallet.rpc.createWallet(CreateWalletRequest(password = password, language = language, seedType = kind))
        return wallet
    }

    /**
     * Restores a wallet. It scans from the block [height], or from a day before [date] (YYYY-MM-DD), or else the whole
     * chain.
     */
    suspend fun restore(
        name: String, password: String, from: RestoreSource, height: Long = 0, date: String? = null
    ): Wallet {
        val wallet = wallet(name)
        when (from) {
            is RestoreSource.Words -> wallet.rpc.restoreDeterministicWallet(
                RestoreDeterministicWalletRequest(
                    password = password, seed = from.words, seedOffset = from.offset, language = from.language,
                    restoreHeight = height.toULong(), restoreDate = date, seedType = from.type, account = from.account
                )
            )
            is RestoreSource.Keys -> wallet.rpc.generateFromKeys(
                GenerateFromKeysRequest(
                    password = password, address = from.address, viewkey = from.viewKey, spendkey = from.spendKey,
                    restoreHeight = height.toULong(), restoreDate = date
                )
            )
        }
        return wallet
    }

    /** Opens a wallet. */
    suspend fun open(name: String, password: String): Wallet {
        val wallet = wallet(name)
        wallet.rpc.openWallet(OpenWalletRequest(password = password))
        return wallet
    }

    /** Returns a wallet that is already open. */
    fun wallet(name: String) = Wallet(name, engine, WalletOperations(ask(engine, name)))

    /** Ends all work and closes every wallet. It blocks until that is done, so do not call it on the main thread. */
    override fun close() = engine.close()

    companion object {
        /** Starts an engine. It does not block. */
        fun start(config: Config): Glim {
            val o = Options()
            o.network = config.network.id
            config.folder?.let { o.folder = it.path }
            config.storage?.let { o.storage = it }
            config.daemon?.let { d ->
                o.daemon = d.address
                o.username = d.username
                o.password = d.password
                o.trusted = d.trusted
                o.proxy = d.proxy
                o.tls = when (d.tls) { null -> ""; true -> "enabled"; false -> "disabled" }
                o.fingerprints = d.fingerprints.joinToString(",")
            }
            o.names = config.names
            config.http?.let { o.http = HttpHost(it) }
            config.passwords?.let { o.keyStore = KeyHost(it) }
            config.log?.let { tell -> o.logger = Logger { level, line -> tell(level, line) } }
            o.memory = config.memory
            o.workers = config.workers
            config.lookahead?.let { (accounts, addresses) -> o.accounts = accounts; o.addresses = addresses }
            return Glim(Bridge.open(o))
        }

        /** Returns unused memory to the system, for onTrimMemory. */
        fun trim() = Bridge.trim()
    }
}

/** Calls the operations of a wallet. Cancelling the coroutine cancels the call. */
internal fun ask(engine: Engine, wallet: String): Ask = { method, params ->
    suspendCancellableCoroutine { c ->
        val task = engine.start(wallet, method, params, object : Receiver {
            override fun result(json: String) = c.resume(json)
            override fun failure(code: Int, message: String) {
                // a cancelled caller needs no exception
                if (c.isActive) c.resumeWithException(GlimException(code, message))
            }
        })
        c.invokeOnCancellation { task.cancel() }
    }
}
