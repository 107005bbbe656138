package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/dither-data/dither/catalog"
	"github.com/dither-data/dither/desk"
	"github.com/dither-data/dither/format"
)

// TestMisses: a demand is missed by the least beyond it, and what a table does not have speaks against nobody.
func TestMisses(t *testing.T) {
	var nan figure
	if err := json.Unmarshal([]byte("null"), &nan); err != nil {
		t.Fatal(err)
	}
	by := evidence{Certificate: 100, Accuracy: 80, Rules: 90, Mean: 2, Spread: 90, Correlation: 0.5, Found: 3, All: 40}
	independent := [3]figure{0, 0.2, 0.3}
	good := evidence{
		Certificate: 100,
		Accuracy:    79,
		Rules:       85,
		Mean:        0.1,
		Spread:      10,
		Correlation: 0.05,
		Found:       9,
		All:         45,
		Margins:     [3]figure{1, 0.199, 0.299},
	}
	if got := good.misses(by, independent); got != nil {
		t.Errorf("what is asked is missed by %q", got)
	}
	bad := evidence{
		Certificate: 99.9,
		Accuracy:    78.9,
		Rules:       84.9,
		Mean:        0.11,
		Spread:      10.1,
		Correlation: 0.051,
		Found:       9.1,
		All:         45.1,
		Margins:     [3]figure{1, 0.2, 0.3},
	}
	if got := bad.misses(by, independent); !slices.Equal(got, demanded) {
		t.Errorf("missed are %q", got)
	}
	bare := evidence{100, nan, nan, nan, nan, nan, 2, 2, [3]figure{nan, nan, nan}, "", nil, ""}
	if got := bare.misses(by, independent); got != nil {
		t.Errorf("a table without numbers misses %q", got)
	}
}

// TestProposals: each is a technique of the catalogue with parameters that it has, and the default of protect is among
// them.
func TestProposals(t *testing.T) {
	for _, p := range proposals {
		m, err := catalog.Method(p.method)
		if err == nil {
			err = m.New().Params().Apply(p.set)
		}
		if err != nil {
			t.Errorf("%s: %v", p.name, err)
		}
	}
	if !slices.ContainsFunc(
		proposals,
		func(p proposal) bool { return p.method == desk.DefaultMethod && p.set == nil },
	) {
		t.Error("the default is not proposed")
	}
}

// TestMade releases a small table by some proposals, keeps what was measured, and prints it.
func TestMade(t *testing.T) {
	w := work{t.TempDir()}
	seed, err := w.secret(1)
	if err != nil {
		t.Fatal(err)
	}
	in := filepath.Join(w.dir, "patients.csv")
	if _, err := (&desk.Desk{}).Generate(t.Context(),
		desk.GenerateRequest{Name: "patients", Rows: 400, Output: in, SeedFile: seed}); err != nil {
		t.Fatal(err)
	}
	if _, _, err := format.Read(t.Context(), in, format.Options{}); err != nil {
		t.Fatal(err)
	}
	t.Setenv("DITHER_DATA", w.dir)
	s := set{"Patients", "patients.csv", "readmitted"}
	for _, p := range []proposal{proposals[0], proposals[2],
		{"none", "framework", map[string]string{"minLeaf": "100000"}}} {
		e, err := w.kept(t.Context(), s, p, 1)
		if err != nil {
			t.Fatalf("%s: %v", p.name, err)
		}
		if e.Err == "" &&
			(e.Certificate < 100-1e-9 || !(e.Found >= 0 && e.Found <= 100) || !(e.Accuracy > 0) || e.Verdict == "" ||
				e.Spread != e.Spread || !(e.Margins[0] < e.Margins[1] && e.Margins[1] < e.Margins[2])) {
			t.Errorf("%s: %+v", p.name, e)
		}
		again, err := w.kept(t.Context(), s, p, 1)
		if err != nil || !reflect.DeepEqual(e, again) && e.Found == e.Found && e.All == e.All {
			t.Errorf("what is kept is %+v, and was %+v, %v", again, e, err)
		}
	}
	if files, _ := filepath.Glob(filepath.Join(w.dir, "default Patients*")); len(files) != 3 {
		t.Errorf("kept are %q", files)
	}
	mean := over([]evidence{{Found: 2, Verdict: "withheld"}, {Found: 4}})
	if mean.mean.Found != 3 || mean.withheld != 1 || over([]evidence{{Err: "no"}, {}}).err != "no" {
		t.Errorf("%+v", mean)
	}
	rows := make([][]tried, len(proposals))
	for k := range rows {
		for range sets {
			rows[k] = append(rows[k], tried{missed: demanded[:1]})
		}
	}
	rows[1][0] = tried{err: "no"}
	text := held(rows, 3) + every(rows, 3) + closeness(rows, make([]yardstick, len(sets)))
	for _, want := range []string{"| Framework | 0 | 10 | 10 |", "| Extended Framework, p 0.1 | 0 | 9 | 9 |",
		"| Adult | Extended Framework, p 0.1 | makes none |",
		"| Wine | 3 | 0.000 | 0.000 | 0.000 | 0.000 | 0.000 | 0.000 |\n"} {
		if !strings.Contains(text, want) {
			t.Errorf("the page lacks %q:\n%s", want, text)
		}
	}
	if err := os.Remove(seed); err != nil {
		t.Fatal(err)
	}
}
