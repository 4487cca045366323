package glim.sample

import android.app.Application
import android.util.Log
import glim.Config
import glim.Daemon
import glim.Glim
import glim.Network
import glim.Wallet
import java.io.File

/** Holds the process's only engine, which the screens and the background work share. */
class App : Application() {
    val vault by lazy { Vault(this) }

    val glim: Glim by lazy {
        Glim.start(
            Config(
                network = Network.STAGENET,
                folder = File(noBackupFilesDir, "wallets"),
                daemon = Daemon(BuildConfig.DAEMON),
                passwords = vault,
                memory = 256L shl 20,
                log = { level, line -> Log.println(if (level == 0) Log.ERROR else Log.INFO, "glim", line) }
            )
        )
    }

    /** The open wallet, if any. */
    @Volatile
    var wallet: Wallet? = null

    override fun onTrimMemory(level: Int) {
        super.onTrimMemory(level)
        Glim.trim()
    }

    companion object {
        const val NAME = "main"
    }
}
