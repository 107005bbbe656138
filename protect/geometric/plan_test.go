package geometric_test

import (
	"encoding/json"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/noisemodel"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/geometric"
	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// naiveMap takes one record through the steps by their definition, with the means of the columns beside it.
func naiveMap(p *geometric.Plan, u map[int]float64) map[int]float64 {
	mean, out := map[int]float64{}, map[int]float64{}
	for k, j := range p.Columns {
		mean[j], out[j] = p.Mean[k], u[j]
	}
	or := func(v, mean float64) float64 {
		if math.IsNaN(v) {
			return mean
		}
		return v
	}
	for _, s := range p.Steps {
		a := s.Columns[0]
		switch s.Kind {
		case geometric.Shift:
			out[a], mean[a] = out[a]+s.By, mean[a]+s.By
		case geometric.Scale:
			out[a], mean[a] = out[a]*s.By, mean[a]*s.By
		case geometric.Rotate:
			b, t := s.Columns[1], s.By/180*math.Pi
			x, y := or(out[a], mean[a])-0.5, or(out[b], mean[b])-0.5
			if !math.IsNaN(out[a]) {
				out[a] = 0.5 + x*math.Cos(t) + y*math.Sin(t)
			}
			if !math.IsNaN(out[b]) {
				out[b] = 0.5 - x*math.Sin(t) + y*math.Cos(t)
			}
			x, y = mean[a]-0.5, mean[b]-0.5
			mean[a], mean[b] = 0.5+x*math.Cos(t)+y*math.Sin(t), 0.5-x*math.Sin(t)+y*math.Cos(t)
		}
	}
	return out
}

// A released value is lo + u' (hi - lo) with u' from the steps, on the finer grid, and the nearest end of a declared
// domain. The law that the plan gives an intruder has it, whatever is missing in the record.
func TestMapIsItsDefinition(t *testing.T) {
	long.Check(t, func(t *rapid.T) {
		tab := protecttest.RandomTable(t)
		p := plan(t, geometric.Hybrid, tab, rapid.Byte().Draw(t, "seed"))
		out := must.Get(p.Apply(tab, protecttest.Seed(1)))(t)
		for i := range tab.Rows() {
			u := map[int]float64{}
			for _, j := range p.Columns {
				d := tab.Attr(j).Domain
				u[j] = (tab.Num(j)[i] - d.Lo) / (d.Hi - d.Lo)
			}
			image := naiveMap(p, u)
			for _, j := range p.Columns {
				d, wide := tab.Attr(j).Domain, out.Attr(j).Domain
				want := min(max(d.Lo+image[j]*(d.Hi-d.Lo), wide.Lo), wide.Hi)
				x, y := tab.Num(j)[i], out.Num(j)[i]
				half := max(out.Attr(j).Step/2, 1e-9*(d.Hi-d.Lo)) * (1 + 1e-6)
				if math.IsNaN(x) != math.IsNaN(y) || math.Abs(want-y) > half {
					t.Fatalf("column %d, row %d: %v becomes %v, expected %v", j, i, x, y, want)
				}
				if math.IsNaN(x) {
					continue
				}
				kernel, ok := noisemodel.At(p, j, nil, tab, i)
				if step := out.Attr(j).Step; !ok || kernel.P(x, y) != 1 || kernel.P(x, y+max(2*step, d.Hi-d.Lo)) != 0 ||
					kernel.P(x, math.NaN()) != 0 {
					t.Fatalf("column %d, row %d: the law of %v does not have %v alone", j, i, x, y)
				}
			}
		}
		if _, ok := noisemodel.At(p, tab.Width()-1, nil, tab, 0); ok {
			t.Fatal("the class has a law")
		}
	})
}

// Every column is changed by one kind of step, and the three kinds come.
func TestMixesKinds(t *testing.T) {
	seen := map[string]bool{}
	tab := protecttest.Mixed(100)
	for seed := range byte(20) {
		p := plan(t, geometric.Hybrid, tab, seed)
		kind := map[int]string{}
		for _, s := range p.Steps {
			seen[s.Kind] = true
			for _, j := range s.Columns {
				if was, ok := kind[j]; ok && (was != s.Kind || s.Kind != geometric.Rotate) {
					t.Errorf("column %d is changed by %s and by %s", j, was, s.Kind)
				}
				kind[j] = s.Kind
			}
		}
		if len(kind) != len(p.Columns) {
			t.Errorf("%d of %d columns change", len(kind), len(p.Columns))
		}
	}
	if len(seen) != 3 {
		t.Errorf("in 20 plans there are only %v", seen)
	}
}

// One seed gives two tables different maps, and the same table the same map.
func TestMapIsOfItsTable(t *testing.T) {
	steps := func(tab *table.Table) string {
		data, _ := json.Marshal(plan(t, geometric.Hybrid, tab, 1).Steps)
		return string(data)
	}
	tab := protecttest.Mixed(200)
	if first := steps(tab); steps(tab) != first {
		t.Error("the same table gets two maps")
	}
	if steps(tab) == steps(tab.Slice(0, 199)) {
		t.Error("another table gets the same map")
	}
}

// Columns that do not vary are left alone and noted; so is the risk, and how many records give the map away.
func TestNotes(t *testing.T) {
	x := table.NumColumn("x", 1, []float64{1, 2, 4, 9})
	still := table.NumColumn("still", 1, []float64{3, 3, math.NaN(), 3})
	age := table.NumColumn("age", 1, []float64{20, 30, 60, 80})
	age.Domain, age.Declared = table.Interval{Lo: 0, Hi: 120}, true
	tab := tabletest.Of(t, x, still, age)
	seed := protecttest.Seed(1)
	for known, m := range map[string]protect.Method{"knows 1 record ": geometric.Translation,
		"knows 2 records": geometric.Scaling,
		"knows 3 records": geometric.Rotation} {
		p := plan(t, m, tab, 1)
		notes := strings.Join(message.Written(p.Notes()), "\n")
		for _, part := range []string{known, `"still" has no two`, `domains of "age"`, `by column: "x" `} {
			if !strings.Contains(notes, part) {
				t.Errorf("%q is not in the notes:\n%s", part, notes)
			}
		}
		if !slices.Equal(p.Changes(), []string{"x", "age"}) ||
			!strings.Contains(p.Describe().String(), "one map for all records") {
			t.Errorf("%q change: %s", p.Changes(), p.Describe())
		}
		out, err := p.Apply(tab, seed)
		if err != nil || out.Attr(2).Domain != age.Domain {
			t.Errorf("the declared domain becomes %v, error %v", out.Attr(2).Domain, err)
		}
	}
	if _, err := fit(geometric.Rotation, tab.Select(0, 1), seed, nil); err == nil ||
		!strings.Contains(err.Error(), `"x" has no other`) {
		t.Errorf("a single column is rotated: %v", err)
	}
	none, err := fit(geometric.Hybrid, tab.Select(1), seed, nil)
	if err != nil || len(none.Changes()) != 0 || len(none.Notes()) != 1 {
		t.Errorf("without columns that vary: %v, %v", none, err)
	}
}

func TestRefusals(t *testing.T) {
	tab := protecttest.Mixed(50)
	for _, c := range []struct {
		m      protect.Method
		tab    *table.Table
		change func(q *geometric.Technique)
		want   string
	}{
		{geometric.Translation, tab, func(q *geometric.Technique) { q.ShiftLeast = 0.6 }, `"shiftLeast" is 0.6, above "shiftMost"`},
		{geometric.Scaling, tab, func(q *geometric.Technique) { q.ScaleMost = 0.2 }, `"scaleLeast" is 0.5, above "scaleMost"`},
		{geometric.Rotation, tab.Select(0, 1), func(q *geometric.Technique) { q.Rho = 100 }, `security of 100; expected at most`},
		{geometric.Rotation, tab.Select(0), nil, `mark a second one (--role column=confidential)`},
		{geometric.Rotation, tab, func(q *geometric.Technique) { q.Pairs = []string{"age", "age"} }, "named twice"},
		{geometric.Rotation, tab, func(q *geometric.Technique) { q.Pairs = []string{"risk"} }, `"risk" is not rotated`},
		{geometric.Rotation, tab, func(q *geometric.Technique) { q.Pairs = []string{"agee"} }, `no column "agee"`},
	} {
		if _, err := fit(c.m, c.tab, protecttest.Seed(1), c.change); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: the error is %v", c.want, err)
		}
	}
}

