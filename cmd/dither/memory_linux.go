package main

import (
	"bytes"
	"fmt"
	"os"
	"runtime/metrics"
	"strconv"
	"strings"
	"syscall"
)

// leap is about what Go asks for at once, as address space, three times over.
const leap = 3 << 26

// memory measures what bounds the memory of the process: its address space (ulimit -v), its control group, as in a
// container, and that of the computer.
func memory() []gauge {
	var space syscall.Rlimit
	var out []gauge
	if err := syscall.Getrlimit(syscall.RLIMIT_AS, &space); err == nil && space.Cur < 1<<62 {
		out = append(out, gauge{addressSpace(), space.Cur, max(space.Cur/8, leap)})
	}
	own := heap()
	if limit := number("/sys/fs/cgroup/memory.max"); limit > 0 {
		out = append(out, gauge{own, limit, limit / 16})
	}
	if free := available(); free > 0 {
		out = append(out, gauge{own, own + free, (own + free) / 16})
	}
	return out
}

// heap is how many bytes the program has from the system.
func heap() uint64 {
	s := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
	metrics.Read(s)
	return s[0].Value.Uint64() - s[1].Value.Uint64()
}

// addressSpace is how many bytes of address space are in use.
func addressSpace() uint64 {
	data, _ := os.ReadFile("/proc/self/statm")
	first, _, _ := bytes.Cut(data, []byte(" "))
	pages, _ := strconv.ParseUint(string(first), 10, 64)
	return pages * uint64(os.Getpagesize())
}

// available is how many bytes the computer could still give, without swapping.
func available() (free uint64) {
	data, _ := os.ReadFile("/proc/meminfo")
	if _, rest, ok := strings.Cut(string(data), "MemAvailable:"); ok {
		fmt.Sscan(rest, &free)
	}
	return free << 10
}

// number reads a file that holds one; 0 where there is none.
func number(path string) uint64 {
	data, _ := os.ReadFile(path)
	n, _ := strconv.ParseUint(strings.TrimSpace(string(data)), 10, 64)
	return n
}
