package glim

import glim.rpc.Code
import glim.rpc.Destination
import glim.rpc.Event
import glim.rpc.Json
import glim.rpc.TransferRequest
import java.io.File
import java.net.HttpURLConnection
import java.net.URL
import java.util.Collections
import java.util.concurrent.CountDownLatch
import java.util.concurrent.TimeUnit
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.async
import kotlinx.coroutines.coroutineScope
import kotlinx.coroutines.flow.first
import kotlinx.coroutines.flow.onEach
import kotlinx.coroutines.flow.toList
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.withContext
import kotlinx.coroutines.withTimeout

/**
 * Uses wallets as an app does. The arguments are a folder, a daemon's URL and an address of another wallet to mine to.
 */
fun main(args: Array<String>) {
    try {
        money()
        json()
        meter()
        Life(File(args[0]), args[1], args[2]).live()
        println("lived")
        System.exit(0) // the engine's threads would keep the JVM running
    } catch (e: Throwable) {
        e.printStackTrace()
        System.exit(1)
    }
}

private fun check(ok: Boolean, what: () -> String) {
    if (!ok) throw AssertionError(what())
}

private fun <T> same(want: T, got: T) = check(want == got) { "want $want, got $got" }

private fun money() {
    val amounts = listOf(
        "1.5" to 1_500_000_000_000uL, "0" to 0uL, "0.000000000001" to 1uL, "18446744.073709551615" to ULong.MAX_VALUE
    )
    for ((text, atomic) in amounts) {
        same(text, formatXMR(atomic))
        same(atomic, parseXMR(text))
    }
    val invalid = listOf("", ".", "-1", "1e3", "0.0000000000001", "18446744.073709551616", "1,5", "123456789")
    for (text in invalid) same(null, parseXMR(text))
    same(500_000_000_000uL, parseXMR(" .5 "))
}

private fun json() {
    val text = """{"a":[1,"zo\u00eb \ud83e\udd8a",true,null,{"b":"18446744073709551615"}],"c":-1.5e3,"":""}"""
    val o = Json.read(text) as Map<*, *>
    same(listOf("a", "c", ""), o.keys.toList())
    same("zo\u00eb \ud83e\udd8a", (o["a"] as List<*>)[1])
    val written = StringBuilder()
    Json.any(o, written)
    same(o, Json.read(written.toString()) as Map<*, *>)
    val malformed = listOf(
        "", "{", "[1,]", "{\"a\"}", "\"\\x\"", "\"", "tru", "1 2", "[".repeat(100), "{\"a\":1,}", "-", "\"\n\"", "nul"
    )
    for (bad in malformed) {
        try {
            Json.read(bad)
            throw AssertionError("$bad was read")
        } catch (e: GlimException) {
            same(GlimException.BROKEN, e.code)
        }
    }
    // Secrets must not appear in logs.
    same("OpenWalletRequest(…)", glim.rpc.OpenWalletRequest(password = "secret").toString())
    same("Daemon(x)", Daemon("x", "me", "secret").toString())
}

/** Progress only moves forward, whatever the order of events, and nothing is reported after the end. */
private fun meter() {
    fun event(height: Int, target: Int, type: String = "sync") =
        Event.read(
            Json.asObject(Json.read("""{"cursor":"1","type":"$type","height":"$height","target_height":"$target"}"""))
        )
    val told = ArrayList<SyncProgress>()
    var now = 0L
    val m = Meter(100, { told.add(it) }) { now }
    m.hear(listOf(event(100, 300), event(100, 300), event(150, 300, "height")))
    now = 10_000_000_000
    m.hear(listOf(event(150, 300), event(120, 300), event(90, 80), event(300, 300)))
    m.hear(listOf(event(250, 400)))
    m.finish(400)
    m.finish(401)
    m.hear(listOf(event(410, 420)))
    same(
        listOf(
            SyncProgress(100, 300, 0.0, null), SyncProgress(150, 300, 0.25, 30.0), SyncProgress(250, 400, 0.5, 10.0),
            SyncProgress(400, 400, 1.0, 0.0)
        ),
        told.toList()
    )
    val cut = Meter(1, { throw AssertionError("told $it") })
    cut.end()
    cut.hear(listOf(event(2, 3)))
    cut.finish(3)
}

private const val COIN = 1_000_000_000_000uL

private class Life(private val folder: File, private val daemon: String, private val otherAddress: String) {
    private val asked = ArrayList<String>()
    private var agrees = true
    private var requests = 0
    private var gate: CompletableDeferred<Unit>? = null // if set, requests for blocks wait until it completes

