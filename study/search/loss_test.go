package search

import (
	"context"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/catalog"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/study"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"

	_ "github.com/dither-data/dither/policy/yaml"
)

// few and many are the shares of the records that a release spoils.
const few, many = 0.1, 0.6

// spoilt says how a release is made worse in what an aspect is of, in a share of its records, and leaves as much else
// as it can as it was.
var spoilt = map[string]func(v *values, share float64){
	"accuracy":         func(v *values, share float64) { v.turn(v.ill, share) },
	"rules":            func(v *values, share float64) { v.decide(share) },
	"associations":     func(v *values, share float64) { v.turn(v.mood, share) },
	"correlations":     func(v *values, share float64) { turn(v.y, share) },
	"means":            func(v *values, share float64) { v.shift(share) },
	"spreads":          func(v *values, share float64) { v.stretch(share) },
	"distributions":    func(v *values, share float64) { v.shift(share) },
	"margins":          func(v *values, share float64) { v.turn(v.mood, share) },
	"misses":           func(v *values, share float64) { v.turn(v.mood, share) },
	"artefacts":        func(v *values, share float64) { v.turn(v.mood, share) },
	"dissimilarity":    func(v *values, share float64) { v.fill(v.mood, share, 0) },
	"iqm-accuracy":     func(v *values, share float64) { v.turn(v.mood, share) },
	"iqm-completeness": func(v *values, share float64) { v.fill(v.mood, share, -1) },
	"iqm-consistency":  func(v *values, share float64) { v.far(share) },
	"detail":           func(v *values, share float64) { v.fill(v.mood, share, -1) },
}

// purposesOfTest is the information quality model by which lacks are measured.
const purposesOfTest = `asset:
  care:
    attributes: {mood: {aw: 1, cw: 1}, x: {}}
    constraints:
      near: {on: x, expr: x < 50}
`

// values are those of a table whose class, categories and numbers depend on each other.
type values struct {
	x, y            []float64
	mood, tone, ill []int32
}

func newValues(n int) *values {
	v := &values{}
	r := rand.New(rand.NewPCG(1, 2))
	for range n {
		x := r.NormFloat64()
		mood := int32(0)
		switch {
		case x > 0.5:
			mood = 2
		case x > -0.5:
			mood = 1
		}
		ill := int32(0)
		if x > 0 {
			ill = 1
		}
		v.x, v.y = append(v.x, x), append(v.y, x+0.2*r.NormFloat64())
		v.mood, v.tone, v.ill = append(v.mood, mood), append(v.tone, mood), append(v.ill, ill)
	}
	return v
}

func (v *values) clone() *values {
	return &values{slices.Clone(v.x), slices.Clone(v.y), slices.Clone(v.mood), slices.Clone(v.tone), slices.Clone(v.ill)}
}

func (v *values) table() *table.Table {
	moods := []string{"calm", "glad", "wild"}
	ill := table.CatColumn("ill", []string{"no", "yes"}, v.ill)
	ill.Role = table.Class
	return tabletest.Must(table.NumColumn("x", 0, v.x), table.NumColumn("y", 0, v.y),
		table.CatColumn("mood", moods, v.mood), table.CatColumn("tone", moods, v.tone), ill)
}

// turn gives a share of the records the values of each other.
func turn[T any](of []T, share float64) {
	n := int(share * float64(len(of)))
	slices.Reverse(of[:n])
	rand.New(rand.NewPCG(3, 4)).Shuffle(n, func(i, j int) { of[i], of[j] = of[j], of[i] })
}

func (v *values) turn(of []int32, share float64) { turn(of, share) }

func (v *values) fill(of []int32, share float64, code int32) {
	for i := range int(share * float64(len(of))) {
		of[i] = code
	}
}

func (v *values) shift(by float64) {
	for i := range v.x {
		v.x[i] += by
	}
}

func (v *values) stretch(by float64) {
	for i := range v.x {
		v.x[i] *= 1 + by
	}
}

// decide lets something else decide on the class.
func (v *values) decide(share float64) {
	for i := range int(share * float64(len(v.ill))) {
		if v.ill[i] = 0; v.mood[i] == 1 {
			v.ill[i] = 1
		}
	}
}

