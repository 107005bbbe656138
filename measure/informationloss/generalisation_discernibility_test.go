package informationloss

import (
	"context"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/noisemodel"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// discernibilityRelease returns a table of two quasi-identifiers and another column.
func discernibilityRelease(t rapid.TB, a, b []int32) *measure.Release {
	other := make([]float64, len(a))
	for i := range other {
		other[i] = float64(i)
	}
	cols := []table.Column{
		table.CatColumn("a", []string{"x", "y", "z"}, a),
		table.CatColumn("b", []string{"x", "y", "z"}, b),
		table.NumColumn("c", 1, other),
	}
	cols[0].Role, cols[1].Role = table.Quasi, table.Quasi
	tab := tabletest.Of(t, cols...)
	return &measure.Release{Original: tab, Released: tab, Paired: true}
}

func discernibilityScore(t rapid.TB, r *measure.Release) float64 {
	v := must.Get(Discernibility.New().Measure(context.Background(), r, rng.New([32]byte{1})))(t)
	return v.Score
}

// Classes of 3, 2 and 1 of eight records, and two suppressed ones (Bayardo & Agrawal 2005, section 3.1).
func TestDiscernibilityWorkedOut(t *testing.T) {
	r := discernibilityRelease(t, []int32{0, 0, 0, 1, 1, -1, -1, 2}, []int32{0, 0, 0, 1, 1, -1, -1, -1})
	if got, want := discernibilityScore(t, r), 9.0+4+1+2*8; math.Abs(got-want) > 1e-12 {
		t.Errorf("%v, expected %v", got, want)
	}
	if got, want := discernibilityScore(t, discernibilityRelease(t, []int32{-1, -1}, []int32{-1, -1})), 4.0; got != want {
		t.Errorf("all suppressed: %v, expected %v", got, want)
	}
}

// The note says how many records are suppressed, where some are.
func TestDiscernibilityNote(t *testing.T) {
	for want, b := range map[string]int32{"": 0, "1 of 3": -1} {
		r := discernibilityRelease(t, []int32{0, 0, -1}, []int32{0, 0, b})
		v := must.Get(Discernibility.New().Measure(context.Background(), r, rng.Source{}))(t)
		var notes string
		for _, n := range v.Notes {
			notes += n.String()
		}
		if (notes == "") != (want == "") || !strings.Contains(notes, want) {
			t.Errorf("notes %q, expected %q", notes, want)
		}
	}
}

// raised is a plan that generalises the column a and, for suppression, b.
type raised struct{}

func (raised) Schema() []table.Attribute                   { return nil }
func (raised) Changes() []string                           { return []string{"a", "b"} }
func (raised) Recode(t *table.Table) (*table.Table, error) { return t, nil }

// Without roles, the columns that a plan generalises make the classes; those that it leaves alone do not tell
// suppressed records apart.
func TestColumnsOfPlan(t *testing.T) {
	r := discernibilityRelease(t, []int32{0, 0, 0, -1}, []int32{1, 1, 1, -1})
	cols := r.Released.Columns()
	cols[0].Role, cols[1].Role = 0, 0
	tab := tabletest.Of(t, cols...)
	r = &measure.Release{
		Original: tab,
		Released: tab,
		Paired:   true,
		Making:   measure.Making{Mechanisms: []noisemodel.Mechanism{raised{}}},
	}
	if got := discernibilityScore(t, r); got != 9+4 {
		t.Errorf("%v, expected one class of 3 of 4 records and a suppressed one", got)
	}
}

func TestDiscernibilityEqualsTwin(t *testing.T) {
	long.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 20).Draw(t, "rows")
		codes := rapid.SliceOfN(rapid.Int32Range(-1, 2), n, n)
		a, b := codes.Draw(t, "a"), codes.Draw(t, "b")
		sizes, void := map[[2]int32]float64{}, 0.0
		for i := range a {
			if k := [2]int32{a[i], b[i]}; k == [2]int32{-1, -1} {
				void++
			} else {
				sizes[k]++
			}
		}
		want := void * float64(n)
		for _, s := range sizes {
			want += s * s
		}
		if got := discernibilityScore(t, discernibilityRelease(t, a, b)); math.Abs(got-want) > 1e-9 {
			t.Fatalf("%v, expected %v", got, want)
		}
	})
}
