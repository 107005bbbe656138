package all_test

import (
	"math"
	"slices"
	"testing"

	"github.com/dither-data/dither/catalog"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/study"
	"github.com/dither-data/dither/table"
)

// TestBaselines: the techniques that call themselves baselines are so in their cards, and no other is.
func TestBaselines(t *testing.T) {
	baseline := map[string]bool{"tdp": true, "sdp": true, "rdp": true, "hdp": true}
	for _, m := range catalog.Methods() {
		if m.Purpose == protect.Items { // the table has no sets of items
			continue
		}
		if m.Baseline != baseline[m.Name] {
			t.Errorf("%s: baseline %v", m.Name, m.Baseline)
		}
	}
}

// TestSetsStayInMemory: no technique that walks over records in a space changes sets, which have no place there.
func TestSetsStayInMemory(t *testing.T) {
	for _, m := range catalog.Methods() {
		if m.Shards != "" && m.Sets {
			t.Errorf("%s changes sets, which have no place beyond the memory", m.Name)
		}
	}
}

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
		tab := must.Get(table.New(
			x,
			z,
			table.Column{
				Attribute: table.Attribute{Name: "y", Kind: table.Categorical, Labels: []string{"a", "b"}, Role: table.Class},
				Cat:       codes,
			},
		))(t)
		return tab
	}
	noise := func(q study.Request, hi float64) (float64, bool) {
		q.Table = on(hi)
		p, err := study.Protect(t.Context(), q)
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
			t.Errorf("%s: the mean change is %v in the narrow domain and %v in the wide one, and it is marked %v", m.Name,
				narrow, wide, m.OnDomain)
		} else if grows {
			marked++
		}
	}
	if marked < 5 {
		t.Errorf("%d techniques have noise that grows with the domain", marked)
	}
}
