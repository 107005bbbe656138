package main

import (
	"fmt"
	"math"
	"runtime/debug"
	"strconv"
	"strings"
	"sync/atomic"

	"github.com/spf13/cobra"
)

// size is a number of bytes as a flag: 2GiB, 500MB, 1073741824.
type size int64

// units are those of a size, the longer ones first.
var units = []struct {
	name  string
	bytes float64
}{{"kib", 1 << 10}, {"mib", 1 << 20}, {"gib", 1 << 30}, {"tib", 1 << 40}, {"kb", 1e3}, {"mb", 1e6}, {"gb", 1e9}, {"tb", 1e12}, {"k", 1 << 10}, {"m", 1 << 20}, {"g", 1 << 30}, {"t", 1 << 40}, {"b", 1}, {"", 1}}

// Set reads a size.
func (s *size) Set(text string) error {
	lower := strings.ToLower(strings.TrimSpace(text))
	for _, u := range units {
		number, is := strings.CutSuffix(lower, u.name)
		if !is {
			continue
		}
		v, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
		if v *= u.bytes; err != nil || !(v >= 1 && v < math.MaxInt64) {
			break
		}
		*s = size(v)
		return nil
	}
	return fmt.Errorf("expected a size such as 2GiB or 500MB")
}

// String writes a size as Set reads it.
func (s *size) String() string {
	if *s == 0 {
		return ""
	}
	return strconv.FormatInt(int64(*s), 10)
}

// Type is what help calls it.
func (*size) Type() string { return "size" }

func memoryFlag(c *cobra.Command, s *size) {
	c.Flags().Var(s, "memory", "take at most about this much memory (`size`, such as 2GiB): the columns of a file that takes more are on the disk meanwhile, in files without a name in the folder "+
		"for temporary ones (TMPDIR); CSV files under Linux, and techniques and measures that say on their cards that they can (larger than memory)")
}

// allowed is how many bytes the heap is to stay below because somebody said so; 0 for nobody.
var allowed atomic.Int64

// least is a heap in bytes below which collecting garbage takes longer than the work.
const least = 96 << 20

// allow keeps the heap to its half of the memory that a request may take; the other half is for files.
func allow(s size) {
	if s > 0 {
		allowed.Store(max(int64(s)/2, least))
		debug.SetMemoryLimit(allowed.Load())
	}
}
