//go:build cluster && faults

package cluster

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/dither-data/dither/beam/store/storetest"
)

// TestFaults takes the minutes that DITHER_FAULTS names. Four TaskManagers work on five jobs at once, so there are 20
// workers, processes of their own. One after the other is killed at random, TaskManager or worker, and a relay between
// the TaskManagers delays what it carries and drops connections. Jobs follow one another; each has to release the bytes
// of Prism, or to end with a reason and without a release.
func TestFaults(t *testing.T) {
	minutes, err := strconv.Atoi(os.Getenv("DITHER_FAULTS"))
	if err != nil || minutes < 1 {
		t.Fatal("DITHER_FAULTS names no minutes")
	}
	const machines, together = 4, 5
	s := place(t, 20_000, machines)
	s.expected(t)
	r := &storetest.Relay{HoldOne: 50, Drop: 500}
	for k := 1; k <= machines; k++ {
		r.Carry(t, fmt.Sprint("localhost:", 21000+k), fmt.Sprint("localhost:", 22000+k)) // data
		r.Carry(t, fmt.Sprint("localhost:", 23000+k), fmt.Sprint("localhost:", 24000+k)) // calls
	}
	for name, value := range map[string]string{
		"DITHER_RELAYED": "yes", "DITHER_RESTARTS": "1000", "DITHER_SLOTS": fmt.Sprint(together), "DITHER_PATIENCE": "60",
	} {
		t.Setenv(name, value)
	}
	do := start(t, "flink", fmt.Sprint(machines))
	example := s.examples["flink"][1]
	before := time.Now()
	s.same(t, example, "before") // the network is good until here
	pace := time.Since(before)
	end := time.Now().Add(time.Duration(minutes) * time.Minute)
	r.Bad.Store(true)
	var kills, right, failed atomic.Int64
	var running sync.WaitGroup
	running.Go(func() { // at the pace of a job, so that jobs come to an end, and the last ones do so in peace
		for time.Now().Before(end) {
			time.Sleep(pace/2 + rand.N(pace))
			t.Logf("killed is %s, after %d others", killOne(t, do, machines), kills.Load())
			kills.Add(1)
		}
		r.Bad.Store(false)
	})
	for lane := range together {
		running.Go(func() {
			for job := 0; time.Now().Before(end) && !t.Failed(); job++ {
				if s.survives(t, example, fmt.Sprintf("job%d-%d", lane, job)) {
					right.Add(1)
				} else {
					failed.Add(1)
				}
			}
		})
	}
	running.Wait()
	t.Logf("%d minutes, %d kills, %d connections of which %d were dropped: %d jobs with the bytes of Prism, %d failed "+
		"with a reason", minutes, kills.Load(), r.Carried.Load(), r.Dropped.Load(), right.Load(), failed.Load())
	if right.Load() == 0 {
		t.Error("no job was done")
	}
}

// survives runs a job, and reports whether it was done, with the bytes of Prism; else it must leave nothing.
func (s *site) survives(t *testing.T, example, to string) bool {
	out, err := s.run(t, example, to)
	if err == nil {
		s.compare(t, to)
		t.Logf("%s is done", to)
		return true
	}
	t.Logf("%s: %s", to, out)
	if _, err := os.Stat(filepath.Join(s.dir, to)); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("%s has failed and leaves a release", to)
	}
	return false
}

// killOne kills a TaskManager, which is started again, or the workers of one, and says which.
func killOne(t *testing.T, do func(...string), machines int) string {
	name := fmt.Sprint("taskmanager", 1+rand.IntN(machines))
	if rand.IntN(2) == 0 {
		do("kill", name)
		do("again", name)
		return name
	}
	pid, err := os.ReadFile(filepath.Join(os.Getenv("DITHER_CLUSTER"), name+".pid"))
	if err != nil {
		t.Error(err)
		return ""
	}
	children, _ := exec.Command("pgrep", "-P", strings.TrimSpace(string(pid))).Output() // fails where there are none
	for child := range strings.FieldsSeq(string(children)) {
		_ = exec.Command("kill", "-9", child).Run() // it may have ended by itself
	}
	return fmt.Sprintf("what works for %s (%d)", name, len(strings.Fields(string(children))))
}
