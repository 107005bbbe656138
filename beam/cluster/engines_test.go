//go:build cluster

package cluster

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
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
	for k, e := range examples {
		s.same(t, e, fmt.Sprint("flink", k))
	}
	if !testing.Short() {
		s.same(t, "dither-beam workers & trap \"kill $!\" EXIT\n"+strings.Replace(examples[0], "LOOPBACK",
			"EXTERNAL --environment_config localhost:50000", 1), "external")
	}
	s.killed(t, examples[1], func() { do("kill", "taskmanager1") })
	if !testing.Short() {
		do("again", "taskmanager1")
		s.several(t, examples)
		s.faults(t, examples[1])
	}
}

// TestSpark: the same on two workers of Spark.
func TestSpark(t *testing.T) {
	s := place(t, 20_000, 7)
	s.expected(t)
	do := start(t, "spark")
	examples := s.examples["spark"]
	for k, e := range examples {
		s.same(t, e, fmt.Sprint("spark", k))
		if testing.Short() {
			return
		}
	}
	s.several(t, examples)
	s.faults(t, examples[1])
	time.AfterFunc(20*time.Second, func() { do("kill", "worker1") })
	s.same(t, examples[1], "killed")
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
		s.method = method
		s.expected(t)
		s.same(t, examples[k%len(examples)], s.method+"-there")
	}
	s.method = "framework"
}

// killed runs an example and has a TaskManager killed when some of the job's tasks are done and others are running.
func (s *site) killed(t *testing.T, example string, kill func()) {
	t.Helper()
	before, ended := len(jobs(t)), make(chan bool)
	go func() {
		defer close(ended)
		for t.Context().Err() == nil {
			for _, j := range jobs(t) {
				if len(jobs(t)) > before && j.State == "RUNNING" && j.Tasks.Finished >= 4 && j.Tasks.Running > 0 {
					kill()
					return
				}
			}
			time.Sleep(50 * time.Millisecond)
		}
	}()
	s.same(t, example, "killed")
	<-ended
	var told struct {
		ExceptionHistory struct {
			Entries []json.RawMessage `json:"entries"`
		} `json:"exceptionHistory"`
	}
	all := jobs(t)
	ask(t, "/jobs/"+all[len(all)-1].ID+"/exceptions", &told)
	t.Logf("a TaskManager was killed: Flink tells of %d failures of the job", len(told.ExceptionHistory.Entries))
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
// seed or with another one, and a shard that changes on the way.
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
	s.refused(t, s.wrapped(t, example, keep(shard)+"sed -i 's/female/male/' "+shard), "changed", "s03.csv")
	restore(shard)
	if out, err := s.shell(t, keep(shard)+"printf 'patient_id,age\\n1,2\\n' >"+shard); err != nil {
		t.Fatal(out)
	}
	s.refused(t, example, "columns", "s03.csv")
	restore(shard)
}
