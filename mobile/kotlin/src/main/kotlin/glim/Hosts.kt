package glim

import glim.bridge.HTTP
import glim.bridge.KeyStore
import glim.bridge.Question
import glim.bridge.Request
import java.util.concurrent.ConcurrentHashMap
import kotlinx.coroutines.CancellationException
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.Job
import kotlinx.coroutines.SupervisorJob
import kotlinx.coroutines.launch

/**
 * Sends requests to the daemon instead of the engine's own sockets, for an app with its own Tor, certificate checks or
 * HTTP stack.
 */
interface HttpStack {
    /**
     * Posts a request and returns the response, whatever its status. If it throws, the request has failed. It is
     * cancelled when the response is no longer needed.
     */
    suspend fun post(request: HttpRequest): HttpAnswer
}

class HttpRequest(
    val url: String,
    val contentType: String,
    /** The Authorization header; empty for none. */
    val authorization: String,
    val body: ByteArray,
    /** The largest allowed response, in bytes. */
    val limit: Long
)

class HttpAnswer(
    val status: Int,
    val body: ByteArray,
    /** The WWW-Authenticate headers of a 401 response, one per line. */
    val authenticate: String = ""
)

/** Where the app keeps the passwords of wallets, for example in Android's Keystore, protected by a fingerprint. */
interface PasswordStore {
    /**
     * Returns the wallet's password, for an operation that needs the spend key while it is not in memory; null refuses.
     * It is cancelled when the password is no longer needed.
     */
    suspend fun password(wallet: String, operation: String): String?
}

/** The jobs that run for the engine, by the number of their request. */
private class Jobs {
    private val scope = CoroutineScope(SupervisorJob() + Dispatchers.IO)
    private val running = ConcurrentHashMap<Long, Job>()

    fun start(id: Long, work: suspend () -> Unit) {
        val job = scope.launch { work() }
        running[id] = job
        job.invokeOnCompletion { running.remove(id) }
        if (job.isCompleted) running.remove(id) // it may have completed already
    }

    fun cancel(id: Long) {
        running.remove(id)?.cancel()
    }
}

internal class HttpHost(private val stack: HttpStack) : HTTP {
    private val jobs = Jobs()

    override fun send(r: Request) = jobs.start(r.id()) {
        try {
            val request = HttpRequest(r.url(), r.contentType(), r.authorization(), r.body() ?: ByteArray(0), r.limit())
            val answer = stack.post(request)
            r.answer(answer.status, answer.authenticate, answer.body)
        } catch (e: CancellationException) {
            r.fail("cancelled")
        } catch (e: Exception) {
            r.fail(e.toString())
        }
    }

    override fun abort(r: Request) = jobs.cancel(r.id())
}

internal class KeyHost(private val store: PasswordStore) : KeyStore {
    private val jobs = Jobs()

    override fun ask(q: Question) = jobs.start(q.id()) {
        try {
            val password = store.password(q.wallet(), q.operation())
            if (password == null) q.refuse() else q.answer(password)
        } catch (e: Throwable) {
            q.refuse()
        }
    }

    override fun forget(q: Question) = jobs.cancel(q.id())
}
