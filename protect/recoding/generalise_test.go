package recoding

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/dither-data/dither/hierarchy"
	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/measure/anonymity"
	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

func fullDomainTechnique(t testing.TB, set map[string]string, h hierarchy.Set) *FullDomainTechnique {
	t.Helper()
	q := NewFullDomain()
	must.NoError(t, q.Params().Apply(set))
	q.UseHierarchies(h)
	return q
}

func fullDomainFit(t testing.TB, tab *table.Table, set map[string]string, h hierarchy.Set) *FullDomainPlan {
	t.Helper()
	p := must.Get(fullDomainTechnique(t, set, h).Fit(context.Background(), tab, protecttest.Seed(1)))(t)
	return p.(*FullDomainPlan)
}

// fullDomainText returns what a column shows, "?" where it is missing.
func fullDomainText(t *table.Table, j int) []string {
	out := make([]string, t.Rows())
	for i, c := range t.Cat(j) {
		if out[i] = "?"; c >= 0 {
			out[i] = t.Attr(j).Labels[c]
		}
	}
	return out
}

func parsed(t testing.TB, name, file string) *hierarchy.Hierarchy {
	t.Helper()
	h := must.Get(hierarchy.Parse(name, strings.NewReader(file)))(t)
	return h
}

// Hierarchies of ZIP codes and race as Sweeney 2002 takes for examples, and what full-domain generalisation makes of a
// table.
func TestSweeneyZIPAndRace(t *testing.T) {
	zip := parsed(t, "zip", "02138;0213*;021**;*****\n02139;0213*;021**;*****\n02141;0214*;021**;*****\n"+
		"02142;0214*;021**;*****\n")
	race := parsed(t, "race", "asian;person\nblack;person\nwhite;person\n")
	tab := tabletest.Of(t,
		table.CatColumn("race", []string{"black", "white", "asian"}, []int32{0, 0, 1, 1, 2, -1}),
		table.CatColumn("zip", []string{"02138", "02139", "02141", "02142"}, []int32{0, 1, 2, 3, 0, 3}))
	h := hierarchy.Set{"zip": zip, "race": race}
	for levels, want := range map[string][2][]string{
		"race=0,zip=1": {{"black", "black", "white", "white", "asian", "?"},
			{"0213*", "0213*", "0214*", "0214*", "0213*", "0214*"}},
		"race=1,zip=2": {{"person", "person", "person", "person", "person", "?"},
			{"021**", "021**", "021**", "021**", "021**", "021**"}},
		"zip=top": {{"person", "person", "person", "person", "person", "?"},
			{"*****", "*****", "*****", "*****", "*****", "*****"}},
	} {
		out, err := fullDomainFit(t, tab, map[string]string{"levels": levels}, h).Apply(tab, protecttest.Seed(1))
		if err != nil || !slices.Equal(fullDomainText(out, 0), want[0]) || !slices.Equal(fullDomainText(out, 1), want[1]) {
			t.Errorf("%s: %q, %q, %v", levels, fullDomainText(out, 0), fullDomainText(out, 1), err)
		}
	}
	// Precision: every cell of race is at level 1 of 1, and of ZIP at 1 of 3.
	p := fullDomainFit(t, tab, map[string]string{"levels": "race=1,zip=1"}, h)
	want, err := hierarchy.Precision([][]int{{1, 1, 1, 1, 1, 1}, {1, 1, 1, 1, 1, 1}}, []int{1, 3})
	if err != nil || !strings.Contains(p.Notes()[0].String(), fmt.Sprintf("precision of these columns is %.3g", want)) {
		t.Errorf("notes %q, expected a precision of %.3g", p.Notes(), want)
	}
	one := fullDomainFit(t, tab.Select(1), map[string]string{"levels": "zip=1"}, hierarchy.Set{"zip": zip})
	if said := one.Notes()[0].String(); !strings.Contains(said, "precision of these columns is 0.667") {
		t.Errorf("of one column: %q", said)
	}
	if level, height, ok := p.Generalised(1); level != 1 || height != 3 || !ok {
		t.Errorf("zip is at level %d of %d, %v", level, height, ok)
	}
}

