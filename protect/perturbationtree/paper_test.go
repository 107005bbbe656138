package perturbationtree

import (
	_ "embed"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/stat"
	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/protect/internal/fence"
	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/table"
)

//go:embed testdata/kdtree.json
var golden []byte

type goldenIn struct {
	Columns      []string
	Rows         [][]float64
	SplitColumns []string `json:"split_columns"`
	Confidential []string
	MaxLeaf      int `json:"max_leaf"`
	Split        string
}

type goldenOut struct {
	Leaves         [][]int
	Perturbed      map[string][]float64
	Mean           []float64
	VarianceBefore []float64 `json:"variance_before"`
	VarianceAfter  []float64 `json:"variance_after"`
}

// The worked examples that have no leaf of one record, which the technique does not make.
func TestGolden(t *testing.T) {
	seen := 0
	for _, c := range protecttest.Cases[goldenIn, goldenOut](t, golden, "kdtree") {
		if slices.ContainsFunc(c.Expected.Leaves, func(rows []int) bool { return len(rows) < 2 }) {
			continue
		}
		seen++
		t.Run(c.Name, func(t *testing.T) { worked(t, &c.Input, &c.Expected) })
	}
	if seen != 2 {
		t.Errorf("%d cases, expected 2", seen)
	}
}

func worked(t *testing.T, in *goldenIn, want *goldenOut) {
	var cols []table.Column
	for j, name := range in.Columns {
		v := make([]float64, len(in.Rows))
		for i, r := range in.Rows {
			v[i] = r[j]
		}
		c := table.NumColumn(name, 0, v)
		if slices.Contains(in.Confidential, name) {
			c.Role = table.Confidential
		}
		cols = append(cols, c)
	}
	tab := marked(0, cols...)
	set := map[string]string{"leafMax": "3", "split": in.Split}
	if len(in.SplitColumns) < len(in.Columns) {
		set["by"] = "others"
	}
	group := groups(t, tab, set)
	for l, rows := range want.Leaves {
		for _, i := range rows {
			if group[i] != uint64(l) {
				t.Errorf("record %d is in leaf %d, expected %d", i, group[i], l)
			}
		}
	}
	out := release(t, tab, set)
	for k, name := range in.Confidential {
		x, y := tab.Num(tab.Find(name)), out.Num(out.Find(name))
		for i, v := range want.Perturbed[name] {
			protecttest.Near(t, "a released value", y[i], v, 1e-9)
		}
		protecttest.Near(t, "the mean", stat.Mean(y, nil), want.Mean[k], 1e-9)
		protecttest.Near(t, "the variance before", stat.Variance(x, nil), want.VarianceBefore[k], 1e-9)
		protecttest.Near(t, "the variance after", stat.Variance(y, nil), want.VarianceAfter[k], 1e-9)
	}
}

// Table 4.1 on its grid of whole thousands, and with two more decimals.
func TestTable41(t *testing.T) {
	tab := marked(1, table.NumColumn("Income", 1, []float64{54, 55, 60, 49, 65, 70, 57, 73, 62}),
		table.NumColumn("Age", 1, []float64{25, 31, 32, 36, 43, 48, 50, 53, 56}),
		table.NumColumn("YearEdu", 1, []float64{16, 14, 18, 12, 16, 20, 13, 18, 14}))
	for grid, want := range map[string][]float64{
		fence.GridFiner: {57, 52, 57, 52, 61.33, 71.5, 61.33, 71.5, 61.33},
		fence.GridKeep:  {57, 52, 57, 52, 61, 72, 61, 72, 61},
	} {
		out := release(t, tab, map[string]string{"leafMax": "3", "grid": grid})
		if !slices.Equal(out.Num(0), want) {
			t.Errorf("grid %s: %v are released, expected %v", grid, out.Num(0), want)
		}
		if step := map[string]float64{fence.GridFiner: 0.01, fence.GridKeep: 1}[grid]; out.Attr(0).Step != step {
			t.Errorf("grid %s: the released step is %v", grid, out.Attr(0).Step)
		}
	}
}

// people draws a table of columns on several grids, some confidential, with ties and missing values.
func people(t *rapid.T) *table.Table {
	n := rapid.IntRange(4, 80).Draw(t, "n")
	var cols []table.Column
	for j := range rapid.IntRange(1, 4).Draw(t, "columns") {
		step := rapid.SampledFrom([]float64{0, 1, 0.1, 0.01}).Draw(t, "step")
		gaps := rapid.SampledFrom([]int{0, 0, 4}).Draw(t, "gaps")
		v := make([]float64, n)
		for i := range v {
			v[i] = table.Snap(float64(rapid.IntRange(-400, 400).Draw(t, "v"))/7, step)
			if i > 3 && rapid.IntRange(0, 20).Draw(t, "gap") < gaps {
				v[i] = math.NaN()
			}
		}
		c := table.NumColumn(string(rune('a'+j)), step, v)
		if rapid.Bool().Draw(t, "confidential") {
			c.Role = table.Confidential
		}
		cols = append(cols, c)
	}
	return marked(0, cols...)
}

