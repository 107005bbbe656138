package prediction

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/stats/folds"
	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/mine"
	"github.com/dither-data/dither/mine/classifiers"
	"github.com/dither-data/dither/mine/forests"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

func init() { // as package catalog/all does, which imports this one
	mine.Register(func() []mine.Miner {
		return []mine.Miner{forests.Credal, classifiers.NaiveBayes, classifiers.NeuralNet}
	})
}

// with returns a meter with some parameters set: name, value, name, value.
func with(t testing.TB, set ...string) *ClassifierMeter {
	t.Helper()
	m, values := Classifier.New().(*ClassifierMeter), map[string]string{}
	for k := 0; k < len(set); k += 2 {
		values[set[k]] = set[k+1]
	}
	must.NoError(t, m.Params().Apply(values))
	return m
}

var seed = rng.New([32]byte{7})

func classifierTake(t testing.TB, r *measure.Release, set ...string) (measure.Value, ClassifierDetail) {
	t.Helper()
	v := must.Get(with(t, set...).Measure(context.Background(), r, seed))(t)
	return v, v.Detail.(ClassifierDetail)
}

// people returns n records of three classes that two numbers and a category tell of.
func people(t testing.TB, n int, of uint64) *table.Table {
	t.Helper()
	r := rand.New(rand.NewPCG(5, of))
	x, y, c, class := make([]float64, n), make([]float64, n), make([]int32, n), make([]int32, n)
	for i := range x {
		class[i] = int32(r.IntN(6) * r.IntN(2) % 3)
		x[i] = math.Round(100*(float64(class[i])+r.NormFloat64()/3)) / 100
		y[i] = math.Round(100*(float64(class[i]&1)+r.NormFloat64()/3)) / 100
		if c[i] = class[i]; r.IntN(3) == 0 {
			c[i] = int32(r.IntN(3))
		}
	}
	k := table.CatColumn("class", []string{"a", "b", "c"}, class)
	k.Role = table.Class
	return tabletest.Of(t, table.NumColumn("x", 0.01, x), table.NumColumn("y", 0.01, y),
		table.CatColumn("c", []string{"u", "v", "w"}, c), k)
}

// noisy returns the table with normal noise on its numbers and a share of the categories drawn anew.
func noisy(tab *table.Table, sd float64) *table.Table {
	r := rand.New(rand.NewPCG(9, 9))
	for j := range 2 {
		v := slices.Clone(tab.Num(j))
		for i := range v {
			v[i] += math.Round(100*sd*r.NormFloat64()) / 100
		}
		tab = tab.WithNum(j, v)
	}
	return tab
}

// TestTwin takes the measure by hand: the same folds, the learner's predictions one by one, and counts of every class
// as section 4.2 of Peters 2011 has them.
func TestTwin(t *testing.T) {
	long.Check(t, func(rt *rapid.T) {
		n, k, repeats := rapid.IntRange(
			12,
			40,
		).Draw(rt, "n"), rapid.IntRange(2, 4).Draw(rt, "folds"), rapid.IntRange(1, 3).Draw(rt, "repeats")
		tab := people(t, n, rapid.Uint64Range(0, 99).Draw(rt, "table"))
		r := &measure.Release{Original: tab, Released: noisy(tab, 1), Paired: true}
		learner := rapid.SampledFrom([]string{"knn", "naivebayes"}).Draw(rt, "learner")
		v, d := classifierTake(t, r, "folds", fmt.Sprint(k), "repeats", fmt.Sprint(repeats), "learner", learner)
		var loss float64
		var values [4][]float64
		for rep := range repeats {
			fold := must.Get(folds.Deal(tab, k, seed.Fork(fmt.Sprintf("repeat %d", rep+1))))(rt)
			for f := range k {
				out, in := folds.Split(fold, f)
				actual := tab.Gather(in).Cat(3)
				of := func(train *table.Table) []int32 {
					l := must.Get(with(t, "learner", learner).learner())(rt)
					m := must.Get(l.Fit(context.Background(), train.Gather(out), rng.Source{}))(rt)
					p := make([]int32, len(in))
					m.(mine.Classifier).Predict(tab.Gather(in), p)
					return p
				}
				before, after := of(tab), of(r.Released)
				right := 0.0
				for i, c := range actual {
					if before[i] == c {
						right++
					}
					if after[i] == c {
						right--
					}
				}
				loss += 100 * right / float64(len(in)) / float64(repeats*k)
				for c := range int32(3) {
					if !slices.Contains(actual, c) {
						continue
					}
					var tn, fn, fp, tp float64
					for i, a := range actual {
						switch {
						case a == c && after[i] == c:
							tp++
						case a == c:
							fn++
						case after[i] == c:
							fp++
						default:
							tn++
						}
					}
					for m, share := range [][2]float64{{tn + tp, fn + fp}, {tp, fn}, {tp, fp}, {fp, tn}} {
						v := 0.0
						if share[0] > 0 {
							v = 100 * share[0] / (share[0] + share[1])
						}
						values[m] = append(values[m], v)
					}
				}
			}
		}
		if math.Abs(v.Score-loss) > 1e-9 || math.Abs(d.Original.Accuracy-d.Released.Accuracy-loss) > 1e-9 {
			rt.Fatalf("a loss of %v from %v to %v, expected %v", v.Score, d.Original.Accuracy, d.Released.Accuracy, loss)
		}
		for m := range values {
			near := func(a, b float64) bool { return math.Abs(a-b) < 1e-9 }
			if f := d.Figures[m]; !slices.EqualFunc(f.Released.Values, values[m], near) ||
				len(d.Released.Classes) != len(values[m]) {
				rt.Fatalf("%s is %v, expected %v", f.Name, f.Released.Values, values[m])
			}
		}
	})
}

