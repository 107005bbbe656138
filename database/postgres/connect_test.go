package postgres

import (
	"io"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/dither-data/dither/format/dialect"
	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/table"
)

// serving accepts connections until the test ends, and returns where.
func serving(t *testing.T, serve func(net.Conn)) string {
	t.Helper()
	l := must.Get(net.Listen("tcp", "127.0.0.1:0"))(t)
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			serve(c)
		}
	}()
	return l.Addr().String()
}

// answering is the address of a server that gives one answer to the first message of each connection, then is silent.
func answering(t *testing.T, answer string) string {
	t.Helper()
	return "postgres://u@" + serving(t, func(c net.Conn) {
		t.Cleanup(func() { c.Close() })
		go func() {
			if n, _ := c.Read(make([]byte, 1000)); n > 0 {
				_, _ = io.WriteString(c, answer)
			}
		}()
	}) + "/d?sslmode="
}

// TestSilentServers: one that does not answer, falls silent later or speaks no TLS is left with the true reason. A
// quick run waits less for the first than the second that its address asks for, and not for the one that falls silent
// later, which needs the time to log in.
func TestSilentServers(t *testing.T) {
	const welcome = "R\x00\x00\x00\x08\x00\x00\x00\x00" + "Z\x00\x00\x00\x05I" // logged in, and ready
	wait := long.Of(100*time.Millisecond, time.Second)
	for _, c := range []struct{ address, says string }{
		{answering(t, "") + "disable&connect_timeout=1", "does not answer within " + wait.String()},
		{answering(t, welcome) + "disable&idle_timeout=1", "silent for too long"},
		{answering(t, "N") + "require", "speaks no TLS"},
		{answering(t, "N") + "verify-full", "speaks no TLS"},
	} {
		began := time.Now()
		a := parsed(t, c.address, "p", "")
		switch {
		case a.idle == time.Second && !long.Enabled():
			continue
		case a.config.ConnectTimeout == time.Second:
			a.config.ConnectTimeout = wait
		}
		_, _, err := Read(t.Context(), a, dialect.Options{})
		if err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v", c.address, err)
		}
		if took := time.Since(began); took > time.Minute {
			t.Errorf("%s: it takes %v", c.address, took)
		}
	}
	a := parsed(t, "postgres://u@h/d?sslmode=disable", "p", "")
	if a.config.ConnectTimeout != connecting || a.idle != idle {
		t.Errorf("by default %v to connect, %v in silence", a.config.ConnectTimeout, a.idle)
	}
}

// TestExposed: what others on the way may read is told.
func TestExposed(t *testing.T) {
	for address, want := range map[string]Guard{
		"postgres://u@h/d?table=p":                           Clear,
		"postgres://u@h/d?table=p&sslmode=disable":           Clear,
		"postgres://u@h/d?table=p&sslmode=prefer":            Clear,
		"postgres://u@h/d?table=p&sslmode=require":           Unverified,
		"postgres://u@h/d?table=p&sslmode=verify-full":       Guarded,
		"postgres://u@h/d?sslmode=verify-full":               Guarded, // for a query
		"postgres://u@localhost/d?table=p":                   Guarded,
		"postgres://u@127.0.0.2/d?table=p&sslmode=disable":   Guarded,
		"postgres:///d?table=p&host=/run/postgresql":         Guarded,
		"postgres://u@h,localhost/d?table=p&sslmode=disable": Clear,
		"postgres://u@localhost,h/d?table=p&sslmode=disable": Clear,
		"POSTGRES://u@h/d?table=p":                           Clear,
		"h.csv":                                              Guarded,
	} {
		if got := Exposed(address); got != want {
			t.Errorf("%s: %d, want %d", address, got, want)
		}
	}
}

// TestLongNames: the server would cut them off without a word.
func TestLongNames(t *testing.T) {
	if err := named(strings.Repeat("é", 31)); err != nil {
		t.Error(err)
	}
	if err := named(strings.Repeat("é", 32)); err == nil {
		t.Error("64 bytes are a name")
	}
	wide, err := table.New(table.NumColumn(strings.Repeat("x", 64), 1, []float64{1}))
	must.NoError(t, err)
	_, err = Write(t.Context(), parsed(t, "postgres://u@127.0.0.1:1/d?sslmode=disable", "p", ""), wide, dialect.Options{})
	if err == nil || !strings.Contains(err.Error(), "longer than") {
		t.Errorf("a column of 64 bytes: %v", err)
	}
}
