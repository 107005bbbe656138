//go:build flink

package cluster

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/dither-data/dither/format/csv"
	"github.com/dither-data/dither/format/dialect"
	"github.com/dither-data/dither/generate"
	"github.com/dither-data/dither/rng"
)

// flink starts the cluster in the folder that DITHER_FLINK names, where flink.sh has installed it.
func flink(t *testing.T) (do func(verb string, more ...string)) {
	t.Helper()
	dir := os.Getenv("DITHER_FLINK")
	if dir == "" {
		t.Fatal("DITHER_FLINK names no folder in which flink.sh has installed a cluster")
	}
	do = func(verb string, more ...string) {
		if out, err := exec.Command("./flink.sh", append([]string{verb, dir}, more...)...).CombinedOutput(); err != nil {
			t.Errorf("flink.sh %s: %v\n%s", verb, err, out)
		}
	}
	do("start")
	t.Cleanup(func() { do("stop") })
	return do
}

// shards writes a table into files, and a seed.
func shards(t *testing.T, n int) (dir string) {
	t.Helper()
	dir = t.TempDir()
	var b bytes.Buffer
	if err := csv.Write(t.Context(), &b, generate.Patients(20_000, rng.New([32]byte{3})), dialect.Options{}); err != nil {
		t.Fatal(err)
	}
	head, rest, _ := bytes.Cut(b.Bytes(), []byte("\n"))
	lines := bytes.SplitAfter(rest, []byte("\n"))
	for k := range n {
		part := bytes.Join(lines[k*len(lines)/n:(k+1)*len(lines)/n], nil)
		write(t, filepath.Join(dir, fmt.Sprintf("s%02d.csv", k)), append(append(bytes.Clone(head), '\n'), part...))
	}
	write(t, filepath.Join(dir, "seed"), []byte(strings.Repeat("5a", 32)+"\n"))
	return dir
}

func write(t *testing.T, path string, data []byte) {
	t.Helper()
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
}

// TestFlink: a job on two TaskManagers releases the bytes of one on this machine, also where one of them is killed on
// the way; a job that cannot be done says why, and writes nothing.
func TestFlink(t *testing.T) {
	do := flink(t)
	program := filepath.Join(t.TempDir(), "dither-beam")
	if out, err := exec.Command("go", "build", "-o", program, "../cmd/dither-beam").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	dir := shards(t, 7)
	run := func(to string, args ...string) (string, error) {
		cmd := exec.Command(program, append([]string{"protect", "--class", "readmitted", "--drop", "patient_id",
			"--seed-file", filepath.Join(dir, "seed"), "--input", filepath.Join(dir, "*.csv"),
			"--output", filepath.Join(dir, to)}, args...)...)
		out, err := cmd.CombinedOutput()
		return string(out), err
	}
	there := []string{"--runner", "flink", "--endpoint", "localhost:8099", "--environment_type", "LOOPBACK"}
	for _, method := range []string{"framework", "pram", "segmentsynthesis"} {
		if out, err := run(method, "--method", method); err != nil {
			t.Fatalf("%s: %s", method, out)
		}
		if method == "pram" { // what is left of the cluster goes on
			time.AfterFunc(8*time.Second, func() { do("kill", "1") })
		}
		if out, err := run(method+"-flink", append(there, "--method", method)...); err != nil {
			t.Fatalf("%s: %s", method, out)
		}
		same(t, filepath.Join(dir, method), filepath.Join(dir, method+"-flink"))
	}
	write(t, filepath.Join(dir, "s03.csv"), []byte("patient_id,age\n1,2\n"))
	out, err := run("failed", append(there, "--method", "framework")...)
	if err == nil || !strings.Contains(out, "s03.csv") || strings.Count(strings.TrimSpace(out), "\n") > 0 {
		t.Errorf("a shard of other columns: %v\n%s", err, out)
	}
	if _, err := os.Stat(filepath.Join(dir, "failed")); err == nil {
		t.Error("a failed job leaves a release")
	}
}

// same compares two releases file by file.
func same(t *testing.T, one, other string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(one, "*"))
	if err != nil || len(files) == 0 {
		t.Fatalf("%v: no files in %s", err, one)
	}
	for _, f := range files {
		a, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		b, err := os.ReadFile(filepath.Join(other, filepath.Base(f)))
		if err != nil || !bytes.Equal(a, b) {
			t.Errorf("%s: %v: not the bytes of one machine", filepath.Base(f), err)
		}
	}
}
