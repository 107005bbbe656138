package kanonymise

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/dither-data/dither/hierarchy"
	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/intruder"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/measure/anonymity"
	"github.com/dither-data/dither/measure/informationloss"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/noisemodel"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

var (
	_ noisemodel.Recoder   = (*Plan)(nil)
	_ protect.Hierarchical = (*Technique)(nil)
	_ protect.Noted        = (*Plan)(nil)
	_ protect.Described    = (*Plan)(nil)
	_ protect.Grouper      = (*Plan)(nil)
)

func fitted(tab *table.Table, h hierarchy.Set, set map[string]string) (*Plan, error) {
	q := New()
	if err := q.Params().Apply(set); err != nil {
		return nil, err
	}
	q.UseHierarchies(h)
	p, err := q.Fit(context.Background(), tab, protecttest.Seed(1))
	if err != nil {
		return nil, err
	}
	return p.(*Plan), p.(*Plan).Check()
}

// people returns the mixed table with roles: five quasi-identifiers, two of which lack values, and two sensitive
// columns, one of which does.
func people(rows int) *table.Table {
	t := protecttest.Mixed(rows)
	for name, role := range map[string]table.Role{"age": table.Quasi, "city": table.Quasi, "sex": table.Quasi,
		"size":  table.Quasi,
		"hours": table.Quasi,
		"score": table.Confidential, "risk": table.Confidential} {
		j := t.Find(name)
		a := *t.Attr(j)
		a.Role = role
		t = t.WithAttr(j, a)
	}
	return t
}

// take measures a release against one who knows the quasi-identifiers.
func take(t testing.TB, m measure.Measure, set map[string]string, tab, out *table.Table, p *Plan) float64 {
	t.Helper()
	original := must.Get(p.Recode(tab))(t)
	r := &measure.Release{
		Original: original,
		Released: out,
		Recoding: measure.Recoding{Exact: tab},
		Paired:   true,
		Making:   measure.Making{Mechanisms: []noisemodel.Mechanism{p}},
		Intruder: &intruder.Intruder{Name: "i", Knows: []string{"role:" + table.Quasi.String()},
			Secret: []string{"role:" + table.Confidential.String()}},
	}
	meter := m.New()
	must.NoError(t, meter.Params().Apply(set))
	v := must.Get(meter.Measure(context.Background(), r, protecttest.Seed(1)))(t)
	return v.Score
}

// What the measures find in the release is what was asked for, suppressed records, missing values and all; no limit is
// passed, and the loss that the search made small is the certainty penalty that is measured.
func TestMeasuresAgree(t *testing.T) {
	for _, rows := range []int{40, 300, 1500}[:long.Of(2, 3)] {
		for _, set := range []map[string]string{
			{}, {"k": "2", "suppression": "0.2"}, {"k": "13", "suppression": "0"}, {"k": "3", "l": "3"},
			{"l": "2.5", "diversity": "entropy"},
			{"l": "2", "diversity": "recursive", "c": "1.5"}, {"t": "0.25"},
			{"t": "0.3", "l": "2", "suppression": "0.1"}, {"t": "0.15", "suppression": "0"},
		} {
			for _, search := range []string{"lattice", "mondrian"} {
				set["search"] = search
				checkGoals(t, people(rows), set)
			}
		}
	}
}

func checkGoals(t *testing.T, tab *table.Table, set map[string]string) {
	t.Helper()
	p, err := fitted(tab, nil, set)
	if err != nil {
		if !strings.Contains(err.Error(), "suppresses") {
			t.Fatalf("%v: %v", set, err)
		}
		set = maps.Clone(set)
		set["suppression"] = "1" // few records of many patterns of missing values
		if p, err = fitted(tab, nil, set); err != nil {
			t.Fatalf("%v: %v", set, err)
		}
	}
	out := must.Get(p.Apply(tab, protecttest.Seed(2)))(t)
	name := fmt.Sprint(tab.Rows(), set)
	if k := take(t, anonymity.KAnonymity, nil, tab, out, p); k < float64(p.Goals.K) {
		t.Errorf("%s: k = %v", name, k)
	}
	definition := map[string]string{"definition": p.Goals.Diversity, "c": fmt.Sprint(p.Goals.C)}
	if l := take(t, anonymity.LDiversity, definition, tab, out, p); l < p.Goals.L {
		t.Errorf("%s: l = %v", name, l)
	}
	if d := take(t, anonymity.TCloseness, nil, tab, out, p); d > p.Goals.T {
		t.Errorf("%s: t = %v", name, d)
	}
	if lost := suppressed(p, tab, out); lost != p.Found.Suppressed {
		t.Errorf("%s: %d records are suppressed, the plan says %d", name, lost, p.Found.Suppressed)
	}
	if p.Regions == nil {
		protecttest.Near(t, name+": certainty penalty", take(t, informationloss.NCP, nil, tab, out, p), p.Found.Loss, 1e-6)
	}
}