// TestNoiseCosts has a release whose numbers are noise and whose categories are all one: a classifier loses much, and
// every figure of the release ranks below that of the original. With fixed tables and seeds nothing is left to chance.
func TestNoiseCosts(t *testing.T) {
	tab := people(t, 300, 1)
	r := &measure.Release{Original: tab, Released: noisy(tab, 30).WithCat(2, make([]int32, 300)), Paired: true}
	for _, learner := range []string{"knn", "c45", "sysfor", "credal", "naivebayes", "neuralnet"} {
		repeats := "5"
		if learner == "neuralnet" {
			repeats = "1"
		}
		v, d := classifierTake(t, r, "learner", learner, "repeats", repeats)
		if v.Score < 20 || v.Lo <= 0 || v.Hi > 100 || d.Original.Accuracy < 75 {
			t.Errorf("%s: a loss of %v within %v to %v from %v", learner, v.Score, v.Lo, v.Hi, d.Original.Accuracy)
		}
		for _, f := range d.Figures[:2] {
			if f.Original.Rank != 1 || f.Released.Rank != 2 || f.P > 0.001 || f.Original.Median < f.Released.Median {
				t.Errorf("%s: %s has ranks %d and %d, p %v", learner, f.Name, f.Original.Rank, f.Released.Rank, f.P)
			}
		}
		if v.Score != v.Parts[0].Score-v.Parts[1].Score && math.Abs(v.Score-v.Parts[0].Score+v.Parts[1].Score) > 1e-9 {
			t.Errorf("%s: parts %v", learner, v.Parts[:2])
		}
	}
	again := &measure.Release{Original: tab, Released: tab, Paired: true}
	if _, d := classifierTake(t, again); d.Figures[1].Released.Rank != 1 || d.Figures[1].P != 1 || d.Learned != 240 ||
		d.Tested != 60 ||
		d.Runs != 25 {
		t.Errorf("the original released as it is: %+v", d)
	}
}

// TestEvery: the mean of every classifier's loss, and what each makes of the original and of the release.
func TestEvery(t *testing.T) {
	tab, hold := people(t, 150, 2), people(t, 100, 3)
	r := &measure.Release{Original: tab, Released: noisy(tab, 1), Paired: true, Holdout: hold}
	v, _ := classifierTake(t, r, "learner", "every")
	mean := 0.0
	for k, learner := range learners {
		one, d := classifierTake(t, r, "learner", learner)
		mean += one.Score / float64(len(learners))
		if p := v.Parts[2*k : 2*k+2]; p[0].Of != learner || p[0].Score != d.Original.Accuracy ||
			p[1].Score != d.Released.Accuracy {
			t.Errorf("%s: %v, expected %v and %v", learner, p, d.Original.Accuracy, d.Released.Accuracy)
		}
	}
	if math.Abs(v.Score-mean) > 1e-9 || v.Lo > v.Score || v.Hi < v.Score {
		t.Errorf("a loss of %v in %v to %v, expected %v", v.Score, v.Lo, v.Hi, mean)
	}
}

