package found

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/intruder"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/measure/found/internal/attackers"
	"github.com/dither-data/dither/measure/linkage"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/framework"
	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/protect/rnat"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// protected returns a release of a table by a technique.
func protected(t testing.TB, tab *table.Table, m protect.Method) *measure.Release {
	t.Helper()
	return protecttest.Released(t, tab, m.New())
}

// take measures a release against an intruder.
func take(
	t *testing.T,
	r *measure.Release,
	who *intruder.Intruder,
	set map[string]string,
) (measure.Value, measure.Attack) {
	t.Helper()
	m := Measure.New()
	must.NoError(t, m.Params().Apply(set))
	v := must.Get(m.Measure(t.Context(), r.Against(who), rng.New([32]byte{3})))(t)
	return v, v.Detail.(*Detail).Attack()
}

// everything is an intruder who knows all but the class.
var everything = &intruder.Intruder{Name: "all", Knows: []string{intruder.All}}

// TestBothEnds: everybody is found in the original, which is what it was before, and hardly anybody where every number
// is drawn anew.
func TestBothEnds(t *testing.T) {
	tab := protecttest.Mixed(400)
	v, a := take(t, &measure.Release{Original: tab, Released: tab, Paired: true}, everything, nil)
	least := math.Pow(0.05/float64(len(v.Detail.(*Detail).Attackers)), 1.0/200)
	if v.Score != 1 || v.Hi != 1 || *a.Before != 1 || *a.Sure != 1 || math.Abs(v.Lo-least) > 1e-9 {
		t.Errorf("the original: %+v", a)
	}
	numbers := &intruder.Intruder{Name: "numbers", Knows: []string{"income", "age"}, Secret: []string{}}
	r := protected(t, tab, rnat.Method)
	if v, a = take(t, r, numbers, nil); v.Score > 0.05 || v.Hi > 0.08 || *a.Before < 0.9 {
		t.Errorf("uniform noise: %+v", a)
	}
}

// TestTheBestSubset: of what is known one column is released as it is and the others are drawn anew. Who is nearest in
// all is not found; the attack uses the one.
func TestTheBestSubset(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	n := 300
	cols := make([]table.Column, 8)
	noise := slices.Clone(cols)
	for j := range cols {
		was, is := make([]float64, n), make([]float64, n)
		for i := range n {
			was[i], is[i] = math.Round(1000*r.Float64()), math.Round(1000*r.Float64())
		}
		if j == 3 {
			is = was
		}
		cols[j], noise[j] = table.NumColumn(string(rune('a'+j)), 1, was), table.NumColumn(string(rune('a'+j)), 1, is)
	}
	rel := &measure.Release{Original: tabletest.Of(t, cols...), Released: tabletest.Of(t, noise...), Paired: true}
	_, a := take(t, rel, everything, nil)
	if !slices.Contains(a.Knows, "d") || a.Share < 0.8 || a.Tried != 150 || a.People != 300 {
		t.Errorf("%+v", a)
	}
	if w := a.Without[0]; w.Column != "d" || w.Dropped > 0.05 || w.Coarse == nil || *w.Coarse > 0.2 ||
		*w.Coarse < w.Dropped {
		t.Errorf("without: %+v", a.Without)
	}
	nearest, err := linkage.Linkage.New().Measure(t.Context(), rel.Against(everything), rng.Source{})
	if err != nil || nearest.Score > 0.5 {
		t.Errorf("all columns find %v, error %v: the test shows nothing", nearest.Score, err)
	}
}