// suppressed counts the records that lose something.
func suppressed(p *Plan, tab, out *table.Table) int {
	n := 0
	for i := range tab.Rows() {
		for _, j := range p.Quasi {
			if out.MissingAt(i, j) && !tab.MissingAt(i, j) {
				n++
				break
			}
		}
	}
	return n
}

// A release of other records than the plan was fitted to meets the goals of its own accord, and fewer than k records
// show nothing.
func TestOtherRecords(t *testing.T) {
	tab := people(800)
	for _, search := range []string{"lattice", "mondrian"} {
		p := must.Get(fitted(tab.Slice(0, 400), nil, map[string]string{"search": search, "l": "2", "suppression": "0.1"}))(t)
		other := tab.Slice(400, 800)
		out, err := p.Apply(other, protecttest.Seed(1))
		must.NoError(t, err)
		if k, l := take(t, anonymity.KAnonymity, nil, other, out, p),
			take(t, anonymity.LDiversity, nil, other, out, p); k < 5 || l < 2 {
			t.Errorf("%s: k = %v, l = %v", search, k, l)
		}
		few := other.Slice(0, 4)
		if out, err = p.Apply(few, protecttest.Seed(1)); err != nil || suppressed(p, few, out) != 4 {
			t.Errorf("%s: of 4 records some are shown, error %v", search, err)
		}
	}
}

func TestRefusals(t *testing.T) {
	tab := people(60)
	noRole := protecttest.Mixed(60)
	listed := hierarchy.Set{"sex": hierarchy.Flat("sex", []string{"a"})}
	for want, c := range map[string]struct {
		tab *table.Table
		h   hierarchy.Set
		set map[string]string
	}{
		"expected k = 61 at least":      {tab, nil, map[string]string{"k": "61"}},
		"no sensitive column":           {noRole, nil, map[string]string{"l": "2"}},
		"is a quasi-identifier":         {tab, nil, map[string]string{"l": "2", "sensitive": "age"}},
		"there is no column \"nobody\"": {tab, nil, map[string]string{"columns": "nobody"}},
		"it holds sampling weights":     {tab, nil, map[string]string{"columns": "weight"}},
		"even the most general release suppresses": {tab, nil,
			map[string]string{"k": "30", "suppression": "0"}},
		"expected 0 at most (parameter": {tab, nil, map[string]string{"k": "30", "suppression": "0", "search": "mondrian"}},
		"does not list the value":       {tab, listed, nil},
		"there is no quasi-identifier":  {tab.Select(5, 8), nil, nil},
		"all records together do not meet k = 5, distinct l = 99": {tab, nil,
			map[string]string{"l": "99", "suppression": "1"}},
		"do not meet k = 5, entropy l = 50": {tab, nil,
			map[string]string{"l": "50", "diversity": "entropy", "suppression": "1", "search": "mondrian"}},
	} {
		_, err := fitted(c.tab, c.h, c.set)
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%v, expected %q", err, want)
		}
	}
	var cols []table.Column
	for j := range 12 {
		cols = append(cols, table.NumColumn(fmt.Sprint("n", j), 0, []float64{1, 2, 30, 4, 100}))
	}
	if _, err := fitted(tabletest.Of(t, cols...), nil, nil); err == nil ||
		!strings.Contains(err.Error(), "combinations of levels") {
		t.Errorf("a lattice that is too large: %v", err)
	}
}

// The most general release fails for the sake of k where too few records lack the same, and for the sake of l where
// values are few.
func TestCauses(t *testing.T) {
	const n = 40
	v, secret := make([][]float64, 6), make([]int32, n)
	var cols []table.Column
	for j := range v {
		v[j] = make([]float64, n)
		for i := range n {
			if v[j][i] = float64(i % 7); i>>j&1 == 1 {
				v[j][i] = math.NaN()
			}
		}
		c := table.NumColumn(fmt.Sprint("q", j), 1, v[j])
		c.Role = table.Quasi
		cols = append(cols, c)
	}
	for i := range secret {
		secret[i] = int32(i / 20)
	}
	s := table.CatColumn("secret", []string{"a", "b"}, secret)
	s.Role = table.Confidential
	tab := tabletest.Of(t, append(cols, s)...)
	ordered := tabletest.Of(t, cols[0], s)
	for want, c := range map[string]struct {
		tab *table.Table
		set map[string]string
		not string
	}{
		"too few records lack the same values":       {tab, map[string]string{"k": "3"}, "sensitive"},
		"search=mondrian does not change that":       {tab, map[string]string{"k": "3", "l": "2"}, "only"},
		`column "secret" has only 2 values`:          {tab.Slice(0, 24), map[string]string{"k": "1", "l": "2", "columns": "q4"}, "too few"},
		"do not meet k = 5, distinct l = 3, for it ": {ordered, map[string]string{"l": "3"}, "too few"},
	} {
		_, err := fitted(c.tab, nil, c.set)
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), c.not) {
			t.Errorf("%v, expected %q", err, want)
		}
	}
}

