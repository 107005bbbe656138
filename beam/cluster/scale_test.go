//go:build cluster && scale

package cluster

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/dither-data/dither/format/csv"
	"github.com/dither-data/dither/format/dialect"
	"github.com/dither-data/dither/generate"
	"github.com/dither-data/dither/rng"
)

// TestScale measures, for each number of records that DITHER_SCALE names, such as "100000 1000000", one job of the
// Framework over a table of 15 columns in 20 shards: on one machine, on Prism and on Flink with processes of two
// TaskManagers; processor seconds, memory and what was read and written. It compares the releases, too.
func TestScale(t *testing.T) {
	sizes := strings.Fields(os.Getenv("DITHER_SCALE"))
	if len(sizes) == 0 {
		t.Fatal("DITHER_SCALE names no numbers of records")
	}
	s := place(t, 100, 2)
	start(t, "flink")
	for _, size := range sizes {
		n, err := strconv.Atoi(size)
		if err != nil {
			t.Fatal(err)
		}
		s.grow(t, n, 20)
		laptop := "dither protect table.csv --class readmitted --method framework --seed-file seed --limits none " +
			"--relations none -o framework.csv --force"
		s.measured(t, n, "one machine", laptop)
		for what, example := range map[string]string{"Prism": s.examples["prism"][0], "Flink": s.examples["flink"][1]} {
			to := map[string]string{"Prism": "framework-prism", "Flink": "there"}[what]
			s.measured(t, n, what, s.unjudged(example, to))
		}
		s.compare(t, "there")
		for _, folder := range []string{"there", "framework-prism"} {
			if err := os.RemoveAll(filepath.Join(s.dir, folder)); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// TestBytes measures what a job of each technique reads and writes in files, per record, from the difference between
// two sizes: the table of what a large job carries in docs/beam.md.
func TestBytes(t *testing.T) {
	sizes := strings.Fields(os.Getenv("DITHER_SCALE"))
	if len(sizes) < 2 {
		t.Fatal("DITHER_SCALE names no two numbers of records")
	}
	s := place(t, 100, 2)
	methods := append([]string{"framework"}, techniques...)
	type bytes struct{ read, written float64 }
	of, number := map[string][]bytes{}, []float64{}
	for _, size := range sizes[:2] {
		n, err := strconv.Atoi(size)
		if err != nil {
			t.Fatal(err)
		}
		number = append(number, float64(n))
		s.grow(t, n, 20)
		for _, method := range methods {
			s.method = method
			out, err := s.shell(t, s.unjudged(s.examples["prism"][0], "release")+"cat /proc/$$/io; rm -r release\n")
			if err != nil {
				t.Fatal(out)
			}
			_, out, _ = strings.Cut(out, "rchar")
			var b bytes
			if _, err := fmt.Sscanf("rchar"+out, "rchar: %g\nwchar: %g", &b.read, &b.written); err != nil {
				t.Fatal(err, out)
			}
			of[method] = append(of[method], b)
			t.Logf("%d records, %s: %.0f bytes read, %.0f written", n, method, b.read, b.written)
		}
	}
	for _, method := range methods {
		b, more := of[method], number[1]-number[0]
		t.Logf("| %s | %.0f | %.0f |", method, (b[1].read-b[0].read)/more, (b[1].written-b[0].written)/more)
	}
}

// grow makes the table anew: patients, and two more numbers.
func (s *site) grow(t *testing.T, n, shards int) {
	t.Helper()
	if err := os.RemoveAll(filepath.Join(s.dir, "shards")); err != nil {
		t.Fatal(err)
	}
	whole, err := os.Create(filepath.Join(s.dir, "table.csv"))
	if err != nil {
		t.Fatal(err)
	}
	defer whole.Close()
	for k := range shards {
		var b bytes.Buffer
		source := rng.New([32]byte{9, byte(k)})
		if err := csv.Write(t.Context(), &b, generate.Patients(n/shards, source), dialect.Options{}); err != nil {
			t.Fatal(err)
		}
		draw := source.Fork("more").Rand()
		var shard []byte
		for i, line := range bytes.Split(bytes.TrimSpace(b.Bytes()), []byte("\n")) {
			if shard = append(shard, line...); i == 0 {
				shard = append(shard, ",cost,stay\n"...)
			} else {
				shard = fmt.Appendf(shard, ",%d,%d\n", draw.IntN(10_000), draw.IntN(60))
			}
		}
		write(t, filepath.Join(s.dir, fmt.Sprintf("shards/s%02d.csv", k)), shard)
		if head := bytes.IndexByte(shard, '\n') + 1; k > 0 {
			shard = shard[head:]
		}
		if _, err := whole.Write(shard); err != nil {
			t.Fatal(err)
		}
	}
}

// measured runs a line and logs what it took: of the launcher, of the workers, and of the engine's JVMs.
func (s *site) measured(t *testing.T, n int, what, line string) {
	t.Helper()
	engines, before := engine(t), time.Now()
	c := exec.Command("bash", "-ec", line)
	c.Dir, c.Env = s.dir, append(os.Environ(), "PATH="+s.programs+":"+os.Getenv("PATH"))
	var said bytes.Buffer
	c.Stdout, c.Stderr = &said, &said
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	ended, last, most := make(chan error), map[int]process{}, int64(0)
	go func() { ended <- c.Wait() }()
	for {
		select {
		case err := <-ended:
			if err != nil {
				t.Fatalf("%s, %d records: %v\n%s", what, n, err, said.String())
			}
			var workers process
			for _, w := range last {
				workers.cpu += w.cpu
			}
			t.Logf("%d records, %s: %.1f s, launcher %.1f processor seconds, %d workers %.1f and %d MB together, JVMs %.1f",
				n, what, time.Since(before).Seconds(), (c.ProcessState.UserTime() + c.ProcessState.SystemTime()).Seconds(),
				len(last), workers.cpu, most>>20, engine(t)-engines)
			return
		case <-time.After(50 * time.Millisecond):
			var now int64
			for pid, w := range s.processes() {
				if pid == c.Process.Pid || w.parent == c.Process.Pid {
					continue
				}
				last[pid] = w
				now += w.memory
			}
			most = max(most, now)
		}
	}
}

// process is what a process took.
type process struct {
	cpu    float64 // seconds
	memory int64   // bytes
	parent int
}

// processes are those of dither-beam that run, by their numbers.
func (s *site) processes() map[int]process {
	all := map[int]process{}
	links, _ := filepath.Glob("/proc/[0-9]*/exe")
	for _, l := range links {
		if program, err := os.Readlink(l); err != nil || program != filepath.Join(s.programs, "dither-beam") {
			continue
		}
		if pid, err := strconv.Atoi(filepath.Base(filepath.Dir(l))); err == nil {
			if p, err := took(pid); err == nil {
				all[pid] = p
			}
		}
	}
	return all
}

// took reads what a process took until now.
func took(pid int) (p process, err error) {
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return p, err
	}
	f := strings.Fields(string(data[bytes.LastIndexByte(data, ')')+1:]))
	user, system, pages := number(f[11]), number(f[12]), number(f[21])
	memory := pages * int64(os.Getpagesize())
	return process{cpu: float64(user+system) / 100, memory: memory, parent: int(number(f[1]))}, nil
}

func number(s string) int64 {
	n, _ := strconv.ParseInt(s, 10, 64)
	return n
}

// engine is what the JVMs took until now, in processor seconds.
func engine(t *testing.T) (cpu float64) {
	t.Helper()
	pids, _ := filepath.Glob(filepath.Join(os.Getenv("DITHER_CLUSTER"), "*.pid"))
	for _, file := range pids {
		text, err := os.ReadFile(file)
		if err != nil {
			continue
		}
		if p, err := took(int(number(strings.TrimSpace(string(text))))); err == nil {
			cpu += p.cpu
		}
	}
	return cpu
}
