package filelock

import (
	"errors"
	"os"

	"golang.org/x/sys/windows"
)

// Try locks a file until it is closed or the process ends, however it ends. It fails with ErrLocked where another has
// it. A disk that knows no locks is not locked. What is locked is one byte far behind the end, as on Windows nobody may
// read or write what another has locked.
func Try(f *os.File) error {
	err := lock(f, windows.LOCKFILE_EXCLUSIVE_LOCK|windows.LOCKFILE_FAIL_IMMEDIATELY)
	if errors.Is(err, windows.ERROR_LOCK_VIOLATION) || errors.Is(err, windows.ERROR_IO_PENDING) {
		return ErrLocked
	}
	return nil
}

// Wait locks a file until it is closed or the process ends, and waits for one who has it. It fails where the disk knows
// no locks.
func Wait(f *os.File) error { return lock(f, windows.LOCKFILE_EXCLUSIVE_LOCK) }

func lock(f *os.File, flags uint32) error {
	return windows.LockFileEx(windows.Handle(f.Fd()), flags, 0, 1, 0, &windows.Overlapped{OffsetHigh: 1 << 30})
}
