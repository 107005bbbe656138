package mdav

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/stat"

	"github.com/dither-data/dither/internal/mining/microaggregation"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

func mdavFitted(tab *table.Table, set map[string]string) (*MDAVPlan, error) {
	q := NewMDAV()
	if err := q.Params().Apply(set); err != nil {
		return nil, err
	}
	p, err := q.Fit(context.Background(), tab, protecttest.Seed(1))
	if err != nil {
		return nil, err
	}
	return p.(*MDAVPlan), nil
}

func mdavFit(t testing.TB, tab *table.Table, set map[string]string) *MDAVPlan {
	t.Helper()
	p := must.Get(mdavFitted(tab, set))(t)
	return p
}

func mdavRelease(t testing.TB, tab *table.Table, set map[string]string) *table.Table {
	t.Helper()
	out := must.Get(mdavFit(t, tab, set).Apply(tab, protecttest.Seed(2)))(t)
	return out
}

// companies returns the table of Domingo-Ferrer & Mateo-Sanz 2002.
func companies(t testing.TB) *table.Table {
	return tabletest.Of(t, table.NumColumn("surface", 1, []float64{790, 710, 730, 810, 950, 510, 400, 330, 510, 760, 50}),
		table.NumColumn("employees", 1, []float64{55, 44, 32, 17, 3, 25, 45, 50, 5, 52, 12}))
}

// The finer grid loses less, and tells anyone who knows all others of a group the value of the last, which the grid of
// whole numbers mostly hides.
func TestFinerGridTellsTheLast(t *testing.T) {
	tab := protecttest.AdultLike(t, 3_000)
	share, lost := map[string]float64{}, map[string]float64{}
	for _, grid := range []string{"keep", "finer"} {
		p := mdavFit(t, tab, map[string]string{"grid": grid})
		out := must.Get(p.Apply(tab, protecttest.Seed(2)))(t)
		points, kinds := microaggregation.Points(tab, p.By)
		group, groups, err := microaggregation.MixedMDAV(t.Context(), points, kinds, nil, p.K)
		must.NoError(t, err)
		told, all := 0, 0
		for _, j := range p.Columns {
			x, y := tab.Num(j), out.Num(j)
			variance, sum, size := stat.Variance(x, nil), make([]float64, groups), make([]float64, groups)
			for i, g := range group {
				sum[g] += x[i]
				size[g]++
			}
			for i, g := range group {
				lost[grid] += (x[i] - y[i]) * (x[i] - y[i]) / variance
				if sum[g] == x[i]*size[g] {
					continue // as it is for nearly all of those groups that are alike
				}
				all++
				if others := sum[g] - x[i]; math.Round(y[i]*size[g])-others == x[i] {
					told++
				}
			}
		}
		share[grid] = float64(told) / float64(all)
	}
	if share["finer"] != 1 || share["keep"] > 0.5 || lost["finer"] >= lost["keep"] {
		t.Errorf("the last value is told in %v, lost is %v", share, lost)
	}
}

// Domingo-Ferrer & Mateo-Sanz 2002: MDAV loses .5495 of the spread of the eleven companies, in groups of 3, 3 and 5.
// Means keep the sums.
func TestCompanies(t *testing.T) {
	tab := companies(t)
	p := mdavFit(t, tab, map[string]string{"grid": "finer"})
	protecttest.Near(t, "SSE/SST", p.Found.Lost, 0.5495, 0.00005)
	if p.Found.Groups != 3 || p.Found.Smallest != 3 || p.Found.Largest != 5 {
		t.Errorf("found %+v", p.Found)
	}
	out := mdavRelease(t, tab, map[string]string{"grid": "finer"})
	for j := range tab.Width() {
		was, is := 0.0, 0.0
		for i, v := range out.Num(j) {
			was, is = was+tab.Num(j)[i], is+v
		}
		protecttest.Near(t, "the sum of "+tab.Attr(j).Name, is, was, 11*0.005)
		if out.Attr(j).Step != 0.01 {
			t.Errorf("%q is released with step %v", out.Attr(j).Name, out.Attr(j).Step)
		}
		if keep := mdavRelease(t, tab, nil); keep.Attr(j).Step != 1 || keep.Num(j)[0] != math.Round(out.Num(j)[0]) {
			t.Errorf("on its own grid %q is %v with step %v, on a finer one %v", tab.Attr(j).Name, keep.Num(j)[0],
				keep.Attr(j).Step, out.Num(j)[0])
		}
	}
}

