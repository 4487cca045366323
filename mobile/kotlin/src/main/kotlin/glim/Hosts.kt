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

/** Carries requests to the daemon in the place of the engine's own sockets: the app's Tor, its judgement of certificates, its stack. */
interface HttpStack {
    /** Posts and returns what came back, whatever its status. What it throws is the failure. It is cancelled when nobody waits. */
    suspend fun post(request: HttpRequest): HttpAnswer
}

class HttpRequest(
    val url: String,
    val contentType: String,
    /** The header of that name; empty for none. */
    val authorization: String,
    val body: ByteArray,
    /** How many bytes an answer may have. */
    val limit: Long
)

class HttpAnswer(
    val status: Int,
    val body: ByteArray,
    /** The headers WWW-Authenticate of a 401, a line each. */
    val authenticate: String = ""
)

/** Where the app keeps passwords of wallets: behind a fingerprint, in Android's Keystore. */
interface PasswordStore {
    /**
     * Returns the wallet's password, for an operation that needs its spend key while that is away; null refuses. It is cancelled when
     * nobody waits.
     */
    suspend fun password(wallet: String, operation: String): String?
}

/** What goes on for the engine, by the number of what it asked. */
private class Jobs {
    private val scope = CoroutineScope(SupervisorJob() + Dispatchers.IO)
    private val running = ConcurrentHashMap<Long, Job>()

    fun start(id: Long, work: suspend () -> Unit) {
        val job = scope.launch { work() }
        running[id] = job
        job.invokeOnCompletion { running.remove(id) }
        if (job.isCompleted) running.remove(id) // it was faster
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
