package supervise

import (
	"bytes"
	"os"
	"slices"
	"strconv"
	"strings"
	"syscall"
)

const (
	timesFiles = 64        // of the size of its file is more than counting itemsets takes of the memory
	besides    = 512 << 20 // bytes that it may take besides
)

// looks are the verbs that say what the program knows, and read no tables.
var looks = []string{"help", "methods", "measures", "miners", "generators", "schema", "policy-schema", "man",
	"completion"}

// steady are the flags with which itemsets are counted as they are found: what is held does not grow with how many
// there are.
var steady = []string{"--support", "--closed", "--maximal", "--items"}

// light reports whether a call cannot come near the memory there is: it reads no data, or counts the itemsets of a file
// that is small beside the memory.
func light(args []string) bool {
	if len(args) == 0 || slices.Contains(looks, args[0]) || args[0] == "--help" || args[0] == "-h" ||
		args[0] == "--version" {
		return true
	}
	if len(args) < 3 || args[0] != "mine" || args[1] != "itemsets" {
		return false
	}
	file := int64(0)
	for _, a := range args[2:] {
		name, _, _ := strings.Cut(a, "=")
		switch {
		case slices.Contains(steady, name):
		case strings.HasPrefix(a, "-"):
			return false
		default:
			size, ok := regular(a)
			if !ok {
				return false
			}
			file += size
		}
	}
	return file <= (room()-besides)/timesFiles
}

// regular returns the size of a file, 0 of what is none. It is false of what is no regular file: it may hold any
// amount.
func regular(path string) (int64, bool) {
	st, err := os.Stat(path)
	if err != nil {
		return 0, true
	}
	return st.Size(), st.Mode().IsRegular()
}

// room returns how many bytes of memory a process may take: the least of what its control group may have and what the
// computer could give. It is 0 where its address space is bounded, or where nothing is known.
func room() int64 {
	var space syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_AS, &space); err != nil || space.Cur < 1<<62 {
		return 0
	}
	data, _ := os.ReadFile("/proc/meminfo")
	_, rest, _ := bytes.Cut(data, []byte("MemAvailable:"))
	first, _, _ := bytes.Cut(bytes.TrimLeft(rest, " "), []byte(" "))
	kilobytes, _ := strconv.ParseInt(string(first), 10, 64)
	least := kilobytes << 10
	data, _ = os.ReadFile("/sys/fs/cgroup/memory.max")
	if limit, err := strconv.ParseInt(string(bytes.TrimSpace(data)), 10, 64); err == nil {
		least = min(least, limit)
	}
	return least
}
