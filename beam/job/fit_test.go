package job

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/dither-data/dither/catalog"
	"github.com/dither-data/dither/desk"
	"github.com/dither-data/dither/policy"
	"github.com/dither-data/dither/protect"
)

// What its card says can be fitted to tables larger than the memory is fitted to the shards: plan and release are those
// of one machine, byte by byte, whether the columns are in memory or in files.
func TestFitted(t *testing.T) {
	lines := invented(1000)
	for _, m := range catalog.Methods() {
		if m.Shards == "" {
			continue
		}
		t.Run(m.Name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			set := map[string]string{}
			if m.New().Params().Has("exact") {
				set["exact"] = "true" // numbers of all records are refused
			}
			if m.New().Params().Has("fitRows") {
				set["fitRows"] = "700" // some of all shards
			}
			want, plan, seedFile := laptop(t, dir, lines, m.Name, set)
			f, p, err := decode(plan, []byte(load(t, plan)))
			if err != nil {
				t.Fatal(err)
			}
			// who is who is not kept of shards, nor whose the records are, nor a law that is published with a release of one
			// file
			f.Pairing, f.Units, f.Law = nil, nil, nil
			// which is said here, as some shards have numbers alone
			f.Reading.Columns = map[string]policy.Column{"ward": {Kind: "categorical"}}
			wanted, err := protect.EncodeFile(*f, p)
			if err != nil {
				t.Fatal(err)
			}
			for name, memory := range map[string]int64{"in memory": 0, "in files": 1} {
				if memory > 0 && runtime.GOOS != "linux" {
					continue
				}
				q := &Job{
					Said:        unlimited,
					Shards:      cut(t, t.TempDir(), lines, 7),
					Method:      m.Name,
					Set:         set,
					Class:       "class",
					SeedFile:    seedFile,
					Categorical: []string{"ward"},
					Memory:      memory,
				}
				output := filepath.Join(dir, name)
				if _, err := run(t.Context(), q, output, output+".json", rand.New(rand.NewPCG(1, 1))); err != nil {
					t.Fatalf("%s: %v", name, err)
				}
				if got := load(t, output+".json"); got != string(wanted) {
					t.Errorf("%s: the plan differs from that of one machine:\n%s", name, differs(string(wanted), got))
				}
				if got := joined(t, output); got != want {
					t.Errorf("%s: the release differs from that of one machine:\n%s", name, differs(want, got))
				}
			}
		})
	}
}

// What a plan is fitted from does not depend on the shards: plans are those of one machine, byte by byte, whether roles
// are suggested or all given, when nobody reads the whole table.
func TestFittedAlike(t *testing.T) {
	lines := invented(400)
	for _, m := range catalog.Methods() {
		if _, ok := m.New().(protect.Aggregated); !ok || m.Shards == "" {
			continue
		}
		t.Run(m.Name, func(t *testing.T) {
			t.Parallel()
			set := map[string]string{}
			if m.New().Params().Has("fitRows") {
				set["fitRows"] = "150"
			}
			seedFile := filepath.Join(t.TempDir(), "seed")
			save(t, seedFile, seed)
			var want string
			roles := map[string]string{}
			for _, shards := range []int{1, 2, 7, 20, 3} {
				q := &Job{Shards: cut(t, t.TempDir(), lines, shards), Method: m.Name, Set: set, Class: "class",
					SeedFile: seedFile, Categorical: []string{"ward"}}
				if shards == 3 {
					q.Roles, q.Class = roles, ""
				}
				got := fitted(t, q)
				if want == "" {
					want = got
					_, p, err := decode("plan", []byte(got))
					if err != nil {
						t.Fatal(err)
					}
					for _, a := range p.Schema() {
						roles[a.Name] = a.Role.String()
					}
				}
				if got != want {
					t.Errorf("%d shards: the plan differs from that of one:\n%s", shards, differs(want, got))
				}
			}
		})
	}
}

// fitted returns the plan that the stages up to the fit keep, whatever the order of the elements, some of which run
// twice.
func fitted(t *testing.T, q *Job) string {
	t.Helper()
	if err := q.Check(); err != nil {
		t.Fatal(err)
	}
	folder, err := Begin(q, filepath.Join(t.TempDir(), "out"))
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(1, uint64(len(q.Shards))))
	for _, stage := range stagesOf(t.Context(), q, folder) {
		if stage.name == "hash" {
			break
		}
		for _, k := range r.Perm(stage.n()) {
			for range 1 + r.IntN(2) {
				if err := stage.work(k); err != nil {
					t.Fatalf("%s %d: %v", stage.name, k, err)
				}
			}
		}
	}
	data, err := fetch(folder, planFile)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// A column that looks like an identifier, which one machine would drop with a word, is neither released nor protected
