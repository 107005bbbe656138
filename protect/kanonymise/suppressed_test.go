package kanonymise

import (
	"context"
	"fmt"
	"testing"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
	"pgregory.net/rapid"
)

// fittedWith fits to a table with two quasi-identifiers.
func fittedWith(tab *table.Table, suppression float64, levels ...string) (*Plan, error) {
	q := New()
	q.K, q.Suppression, q.Quasi, q.Levels = 5, suppression, []string{"sex", "region"}, levels
	p, err := q.Fit(context.Background(), tab, protecttest.Seed(1))
	if err != nil {
		return nil, err
	}
	return p.(*Plan), nil
}

func population(t testing.TB, sex, region []int32) *table.Table {
	return tabletest.Of(t, table.CatColumn("sex", []string{"f", "m", "x"}, sex),
		table.CatColumn("region", []string{"n", "s", "o", "w"}, region))
}

// One record of 41 is alone, and four must join it: the notes say which limit of suppression releases the others as
// they are.
func TestNotesSayWhichSuppressionHelps(t *testing.T) {
	sex, region := make([]int32, 41), make([]int32, 41)
	for i := range 40 {
		sex[i], region[i] = int32(i%2), int32(i/2%2)
	}
	sex[40], region[40] = 2, 3
	p, err := fittedWith(population(t, sex, region), 0.05)
	if err != nil || p.whole == nil || *p.whole != (Whole{Rare: 1, Suppressed: 5, Limit: 0.13}) {
		t.Fatalf("%v, %+v", err, p.whole)
	}
	want := "with suppression=0.13, 36 records would be released as they are, and 5 would lose their quasi-identifiers; " +
		"only 1 is in classes of fewer than k = 5, but suppressed records have to be k, too"
	for _, n := range p.Notes() {
		if n.String() == want {
			want = ""
		}
	}
	if want != "" {
		t.Errorf("%v do not say: %s", p.Notes(), want)
	}
	if p, err = fittedWith(population(t, sex, region), 0.13); err != nil || p.whole != nil || p.Found.Suppressed != 5 {
		t.Errorf("%v, %+v", err, p)
	}
}

// What is advised is so: with the levels pinned at the values as they are, that limit suffices, a smaller one does not,
// and as many records are suppressed.
func TestAdviceOnSuppressionHolds(t *testing.T) {
	advised := 0
	long.Check(t, func(rt *rapid.T) {
		n := rapid.IntRange(20, 120).Draw(rt, "records")
		code := rapid.SliceOfN(rapid.SampledFrom([]int32{0, 0, 0, 0, 1, 1, 1, 2}), n, n)
		tab := population(t, code.Draw(rt, "sex"), code.Draw(rt, "region"))
		p, err := fittedWith(tab, 0.02)
		if err != nil || p.whole == nil {
			return
		}
		advised++
		raw := []string{"sex=0", "region=0"}
		as, err := fittedWith(tab, p.whole.Limit, raw...)
		if err != nil || as.Found.Suppressed != p.whole.Suppressed || len(as.Columns) > 0 {
			rt.Fatalf("%v, %+v; advised %+v", err, as, p.whole)
		}
		if less, err := fittedWith(tab, p.whole.Limit-0.01, raw...); err == nil {
			rt.Fatalf("%+v would do with less: %+v", p.whole, less.Found)
		}
	})
	long.Drawn(t, advised > 0, "nothing is ever advised")
}

// A plan that is applied to other records tells how many it suppresses, and how many the parameters allow.
func TestSuppressedInOtherRecords(t *testing.T) {
	sex, region := make([]int32, 100), make([]int32, 100)
	for i := range sex {
		sex[i], region[i] = int32(i%2), int32(i/2%2)
	}
	p, err := fittedWith(population(t, sex, region), 0.02)
	if err != nil || p.Found.Suppressed > 0 {
		t.Fatal(err, p)
	}
	for i := range 4 { // each alone
		sex[i], region[i] = 2, int32(i)
	}
	region[50] = -1
	sex[50] = -1 // lacks all anyway
	other := population(t, sex, region)
	out := must.Get(p.Apply(other, protecttest.Seed(1)))(t)
	params := New().Params().Values()
	for k := range params {
		if params[k].Name == suppression {
			params[k] = param.Value{Name: suppression, Value: 0.02}
		}
	}
	if lost, most := p.Suppressed(other, out, params); fmt.Sprint(lost, most) != "4 2" {
		t.Errorf("%d records are suppressed, and %d allowed", lost, most)
	}
}
