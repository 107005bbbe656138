//go:build cluster

package cluster

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/dither-data/dither/format/csv"
	"github.com/dither-data/dither/format/dialect"
	"github.com/dither-data/dither/generate"
	"github.com/dither-data/dither/rng"
)

// start starts an engine in the folder that DITHER_CLUSTER names, where cluster.sh has installed it.
func start(t *testing.T, engine string, more ...string) (do func(args ...string)) {
	t.Helper()
	dir := os.Getenv("DITHER_CLUSTER")
	if dir == "" {
		t.Fatal("DITHER_CLUSTER names no folder in which cluster.sh has installed Flink and Spark")
	}
	script := func(args ...string) {
		if out, err := exec.Command("./cluster.sh", args...).CombinedOutput(); err != nil {
			t.Errorf("cluster.sh %s: %v\n%s", args, err, out)
		}
	}
	t.Cleanup(func() { script("stop", dir) })
	if script(append([]string{"start", engine, dir}, more...)...); t.Failed() {
		t.FailNow()
	}
	return func(args ...string) { script(append(args, dir)...) }
}

// site is a folder as the examples of the page need it: shards, a seed, and the programs.
type site struct {
	dir, programs string
	examples      map[string][]string // of the page, by runner
	method        string              // what they protect with
}

// command are the examples of the page: they release into a folder of their own.
var command = regexp.MustCompile(`(?m)^    dither-beam protect .*\n(?:     .*\n)*`)

// output is where an example releases to.
var output = regexp.MustCompile(`--output \S+`)

// place makes a site, with the releases of Prism and of one machine, which are compared.
func place(t *testing.T, records, shards int) *site {
	t.Helper()
	s := &site{dir: t.TempDir(), programs: t.TempDir(), examples: map[string][]string{}, method: "framework"}
	page, err := os.ReadFile("../../docs/beam.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range command.FindAllString(string(page), -1) {
		switch runner := regexp.MustCompile(`--runner (\w+)`).FindStringSubmatch(c); {
		case !strings.Contains(c, "--output $PWD/release") && !strings.Contains(c, "--output gs://BUCKET"):
		case runner == nil:
			s.examples["prism"] = append(s.examples["prism"], c)
		default:
			s.examples[runner[1]] = append(s.examples[runner[1]], c)
		}
	}
	for runner, n := range map[string]int{"prism": 1, "flink": 2, "spark": 2, "dataflow": 1} {
		if got := len(s.examples[runner]); got != n {
			t.Fatalf("docs/beam.md has %d examples for %s, expected %d", got, runner, n)
		}
	}
	for folder, program := range map[string]string{"../cmd/dither-beam": "dither-beam", "../../cmd/dither": "dither"} {
		build := exec.Command("go", "build", "-ldflags", "-s -w", "-o", filepath.Join(s.programs, program), ".")
		build.Dir = folder
		if out, err := build.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
	}
	var b bytes.Buffer
	if err := csv.Write(t.Context(), &b, generate.Patients(records, rng.New([32]byte{3})), dialect.Options{}); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(s.dir, "table.csv"), b.Bytes())
	write(t, filepath.Join(s.dir, "seed"), []byte(strings.Repeat("5a", 32)+"\n"))
	head, rest, _ := bytes.Cut(b.Bytes(), []byte("\n"))
	lines := bytes.SplitAfter(rest, []byte("\n"))
	for k := range shards {
		part := bytes.Join(lines[k*len(lines)/shards:(k+1)*len(lines)/shards], nil)
		write(t, filepath.Join(s.dir, fmt.Sprintf("shards/s%02d.csv", k)), append(append(bytes.Clone(head), '\n'), part...))
	}
	return s
}

func write(t *testing.T, path string, data []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
}

// run runs an example by another technique into another folder, by a shell that stands in the site. Releases are not
// held against limits: what is compared is how they are made.
func (s *site) run(t *testing.T, example, to string) (said string, err error) {
	t.Helper()
	return s.shell(t, s.unjudged(example, to))
}

// unjudged is an example by another technique into another folder, which holds its release against no limits.
func (s *site) unjudged(example, to string) string {
	example = output.ReplaceAllString(example, "--output $$PWD/"+to)
	return strings.Replace(example, "--method framework", "--method "+s.method+" --limits none", 1)
}

