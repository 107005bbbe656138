package anonymity

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/executor"
	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/intruder"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/measure/measuretest"
	"github.com/dither-data/dither/noisemodel"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/randomisedresponse"
	"github.com/dither-data/dither/protect/rnat"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

var nan = math.NaN()

// TestSuppressed has two people who are left alone by what is not suppressed, one who is not (the third), and a record
// without anything, which hides nobody.
func TestSuppressed(t *testing.T) {
	r := &measure.Release{
		Original: uniqueColumns(t, []float64{1, 2, 2, 9}, []float64{5, 6, 7, 9}),
		Released: uniqueColumns(t, []float64{1, 2, 2, nan}, []float64{nan, nan, 7, nan}), Paired: true,
	}
	v, d := uniqueTake(t, r, nil, "0", "1")
	if v.Score != 0.5 || d.Found != 2 || *d.Right != 2 || len(v.Notes) != 1 {
		t.Errorf("%v are found, %+v, %d right, notes %q; expected a half: the first and the second", v.Score, d, *d.Right,
			v.Notes)
	}
	for i, want := range []float64{1, 1, 0.5, 0} {
		if got := d.Records()[i]; got != want {
			t.Errorf("record %d has risk %v, expected %v", i, got, want)
		}
	}
	if v, _ := uniqueTake(t, r, map[string]string{"missing": "value"}, "0", "1"); v.Score != 0.25 {
		t.Errorf("as a value of its own, %v are found; expected the third alone", v.Score)
	}
	kept := &measure.Release{Original: r.Released, Released: r.Released, Paired: true}
	if v, _ := uniqueTake(t, kept, nil, "0", "1"); len(v.Notes) != 0 || v.Score != 1 {
		t.Errorf("gaps that were there: %v are found, notes %q", v.Score, v.Notes)
	}
}

func uniqueTake(
	t tabletest.T,
	r *measure.Release,
	set map[string]string,
	knows ...string,
) (measure.Value, UniquenessDetail) {
	m := Uniqueness.New()
	must.NoError(t, m.Params().Apply(set))
	v := must.Get(m.Measure(context.Background(),
		r.Against(&intruder.Intruder{Name: "x", Knows: knows, Secret: []string{}}), rng.Source{}))(t)
	return v, v.Detail.(UniquenessDetail)
}

func uniqueColumns(t tabletest.T, values ...[]float64) *table.Table {
	var cols []table.Column
	for j, v := range values {
		cols = append(cols, table.NumColumn(fmt.Sprint(j), 1, v))
	}
	return tabletest.Of(t, cols...)
}

// TestByHand has a person found (1), one whose values another person got (2 and 3 exchanged), one no longer alone (4),
// and two alike (5).
func TestByHand(t *testing.T) {
	r := &measure.Release{
		Original: uniqueColumns(t, []float64{1, 2, 3, 4, 5, 5}),
		Released: uniqueColumns(t, []float64{1, 3, 2, 4, 4, 5}),
		Paired:   true,
	}
	v, d := uniqueTake(t, r, nil, "0")
	if v.Score != 1./6 || d.UniqueOriginal != 4 || d.UniqueReleased != 4 || d.Found != 3 || *d.Right != 1 {
		t.Errorf("score %v, %+v, right %d", v.Score, d, *d.Right)
	}
	for i, want := range []float64{1, 0, 0, 0.5, 0, 1} {
		if got := d.Records()[i]; got != want {
			t.Errorf("record %d has risk %v, expected %v", i, got, want)
		}
	}
	if !strings.Contains(d.Sentence().String(), "4 (66.7 %)") ||
		!strings.Contains(d.Sentence().String(), "their own for 1") {
		t.Error(d.Sentence().String())
	}
	r.Paired = false
	v, d = uniqueTake(t, r, nil, "0")
	if v.Score != 0.5 || d.Right != nil || !math.IsNaN(d.Records()[0]) || len(v.Notes) != 1 {
		t.Errorf("unpaired: score %v, %+v, notes %q", v.Score, d, v.Notes)
	}
}

