package desk

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/dither-data/dither/catalog"
	"github.com/dither-data/dither/policy"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/study"
	"github.com/dither-data/dither/table"
)

// TestWhoseNoiseGrowsWithTheDomain holds the mark of every technique against what it does: the same values are
// protected with a narrow declared domain and with one that is 1,000 times as wide, and the mean change grows with it
// or stays. A shift that all records share is no noise.
func TestWhoseNoiseGrowsWithTheDomain(t *testing.T) {
	on := func(hi float64) *table.Table {
		values, codes := make([]float64, 300), make([]int32, 300)
		for i := range values {
			values[i], codes[i] = float64(i*37%101), int32(i*7%2)
		}
		x := table.NumColumn("x", 1, values)
		x.Domain, x.Declared, x.Role = table.Interval{Lo: 0, Hi: hi}, true, table.Confidential
		other := slices.Clone(values)
		slices.Reverse(other)
		z := table.NumColumn("z", 1, other)
		z.Role = table.Quasi
		tab, err := table.New(
			x,
			z,
			table.Column{
				Attribute: table.Attribute{Name: "y", Kind: table.Categorical, Labels: []string{"a", "b"}, Role: table.Class},
				Cat:       codes,
			},
		)
		if err != nil {
			t.Fatal(err)
		}
		return tab
	}
	noise := func(q study.Request, hi float64) (float64, bool) {
		q.Table = on(hi)
		p, err := study.Protect(ctx, q)
		if err != nil || p.Released.Attr(0).Kind != table.Numeric || p.Synthetic || p.Released.Rows() != 300 ||
			!slices.Contains(p.Plan.Changes(), "x") {
			return 0, false
		}
		moved := slices.Clone(p.Released.Num(0))
		for i := range moved {
			moved[i] -= p.Original.Num(0)[i]
		}
		slices.Sort(moved)
		mean := 0.0
		for _, v := range moved {
			mean += math.Abs(v-moved[150]) / 300
		}
		return mean, true
	}
	marked := 0
	for _, m := range catalog.Methods() {
		if m.Purpose == protect.Items { // the table has no sets of items
			continue
		}
		q := study.Request{Method: m, Seed: rng.SeedOf([32]byte{5})}
		narrow, ok := noise(q, 100)
		wide, ok2 := noise(q, 100_000)
		for k := byte(0); k < 8 && ok && ok2 && wide > 20*max(narrow, 1) != m.OnDomain; k++ {
			q.Seed = rng.SeedOf([32]byte{6, k}) // one draw is for all records, such as of a turn or a scale: take several
			one, _ := noise(q, 100)
			other, _ := noise(q, 100_000)
			narrow, wide = narrow+one, wide+other
		}
		if !ok || !ok2 {
			if m.OnDomain && m.Name != "linfapt" { // whose leaves test no number here
				t.Errorf("%s is marked and was not tried", m.Name)
			}
			continue
		}
		if grows := wide > 20*max(narrow, 1); grows != m.OnDomain {
			t.Errorf(
				"%s: the mean change is %v in the narrow domain and %v in the wide one, and it is marked %v",
				m.Name,
				narrow,
				wide,
				m.OnDomain,
			)
		} else if grows {
			marked++
		}
	}
	if marked < 5 {
		t.Errorf("%d techniques have noise that grows with the domain", marked)
	}
}

// TestOutliersRefusedAndClipped: the refusal of a stretched domain proposes a policy that works as it is pasted, and
// the number of values it changes is told.
func TestOutliersRefusedAndClipped(t *testing.T) {
	f := newFolder(t)
	var b strings.Builder
	b.WriteString("income,y\n")
	for i := range 300 {
		fmt.Fprintf(&b, "%d,%s\n", 1017+i*37%211, []string{"no", "yes"}[i/5%2])
	}
	b.WriteString("7654321,no\n")
	in := f.put(t, "in.csv", b.String())
	q := ProtectRequest{
		Source:   Source{Path: in, Said: policy.Policy{Class: "y", Method: policy.Method{Name: "framework"}}},
		Release:  f.path("out.csv"),
		PlanOut:  f.path("plan.json"),
		SeedFile: f.fixedSeed(t),
	}
	_, err := (&Desk{}).Protect(ctx, q)
	failed(t, "an outlier", err, `in.csv: framework: column "income"`)
	_, rest, _ := strings.Cut(err.Error(), "such as ")
	proposed, _, ok := strings.Cut(rest, ", which sets")
	if !ok {
		t.Fatal(err)
	}
	q.Policy = f.put(t, "p.yaml", "version: 1\nclass: y\n"+proposed+"\n")
	l := newListener()
	p, err := l.Protect(ctx, q)
	if err != nil {
		t.Fatal(err)
	}
	if l.heard() != `1 value of "income" was set to the nearer end of its domain` {
		t.Errorf("%q", l.heard())
	}
	if _, hi := table.Range(p.Outcome.Released.Num(0)); hi > 1300 {
		t.Errorf("released is %v", hi)
	}
	if e, _ := evaluate(t, EvaluateRequest{Source: q.Source, Released: q.Release, Plan: q.PlanOut,
		Measures: []string{"segments"}}); e.Outcome.Measures[0].Value.Score != 1 {
		t.Errorf("the certificate is %+v", e.Outcome.Measures[0])
	}
	q.Policy, q.Overwrite = f.put(
		t,
		"whole.yaml",
		"version: 1\nclass: y\ncolumns: {income: {domain: [0, 10000000]}}\n",
	), true
	if _, err := (&Desk{}).Protect(ctx, q); err != nil {
		t.Errorf("a declared domain is meant: %v", err)
	}
}
