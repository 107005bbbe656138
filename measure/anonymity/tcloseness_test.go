package anonymity

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/intruder"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

var tClosenessNan = math.NaN()

func column(name string, v ...float64) table.Column { return table.NumColumn(name, 1, v) }

// tClosenessTake measures a table released as it is against one who knows the first column and for whom the others are
// secret.
func tClosenessTake(t tabletest.T, tab *table.Table, set map[string]string) (measure.Value, TClosenessDetail) {
	m := TCloseness.New()
	must.NoError(t, m.Params().Apply(set))
	i := &intruder.Intruder{Name: "x", Knows: []string{tab.Attr(0).Name}}
	for j := 1; j < tab.Width(); j++ {
		i.Secret = append(i.Secret, tab.Attr(j).Name)
	}
	v, err := m.Measure(context.Background(), (&measure.Release{Original: tab, Released: tab, Paired: true}).Against(i),
		rng.Source{})
	must.NoError(t, err)
	return v, v.Detail.(TClosenessDetail)
}

// Li, Li and Venkatasubramanian 2007, section 5.1 and table 3: of the salaries 3k to 11k, {3k, 4k, 5k} is at distance
// 0.375 from the whole and {6k, 8k, 11k} at 0.167. The third class holds 7k, 9k and 10k.
func TestSection5Salaries(t *testing.T) {
	tab := tabletest.Of(t, column("class", 1, 1, 1, 2, 2, 2, 3, 3, 3), column("salary", 3, 4, 5, 6, 11, 8, 7, 9, 10))
	v, d := tClosenessTake(t, tab, nil)
	if math.Abs(v.Score-0.375) > 1e-12 || d.Secrets[0].Distance != "ordered" {
		t.Errorf("t = %v by the %s distance, expected 0.375", v.Score, d.Secrets[0].Distance)
	}
	if r := d.Records(); math.Abs(r[0]-0.375) > 1e-12 || math.Abs(r[3]-1./6) > 1e-12 {
		t.Errorf("distances %v, expected 0.375 and 0.167", r)
	}
	if !strings.Contains(d.Sentence().String(), `"salary"`) {
		t.Error(d.Sentence().String())
	}
	// Equally far apart, three of nine values alone are at distance 2/3.
	if v, _ = tClosenessTake(t, tab, map[string]string{"distance": "equal"}); math.Abs(v.Score-2./3) > 1e-12 {
		t.Errorf("by the equal distance, t = %v, expected 2/3", v.Score)
	}
}

// twin is the definition: both distances of the values of a class from those of the whole.
func twin(class, all []float64) (ordered, equal float64) {
	values := slices.Clone(all)
	slices.Sort(values)
	values = slices.Compact(values)
	share := func(of []float64, v float64) float64 {
		n := 0.0
		for _, x := range of {
			if x == v {
				n++
			}
		}
		return n / float64(len(of))
	}
	if len(class) == 0 {
		return 0, 0
	}
	sum := 0.0
	for _, v := range values {
		d := share(class, v) - share(all, v)
		sum += d
		ordered += math.Abs(sum)
		equal += math.Abs(d) / 2
	}
	return ordered / math.Max(1, float64(len(values)-1)), equal
}

func TestTClosenessEqualsTwin(t *testing.T) {
	long.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 30).Draw(t, "rows")
		of := func(values ...float64) []float64 {
			return rapid.SliceOfN(rapid.SampledFrom(values), n, n).Draw(t, "values")
		}
		known, secret := of(0, 1, 2, tClosenessNan), of(-3, 0.5, 1, 2, 40, 1e9, tClosenessNan)
		anything := rapid.Bool().Draw(t, "anything")
		set := map[string]string{"distance": rapid.SampledFrom([]string{"auto", "equal", "ordered"}).Draw(t, "distance")}
		if anything {
			set["missing"] = "any"
		}
		v, d := tClosenessTake(t, tabletest.Of(t, column("k", known...), column("s", secret...)), set)
		present := slices.DeleteFunc(slices.Clone(secret), math.IsNaN)
		largest, mean := 0.0, 0.0
		for i := range n {
			var class []float64
			for k := range n {
				a, b := known[i], known[k]
				same := a == b || a != a && b != b || anything && (a != a || b != b)
				if same && secret[k] == secret[k] {
					class = append(class, secret[k])
				}
			}
			want, equal := twin(class, present)
			if set["distance"] == "equal" {
				want = equal
			}
			if math.Abs(d.Records()[i]-want) > 1e-12 {
				t.Fatalf("record %d: %v, expected %v", i, d.Records()[i], want)
			}
			largest = max(largest, want)
			mean += want / float64(n)
		}
		if math.Abs(v.Score-largest) > 1e-12 || math.Abs(d.Secrets[0].Mean-mean) > 1e-12 {
			t.Fatalf("t = %v, mean %v; expected %v, %v", v.Score, d.Secrets[0].Mean, largest, mean)
		}
	})
}

