package attributedisclosure

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/executor"
	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/intruder"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/measure/internal/nearest"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/protect/randomisedresponse"
	"github.com/dither-data/dither/protect/rnat"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// people returns a table whose class and pay depend on age.
func people(t testing.TB, n int) *table.Table {
	r := rand.New(rand.NewPCG(7, 1))
	age, height, pay, sick := make([]float64, n), make([]float64, n), make([]float64, n), make([]int32, n)
	for i := range n {
		age[i], height[i] = float64(18+r.IntN(60)), table.Snap(170+9*r.NormFloat64(), 0.1)
		pay[i] = table.Snap(1000+40*age[i]+300*r.NormFloat64(), 0.01)
		if r.Float64() < age[i]/100 {
			sick[i] = 1
		}
	}
	class := table.CatColumn("sick", []string{"no", "yes"}, sick)
	class.Role = table.Class
	return tabletest.Of(t, table.NumColumn("age", 1, age), table.NumColumn("height", 0.1, height),
		table.NumColumn("pay", 0.01, pay), class)
}

// knows is who wants to learn pay and sickness.
var knows = &intruder.Intruder{Name: "neighbour", Knows: []string{"age", "height"}, Secret: []string{"pay", "sick"}}

func inferenceTake(t testing.TB, r *measure.Release, set map[string]string) (measure.Value, *AttributeInferenceDetail) {
	t.Helper()
	m := AttributeInference.New()
	must.NoError(t, m.Params().Apply(set))
	v := must.Get(m.Measure(context.Background(), r, rng.Source{}))(t)
	return v, v.Detail.(*AttributeInferenceDetail)
}

// Released as they are, secrets are read off; from noise, and from other people's records, no more is learned than of
// anyone. Each of the four rates has a standard deviation of at most 0.016, so a risk from chance alone of 5 * 0.016 *
// sqrt(2) / (1 - 0.6) = 0.28 is exceeded once in 3 million draws; that of pay, with rates near 0.05, far less.
func TestBothEnds(t *testing.T) {
	const n = 1000
	all := people(t, 3*n)
	tab, held, others := all.Slice(0, n), all.Slice(n, 2*n), all.Slice(2*n, 3*n)
	noisy := tab
	c := randomisedresponse.NewCategorical()
	c.P = 0.5 // of two classes: independent of the original
	for _, q := range []protect.Technique{rnat.New(), c} {
		plan, err := q.Fit(context.Background(), tab, rng.Source{})
		must.NoError(t, err)
		if noisy, err = executor.Run(context.Background(), plan, noisy, rng.New([32]byte{9}), protect.Options{}); err != nil {
			t.Fatal(err)
		}
	}
	for _, holdout := range []*table.Table{nil, held} {
		release := func(released *table.Table) *measure.Release {
			return (&measure.Release{Original: tab, Released: released, Holdout: holdout}).Against(knows)
		}
		v, d := inferenceTake(t, release(tab), nil)
		if v.Score < 0.95 || d.Secrets[0].Attack < 0.95 || d.Secrets[1].Attack < 0.95 {
			t.Errorf("of the original: %v, %+v", v.Score, d)
		}
		if v, d = inferenceTake(t, release(noisy), nil); v.Score > 0.28 || v.Lo > 0.05 {
			t.Errorf("of noise: %v from %v, %+v", v.Score, v.Lo, d)
		}
		if v, d = inferenceTake(t, release(others), nil); holdout != nil && (v.Score > 0.28 || v.Lo > 0.05) {
			t.Errorf("of other people: %v from %v, %+v", v.Score, v.Lo, d)
		}
	}
}

// byHand returns four persons whose records are released as they are, and two in a hold-out.
func byHand(t *testing.T) *measure.Release {
	tab := func(x []float64, s []int32, y []float64) *table.Table {
		c := table.CatColumn("s", []string{"a", "b", "c"}, s)
		c.Role = table.Class
		y1 := table.NumColumn("y", 1, y)
		y1.Role = table.Confidential
		return tabletest.Of(t, table.NumColumn("x", 1, x), c, y1)
	}
	who := &intruder.Intruder{Name: "x", Knows: []string{"x"}}
	nan := math.NaN()
	return (&measure.Release{
		Original: tab([]float64{0, 5, 5, 9}, []int32{0, 1, 0, -1}, []float64{10, 20, 40, 40}),
		Released: tab([]float64{0, 5, 5, 9}, []int32{0, 1, 0, 2}, []float64{10, 20, 40, nan}),
		Holdout:  tab([]float64{1, 6}, []int32{1, 2}, []float64{12, 30}),
	}).Against(who)
}

