//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package desk

import (
	"errors"
	"os"
	"syscall"
)

// lock locks a file until it is closed or the process ends, however it ends. It fails with errLocked where another has
// it. A disk that knows no locks is not locked.
func lock(f *os.File) error {
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); errors.Is(err, syscall.EWOULDBLOCK) {
		return errLocked
	}
	return nil
}