// TestCategories has an attribute without and with an order: low, middle, high.
func TestCategories(t *testing.T) {
	secret := table.CatColumn("s", []string{"low", "middle", "high"}, []int32{0, 0, 1, 2, 2, 1})
	known := column("k", 1, 1, 1, 2, 2, 2)
	v, d := tClosenessTake(t, tabletest.Of(t, known, secret), nil)
	if want := 1. / 3; math.Abs(v.Score-want) > 1e-12 || d.Secrets[0].Distance != "equal" {
		t.Errorf("without an order: %v by the %s distance, expected %v", v.Score, d.Secrets[0].Distance, want)
	}
	secret.Ordered = true
	// Cumulative shares 2/3, 1, 1 against 1/3, 2/3, 1.
	v, d = tClosenessTake(t, tabletest.Of(t, known, secret), nil)
	if want := 1. / 3; math.Abs(v.Score-want) > 1e-12 || d.Secrets[0].Distance != "ordered" {
		t.Errorf("with an order: %v by the %s distance, expected %v", v.Score, d.Secrets[0].Distance, want)
	}
}

// TestTClosenessBothWays has classes that tell the secret, classes like the whole, and nothing to tell.
func TestTClosenessBothWays(t *testing.T) {
	known := column("k", 1, 1, 1, 2, 2, 2)
	for name, c := range map[string]struct {
		secret []float64
		t      float64
	}{
		"told":      {[]float64{5, 5, 5, 6, 6, 6}, 0.5},
		"the whole": {[]float64{5, 6, 7, 6, 5, 7}, 0},
		"missing": {[]float64{tClosenessNan, tClosenessNan, tClosenessNan, tClosenessNan, tClosenessNan, tClosenessNan},
			0},
		"constant":   {[]float64{5, 5, 5, 5, 5, 5}, 0},
		"one class":  {[]float64{tClosenessNan, tClosenessNan, tClosenessNan, 6, 7, 8}, 0},
		"far values": {[]float64{5, 5, 5, 1e9, 1e9, 1e9}, 0.5},
	} {
		for _, distance := range []string{"ordered", "equal"} {
			if v, _ := tClosenessTake(t, tabletest.Of(t, known, column("s", c.secret...)),
				map[string]string{"distance": distance}); v.Score != c.t {
				t.Errorf("%s, %s: t = %v, expected %v", name, distance, v.Score, c.t)
			}
		}
	}
}

func TestSeveralSecrets(t *testing.T) {
	v, d := tClosenessTake(t,
		tabletest.Of(t, column("k", 1, 1, 2, 2), column("a", 1, 2, 1, 2), column("b", 1, 1, 2, 2)), nil)
	if v.Score != 0.5 || len(v.Parts) != 4 || d.Secrets[0].Largest != 0 || d.Secrets[1].Largest != 0.5 {
		t.Errorf("t = %v, %+v", v.Score, d.Secrets)
	}
	tab := tabletest.Of(t, column("k", 1))
	r := (&measure.Release{Original: tab, Released: tab}).Against(&intruder.Intruder{Name: "x", Knows: []string{"k"}})
	if _, err := TCloseness.New().Measure(context.Background(), r, rng.Source{}); err == nil {
		t.Error("without a secret there is a figure")
	}
}

// TestManyValues has a secret of 50,000 values in classes of one: record i, alone, is at the mean distance of position
// i from all others.
func TestManyValues(t *testing.T) {
	const n = 50_000
	key, secret := make([]float64, n), make([]float64, n)
	for i := range n {
		key[i], secret[i] = float64(i), 3*float64(i)
	}
	_, d := tClosenessTake(t, tabletest.Of(t, column("k", key...), column("s", secret...)), nil)
	for _, i := range []int{0, 1, 777, n / 2, n - 1} {
		want := 0.0
		for k := range n {
			want += math.Abs(float64(k-i)) / n / (n - 1)
		}
		if got := d.Records()[i]; math.Abs(got-want) > 1e-11 {
			t.Errorf("record %d: %v, expected %v", i, got, want)
		}
	}
	if want := fmt.Sprint(0.5); fmt.Sprint(d.T) != want {
		t.Errorf("t = %v, expected %s", d.T, want)
	}
}

// TestNothingSecret has an intruder to whom nothing is secret, of whom there is nothing to say.
func TestNothingSecret(t *testing.T) {
	tab := tabletest.Of(t, column("k", 1, 2))
	r := (&measure.Release{Original: tab, Released: tab}).Against(&intruder.Intruder{Name: "x", Knows: []string{"k"}})
	if _, err := TCloseness.New().Measure(context.Background(), r, rng.Source{}); !errors.Is(err,
		measure.ErrNotApplicable) ||
		!strings.Contains(err.Error(), `"x"`) {
		t.Errorf("without a secret the error is %v", err)
	}
}