// Guesses by hand: the persons at 5 have one vote each for a and b, so that half of the guesses are right, and a median
// of 30; the last has no class to guess, and the nearest record no y.
func TestByHand(t *testing.T) {
	v, d := inferenceTake(t, byHand(t), map[string]string{"tolerance": "0"})
	s, y := d.Secrets[0], d.Secrets[1]
	if s.Name != "s" || s.Persons != 3 || math.Abs(s.Attack-2./3) > 1e-15 || *s.Control != 0 ||
		math.Abs(s.Common-2./3) > 1e-15 {
		t.Errorf("%+v", s)
	}
	if y.Persons != 4 || y.Attack != 0.25 || *y.Control != 0.5 || y.Common != 0.25 || y.Risk != 0 {
		t.Errorf("%+v", y)
	}
	if v.Score != s.Attack || !(v.Lo < v.Score && v.Hi > v.Score) || d.Controls != 2 || len(v.Notes) != 0 {
		t.Errorf("%+v", v)
	}
	if want := []float64{1, 0.5, 0.5, 0}; !slices.Equal(d.risk, want) {
		t.Errorf("risks %v, expected %v", d.risk, want)
	}
	want := "From the nearest records it guesses s right for 66.7 % of 3 people; " +
		"for people outside the release, for 0 %; guessing the commonest value is right for 66.7 %."
	if got := d.Sentence().String(); got != want {
		t.Errorf("%q, expected %q", got, want)
	}
}

// Without a hold-out the commonest value stands for it.
func TestNoHoldout(t *testing.T) {
	r := byHand(t)
	r.Holdout = nil
	v, d := inferenceTake(t, r, map[string]string{"tolerance": "0"})
	if v.Score != 0 || d.Secrets[0].Control != nil || len(v.Notes) != 1 ||
		!strings.Contains(v.Notes[0].String(), "without a hold-out") {
		t.Errorf("%+v, %+v", v, d)
	}
}

// slow returns the chance of a right guess for person i: all distances, sorted.
func slow(s *nearest.Space, r *measure.Release, i, secret, k int, tolerance float64) float64 {
	x := s.Index(s.Records(r.Released, nil)).Search()
	known, points := s.Questions(r.Original, []int{i}), s.Records(r.Released, nil)
	p := len(known) / 2
	d := make([]float64, r.Released.Rows())
	for j := range d {
		d[j] = x.Distance(known, points[j*p:j*p+p])
	}
	sorted := slices.Sorted(slices.Values(d))
	limit := sorted[min(k, len(sorted))-1]
	votes := map[int32]int{}
	var numbers []float64
	for j := range d {
		if d[j] > limit || r.Released.MissingAt(j, secret) {
			continue
		}
		if v := r.Released.Num(secret); v != nil {
			numbers = append(numbers, v[j])
		} else {
			votes[r.Released.Cat(secret)[j]]++
		}
	}
	if numbers != nil {
		slices.Sort(numbers)
		n := len(numbers)
		lo, hi := numbers[(n-1)/2], numbers[n/2]
		if math.Abs(lo+0.5*(hi-lo)-r.Original.Num(secret)[i]) <= tolerance {
			return 1
		}
		return 0
	}
	most, ties, truth := 0, 0, r.Original.Column(secret)
	for _, n := range votes {
		if n > most {
			most, ties = n, 0
		}
		if n == most {
			ties++
		}
	}
	if truth.Cat == nil || most == 0 || votes[truth.Cat[i]] < most {
		return 0
	}
	return 1 / float64(ties)
}

// TestAttributeInferenceTwin compares guesses with those made from all distances.
func TestAttributeInferenceTwin(t *testing.T) {
	long.Check(t, func(r *rapid.T) {
		all := protecttest.RandomTable(r)
		cut := rapid.IntRange(1, all.Rows()-1).Draw(r, "cut")
		rel := &measure.Release{Original: all.Slice(0, cut), Released: all.Slice(cut/2, all.Rows())}
		k := rapid.IntRange(1, 5).Draw(r, "k")
		var known []intruder.Known
		for j := range all.Width() - 2 {
			known = append(known, intruder.Known{Column: j})
		}
		secret := []int{all.Width() - 2, all.Width() - 1}
		space := must.Get(nearest.NewSpace(context.Background(), rel.Original, known))(r)
		m := &AttributeInferenceMeter{K: k, Tolerance: 0.5, Pairs: math.MaxInt}
		o := must.Get(m.attack(context.Background(), rel, space, space.Index(space.Records(rel.Released, nil)), rel.Original,
			secret))(r)
		for q, j := range secret {
			for i, got := range o.secrets[q].right {
				if rel.Original.MissingAt(i, j) {
					if !math.IsNaN(got) {
						r.Fatalf("person %d has no secret and is judged", i)
					}
				} else if want := slow(space, rel, i, j, k, o.secrets[q].tolerance); got != want {
					r.Fatalf("person %d, secret %d: %v, expected %v", i, j, got, want)
				}
			}
		}
	})
}

