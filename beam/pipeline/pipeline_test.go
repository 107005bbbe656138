package pipeline_test

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/core/runtime/graphx"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/runners/prism"
	"google.golang.org/protobuf/proto"

	"github.com/dither-data/dither/beam/job"
	"github.com/dither-data/dither/beam/pipeline"
	"github.com/dither-data/dither/desk"
	"github.com/dither-data/dither/policy"
)

const seed = "00112233445566778899aabbccddeeff00112233445566778899aabbccddee01"

func TestMain(m *testing.M) {
	beam.Init()
	os.Exit(m.Run())
}

// On Prism, with shards handed out in any order, the release is that of one machine.
func TestPrism(t *testing.T) {
	dir := t.TempDir()
	header, lines := "age,sex,class\n", []string{}
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
		Said: policy.Policy{Limits: "none", Class: "class", Method: policy.Method{Name: "framework"}}},
		Release: want, SeedFile: seedFile, PlanOut: plan}); err != nil {
		t.Fatal(err)
	}
	q := &job.Job{Plan: plan, SeedFile: seedFile, Measures: []string{job.AllMeasures},
		Said: policy.Policy{Limits: "none"}}
	for k, ends := range [][2]int{{0, 300}, {300, 301}, {301, 450}, {450, 500}} {
		q.Shards = append(q.Shards, file(fmt.Sprintf("part-%d.csv", k), header+strings.Join(lines[ends[0]:ends[1]], "")))
	}
	if err := q.Check(); err != nil {
		t.Fatal(err)
	}
	output := filepath.Join(dir, "out")
	folder, err := job.Begin(q, output)
	if err != nil {
		t.Fatal(err)
	}
	p, s := beam.NewPipelineWithRoot()
	pipeline.Build(s, folder, []int{2, 0, 3, 1})
	quiet(t, p)
	if _, err := beam.Run(t.Context(), "prism", p); err != nil {
		t.Fatal(err)
	}
	r, err := job.Outcome(folder)
	if err == nil {
		err = job.Place(folder, output)
	}
	if err != nil || r.Records != 500 || r.Shards != 4 || len(r.Measures) == 0 {
		t.Fatalf("%+v, %v", r, err)
	}
	var got bytes.Buffer
	for k := range q.Shards {
		data, err := os.ReadFile(filepath.Join(output, fmt.Sprintf("part-%05d-of-%05d.csv", k+1, len(q.Shards))))
		if err != nil {
			t.Fatal(err)
		}
		if k > 0 {
			data = bytes.TrimPrefix(data, []byte(header))
		}
		got.Write(data)
	}
	if data, err := os.ReadFile(want); err != nil || !bytes.Equal(data, got.Bytes()) {
		t.Errorf("the release differs from that of one machine (%v)", err)
	}
}

// quiet looks for the seed, and for what is in the data, in the graph that goes to the runner.
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
	for _, secret := range []string{seed, "plan.json", "part-0", "\"age\""} {
		if bytes.Contains(data, []byte(secret)) {
			t.Errorf("the graph holds %q", secret)
		}
	}
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
	pipeline.Build(s, folder, []int{1, 2, 0})
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
