//go:build faults

package job

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/dither-data/dither/beam/job/jobtest"
	"github.com/dither-data/dither/beam/store"
	"github.com/dither-data/dither/beam/store/storetest"
	"github.com/dither-data/dither/desk"
)

// trial is a job that is done again and again, and what it gives where nothing goes wrong.
type trial struct {
	name  string
	job   Job
	want  string // the release
	judge string // what is told of it
}

// trials are techniques that are fitted here, and one whose plan is given, with files of a disk and of a store.
func trials(t *testing.T, there string) (all []trial) {
	t.Helper()
	dir, lines := t.TempDir(), invented(400)
	_, plan, seedFile := laptop(t, dir, lines, "segmentsynthesis", nil)
	shards := cut(t, t.TempDir(), lines, 7)
	for name, q := range map[string]Job{
		"framework": {Method: "framework", Class: "class"}, "pram": {Method: "pram", Class: "class"},
		"rnat": {Method: "rnat", Class: "class"}, "segmentsynthesis": {Plan: plan},
	} {
		q.Shards, q.SeedFile, q.Said, q.Categorical, q.Work = shards, seedFile, unlimited, []string{"ward"}, dir
		one := trial{name: name, job: q}
		output := filepath.Join(dir, name)
		r, err := run(t.Context(), new(q), output, "", rand.New(rand.NewPCG(1, 1)))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		one.want, one.judge = joined(t, output), indented(jobtest.Told(t, r.Judged))
		all = append(all, one)
		one.name += " in a store"
		one.job.Shards, one.job.Work = copied(t, there+"/in", shards...), there+"/work"
		all = append(all, one)
	}
	return all
}

// TestFaults takes the minutes that DITHER_FAULTS names. Twenty workers, processes of their own, do the elements of
// five jobs at once, as runners have them done: an element whose worker is lost, or that ended with an error, is given
// out again, up to four times, and now and then twice at once. One worker after the other is killed, or stopped for
// seconds and taken for dead while it is not; and a relay between workers and store holds back and cuts what it
// carries. A job has to end with the release and the verdict of one machine, or with a reason and without a release;
// and in the end nothing is left of any.
func TestFaults(t *testing.T) {
	minutes, err := strconv.ParseFloat(os.Getenv("DITHER_FAULTS"), 64)
	if err != nil || minutes <= 0 {
		t.Fatal("DITHER_FAULTS names no minutes")
	}
	_, there := storetest.S3(t)
	server, err := url.Parse(os.Getenv("AWS_ENDPOINT_URL"))
	if err != nil {
		t.Fatal(err)
	}
	network := &storetest.Relay{HoldOne: 200, Drop: 400}
	t.Setenv("AWS_ENDPOINT_URL", "http://"+network.Carry(t, "localhost:0", server.Host))
	const workers, together = 20, 5
	all, e := trials(t, there), newEngine(t, workers)
	end := time.Now().Add(time.Duration(minutes * float64(time.Minute)))
	network.Bad.Store(true)
	var jobs, killer sync.WaitGroup
	var right, reasons atomic.Int64
	for lane := range together {
		jobs.Go(func() {
			for k := lane; time.Now().Before(end) && !t.Failed(); k++ {
				one := &all[k%len(all)]
				if e.survives(t, one, store.Join(one.job.Work, fmt.Sprintf("out%d-%d", lane, k))) {
					right.Add(1)
				} else {
					reasons.Add(1)
				}
			}
		})
	}
	killer.Go(func() {
		e.trouble(end)
		network.Bad.Store(false) // so that the last jobs end in peace
	})
	jobs.Wait()
	killer.Wait()
	e.stop()
	t.Logf("%.1f minutes, %d workers killed, %d stopped and taken for dead, %d elements given out twice; of %d "+
		"connections %d cut, %d pieces held back: %d jobs with the bytes and the verdict of one machine, %d ended "+
		"with a reason",
		minutes, e.killed.Load(), e.stopped.Load(), e.twice.Load(), network.Carried.Load(), network.Dropped.Load(),
		network.Held.Load(), right.Load(), reasons.Load())
	if right.Load() == 0 || e.killed.Load() == 0 || network.Dropped.Load() == 0 {
		t.Error("nothing was tried")
	}
	for _, left := range under(t, there) {
		if strings.Contains(left, ".working-") && !e.named(left) {
			t.Errorf("left behind, and not named: %s", left)
		}
	}
}

