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

/** The network a wallet belongs to. */
enum class Network(internal val id: String) {
    MAINNET("mainnet"), STAGENET("stagenet"), TESTNET("testnet"), REGTEST("regtest")
}

/** How to reach a daemon. */
data class Daemon(
    /** host:port or URL */
    val address: String,
    val username: String = "",
    val password: String = "",
    /** use operations that take the daemon's word */
    val trusted: Boolean = false,
    /** SOCKS host:port, as Tor's; not with an [HttpStack] */
    val proxy: String = "",
    /** whether TLS is spoken; null for whatever the daemon speaks */
    val tls: Boolean? = null,
    /** SHA-256 of certificates to trust, hexadecimal; not with an [HttpStack] */
    val fingerprints: List<String> = emptyList()
) {
    override fun toString() = "Daemon($address)"
}

/** How to start. Only one engine at a time may use a folder or a storage. */
class Config(
    val network: Network = Network.MAINNET,
    /** Where wallets are files: a folder of the app's own, such as File(context.noBackupFilesDir, "wallets"). */
    val folder: File? = null,
    /** In the place of a folder. */
    val storage: Storage? = null,
    val daemon: Daemon? = null,
    val http: HttpStack? = null,
    val passwords: PasswordStore? = null,
    /** Bytes that the engine tries to stay within; 0 for no ceiling. */
    val memory: Long = 0,
    /** Cores to scan with; 0 for all. */
    val workers: Int = 0,
    /** Accounts, and addresses of each, to look ahead for money in; null for 50 and 200. */
    val lookahead: Pair<Int, Int>? = null,
    /** Is told what happens, from any thread: 0 an error, 1 a warning, 2 information. Nothing secret is logged. */
    val log: ((level: Int, line: String) -> Unit)? = null
)

/** What a wallet is restored from. */
sealed class Source {
    /** Twenty-five words, or sixteen. The offset is the passphrase over them. */
    class Words(val words: String, val offset: String = "", val language: String = "") : Source()

    /** Keys, 64 hexadecimal digits each; without a spend key the wallet only watches. */
    class Keys(val address: String, val viewKey: String, val spendKey: String = "") : Source()
}

/** An engine with its wallets. It refreshes those that are open. */
class Glim private constructor(private val engine: Engine) : AutoCloseable {
    /** Every operation on the wallet that is open without a name, and those that need no wallet. */
    val rpc = WalletOperations(ask(engine, ""))

    /** Makes a wallet. Of the kind "polyseed" it has sixteen words, which know their date. */
    suspend fun create(name: String, password: String, language: String = "English", polyseed: Boolean = false): Wallet {
        val wallet = wallet(name)
        val kind = if (polyseed) "polyseed" else ""
        wallet.rpc.createWallet(CreateWalletRequest(password = password, language = language, seedType = kind))
        return wallet
    }

    /** Makes a wallet that was lost again. It reads the chain from [height], or from a day before [date], YYYY-MM-DD; else from its beginning. */
    suspend fun restore(name: String, password: String, from: Source, height: Long = 0, date: String? = null): Wallet {
        val wallet = wallet(name)
        when (from) {
            is Source.Words -> wallet.rpc.restoreDeterministicWallet(
                RestoreDeterministicWalletRequest(
                    password = password, seed = from.words, seedOffset = from.offset, language = from.language,
                    restoreHeight = height.toULong(), restoreDate = date
                )
            )
            is Source.Keys -> wallet.rpc.generateFromKeys(
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

    /** The way to a wallet that is open already. */
    fun wallet(name: String) = Wallet(name, engine, WalletOperations(ask(engine, name)))

    /** Ends what is under way and closes every wallet. It waits for that: not for the main thread. */
    override fun close() = engine.close()

    companion object {
        /** Starts an engine; it waits for nothing. */
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
            config.http?.let { o.http = HttpHost(it) }
            config.passwords?.let { o.keyStore = KeyHost(it) }
            config.log?.let { tell -> o.logger = Logger { level, line -> tell(level, line) } }
            o.memory = config.memory
            o.workers = config.workers
            config.lookahead?.let { (accounts, addresses) -> o.accounts = accounts; o.addresses = addresses }
            return Glim(Bridge.open(o))
        }

        /** Gives memory that nobody uses back to the system: for onTrimMemory. */
        fun trim() = Bridge.trim()
    }
}

/** The way of operations to a wallet: a cancelled coroutine cancels its call. */
internal fun ask(engine: Engine, wallet: String): Ask = { method, params ->
    suspendCancellableCoroutine { c ->
        val task = engine.start(wallet, method, params, object : Receiver {
            override fun result(json: String) = c.resume(json)
            override fun failure(code: Int, message: String) {
                if (c.isActive) c.resumeWithException(GlimException(code, message)) // who cancelled knows
            }
        })
        c.invokeOnCancellation { task.cancel() }
    }
}
