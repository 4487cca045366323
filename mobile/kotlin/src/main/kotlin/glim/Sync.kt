package glim

import glim.rpc.Event

/** What reading the chain brought. */
data class Synced(val blocks: Long, val received: Boolean)

/** How far reading the chain has come. Heights count blocks. */
data class SyncProgress(
    /** what the wallet has read */
    val height: Long,
    /** what there is to read */
    val target: Long,
    /** from 0 to 1, of what there was to read at the beginning */
    val done: Double,
    /** at the speed so far; null before anything was read */
    val secondsLeft: Double?
)

/**
 * Turns the events of a wallet into calls of [tell], one at a time and never back, from where the wallet was at [from]. After [end]
 * there is none: events may still come then, on the engine's threads.
 */
internal class Meter(private val from: Long, private val tell: (SyncProgress) -> Unit, private val nanoTime: () -> Long = System::nanoTime) {
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

    /** The last call says that all was read. */
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
