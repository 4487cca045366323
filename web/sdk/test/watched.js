// The package's worker with instrumentation: it reports on a channel which of some byte strings occur in the memory of
// its program or in any message that it received.
import "./watched-first.js";
import "/glim/worker.js";