// unless somebody says what it is.
func TestFittedWithNames(t *testing.T) {
	dir, lines := t.TempDir(), invented(300)
	for i := range lines {
		lines[i] = fmt.Sprintf("p%05d,", 7*i) + lines[i]
	}
	lines[0] = "patient" + lines[0][strings.Index(lines[0], ","):]
	seedFile := filepath.Join(dir, "seed")
	save(t, seedFile, seed)
	for _, drop := range [][]string{nil, {"patient"}} {
		q := &Job{
			Said:        unlimited,
			Shards:      cut(t, t.TempDir(), lines, 3),
			Method:      "framework",
			Class:       "class",
			SeedFile:    seedFile,
			Categorical: []string{"ward"},
			Drop:        drop,
		}
		_, err := run(t.Context(), q, filepath.Join(dir, "out"), "", rand.New(rand.NewPCG(1, 1)))
		if drop == nil &&
			(!errors.Is(err, ErrUsage) || !strings.Contains(err.Error(), `"patient"`) || !strings.Contains(err.Error(), "--drop")) ||
			drop != nil && err != nil {
			t.Errorf("dropped %q: %v", drop, err)
		}
	}
}

// A class of numbers, named or suggested by its name, is categories in a plan and numbers in the shards: it is refused,
// and can be called one of categories.
func TestFittedToNumbers(t *testing.T) {
	dir, lines := t.TempDir(), invented(300)
	for i := range lines {
		lines[i] = strings.NewReplacer(",yes\n", ",1\n", ",no\n", ",0\n").Replace(lines[i])
	}
	seedFile := filepath.Join(dir, "seed")
	save(t, seedFile, seed)
	for _, c := range []struct{ class, categorical string }{{"class", "ward"}, {"", "ward"}, {"class", "ward,class"}} {
		q := &Job{
			Said:        unlimited,
			Shards:      cut(t, t.TempDir(), lines, 3),
			Method:      "framework",
			Class:       c.class,
			SeedFile:    seedFile,
			Categorical: strings.Split(c.categorical, ","),
		}
		_, err := run(t.Context(), q, filepath.Join(dir, "out"), "", rand.New(rand.NewPCG(1, 1)))
		if refused := c.categorical == "ward"; refused != errors.Is(err, ErrUsage) ||
			refused && !strings.Contains(err.Error(), "--categorical") ||
			!refused && err != nil {
			t.Errorf("%+v: %v", c, err)
		}
	}
}

// The measures are those of dither evaluate, to the last digit, whether the columns are in memory or in files.
func TestMeasured(t *testing.T) {
	dir, lines := t.TempDir(), invented(1500)
	_, plan, seedFile, err := protected(t, dir, lines, "framework", nil, policy.Policy{KeepOrder: true}) // to be paired
	if err != nil {
		t.Fatal(err)
	}
	for name, memory := range map[string]int64{"in memory": 0, "in files": 1} {
		if memory > 0 && runtime.GOOS != "linux" {
			continue
		}
		q := &Job{
			Said:     unlimited,
			Shards:   cut(t, t.TempDir(), lines, 7),
			Plan:     plan,
			SeedFile: seedFile,
			Measures: []string{AllMeasures},
			Memory:   memory,
		}
		r, err := run(t.Context(), q, filepath.Join(dir, name), "", rand.New(rand.NewPCG(1, 1)))
		if err != nil {
			t.Fatal(err)
		}
		e, err := (&desk.Desk{}).Evaluate(
			t.Context(),
			desk.EvaluateRequest{
				Source: desk.Source{
					Path:   filepath.Join(dir, "whole.csv"),
					Memory: memory,
					Said:   policy.Policy{Limits: "none", Class: "class"},
				},
				Released: filepath.Join(dir, "release.csv"),
				Plan:     plan,
				Measures: slices.Clone(q.Measures),
			},
		)
		if err != nil {
			t.Fatal(err)
		}
		want, err := json.MarshalIndent(e.Document().Measures, "", " ")
		if err := errors.Join(err, e.Close()); err != nil {
			t.Fatal(err)
		}
		got, err := json.MarshalIndent(r.Measures, "", " ")
		if err != nil {
			t.Fatal(err)
		}
		var a, b any // details go through JSON here, which sorts their fields
		if err := errors.Join(json.Unmarshal(want, &a), json.Unmarshal(got, &b)); err != nil {
			t.Fatal(err)
		}
		if len(r.Measures) < 5 || !reflect.DeepEqual(a, b) {
			t.Errorf("%s: the measures differ:\n%s", name, differs(string(want), string(got)))
		}
		for _, words := range []string{"Segment certificate", "100 %"} {
			if !strings.Contains(r.Measured, words) {
				t.Errorf("%s: the text lacks %q:\n%s", name, words, r.Measured)
			}
		}
	}
}
