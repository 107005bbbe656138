package coding_test

import (
	"encoding/json"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/noisemodel"
	"github.com/dither-data/dither/protect/coding"
	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// What becomes of a value is certain, and the law says so, at either end; of columns left alone there is none.
func TestLaw(t *testing.T) {
	tab := tabletest.Of(t, table.NumColumn("x", 1, []float64{1, 2, 3, 4, 5}), table.NumColumn("y", 1, ramp(5)))
	for bottom, cases := range map[bool][]struct{ x, y, p float64 }{
		false: {{5, 3, 1}, {3, 3, 1}, {2, 2, 1}, {5, 5, 0}, {2, 3, 0}, {2, math.NaN(), 0}},
		true:  {{1, 3, 1}, {3, 3, 1}, {4, 4, 1}, {1, 1, 0}, {4, 3, 0}, {4, math.NaN(), 0}},
	} {
		p := plan(t, bottom, tab, map[string]string{"at": "x=3"})
		k, ok := noisemodel.At(p, 0, nil, nil, 0)
		for _, c := range cases {
			if !ok || k.P(c.x, c.y) != c.p {
				t.Errorf("bottom %v: %v is released as %v with probability %v", bottom, c.x, c.y, k.P(c.x, c.y))
			}
		}
		if _, ok := noisemodel.At(p, 1, nil, nil, 0); ok {
			t.Error("a column left alone has a law")
		}
	}
}

// The law gives every released value that comes of an original one the probability 1, and any other of the column 0.
func TestLawIsTheRelease(t *testing.T) {
	long.Check(t, func(r *rapid.T) {
		tab := protecttest.RandomTable(r)
		as := rapid.SampledFrom([]string{coding.AsLimit, coding.AsMean}).Draw(r, "as")
		q := extremes(r, rapid.Bool().Draw(r, "bottom"), map[string]string{"as": as, "share": "20"})
		fitted, err := q.Fit(t.Context(), tab, rng.Source{})
		if err != nil {
			return // a column has too few values
		}
		p := fitted.(*coding.Plan)
		out := apply(r, p, tab)
		for _, c := range p.Columns {
			of, _ := p.Law(c.Column)
			k := of(nil, tab, 0)
			for i := range tab.Rows() {
				if tab.MissingAt(i, c.Column) {
					if !out.MissingAt(i, c.Column) {
						r.Fatalf("column %d, row %d: a missing value becomes known", c.Column, i)
					}
					continue
				}
				x, y := cell(tab, i, c.Column), cell(out, i, c.Column)
				if k.P(x, y) != 1 || x != y && k.P(x, x) != 0 {
					r.Fatalf("column %d, row %d: %v becomes %v, which the law gives %v", c.Column, i, x, y, k.P(x, y))
				}
			}
		}
	})
}

// cell returns a number, or the code of a category.
func cell(t *table.Table, i, j int) float64 {
	if t.Attr(j).Kind == table.Numeric {
		return t.Num(j)[i]
	}
	return float64(t.Cat(j)[i])
}

// A category above the limit becomes the limit whatever is asked for, the missing one stays, and so do the labels.
func TestOrderedCategories(t *testing.T) {
	tab := tabletest.Of(t, ordered(0, 1, 3, 2, 2, -1, 0, 2, 1, 3))
	for _, c := range []struct {
		bottom           bool
		name, value, how string
		want             []int32
	}{
		{false, "at", "size=M", coding.AsMean, []int32{0, 1, 1, 1, 1, -1, 0, 1, 1, 1}},
		{false, "share", "5", coding.AsLimit, []int32{0, 1, 2, 2, 2, -1, 0, 2, 1, 2}}, // two records of XL are fewer than k
		{false, "k", "2", coding.AsLimit, tab.Cat(0)},
		{true, "at", "size=L", coding.AsMean, []int32{2, 2, 3, 2, 2, -1, 2, 2, 2, 3}},
		{true, "share", "5", coding.AsLimit, []int32{1, 1, 3, 2, 2, -1, 1, 2, 1, 3}},
		{true, "k", "2", coding.AsLimit, tab.Cat(0)},
	} {
		out := apply(t, plan(t, c.bottom, tab, map[string]string{c.name: c.value, "as": c.how}), tab)
		if !slices.Equal(out.Cat(0), c.want) || !slices.Equal(out.Attr(0).Labels, tab.Attr(0).Labels) ||
			!out.Attr(0).Ordered {
			t.Errorf("bottom %v, %s=%s: %v, expected %v", c.bottom, c.name, c.value, out.Cat(0), c.want)
		}
	}
}

// Coding acts on every record alone, so chunks of a table are released as they are in the whole; the original is left
// as it was.
func TestChunks(t *testing.T) {
	tab := protecttest.Mixed(120)
	before, _ := json.Marshal(tab.Num(1))
	p := plan(t, false, tab, map[string]string{"at": "income=2000", "columns": "score,size", "as": coding.AsMean})
	whole := apply(t, p, tab)
	for _, cut := range [][2]int{{0, 1}, {1, 77}, {77, 120}} {
		part := apply(t, p, tab.Slice(cut[0], cut[1]))
		for j := range tab.Width() {
			for i := range part.Rows() {
				if whole.MissingAt(cut[0]+i, j) != part.MissingAt(i, j) ||
					!part.MissingAt(i, j) && cell(whole, cut[0]+i, j) != cell(part, i, j) {
					t.Fatalf("column %d, row %d is released otherwise in a chunk", j, cut[0]+i)
				}
			}
			if part.Attr(j).Domain != whole.Attr(j).Domain {
				t.Errorf("column %d: domains %v and %v", j, part.Attr(j).Domain, whole.Attr(j).Domain)
			}
		}
	}
	if after, _ := json.Marshal(tab.Num(1)); string(after) != string(before) {
		t.Error("the original changes")
	}
	if _, err := p.Apply(tab.Select(0, 1), protecttest.Seed(1)); err == nil {
		t.Error("records of another schema are accepted")
	}
}

// A plan that was edited by hand is refused by what is wrong with it.
func TestCheck(t *testing.T) {
	tab := tabletest.Of(t, table.NumColumn("x", 1, []float64{1, 2, 3, 4, 5}), ordered(0, 1, 2, 3, 3),
		table.CatColumn("city", []string{"a"}, make([]int32, 5)))
	for _, c := range []struct {
		want  string
		spoil func(p *coding.Plan)
	}{
		{`values become "median"`, func(p *coding.Plan) { p.As = "median" }},
		{"not one of the 3", func(p *coding.Plan) { p.Left = []int{3} }},
		{"not one of the 3", func(p *coding.Plan) { p.Left = []int{-1} }},
		{"ascending", func(p *coding.Plan) { p.Columns[1].Column = 0 }},
		{"ascending", func(p *coding.Plan) { p.Columns[1].Column = 3 }},
		{"ascending", func(p *coding.Plan) { p.Columns[0].Column = -1 }},
		{"is not a number", func(p *coding.Plan) { p.Columns[0].Limit = math.NaN() }},
		{"is not a number", func(p *coding.Plan) { p.Columns[1].Limit = math.Inf(1) }},
		{"not in its domain", func(p *coding.Plan) { p.Columns[0].Value = 6 }},
		{"not in its domain", func(p *coding.Plan) { p.Columns[0].Value = 2.5 }},
		{"not one of its categories", func(p *coding.Plan) { p.Columns[1].Value = 4 }},
		{"not one of its categories", func(p *coding.Plan) { p.Columns[1].Value = -1 }},
		{"not one of its categories", func(p *coding.Plan) { p.Columns[1].Value = 1.5 }},
		{"not ordered", func(p *coding.Plan) { p.Columns[1].Column = 2 }},
		{"unusable domain", func(p *coding.Plan) { p.Attrs[0].Domain.Hi = math.Inf(1) }},
		{"codes the other end", func(p *coding.Plan) { p.Bottom = true }},
	} {
		p := plan(t, false, tab, map[string]string{"at": "x=3,size=L"})
		c.spoil(p)
		if err := p.Check(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v, expected %q", err, c.want)
		}
	}
}

// The notes count what was coded, and name the columns where the limit stands for a mean, where few share the extreme,
// and that are left alone.
func TestNotes(t *testing.T) {
	gain := make([]float64, 20)
	gain[7] = 5
	tab := tabletest.Of(t, table.NumColumn("few", 1, ramp(20)), table.NumColumn("many", 1, ramp(20)),
		table.NumColumn("gain", 1, gain), ordered(slices.Repeat([]int32{0, 1, 2, 3}, 5)...))
	p := plan(t, false, tab,
		map[string]string{"at": "few=18,many=10,size=M", "columns": "gain", "as": coding.AsMean, "k": "3"})
	for k, want := range []string{
		`values coded, by column: "few" 1, "many" 9, "size" 10`,
		`fewer than 3 values were coded, and in ordered categories: "few", "size"`,
		`fewer than 3 records share the extreme that is released: "few"`,
		`"gain"; give a limit (at)`,
	} {
		if notes := p.Notes(); len(notes) != 4 || !strings.Contains(notes[k].String(), want) {
			t.Errorf("note %d of %q, expected %q", k, notes, want)
		}
	}
	if none := (&coding.Plan{Attrs: tab.Attrs(), As: coding.AsLimit}).Notes(); none != nil {
		t.Errorf("a plan that codes nothing says %q", none)
	}
	for _, at := range []string{"many=19", "many=17"} { // nothing lies beyond the first, and three share the second
		if p := plan(t, false, tab, map[string]string{"at": at}); len(p.Notes()) != 1 {
			t.Errorf("%s: notes %q", at, p.Notes())
		}
	}
}