// TestEqualsTwin raises one value at a time.
func TestEqualsTwin(t *testing.T) {
	long.Check(t, func(r *rapid.T) {
		tab := protecttest.RandomTable(r)
		set := map[string]string{"level": fmt.Sprint(rapid.IntRange(1, 4).Draw(r, "level"))}
		p := fullDomainFit(t, tab, set, nil)
		out := must.Get(p.Apply(tab, protecttest.Seed(1)))(r)
		for _, c := range p.Columns {
			col, h := tab.Column(c.Column), c.Hierarchy
			for i, shown := range fullDomainText(out, c.Column) {
				if tab.MissingAt(i, c.Column) {
					if shown != "?" {
						r.Fatalf("a missing value becomes %q", shown)
					}
					continue
				}
				g, from := int32(0), h.Lowest()
				if h.Numeric() {
					for _, cut := range h.Cuts {
						if cut <= col.Num[i] {
							g++
						}
					}
				} else {
					g = int32(slices.Index(h.Names[0], col.Labels[col.Cat[i]]))
				}
				for l := from; l < c.Level; l++ {
					g = h.Up[l][g]
				}
				if want := h.Names[c.Level][g]; shown != want {
					r.Fatalf("column %q, row %d: %q, expected %q", col.Name, i, shown, want)
				}
			}
		}
	})
}

// At the top of every hierarchy nobody differs from anybody, as the measure of k-anonymity says; on the exact values
// some do.
func TestTopIsAnonymous(t *testing.T) {
	tab := protecttest.Mixed(300)
	for j := range tab.Width() {
		if a := *tab.Attr(j); a.Role == 0 {
			a.Role = table.Quasi
			tab = tab.WithAttr(j, a)
		}
	}
	p := fullDomainFit(t, tab, map[string]string{"level": "64", "levels": "city=top,sex=top"}, nil)
	out := must.Get(p.Apply(tab, protecttest.Seed(1)))(t)
	score := func(t *testing.T, was, is *table.Table) float64 {
		r := &measure.Release{Original: was, Released: is, Paired: true}
		v := must.Get(anonymity.KAnonymity.New().Measure(context.Background(), r, protecttest.Seed(1)))(t)
		return v.Score
	}
	exact := must.Get(p.Recode(tab))(t)
	if before, after := score(t, tab, tab), score(t, exact, out); before != 1 || after <= 1 {
		t.Errorf("k is %v on exact values and %v at the top", before, after)
	}
}

func TestFullDomainChoosesColumns(t *testing.T) {
	age, city := table.NumColumn(
		"age",
		1,
		[]float64{20, 30, 60},
	), table.CatColumn("city", []string{"a", "b"}, []int32{0, 1, 1})
	pay := table.NumColumn("pay", 1, []float64{1, 2, 3})
	pay.Role = table.Confidential
	void := table.CatColumn("void", nil, []int32{-1, -1, -1})
	tab := tabletest.Of(t, age, city, pay, void)
	cities := hierarchy.Set{"city": parsed(t, "city", "a;X\nb;X\n")}
	age.Role = table.Quasi
	marked := tabletest.Of(t, age, city, pay, void)
	for _, c := range []struct {
		what string
		tab  *table.Table
		set  map[string]string
		h    hierarchy.Set
		want []string
		left []string
	}{
		{"nothing marked or given", tab, nil, nil, []string{"age"}, []string{"city"}},
		{"a hierarchy given", tab, nil, cities, []string{"city"}, nil},
		{"a quasi-identifier", marked, nil, cities, []string{"age"}, nil},
		{"a quasi-identifier excepted", marked, map[string]string{"except": "age"}, nil, []string{}, nil},
		{"more named", marked, map[string]string{"levels": "city=1,pay=2"}, nil, []string{"age", "city", "pay"}, nil},
		{"only named", marked, map[string]string{"level": "0", "levels": "city=top"}, nil, []string{"city"}, nil},
	} {
		p := fullDomainFit(t, c.tab, c.set, c.h)
		if got := p.Changes(); !slices.Equal(got, c.want) || !slices.Equal(p.Left, c.left) {
			t.Errorf("%s: changes %q, leaves %q", c.what, got, p.Left)
		}
	}
}

