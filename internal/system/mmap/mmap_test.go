package mmap

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"testing/iotest"

	"github.com/dither-data/dither/internal/testkit/must"
)

// room is a space of which nothing may stay in memory.
func room(t *testing.T, dir string, fail func(error)) *Space {
	s, err := New(dir, 0, fail)
	if err != nil && (runtime.GOOS == "linux" || os.Getenv("CI") == "true") {
		t.Fatal(err)
	}
	if err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// What is written stays although its pages are given back all the time, slices do not touch each other, and no file has
// a name.
func TestMake(t *testing.T) {
	dir := t.TempDir()
	s := room(t, dir, func(err error) { t.Error(err) })
	const n = 1 << 20
	a, b := Make[int32](s, n), Make[float64](s, n)
	for i := range n {
		if a[i] != 0 || b[i] != 0 {
			t.Fatal("new memory is not empty")
		}
		a[i], b[i] = int32(i), float64(-i)
		if i%(n/8) == 0 {
			s.mu.Lock()
			for _, m := range s.maps {
				giveBack(m)
			}
			s.mu.Unlock()
		}
	}
	for i := range n {
		if a[i] != int32(i) || b[i] != float64(-i) {
			t.Fatalf("place %d holds %v and %v", i, a[i], b[i])
		}
	}
	if !Holds(s, a) || Holds(s, make([]int32, n)) || !Holds(s, make([]int32, 8)) {
		t.Error("the space does not know its slices")
	}
	Free(s, a)
	if len(s.maps) != 1 {
		t.Errorf("%d slices are left of 2, one of which was freed", len(s.maps))
	}
	Free(s, make([]int32, n))
	if entries, err := os.ReadDir(dir); err != nil || len(entries) > 0 {
		t.Errorf("files with names: %v, %v", entries, err)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	if err := s.Close(); err != nil {
		t.Error("the second time:", err)
	}
}

// What is read comes back, with room for one more byte, at lengths about a page.
func TestFill(t *testing.T) {
	s := room(t, t.TempDir(), func(err error) { t.Error(err) })
	page := os.Getpagesize()
	for _, n := range []int{0, 1, page - 1, page, page + 1, 40*page - 1, 40 * page} {
		want := make([]byte, n)
		for i := range want {
			want[i] = byte(i % 251)
		}
		data, err := s.Fill(bytes.NewReader(want))
		if err != nil || len(data) != n || cap(data) == n {
			t.Fatalf("%d bytes: %d, room for %d, %v", n, len(data), cap(data), err)
		}
		_ = append(data, '!')
		s.mu.Lock()
		for _, m := range s.maps {
			giveBack(m)
		}
		s.mu.Unlock()
		if string(data) != string(want) || data[:n+1][n] != '!' {
			t.Errorf("%d bytes: others came back", n)
		}
		Free(s, data)
	}
	if len(s.maps) != 0 {
		t.Errorf("%d are left", len(s.maps))
	}
	if _, err := s.Fill(iotest.ErrReader(io.ErrNoProgress)); !errors.Is(err, io.ErrNoProgress) || errors.Is(err, ErrFull) {
		t.Errorf("what cannot be read: %v", err)
	}
}

// Where no file can be made the space says so, and the work can go on until it is ended.
func TestFull(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "gone")
	must.NoError(t, os.Mkdir(dir, 0o700))
	var told error
	s := room(t, dir, func(err error) { told = err })
	must.NoError(t, os.Remove(dir))
	if v := Make[float64](s, 1<<16); len(v) != 1<<16 || told == nil {
		t.Errorf("%d numbers, and it was told %v", len(v), told)
	}
	if _, err := New(dir, 0, nil); err == nil {
		t.Error("a folder that is not there is a space")
	}
}

// A space that was forked gives back what it made and nothing else, and the heap forks into itself.
func TestFork(t *testing.T) {
	s := room(t, t.TempDir(), func(err error) { t.Error(err) })
	a := Make[int32](s, 1<<16)
	f := s.Fork()
	b := Make[int32](f, 1<<16)
	a[9], b[9] = 1, 2
	if Holds(s, b) || Holds(f, a) || !Holds(f, b) {
		t.Error("a slice is in the other space")
	}
	if err := f.Close(); err != nil || a[9] != 1 || len(f.maps) != 0 || len(s.maps) != 1 {
		t.Errorf("%v, %d slices are left of 1", err, len(s.maps))
	}
	if (*Space)(nil).Fork() != nil {
		t.Error("the heap forks into files")
	}
}

// A slice of pointers would be lost to the collector of garbage.
func TestPointers(t *testing.T) {
	s := room(t, t.TempDir(), func(err error) { t.Error(err) })
	defer func() {
		if recover() == nil {
			t.Error("a slice of texts was made")
		}
	}()
	Make[struct{ a [2]string }](s, 1<<16)
}

// The heap is a space, too.
func TestHeap(t *testing.T) {
	v := Make[string](nil, 1<<16)
	Free(nil, v)
	var s *Space
	if len(v) != 1<<16 || s.Close() != nil {
		t.Error("the heap is no space")
	}
}
