package files

// setLock locks for an open file and not for the process, so that closing another file of the same path keeps the lock.
// It is F_OFD_SETLK, see fcntl.h of Linux.
const setLock = 37
