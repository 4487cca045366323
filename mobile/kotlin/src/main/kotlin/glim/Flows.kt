package glim

import glim.rpc.Event
import kotlinx.coroutines.channels.awaitClose
import kotlinx.coroutines.channels.trySendBlocking
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.callbackFlow
import kotlinx.coroutines.flow.channelFlow
import kotlinx.coroutines.flow.conflate

/**
 * What happens to a wallet, after a cursor, the last event known or 0, each event once and in order; null is only what is to come. Who
 * collects slowly holds up nobody but this flow. It completes when the wallet closes.
 */
fun Wallet.events(cursor: ULong? = null): Flow<Event> = callbackFlow {
    val place = follow(cursor, ended = { close(it) }) { events ->
        for (e in events) trySendBlocking(e) // fails when nobody collects any more, and then there is nothing to tell
    }
    awaitClose { place.close() }
}

/**
 * Reads the chain to its end, as [Wallet.sync] does, each time it is collected, and tells how far it has come. It completes after a
 * [SyncProgress.done] of 1.0. A slow collector gets the newest value and misses some before it; cancelling it cancels the reading, and
 * what was read stays.
 */
fun Wallet.syncProgress(): Flow<SyncProgress> = channelFlow {
    sync { trySend(it) }
}.conflate()
