package glim

import glim.rpc.Event

/** The result of scanning the chain. */
data class Synced(val blocks: Long, val received: Boolean)

/** How far the chain has been scanned. Heights count blocks. */
data class SyncProgress(
    /** Number of blocks that the wallet has scanned. */
    val height: Long,
    /** Number of blocks to scan. */
    val target: Long,
    /** From 0 to 1, of what there was to scan at the beginning. */
    val done: Double,
    /** Estimated from the speed so far; null before anything was scanned. */
    val secondsLeft: Double?
)

/**
 * Turns the events of a wallet into calls of [tell], one at a time and only forward, starting at the height [from].
 * [tell] is not called after [end], even though the engine's threads may still deliver events.
 */
internal class Meter(
    private val from: Long,
    private val tell: (SyncProgress) -> Unit,
    private val nanoTime: () -> Long = System::nanoTime
) {
    private val began = nanoTime()
    private var height = from
    private var target = from
    private var ended = false

    @Synchronized
    fun hear(events: List<Event>) {
        for (e in events) {
            if (e.type == "sync") come(e.height?.toLong() ?: 0, e.targetHeight?.toLong() ?: 0)
        }
    }

    /** The last call reports that everything has been scanned. */
    @Synchronized
    fun finish(height: Long) {
        val last = maxOf(height, this.height)
        if (!ended) tell(SyncProgress(last, last, 1.0, 0.0))
        ended = true
    }

    @Synchronized
    fun end() {
        ended = true
    }

    private fun come(h: Long, t: Long) {
        if (ended || h < height || h == height && t == target || t <= h) return
        height = h
        target = t
        val done = (h - from).toDouble() / (t - from)
        val seconds = (nanoTime() - began) / 1e9
        tell(SyncProgress(h, t, done, if (done > 0) seconds * (1 - done) / done else null))
    }
}
