package found

import (
	"context"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/intruder"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/measure/measuretest"
	"github.com/dither-data/dither/rng"
)

// TestPeopleAreTried: of a table in which everybody has five records that nothing hides, everybody is found, once.
func TestPeopleAreTried(t *testing.T) {
	r := measuretest.Few(40, 3)
	r.Released = r.Original
	five := measuretest.Repeated(r, 5)
	i := &intruder.Intruder{Name: "x", Knows: []string{"a", "b", "c"}, Secret: []string{}}
	take := func(r *measure.Release) Detail {
		v := must.Get(Measure.New().Measure(context.Background(), r.Against(i), rng.New([32]byte{1})))(t)
		switch d := v.Detail.(type) {
		case *Detail:
			return *d
		case Detail:
			return d
		}
		t.Fatal("no detail")
		return Detail{}
	}
	d := take(five)
	if d.Attacked.People != 40 || d.Attacked.Tried != 20 {
		t.Errorf("%d people, %d counted, want 40 and 20", d.Attacked.People, d.Attacked.Tried)
	}
	blind := *five
	blind.Person = ""
	if e := take(&blind); e.Attacked.People != 200 || e.Attacked.Share > d.Attacked.Share/2 {
		t.Errorf("by records %v of %d are found, by people %v", e.Attacked.Share, e.Attacked.People, d.Attacked.Share)
	}
}