func (v *values) far(share float64) {
	for i := range int(share * float64(len(v.x))) {
		v.x[i] = 100
	}
}

// lostOf measures one aspect of a release as a choice does, and what of it the table can lose at all.
func lostOf(t *testing.T, name string, r *measure.Release) (lost float64, can bool) {
	t.Helper()
	list := []WeightedLoss{{name, 1}}
	taken := takenOf(t, list, r)
	base := NewBase(r.Original)
	able, _ := Applicable(list, taken, base)
	return Losses(list, taken, r, base)[0], len(able) == 1
}

// takenOf takes the measures of aspects as a choice does.
func takenOf(t *testing.T, list []WeightedLoss, r *measure.Release) []study.Measured {
	t.Helper()
	specs := Specs(list)
	for _, s := range specs {
		for param, value := range map[string]string{"sensitive": "ill=yes,tone=calm", "support": "0.1",
			"iqm": purposesOfTest} {
			if s.Measure.New().Params().Has(param) {
				s.Set[param] = value
			}
		}
	}
	taken := must.Get(study.Evaluate(t.Context(), r, specs, rng.New([32]byte{1}), nil))(t)
	return taken
}

// releases are the original as it is, and two of which the second is worse in what an aspect is of.
func releases(name string) (same, mild, bad *measure.Release) {
	v := newValues(400)
	of := func(share float64) *measure.Release {
		w := v.clone()
		if share > 0 {
			spoilt[name](w, share)
		}
		return &measure.Release{Original: v.table(), Released: w.table(), Paired: true}
	}
	return of(0), of(few), of(many)
}

// wrongDirection says what is wrong with a loss: the original must lose nothing, and the worse of two releases more.
// Empty where nothing is.
func wrongDirection(t *testing.T, name string) string {
	t.Helper()
	same, mild, bad := releases(name)
	none, can := lostOf(t, name, same)
	some, _ := lostOf(t, name, mild)
	most, _ := lostOf(t, name, bad)
	switch {
	case !can:
		return "the table has nothing of it to lose"
	case none != 0:
		return fmt.Sprintf("the original loses %v", none)
	case !(some < most):
		return fmt.Sprintf("a release loses %v, and a worse one %v", some, most)
	}
	return ""
}

// chosenOf chooses between two releases that keep the limits by one aspect, and returns which is taken.
func chosenOf(t *testing.T, name string, rs []*measure.Release) int {
	t.Helper()
	q := Request{Aspects: []WeightedLoss{{name, 1}}, Seeds: 1, LeastShare: 1}
	var losses [][]float64
	for k, r := range rs {
		q.Candidates = append(q.Candidates,
			Candidate{Name: fmt.Sprint(k), Method: protect.Method{Card: card.Card{Name: fmt.Sprint("c", k)}}})
		lost, _ := lostOf(t, name, r)
		losses = append(losses, []float64{lost})
	}
	q.Try = func(_ context.Context, tr Trial) (Tried, error) { return Tried{Losses: losses[tr.Candidate]}, nil }
	q.Confirm = func(_ context.Context, s Setting, _ []study.Demand, _ bool) (Confirmation, error) {
		return Confirmation{Keeps: true, Losses: losses[s.Candidate]}, nil
	}
	c, err := Choose(t.Context(), q)
	if err != nil || c.Chosen == nil {
		t.Fatalf("%s: %+v, %v", name, c, err)
	}
	return c.Chosen.Candidate
}

// TestLossDirection: of every aspect, the original loses nothing and the worse of two releases more; and a loss that is
// turned around shows in this very test.
func TestLossDirection(t *testing.T) {
	if got := LossNames(); len(got) != 15 || !slices.Equal(got, slices.Sorted(maps.Keys(spoilt))) {
		t.Fatalf("aspects %v are without a test of their own", got)
	}
	for _, name := range LossNames() {
		if wrong := wrongDirection(t, name); wrong != "" {
			t.Errorf("%s: %s", name, wrong)
		}
		turned := lossesByName()[name]
		of, or := turned.Of, turned.Else
		turned.Of = func(v measure.Value, b measure.Base) float64 { return 1 - of(v, b) }
		if or != nil {
			turned.Else = func(r *measure.Release) float64 { return 1 - or(r) }
		}
		was := lossesByName()[name]
		lossesByName()[name] = turned
		if wrongDirection(t, name) == "" {
			t.Errorf("%s: turned around it passes all the same", name)
		}
		lossesByName()[name] = was
	}
}

