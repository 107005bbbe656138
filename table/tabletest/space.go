package tabletest

import (
	"errors"
	"runtime"
	"slices"
	"strings"

	"github.com/dither-data/dither/internal/system/mmap"
	"github.com/dither-data/dither/table"
)

// Into returns the table with its columns in a space.
func Into(in *mmap.Space, t *table.Table) (*table.Table, error) {
	cols := t.Columns()
	for j := range cols {
		c := t.In(in).Room(cols[j].Attribute)
		copy(c.Num, cols[j].Num)
		copy(c.Cat, cols[j].Cat)
		if s := cols[j].Sets; s != nil {
			c.Sets = &table.Sets{
				Present: listsInto(in, s.Present),
				Unknown: listsInto(in, s.Unknown),
				Missing: into(in, s.Missing),
			}
		}
		cols[j] = c
	}
	out, err := t.WithColumns(cols)
	if err != nil {
		return nil, err
	}
	return out.In(in), nil
}

func listsInto(in *mmap.Space, l table.Lists) table.Lists {
	return table.Lists{Start: into(in, l.Start), Codes: into(in, l.Codes)}
}

// into returns a copy in a space; nil of nil.
func into[T any](in *mmap.Space, v []T) []T {
	if v == nil {
		return nil
	}
	out := mmap.Make[T](in, len(v))
	copy(out, v)
	return out
}

// Within calls check with a space of which at most budget bytes stay in memory, and closes it: with 0, pages are given
// back all the time. It does nothing where no files can be mapped, which is not under Linux.
func Within(budget int64, check func(in *mmap.Space) error) error {
	in, err := mmap.New("", budget, func(err error) { panic(err) })
	if err != nil && runtime.GOOS == "linux" {
		return err
	}
	if err != nil {
		return nil
	}
	return errors.Join(check(in), in.Close())
}

// Live is how many bytes of the heap are in use.
func Live() uint64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// Largest returns the size of the largest object that work allocates, and the functions that do.
func Largest(work func()) (where string, most int64) {
	defer func(rate int) { runtime.MemProfileRate = rate }(runtime.MemProfileRate)
	runtime.MemProfileRate = 1
	type place struct { // a place in the program has a record for every size
		stack [32]uintptr
		size  int64
	}
	before := map[place]int64{}
	for _, r := range allocations() {
		before[place{r.Stack0, r.AllocBytes / r.AllocObjects}] = r.AllocObjects
	}
	work()
	for _, r := range allocations() {
		size := r.AllocBytes / r.AllocObjects
		if r.AllocObjects == before[place{r.Stack0, size}] || size <= most {
			continue
		}
		// which takes what there is to be told
		if at := callers(r.Stack()); !strings.HasPrefix(at, "tabletest.allocations ") {
			most, where = size, at
		}
	}
	return where, most
}

// callers names functions, the innermost first.
func callers(stack []uintptr) (names string) {
	frames := runtime.CallersFrames(stack)
	for more := true; more; {
		var f runtime.Frame
		if f, more = frames.Next(); !strings.HasPrefix(f.Function, "runtime.") {
			names += f.Function[strings.LastIndexByte(f.Function, '/')+1:] + " "
		}
	}
	return names
}

// allocations returns what was allocated so far, by place.
func allocations() []runtime.MemProfileRecord {
	runtime.GC() // the profile is that of the collection before the last one
	runtime.GC()
	for n := 1000; ; {
		records := make([]runtime.MemProfileRecord, n)
		got, ok := runtime.MemProfile(records, true)
		if ok {
			return slices.DeleteFunc(records[:got], func(r runtime.MemProfileRecord) bool { return r.AllocObjects == 0 })
		}
		n = got + 100
	}
}
