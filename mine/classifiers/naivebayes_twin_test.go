package classifiers

import (
	"context"
	"encoding/json"
	"math"
	"slices"
	"testing"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
	"pgregory.net/rapid"
)

// bayesTwin returns the probability of every class given a record, from the definition: one pass over the training
// records per factor. It works with products, which do not underflow on a few attributes.
func bayesTwin(l *NaiveBayesLearner, train, asked *table.Table, i int) []float64 {
	last := train.Width() - 1
	class := train.Cat(last)
	p := make([]float64, len(train.Attr(last).Labels))
	for c := range p {
		for _, k := range class {
			if int(k) == c {
				p[c]++
			}
		}
		for j := range last {
			if !asked.MissingAt(i, j) && p[c] > 0 {
				p[c] *= twinFactor(l, train, asked, i, j, int32(c))
			}
		}
	}
	total := 0.0
	for _, v := range p {
		total += v
	}
	for c := range p {
		p[c] /= total
	}
	return p
}

func twinFactor(l *NaiveBayesLearner, train, asked *table.Table, i, j int, c int32) float64 {
	class := train.Cat(train.Width() - 1)
	key := func(t *table.Table, r int) float64 { // equal for values that count together
		if t.Attr(j).Kind == table.Categorical {
			return float64(t.Cat(j)[r])
		}
		return t.Num(j)[r]
	}
	var within, all []float64
	for r, k := range class {
		if k >= 0 && !train.MissingAt(r, j) {
			all = append(all, key(train, r))
			if k == c {
				within = append(within, key(train, r))
			}
		}
	}
	v := key(asked, i)
	if train.Attr(j).Kind == table.Numeric {
		if l.Numeric == Gaussian {
			return twinDensity(within, all, train.Attr(j).Step, v)
		}
		slices.Sort(all)
		bin := bayesTwinBin(slices.Clone(all), l.Bins)
		v = bin(v)
		for k := range within {
			within[k] = bin(within[k])
		}
		for k := range all {
			all[k] = bin(all[k])
		}
	}
	have, occurring := 0.0, map[float64]bool{}
	for _, w := range all {
		occurring[w] = true
	}
	for _, w := range within {
		if w == v {
			have++
		}
	}
	if !occurring[v] {
		return 1
	}
	if len(within) == 0 && l.Laplace == 0 {
		return 1 / float64(len(occurring))
	}
	return (have + l.Laplace) / (float64(len(within)) + l.Laplace*float64(len(occurring)))
}

// bayesTwinBin numbers bins, which it fills one by one from the values that are left.
func bayesTwinBin(ascending []float64, bins int) func(v float64) float64 {
	return func(v float64) float64 {
		known := ascending
		for b := 0; ; b++ {
			if bins-b <= 1 || len(known) == 0 {
				return float64(b)
			}
			share := (len(known) + bins - b - 1) / (bins - b) // rounded up
			last := known[share-1]
			rest := slices.DeleteFunc(slices.Clone(known), func(k float64) bool { return k <= last })
			if v <= last || len(rest) == 0 {
				return float64(b)
			}
			known = rest
		}
	}
}

func twinDensity(within, all []float64, step, v float64) float64 {
	moments := func(x []float64) (mean, variance float64) {
		for _, e := range x {
			mean += e / float64(len(x))
		}
		for _, e := range x {
			variance += (e - mean) * (e - mean) / float64(len(x))
		}
		return mean, variance
	}
	_, whole := moments(all)
	if len(all) == 0 || slices.Min(all) == slices.Max(all) {
		return 1
	}
	if len(within) == 0 {
		within = all
	}
	mean, variance := moments(within)
	variance = max(variance, step*step/12, whole/1e9)
	return math.Exp(-(v-mean)*(v-mean)/(2*variance)) / math.Sqrt(2*math.Pi*variance)
}

// The model gives the probabilities of the definition and predicts the largest; so does it through JSON.
func TestNaiveBayesTwin(t *testing.T) {
	long.Check(t, func(r *rapid.T) {
		tab := protecttest.RandomTable(r)
		train := tab.Slice(0, rapid.IntRange(1, tab.Rows()).Draw(r, "train"))
		l := &NaiveBayesLearner{
			Laplace: rapid.SampledFrom([]float64{0, 0.5, 1}).Draw(r, "laplace"),
			Numeric: rapid.SampledFrom([]string{Gaussian, Bins}).Draw(r, "numeric"),
			Bins:    rapid.IntRange(1, 6).Draw(r, "bins"),
		}
		fitted := must.Get(l.Fit(context.Background(), train, rng.Source{}))(r)
		m, back := fitted.(*NaiveBayesModel), new(NaiveBayesModel)
		text := must.Get(json.Marshal(m))(r)
		must.NoError(r, json.Unmarshal(text, back))
		must.NoError(r, back.Check())
		k := len(m.Weights)
		p, got, again := make([]float64, tab.Rows()*k), make([]int32, tab.Rows()), make([]int32, tab.Rows())
		m.Probabilities(tab, p)
		m.Predict(tab, got)
		back.Predict(tab, again)
		if !slices.Equal(got, again) {
			r.Fatal("through JSON the model predicts otherwise")
		}
		for i := range got {
			want := bayesTwin(l, train, tab, i)
			if want[0] != want[0] {
				continue // all excluded, or so far from all means that products underflow
			}
			for c, w := range want {
				if math.Abs(p[i*k+c]-w) > 1e-6 {
					r.Fatalf("record %d: probabilities %v, expected %v", i, p[i*k:i*k+k], want)
				}
			}
			if want[got[i]] < slices.Max(want)-1e-6 {
				r.Fatalf("record %d is predicted %d, expected the largest of %v", i, got[i], want)
			}
		}
	})
}
