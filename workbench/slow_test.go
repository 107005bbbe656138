package workbench

import (
	"bytes"
	"errors"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
)

// TestLarge: a form or a header that is too large is refused.
func TestLarge(t *testing.T) {
	long.Only(t, "a table larger than a page shows")
	s := serve(t, people(t))
	v := visit(t, s, true)
	for _, path := range []string{"/edit", "/enter"} {
		if code, _ := v.post(path, url.Values{"screen": {"table"},
			"value": {strings.Repeat("x", mostBody)}}); code != http.StatusRequestEntityTooLarge {
			t.Errorf("%s: %d", path, code)
		}
	}
	if code, _ := v.send(http.MethodGet, "/table", nil,
		func(r *http.Request) {
			r.Header.Set("X", strings.Repeat("x", 64<<10))
		}); code != http.StatusRequestHeaderFieldsTooLarge {
		t.Errorf("a large header: %d", code)
	}
}

// TestSlow: ten thousand connections that never finish a request keep nobody out, and all but the bound are closed. It
// takes as many as the computer lets a process open.
func TestSlow(t *testing.T) {
	s := serve(t, people(t))
	v := visit(t, s, true)
	var slow []net.Conn
	most := 10_000
	if testing.Short() || !long.Enabled() {
		most = 1000
	}
	for range most {
		c, err := net.Dial("tcp", s.guard.host)
		if errors.Is(err, syscall.EMFILE) {
			for _, last := range slow[len(slow)-50:] { // the server is in this process, and needs some files
				last.Close()
			}
			slow = slow[:len(slow)-50]
			t.Logf("only %d connections: this process may open no more files", len(slow))
			break
		}
		must.NoError(t, err)
		defer c.Close()
		_, _ = c.Write([]byte("GET /table HTTP/1.1\r\nHost: ")) // may be closed already
		slow = append(slow, c)
	}
	if code, body := v.get("/table"); code != http.StatusOK || !strings.Contains(body, "<table") {
		t.Errorf("%d", code)
	}
	closed := 0
	for _, c := range slow[:len(slow)-mostStrangers] {
		_ = c.SetReadDeadline(time.Now().Add(headerTime + 20*time.Second))
		if _, err := io.Copy(&bytes.Buffer{}, c); err == nil || !errors.Is(err, os.ErrDeadlineExceeded) {
			closed++
		}
	}
	if closed != len(slow)-mostStrangers {
		t.Errorf("%d of %d are closed", closed, len(slow)-mostStrangers)
	}
}

// TestIdle: a server that nobody uses ends by itself.
func TestIdle(t *testing.T) {
	in := people(t)
	s, err := Open(Options{Table: in, Folder: filepath.Join(filepath.Dir(in), "bench"), Idle: 50 * time.Millisecond})
	must.NoError(t, err)
	if err := s.Serve(t.Context()); !errors.Is(err, ErrIdle) {
		t.Error(err)
	}
	if _, err := net.DialTimeout("tcp", s.guard.host, time.Second); err == nil {
		t.Error("it still listens")
	}
}
