package sample

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"
	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

func TestConformance(t *testing.T) {
	for name, set := range map[string]map[string]string{
		"defaults": {}, "stratified": {"share": "0.35", "strata": "risk,city"}, "half": {"share": "0.5", "strata": "city"},
	} {
		t.Run(name, func(t *testing.T) { protecttest.Run(t, Method, protecttest.Options{Set: set, Samples: true}) })
	}
}

func FuzzPlan(f *testing.F) {
	protecttest.FuzzPlan(f, Method, protecttest.Options{Set: map[string]string{"strata": "sex,city"}, Samples: true})
}

func fit(t testing.TB, tab *table.Table, set map[string]string) *Plan {
	t.Helper()
	q := New()
	must.NoError(t, q.Params().Apply(set))
	p := must.Get(q.Fit(context.Background(), tab, protecttest.Seed(1)))(t)
	return p.(*Plan)
}

func release(t testing.TB, p *Plan, tab *table.Table, src rng.Source) *table.Table {
	t.Helper()
	out := must.Get(p.Apply(tab, src))(t)
	return out
}

// stratum writes the stratum of a record.
func stratum(t *table.Table, i int, columns []int) string {
	var out []string
	for _, j := range columns {
		switch {
		case t.MissingAt(i, j):
			out = append(out, "?")
		case t.Attr(j).Kind == table.Numeric:
			out = append(out, fmt.Sprint(t.Num(j)[i]+0))
		default:
			out = append(out, t.Attr(j).Labels[t.Cat(j)[i]])
		}
	}
	return strings.Join(out, "|")
}

// A stratum has its share of the sample to within one record, and none with a smaller remainder has more than rounded
// down where one with a larger one has not.
func TestShares(t *testing.T) {
	long.Check(t, func(r *rapid.T) {
		tab := protecttest.RandomTable(r)
		p := &Plan{Attrs: tab.Attrs(), Share: rapid.SampledFrom([]float64{0.01, 0.1, 0.5, 0.77, 1}).Draw(r, "share")}
		for j := range tab.Width() {
			if rapid.Bool().Draw(r, "use") {
				p.Strata = append(p.Strata, j)
			}
		}
		out := must.Get(p.Apply(tab, protecttest.Seed(rapid.Byte().Draw(r, "seed"))))(r)
		all, drawn := map[string]int{}, map[string]int{}
		for i := range tab.Rows() {
			all[stratum(tab, i, p.Strata)]++
		}
		for i := range out.Rows() {
			drawn[stratum(out, i, p.Strata)]++
		}
		if want := max(1, int(math.Round(p.Share*float64(tab.Rows())))); out.Rows() != want {
			r.Fatalf("%d records, expected %d", out.Rows(), want)
		}
		up, down := math.Inf(1), math.Inf(-1)
		for g, n := range all {
			exact := float64(n) * float64(out.Rows()) / float64(tab.Rows())
			switch floor := math.Floor(exact + 1e-9); float64(drawn[g]) {
			case floor:
				down = max(down, exact-floor)
			case floor + 1:
				up = min(up, exact-floor)
			default:
				r.Fatalf("stratum of %d has %d in the sample, expected %v", n, drawn[g], exact)
			}
		}
		if up < down-1e-9 {
			r.Fatalf("a remainder of %v is rounded up, one of %v down", up, down)
		}
	})
}

// Every pair of records is in the sample as often. At a chi-square probability of 1e-9 a right program fails once in
// 10^9.
func TestPairsAreUniform(t *testing.T) {
	tab := tabletest.Of(t, table.NumColumn("x", 1, make([]float64, 6)))
	p := fit(t, tab, map[string]string{"share": "0.33"})
	const n = 15_000
	seen := map[string]float64{}
	for k := range n {
		out := release(t, p, tab, protecttest.Seed(4).Fork(fmt.Sprint(k)))
		seen[fmt.Sprint(out.ID(0), out.ID(1))]++
	}
	chi := 0.0
	for _, s := range seen {
		chi += (s - n/15.) * (s - n/15.) / (n / 15.)
	}
	if len(seen) != 15 || (distuv.ChiSquared{K: 14}).Survival(chi) < 1e-9 {
		t.Errorf("pairs %v, chi-square %v", seen, chi)
	}
}

