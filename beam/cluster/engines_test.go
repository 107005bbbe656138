//go:build cluster

package cluster

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// techniques are those that are tried on both engines besides the Framework: noise in leaves, records that meet by a
// leaf, categories drawn one by one, correlated noise, roundings.
var techniques = []string{"segmentsynthesis", "pram", "gadp", "sadp", "rnat", "capt", "warner", "round", "alpt"}

// TestFlink: a job on two TaskManagers releases the bytes of Prism and the records of one machine, where workers are in
// the launcher's process, processes of their own and started beside Flink, also if a TaskManager is killed on the way.
func TestFlink(t *testing.T) {
	s := place(t, 20_000, 7)
	s.expected(t)
	do := start(t, "flink")
	examples := s.examples["flink"]
	t.Run("loopback", func(t *testing.T) { s.same(t, examples[0], "loopback") })
	if testing.Short() {
		return
	}
	t.Run("killed", func(t *testing.T) {
		s.killed(t, examples[1], func() { do("kill", "taskmanager1") })
		do("again", "taskmanager1")
	})
	t.Run("process", func(t *testing.T) { s.same(t, examples[1], "process") })
	t.Run("external", func(t *testing.T) {
		s.same(t, "dither-beam workers & trap \"kill $!\" EXIT\n"+strings.Replace(examples[0], "LOOPBACK",
			"EXTERNAL --environment_config localhost:50000", 1), "external")
	})
	t.Run("faults", func(t *testing.T) { s.faults(t, examples[1]) })
	s.several(t, examples)
}

// TestSpark: the same on two workers of Spark.
func TestSpark(t *testing.T) {
	s := place(t, 20_000, 7)
	s.expected(t)
	do := start(t, "spark")
	examples := s.examples["spark"]
	t.Run("loopback", func(t *testing.T) { s.same(t, examples[0], "loopback") })
	if testing.Short() {
		return
	}
	t.Run("killed", func(t *testing.T) {
		s.lost(t, examples[1], func() { do("kill", "worker1") })
		do("again", "worker1")
	})
	t.Run("process", func(t *testing.T) { s.same(t, examples[1], "process") })
	t.Run("faults", func(t *testing.T) { s.faults(t, examples[1]) })
	s.several(t, examples)
}

// TestDataflow: the job of the page can be made for Dataflow, with files of this machine instead of a bucket.
func TestDataflow(t *testing.T) {
	s := place(t, 1_000, 3)
	t.Setenv("DITHER_SEED", strings.Repeat("5a", 32))
	here := strings.NewReplacer("'gs://BUCKET/shards/*.csv'", `"$PWD/shards/*.csv"`, "--output gs://BUCKET",
		"--output $PWD")
	out, err := s.shell(t, here.Replace(s.examples["dataflow"][0]))
	if err != nil || !strings.Contains(out, "the job can be made for Dataflow") {
		t.Errorf("%v: %s", err, out)
	}
}

// several tries the techniques, in turn by each of the examples.
func (s *site) several(t *testing.T, examples []string) {
	t.Helper()
	for k, method := range techniques {
		t.Run(method, func(t *testing.T) {
			s.method = method
			s.expected(t)
			s.same(t, examples[k%len(examples)], s.method+"-there")
		})
	}
}

// killed runs an example and has a TaskManager killed when some of the job's tasks are done and others are running.
func (s *site) killed(t *testing.T, example string, kill func()) {
	t.Helper()
	before, done := len(jobs(t)), make(chan bool)
	killed := make(chan bool, 1)
	go func() {
		for {
			select {
			case <-done:
				killed <- false
				return
			case <-time.After(50 * time.Millisecond):
				all := jobs(t)
				if j := len(all) - 1; j >= before && all[j].Tasks.Finished >= 4 && all[j].Tasks.Running > 0 {
					kill()
					killed <- true
					return
				}
			}
		}
	}()
	s.same(t, example, "killed")
	close(done)
	if !<-killed {
		t.Fatal("the job has ended before a TaskManager could be killed")
	}
	var told struct {
		ExceptionHistory struct {
			Entries []json.RawMessage `json:"entries"`
		} `json:"exceptionHistory"`
	}
	all := jobs(t)
	if ask(t, "/jobs/"+all[len(all)-1].ID+"/exceptions", &told); len(told.ExceptionHistory.Entries) == 0 {
		t.Error("a TaskManager was killed, and Flink's job had no failure: nothing was tried")
	}
}