// Records that share a group share all that is released of them, apart from what is missing; there are k of them at
// least.
func TestReleaseIsShared(t *testing.T) {
	tab := protecttest.Mixed(500)
	for _, k := range []int{2, 5, 250, 400} {
		set := map[string]string{"categorical": "true", "k": fmt.Sprint(k)}
		out, p := mdavRelease(t, tab, set), mdavFit(t, tab, set)
		points, kinds := microaggregation.Points(tab, p.By)
		group, groups, err := microaggregation.MixedMDAV(context.Background(), points, kinds, nil, k)
		if err != nil || groups != p.Found.Groups {
			t.Fatal(groups, p.Found, err)
		}
		for _, j := range p.Columns {
			shared := make([]string, groups)
			for i, g := range group {
				if out.MissingAt(i, j) {
					continue
				}
				text := fmt.Sprint(out.Cat(j) != nil && out.Cat(j)[i] >= 0, cell(out, i, j))
				if shared[g] != "" && shared[g] != text {
					t.Fatalf("k = %d, column %q: group %d has %s and %s", k, out.Attr(j).Name, g, shared[g], text)
				}
				shared[g] = text
			}
		}
	}
}

func cell(t *table.Table, i, j int) any {
	if t.Attr(j).Kind == table.Categorical {
		return t.Cat(j)[i]
	}
	return t.Num(j)[i]
}

// What is released of an attribute is the middle of k known values at least, weighted: of two groups that know too few
// of a column, together.
func TestMissingAndWeights(t *testing.T) {
	nan := math.NaN()
	at := table.NumColumn("at", 1, []float64{0, 0, 0, 10, 10, 10, 20, 20, 20})
	x := table.NumColumn("x", 1, []float64{1, 2, nan, 3, nan, nan, 4, 6, 8})
	size := table.CatColumn("size", []string{"S", "M", "L"}, []int32{0, 1, 2, 2, 2, 0, -1, 0, 1})
	size.Ordered = true
	city := table.CatColumn("city", []string{"a", "b"}, []int32{0, 1, 0, 1, 1, 1, 0, 1, 0})
	for _, c := range []*table.Column{&x, &size, &city} {
		c.Role = table.Confidential
	}
	w := table.NumColumn("w", 1, []float64{1, 1, 1, 1, 1, 1, 2, 1, 1})
	w.Role = table.Weight
	tab := tabletest.Of(t, at, x, size, city, w)
	out, p := mdavRelease(
		t,
		tab,
		map[string]string{"by": "at", "grid": "finer"},
	), mdavFit(t, tab, map[string]string{"by": "at"})
	// 1, 2, 3 are pooled; (2*4+6+8)/4
	if got, want := fmt.Sprint(out.Num(1)), "[2 2 NaN 2 NaN NaN 5.5 5.5 5.5]"; got != want {
		t.Errorf("means %s, expected %s", got, want)
	}
	// The third group knows two sizes and is pooled with nobody short: it joins the group whose median is nearest, M.
	if got, want := out.Cat(2), []int32{1, 1, 1, 2, 2, 2, -1, 1, 1}; !slices.Equal(got, want) {
		t.Errorf("medians %v, expected %v", got, want)
	}
	if got, want := out.Cat(3), []int32{0, 0, 0, 1, 1, 1, 0, 0, 0}; !slices.Equal(got, want) {
		t.Errorf("modes %v, expected %v", got, want)
	}
	if notes := strings.Join(message.Written(p.Notes()), "\n"); !strings.Contains(notes,
		`averaged together for it: "x" in 2, "size" in 1`) ||
		!strings.Contains(notes, "3 groups of 3 to 3 records") ||
		!strings.Contains(notes, "0 % of the spread") {
		t.Errorf("notes %s", notes)
	}
	if !slices.Equal(out.Num(0), tab.Num(0)) || !slices.Equal(out.Num(4), tab.Num(4)) {
		t.Error("a column that is not confidential changes")
	}
}

