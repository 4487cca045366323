// The package's worker, with what looks into its memory: it tells a channel which of some bytes it has, in the memory of its program or in
// what it was ever told.
import "./watched-first.js";
import "/glim/worker.js";
