package measure_test

import (
	"strings"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/intruder"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/measure/linkage"
	"github.com/dither-data/dither/measure/measuretest"
	"github.com/dither-data/dither/rng"
)

// TestSampled: of a release with every third person only, the people in it are measured, whichever comes first, they or
// the intruder.
func TestSampled(t *testing.T) {
	full := measuretest.Release(false)
	rows := make([]int, 80)
	for i := range rows {
		rows[i] = 3 * i
	}
	matched := full.Original.Gather(rows)
	r := &measure.Release{Original: full.Original, Released: matched, Matched: matched}
	who := &intruder.Intruder{Name: "x", Knows: []string{"age", "income"}, Secret: []string{"city"}}
	take := func(r *measure.Release) float64 {
		v := must.Get(linkage.Linkage.New().Measure(t.Context(), r, rng.New([32]byte{1})))(t)
		return v.Score
	}
	want := take((&measure.Release{Original: matched, Released: matched, Paired: true}).Against(who))
	if want < 0.5 {
		t.Fatalf("the intruder links %v of the people in a release as it is", want)
	}
	for name, v := range map[string]*measure.Release{"intruder first": r.Against(who).OfThose(),
		"people first": r.OfThose().Against(who)} {
		if got := take(v); got != want {
			t.Errorf("%s: linked are %v, expected %v", name, got, want)
		}
	}
}

func TestCheck(t *testing.T) {
	good := measuretest.Release(false)
	o := good.Original
	renamed := *o.Attr(0)
	renamed.Name = "years"
	city := o.Column(3)
	city.Labels = []string{"north", "east", "west", "south"}
	relabelled := must.Get(o.WithColumn(3, city))(t)
	asCat := must.Get(o.AsCategorical(0, 0))(t)
	for _, c := range []struct {
		name    string
		release *measure.Release
		want    string // in the error; empty when there is none
	}{
		{"good", good, ""},
		{"no released table", &measure.Release{Original: o}, "needs the original and the released"},
		{"columns lacking", &measure.Release{Original: o, Released: o.Select(0, 1)}, "has 2 columns, expected 6"},
		{"another name", &measure.Release{Original: o, Released: o.WithAttr(0, renamed)}, `"years", expected "age"`},
		{"another kind", &measure.Release{Original: o, Released: asCat}, "is categorical, expected numeric"},
		{"other categories", &measure.Release{Original: o, Released: relabelled}, "other categories"},
		{"hold-out", &measure.Release{Original: o, Released: o, Holdout: o.Select(0)}, "hold-out table has 1 columns"},
		{"rows of paired tables", &measure.Release{Original: o, Released: o.Slice(0, 9), Paired: true},
			"9 records, expected 240"},
		{"rows of unpaired tables", &measure.Release{Original: o, Released: o.Slice(0, 9)}, ""},
	} {
		switch err := c.release.Check(); {
		case c.want == "" && err != nil:
			t.Errorf("%s: %v", c.name, err)
		case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
			t.Errorf("%s: error %v, expected %q in it", c.name, err, c.want)
		}
	}
	if (&measure.Release{Original: o, Released: o}).CheckPaired() == nil {
		t.Error("CheckPaired accepts unpaired tables")
	}
}
