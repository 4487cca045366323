package glim.jvm;

import glim.bridge.Bridge;
import glim.bridge.Engine;
import glim.bridge.Options;
import glim.bridge.Receiver;
import glim.bridge.Subscription;
import glim.bridge.Task;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Uses a wallet in a JVM, in two parts. The process is killed between them. The first prints the state that it
 * acknowledged, and the second, which gets it as arguments, must find it again.
 */
public final class Story {
    private static final long COIN = 1_000_000_000_000L;
    private static final String NAME = "zo\u00eb \ud83e\udd8a"; // a label with non-ASCII characters

    public static void main(String[] args) {
        // The engine's threads are not daemon threads: without exit the JVM would keep running.
        try {
            if (args[0].equals("first")) first(args[1], args[2], args[3]);
            else second(args[1], args[2], args[3], args[4], Integer.parseInt(args[5]));
            System.exit(0);
        } catch (Throwable t) {
            t.printStackTrace();
            System.exit(1);
        }
    }

    /** Creates, syncs, sends, follows events, and keeps writing until it is killed. */
    private static void first(String folder, String daemon, String nobody) throws Exception {
        Options o = Host.options(daemon);
        o.setFolder(folder);
        Engine e = Bridge.open(o);
        for (String name : new String[] {"me", "you"})
            Host.call(e, name, "create_wallet", "{\"password\":\"secret\",\"language\":\"English\"}");
        String me = Json.get(Host.call(e, "me", "get_address"), "address");
        String you = Json.get(Host.call(e, "you", "get_address"), "address");
        Host.Ear ear = new Host.Ear();
        Subscription s = e.follow("me", "0", ear);
        Host.mine(daemon, 3, me);
        Host.mine(daemon, 76, nobody);
        Host.call(e, "me", "refresh");
        ear.await("unlocked");
        long before = Json.number(Host.call(e, "me", "get_balance"), "unlocked_balance");
        Host.check(before > COIN, "nothing came");
        String sent = Host.call(e, "me", "transfer",
            "{\"destinations\":[{\"amount\":\"" + COIN + "\",\"address\":" + Json.quote(you) + "}]}");
        long fee = Json.number(sent, "fee");
        settle(daemon);
        Host.mine(daemon, 1, nobody);
        Host.call(e, "me", "refresh");
        Host.call(e, "you", "refresh");
        Host.check(Json.number(Host.call(e, "you", "get_balance"), "balance") == COIN, "the payment did not arrive");
        long after = Json.number(Host.call(e, "me", "get_balance"), "balance");
        Host.check(after == before - COIN - fee, "the balance is wrong");
        e.call("me", "label_address", "{\"index\":{\"major\":0,\"minor\":0},\"label\":" + Json.quote(NAME) + "}");
        s.cancel();
        s.join();
        ear.awaitEnd();
        Host.check(ear.code == 0, "the subscription failed");
        String last = ear.heard.get(ear.heard.size() - 1);
        System.out.println("state " + Json.get(last, "cursor") + " " + after);
        for (int n = 1; ; n++) {
            e.call("me", "set_attribute", "{\"key\":\"n\",\"value\":\"" + n + "\"}");
            System.out.println("acknowledged " + n);
        }
    }

    /** Waits until a sent transaction may be mined. */
    private static void settle(String daemon) throws Exception {
        for (long end = System.currentTimeMillis() + Host.LIMIT; System.currentTimeMillis() < end; Thread.sleep(20)) {
            byte[] answer = Host.post(daemon + "/get_transaction_pool", "application/json", "{}".getBytes(), new int[1]);
            String text = new String(answer, "UTF-8").replace(" ", "");
            if (text.contains("\"id_hash\"") && !text.contains("\"relayed\":false")) return;
        }
        throw new AssertionError("the payment is not in the pool");
    }

    /** Opens the wallet that the killed process left. */
    private static void second(String folder, String daemon, String cursor, String balance, int acknowledged) throws Exception {
        Options o = Host.options(daemon);
        o.setFolder(folder);
        Host.Keys keys = new Host.Keys();
        o.setKeyStore(keys);
        o.setMemory(256L << 20);
        Engine e = Bridge.open(o);
        Host.Outcome wrong = Host.ask(e, "me", "open_wallet", "{\"password\":\"wrong\"}");
        Host.check(wrong.code != 0 && wrong.result == null, "any password opens it");
        Host.call(e, "me", "open_wallet", "{\"password\":\"secret\"}");
        Host.check(Host.call(e, "me", "get_balance").contains("\"balance\":\"" + balance + "\""), "the balance is another");
        int n = Integer.parseInt(Json.get(Host.call(e, "me", "get_attribute", "{\"key\":\"n\"}"), "value"));
        Host.check(n == acknowledged || n == acknowledged + 1, "acknowledged " + acknowledged + ", kept " + n);
        Host.check(NAME.equals(Json.get(Host.call(e, "me", "get_accounts"), "label")), "the label is another");

        // Every event is delivered exactly once.
        Host.Ear all = new Host.Ear(), next = new Host.Ear();
        e.follow("me", "0", all);
        e.follow("me", cursor, next);
        String me = Json.get(Host.call(e, "me", "get_address"), "address");
        Host.mine(daemon, 1, me);
        Host.call(e, "me", "refresh");
        String news = next.await("confirmed");
        Host.check(Json.number(news, "cursor") > Long.parseLong(cursor), "an old event");
        all.await("confirmed");

        withoutKey(e, keys);
        throwing(e);
        many(e);
        cancelled(e, daemon);
        Host.call(e, "me", "close_wallet");
        next.await("closed");
        next.awaitEnd();
        e.close();
        Host.check(Host.ask(e, "me", "get_version", "").code == Bridge.CodeCancelled, "closed is not closed");
        ownWays(daemon);
        System.out.println("whole");
    }

