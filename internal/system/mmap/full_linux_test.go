package mmap

import (
	"bytes"
	"errors"
	"os/signal"
	"strings"
	"syscall"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
)

// TestNoRoom: where files may not become so large, as on a full disk, the error of a copy says so and names the
// folder, and so does what a slice tells.
func TestNoRoom(t *testing.T) {
	var told error
	dir := t.TempDir()
	s := room(t, dir, func(err error) { told = err })
	signal.Ignore(syscall.SIGXFSZ)
	defer signal.Reset(syscall.SIGXFSZ)
	var before syscall.Rlimit
	must.NoError(t, syscall.Getrlimit(syscall.RLIMIT_FSIZE, &before))
	few := before
	few.Cur = 1 << 20
	must.NoError(t, syscall.Setrlimit(syscall.RLIMIT_FSIZE, &few))
	_, err := s.Fill(bytes.NewReader(make([]byte, 2<<20)))
	v := Make[byte](s, 2<<20)
	must.NoError(t, syscall.Setrlimit(syscall.RLIMIT_FSIZE, &before))
	if !errors.Is(err, ErrFull) || !errors.Is(err, syscall.EFBIG) || !strings.Contains(err.Error(), dir+": ") {
		t.Errorf("a copy: %v", err)
	}
	if len(v) != 2<<20 || !errors.Is(told, syscall.EFBIG) {
		t.Errorf("a slice: %v", told)
	}
}
