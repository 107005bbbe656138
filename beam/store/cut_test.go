package store_test

import (
	"bytes"
	"fmt"
	"net/http"
	"sync/atomic"
	"testing"

	"github.com/dither-data/dither/beam/store"
	"github.com/dither-data/dither/beam/store/storetest"
)

// An answer of a store that is cut is asked for again: what is read is whole, and what is removed is gone.
func TestCut(t *testing.T) {
	s, there := storetest.S3(t)
	folder, want := store.Join(there, "folder"), bytes.Repeat([]byte("0123456789abcdef"), 1<<14)
	for k := range 3 {
		if err := store.Write(t.Context(), store.Join(folder, fmt.Sprint("file", k)), store.Bytes(want)); err != nil {
			t.Fatal(err)
		}
	}
	var left atomic.Int64
	s.Cut(t, func(r *http.Request) bool { return r.Method == http.MethodGet && left.Add(-1) >= 0 })
	for cuts := range int64(4) {
		left.Store(cuts)
		got, err := store.Read(t.Context(), store.Join(folder, "file1"))
		if err != nil || !bytes.Equal(got, want) {
			t.Errorf("%d cuts: %d bytes, %v", cuts, len(got), err)
		}
	}
	left.Store(100)
	if got, err := store.Read(t.Context(), store.Join(folder, "file1")); err == nil {
		t.Errorf("a file that never comes whole is read: %d bytes", len(got))
	}
	left.Store(2)
	if err := store.RemoveAll(t.Context(), folder, "file0"); err != nil {
		t.Error(err)
	}
	left.Store(0)
	if found, err := store.List(t.Context(), store.Join(folder, "*")); err != nil || len(found) > 0 {
		t.Errorf("left are %v, %v", found, err)
	}
}
