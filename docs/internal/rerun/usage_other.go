//go:build !linux

package rerun

// Processor returns 0: only Linux is asked for the time that all cores have spent on a process.
func Processor() float64 { return 0 }
