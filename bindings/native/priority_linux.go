package native

import (
	"runtime"
	"syscall"
)

// behind is how nice the threads are that do work which may wait, of 0 to 19: a tenth of the share of others when there
// is not enough for all, and never in the way of one that wakes up.
const behind = 10

// LowPriority runs work on a thread that gives way to the others of this process and of the machine. The thread ends
// with it, for only a privileged process may make it an ordinary one again.
func LowPriority(work func()) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		runtime.LockOSThread() // and never unlocked: the thread ends
		// A kernel that does not allow it lets work run like anything else.
		_ = syscall.Setpriority(syscall.PRIO_PROCESS, syscall.Gettid(), behind)
		work()
	}()
	<-done
}
