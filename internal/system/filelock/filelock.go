//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package filelock

import (
	"errors"
	"os"
	"syscall"
)

// Try locks a file until it is closed or the process ends, however it ends. It fails with ErrLocked where another has
// it. A disk that knows no locks is not locked.
func Try(f *os.File) error {
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); errors.Is(err, syscall.EWOULDBLOCK) {
		return ErrLocked
	}
	return nil
}

// Wait locks a file until it is closed or the process ends, and waits for one who has it. It fails where the disk knows
// no locks.
func Wait(f *os.File) error {
	for {
		if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX); !errors.Is(err, syscall.EINTR) {
			return err
		}
	}
}