// settings draws parameters.
func settings(t *rapid.T) map[string]string {
	choose := func(name string, of ...string) string { return rapid.SampledFrom(of).Draw(t, name) }
	leafMin, leafMax, k := choose("leafMin", "2", "3"), choose("leafMax", "2", "3", "10", "30"), choose("k", "2", "4")
	if leafMax == "2" { // neither leafMin nor k may be above leafMax
		leafMin = "2"
	}
	if leafMax == "2" || leafMax == "3" {
		k = "2"
	}
	return map[string]string{"inside": choose("inside", insides...), "split": choose("split", "midrange", "median"),
		"ties": choose("ties", "left", "coin"), "partition": choose("partition", "once", "each"),
		"leafMax": leafMax, "leafMin": leafMin,
		"k": k, "blockMax": choose("blockMax", "8", "1000"), "grid": choose("grid", "keep", "finer")}
}

// Roy, section 4.1, properties 1 and 2: means are kept and variances do not grow. Rounding moves a value by half a step
// at most, and so a mean and a standard deviation. And: every record stays in its leaf, missing values where they are,
// and each mean stands for enough values.
func TestProperties(t *testing.T) {
	long.Check(t, func(t *rapid.T) {
		tab, set := people(t), settings(t)
		q := New()
		must.NoError(t, q.Params().Apply(set))
		if _, err := q.Fit(t.Context(), tab, protecttest.Seed(1)); err != nil {
			t.Fatal(err) // the first four values of every column are known, enough for every group
		}
		p, out := fit(t, tab, set), release(t, tab, set)
		for j := range tab.Width() {
			moments(t, tab.Attr(j), out.Attr(j), tab.Num(j), out.Num(j))
			multiplicity(t, p, j, tab.Num(j), out.Num(j))
		}
		stays(t, p, tab, out)
	})
}

// moments compares mean and standard deviation.
func moments(t *rapid.T, was, is *table.Attribute, before, after []float64) {
	var x, y []float64
	for i, v := range before {
		if (v != v) != (after[i] != after[i]) {
			t.Fatalf("column %q, record %d: %v is released as %v", was.Name, i, v, after[i])
		}
		if v == v {
			x, y = append(x, v), append(y, after[i])
		}
	}
	if len(x) == 0 {
		return
	}
	off := is.Step/2 + 1e-9*max(1, math.Abs(x[0]))
	if d := math.Abs(stat.Mean(x, nil) - stat.Mean(y, nil)); d > off {
		t.Fatalf("column %q: the mean moves by %v", was.Name, d)
	}
	if a, b := stat.PopStdDev(x, nil), stat.PopStdDev(y, nil); b > a+off {
		t.Fatalf("column %q: the standard deviation grows from %v to %v", was.Name, a, b)
	}
}

// multiplicity checks that a released mean is that of as many records as a group needs.
func multiplicity(t *rapid.T, p *Plan, j int, before, after []float64) {
	if p.Inside == Swap || !slices.Contains(p.Changes(), p.Attrs[j].Name) {
		return
	}
	count := map[float64]int{}
	for _, v := range after {
		count[v]++
	}
	for v, n := range count {
		if v == v && n < p.Least {
			t.Fatalf("column %q: %v is released %d times, a group has %d; of %v", p.Attrs[j].Name, v, n, p.Least, before)
		}
	}
}

// stays checks that every record is in its leaf, as the segmentation counts leaves.
func stays(t *rapid.T, p *Plan, tab, out *table.Table) {
	f := p.Segmentation()
	if f == nil {
		return
	}
	was, is := make([]uint64, tab.Rows()), make([]uint64, tab.Rows())
	must.NoError(t, f.Route(tab, was))
	must.NoError(t, f.Route(out, is))
	if !slices.Equal(was, is) {
		t.Fatalf("records leave their leaves: %v becomes %v", was, is)
	}
	group := must.Get(p.Group(tab))(t)
	if len(p.Parts) == 1 && !slices.Equal(was, group) {
		t.Fatalf("the segmentation has leaves %v, the plan %v", was, group)
	}
}
