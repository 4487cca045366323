package glim.sample

import android.content.Context
import androidx.work.Constraints
import androidx.work.CoroutineWorker
import androidx.work.ExistingPeriodicWorkPolicy
import androidx.work.NetworkType
import androidx.work.PeriodicWorkRequestBuilder
import androidx.work.WorkManager
import androidx.work.WorkerParameters
import glim.GlimException
import java.util.concurrent.TimeUnit

/**
 * Scans the chain in the background with a file that cannot spend. When its time is up it is cancelled, and what was
 * scanned is kept.
 */
class SyncWorker(context: Context, parameters: WorkerParameters) : CoroutineWorker(context, parameters) {
    override suspend fun doWork(): Result {
        val app = applicationContext as App
        if (app.vault.isEmpty) return Result.success()
        return try {
            val open = app.wallet
            if (open != null) {
                open.sync()
            } else {
                val watch = app.glim.open(App.NAME + ".background", app.vault.background())
                try {
                    watch.sync()
                } finally {
                    watch.rpc.closeWallet()
                }
            }
            Result.success()
        } catch (e: GlimException) {
            Result.retry()
        }
    }

    companion object {
        /** Schedules it every few hours. */
        fun schedule(context: Context) {
            val work = PeriodicWorkRequestBuilder<SyncWorker>(4, TimeUnit.HOURS)
                .setConstraints(
                    Constraints.Builder()
                        .setRequiredNetworkType(NetworkType.UNMETERED)
                        .setRequiresBatteryNotLow(true)
                        .build()
                )
                .build()
            WorkManager.getInstance(context).enqueueUniquePeriodicWork("sync", ExistingPeriodicWorkPolicy.KEEP, work)
        }
    }
}