// TestGapsAlone: every value is drawn anew and which are missing is kept; 12 columns half of whose values are missing
// tell 300 people apart.
func TestGapsAlone(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	n := 300
	was, is := make([]table.Column, 12), make([]table.Column, 12)
	patterns, alone := make([]string, n), map[string]float64{}
	for j := range was {
		x, y := make([]float64, n), make([]float64, n)
		for i := range n {
			x[i], y[i] = math.Round(5*r.Float64()), math.Round(5*r.Float64())
			if r.IntN(2) == 0 {
				x[i], y[i] = math.NaN(), math.NaN()
				patterns[i] += string(rune('a' + j))
			}
		}
		was[j], is[j] = table.NumColumn(string(rune('a'+j)), 1, x), table.NumColumn(string(rune('a'+j)), 1, y)
	}
	for _, p := range patterns {
		alone[p]++
	}
	rel := &measure.Release{Original: tabletest.Of(t, was...), Released: tabletest.Of(t, is...), Paired: true}
	_, a := take(t, rel, everything, nil)
	if want := float64(len(alone)) / float64(n); !a.Gaps || math.Abs(a.Share-want) > 0.08 {
		t.Errorf("%+v; alone are %v", a, want)
	}
	first := &intruder.Intruder{Name: "one column", Knows: []string{"a"}, Secret: []string{}}
	if _, b := take(t, rel, first, nil); b.Gaps || b.Share > 0.05 {
		t.Errorf("who knows one column and no gaps: %+v", b)
	}
	first.Gaps = true
	if _, b := take(t, rel, first, nil); !b.Gaps || math.Abs(b.Share-a.Share) > 0.08 {
		t.Errorf("who knows one column and the gaps: %+v", b)
	}
}

// TestGeneralised: the original is as general as the release, and what was before is that of the exact one.
func TestGeneralised(t *testing.T) {
	exact := protecttest.Mixed(300)
	bands := table.CatColumn("age", []string{"young", "old"}, nil)
	bands.Role, bands.Cat = exact.Attr(0).Role, make([]int32, 300)
	for i, v := range exact.Num(0) {
		if v > 45 {
			bands.Cat[i] = 1
		}
	}
	income, class := exact.Column(1), exact.Column(exact.WithRole(table.Class))
	original := tabletest.Of(t, exact.Column(0), income, class)
	released := tabletest.Of(t, bands, income, class)
	age := &intruder.Intruder{Name: "age", Knows: []string{"age"}}
	_, a := take(t,
		&measure.Release{Original: released, Recoding: measure.Recoding{Exact: original}, Released: released, Paired: true},
		age, nil)
	if math.Abs(a.Share-2.0/300) > 1e-9 || *a.Before < 0.1 {
		t.Errorf("%+v, before %v", a, *a.Before)
	}
}

// TestNotApplicable: without pairs nobody can tell who is found, and of a sample with its originals the people in it
// are measured.
func TestNotApplicable(t *testing.T) {
	tab := protecttest.Mixed(120)
	some := tab.Slice(0, 60)
	r := &measure.Release{Original: tab, Released: some, Matched: some}
	if _, err := Measure.New().Measure(t.Context(), r, rng.Source{}); !errors.Is(err, measure.ErrNotApplicable) {
		t.Errorf("error %v", err)
	}
	if _, a := take(t, r.OfThose(), everything, nil); a.People != 60 || a.Share != 1 {
		t.Errorf("%+v", a)
	}
}

// TestHonest: nothing tells people apart, but of ten columns of noise some are lucky on any half of the people. The
// figure stays that of guessing but for the choice among four attackers, who find 0.5 of 100 people each: the most of
// them find 1.2, and the mean of 20 releases has the standard error 0.2. The bounds allow for it: each leaves out the
// share of guessing in at most 1 of 20 releases, and in 4 with the chance 0.02.
func TestHonest(t *testing.T) {
	long.Only(t, "20 releases")
	r := rand.New(rand.NewPCG(1, 2))
	n, mean, low, high := 200, 0.0, 0, 0
	for range 20 {
		var was, is []table.Column
		for j := range 10 {
			x, y := make([]float64, n), make([]float64, n)
			for i := range n {
				x[i], y[i] = r.NormFloat64(), r.NormFloat64()
			}
			name := string(rune('a' + j))
			was, is = append(was, table.NumColumn(name, 0, x)), append(is, table.NumColumn(name, 0, y))
		}
		rel := &measure.Release{Original: tabletest.Of(t, was...), Released: tabletest.Of(t, is...), Paired: true}
		v, _ := take(t, rel, everything, map[string]string{"brief": "true"})
		mean += v.Score / 20
		if v.Lo > 0.005 {
			low++
		}
		if v.Hi < 0.005 {
			high++
		}
	}
	if mean > 0.02 || low > 3 || high > 3 {
		t.Errorf("%v are found; guessing finds 0.005, which %d bounds are above and %d below", mean, low, high)
	}
}