// TestSuppressedClass has records whose class is suppressed in the release (scenario S2 of Peters 2011): they are not
// learned from, but tested by their original class.
func TestSuppressedClass(t *testing.T) {
	tab, hold := people(t, 200, 2), people(t, 100, 3)
	class := slices.Clone(tab.Cat(3))
	var kept []int
	for i := range class {
		if i%3 == 0 {
			class[i] = -1
		} else {
			kept = append(kept, i)
		}
	}
	suppressed := &measure.Release{Original: tab, Released: tab.WithCat(3, class), Paired: true, Holdout: hold}
	without := &measure.Release{Original: tab, Released: tab.Gather(kept), Holdout: hold}
	for _, learner := range []string{"knn", "naivebayes"} {
		a, d := classifierTake(t, suppressed, "learner", learner)
		b, _ := classifierTake(t, without, "learner", learner)
		if a.Score != b.Score || d.Tested != 100 || d.Runs != 1 || d.Tests != "hold-out" {
			t.Errorf("%s: a loss of %v, without the records %v; %+v", learner, a.Score, b.Score, d)
		}
	}
	suppressed.Holdout = nil
	if _, d := classifierTake(t, suppressed); d.Tested != 40 || len(d.Released.Classes) != 75 {
		t.Errorf("%d records tested, %d values", d.Tested, len(d.Released.Classes))
	}
	all := &measure.Release{Original: tab, Released: tab.WithCat(3, slices.Repeat([]int32{-1}, 200)), Paired: true}
	if v, err := with(t).Measure(context.Background(), all, seed); err == nil {
		t.Errorf("nothing to learn from gives %v", v)
	}
}

// TestExact has a release that rounds x to whole numbers and makes categories of them. The classifier of the original
// is the one that a release of the exact table as it is has.
func TestExact(t *testing.T) {
	exact := people(t, 150, 4)
	codes := make([]int32, 150)
	for i, v := range exact.Num(0) {
		if v > 1 {
			codes[i] = 1
		}
	}
	general := must.Get(exact.WithColumn(0, table.CatColumn("x", []string{"low", "high"}, codes)))(t)
	v, d := classifierTake(t,
		&measure.Release{Original: general, Released: general, Recoding: measure.Recoding{Exact: exact}, Paired: true})
	_, own := classifierTake(t, &measure.Release{Original: exact, Released: exact, Paired: true})
	_, coarse := classifierTake(t, &measure.Release{Original: general, Released: general, Paired: true})
	if d.Original.Accuracy != own.Original.Accuracy || d.Released.Accuracy != coarse.Released.Accuracy ||
		len(v.Notes) != 1 {
		t.Errorf("%v and %v, expected %v and %v; notes %q", d.Original.Accuracy, d.Released.Accuracy,
			own.Original.Accuracy, coarse.Released.Accuracy, v.Notes)
	}
	v, d = classifierTake(
		t,
		&measure.Release{
			Original: general,
			Released: general,
			Recoding: measure.Recoding{Exact: exact, ExactHoldout: exact},
			Paired:   true,
			Holdout:  general,
		},
	)
	_, own = classifierTake(t, &measure.Release{Original: exact, Released: exact, Paired: true, Holdout: exact})
	if d.Original.Accuracy != own.Original.Accuracy || len(v.Notes) != 2 {
		t.Errorf("with a hold-out %v, expected %v; notes %q", d.Original.Accuracy, own.Original.Accuracy, v.Notes)
	}
}

// TestOriginalIsLearnedOnce has releases that share an original: its classifier is learned once, and the figures are
// the same.
func TestOriginalIsLearnedOnce(t *testing.T) {
	tab, hold := people(t, 120, 5), people(t, 80, 6)
	base := (&measure.Release{Original: tab, Released: tab, Paired: true, Holdout: hold}).Working()
	if v, _ := classifierTake(t, base); v.Score != 0 {
		t.Errorf("the original loses %v", v.Score)
	}
	own := &measure.Release{Original: tab, Released: noisy(tab, 1), Paired: true, Holdout: hold}
	shared := &measure.Release{Original: tab, Released: own.Released, Paired: true, Holdout: hold,
		Work: base.Work.Another()}
	a, _ := classifierTake(t, own)
	if b, _ := classifierTake(t, shared); a.Score != b.Score || a.Lo != b.Lo || !(a.Lo < a.Score && a.Score < a.Hi) {
		t.Errorf("%v alone, %v beside another release", a, b)
	}
}

