package glim

import glim.rpc.Event
import kotlinx.coroutines.channels.awaitClose
import kotlinx.coroutines.channels.trySendBlocking
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.callbackFlow
import kotlinx.coroutines.flow.channelFlow
import kotlinx.coroutines.flow.conflate

/**
 * The events of a wallet after [cursor], which is that of the last known event or 0, each once and in order; null
 * selects only new events. A slow collector delays only this flow. The flow completes when the wallet is closed.
 */
fun Wallet.events(cursor: ULong? = null): Flow<Event> = callbackFlow {
    val place = follow(cursor, ended = { close(it) }) { events ->
        for (e in events) trySendBlocking(e) // fails if the collector has stopped, and then nothing is lost
    }
    awaitClose { place.close() }
}

/**
 * Scans to the end of the chain each time it is collected, as [Wallet.sync] does, and emits the progress. It completes
 * after a [SyncProgress.done] of 1.0. A slow collector gets the newest value and misses earlier ones. Cancelling the
 * collector cancels the scan; what was scanned is kept.
 */
fun Wallet.syncProgress(): Flow<SyncProgress> = channelFlow {
    sync { trySend(it) }
}.conflate()