// TestUniquenessEqualsTwin looks every person up in both tables, record by record.
func TestUniquenessEqualsTwin(t *testing.T) {
	long.Check(t, func(t *rapid.T) {
		n, p := rapid.IntRange(1, 15).Draw(t, "rows"), rapid.IntRange(0, 3).Draw(t, "columns")
		anything := rapid.Bool().Draw(t, "anything")
		var both [2][][]float64
		var knows []string
		for j := range p + 1 { // the last is not known
			for k := range both {
				both[k] = append(both[k], rapid.SliceOfN(rapid.SampledFrom([]float64{0, 1, 2, 3, nan}), n, n).Draw(t, "values"))
			}
			if j < p {
				knows = append(knows, fmt.Sprint(j))
			}
		}
		alike := func(a [][]float64, i int, b [][]float64, k int) bool {
			for j := range p {
				x, y := a[j][i], b[j][k]
				if x != y && (x == x || y == y) && !(anything && (x != x || y != y)) {
					return false
				}
			}
			return true
		}
		found, right := 0, 0
		risk := make([]float64, n)
		for i := range n {
			inOriginal, inReleased := 0, 0
			for k := range n {
				if alike(both[0], i, both[0], k) {
					inOriginal++
				}
				if alike(both[0], i, both[1], k) {
					inReleased++
				}
			}
			own := alike(both[0], i, both[1], i)
			if own {
				risk[i] = 1 / float64(inReleased)
			}
			if inOriginal == 1 && inReleased == 1 {
				found++
				if own {
					right++
				}
			}
		}
		set := map[string]string{"missing": "value"}
		if anything {
			set["missing"] = "any"
		}
		v, d := uniqueTake(
			t,
			&measure.Release{Original: uniqueColumns(t, both[0]...), Released: uniqueColumns(t, both[1]...), Paired: true},
			set,
			knows...)
		if d.Found != found || *d.Right != right || v.Score != float64(right)/float64(n) {
			t.Fatalf("%d found, %d right; expected %d, %d", d.Found, *d.Right, found, right)
		}
		for i := range risk {
			if d.Records()[i] != risk[i] {
				t.Fatalf("record %d has risk %v, expected %v", i, d.Records()[i], risk[i])
			}
		}
	})
}

// TestBothWays releases the original, which is the worst, and values drawn anew from the whole domain, after which
// hardly anyone is found.
func TestBothWays(t *testing.T) {
	original := measuretest.Release(false).Original
	knows := []string{"age", "income", "city", "job"}
	worst, d := uniqueTake(t, &measure.Release{Original: original, Released: original, Paired: true}, nil, knows...)
	if worst.Score != uniqueShare(d.UniqueOriginal, d.Original) || worst.Score < 0.9 {
		t.Errorf("the original released as it is: %v, %d of %d unique", worst.Score, d.UniqueOriginal, d.Original)
	}
	released, plan := original, protect.Plan(nil)
	for _, m := range []protect.Method{rnat.Method, randomisedresponse.Categorical} {
		p, err := m.New().Fit(context.Background(), released, rng.New([32]byte{1}))
		must.NoError(t, err)
		if released, err = executor.Run(context.Background(), p, released, rng.New([32]byte{2}),
			protect.Options{}); err != nil {
			t.Fatal(err)
		}
		plan = p
	}
	r := &measure.Release{
		Original: original,
		Released: released,
		Making:   measure.Making{Mechanisms: []noisemodel.Mechanism{plan}},
		Paired:   true,
	}
	best, _ := uniqueTake(t, r, nil, knows...)
	if best.Score != 0 || len(best.Notes) != 1 || !strings.Contains(best.Notes[0].String(), "says nothing") {
		t.Errorf("after uniform noise %v are found, notes %q", best.Score, best.Notes)
	}
	r.Paired = false
	_, err := Uniqueness.New().Measure(context.Background(),
		r.Against(&intruder.Intruder{Name: "x", Knows: knows, Secret: []string{}}), rng.Source{})
	if !errors.Is(err, measure.ErrNotApplicable) {
		t.Errorf("unpaired noise: %v", err)
	}
	gone := uniqueColumns(t, []float64{nan, nan, nan})
	three := uniqueColumns(t, []float64{1, 2, 3})
	if v, _ := uniqueTake(t, &measure.Release{Original: three, Released: gone, Paired: true}, nil, "0"); v.Score != 0 {
		t.Errorf("a suppressed column: %v are found", v.Score)
	}
}

func TestUniquenessExtremes(t *testing.T) {
	one := uniqueColumns(t, []float64{1})
	if v, _ := uniqueTake(t, &measure.Release{Original: one, Released: one, Paired: true}, nil, "0"); v.Score != 1 {
		t.Errorf("the one record: %v are found, expected all", v.Score)
	}
	constant := uniqueColumns(t, []float64{7, 7})
	same := &measure.Release{Original: constant, Released: constant, Paired: true}
	if v, _ := uniqueTake(t, same, nil, "0"); v.Score != 0 {
		t.Errorf("records that are alike: %v are found", v.Score)
	}
	r := &measure.Release{Original: one, Released: one.Slice(0, 0)}
	if _, err := Uniqueness.New().Measure(context.Background(), r, rng.Source{}); err == nil {
		t.Error("an empty release has a figure")
	}
}