    fun live() = runBlocking {
        val glim = Glim.start(config(null))
        val me = glim.create("me", "secret")
        val you = glim.create("you", "secret", polyseed = true)
        same(25, me.seed().split(" ").size)
        same(16, you.seed().split(" ").size)
        val address = me.addresses().first().address

        val unlocked = CountDownLatch(1)
        val heard = ArrayList<Event>()
        val place = me.follow(null) { events ->
            synchronized(heard) { heard.addAll(events) }
            if (events.any { it.type == "unlocked" }) unlocked.countDown()
        }
        mine(3, address)
        mine(76, otherAddress)
        same(79L, me.sync().blocks)
        check(unlocked.await(5, TimeUnit.MINUTES)) { "no event" }
        place.close()
        same(80L, me.height())
        val before = me.balance()
        check(before.unlocked > COIN && before.blocksToUnlock == 0L) { "$before" }

        pay(me, you)
        refusals(glim, me)
        restored(glim, me)
        val after = me.balance()
        withContext(Dispatchers.IO) { glim.close() }
        try {
            me.balance()
            throw AssertionError("closed is not closed")
        } catch (e: GlimException) {
            same(GlimException.CANCELLED, e.code)
        }
        again(after)
    }

    private suspend fun pay(me: Wallet, you: Wallet) {
        val to = you.newAddress(label = "from me")
        val preview = me.send(Send.To(to.address, COIN), priority = 1)
        same(COIN, preview.amount)
        val sent = preview.confirm()
        same(sent, preview.confirm())
        same(1, sent.size)
        me.setNote(sent[0], "rent")
        settle()
        mine(1, otherAddress)
        me.sync()
        you.sync()
        same(COIN, you.balance().total)
        val out = me.history().first { it.type == Transfer.Type.OUT }
        same(listOf(Destination(COIN, to.address)), out.destinations)
        same("rent", out.note)
        same(preview.fee, out.fee)
        check(me.history().filter { it.type == Transfer.Type.BLOCK }.size == 3) { "mined blocks are missing" }
        check(you.addresses().any { it.used && it.label == "from me" }) { "the address is not used" }
    }

    private suspend fun refusals(glim: Glim, me: Wallet) {
        refused(Code.WRONG_ADDRESS) { me.send(Send.To("nonsense", COIN)) }
        refused(Code.ZERO_AMOUNT) { me.send(Send.To("monero:" + me.addresses()[0].address)) }
        refused(Code.NOT_OPEN) { glim.wallet("nobody").balance() }
        refused(Code.UNKNOWN) { glim.open("me", "wrong") }
        refused(Code.NOT_ENOUGH_MONEY, Code.NOT_ENOUGH_UNLOCKED_MONEY, Code.TX_NOT_POSSIBLE) {
            me.rpc.transfer(TransferRequest(destinations = listOf(Destination(1_000_000uL * COIN, otherAddress))))
        }
        // Cancelling a coroutine cancels its call.
        runBlocking {
            val job = launch(Dispatchers.IO) { me.rpc.rescanBlockchain() }
            job.cancel()
            job.join()
            check(job.isCancelled) { "it was not cancelled" }
        }
        me.sync()
        runBlocking {
            same(List(20) { me.height() }, List(20) { async(Dispatchers.IO) { me.height() } }.map { it.await() })
        }
    }

    private suspend fun refused(vararg codes: Int, what: suspend () -> Unit) {
        try {
            what()
        } catch (e: GlimException) {
            check(e.code in codes) { "${e.code} ${e.message}" }
            return
        }
        throw AssertionError("it was not refused with ${codes.toList()}")
    }

    private suspend fun restored(glim: Glim, me: Wallet) {
        val copy = glim.restore("copy", "other", RestoreSource.Words(me.seed()))
        copy.sync()
        same(me.balance().total, copy.balance().total)
        same(me.addresses()[0].address, copy.addresses()[0].address)
        copy.close()
    }

