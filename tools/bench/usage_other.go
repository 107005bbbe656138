//go:build !linux

package main

import "os"

// peakMB returns 0: only Linux reports the peak memory of a process in a unit that is known.
func peakMB(*os.ProcessState) float64 { return 0 }

// freeBytes does not know how much of the disk is free.
func freeBytes(string) int64 { return -1 }