func TestCheck(t *testing.T) {
	tab := protecttest.Mixed(50)
	for want, change := range map[string]func(p *geometric.Plan){
		"means":         func(p *geometric.Plan) { p.Mean = nil },
		"ascending":     func(p *geometric.Plan) { p.Columns[0] = 5 },
		"one value":     func(p *geometric.Plan) { p.Attrs[0].Domain.Hi = p.Attrs[0].Domain.Lo },
		"unusable mean": func(p *geometric.Plan) { p.Mean[1] = math.NaN() },
		"the grid is":   func(p *geometric.Plan) { p.Grid = "coarse" },
		`a step is ""`:  func(p *geometric.Plan) { p.Steps[0].Kind = "" },
		"a shift is by": func(p *geometric.Plan) {
			p.Steps[0] = geometric.Transform{Kind: geometric.Shift, Columns: []int{0}, By: 17}
		},
		"factor above 0": func(p *geometric.Plan) {
			p.Steps[0] = geometric.Transform{Kind: geometric.Scale, Columns: []int{0}}
		},
		"2 different ones": func(p *geometric.Plan) {
			p.Steps[0] = geometric.Transform{Kind: geometric.Rotate, Columns: []int{0, 0}}
		},
		"does not change": func(p *geometric.Plan) {
			p.Steps[0] = geometric.Transform{Kind: geometric.Shift, Columns: []int{8}}
		},
		"or scaled twice":    func(p *geometric.Plan) { p.Steps = append(p.Steps, again, again) },
		"ascending position": func(p *geometric.Plan) { p.Constant = []int{-1} },
	} {
		p := plan(t, geometric.Hybrid, tab, 1)
		change(p)
		if err := p.Check(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: the error is %v", want, err)
		}
	}
	if _, err := plan(t, geometric.Hybrid, tab, 1).Apply(tab.Select(0), protecttest.Seed(1)); err == nil {
		t.Error("records of another schema are accepted")
	}
}

var again = geometric.Transform{Kind: geometric.Shift, Columns: []int{0}, By: 0.1}