    /** Another engine, with the app's own HTTP and passwords. */
    private suspend fun again(balance: Balance) {
        val glim = Glim.start(config(object : HttpStack {
            override suspend fun post(request: HttpRequest): HttpAnswer {
                requests++
                if ("blocks" in request.url) gate?.await()
                return fetch(request.url, request.contentType, request.body)
            }
        }))
        val me = glim.open("me", "secret")
        same(balance, me.balance())
        me.lock("secret")
        mine(1, otherAddress)
        me.sync()
        check(requests > 0) { "the HTTP stack got no requests" }
        check(asked.isEmpty()) { "$asked" }
        same(25, me.seed().split(" ").size)
        same(listOf("me query_key"), asked)
        agrees = false
        refused(GlimException.NO_KEY) { me.seed() }
        me.unlock("secret")
        me.seed()
        progress(glim, me)
        me.allowBackground("secret", "watch")
        closed(me)
        val watch = glim.open("me.background", "watch")
        mine(1, otherAddress)
        watch.sync()
        refused(Code.IS_BACKGROUND_WALLET) { watch.seed() }
        watch.close()
        same(watchHeight, glim.open("me", "secret").height())
        withContext(Dispatchers.IO) { glim.close() }
    }

    /** While sync() waits for blocks, it reports its progress, also to a collector of the flow. */
    private suspend fun progress(glim: Glim, me: Wallet) {
        suspend fun <T> gated(work: suspend (open: () -> Unit) -> T): T = withTimeout(300_000) {
            val closed = CompletableDeferred<Unit>()
            gate = closed
            mine(25, otherAddress)
            try {
                work { closed.complete(Unit) }
            } finally {
                closed.complete(Unit)
                gate = null
            }
        }

        fun whole(told: List<SyncProgress>) {
            val top = mined + 1L
            same(SyncProgress(top, top, 1.0, 0.0), told.last())
            same(SyncProgress(top - 25, top, 0.0, null), told.first())
            for ((before, after) in told.zipWithNext()) {
                check(before.height <= after.height && before.done <= after.done) { "$told" }
            }
        }
        val told = Collections.synchronizedList(ArrayList<SyncProgress>())
        gated { open ->
            me.sync { p ->
                told.add(p)
                open()
            }
        }
        whole(told)
        whole(gated { open -> me.syncProgress().onEach { open() }.toList() })
        // Cancelled after the first value, it stops scanning; nothing is lost.
        gated { me.syncProgress().first() }
        me.sync()
        same(mined + 1L, me.height())
        refused(Code.NOT_OPEN) { glim.wallet("nobody").syncProgress().toList() }
    }

    /** Closes the wallet: a flow of its events starts with the first and completes. */
    private suspend fun closed(me: Wallet) = coroutineScope {
        val begun = CompletableDeferred<Unit>()
        val heard = async(Dispatchers.IO) { me.events(0u).onEach { begun.complete(Unit) }.toList() }
        begun.await()
        me.close()
        val all = heard.await()
        same(1uL, all.first().cursor)
        same("closed", all.last().type)
    }

    private val watchHeight get() = mined + 1L
    private var mined = 0

    private fun config(http: HttpStack?) = Config(
        network = Network.REGTEST, folder = folder, daemon = Daemon(daemon, trusted = true), http = http,
        memory = 200L shl 20,
        lookahead = 2 to 5,
        passwords = object : PasswordStore {
            override suspend fun password(wallet: String, operation: String): String? {
                asked.add("$wallet $operation")
                return if (agrees) "secret" else null
            }
        },
        log = { level, line -> if (level == 0) System.err.println(line) }
    )

    private fun mine(n: Int, address: String) {
        mined += n
        for (part in (1..n).chunked(20)) {
            val params = """{"amount_of_blocks":${part.size},"wallet_address":"$address"}"""
            val body = """{"method":"generateblocks","params":$params}"""
            val answer = String(fetch("$daemon/json_rpc", "application/json", body.toByteArray()).body)
            check("\"blocks\"" in answer) { answer }
        }
    }

    /** Waits until a sent transaction may be mined. */
    private fun settle() {
        val end = System.currentTimeMillis() + 300_000
        while (System.currentTimeMillis() < end) {
            val answer = fetch("$daemon/get_transaction_pool", "application/json", "{}".toByteArray())
            val pool = String(answer.body).replace(" ", "")
            if ("\"id_hash\"" in pool && "\"relayed\":false" !in pool) return
            Thread.sleep(20)
        }
        throw AssertionError("the payment is not in the pool")
    }

    private fun fetch(url: String, kind: String, body: ByteArray): HttpAnswer {
        val c = URL(url).openConnection() as HttpURLConnection
        c.requestMethod = "POST"
        c.doOutput = true
        c.setRequestProperty("Content-Type", kind)
        c.outputStream.write(body)
        val status = c.responseCode
        val stream = if (status == 200) c.inputStream else c.errorStream
        return HttpAnswer(status, stream?.use { it.readBytes() } ?: ByteArray(0))
    }
}
