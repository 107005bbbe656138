package pipeline_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"

	"github.com/dither-data/dither/beam/job"
	"github.com/dither-data/dither/beam/job/jobtest"
	"github.com/dither-data/dither/beam/pipeline"
	"github.com/dither-data/dither/desk"
	"github.com/dither-data/dither/policy"
)

// ten are techniques of every kind that is fitted to shards: noise in leaves, records that meet by a leaf, categories
// drawn one by one, correlated noise, bounds of privacy.
var ten = []string{"framework", "segmentsynthesis", "pram", "randomcategorical", "rnat", "agrawalsrikant",
	"epsilongaussian", "gadp", "sadp", "frapp"}

// tried are limits that every release keeps, and that are held against all intruders: it is judged, and goes out.
const tried = "name: tried\nlimits:\n- {measure: found, max: 1}\n- {measure: learned, max: 1}\n" +
	"- {measure: membership, max: 1}\n"

// With DITHER_LONG, ten techniques are fitted, applied and judged on Prism in 1, 2, 7 and 20 shards, with columns in
// memory and in files: release and verdict are those of one machine in memory or with --memory, to the last byte and
// digit. Without it, one of them in 2 shards.
func TestTen(t *testing.T) {
	methods, numbers := ten, []int{1, 2, 7, 20}
	if os.Getenv("DITHER_LONG") == "" {
		methods, numbers = ten[:1], []int{2}
	}
	dir := t.TempDir()
	header, lines := table(240)
	at := func(name string) string { return filepath.Join(dir, name) }
	limits, whole, seedFile := at("limits.yaml"), at("whole.csv"), at("seed")
	keep(t, limits, tried)
	keep(t, whole, header+strings.Join(lines, ""))
	keep(t, seedFile, seed)
	for _, method := range methods {
		t.Run(method, func(t *testing.T) {
			q := job.Job{Method: method, Class: "class", SeedFile: seedFile, Said: policy.Policy{Limits: limits}}
			inMemory, document := alone(t, whole, &q)
			for _, q.Memory = range []int64{0, 1} {
				want := inMemory
				if q.Memory > 0 {
					if want, document = alone(t, whole, &q); want != inMemory {
						t.Error("with --memory one machine releases something else")
					}
				}
				for _, n := range numbers {
					on := q
					on.Shards = parts(t, header, lines, n)
					got, judged := released(t, &on)
					if got != want {
						t.Errorf("%d shards, memory %d: the release is not that of one machine", n, q.Memory)
					}
					a, b := jobtest.Told(t, document), jobtest.Told(t, judged)
					for key := range a {
						if !reflect.DeepEqual(a[key], b[key]) {
							t.Errorf("%d shards, memory %d: %s is %v, on one machine %v", n, q.Memory, key, b[key], a[key])
						}
					}
				}
			}
		})
	}
}

// alone makes and judges a release on one machine, as a job asks, with relations found and not kept.
func alone(t *testing.T, whole string, q *job.Job) (release string, document []byte) {
	t.Helper()
	said := q.Said
	said.Class, said.Relations, said.Method.Name = q.Class, policy.Words{policy.NoRelations}, q.Method
	out := filepath.Join(t.TempDir(), "release.csv")
	made, err := (&desk.Desk{}).Protect(t.Context(), desk.ProtectRequest{
		Source: desk.Source{Path: whole, Memory: q.Memory, Said: said}, Release: out, SeedFile: q.SeedFile})
	if err != nil {
		t.Fatal(err)
	}
	document, err = json.Marshal(made.Document())
	if err = errors.Join(err, made.Close()); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	return string(data), document
}

// table is a table of people.
func table(n int) (header string, lines []string) {
	r := rand.New(rand.NewPCG(4, 9))
	for range n {
		age := 18 + r.IntN(70)
		lines = append(lines, fmt.Sprintf("%d,%s,%d,%s,%.1f,%s\n", age, []string{"f", "m"}[r.IntN(2)],
			1000+r.IntN(40)*age, []string{"nurse", "clerk", "driver", "cook"}[r.IntN(4)], 150+50*r.Float64(),
			[]string{"no", "yes"}[min(1, r.IntN(100+age)/90)]))
	}
	return "age,sex,income,job,height,class\n", lines
}

// parts cuts a table into so many uneven files.
func parts(t *testing.T, header string, lines []string, n int) (paths []string) {
	t.Helper()
	dir, at := t.TempDir(), 0
	for k := range n {
		end := len(lines) * (k + 1) * (k + 1) / (n * n)
		end = max(at+1, min(end, len(lines)-(n-1-k)))
		paths = append(paths, filepath.Join(dir, fmt.Sprintf("part-%02d.csv", k)))
		keep(t, paths[k], header+strings.Join(lines[at:end], ""))
		at = end
	}
	return paths
}

func keep(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// released runs a job on Prism, and returns its release as one file, and what was judged.
func released(t *testing.T, q *job.Job) (release string, judged []byte) {
	t.Helper()
	if err := q.Check(); err != nil {
		t.Fatal(err)
	}
	output := filepath.Join(t.TempDir(), "out")
	folder, err := job.Begin(q, output)
	if err != nil {
		t.Fatal(err)
	}
	defer job.End(folder)
	p, s := beam.NewPipelineWithRoot()
	pipeline.Build(s, folder, rand.Perm(len(q.Shards)), q.Passes())
	if _, err := beam.Run(t.Context(), "prism", p); err != nil {
		t.Fatal(err)
	}
	r, err := job.Outcome(folder)
	if err == nil {
		err = job.Place(folder, output)
	}
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(output, "part-*"))
	if err != nil || len(files) != len(q.Shards) {
		t.Fatalf("%v: %d files of %d shards", err, len(files), len(q.Shards))
	}
	for k, f := range files {
		data, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		if _, body, ok := bytes.Cut(data, []byte("\n")); ok && k > 0 {
			data = body
		}
		release += string(data)
	}
	return release, r.Judged
}
