//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd || windows)

package filelock

import (
	"errors"
	"os"
)

// Try does nothing where the system has no locks that end with the process.
func Try(*os.File) error { return nil }

// Wait fails where the system has no locks that end with the process.
func Wait(*os.File) error { return errors.ErrUnsupported }