func TestNotPaired(t *testing.T) {
	tab := people(t, 120, 7)
	v, d := classifierTake(t, &measure.Release{Original: tab, Released: noisy(people(t, 90, 8), 0.1)})
	if len(v.Notes) != 1 || !strings.Contains(v.Notes[0].String(), "not paired") || d.Learned != 96 {
		t.Errorf("notes %q, %d records learned from", v.Notes, d.Learned)
	}
}

func TestSample(t *testing.T) {
	tab := people(t, 260, 9)
	for _, hold := range []*table.Table{nil, people(t, 130, 10)} {
		v, d := classifierTake(t, &measure.Release{Original: tab, Released: noisy(tab, 1), Paired: true, Holdout: hold},
			"sample", "100")
		if n := len(v.Notes); !strings.Contains(v.Notes[n-1].String(), "sample of 100") || d.Learned > 100 || d.Tested > 100 {
			t.Errorf("notes %q, %d records learned from, %d tested", v.Notes, d.Learned, d.Tested)
		}
	}
}

func TestRefuses(t *testing.T) {
	tab := people(t, 30, 11)
	plain := *tab.Attr(3)
	plain.Role = 0
	number := *tab.Attr(0)
	number.Role = table.Class
	for want, r := range map[string]*measure.Release{
		"no column has the role class": {Original: tab.WithAttr(3, plain), Released: tab, Paired: true},
		`class "x" is numeric`:         {Original: tab.WithAttr(3, plain).WithAttr(0, number), Released: tab, Paired: true},
		"5 folds":                      {Original: tab.Slice(0, 4), Released: tab.Slice(0, 4), Paired: true},
		"released table: 5 folds":      {Original: tab, Released: tab.Slice(0, 4)},
		"no record that is tested has": {Original: tab, Released: tab,
			Holdout: tab.WithCat(3, slices.Repeat([]int32{-1}, 30))},
	} {
		if _, err := with(t).Measure(context.Background(), r, seed); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, expected %q", err, want)
		}
	}
}

// TestIntervals works out the two intervals by hand. Four runs of losses 1, 3, 5, 7 of five folds: variance 20/3, times
// 1/4 + 1/4, and 3.1824 for the 97.5 % point of Student's t with 3 degrees of freedom. One run of 100 records, 12 lost
// and 4 won: (12.5 - 4.5)/102 +- 1.96 sqrt(17 - 64/102)/102.
func TestIntervals(t *testing.T) {
	if half := resampled([]float64{1, 3, 5, 7}, 5); math.Abs(half-3.182446305284263*math.Sqrt(20.0/6)) > 1e-9 {
		t.Errorf("half an interval of %v", half)
	}
	if half := resampled([]float64{1}, 5); !math.IsInf(half, 1) {
		t.Errorf("one run tells %v", half)
	}
	lo, hi := matched(run{records: 100, lost: 12, won: 4})
	centre, half := 800.0/102, 1.959963984540054*math.Sqrt(17-64.0/102)*100/102
	if math.Abs(lo-centre+half) > 1e-9 || math.Abs(hi-centre-half) > 1e-9 {
		t.Errorf("%v to %v, expected %v ± %v", lo, hi, centre, half)
	}
	// At the ends of the range the bounds stay inside it and enclose the score.
	if mean, lo, hi := interval([]float64{100}, []run{{records: 3, lost: 3}}, 5); mean != 100 || lo > 100 || hi != 100 {
		t.Errorf("%v within %v to %v", mean, lo, hi)
	}
}

func TestSamples(t *testing.T) {
	tab := people(t, 100, 12)
	_, d := classifierTake(t, &measure.Release{Original: tab, Released: noisy(tab, 1), Paired: true}, "repeats", "1")
	s := d.Samples()
	if len(s) != 4 || s[3].Name != "pf" || !s[3].Lower || s[1].Lower ||
		!slices.Equal(s[1].Values, d.Figures[1].Released.Values) {
		t.Errorf("samples %v", s)
	}
}
