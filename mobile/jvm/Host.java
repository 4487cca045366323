package glim.jvm;

import glim.bridge.Engine;
import glim.bridge.File;
import glim.bridge.HTTP;
import glim.bridge.KeyStore;
import glim.bridge.Listener;
import glim.bridge.Options;
import glim.bridge.Question;
import glim.bridge.Receiver;
import glim.bridge.Request;
import glim.bridge.Storage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeoutException;

/** Implements the engine's interfaces with the JDK, as an app would. */
final class Host {
    private Host() {}

    static final long LIMIT = 300_000; // a generous time limit in milliseconds, because machines may be busy

    static Options options(String daemon) {
        Options o = new Options();
        o.setNetwork("regtest");
        o.setDaemon(daemon);
        o.setTrusted(true);
        o.setAccounts(2);
        o.setAddresses(5);
        return o;
    }

    /** The outcome of a call. */
    static final class Outcome implements Receiver {
        private boolean told;
        String result;
        int code;
        String message;

        @Override public synchronized void result(String json) { result = json; told(); }
        @Override public synchronized void failure(int c, String m) { code = c; message = m; told(); }

        private void told() {
            check(!told, "an outcome is told twice");
            told = true;
            notifyAll();
        }

        synchronized Outcome get() throws Exception {
            long end = System.currentTimeMillis() + LIMIT;
            while (!told) {
                long rest = end - System.currentTimeMillis();
                if (rest <= 0) throw new TimeoutException("no outcome");
                wait(rest);
            }
            return this;
        }
    }

    static Outcome ask(Engine e, String wallet, String method, String params) throws Exception {
        Outcome o = new Outcome();
        e.start(wallet, method, params, o);
        return o.get();
    }

    /** Calls an operation that must succeed. */
    static String call(Engine e, String wallet, String method, String params) throws Exception {
        Outcome o = ask(e, wallet, method, params);
        check(o.code == 0, method + ": " + o.message);
        return o.result;
    }

    static String call(Engine e, String wallet, String method) throws Exception { return call(e, wallet, method, ""); }

    static void check(boolean ok, String what) {
        if (!ok) throw new AssertionError(what);
    }

    /** The events of a wallet. */
    static final class Ear implements Listener {
        final List<String> heard = new ArrayList<>();
        boolean ended;
        int code;

        @Override public synchronized void events(String json) {
            // The objects of the list contain at most one nested object: split between the end of one and the start of
            // the next.
            heard.addAll(Arrays.asList(json.substring(1, json.length() - 1).split("(?<=\\}),(?=\\{)")));
            notifyAll();
        }

        @Override public synchronized void end(int c, String message) { ended = true; code = c; notifyAll(); }

        /** Waits for an event of a type and returns it. */
        synchronized String await(String type) throws Exception {
            long end = System.currentTimeMillis() + LIMIT;
            while (true) {
                for (String e : heard) if (type.equals(Json.get(e, "type"))) return e;
                long rest = end - System.currentTimeMillis();
                if (rest <= 0) throw new TimeoutException("no event " + type + " among " + heard);
                wait(rest);
            }
        }

        synchronized void awaitEnd() throws Exception {
            long end = System.currentTimeMillis() + LIMIT;
            while (!ended) {
                long rest = end - System.currentTimeMillis();
                if (rest <= 0) throw new TimeoutException("no end");
                wait(rest);
            }
        }
    }

    /** Sends a POST request with the JDK. Returns the status and the body. */
    static byte[] post(String url, String kind, byte[] body, int[] status) throws IOException {
        HttpURLConnection c = (HttpURLConnection) new URL(url).openConnection();
        c.setRequestMethod("POST");
        c.setDoOutput(true);
        c.setRequestProperty("Content-Type", kind);
        c.getOutputStream().write(body);
        status[0] = c.getResponseCode();
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (InputStream in = status[0] == 200 ? c.getInputStream() : c.getErrorStream()) {
            if (in == null) return new byte[0];
            byte[] part = new byte[1 << 16];
            for (int n; (n = in.read(part)) >= 0; ) out.write(part, 0, n);
        }
        return out.toByteArray();
    }

    /** Makes a daemon mine blocks. */
    static void mine(String daemon, int blocks, String address) throws Exception {
        while (blocks > 0) {
            int n = Math.min(blocks, 20);
            String body = "{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"generateblocks\",\"params\":{\"amount_of_blocks\":" + n
                + ",\"wallet_address\":" + Json.quote(address) + ",\"starting_nonce\":0}}";
            byte[] answer = post(daemon + "/json_rpc", "application/json", body.getBytes(StandardCharsets.UTF_8), new int[1]);
            String text = new String(answer, StandardCharsets.UTF_8);
            check(!text.contains("\"error\""), text);
            blocks -= n;
        }
    }

    /** The JDK's HTTP in place of the engine's. */
    static final class Http implements HTTP {
        int sent;

        @Override public synchronized void send(Request r) {
            sent++;
            Thread t = new Thread(() -> {
                try {
                    int[] status = new int[1];
                    byte[] answer = post(r.url(), r.contentType(), r.body(), status);
                    r.answer(status[0], "", answer);
                } catch (Exception e) {
                    r.fail(e.toString());
                }
            });
            t.setDaemon(true);
            t.start();
        }

        @Override public void abort(Request r) {}
    }

    /** A user who always agrees. */
    static final class Keys implements KeyStore {
        final List<String> asked = new ArrayList<>();
        boolean refuse;

        @Override public synchronized void ask(Question q) throws Exception {
            asked.add(q.wallet() + " " + q.operation());
            if (refuse) throw new Exception("the user was asked something else");
            q.answer("secret");
        }

        @Override public void forget(Question q) {}
    }

    /** A Storage in the app's memory. */
    static final class Shelf implements Storage {
        final Map<String, byte[]> files = new HashMap<>();

        @Override public synchronized boolean has(String name) { return files.containsKey(name); }
        @Override public synchronized void remove(String name) { files.remove(name); }
        @Override public synchronized File open(String name) {
            files.putIfAbsent(name, new byte[0]);
            return new File() {
                private void change(byte[] next) { synchronized (Shelf.this) { files.put(name, next); } }
                @Override public byte[] load() { synchronized (Shelf.this) { return files.get(name); } }
                @Override public void append(byte[] p) {
                    byte[] old = load(), next = Arrays.copyOf(old, old.length + p.length);
                    System.arraycopy(p, 0, next, old.length, p.length);
                    change(next);
                }
                @Override public void replace(byte[] p) { change(p); }
                @Override public void truncate(long size) { change(Arrays.copyOf(load(), (int) size)); }
                @Override public void close() {}
            };
        }
    }
}
