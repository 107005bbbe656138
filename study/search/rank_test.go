package search

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/protect"
	"pgregory.net/rapid"
)

// TestWinShares is the worked case of the specification: the second wins where accuracy weighs more than three times
// completeness.
func TestWinShares(t *testing.T) {
	got := WinShares([][]float64{{0.2, 0, 0.1}, {0.1, 0.3, 0.1}})
	if math.Abs(got[0]-0.75) > 1e-12 || math.Abs(got[1]-0.25) > 1e-12 {
		t.Errorf("%v; expected 0.75 and 0.25", got)
	}
}

// Exact shares are those of draws: with 40,000 draws a share is off by more than 0.0125 in at most one of a million
// cases (Hoeffding 1963).
func TestWinSharesByDraws(t *testing.T) {
	long.Check(t, func(t *rapid.T) {
		dims, n := rapid.IntRange(1, 3).Draw(t, "criteria"), rapid.IntRange(1, 4).Draw(t, "candidates")
		var vectors [][]float64
		for range n {
			v := make([]float64, dims)
			for k := range v {
				v[k] = float64(rapid.IntRange(0, 5).Draw(t, "value")) / 5
			}
			vectors = append(vectors, v)
		}
		got, sum := WinShares(vectors), 0.0
		counts := make([]float64, n)
		rnd := rand.New(rand.NewPCG(7, 7))
		for range 40_000 {
			w := make([]float64, dims)
			for k := range w {
				w[k] = rnd.ExpFloat64()
			}
			best, least := 0, math.Inf(1)
			for k, v := range vectors {
				s := 0.0
				for j := range v {
					s += w[j] * v[j]
				}
				if s < least-1e-12 {
					best, least = k, s
				}
			}
			counts[best] += 1.0 / 40_000
		}
		for k := range got {
			sum += got[k]
			if math.Abs(got[k]-counts[k]) > 0.0125 {
				t.Fatalf("%v: shares %v, by draws %v", vectors, got, counts)
			}
		}
		if math.Abs(sum-1) > 1e-9 {
			t.Fatalf("%v: the shares sum to %v", vectors, sum)
		}
	})
}

// A turn is where the two are level.
func TestTurns(t *testing.T) {
	q := Request{Aspects: []WeightedLoss{{"a", 1}, {"b", 2}}}
	first, second := []float64{0.2, 0.1}, []float64{0.1, 0.3}
	turns := q.turns(first, second)
	if len(turns) != 2 {
		t.Fatalf("%v; expected one for each aspect", turns)
	}
	for _, turn := range turns {
		own := q
		own.Aspects = append([]WeightedLoss(nil), q.Aspects...)
		for k := range own.Aspects {
			if own.Aspects[k].Name == turn.Aspect {
				own.Aspects[k].Weight = turn.To
			}
		}
		if a, b := own.total(first), own.total(second); math.Abs(a-b) > 1e-12 {
			t.Errorf("%+v: %v and %v", turn, a, b)
		}
	}
	if got := q.turns([]float64{0, 0}, []float64{0.1, 0.1}); got != nil {
		t.Errorf("%v; the second is worse in everything", got)
	}
	if got := q.turns([]float64{0, 0.1}, []float64{0, 0.3}); got != nil {
		t.Errorf("%v; without the second aspect the two are level, and the second is ahead nowhere", got)
	}
}

func TestPurpose(t *testing.T) {
	for text, sum := range map[string]float64{"everything": 8, "models": 9, "statistics": 12, "accuracy=3,rules=1": 4,
		"rules": 1, "iqm": 3} {
		got, err := Purpose(text, LossNames())
		total := 0.0
		for _, a := range got {
			total += a.Weight
		}
		if err != nil || total != sum {
			t.Errorf("%s: %v, %v", text, got, err)
		}
	}
	for _, text := range []string{"", "acuracy=1", "accuracy=-1", "accuracy=x", "accuracy=NaN", "accuracy=Inf",
		"accuracy=0", "rules=1,rules=2"} {
		if got, err := Purpose(text, LossNames()); err == nil {
			t.Errorf("%q is taken for %v", text, got)
		}
	}
}