// Weighted, every stratum with a record in the sample has the size it had; unweighted samples say by what to multiply.
func TestWeights(t *testing.T) {
	tab := protecttest.Mixed(300)
	w := tab.WithRole(table.Weight)
	ones := slices.Repeat([]float64{1}, 300)
	c := tab.Column(w)
	c.Num, c.Step, c.Domain = ones, 1, table.Interval{Lo: 1, Hi: 1}
	tab, err := tab.WithColumn(w, c)
	must.NoError(t, err)
	p := fit(t, tab, map[string]string{"share": "0.2", "strata": "sex,size"})
	out := release(t, p, tab, protecttest.Seed(1))
	all, sums := map[string]float64{}, map[string]float64{}
	for i := range tab.Rows() {
		all[stratum(tab, i, p.Strata)]++
	}
	for i := range out.Rows() {
		sums[stratum(out, i, p.Strata)] += out.Num(w)[i]
	}
	for g, n := range all {
		protecttest.Near(t, "the weights of stratum "+g, sums[g], n, 1e-9)
	}
	if notes := strings.Join(message.Written(p.Notes()), "; "); !strings.Contains(notes, "60 of 300 records are "+
		"released; sampling weights were multiplied") {
		t.Error(notes)
	}
	c.Declared = true
	if tab, err = tab.WithColumn(w, c); err != nil {
		t.Fatal(err)
	}
	p = fit(t, tab, nil)
	if out := release(t, p, tab, protecttest.Seed(1)); out.Num(w)[0] != 1 || p.Changes() != nil ||
		!strings.Contains(p.Notes()[1].String(), "multiply them by 10") {
		t.Errorf("weights %v, changes %v, notes %q", out.Num(w), p.Changes(), p.Notes())
	}
	p = fit(t, tab.Select(0, 1).Slice(0, 20), map[string]string{"strata": "income"})
	if notes := p.Notes(); len(notes) != 3 || !strings.Contains(notes[1].String(), "of the release by 10") ||
		!strings.Contains(notes[2].String(), "too small") {
		t.Errorf("notes %q", notes)
	}
}

func TestCheck(t *testing.T) {
	tab := protecttest.Mixed(20)
	for want, change := range map[string]func(p *Plan){
		"the share": func(p *Plan) { p.Share = math.NaN() },
		"column 11": func(p *Plan) { p.Strata = []int{11} },
	} {
		p := fit(t, tab, nil)
		if err := p.Check(); err != nil {
			t.Error(err)
		}
		change(p)
		if err := p.Check(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: the error is %v", want, err)
		}
	}
	a := *tab.Attr(0)
	a.Role = table.Identifier
	if _, err := New().Fit(context.Background(), tab.WithAttr(0, a), protecttest.Seed(1)); err == nil {
		t.Error("an identifier is accepted")
	}
}

// Strata of nearly a record each are a mistake, and the finest column is the one to name; few strata are no matter how
// few the records.
func TestTooManyStrata(t *testing.T) {
	tab := protecttest.Mixed(300)
	for set, want := range map[string]string{
		"sex,income": `strata of 300 records, most of them by column "income"`, "sex,sex": `column "sex" stands there twice`, "none": `no column "none"`,
	} {
		q := New()
		q.Strata = strings.Split(set, ",")
		if _, err := q.Fit(context.Background(), tab, protecttest.Seed(1)); err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("strata %s: the error is %v, expected %s", set, err, want)
		}
	}
	if p := fit(t, tab.Slice(0, 15), map[string]string{"strata": "income"}); p.Groups < 10 {
		t.Errorf("%d strata of 15 records", p.Groups)
	}
}

// Releases of a tenth of records like Adult's, as multiples of the yardstick: 1,000,000 records take 0.9, 30,162
// records 0.02.
func BenchmarkApply(b *testing.B) {
	b.Run("30k", func(b *testing.B) { protecttest.BenchApply(b, Method, 30_162) })
	b.Run("1M", func(b *testing.B) { protecttest.BenchApply(b, Method, 1_000_000) })
}
