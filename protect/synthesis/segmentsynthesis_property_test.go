package synthesis

import (
	"context"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/executor"
	"github.com/dither-data/dither/internal/stats/aggregate"
	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/execute"
	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/segment/tree"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// made fits the technique and draws a table in its own order.
func made(t rapid.TB, q *SegmentTechnique, fit, apply *table.Table) (*SegmentPlan, *table.Table) {
	t.Helper()
	p, err := protect.Fit(context.Background(), q, fit, protecttest.Seed(1))
	if err != nil {
		t.Fatalf("fit: %v", err)
	}
	opt := execute.Options{KeepOrder: true}
	r, err := execute.Plan(context.Background(), p, apply, protecttest.Seed(2), opt)
	if err != nil {
		t.Fatalf("apply: %v", err)
	}
	return p.(*SegmentPlan), r.Table
}

// within fails unless every record is released inside its segment, with the classes of the segment.
func within(t rapid.TB, p *SegmentPlan, was, is *table.Table) {
	t.Helper()
	before, after := make([]uint64, was.Rows()), make([]uint64, was.Rows())
	must.NoError(t, p.Forest.Route(was, before))
	must.NoError(t, p.Forest.Route(is, after))
	if !slices.Equal(before, after) {
		t.Fatal("a record leaves its segment")
	}
	classes := func(tab *table.Table) (out []uint64) {
		for i, c := range tab.Cat(p.Forest.Class()) {
			out = append(out, before[i]<<8|uint64(c+1))
		}
		slices.Sort(out)
		return out
	}
	if !slices.Equal(classes(was), classes(is)) {
		t.Fatal("a segment has other classes")
	}
}

// Whatever the table, the parameters, and who has several records, every record stays inside its segment, and so does
// every record of another table, in segments that had none.
func TestCertificate(t *testing.T) {
	long.Check(t, func(r *rapid.T) {
		rows := rapid.IntRange(20, 300).Draw(r, "rows")
		tab := protecttest.Mixed(rows)
		if rapid.Bool().Draw(r, "people") {
			whose := make([]int32, rows)
			for i := range whose {
				whose[i] = int32(i / 3)
			}
			tab = tab.Owned(whose)
		}
		q := SegmentNew()
		q.Leaf, q.Common = rapid.IntRange(1, 40).Draw(r, "leaf"), rapid.IntRange(1, 9).Draw(r, "common")
		q.MinLeaf, q.Trees = rapid.IntRange(2, 30).Draw(r, "minLeaf"), rapid.IntRange(1, 4).Draw(r, "trees")
		q.Gaps = rapid.SampledFrom([]string{KeepGaps, DrawGaps}).Draw(r, "gaps")
		q.NoPrune = rapid.Bool().Draw(r, "noPrune")
		cut := rapid.IntRange(10, rows).Draw(r, "fitted on")
		for _, other := range []*table.Table{tab.Slice(0, cut), tab} {
			p, is := made(r, q, tab.Slice(0, cut), other)
			within(r, p, other, is)
		}
	})
}

// Of two trees one has the young, the other one the old, and records without an age are in both: nobody's age could be
// drawn there, so it stays missing.
func TestContradiction(t *testing.T) {
	age := make([]float64, 60)
	for i := range age {
		if age[i] = float64(i); i%3 == 0 {
			age[i] = math.NaN()
		}
	}
	class := table.CatColumn("risk", []string{"low", "high"}, make([]int32, len(age)))
	class.Role = table.Class
	tab := tabletest.Must(table.NumColumn("age", 1, age), class)
	split := func(heavy int32) *tree.Tree {
		nodes := []tree.Node{{Cut: 30, Kids: []int32{1, 2}, Heavy: heavy, Counts: []float64{60, 0}}}
		for range 2 {
			nodes = append(nodes, tree.Node{Attr: -1, Counts: []float64{30, 0}})
		}
		return &tree.Tree{Attrs: tab.Attrs(), Class: 1, Nodes: nodes}
	}
	q := SegmentNew()
	q.Gaps = DrawGaps
	p := &SegmentPlan{Forest: &tree.Forest{Trees: []*tree.Tree{split(0), split(1)}}, Gaps: q.Gaps, Class: RPT}
	r := aggregate.Over(tab, protecttest.Seed(1))
	f := segmentFitting{SegmentTechnique: q, plan: p, schema: r.Schema, src: r.Source}
	must.NoError(t, f.take(t.Context(), r))
	must.NoError(t, f.segments())
	f.arrange([]int{0})
	for i := range f.rows { // as if all segments were too small for donors of their own
		f.rows[i] = f.rows[i][:min(len(f.rows[i]), (1-min(i, 1))*60)]
	}
	must.NoError(t, f.draw(t.Context()))
	is := must.Get(executor.Run(t.Context(), p, tab, protecttest.Seed(2), protect.Options{}))(t)
	within(t, p, tab, is)
}

// Where all donors of a leaf agree nothing is left to chance: four groups, told by sex and class, of 30 records each.
func TestWorkedExample(t *testing.T) {
	const each = 30
	var sex, class, job []int32
	var pay []float64
	for k := range 4 * each {
		s, c := int32(k/each%2), int32(k/each/2)
		sex, class = append(sex, s), append(class, c)
		job = append(job, 2*s+c)
		pay = append(pay, float64(100*(1+s+2*c)))
	}
	risk := table.CatColumn("risk", []string{"low", "high"}, class)
	risk.Role = table.Class
	tab := tabletest.Must(table.CatColumn("sex", []string{"f", "m"}, sex),
		table.CatColumn("job", []string{"a", "b", "c", "d"}, job), table.NumColumn("pay", 1, pay), risk)
	_, is := made(t, SegmentNew(), tab, tab)
	for i := range is.Rows() {
		s, c := is.Cat(0)[i], is.Cat(3)[i]
		if is.Cat(1)[i] != 2*s+c || is.Num(2)[i] != float64(100*(1+s+2*c)) {
			t.Errorf("row %d: sex %d, class %d, job %d, pay %v", i, s, c, is.Cat(1)[i], is.Num(2)[i])
		}
	}
}

// visits are 400 people with several records each: sex is one for a person, and only women, sex 0, are ever pregnant.
// The ward splits a person's records over segments.
func visits() *table.Table {
	r := protecttest.Seed(7).Rand()
	var sex, pregnant, class, whose []int32
	var ward, age []float64
	for p := range 400 {
		s, a := int32(r.IntN(2)), float64(20+r.IntN(40))
		for range 2 + r.IntN(4) {
			w := float64(r.IntN(10))
			whose, sex, age, ward = append(whose, int32(p)), append(sex, s), append(age, a), append(ward, w)
			pregnant = append(pregnant, (1-s)*int32(r.IntN(2)))
			c := int32(0)
			if w > 4 || r.IntN(5) == 0 {
				c = 1
			}
			class = append(class, c)
		}
	}
	risk := table.CatColumn("risk", []string{"low", "high"}, class)
	risk.Role = table.Class
	return tabletest.Must(table.CatColumn("pregnant", []string{"no", "yes"}, pregnant),
		table.CatColumn("sex", []string{"f", "m"}, sex), table.NumColumn("age", 1, age), table.NumColumn("ward", 1, ward),
		risk).Owned(whose)
}

// What is one for a person is released once for the person, and the person's other columns agree with it.
func TestPersons(t *testing.T) {
	tab := visits()
	p, is := made(t, SegmentNew(), tab, tab)
	within(t, p, tab, is)
	first, changed := map[int32]int{}, 0
	for i, person := range tab.Owners() {
		k, ok := first[person]
		if !ok {
			first[person] = i
			k = i
		}
		if is.Cat(1)[i] != is.Cat(1)[k] || is.Num(2)[i] != is.Num(2)[k] {
			t.Fatalf("row %d: sex or age of a person differs", i)
		}
		if is.Cat(0)[i] == 1 && is.Cat(1)[i] == 1 {
			t.Errorf("row %d: a pregnant man", i)
		}
		if is.Cat(1)[i] != tab.Cat(1)[i] {
			changed++
		}
	}
	if changed == 0 {
		t.Error("no person's sex changes")
	}
}

// Where a person's records are drawn one by one, some are of a pregnant man: the test above can fail.
func TestPersonsHaveTwoRounds(t *testing.T) {
	tab := visits()
	p := must.Get(SegmentNew().Fit(context.Background(), tab, protecttest.Seed(1)))(t)
	given := p.(protect.Conditional).Given([]string{"sex", "risk"})
	if want := []string{"pregnant", "age", "ward"}; !slices.Equal(given.Changes(), want) {
		t.Errorf("given sex and class, %v are drawn; expected %v", given.Changes(), want)
	}
	a := must.Get(executor.Run(context.Background(), p, tab, rng.New([32]byte{1}), protect.Options{}))(t)
	one, err := tab.WithColumn(1, a.Column(1))
	must.NoError(t, err)
	if one, err = one.WithColumn(4, a.Column(4)); err != nil {
		t.Fatal(err)
	}
	b := must.Get(executor.Run(context.Background(), given, one, rng.New([32]byte{1}), protect.Options{}))(t)
	for j := range tab.Width() {
		x, y := a.Column(j), b.Column(j)
		if !x.Equal(&y) {
			t.Errorf("column %q is drawn otherwise given what was drawn before it", x.Name)
		}
	}
}

// Given columns are released as they are, and the others are drawn given them.
func TestExcept(t *testing.T) {
	tab := visits()
	q := SegmentNew()
	q.Except = []string{"sex", "risk"}
	p, is := made(t, q, tab, tab)
	within(t, p, tab, is)
	for _, j := range []int{1, 4} {
		x, y := tab.Column(j), is.Column(j)
		if !x.Equal(&y) {
			t.Errorf("column %q changes", x.Name)
		}
	}
	for i := range tab.Rows() {
		if is.Cat(0)[i] == 1 && is.Cat(1)[i] == 1 {
			t.Errorf("row %d: a pregnant man", i)
		}
	}
}

// With gaps drawn, records that had a value miss one and others no longer do, about as many as before.
func TestGapsAreDrawn(t *testing.T) {
	tab := protecttest.Mixed(2000)
	q := SegmentNew()
	q.Gaps = DrawGaps
	p, is := made(t, q, tab, tab)
	within(t, p, tab, is)
	for _, name := range []string{"city", "hours", "ratio"} {
		j := tab.Find(name)
		was, now, stayed := 0, 0, 0
		for i := range tab.Rows() {
			a, b := tab.MissingAt(i, j), is.MissingAt(i, j)
			if a {
				was++
			}
			if b {
				now++
			}
			if a && b {
				stayed++
			}
		}
		if now < was*7/10 || now > was*13/10 || stayed > was/2 {
			t.Errorf("%s: %d values are missing, %d were, and %d of these stay so", name, now, was, stayed)
		}
	}
}

// TestTheRootLendsNothing: where only all records together have people enough, small leaves draw from them without a
// pool of their own, and plans hold.
func TestTheRootLendsNothing(t *testing.T) {
	for seed := range byte(5) {
		tab, q := measured(200, seed), SegmentNew()
		q.Leaf = 150
		if p, _ := made(t, q, tab, tab); p.Few == 0 || len(p.Pools) > 0 {
			t.Errorf("%d leaves are small, and %v lend to them", p.Few, p.Pools)
		}
	}
}

// TestSegmentsOfFew: unless a minimum is given, no segment that numbers divide has fewer records of the sample than a
// value must have, by one tree and by several.
func TestSegmentsOfFew(t *testing.T) {
	for _, c := range []struct{ rows, fitRows, common, trees int }{
		{300, 0, 5, 1}, {200, 0, 20, 1}, {2000, 300, 20, 1}, {4000, 0, 5, 1}, {200, 0, 10, 3},
	} {
		tab, q := measured(c.rows, 3), SegmentNew()
		q.Common, q.FitRows, q.Trees, q.CF = c.common, c.fitRows, c.trees, 100
		p, _ := made(t, q, tab, tab)
		sample := must.Get(q.Sample(t.Context(), aggregate.Over(tab, protecttest.Seed(1))))(t)
		for _, tr := range p.Forest.Trees {
			leaf, count := make([]int32, sample.Rows()), make([]int, len(tr.Leaves()))
			tr.Route(sample, leaf)
			for _, l := range leaf {
				count[l]++
			}
			if least := slices.Min(count); least < max(c.common, sample.Rows()/150) {
				t.Errorf("%+v: a segment has %d records", c, least)
			}
			if len(count) < 2 {
				t.Errorf("%+v: nothing is divided", c)
			}
		}
	}
}
