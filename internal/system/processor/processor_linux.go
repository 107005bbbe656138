// Package processor tells how long the cores have worked for this process, which other work on the machine does not
// change.
package processor

import "syscall"

// Seconds returns the seconds that all cores have spent on this process.
func Seconds() float64 {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return float64(u.Utime.Nano()+u.Stime.Nano()) / 1e9
}