func TestColumns(t *testing.T) {
	tab := protecttest.Mixed(60)
	income := *tab.Attr(1)
	income.Role = table.Confidential
	marked := tab.WithAttr(1, income)
	for _, c := range []struct {
		tab         *table.Table
		set         map[string]string
		columns, by string
	}{
		{tab, nil, "[0 1 2 3 5 6]", "[0 1 2 3 5 6]"},
		{tab, map[string]string{"except": "age,hours"}, "[1 2 3 5]", "[0 1 2 3 5 6]"},
		{tab, map[string]string{"categorical": "true"}, "[0 1 2 3 4 5 6 7 9]", "[0 1 2 3 4 5 6 7 9]"},
		{marked, map[string]string{"categorical": "true"}, "[1]", "[0 1 2 3 4 5 6 7 9]"},
		{marked, map[string]string{"by": "sex,age"}, "[1]", "[0 7]"},
		{marked, map[string]string{"columns": "size,age", "except": "age"}, "[9]", "[0 1 2 3 5 6]"},
		{marked, map[string]string{"except": "income"}, "[]", "[0 1 2 3 5 6]"},
	} {
		p := mdavFit(t, c.tab, c.set)
		if got, by := fmt.Sprint(p.Columns), fmt.Sprint(p.By); got != c.columns || by != c.by {
			t.Errorf("%v: columns %s by %s, expected %s by %s", c.set, got, by, c.columns, c.by)
		}
	}
}

func TestMDAVRefusals(t *testing.T) {
	tab := protecttest.Mixed(60)
	few := make([]float64, 60)
	for i := range few {
		few[i] = math.NaN()
	}
	few[3], few[30] = 1, 5
	w := table.NumColumn("w", 1, few)
	w.Role = table.Weight
	for want, f := range map[string]func() error{
		"there are 2 records, expected at least k = 3": func() error {
			_,
				err := mdavFitted(tab.Slice(0, 2), nil)
			return err
		},
		`column "few" has 2 known values`: func() error {
			_, err := mdavFitted(tabletest.Of(t, tab.Column(0), table.NumColumn("few", 1, few)), nil)
			return err
		},
		`column "w": 58 values are`:         func() error { _, err := mdavFitted(tabletest.Of(t, tab.Column(0), w), nil); return err },
		`"by": there is no column "nobody"`: func() error { _, err := mdavFitted(tab, map[string]string{"by": "nobody"}); return err },
		`"columns": column "risk" is the`:   func() error { _, err := mdavFitted(tab, map[string]string{"columns": "risk"}); return err },
		`"except": there is no column`:      func() error { _, err := mdavFitted(tab, map[string]string{"except": "nobody"}); return err },
		`"by": the table has no numeric`: func() error {
			_, err := mdavFitted(tabletest.Of(t, tab.Column(4), tab.Column(7)), map[string]string{"columns": "city"})
			return err
		},
		"expected at least k": func() error {
			_,
				err := mdavFit(t, tab, nil).Apply(tab.Slice(0, 1), protecttest.Seed(1))
			return err
		},
		"columns, the plan": func() error {
			_,
				err := mdavFit(t, tab, nil).Apply(tab.Select(0), protecttest.Seed(1))
			return err
		},
	} {
		if err := f(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("the error is %v, expected %q", err, want)
		}
	}
}

// A plan applied to other records than it was fitted on groups those, whether it was stored or not.
func TestOtherRecords(t *testing.T) {
	tab := protecttest.Mixed(200)
	for _, set := range []map[string]string{nil, {"block": "40"}} {
		p := mdavFit(t, tab.Slice(0, 100), set)
		data := must.Get(json.Marshal(p))(t)
		stored := &MDAVPlan{}
		if err := json.Unmarshal(data, stored); err != nil || stored.Check() != nil {
			t.Fatal(err, stored.Check())
		}
		a := must.Get(p.Apply(tab, protecttest.Seed(1)))(t)
		b := must.Get(stored.Apply(tab, protecttest.Seed(2)))(t)
		want := mdavRelease(t, tab, set)
		for _, j := range p.Columns {
			if fmt.Sprint(a.Num(j)) != fmt.Sprint(want.Num(j)) || fmt.Sprint(b.Num(j)) != fmt.Sprint(want.Num(j)) {
				t.Errorf("%v: column %q depends on the records that the plan was fitted on", set, tab.Attr(j).Name)
			}
		}
	}
}

func TestDescribe(t *testing.T) {
	p := mdavFit(t, protecttest.Mixed(90), map[string]string{"block": "30", "k": "4"})
	if got := p.Describe(); !strings.Contains(got.String(), "groups of 4 ") {
		t.Errorf("the plan says %q", got)
	}
	if notes := strings.Join(message.Written(p.Notes()), "\n"); !strings.Contains(notes, "blocks of at most 30") {
		t.Errorf("notes %s", notes)
	}
	if notes := mdavFit(t, protecttest.Mixed(90),
		map[string]string{"columns": "age", "except": "age"}).Notes(); notes != nil {
		t.Errorf("a plan that changes nothing notes %q", notes)
	}
}
