package anonymity

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/stat"
	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/intruder"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

var lDiversityNan = math.NaN()

// columns returns a table whose last columns are secret.
func columns(t tabletest.T, values ...[]float64) *table.Table {
	var cols []table.Column
	for j, v := range values {
		cols = append(cols, table.NumColumn(fmt.Sprint(j), 1, v))
	}
	return tabletest.Of(t, cols...)
}

// lDiversityTake measures a table released as it is against one who knows the first column and for whom the others are
// secret.
func lDiversityTake(t tabletest.T, tab *table.Table, set map[string]string) (measure.Value, LDiversityDetail) {
	m := LDiversity.New()
	must.NoError(t, m.Params().Apply(set))
	i := &intruder.Intruder{Name: "x", Knows: []string{tab.Attr(0).Name}}
	for j := 1; j < tab.Width(); j++ {
		i.Secret = append(i.Secret, tab.Attr(j).Name)
	}
	v, err := m.Measure(context.Background(), (&measure.Release{Original: tab, Released: tab, Paired: true}).Against(i),
		rng.Source{})
	must.NoError(t, err)
	return v, v.Detail.(LDiversityDetail)
}

// Machanavajjhala and others 2007, figures 2 and 3: inpatients whose diseases are heart disease (0), viral infection
// (1) and cancer (2), in a table that is 4-anonymous and lets the third class be told, and in one that is 3-diverse.
func TestFigures2And3(t *testing.T) {
	class := []float64{1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3}
	_, d := lDiversityTake(t, columns(t, class, []float64{0, 0, 1, 1, 2, 0, 1, 1, 2, 2, 2, 2}), nil)
	if d.L != 1 || d.Told != 4 || d.Secrets[0].Entropy != 1 || d.Secrets[0].Recursive != 1 {
		t.Errorf("figure 2: %+v", d)
	}
	if r := d.Records(); r[0] != 0.5 || r[11] != 1 {
		t.Errorf("figure 2: risks %v", r)
	}
	_, d = lDiversityTake(t, columns(t, class, []float64{0, 1, 2, 2, 2, 0, 1, 1, 0, 1, 2, 2}), nil)
	if s := d.Secrets[0]; d.L != 3 || d.Told != 0 || math.Abs(s.Entropy-math.Pow(2, 1.5)) > 1e-12 || s.Recursive != 2 {
		t.Errorf("figure 3: %+v", d)
	}
	if !strings.Contains(d.Sentence().String(), "at least 3 secret values") {
		t.Error(d.Sentence().String())
	}
}

// TestRecursive has a class of ten, five, three and two; r_1 < c (r_l + ...) holds up to l.
func TestRecursive(t *testing.T) {
	for _, c := range []struct{ c, l float64 }{{0.5, 1}, {0.51, 1}, {1, 1}, {1.01, 2}, {2, 2}, {2.01, 3}, {5, 3},
		{5.01, 4}, {100, 4}} {
		if got := diverse([]int32{5, 10, 2, 3}, c.c); got.recursive != c.l {
			t.Errorf("c = %v: l = %v, expected %v", c.c, got.recursive, c.l)
		}
	}
}

