// Package mmap allocates the large slices of a table: on the heap or, for tables larger than memory, in memory-mapped
// files.
//
// A nil *Space is the heap. A slice of another Space is memory of a file: what is written there goes to the disk when
// the memory is needed for something else, and comes back when it is read. So code that walks over slices in order is
// the same for both, and gives the same bytes. What is mapped and was looked at lately counts as memory of the process;
// beyond the budget it is given back to the system, which costs the time to find it again and nothing else.
//
// The files hold the records of the original as they are. Each has no name from the moment it is made, so nobody can
// open it and nothing is left behind, however the program ends.
package mmap

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"reflect"
	"sync"
	"time"
	"unsafe"
)

// Space gives memory for slices, and is safe for concurrent use.
type Space struct {
	dir    string
	budget int64
	fail   func(error)
	done   chan struct{}
	watch  sync.WaitGroup

	mu     sync.Mutex
	maps   map[unsafe.Pointer][]byte
	closed bool
}

// ErrFull is the error for what a space has no room for.
var ErrFull = errors.New("no room beyond the memory")

// small is the size in bytes up to which a slice is on the heap whatever its space.
const small = 1 << 16

// New returns a space of files in a folder, that for temporary files where it is empty, of which at most about budget
// bytes are in memory at a time. Where a file cannot be made, as on a full disk, fail is told and the slice is on the
// heap: anyone who is told ends the work. It is an error where files cannot be mapped at all. Close must be called.
func New(dir string, budget int64, fail func(error)) (*Space, error) {
	if dir == "" {
		dir = os.TempDir()
	}
	s := &Space{dir: dir, budget: budget, fail: fail, done: make(chan struct{}), maps: map[unsafe.Pointer][]byte{}}
	if err := onDisk(dir); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrFull, err)
	}
	s.watch.Go(s.keep)
	return s, nil
}

// Fork returns another space of the same folder and budget, which is closed by itself and earlier: what is made in it
// is given back at once. The heap has itself.
func (s *Space) Fork() *Space {
	if s == nil {
		return nil
	}
	f := &Space{dir: s.dir, budget: s.budget, fail: s.fail, done: make(chan struct{}), maps: map[unsafe.Pointer][]byte{}}
	f.watch.Go(f.keep)
	return f
}

// period is how long the space lets pages come before it looks how many they are.
const period = 5 * time.Millisecond

// keep gives pages back whenever there are more than the budget allows.
func (s *Space) keep() {
	tick := time.NewTicker(period)
	defer tick.Stop()
	for {
		select {
		case <-s.done:
			return
		case <-tick.C:
		}
		if mapped() <= s.budget {
			continue
		}
		s.mu.Lock()
		for _, m := range s.maps {
			giveBack(m)
		}
		s.mu.Unlock()
	}
}

// Close gives all memory back. No slice of the space may be used any more.
func (s *Space) Close() error {
	if s == nil {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return nil
	}
	s.closed = true
	close(s.done)
	var errs []error
	for _, m := range s.maps {
		errs = append(errs, unmap(m))
	}
	s.maps = nil
	return errors.Join(errs...)
}

// Make returns a slice of zeros. T must hold no pointers. Cost: on the heap that of make, else that of a file.
func Make[T any](s *Space, n int) []T {
	size := n * int(unsafe.Sizeof(*new(T)))
	if s == nil || size <= small {
		return make([]T, n)
	}
	if pointed(reflect.TypeFor[T]()) {
		panic("space: " + reflect.TypeFor[T]().String() + " holds pointers")
	}
	m, err := s.take(func() ([]byte, error) { return mapNew(s.dir, size) })
	if err != nil {
		s.fail(fmt.Errorf("no room for %d MB beyond the memory: %w", size>>20, err))
		return make([]T, n)
	}
	return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(m))), n)
}

// Free gives the memory of a slice that Make returned back before the space is closed. Nothing of it may be used any
// more.
func Free[T any](s *Space, v []T) {
	if s == nil || cap(v) == 0 {
		return
	}
	s.mu.Lock()
	at := unsafe.Pointer(unsafe.SliceData(v))
	m, ok := s.maps[at]
	delete(s.maps, at)
	s.mu.Unlock()
	if ok {
		_ = unmap(m) // a mapping of ours, whole: there is no error but that of a wrong address
	}
}

// Columns returns k slices of n zeros.
func Columns(s *Space, k, n int) [][]float64 {
	out := make([][]float64, k)
	for j := range out {
		out[j] = Make[float64](s, n)
	}
	return out
}

// Release gives the memory of slices that Make returned back, as Free does.
func Release[T any](s *Space, all ...[]T) {
	for _, v := range all {
		Free(s, v)
	}
}

// Fill returns everything that is read, with room for one byte behind it. It is a copy: of a file that is itself
// mapped, what somebody cuts off is gone from the memory, and anyone who looks at it is ended by the system. Where
// there is no room for it the error is ErrFull.
func (s *Space) Fill(r io.Reader) ([]byte, error) {
	f, err := unnamed(s.dir)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	n, err := io.Copy(f, r)
	if err == nil {
		_, err = f.Write([]byte{0})
	}
	if own := (*fs.PathError)(nil); errors.As(err, &own) && own.Path == f.Name() {
		err = fmt.Errorf("%w, in %s: %w", ErrFull, s.dir, own.Err)
	}
	if err != nil {
		return nil, err
	}
	m, err := s.take(func() ([]byte, error) { return mapFile(f, int(n)+1) })
	if err != nil {
		return nil, err
	}
	return m[:n], nil
}

// take keeps what is mapped.
func (s *Space) take(mapped func() ([]byte, error)) ([]byte, error) {
	m, err := mapped()
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return nil, errors.Join(errors.New("the space is closed"), unmap(m))
	}
	s.maps[unsafe.Pointer(unsafe.SliceData(m))] = m
	return m, nil
}

// pointed reports whether values of a type hold pointers, which the collector of garbage would not see.
func pointed(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Array:
		return pointed(t.Elem())
	case reflect.Struct:
		for i := range t.NumField() {
			if pointed(t.Field(i).Type) {
				return true
			}
		}
		return false
	case reflect.Bool,
		reflect.Int,
		reflect.Int8,
		reflect.Int16,
		reflect.Int32,
		reflect.Int64,
		reflect.Uint,
		reflect.Uint8,
		reflect.Uint16,
		reflect.Uint32,
		reflect.Uint64,
		reflect.Float32,
		reflect.Float64:
		return false
	default:
		return true
	}
}

// Holds reports whether a slice is one that Make returned, or is small enough for the heap.
func Holds[T any](s *Space, v []T) bool {
	if len(v)*int(unsafe.Sizeof(*new(T))) <= small {
		return true
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	_, ok := s.maps[unsafe.Pointer(unsafe.SliceData(v))]
	return ok
}
