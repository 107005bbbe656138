// Package filelock keeps two processes from writing to one file at once.
package filelock

import "errors"

// ErrLocked is the error for a file that another has locked.
var ErrLocked = errors.New("another run is at work on it; wait for its end, or name another file")