    /** The spend key is not in memory except during operations that the key store agrees to. */
    private static void withoutKey(Engine e, Host.Keys keys) throws Exception {
        Host.call(e, "me", "setup_background_sync", "{\"background_sync_type\":\"reuse-wallet-password\",\"wallet_password\":\"secret\"}");
        Host.call(e, "me", "start_background_sync");
        Host.check(keys.asked.isEmpty(), "asked too early");
        String seed = Json.get(Host.call(e, "me", "query_key", "{\"key_type\":\"mnemonic\"}"), "key");
        Host.check(seed.split(" ").length == 25, "no seed");
        Host.check(keys.asked.toString().equals("[me query_key]"), keys.asked.toString());
        keys.refuse = true;
        Host.check(Host.ask(e, "me", "query_key", "{\"key_type\":\"mnemonic\"}").code == Bridge.CodeNoKey, "a key without leave");
        Host.call(e, "me", "stop_background_sync", "{\"wallet_password\":\"secret\"}");
    }

    /** Exceptions of callbacks affect nothing else. */
    private static void throwing(Engine e) throws Exception {
        for (int i = 0; i < 100; i++) {
            Task t = e.start("me", "get_height", "", new Receiver() {
                @Override public void result(String json) throws Exception { throw new Exception("the app's own"); }
                @Override public void failure(int code, String message) {}
            });
            t.join();
            Host.call(e, "me", "get_height");
        }
        try {
            e.call("me", "no_such_operation", "");
            throw new AssertionError("no failure");
        } catch (Exception expected) {
            Host.check(expected.getMessage().equals("Method not found (-32601)"), expected.getMessage());
        }
    }

    /** Calls from many threads, with the garbage collector running. */
    private static void many(Engine e) throws Exception {
        int threads = 8;
        CountDownLatch done = new CountDownLatch(threads);
        AtomicInteger wrong = new AtomicInteger();
        for (int t = 0; t < threads; t++) {
            String mine = "k" + t;
            Thread thread = new Thread(() -> {
                try {
                    for (int i = 0; i < 200; i++) {
                        if (i % 100 == 0) {
                            Host.call(e, "me", "set_attribute", "{\"key\":\"" + mine + "\",\"value\":\"" + mine + i + "\"}");
                            System.gc();
                        }
                        String v = Json.get(Host.call(e, "me", "get_attribute", "{\"key\":\"" + mine + "\"}"), "value");
                        if (!v.equals(mine + i / 100 * 100)) wrong.incrementAndGet();
                    }
                } catch (Throwable x) {
                    x.printStackTrace();
                    wrong.incrementAndGet();
                }
                done.countDown();
            });
            thread.setDaemon(true);
            thread.start();
        }
        done.await();
        Host.check(wrong.get() == 0, "calls of several threads are mixed up");
    }

    /** A call ends when it is cancelled. */
    private static void cancelled(Engine e, String daemon) throws Exception {
        Host.Outcome o = new Host.Outcome();
        Task t = e.start("me", "rescan_blockchain", "", o);
        t.cancel();
        o.get();
        Host.check(o.code == Bridge.CodeCancelled || o.code == 0, o.message); // it may have completed by then
        t.join();
    }

    /** A Storage and an HTTP of the host. */
    private static void ownWays(String daemon) throws Exception {
        Options o = Host.options(daemon);
        Host.Shelf shelf = new Host.Shelf();
        Host.Http http = new Host.Http();
        o.setStorage(shelf);
        o.setHTTP(http);
        for (int life = 0; life < 2; life++) {
            Engine e = Bridge.open(o);
            Host.call(e, "it", life == 0 ? "create_wallet" : "open_wallet", "{\"password\":\"secret\",\"language\":\"English\"}");
            // A new wallet starts at the end of the chain.
            Host.mine(daemon, 1, Json.get(Host.call(e, "it", "get_address"), "address"));
            Host.call(e, "it", "refresh");
            long height = Json.number(Host.call(e, "it", "get_height"), "height");
            Host.check(height > 80, "in life " + life + " only " + height + " blocks were read");
            e.close();
        }
        Host.check(http.sent > 0 && shelf.files.containsKey("it"), "the host was not asked");
    }
}