// lost runs an example and has a worker of Spark killed when some of the job's tasks are done and others are running.
// The driver, which is in the job server, must then have lost an executor, and not by the job's end.
func (s *site) lost(t *testing.T, example string, kill func()) {
	t.Helper()
	before, ended := len(driver(t)), make(chan bool)
	var killing sync.WaitGroup
	killed := false
	killing.Go(func() {
		for !killed {
			select {
			case <-ended:
				return
			case <-time.After(50 * time.Millisecond):
				said := driver(t)[before:]
				done := strings.Count(said, "TaskSetManager Finished task")
				if done >= 4 && strings.Count(said, "TaskSetManager Starting task") > done {
					kill()
					killed = true
				}
			}
		}
	})
	s.same(t, example, "killed")
	close(ended)
	if killing.Wait(); !killed {
		t.Fatal("the job has ended before a worker could be killed")
	}
	if said := driver(t)[before:]; !strings.Contains(said, "TaskSchedulerImpl Lost executor") {
		t.Error("a worker was killed, and Spark's driver lost no executor: nothing was tried")
	}
}

// driver is what the job server has logged until now, in which Spark's driver is.
func driver(t *testing.T) string {
	data, err := os.ReadFile(filepath.Join(os.Getenv("DITHER_CLUSTER"), "server.log"))
	if err != nil {
		t.Error(err)
	}
	return string(data)
}

// running is a job of Flink's.
type running struct {
	ID    string `json:"jid"`
	State string `json:"state"`
	Start int64  `json:"start-time"`
	Tasks struct {
		Running  int `json:"running"`
		Finished int `json:"finished"`
	} `json:"tasks"`
}

// jobs are those that Flink knows, in the order of their start.
func jobs(t *testing.T) []running {
	var all struct {
		Jobs []running `json:"jobs"`
	}
	ask(t, "/jobs/overview", &all)
	slices.SortFunc(all.Jobs, func(a, b running) int { return cmp.Compare(a.Start, b.Start) })
	return all.Jobs
}

// ask asks Flink's JobManager.
func ask(t *testing.T, path string, to any) {
	answer, err := http.Get("http://localhost:8081" + path)
	if err == nil {
		err = json.NewDecoder(answer.Body).Decode(to)
		_ = answer.Body.Close()
	}
	if err != nil {
		t.Errorf("Flink does not answer: %v", err)
	}
}

// faults are jobs that must end with a reason, and with nothing written: a shard of other columns, a worker without the
// seed or with another one, and a shard that grows while workers work.
func (s *site) faults(t *testing.T, example string) {
	t.Helper()
	dir, shard := s.dir, filepath.Join(s.dir, "shards", "s03.csv")
	seed := filepath.Join(dir, "seed")
	keep := func(file string) (back string) {
		return fmt.Sprintf("[ -f %[1]s.kept ] || cp %[1]s %[1]s.kept\n", file)
	}
	restore := func(file string) {
		if out, err := s.shell(t, fmt.Sprintf("mv %[1]s.kept %[1]s", file)); err != nil {
			t.Fatal(out)
		}
	}
	s.refused(t, s.wrapped(t, example, keep(seed)+"rm -f "+seed), "noseed", "this machine does not find the secret seed")
	restore(seed)
	s.refused(t, s.wrapped(t, example, keep(seed)+"printf %064d 1 >"+seed), "otherseed",
		"not the seed that the job began with")
	restore(seed)
	grow := fmt.Sprintf("(while [ -e /proc/$$ ]; do tail -n 1 %[1]s.kept >>%[1]s; sleep 0.2; done) >&- 2>&- &", shard)
	s.refused(t, s.wrapped(t, example, keep(shard)+grow), "grown", "s03.csv")
	restore(shard)
	if out, err := s.shell(t, keep(shard)+"printf 'patient_id,age\\n1,2\\n' >"+shard); err != nil {
		t.Fatal(out)
	}
	s.refused(t, example, "columns", "s03.csv")
	restore(shard)
}
