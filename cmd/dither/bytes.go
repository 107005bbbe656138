package main

import (
	"runtime/debug"
	"sync/atomic"

	"github.com/spf13/cobra"

	"github.com/dither-data/dither/internal/text/bytesize"
)

func memoryFlag(c *cobra.Command, s *bytesize.Size) {
	c.Flags().Var(s, "memory", "use at most about this memory (`size`, such as 2GiB), the rest in files (TMPDIR); Linux; "+
		"CSV, Arrow, Parquet, transactions; \"larger than memory\" in dither methods NAME")
}

// allowed is how many bytes the heap is to stay below because somebody said so; 0 for nobody.
var allowed atomic.Int64

// least is a heap in bytes below which collecting garbage takes longer than the work.
const least = 96 << 20

// allow keeps the heap to its half of the memory that a request may take; the other half is for files.
func allow(s bytesize.Size) {
	if s > 0 {
		allowed.Store(max(int64(s)/2, least))
		debug.SetMemoryLimit(allowed.Load())
	}
}