// Time that grows as n to the power 1.5 has that slope; noise widens the interval.
func TestGrowth(t *testing.T) {
	x := []float64{1e3, 1e4, 1e5, 1e6}
	var y []float64
	for _, v := range x {
		y = append(y, 3*math.Pow(v, 1.5))
	}
	if s, lo, hi := Growth(x, y); math.Abs(s-1.5) > 1e-9 || math.Abs(lo-1.5) > 1e-6 || math.Abs(hi-1.5) > 1e-6 {
		t.Errorf("%v (%v to %v); expected 1.5", s, lo, hi)
	}
	y[1] *= 1.2
	if s, lo, hi := Growth(x, y); !(lo < s && s < hi) || hi-lo < 0.05 {
		t.Errorf("%v (%v to %v)", s, lo, hi)
	}
	if s, _, _ := Growth(x[:2], y[:2]); s == s {
		t.Errorf("two points have the slope %v with an interval", s)
	}
}

// In the owner's order an aspect decides only where those before it are level, and one that does not count never does.
func TestForemost(t *testing.T) {
	aspects := []WeightedLoss{{"consistency", 1}, {"unasked", 0}, {"accuracy", 1}}
	option := func(losses ...float64) Option { return Option{Point: Point{Losses: losses}} }
	options := []Option{option(0.1, 0, 0), option(0, 0.9, 0.3), option(1e-15, 0, 0.2), option(0, 0.5, 0.2)}
	if first := Foremost(aspects, options); first != &options[2] {
		t.Errorf("%+v comes first", first)
	}
	if Foremost(aspects, nil) != nil {
		t.Error("somebody comes first of nobody")
	}
	if Ordered("everything") || !Ordered("iqm") || !Ordered("rules=1,means=2") {
		t.Error("whose order is the owner's is mixed up")
	}
}

// A slope exceeds the declared order where its interval lies above it, whatever the card says in words.
func TestExceeds(t *testing.T) {
	for _, c := range []struct {
		lo, order float64
		want      bool
	}{{1.2, 1, true}, {1.1, 1, false}, {1.9, 2, false}, {2.2, 2, true}, {3, 0, false}, {math.NaN(), 1, false}} {
		o := &Operating{Lo: c.lo, Order: c.order, Declared: "O(n^3)"}
		if got := o.Exceeds(); got != c.want {
			t.Errorf("%+v: %v", c, got)
		}
	}
}

// Where patterns are to be hidden, what protects people besides is among the candidates, and an option goes to the
// stage that has it.
func TestCandidatesHideAndProtect(t *testing.T) {
	fixed := must.Get(Fix(Candidates(true), map[string]string{"minLeaf": "7", "2.confidence": "0.25"}))(t)
	both := 0
	for _, c := range fixed {
		if c.Method.Purpose == protect.Hides {
			continue
		}
		if len(c.Method.New().Params().Patterns()) != 1 {
			t.Errorf("%s hides nothing", c.Name)
		}
		if both++; c.Set["1.minLeaf"] != "7" {
			t.Errorf("%s: %v", c.Name, c.Set)
		}
		if c.Set["2.confidence"] != "0.25" && c.Method.New().Params().Has("2.confidence") {
			t.Errorf("%s: %v", c.Name, c.Set)
		}
	}
	if both != len(protectors)*len(hiders) {
		t.Errorf("%d candidates hide patterns and protect people", both)
	}
	for _, c := range Candidates(false) {
		if len(c.Method.New().Params().Patterns()) > 0 {
			t.Errorf("%s hides patterns, and there are none", c.Name)
		}
	}
}

// What is fixed is no dial any more; a name that nobody has, and a value that nobody can have, are errors.
func TestFix(t *testing.T) {
	all := Candidates(false)
	fixed, err := Fix(all, map[string]string{"k": "7"})
	if err != nil || len(fixed) != len(all) {
		t.Fatal(err)
	}
	had := 0
	for k, c := range fixed {
		if c.Name != all[k].Name {
			t.Errorf("%s is called %s", all[k].Name, c.Name)
		}
		if c.Set["k"] == "7" {
			had++
		}
		for _, d := range c.Dials {
			if d.Param == "k" {
				t.Errorf("%s still turns k", c.Name)
			}
		}
	}
	if had < 3 {
		t.Errorf("%d candidates have a k", had)
	}
	for _, set := range []map[string]string{{"kk": "7"}, {"k": "x"}, {"k": "-1"}} {
		if _, err := Fix(all, set); err == nil {
			t.Errorf("%v is taken", set)
		}
	}
}
