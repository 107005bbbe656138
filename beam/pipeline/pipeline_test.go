package pipeline_test

import (
	"bytes"
	"cmp"
	"encoding/base64"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/core/runtime/graphx"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/runners/prism"
	"google.golang.org/protobuf/proto"

	"github.com/dither-data/dither/beam/job"
	"github.com/dither-data/dither/beam/pipeline"
	"github.com/dither-data/dither/beam/store"
	"github.com/dither-data/dither/beam/store/storetest"
	"github.com/dither-data/dither/desk"
	"github.com/dither-data/dither/policy"
)

const seed = "00112233445566778899aabbccddeeff00112233445566778899aabbccddee01"

func TestMain(m *testing.M) {
	beam.Init()
	os.Exit(m.Run())
}

// columns are those of the table.
var columns = []string{"yearsofage", "womanorman", "decision"}

// On Prism, with shards handed out in any order, the release is that of one machine, whether files and seed are on a
// disk, or the files in S3 and the seed in an environment variable. Graph and logs hold neither the seed nor what is in
// the data.
func TestPrism(t *testing.T) {
	dir := t.TempDir()
	header, lines := strings.Join(columns, ",")+"\n", []string{}
	for i := range 500 {
		lines = append(
			lines,
			fmt.Sprintf("%d,%s,%s\n", 20+(i*i+3*i)%61, []string{"f", "m"}[i%2], []string{"yes", "no", "no"}[i*i%3]),
		)
	}
	file := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	seedFile := file("seed", seed)
	whole, plan, want := file(
		"whole.csv",
		header+strings.Join(lines, ""),
	), filepath.Join(
		dir,
		"plan.json",
	), filepath.Join(
		dir,
		"want.csv",
	)
	d := &desk.Desk{}
	if _, err := d.Protect(t.Context(), desk.ProtectRequest{Source: desk.Source{Path: whole,
		Said: policy.Policy{Limits: "none", Class: columns[2], Method: policy.Method{Name: "framework"}}},
		Release: want, SeedFile: seedFile, PlanOut: plan}); err != nil {
		t.Fatal(err)
	}
	var shards []string
	for k, ends := range [][2]int{{0, 300}, {300, 301}, {301, 450}, {450, 500}} {
		shards = append(shards, file(fmt.Sprintf("part-%d.csv", k), header+strings.Join(lines[ends[0]:ends[1]], "")))
	}
	const variable = "DITHER_TEST_SEED"
	t.Setenv(variable, seed)
	_, there := storetest.S3(t)
	for place, q := range map[string]*job.Job{
		dir:   {Plan: plan, SeedFile: seedFile, Shards: shards},
		there: {Plan: moved(t, there, plan)[0], SeedEnv: variable, Shards: moved(t, there, shards...)},
	} {
		q.Measures, q.Said.Limits = []string{job.AllMeasures}, "none"
		output := store.Join(place, "out")
		prism(t, q, output)
		var got bytes.Buffer
		for k := range q.Shards {
			name := fmt.Sprintf("part-%05d-of-%05d.csv", k+1, len(q.Shards))
			data, err := store.Read(t.Context(), store.Join(output, name))
			if err != nil {
				t.Fatal(err)
			}
			if k > 0 {
				data = bytes.TrimPrefix(data, []byte(header))
			}
			got.Write(data)
		}
		if data, err := os.ReadFile(want); err != nil || !bytes.Equal(data, got.Bytes()) {
			t.Errorf("%s: the release differs from that of one machine (%v)", place, err)
		}
	}
}

