// Package footprint tells how much memory a piece of work takes.
package footprint

import (
	"bytes"
	"os"
	"runtime/debug"
	"strconv"
)

// Peak runs f and returns how many bytes the process had in memory at most meanwhile, beyond those that it had before;
// false where the system does not tell. What lies about as garbage before is given back first. Work of other goroutines
// counts.
func Peak(f func()) (more float64, ok bool) {
	debug.FreeOSMemory()
	forgot := os.WriteFile("/proc/self/clear_refs", []byte("5"), 0) // the largest so far is then what there is
	before := status("VmRSS:")
	f()
	peak := status("VmHWM:")
	return max(peak-before, 0), forgot == nil && before > 0 && peak > 0
}

// status is a figure of the process in bytes; 0 where there is none.
func status(name string) float64 {
	data, _ := os.ReadFile("/proc/self/status")
	_, rest, _ := bytes.Cut(data, []byte(name))
	line, _, _ := bytes.Cut(rest, []byte("kB"))
	kb, _ := strconv.ParseFloat(string(bytes.TrimSpace(line)), 64)
	return kb * 1024
}