// TestLossDirectionOfNobody: of releases whose records are nobody's and in another order, the worse loses more of
// every aspect, and one that has the original's values nothing, but for those of single records: these are named as not
// measured, of such releases alone.
func TestLossDirectionOfNobody(t *testing.T) {
	single := []string{"iqm-accuracy", "iqm-completeness", "iqm-consistency"}
	for _, name := range LossNames() {
		var lost []float64
		same, mild, bad := releases(name)
		for _, r := range []*measure.Release{same, mild, bad} {
			if got := unmeasuredOf(t, name, r); got != nil {
				t.Errorf("%s is not measured of paired records", name)
			}
			of := nobodys(r)
			if got := unmeasuredOf(t, name, of); (got != nil) != slices.Contains(single, name) {
				t.Errorf("%s: not measured of nobody's records: %v", name, got)
			}
			v, _ := lostOf(t, name, of)
			lost = append(lost, v)
		}
		if slices.Contains(single, name) {
			continue
		}
		if lost[0] > 1e-9 || !(lost[1] < lost[2]) {
			t.Errorf("%s: nobody's records lose %v", name, lost)
		}
	}
}

// nobodys is a release in another order, of which no record is anybody's.
func nobodys(r *measure.Release) *measure.Release {
	n := r.Released.Rows()
	rows := make([]int, n)
	for i := range rows {
		rows[i] = (7*i + 3) % n
	}
	return &measure.Release{Original: r.Original, Released: r.Released.Gather(rows)}
}

// unmeasuredOf returns what of an aspect is named as not measured.
func unmeasuredOf(t *testing.T, name string, r *measure.Release) []string {
	t.Helper()
	list := []WeightedLoss{{name, 1}}
	return Unmeasured(list, takenOf(t, list, r))
}

// TestLossDecides: of two releases that keep the limits the one that loses less is chosen, whichever is named first, by
// every aspect alone.
func TestLossDecides(t *testing.T) {
	for _, name := range LossNames() {
		_, mild, bad := releases(name)
		for at, rs := range [][]*measure.Release{{mild, bad}, {bad, mild}} {
			if got := chosenOf(t, name, rs); got != at {
				t.Errorf("%s: of candidates in order %d the worse is chosen", name, at)
			}
		}
	}
}

// TestDetailOfGroups: of a release that generalises, what is left open is what the values cover of their domain.
func TestDetailOfGroups(t *testing.T) {
	l := lossesByName()["detail"]
	r := &measure.Release{Recoding: measure.Recoding{Exact: newValues(1).table()}}
	for _, c := range []struct{ score, want float64 }{{0, 0}, {0.25, 0.25}, {1, 1}} {
		taken := []study.Measured{{Card: l.by.Card, Value: measure.Exact(c.score, nil)}}
		if got := Losses([]WeightedLoss{{"detail", 1}}, taken, r, measure.Base{}); got[0] != c.want {
			t.Errorf("a penalty of %v loses %v", c.score, got[0])
		}
	}
	if got := Losses([]WeightedLoss{{"detail", 1}}, nil, r, measure.Base{}); got[0] != 1 {
		t.Errorf("what was not measured loses %v", got[0])
	}
}

// TestNumbersThatAreLost: a column that the release has no numbers of has lost its numbers.
func TestNumbersThatAreLost(t *testing.T) {
	v := newValues(50)
	whole := v.table()
	r := &measure.Release{Original: whole, Released: whole.Select(1, 2, 3, 4), Paired: true}
	for _, name := range []string{"correlations", "means", "spreads"} {
		l := lossesByName()[name]
		taken := []study.Measured{
			{Card: l.by.Card, Value: measure.Exact(0, []measure.Part{{Key: "mean-shift"}, {Key: "sd-largest"}})},
		}
		if got := Losses([]WeightedLoss{{name, 1}}, taken, r, measure.Base{}); got[0] != 0.5 {
			t.Errorf("%s: without one of two columns of numbers %v is lost", name, got[0])
		}
	}
}