// TestBoundsOfTheBest: k attackers find people with the same chance, each for itself or all nearly the same ones. Of
// 4,000 samples the bounds of the one that found the most leave out that chance in 5 % at most; with 1.3 % for the
// sampling, which is four standard errors, the test fails by chance in fewer than one of 1,000 runs. Seeds are fixed.
func TestBoundsOfTheBest(t *testing.T) {
	long.Only(t, "4,000 samples of each")
	const samples, n = 4000, 200
	r := rand.New(rand.NewPCG(7, 8))
	for _, k := range []int{1, 2, 5} {
		for _, alike := range []float64{0, 0.9} {
			for _, share := range []float64{0.01, 0.1, 0.6} {
				low, high := 0, 0
				for range samples {
					found := make([]float64, k)
					for range n {
						same := r.Float64() < share
						for a := range found {
							if r.Float64() < alike {
								if same {
									found[a]++
								}
							} else if r.Float64() < share {
								found[a]++
							}
						}
					}
					most := slices.Max(found)
					lo, hi := bounds(most, n, k)
					if lo > share {
						low++
					}
					if hi < share {
						high++
					}
				}
				if most := 0.063 * samples; float64(low) > most || float64(high) > most {
					t.Errorf("%d attackers, %v alike, %v found: %d and %d bounds do not hold", k, alike, share, low, high)
				}
			}
		}
	}
}

// TestEverybody: on the whole table the figure is that of the chosen attack, and the share of everybody is in the
// bounds.
func TestEverybody(t *testing.T) {
	r := protected(t, protecttest.Mixed(long.Of(250, 400)), framework.Framework)
	m := Measure.New().(*Meter)
	m.People = 200
	a, shares, err := m.Everybody(t.Context(), r.Against(everything), rng.New([32]byte{1}))
	must.NoError(t, err)
	if share := slices.Max(shares); len(shares) != 5 || a.Tried != 100 || share < a.Lo || share > a.Hi {
		t.Errorf("%+v, everybody %v", a, shares)
	}
}

// TestCensus: where people are few, no more than the best of all attacks finds of everybody is the upper bound, and
// where some are not tried it is that of chance.
func TestCensus(t *testing.T) {
	for _, people := range []int{120, 60} { // at most; of 120
		r := protected(t, protecttest.Mixed(120), framework.Framework)
		m := Measure.New().(*Meter)
		m.People = people
		a, shares, err := m.Everybody(t.Context(), r.Against(everything), rng.New([32]byte{2}))
		must.NoError(t, err)
		_, chance := bounds(a.Right, float64(a.Tried), 1)
		switch most := slices.Max(shares); {
		case most >= chance:
			t.Errorf("the table tests nothing: %v of everybody, bound %v", most, chance)
		case a.Lo > a.Share || a.Share > a.Hi:
			t.Errorf("%+v", a)
		case people == 120 && a.Hi != most:
			t.Errorf("up to %v, and %v of everybody are found", a.Hi, most)
		case people < 120 && a.Hi != chance:
			t.Errorf("up to %v where not everybody is tried, want %v", a.Hi, chance)
		}
	}
}

// TestWords are what people read.
func TestWords(t *testing.T) {
	before := 0.994
	d := &Detail{
		Attacked: measure.Attack{
			Intruder: "neighbour",
			By:       attackers.Called("nearest"),
			Knows:    []string{"a", "b", "c", "d", "e", "f"},
			Gaps:     true,
			Tried:    500,
			People:   900,
			Share:    0.074,
			Lo:       0.06,
			Hi:       0.09,
			Before:   &before,
		},
		Released: 900,
		Chosen:   200,
	}
	want := "The best of the attacks tried finds 7.4 % of 500 people (95 % bounds 6 % and 9 %), by nearest by distance, " +
		"from a, b, c, d and 2 more columns and " +
		"which values are missing; in the original it would find 99.4 %; guessing finds one in 900."
	if got := d.Sentence().String(); got != want {
		t.Errorf("%s", got)
	}
	h, ok := d.Headline(measure.Reader{})
	if !ok || h.Value.String() != "7.4 %" || *h.Intruder != "neighbour" {
		t.Errorf("%+v", h)
	}
	if _, ok := d.Headline(measure.Reader{Public: true}); ok {
		t.Error("the public is told")
	}
}