// survives does a job, and reports whether it was done. One that was not must leave no release.
func (e *engine) survives(t *testing.T, one *trial, output string) bool {
	q := one.job
	r, err := e.run(t.Context(), &q, output) // what could not be removed is named, and no reason
	var broken *desk.Broken
	if errors.As(err, &broken) {
		t.Errorf("%s: withheld under faults alone: %v", one.name, err)
	}
	if err != nil {
		t.Logf("%s: %v", one.name, err)
		e.reasons.Store(err.Error(), true)
		if there, err := wholly(t.Context(), output); err != nil || there {
			t.Errorf("%s has failed and leaves a release: %v", one.name, err)
		}
		return false
	}
	if got := e.releaseOf(t, output); got != one.want {
		t.Errorf("%s: another release:\n%s", one.name, differs(one.want, got))
	}
	if got := indented(jobtest.Told(t, r.Judged)); got != one.judge {
		t.Errorf("%s: another verdict:\n%s", one.name, differs(one.judge, got))
	}
	return true
}

// wholly reports whether a release is there, as somebody sees it who waits for it.
func wholly(ctx context.Context, output string) (there bool, err error) {
	if store.Local(output) {
		return store.Exists(ctx, output)
	}
	for range 20 { // the relay cuts this reader, too
		if there, err = store.Exists(ctx, store.Join(output, store.Marker)); err == nil {
			return there, nil
		}
	}
	return there, err
}

// releaseOf reads a release in spite of the network.
func (e *engine) releaseOf(t *testing.T, output string) string {
	t.Helper()
	dir := t.TempDir()
	persist := func(do func() error) { // the relay cuts this reader, too
		err := do()
		for k := 0; err != nil && k < 50; k++ {
			err = do()
		}
		if err != nil {
			t.Error(err)
		}
	}
	var parts []string
	persist(func() (err error) {
		parts, err = store.List(t.Context(), store.Join(output, "part-*"))
		return err
	})
	for _, part := range parts {
		persist(func() error {
			data, err := store.Read(t.Context(), part)
			if err == nil {
				err = os.WriteFile(filepath.Join(dir, store.Base(part)), data, 0o600)
			}
			return err
		})
	}
	return joined(t, dir)
}

// errand is what a worker is told to do: an element of a stage of a job.
type errand struct {
	Folder, Method, Plan string
	Shards               int
	Stage, Element       int
}

// done is what came of it.
type done struct {
	Columns int // after merge
	Err     string
}

// TestMain is a worker where the engine starts one: it does what its input tells, until that ends.
func TestMain(m *testing.M) {
	if os.Getenv("DITHER_FAULTS_WORKER") == "" {
		os.Exit(m.Run())
	}
	in, out := bufio.NewScanner(os.Stdin), json.NewEncoder(os.Stdout)
	for in.Scan() {
		var o errand
		if err := json.Unmarshal(in.Bytes(), &o); err != nil {
			os.Exit(1)
		}
		if out.Encode(o.do()) != nil {
			os.Exit(1)
		}
	}
}

// do does an errand as Beam's DoFns do (package pipeline).
func (o *errand) do() (d done) {
	q := &Job{Method: o.Method, Plan: o.Plan, Shards: make([]string, o.Shards)}
	stages := stagesOf(context.Background(), q, o.Folder)
	err := Failed(o.Folder, stages[o.Stage].work(o.Element))
	if err != nil {
		d.Err = err.Error()
	}
	for _, s := range stages {
		if s.name == "hash" {
			d.Columns = s.n()
		}
	}
	return d
}