// TestLDiversityEqualsTwin takes the definitions literally, class by class.
func TestLDiversityEqualsTwin(t *testing.T) {
	long.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 25).Draw(t, "rows")
		of := func(values ...float64) []float64 {
			return rapid.SliceOfN(rapid.SampledFrom(values), n, n).Draw(t, "values")
		}
		values := [][]float64{of(0, 1, lDiversityNan), of(0, 1, 2, 3, lDiversityNan), of(5, 7, 7.5)}
		c := rapid.SampledFrom([]float64{0.5, 1, 2, 3}).Draw(t, "c")
		anything := rapid.Bool().Draw(t, "anything")
		definition := rapid.SampledFrom([]string{"distinct", "entropy", "recursive"}).Draw(t, "definition")
		set := map[string]string{"c": fmt.Sprint(c), "definition": definition}
		if anything {
			set["missing"] = "any"
		}
		v, d := lDiversityTake(t, columns(t, values...), set)
		score := math.Inf(1)
		for k, secret := range values[1:] {
			want := LDiversitySecret{Distinct: float64(n), Entropy: float64(n), Recursive: float64(n)}
			for i := range n {
				counts := map[float64]float64{}
				for m := range n {
					a, b := values[0][i], values[0][m]
					same := a == b || a != a && b != b || anything && (a != a || b != b)
					if same && secret[m] == secret[m] {
						counts[secret[m]]++
					}
				}
				var r []float64
				for _, x := range counts {
					r = append(r, x)
				}
				if len(r) == 0 {
					continue
				}
				slices.Sort(r)
				slices.Reverse(r)
				l, sum, rest := 1, 0.0, 0.0
				for _, x := range r {
					sum += x
				}
				for k := len(r) - 1; k > 0; k-- {
					if rest += r[k]; r[0] < c*rest && l == 1 {
						l = k + 1
					}
				}
				shares := slices.Clone(r)
				for k := range shares {
					shares[k] /= sum
				}
				want.Distinct = min(want.Distinct, float64(len(r)))
				want.Entropy = min(want.Entropy, math.Exp(stat.Entropy(shares)))
				want.Recursive = min(want.Recursive, float64(l))
				if len(r) == 1 {
					want.Told++
				}
				if top := d.Records()[i]; top < shares[0]-1e-15 {
					t.Fatalf("record %d has risk %v, expected at least %v", i, top, shares[0])
				}
			}
			got := d.Secrets[k]
			near := math.Abs(got.Entropy-want.Entropy) < 1e-9
			if !near || got.Distinct != want.Distinct || got.Recursive != want.Recursive || got.Told != want.Told {
				t.Fatalf("secret %d: %+v, expected %+v", k, got, want)
			}
			score = min(score, got.by(definition))
		}
		if v.Score != score {
			t.Fatalf("the score is %v, expected %v", v.Score, score)
		}
	})
}

// TestLDiversityBothWays has secrets that are told, all values in every class, and nothing to tell.
func TestLDiversityBothWays(t *testing.T) {
	known := []float64{1, 1, 1, 2, 2, 2}
	for name, c := range map[string]struct {
		secret []float64
		l      float64
	}{
		"told":       {[]float64{5, 5, 5, 6, 6, 6}, 1},
		"all values": {[]float64{5, 6, 7, 6, 5, 7}, 3},
		"missing": {[]float64{lDiversityNan, lDiversityNan, lDiversityNan, lDiversityNan, lDiversityNan,
			lDiversityNan}, 6},
		"missing but one":   {[]float64{5, lDiversityNan, lDiversityNan, 6, 7, 8}, 1},
		"missing in one":    {[]float64{lDiversityNan, lDiversityNan, lDiversityNan, 6, 7, 8}, 3},
		"constant":          {[]float64{5, 5, 5, 5, 5, 5}, 1},
		"one told, one not": {[]float64{5, 6, 7, 8, 8, 8}, 1},
	} {
		for _, definition := range []string{"distinct", "entropy"} {
			v, _ := lDiversityTake(t, columns(t, known, c.secret), map[string]string{"definition": definition})
			if v.Score != c.l {
				t.Errorf("%s: %s l = %v, expected %v", name, definition, v.Score, c.l)
			}
		}
	}
	v, _ := lDiversityTake(t, columns(t, []float64{1}, []float64{lDiversityNan}), nil)
	if v.Score != 1 || len(v.Notes) != 1 {
		t.Errorf("one record without a secret value: l = %v, notes %q", v.Score, v.Notes)
	}
}

func TestRefuses(t *testing.T) {
	tab := columns(t, []float64{1, 2})
	r := (&measure.Release{Original: tab, Released: tab}).Against(&intruder.Intruder{Name: "x", Knows: []string{"0"}})
	if _, err := LDiversity.New().Measure(context.Background(), r, rng.Source{}); !errors.Is(err,
		measure.ErrNotApplicable) ||
		!strings.Contains(err.Error(), `"x"`) {
		t.Errorf("without a secret the error is %v", err)
	}
}

func TestLDiversityDetailHoldsNoValues(t *testing.T) {
	v, _ := lDiversityTake(t, columns(t, []float64{1, 1, 2}, []float64{123456, 123456, 123456}), nil)
	text, err := json.Marshal(v)
	if err != nil || strings.Contains(string(text), "123456") {
		t.Errorf("%s, error %v", text, err)
	}
}
