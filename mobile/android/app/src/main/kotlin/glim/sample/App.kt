package glim.sample

import android.app.Application
import android.util.Log
import glim.Config
import glim.Daemon
import glim.Glim
import glim.Network
import glim.Wallet
import java.io.File

/** Holds the one engine of the process: the screens and the work in the background share it. */
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

    /** The wallet while it is open. */
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
