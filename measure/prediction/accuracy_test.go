package prediction

import (
	"context"
	"encoding/json"
	"math"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/measure/internal/trees"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/segment/tree"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// steps returns a table whose class is "yes" where x is above cut, but for one record in flip.
func steps(t *testing.T, n int, cut float64, flip int) *table.Table {
	t.Helper()
	x, class := make([]float64, n), make([]int32, n)
	for i := range x {
		x[i] = float64(i % 10)
		if (x[i] > cut) != (flip > 0 && i%flip == 0) {
			class[i] = 1
		}
	}
	c := table.CatColumn("class", []string{"no", "yes"}, class)
	c.Role = table.Class
	return tabletest.Of(t, table.NumColumn("x", 1, x), c)
}

func accuracyTake(t *testing.T, r *measure.Release) measure.Value {
	t.Helper()
	v := must.Get(Accuracy.New().Measure(context.Background(), r, rng.Source{}))(t)
	return v
}

// TestAccuracies has rules that part x at 4 in the original and at 6 in the release: values 5 and 6, a fifth of the
// records, are predicted wrong by the other table's tree.
func TestAccuracies(t *testing.T) {
	r := &measure.Release{Original: steps(t, 100, 4, 0), Released: steps(t, 200, 6, 0), Holdout: steps(t, 50, 5, 0)}
	v := accuracyTake(t, r)
	want := AccuracyDetail{
		OriginalOriginal: 100,
		OriginalReleased: 80,
		OriginalHoldout:  90,
		ReleasedOriginal: 80,
		ReleasedReleased: 100,
		ReleasedHoldout:  90,
		LeavesOriginal:   2,
		LeavesReleased:   2,
	}
	if v.Detail != want {
		t.Errorf("detail %+v, expected %+v", v.Detail, want)
	}
	if v.Score != 90 || len(v.Parts) != 6 {
		t.Errorf("score %v with %d parts, expected 90, the accuracy on the hold-out, with 6", v.Score, len(v.Parts))
	}
	// Wilson's interval of 45 in 50, from his formula: (0.9 + z²/100 ± z sqrt(0.09/50 + z²/10000)) / (1 + z²/50).
	if math.Abs(v.Lo-78.640) > 0.001 || math.Abs(v.Hi-95.652) > 0.001 {
		t.Errorf("bounds %v and %v, expected 78.640 and 95.652", v.Lo, v.Hi)
	}
}

func TestWithoutHoldout(t *testing.T) {
	r := &measure.Release{Original: steps(t, 100, 4, 0), Released: steps(t, 200, 6, 0)}
	v := accuracyTake(t, r)
	if v.Score != 80 || v.Lo != 80 || v.Hi != 80 || len(v.Parts) != 4 || len(v.Notes) != 1 {
		t.Errorf("score %v in [%v, %v] with %d parts and notes %q, expected exactly 80, 4 parts and a note",
			v.Score, v.Lo, v.Hi, len(v.Parts), v.Notes)
	}
	text, err := json.Marshal(v.Detail)
	want := `{"originalTree":{"original":100,"released":80,"holdout":null,"leaves":2},` +
		`"releasedTree":{"original":80,"released":100,"holdout":null,"leaves":2}}`
	if err != nil || string(text) != want {
		t.Errorf("detail encodes to %s, error %v", text, err)
	}
}

func TestMissingClassDoesNotCount(t *testing.T) {
	tab := steps(t, 100, 4, 0)
	class := append([]int32(nil), tab.Cat(1)...)
	for i := range 50 {
		class[i] = -1
	}
	r := &measure.Release{Original: tab, Released: tab, Holdout: tab.WithCat(1, class)}
	tr := must.Get(trees.Original(context.Background(), r, *param.Default(&trees.Learner{})))(t)
	if p, n := Of(tr, r.Holdout); p != 100 || n != 50 {
		t.Errorf("%v %% of %d records, expected 100 %% of 50", p, n)
	}
	if p, n := Of(tr, nil); !math.IsNaN(p) || n != 0 {
		t.Errorf("no table gives %v %% of %d records", p, n)
	}
}

// TestWilsonCovers computes exactly how often the 95 % interval holds the true share; for these shares and 50 records
// it is between 92 and 98 %.
func TestWilsonCovers(t *testing.T) {
	const n = 50
	for _, p := range []float64{0.1, 0.3, 0.5, 0.85, 0.95} {
		covered := 0.0
		lg := func(k int) float64 { v, _ := math.Lgamma(float64(k + 1)); return v }
		for k := range n + 1 {
			lo, hi := wilson(100*float64(k)/n, n)
			if lo <= 100*p && 100*p <= hi {
				covered += math.Exp(lg(n) - lg(k) - lg(n-k) + float64(k)*math.Log(p) + float64(n-k)*math.Log(1-p))
			}
		}
		if covered < 0.92 || covered > 0.98 {
			t.Errorf("at a share of %v the interval covers %v", p, covered)
		}
	}
}

// TestForest has a tree that sees x and one that sees y, which decides the class and x agrees with in four records of
// five. Whatever the voting, what is measured is what the forests of the release predict.
func TestForest(t *testing.T) {
	x, y, class := make([]float64, 100), make([]float64, 100), make([]int32, 100)
	for i := range x {
		y[i], x[i] = float64(i%10), float64((i+3*(i%5/4))%10)
		if y[i] > 4 {
			class[i] = 1
		}
	}
	c := table.CatColumn("class", []string{"no", "yes"}, class)
	c.Role = table.Class
	tab := tabletest.Of(t, table.NumColumn("x", 1, x), table.NumColumn("y", 1, y), c)
	r := &measure.Release{Original: tab, Released: tab.WithNum(1, x), Holdout: tab.Slice(0, 50)}
	for _, voting := range tree.Votings {
		m := Accuracy.New().(*AccuracyMeter)
		must.NoError(t, m.Params().Apply(map[string]string{"model": "forest", "voting": voting, "trees": "2",
			"goodness": "1"}))
		v := must.Get(m.Measure(context.Background(), r, rng.Source{}))(t)
		_, f, err := m.learn(context.Background(), r)
		must.NoError(t, err)
		if len(f.Trees) != 2 || f.Voting != voting {
			t.Fatalf("%d trees with voting %q, expected 2 with %q", len(f.Trees), f.Voting, voting)
		}
		predicted := make([]int32, 50)
		f.Predict(r.Holdout, predicted)
		right := 0.0
		for i, c := range predicted {
			if c == class[i] {
				right += 2
			}
		}
		d := v.Detail.(AccuracyDetail)
		if v.Score != right || d.OriginalOriginal != 100 || v.Parts[0].Name.String() != "original forest on original" {
			t.Errorf("%s: score %v with %+v and parts %v, expected %v", voting, v.Score, d, v.Parts, right)
		}
	}
}

// TestGeneralised has a release that says low and high for x, cut at another place than the class: the release's tree
// predicts the records between wrong, the original's, learned from the exact x, all right.
func TestGeneralised(t *testing.T) {
	exact := steps(t, 200, 4, 0)
	codes := make([]int32, 200)
	for i, x := range exact.Num(0) {
		if x > 6 {
			codes[i] = 1
		}
	}
	x := table.CatColumn("x", []string{"low", "high"}, codes)
	general := must.Get(exact.WithColumn(0, x))(t)
	v := accuracyTake(
		t,
		&measure.Release{
			Original: general,
			Released: general,
			Recoding: measure.Recoding{Exact: exact, ExactHoldout: exact},
			Paired:   true,
			Holdout:  general,
		},
	)
	d := v.Detail.(AccuracyDetail)
	if d.OriginalOriginal != 100 || d.OriginalHoldout != 100 || d.ReleasedHoldout != 80 || v.Score != 80 ||
		!math.IsNaN(d.OriginalReleased) {
		t.Errorf("%+v, a score of %v", d, v.Score)
	}
	if len(v.Notes) == 0 {
		t.Error("no note says that the release generalises")
	}
}
