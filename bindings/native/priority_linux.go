package native

import (
	"runtime"
	"sync"
	"syscall"
)

// behind is the nice value, of 0 to 19, of threads whose work may wait: about a tenth of the share of other threads
// when the processor is busy, and no delay for a thread that wakes up.
const behind = 10

// A lowThread is a thread of low priority. It takes one task at a time from its channel.
type lowThread chan func()

// idleLow holds the threads of low priority that have no task.
var idleLow struct {
	sync.Mutex
	threads []lowThread
}

// LowPriority runs work on a thread that gives way to the others of this process and of the machine, and returns when
// work has returned. Such a thread is kept for later calls instead of ending: only a privileged process may raise its
// priority again, and a thread of Go that ends after it was attached to a Java virtual machine can crash. The machine
// unblocks signals when it detaches the thread, and by then Go has released what its signal handler needs.
func LowPriority(work func()) {
	done := make(chan struct{})
	thread := takeLow()
	thread <- func() {
		defer close(done)
		work()
		idleLow.Lock()
		defer idleLow.Unlock()
		idleLow.threads = append(idleLow.threads, thread)
	}
	<-done
}

// takeLow returns an idle thread of low priority, or starts one.
func takeLow() lowThread {
	idleLow.Lock()
	defer idleLow.Unlock()
	if last := len(idleLow.threads) - 1; last >= 0 {
		thread := idleLow.threads[last]
		idleLow.threads = idleLow.threads[:last]
		return thread
	}
	thread := make(lowThread, 1) // the thread may still be returning from its last task
	go func() {
		runtime.LockOSThread()
		// If the kernel refuses, work runs at normal priority.
		_ = syscall.Setpriority(syscall.PRIO_PROCESS, syscall.Gettid(), behind)
		for task := range thread {
			task()
		}
	}()
	return thread
}