// Numbers beyond those that were fitted are in the intervals at the ends; a value that a hierarchy does not list is an
// error that tells where, not what.
func TestUnseenValues(t *testing.T) {
	age := table.NumColumn("age", 1, []float64{20, 30, 60})
	p := fullDomainFit(t, tabletest.Of(t, age), nil, nil)
	age.Num = []float64{-5, 200, math.NaN()}
	out, err := p.Apply(tabletest.Of(t, age), protecttest.Seed(1))
	if labels := p.Columns[0].Hierarchy.Labels(1); err != nil ||
		!slices.Equal(fullDomainText(out, 0), []string{labels[0], labels[len(labels)-1], "?"}) {
		t.Errorf("%q, %v", fullDomainText(out, 0), err)
	}
	if a := out.Attr(0); !a.Ordered || a.Kind != table.Categorical {
		t.Errorf("released as %+v", *a)
	}
	listed := hierarchy.Set{"age": parsed(t, "age", "20;young\n30;young\n60;old\n")}
	p = fullDomainFit(t, tabletest.Of(t, table.NumColumn("age", 1, []float64{20, 60})), nil, listed)
	other := tabletest.Of(t, table.NumColumn("age", 1, []float64{60, 30}))
	if out, err = p.Apply(other, protecttest.Seed(1)); err != nil ||
		!slices.Equal(fullDomainText(out, 0), []string{"old", "young"}) {
		t.Errorf("%v", err)
	}
	more := tabletest.Of(t, table.NumColumn("age", 1, []float64{20, 30, 61}))
	if _, err := p.Apply(more.Slice(1, 3), protecttest.Seed(1)); !errors.Is(err, hierarchy.ErrNotCovered) ||
		!strings.Contains(err.Error(), `"age", row 3`) || strings.Contains(err.Error(), "61") {
		t.Errorf("a number that is not listed: %v", err)
	}
	if _, err := fullDomainTechnique(t, nil, listed).Fit(context.Background(), more, protecttest.Seed(1)); !errors.Is(
		err, hierarchy.ErrNotCovered) {
		t.Errorf("fitted to a number that is not listed: %v", err)
	}
}

func TestFullDomainRefuses(t *testing.T) {
	class := table.CatColumn("class", []string{"a"}, []int32{0})
	class.Role = table.Class
	tab := tabletest.Of(t, table.NumColumn("x", 1, []float64{1}), class)
	id := table.CatColumn("id", []string{"a"}, []int32{0})
	id.Role = table.Identifier
	broken := parsed(t, "x", "1;a\n2;b\n")
	broken.Up[0][0] = 5
	for _, c := range []struct {
		levels string
		tab    *table.Table
		h      hierarchy.Set
		want   string
	}{
		{"x=2", tab, nil, "expected 0 to 1, or top"},
		{"x=-1", tab, nil, "is not a level"},
		{"y=1", tab, nil, `no column "y"`},
		{"x", tab, nil, `has no "="`},
		{"class=1", tab, nil, "it is the class"},
		{"", tabletest.Of(t, id), nil, "identifier"},
		{"", tab, hierarchy.Set{"x": broken}, "in none of the next"},
		{"", tab, hierarchy.Set{"x": parsed(t, "x", "a;b\n")}, "lists no number"},
	} {
		_, err := fullDomainTechnique(
			t,
			map[string]string{"levels": c.levels},
			c.h,
		).Fit(context.Background(), c.tab, protecttest.Seed(1))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, expected %q", c.levels, err, c.want)
		}
	}
}