// Where all records vote, because k is so large, nothing is known, or all that is known is suppressed, the guess is the
// commonest value for everyone: there is no risk.
func TestEveryoneVotes(t *testing.T) {
	tab := people(t, 300)
	gone := tab.WithNum(0, slices.Repeat([]float64{math.NaN()}, 300)).WithNum(1, slices.Repeat([]float64{math.NaN()}, 300))
	ignorant := &intruder.Intruder{Name: "ignorant", Secret: []string{"pay", "sick"}}
	for name, c := range map[string]struct {
		r   *measure.Release
		set map[string]string
	}{
		"k":          {(&measure.Release{Original: tab, Released: tab}).Against(knows), map[string]string{"k": "300"}},
		"nothing":    {(&measure.Release{Original: tab, Released: tab}).Against(ignorant), nil},
		"suppressed": {(&measure.Release{Original: tab, Released: gone}).Against(knows), nil},
	} {
		v, d := inferenceTake(t, c.r, c.set)
		for _, s := range d.Secrets {
			if v.Score != 0 || s.Attack != s.Common {
				t.Errorf("%s: %+v", name, s)
			}
		}
	}
}

// Who suppresses the secrets gives none away, but by their absence nothing is guessed at all.
func TestSecretsSuppressed(t *testing.T) {
	tab := people(t, 100)
	gone := tab.WithNum(2, slices.Repeat([]float64{math.NaN()}, 100)).WithCat(3, slices.Repeat([]int32{-1}, 100))
	v, d := inferenceTake(t, (&measure.Release{Original: tab, Released: gone}).Against(knows), nil)
	if v.Score != 0 || d.Secrets[0].Attack != 0 || d.Secrets[1].Attack != 0 || d.Secrets[1].Common != 0 ||
		slices.Max(d.risk) != 0 {
		t.Errorf("%+v", d)
	}
}

// A guess of a number counts as right up to the tolerance, in standard deviations of the original: here 2.
func TestTolerance(t *testing.T) {
	x := []float64{0, 10, 20, 30}
	table2 := func(y ...float64) *table.Table {
		return tabletest.Of(t, table.NumColumn("x", 1, x), table.NumColumn("y", 1, y))
	}
	who := &intruder.Intruder{Name: "x", Knows: []string{"x"}, Secret: []string{"y"}}
	r := (&measure.Release{Original: table2(1, 1, 5, 5), Released: table2(1, 2, 7, 9)}).Against(who)
	sd := 4 / math.Sqrt(3) // of 1, 1, 5, 5
	for within, want := range map[float64]float64{0: 0.25, 1: 0.5, 2: 0.75, 4: 1} {
		m := AttributeInference.New().(*AttributeInferenceMeter)
		m.Tolerance = within / sd * (1 + 1e-12)
		v := must.Get(m.Measure(context.Background(), r, rng.Source{}))(t)
		if got := v.Detail.(*AttributeInferenceDetail).Secrets[0].Attack; got != want {
			t.Errorf("within %v: %v are right, expected %v", within, got, want)
		}
	}
}

// The order of the released records does not matter: ties of the farthest neighbour vote, too.
func TestOrderFree(t *testing.T) {
	tab := people(t, 400)
	who := &intruder.Intruder{Name: "age", Knows: []string{"age"}, Secret: []string{"pay", "sick"}}
	order := rand.New(rand.NewPCG(4, 4)).Perm(400)
	for _, k := range []string{"1", "3", "20"} {
		set := map[string]string{"k": k}
		a, d := inferenceTake(t, (&measure.Release{Original: tab, Released: tab}).Against(who), set)
		b, e := inferenceTake(t, (&measure.Release{Original: tab, Released: tab.Gather(order)}).Against(who), set)
		if a.Score != b.Score || !slices.Equal(d.risk, e.risk) {
			t.Errorf("k = %s: %v, in another order %v", k, a.Score, b.Score)
		}
	}
}