func (s *site) shell(t *testing.T, line string) (said string, err error) {
	c := exec.CommandContext(t.Context(), "bash", "-ec", line)
	c.Dir = s.dir
	c.Env = append(os.Environ(), "PATH="+s.programs+":"+os.Getenv("PATH"))
	out, err := c.CombinedOutput()
	return string(out), err
}

// expected makes the release of Prism, and holds it against that of one machine, which has the same records.
func (s *site) expected(t *testing.T) {
	t.Helper()
	if out, err := s.run(t, s.examples["prism"][0], s.method+"-prism"); err != nil {
		t.Fatalf("%s: %s", s.method, out)
	}
	out, err := s.shell(t, "dither protect table.csv --class readmitted --method "+s.method+
		" --seed-file seed --limits none --relations none -o "+s.method+".csv")
	if err != nil {
		t.Fatalf("%s: %s", s.method, out)
	}
	var shards [][]byte
	for _, f := range s.files(t, s.method+"-prism") {
		shards = append(shards, records(t, f)...)
	}
	laptop := records(t, filepath.Join(s.dir, s.method+".csv"))
	slices.SortFunc(shards, bytes.Compare)
	slices.SortFunc(laptop, bytes.Compare)
	if !slices.EqualFunc(shards, laptop, bytes.Equal) {
		t.Fatalf("%s: Prism does not release the records of one machine", s.method)
	}
}

// records are the lines of a file without the first.
func records(t *testing.T, file string) [][]byte {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return bytes.Split(bytes.TrimSuffix(data, []byte("\n")), []byte("\n"))[1:]
}

// files are those of a release.
func (s *site) files(t *testing.T, of string) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(s.dir, of, "*"))
	if err != nil || len(files) == 0 {
		t.Fatalf("%v: no files in %s", err, of)
	}
	return files
}

// same runs an example, and compares its release with Prism's file by file.
func (s *site) same(t *testing.T, example, to string) {
	t.Helper()
	if out, err := s.run(t, example, to); err != nil {
		t.Fatalf("%s: %v\n%s", to, err, out)
	}
	s.compare(t, to)
}

func (s *site) compare(t *testing.T, to string) {
	t.Helper()
	want, got := s.files(t, s.method+"-prism"), s.files(t, to)
	if len(want) != len(got) {
		t.Errorf("%s: %d files, expected %d", to, len(got), len(want))
	}
	for _, f := range want {
		a, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		b, err := os.ReadFile(filepath.Join(s.dir, to, filepath.Base(f)))
		if err != nil || !bytes.Equal(a, b) {
			t.Errorf("%s/%s: %v: not the bytes of Prism", to, filepath.Base(f), err)
		}
	}
}

// refused runs an example that must end with a reason in one line, with nothing written.
func (s *site) refused(t *testing.T, example, to, reason string) {
	t.Helper()
	out, err := s.run(t, example, to)
	if err == nil || !strings.Contains(out, reason) || strings.Count(strings.TrimSpace(out), "\n") > 0 {
		t.Errorf("%s: %v, expected %q in one line:\n%s", to, err, reason, out)
	}
	if left, err := filepath.Glob(filepath.Join(s.dir, "*"+to+"*")); err != nil || len(left) > 0 {
		t.Errorf("%s: a failed job leaves %s", to, left)
	}
	if left, err := filepath.Glob(filepath.Join(s.dir, "."+to+"*")); err != nil || len(left) > 0 {
		t.Errorf("%s: a failed job leaves %s", to, left)
	}
}

// wrapped is an example whose workers are started by a script, which goes on with the program.
func (s *site) wrapped(t *testing.T, example, script string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "worker")
	write(t, path, []byte("#!/bin/bash\n"+script+"\nexec "+filepath.Join(s.programs, "dither-beam")+" \"$@\"\n"))
	if err := os.Chmod(path, 0o700); err != nil {
		t.Fatal(err)
	}
	out := strings.Replace(example, "$(command -v dither-beam)", path, 1)
	if out == example {
		t.Fatalf("the example does not start workers by the program:\n%s", example)
	}
	return out
}