// TestLossesGoByKeys: rewording every figure of every measure changes no loss, and one whose figure has another key is
// not to be had.
func TestLossesGoByKeys(t *testing.T) {
	// those of a part, not of the score
	by := map[string]bool{"accuracy": true, "means": true, "spreads": true, "distributions": true}
	for _, name := range LossNames() {
		_, _, bad := releases(name)
		list := []WeightedLoss{{name, 1}}
		want, _ := lostOf(t, name, bad)
		l := lossesByName()[name]
		of := l.Of
		for how, change := range map[string]func(*measure.Part){
			"words": func(p *measure.Part) { p.Name = message.Name("figure " + fmt.Sprint(len(p.Name.String()))) },
			"keys":  func(p *measure.Part) { p.Key += "-renamed" },
		} {
			changed := l
			changed.Of = func(v measure.Value, b measure.Base) float64 {
				v.Parts = slices.Clone(v.Parts)
				for k := range v.Parts {
					change(&v.Parts[k])
				}
				return of(v, b)
			}
			lossesByName()[name] = changed
			got, can := lostOf(t, name, bad)
			lossesByName()[name] = l
			if gone := how == "keys" && by[name]; can == gone || !gone && got != want {
				t.Errorf("%s: with other %s it can be lost: %v, and %v is, which was %v", name, how, can, got, want)
			}
		}
		if _, cannot := Applicable(list, nil, measure.Base{}); l.Else == nil && !slices.Equal(cannot, []string{name}) {
			t.Errorf("%s: what was not measured can be lost all the same", name)
		}
	}
}

// TestLossesOfTheCatalogue: every loss that a measure brings has a name of its own, words and a weight in some purpose,
// in which no place is taken twice.
func TestLossesOfTheCatalogue(t *testing.T) {
	places := map[string]string{}
	n := 0
	for _, m := range catalog.Measures() {
		for _, l := range m.Losses {
			n++
			if l.Name == "" || l.Says.Key() == "" || l.Of == nil || len(l.Weights) == 0 ||
				lossesByName()[l.Name].by.Name != m.Name {
				t.Errorf("%s: %+v", m.Name, l)
			}
			for _, w := range l.Weights {
				at := fmt.Sprint(w.Purpose, w.Place)
				if w.Weight <= 0 || w.Place <= 0 || places[at] != "" {
					t.Errorf("%s in %s: weight %v, place %d, which %q has", l.Name, w.Purpose, w.Weight, w.Place, places[at])
				}
				places[at] = l.Name
			}
		}
	}
	if n != len(lossesByName()) {
		t.Errorf("%d losses have %d names", n, len(lossesByName()))
	}
}

// TestPrices: a price is what would be lost with the limit half as high again and two thirds as high, and per hundredth
// of the limit what less that is.
func TestPrices(t *testing.T) {
	w := &world{dials: []int{0, 0, 0}, limit: 0.2}
	w.risk = func(c int, _ []int, _, _ int) (float64, float64) { return []float64{0.1, 0.18, 0.28}[c], 0 }
	w.loss = func(c int, _ []int, _ int) []float64 { v := []float64{0.5, 0.3, 0.1}[c]; return []float64{v, v} }
	q := w.request()
	try := q.Try
	q.Try = func(ctx context.Context, t Trial) (Tried, error) { t.Losses = true; return try(ctx, t) }
	c, err := Choose(t.Context(), q)
	if err != nil || len(c.Prices) != 1 {
		t.Fatalf("%+v, %v", c, err)
	}
	near := func(a, b float64) bool { return math.Abs(a-b) < 1e-12 }
	// 10 hundredths more save 0.2, which is 0.02 for each.
	if p := c.Prices[0]; !near(p.Loss, 0.3) || !near(p.Looser, 0.1) || !near(p.Stricter, 0.5) ||
		!near(p.PerHundredth(), 0.02) {
		t.Errorf("%+v, %v per hundredth", p, p.PerHundredth())
	}
}