// Above the parameter pairs persons are sampled, and the value says so.
func TestSampled(t *testing.T) {
	tab := people(t, 3000)
	who := &intruder.Intruder{Name: "all", Knows: []string{"age"}, Secret: []string{"sick"}}
	v, d := inferenceTake(t, (&measure.Release{Original: tab, Released: tab}).Against(who),
		map[string]string{"pairs": "10000"})
	judged := 0
	for _, p := range d.risk {
		if p == p {
			judged++
		}
	}
	if judged != d.Judged || judged < 100 || judged > 1000 ||
		!strings.Contains(strings.Join(message.Written(v.Notes), "\n"), "a sample of") {
		t.Errorf("%d persons are judged, notes %q", judged, v.Notes)
	}
}

func TestRefused(t *testing.T) {
	tab := people(t, 20)
	gone := tab.WithCat(3, slices.Repeat([]int32{-1}, 20))
	for says, r := range map[string]*measure.Release{
		"secret": (&measure.Release{Original: tab, Released: tab}).Against(
			&intruder.Intruder{Name: "x", Knows: []string{"age"}, Secret: []string{}}),
		"no records": {Original: tab, Released: tab.Slice(0, 0)},
		"nobody has": {Original: gone, Released: tab},
	} {
		if _, err := AttributeInference.New().Measure(context.Background(), r, rng.Source{}); err == nil ||
			!strings.Contains(err.Error(), says) ||
			errors.Is(err, measure.ErrNotApplicable) != (says != "no records") {
			t.Errorf("%s: %v", says, err)
		}
	}
}

// What is told of the attack holds no value of a secret column: figures of columns only.
func TestDetailHoldsNoValues(t *testing.T) {
	r := byHand(t)
	v, _ := inferenceTake(t, r, nil)
	text := must.Get(json.Marshal(v))(t)
	var d struct {
		Detail map[string]any
	}
	must.NoError(t, json.Unmarshal(text, &d))
	for name, field := range d.Detail {
		if list, ok := field.([]any); ok && len(list) > len(v.Detail.(*AttributeInferenceDetail).Secrets) {
			t.Errorf("field %q lists %v", name, list)
		}
	}
	if d.Detail["judged"] != 4.0 || d.Detail["controls"] != 2.0 {
		t.Errorf("%v", d.Detail)
	}
}

// Of several secrets the one at the highest risk gives the score and the sentence.
func TestWorstSecret(t *testing.T) {
	tab := people(t, 400)
	// The class is released at random, pay as it is.
	codes := slices.Clone(tab.Cat(3))
	rand.New(rand.NewPCG(2, 2)).Shuffle(400, func(i, j int) { codes[i], codes[j] = codes[j], codes[i] })
	v, d := inferenceTake(t, (&measure.Release{Original: tab, Released: tab.WithCat(3, codes)}).Against(knows), nil)
	if d.Secrets[d.Worst].Name != "pay" || v.Score != d.Secrets[d.Worst].Risk || v.Score < 0.9 ||
		!strings.Contains(d.Sentence().String(), "pay right for") {
		t.Errorf("%v of %+v: %s", v.Score, d.Secrets, d.Sentence().String())
	}
	if len(v.Parts) != 6 || v.Parts[0].Name.String() != "pay: risk" || v.Parts[0].Score != v.Score {
		t.Errorf("parts %v", v.Parts)
	}
}

// Nobody is at risk in what is guessed as often of others, however often the guess is right; people are at risk in what
// is guessed more often of them.
func TestNobodyAtRiskWhereOthersAre(t *testing.T) {
	const n = 300
	all := people(t, 3*n)
	tab, held, others := all.Slice(0, n), all.Slice(n, 2*n), all.Slice(2*n, 3*n)
	for name, c := range map[string]struct {
		released, holdout *table.Table
		some              bool
	}{
		"copies":            {tab, held, true},
		"of others":         {others, held, false},
		"without a control": {tab, nil, false},
	} {
		r := (&measure.Release{Original: tab, Released: c.released, Holdout: c.holdout}).Against(knows)
		_, d := inferenceTake(t, r, nil)
		if most := slices.Max(d.Records()); (most > 0) != c.some || slices.Max(d.risk) == 0 {
			t.Errorf("%s: the highest risk is %v, of the guesses %v", name, most, slices.Max(d.risk))
		}
	}
}