// moved puts files below a prefix.
func moved(t *testing.T, prefix string, paths ...string) (addresses []string) {
	t.Helper()
	for _, path := range paths {
		data, err := os.ReadFile(path)
		addresses = append(addresses, store.Join(prefix, filepath.Base(path)))
		if err == nil {
			err = store.Write(t.Context(), addresses[len(addresses)-1], store.Bytes(data))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return addresses
}

// prism runs the job there, and looks at the graph and at all that is logged.
func prism(t *testing.T, q *job.Job, output string) {
	t.Helper()
	var logs lines
	was := slog.Default()
	slog.SetDefault(slog.New(slog.NewTextHandler(&logs, &slog.HandlerOptions{Level: slog.LevelDebug})))
	defer slog.SetDefault(was)
	if err := q.Check(); err != nil {
		t.Fatal(err)
	}
	folder, err := job.Begin(q, output)
	if err != nil {
		t.Fatal(err)
	}
	p, s := beam.NewPipelineWithRoot()
	pipeline.Build(s, folder, []int{2, 0, 3, 1}, 0)
	quiet(t, p)
	if _, err := beam.Run(t.Context(), "prism", p); err != nil {
		t.Fatal(err)
	}
	r, err := job.Outcome(folder)
	if err == nil {
		err = job.Place(folder, output)
	}
	if err = cmp.Or(err, job.End(folder)); err != nil || r.Records != 500 || r.Shards != 4 || len(r.Measures) == 0 {
		t.Fatalf("%+v, %v", r, err)
	}
	logs.Lock()
	defer logs.Unlock()
	if !strings.Contains(logs.text.String(), "bundle.stage") {
		t.Errorf("Prism logs elsewhere: these are its logs:\n%s", logs.text.String())
	}
	silent(t, "the logs", logs.text.Bytes())
}

// lines are what is logged, by many at once.
type lines struct {
	sync.Mutex
	text bytes.Buffer
}

// Write adds a line.
func (l *lines) Write(p []byte) (int, error) {
	l.Lock()
	defer l.Unlock()
	return l.text.Write(p)
}

// silent looks for the seed, and for what is in the data.
func silent(t *testing.T, where string, data []byte) {
	t.Helper()
	for _, secret := range append([]string{seed, "plan.json", "part-0"}, columns...) {
		if bytes.Contains(data, []byte(secret)) {
			t.Errorf("%s hold %q", where, secret)
		}
	}
}

// quiet looks at the graph that goes to the runner.
func quiet(t *testing.T, p *beam.Pipeline) {
	t.Helper()
	edges, _, err := p.Build()
	if err != nil {
		t.Fatal(err)
	}
	graph, err := graphx.Marshal(edges, &graphx.Options{})
	if err != nil {
		t.Fatal(err)
	}
	data, err := proto.Marshal(graph)
	if err != nil {
		t.Fatal(err)
	}
	base64s := regexp.MustCompile(`[A-Za-z0-9+/]{40,}={0,2}`)
	for layer := data; len(layer) > 0; { // Beam packs functions as base64, in several layers
		var inner []byte
		for _, text := range base64s.FindAll(layer, -1) {
			if plain, err := base64.StdEncoding.DecodeString(string(text)); err == nil {
				inner = append(inner, plain...)
			}
		}
		data, layer = append(data, inner...), inner
	}
	if !bytes.Contains(data, []byte(".out.working-")) {
		t.Error("the graph does not name the working folder: it is not what is looked for in")
	}
	silent(t, "nodes of the graph", data)
}

// What is withheld on one machine is withheld on Prism: the verdict is told, and nothing is in the folder of the
// release.
func TestWithheld(t *testing.T) {
	dir := t.TempDir()
	seedFile := filepath.Join(dir, "seed")
	if err := os.WriteFile(seedFile, []byte(seed), 0o600); err != nil {
		t.Fatal(err)
	}
	q := &job.Job{Method: "pram", Class: "class", SeedFile: seedFile,
		Report: true}
	for k := range 3 {
		text := "age,sex,income,class\n"
		for i := range 60 {
			n := 60*k + i
			text += fmt.Sprintf("%d,%s,%d,%s\n", 20+n*n%71, []string{"f", "m"}[n%2], 1000+n*n*7%4001,
				[]string{"yes", "no"}[n%3%2])
		}
		path := filepath.Join(dir, fmt.Sprintf("shard-%d.csv", k))
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		q.Shards = append(q.Shards, path)
	}
	if err := q.Check(); err != nil {
		t.Fatal(err)
	}
	folder, err := job.Begin(q, filepath.Join(dir, "out"))
	if err != nil {
		t.Fatal(err)
	}
	p, s := beam.NewPipelineWithRoot()
	pipeline.Build(s, folder, []int{1, 2, 0}, q.Passes())
	if _, err := beam.Run(t.Context(), "prism", p); err != nil {
		t.Fatal(err)
	}
	r, err := job.Outcome(folder)
	var broken *desk.Broken
	if !errors.As(err, &broken) || broken.Unproven || !strings.HasPrefix(broken.Error(), "the release is withheld: ") {
		t.Fatalf("the original goes out: %v", err)
	}
	if !strings.HasPrefix(r.Text, "WITHHELD: 180 records") || !strings.HasPrefix(r.Line, "verdict: WITHHELD (") ||
		!bytes.Contains(r.Report, []byte("WITHHELD")) {
		t.Errorf("the text is\n%s%s", r.Text, r.Line)
	}
	if written, err := os.ReadDir(filepath.Join(folder, "release")); err != nil || len(written) > 0 {
		t.Errorf("of a withheld release there is %v (%v)", written, err)
	}
}
