package bestorrest

import (
	"encoding/json"
	"math"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// halves returns the first and the second half of a table.
func halves(t *table.Table) (a, b *table.Table) {
	return t.Slice(0, t.Rows()/2), t.Slice(t.Rows()/2, t.Rows())
}

func following(t *testing.T, tab, shared *table.Table) (*MORPHPlan, error) {
	t.Helper()
	q := MORPHNew()
	q.UseShared(shared)
	p, err := q.Fit(t.Context(), tab, protecttest.Seed(1))
	if err != nil {
		return nil, err
	}
	return p.(*MORPHPlan), nil
}

// A holder adds no record that is near one of its class in the cache, or near one that was added, and every other one
// (LACE2; brute force). Through JSON the plan adds the same.
func TestAddsOnlyWhatTheCacheLacks(t *testing.T) {
	shared, own := halves(protecttest.Mixed(300))
	p := must.Get(following(t, own, shared))(t)
	out := must.Get(p.Apply(own, protecttest.Seed(2)))(t)
	if out.Rows() == 0 || out.Rows() == own.Rows() {
		t.Fatalf("%d of %d records are added", out.Rows(), own.Rows())
	}
	added := map[table.RecordID]bool{}
	for i := range out.Rows() {
		added[out.ID(i)] = true
	}
	mine, theirs := p.points(own), p.points(shared)
	class, others := own.Cat(p.Class), shared.Cat(p.Class)
	for i := range own.Rows() {
		least := math.Inf(1)
		for k := range shared.Rows() {
			if others[k] == class[i] {
				least = min(least, p.apart(p.point(mine, i), p.point(theirs, k)))
			}
		}
		for k := range own.Rows() {
			if k != i && added[own.ID(k)] && class[k] == class[i] {
				least = min(least, p.apart(p.point(mine, i), p.point(mine, k)))
			}
		}
		if added[own.ID(i)] != (least > p.Near) {
			t.Fatalf("row %d is added: %v; the nearest leader is at %v, near is %v", i, added[own.ID(i)], least, p.Near)
		}
	}
	data := must.Get(json.Marshal(p))(t)
	var back MORPHPlan
	if err := json.Unmarshal(data, &back); err != nil || back.Check() != nil {
		t.Fatal(err, back.Check())
	}
	again, err := back.Apply(own, protecttest.Seed(2))
	if err != nil || again.Rows() != out.Rows() {
		t.Errorf("%v: %d records, %d through JSON", err, out.Rows(), again.Rows())
	}
	back.Leaders = back.Leaders[1:]
	if back.Check() == nil {
		t.Error("leaders without all their numbers were read")
	}
}

// A cache that holds the records themselves lacks nothing; one of other columns is refused.
func TestNothingToAdd(t *testing.T) {
	own := tabletest.Of(t, table.NumColumn("v", 1, []float64{1, 5, 9, 14, 30, 31}), morphClass(0, 1, 0, 1, 1, 0))
	if _, err := following(t, own, own); err == nil {
		t.Error("a holder adds what is there")
	}
	if _, err := following(t, own, tabletest.Of(t, table.NumColumn("other", 1, []float64{1}))); err == nil {
		t.Error("a cache of other columns was taken")
	}
	if p, err := following(t, own, nil); err != nil || p.Classes != nil {
		t.Errorf("without a cache: %v", err)
	}
}
