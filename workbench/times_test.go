package workbench

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/dither-data/dither/desk"
	"github.com/dither-data/dither/internal/system/processor"
	"github.com/dither-data/dither/internal/testkit/dataset"
	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
)

// timed is how long something took, and how long the cores worked for it, here and in the child: a figure that other
// work on the computer does not change.
type timed struct{ wall, cores float64 }

func (d timed) String() string {
	return fmt.Sprintf("%.2f s, %.2f s of processor", d.wall, d.cores)
}

// stopwatch times what a server does.
type stopwatch struct {
	*testing.T
	s    *Server
	last *exec.Cmd
}

func newStopwatch(t *testing.T, s *Server) *stopwatch {
	w := &stopwatch{T: t, s: s}
	work := child("job")
	s.opt.Child = func(ctx context.Context) *exec.Cmd {
		w.last = work(ctx)
		return w.last
	}
	return w
}

// time runs something, waits until no child is at work, and says how long both took.
func (w *stopwatch) time(do func()) timed {
	w.Helper()
	w.last = nil
	begin, cores := time.Now(), processor.Seconds()
	do()
	for w.s.work.running() {
		time.Sleep(5 * time.Millisecond)
	}
	d := timed{time.Since(begin).Seconds(), processor.Seconds() - cores}
	if w.last != nil {
		d.cores += (w.last.ProcessState.UserTime() + w.last.ProcessState.SystemTime()).Seconds()
	}
	return d
}

// TestLargeTables works with Adult and with a million records as people do, and logs what they wait for: the first
// screen, a role, a trial on the sample and on all records, a cancel. In processor time, by a sort of 1,000,000 float64
// (0.1 s): Adult 1.2, 1.2, 12, 47; a million 28, 35, 43, and none on all. A cancel takes a tenth of a sort.
func TestLargeTables(t *testing.T) {
	long.Only(t, "trials on 30,162 and on a million records")
	text := must.Get(os.ReadFile(dataset.File(t, "adult/adult.csv")))(t)
	var whole strings.Builder
	for line := range strings.Lines(string(text)) {
		if !strings.Contains(line, "?") {
			whole.WriteString(line)
		}
	}
	adult := filepath.Join(t.TempDir(), "adult.csv")
	million := filepath.Join(t.TempDir(), "million.csv")
	must.NoError(t, os.WriteFile(adult, []byte(whole.String()), 0o600))
	must.Get((&desk.Desk{}).Generate(t.Context(),
		desk.GenerateRequest{Name: "patients", Rows: 1_000_000, Output: million, SeedFile: million + ".seed"}))(t)
	for _, c := range []struct {
		table, class, records string
		all                   bool // a trial on all records
	}{{adult, "income", "30,162 records", true}, {million, "readmitted", "1,000,000 records", false}} {
		s := serve(t, c.table)
		w := newStopwatch(t, s)
		var v *visitor
		tell := func(what string, do func()) {
			t.Helper()
			t.Logf("%s: %s: %v", c.records, what, w.time(do))
		}
		tell("the first screen", func() { v = visit(t, s, true) })
		if _, page := v.get("/table"); !strings.Contains(page, c.records) {
			t.Fatalf("other records than %s", c.records)
		}
		tell("another role", func() { v.set("table", "what", "role", "column", c.class, "value", "class") })
		tell("a trial on the sample", func() { v.request("/run", "try", "sample", "yes") })
		if c.all {
			tell("a trial on all records", func() { v.request("/run", "try") })
		}
		v.request("/edit", "try", "what", "method", "value", "framework")
		v.request("/run", "try")
		if !s.work.running() {
			t.Error("there is nothing to cancel")
		}
		tell("a cancel", func() {
			if v.request("/cancel", "try"); s.work.running() {
				t.Error("the job is not gone")
			}
		})
		if all, err := s.folder.candidates(); err != nil || len(all) == 0 || c.all && len(all) != 2 {
			t.Errorf("%d candidates (%v): %+v", len(all), err, s.work.view())
		}
	}
}