// Categories without a hierarchy and an order that become "*" are named; ordered ones and those with a hierarchy are
// not.
func TestBareCategories(t *testing.T) {
	tab := people(60)
	set := map[string]string{"k": "20", "columns": "city,sex,size", "suppression": "0.5"}
	city := []string{"a", "b", "c", "d", "e", "f", "g"}
	for want, h := range map[string]hierarchy.Set{`"city"`: nil, "": {"city": hierarchy.Flat("city", city)}} {
		p := must.Get(fitted(tab, h, set))(t)
		notes := strings.Join(message.Written(p.Notes()), "\n")
		named := strings.Contains(notes, "nothing is released of "+want) && want != ""
		if p.raised(tab.Find("city")) == nil || named != (want != "") ||
			want == "" && slices.Contains(p.Bare, tab.Find("city")) {
			t.Errorf("%q: notes %q", want, notes)
		}
		if p.Bare = []int{99}; p.Check() == nil {
			t.Error("a column that is none passes")
		}
	}
}

// Random tables: whatever the goals, no class is below k, and no original value that is missing comes back.
func TestNeverBelowK(t *testing.T) {
	long.Check(t, func(r *rapid.T) {
		tab := protecttest.RandomTable(r)
		k := rapid.IntRange(1, 6).Draw(r, "k")
		search := rapid.SampledFrom([]string{"lattice", "mondrian"}).Draw(r, "search")
		set := map[string]string{"k": fmt.Sprint(k), "suppression": "1", "search": search}
		p, err := fitted(tab, nil, set)
		if err != nil {
			if strings.Contains(err.Error(), "expected k") || strings.Contains(err.Error(), "combinations") {
				return
			}
			r.Fatal(err)
		}
		out := must.Get(p.Apply(tab, protecttest.Seed(1)))(r)
		for i := range out.Rows() {
			for _, j := range p.Quasi {
				if tab.MissingAt(i, j) && !out.MissingAt(i, j) {
					r.Fatal("a missing value comes back")
				}
			}
		}
		for _, n := range alike(out, p.Quasi) {
			if n < k {
				r.Fatalf("%d records look alike, expected %d", n, k)
			}
		}
	})
}

// large refuses a release in which fewer than k records look alike.
func large(p protect.Plan, original, release *table.Table) error {
	k := min(p.(*Plan).Goals.K, original.Rows())
	for seen, n := range alike(release, p.(*Plan).Quasi) {
		if n < k {
			return fmt.Errorf("%d records look like %s, with k = %d", n, seen, k)
		}
	}
	return nil
}

// alike counts the records that agree in the columns, by what is seen of them.
func alike(t *table.Table, columns []int) map[string]int {
	count := map[string]int{}
	for i := range t.Rows() {
		count[look(t, i, columns)]++
	}
	return count
}

// look writes what is seen of a record.
func look(t *table.Table, i int, columns []int) string {
	var b strings.Builder
	for _, j := range columns {
		switch {
		case t.MissingAt(i, j):
			b.WriteString("?|")
		case t.Attr(j).Kind == table.Numeric:
			fmt.Fprintf(&b, "%v|", t.Num(j)[i])
		default:
			b.WriteString(t.Attr(j).Labels[t.Cat(j)[i]] + "|")
		}
	}
	return b.String()
}

// A constant column, one value all over, and duplicates leave one region; records that lack everything are released as
// they are.
func TestRegionsOfPoorTables(t *testing.T) {
	void := []float64{math.NaN(), math.NaN(), math.NaN(), 7, 7, 7, 7}
	tab := tabletest.Of(t, table.NumColumn("a", 1, void), table.NumColumn("b", 1, void))
	for _, search := range []string{"lattice", "mondrian"} {
		p := must.Get(fitted(tab, nil, map[string]string{"k": "3", "search": search}))(t)
		out, err := p.Apply(tab, protecttest.Seed(1))
		if err != nil || suppressed(p, tab, out) != 0 || p.Found.Classes != 1 {
			t.Errorf("%s: %+v, error %v", search, p.Found, err)
		}
		text, err := json.Marshal(p)
		if err != nil || strings.Contains(string(text), "NaN") {
			t.Errorf("%s: %s, error %v", search, text, err)
		}
	}
}
