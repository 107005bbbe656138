package job

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/dither-data/dither/beam/job/jobtest"
	"github.com/dither-data/dither/desk"
	"github.com/dither-data/dither/policy"
)

// judgedAlone makes and judges a release on one machine, which finds relations and does not keep them.
// Where a plan is given it is applied, and no technique is named.
func judgedAlone(t *testing.T, dir, method, plan string, memory int64) (map[string]any, *desk.Broken) {
	t.Helper()
	p, err := (&desk.Desk{}).Protect(t.Context(), desk.ProtectRequest{Plan: plan,
		Source: desk.Source{Path: filepath.Join(dir, "whole.csv"), Memory: memory, Said: policy.Policy{Class: "class",
			Columns:   map[string]policy.Column{"ward": {Kind: "categorical"}},
			Relations: policy.Words{policy.NoRelations}, Method: policy.Method{Name: method}}},
		Release: filepath.Join(t.TempDir(), "release.csv"), SeedFile: filepath.Join(dir, "seed")})
	var broken *desk.Broken
	if err != nil && !errors.As(err, &broken) {
		t.Fatalf("%s: %v", method, err)
	}
	defer p.Close()
	data, err := json.Marshal(p.Document())
	if err != nil {
		t.Fatal(err)
	}
	return jobtest.Told(t, data), broken
}

// The verdict is that of one machine, to the last digit, whatever the shards are, and whether the columns are in
// memory or in files. What is withheld there is withheld here, by the same words, and nothing is under the name of the
// release.
func TestJudged(t *testing.T) {
	lines := invented(240)
	for _, method := range []string{"segmentsynthesis", "framework", "pram", "randomcategorical", "rnat", "agrawalsrikant",
		"epsilongaussian", "ppt", "round", "frapp"} {
		t.Run(method, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			save(t, filepath.Join(dir, "whole.csv"), strings.Join(lines, ""))
			save(t, filepath.Join(dir, "seed"), seed)
			want, broken := judgedAlone(t, dir, method, "", 0)
			for _, c := range []struct {
				shards int
				memory int64
			}{{1, 0}, {2, 0}, {7, 1}, {20, 0}} {
				if c.memory > 0 && runtime.GOOS != "linux" {
					continue
				}
				of, withheld := want, broken
				if c.memory > 0 {
					of, withheld = judgedAlone(t, dir, method, "", c.memory)
				}
				q := &Job{Shards: cut(t, t.TempDir(), lines, c.shards), Method: method, Class: "class",
					SeedFile: filepath.Join(dir, "seed"), Categorical: []string{"ward"}, Memory: c.memory}
				output := filepath.Join(dir, fmt.Sprint(c.shards))
				r, err := run(t.Context(), q, output, "", rand.New(rand.NewPCG(uint64(c.shards), 3)))
				var got *desk.Broken
				if err != nil && !errors.As(err, &got) {
					t.Fatal(err)
				}
				if !reflect.DeepEqual(got, withheld) {
					t.Errorf("%d shards: %v, on one machine %v", c.shards, got, withheld)
				}
				if _, err := os.Stat(output); (err == nil) != (got == nil) {
					t.Errorf("%d shards: withheld is %v, and under the name of the release is: %v", c.shards, got != nil, err)
				}
				for key, part := range jobtest.Told(t, r.Judged) {
					if !reflect.DeepEqual(part, of[key]) {
						t.Errorf("%d shards: %s:\n%s", c.shards, key, differs(indented(of[key]), indented(part)))
					}
				}
			}
		})
	}
}

// A plan that was fitted to other records, which have other categories first, is judged as on one machine.
func TestJudgedByPlan(t *testing.T) {
	dir, lines := t.TempDir(), invented(240)
	other := slices.Clone(lines)
	slices.Reverse(other[1:])
	_, plan, seedFile := laptop(t, t.TempDir(), other, "framework", nil)
	save(t, filepath.Join(dir, "whole.csv"), strings.Join(lines, ""))
	save(t, filepath.Join(dir, "seed"), seed)
	want, broken := judgedAlone(t, dir, "", plan, 0)
	q := &Job{Shards: cut(t, t.TempDir(), lines, 7), Plan: plan, Class: "class", SeedFile: seedFile,
		Categorical: []string{"ward"}}
	r, err := run(t.Context(), q, filepath.Join(dir, "out"), "", rand.New(rand.NewPCG(1, 1)))
	if (err != nil) != (broken != nil) || broken != nil && err.Error() != broken.Error() {
		t.Fatalf("%v, on one machine %v", err, broken)
	}
	for key, part := range jobtest.Told(t, r.Judged) {
		if !reflect.DeepEqual(part, want[key]) {
			t.Errorf("%s:\n%s", key, differs(indented(want[key]), indented(part)))
		}
	}
}

func indented(v any) string {
	data, _ := json.MarshalIndent(v, "", " ")
	return string(data)
}
