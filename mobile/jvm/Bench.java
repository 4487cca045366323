package glim.jvm;

import glim.bridge.Bridge;
import glim.bridge.Engine;
import glim.bridge.Listener;
import glim.bridge.Options;
import glim.bridge.Receiver;
import glim.bridge.Subscription;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;

/** Measures the engine in a JVM; each line of its output is a name, a number and a unit. */
public final class Bench {
    public static void main(String[] args) {
        try {
            run(args[0], args[1], args[2]);
            System.exit(0);
        } catch (Throwable t) {
            t.printStackTrace();
            System.exit(1);
        }
    }

    private static void say(String name, double value, String unit) {
        System.out.printf("%s\t%.3f\t%s%n", name, value, unit);
    }

    private static void run(String folder, String daemon, String seed) throws Exception {
        long began = System.nanoTime();
        Options o = Host.options(daemon);
        o.setFolder(folder);
        Engine e = Bridge.open(o);
        say("the library loads and an engine starts", (System.nanoTime() - began) / 1e6, "ms");

        String params = "{\"password\":\"secret\",\"seed\":" + Json.quote(seed) + "}";
        Host.call(e, "it", "restore_deterministic_wallet", params);
        Host.call(e, "it", "auto_refresh", "{\"enable\":false}");
        began = System.nanoTime();
        Host.call(e, "it", "refresh");
        double seconds = (System.nanoTime() - began) / 1e9;
        say("blocks read", Json.number(Host.call(e, "it", "get_height"), "height") / seconds, "blocks/s");
        say("memory of the process at its most", peak(), "MiB");

        calls(e, "get_version", "a call that does nothing, answered by a receiver", true);
        calls(e, "get_version", "the same, waited for", false);
        calls(e, "get_height", "a call that asks the wallet", true);
        calls(e, "get_transfers", "{\"in\":true}", "a call that lists all that was mined", true, 50);
        events(e);
        e.close();
    }

    private static void calls(Engine e, String method, String name, boolean receiver) throws Exception {
        calls(e, method, "", name, receiver, 20_000);
    }

    private static void calls(Engine e, String method, String params, String name, boolean receiver, int n) throws Exception {
        Semaphore done = new Semaphore(0);
        Receiver r = new Receiver() {
            @Override public void result(String json) { done.release(); }
            @Override public void failure(int code, String message) { throw new AssertionError(message); }
        };
        long best = Long.MAX_VALUE;
        for (int round = 0; round < 5; round++) { // the first rounds warm up
            long began = System.nanoTime();
            for (int i = 0; i < n; i++) {
                if (receiver) {
                    e.start("it", method, params, r);
                    done.acquire();
                } else {
                    e.call("it", method, params);
                }
            }
            best = Math.min(best, System.nanoTime() - began);
        }
        say(name, best / 1e3 / n, "us");
    }

    private static void events(Engine e) throws Exception {
        AtomicLong told = new AtomicLong();
        int rounds = 50;
        long began = System.nanoTime();
        for (int i = 0; i < rounds; i++) {
            Semaphore last = new Semaphore(0);
            Subscription s = e.follow("it", "0", new Listener() {
                @Override public void events(String json) {
                    told.addAndGet(Json.count(json, "\"cursor\""));
                    if (json.contains("\"type\":\"height\"")) last.release(); // all earlier events have been delivered
                }
                @Override public void end(int code, String message) {}
            });
            last.acquire();
            s.cancel();
            s.join();
        }
        say("events told", told.get() / ((System.nanoTime() - began) / 1e9), "events/s");
    }

    private static double peak() throws Exception {
        for (String line : Files.readAllLines(Paths.get("/proc/self/status")))
            if (line.startsWith("VmHWM:")) return Double.parseDouble(line.replaceAll("[^0-9]", "")) / 1024;
        return 0;
    }
}
