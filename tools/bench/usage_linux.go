package main

import (
	"os"
	"syscall"
)

// peakMB returns the peak memory of a finished process in MB.
func peakMB(p *os.ProcessState) float64 {
	if u, ok := p.SysUsage().(*syscall.Rusage); ok {
		return float64(u.Maxrss) / 1024
	}
	return 0
}

// freeBytes returns how many bytes of the disk of a folder are free; -1 where that is not known.
func freeBytes(dir string) int64 {
	var st syscall.Statfs_t
	if syscall.Statfs(dir, &st) != nil {
		return -1
	}
	return int64(st.Bavail) * st.Bsize
}
