package search

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"

	"pgregory.net/rapid"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/study"
)

// Least asks for no more than it has to, and finds what a scan finds.
func TestLeastByScan(t *testing.T) {
	long.Check(t, func(t *rapid.T) {
		from := rapid.IntRange(1, Levels).Draw(t, "from")
		asked := 0
		got, err := Least(0, Levels, 1, func(l int) (bool, error) { asked++; return l >= from, nil })
		if err != nil || got != from {
			t.Fatalf("%d, %v; expected %d", got, err, from)
		}
		if asked > 8 {
			t.Fatalf("%d questions for %d levels", asked, Levels)
		}
	})
}

// world is a made-up table: what candidates lose and risk as functions of their levels.
type world struct {
	dials  []int // of every candidate
	loss   func(candidate int, levels []int, seed int) []float64
	risk   func(candidate int, levels []int, seed, effort int) (value, half float64)
	limit  float64
	fresh  func(candidate int, levels []int) float64 // what the confirmation finds; nil for the value of seed 0
	trials atomic.Int64
}

func (w *world) demand(value, half float64) study.Demand {
	lo, hi := value-half, value+half
	d := study.Demand{Measure: "found", Value: &value, Lo: &lo, Hi: &hi, Max: &w.limit, Standing: study.Unproven}
	switch {
	case hi <= w.limit:
		d.Standing = study.Met
	case lo > w.limit:
		d.Standing = study.Broke
	}
	return d
}

func (w *world) request() Request {
	q := Request{Aspects: []WeightedLoss{{"a", 1}, {"b", 2}}, Seeds: 2, LeastShare: 1}
	for k, n := range w.dials {
		c := Candidate{Name: fmt.Sprint("c", k), Method: protect.Method{Card: card.Card{Name: fmt.Sprint("c", k)}}}
		for d := range n {
			c.Dials = append(c.Dials, Dial{Param: fmt.Sprint("p", d), Noise: param.Noise{Mild: 0, Strong: Levels}, Whole: true})
		}
		q.Candidates = append(q.Candidates, c)
	}
	q.Try = func(_ context.Context, t Trial) (Tried, error) {
		w.trials.Add(1)
		if t.Unjudged {
			return Tried{Losses: w.loss(t.Candidate, t.Levels, t.Seed), Unjudged: true}, nil
		}
		v, half := w.risk(t.Candidate, t.Levels, t.Seed, t.Effort)
		r := Tried{Demands: []study.Demand{w.demand(v, half)}, More: t.Effort < mostEffort}
		if r.Keeps() || t.Losses {
			r.Losses = w.loss(t.Candidate, t.Levels, t.Seed)
		}
		return r, nil
	}
	q.Confirm = func(_ context.Context, s Setting, _ []study.Demand, _ bool) (Confirmation, error) {
		if w.fresh != nil {
			return Confirmation{Keeps: w.fresh(s.Candidate, s.Levels) <= w.limit}, nil
		}
		v, _ := w.risk(s.Candidate, s.Levels, 0, mostEffort)
		return Confirmation{Keeps: v <= w.limit}, nil
	}
	return q
}

// drawn is a world of three candidates of one dial whose risk falls and whose loss grows with noise.
func drawn(t *rapid.T) *world {
	type curve struct{ slope, floor, cost, start float64 }
	var cs []curve
	for k := range 3 {
		draw := func(name string, lo, hi float64) float64 {
			return rapid.Float64Range(lo, hi).Draw(t, fmt.Sprint(name, k))
		}
		cs = append(cs,
			curve{draw("slope", 0.005, 0.1), draw("floor", 0, 0.15), draw("cost", 0.0001, 0.003), draw("start", 0, 0.2)})
	}
	w := &world{dials: []int{1, 1, 1}, limit: 0.1}
	w.risk = func(c int, l []int, seed, effort int) (float64, float64) {
		return cs[c].floor + 1/(1+cs[c].slope*float64(l[0])+0.01*float64(seed)), 0.02 / math.Exp2(float64(effort))
	}
	w.loss = func(c int, l []int, _ int) []float64 {
		v := cs[c].start + cs[c].cost*float64(l[0])
		return []float64{v, v / 2}
	}
	return w
}

// TestChoiceByExhaustion holds the search against trying every level of every candidate with every seed.
func TestChoiceByExhaustion(t *testing.T) {
	long.Check(t, func(t *rapid.T) {
		w := drawn(t)
		q := w.request()
		got := must.Get(Choose(context.Background(), q))(t)
		best := math.Inf(1)
		for c := range w.dials {
			for l := 0; l <= Levels; l++ {
				keeps := true
				for seed := range q.Seeds {
					v, half := w.risk(c, []int{l}, seed, mostEffort)
					keeps = keeps && v+half <= w.limit
				}
				if loss := q.total(w.loss(c, []int{l}, 0)); keeps {
					best = min(best, loss)
				}
			}
		}
		switch {
		case math.IsInf(best, 1):
			if got.Chosen != nil {
				t.Fatalf("%v is chosen, and nothing keeps the limit", got.Chosen)
			}
		case got.Chosen == nil:
			t.Fatalf("nothing is chosen; the best loses %v", best)
		case got.Chosen.Total > best+0.003*fine*2+1e-9 && got.Chosen.Total > 1.02*best:
			t.Fatalf("the choice loses %v; the best %v", got.Chosen.Total, best)
		}
	})
}

// TestGridByExhaustion holds the best of a grid against judging every setting of it.
func TestGridByExhaustion(t *testing.T) {
	long.Check(t, func(t *rapid.T) {
		w := drawn(t)
		q := w.request()
		q.Grid = 8
		got := must.Get(Choose(context.Background(), q))(t)
		best := math.Inf(1)
		for c := range w.dials {
			if v, half := w.risk(c, []int{Levels}, 0, mostEffort); v+half > w.limit {
				continue
			}
			for l := 0; l <= Levels; l += Levels / q.Grid {
				keeps := true
				for seed := range q.Seeds {
					v, half := w.risk(c, []int{l}, seed, mostEffort)
					keeps = keeps && v+half <= w.limit
				}
				if keeps {
					best = min(best, q.total(w.loss(c, []int{l}, 0)))
				}
			}
		}
		found := math.Inf(1)
		for _, o := range got.Ranking {
			if o.Proof {
				found = min(found, o.Total)
			}
		}
		if math.Abs(found-best) > 1e-12 && found != best {
			t.Fatalf("the grid says %v; its best loses %v", found, best)
		}
	})
}

// Two dials, of which one alone takes the risk away: the other goes back to where it costs nothing.
func TestChoiceTurnsBackWhatDoesNotHelp(t *testing.T) {
	w := &world{dials: []int{2}, limit: 0.1}
	w.risk = func(_ int, l []int, _, _ int) (float64, float64) { return 1 / (1 + 0.1*float64(l[0])), 0 }
	w.loss = func(_ int, l []int, _ int) []float64 {
		v := 0.001*float64(l[0]) + 0.002*float64(l[1])
		return []float64{v, v}
	}
	got, err := Choose(context.Background(), w.request())
	if err != nil || got.Chosen == nil {
		t.Fatalf("%v, %v", got, err)
	}
	if l := got.Chosen.Levels; l[1] != 0 || l[0] < 90 || l[0] > 96 {
		t.Errorf("levels %v; expected about 90 and 0", l)
	}
}

// A winner that does not keep the limit when it is released anew gives way to the next.
func TestChoiceIsConfirmed(t *testing.T) {
	w := &world{dials: []int{1, 1}, limit: 0.1}
	w.risk = func(_ int, l []int, _, _ int) (float64, float64) { return 1 / (1 + 0.1*float64(l[0])), 0 }
	w.loss = func(c int, l []int, _ int) []float64 {
		v := 0.001*float64(l[0]) + 0.01*float64(c)
		return []float64{v, v}
	}
	w.fresh = func(c int, _ []int) float64 { return []float64{0.2, 0.05}[c] }
	got, err := Choose(context.Background(), w.request())
	if err != nil || got.Chosen == nil || got.Chosen.Candidate != 1 {
		t.Fatalf("%+v, %v; expected the second candidate", got, err)
	}
	if n := len(got.Confirmed); n < 2 || n > mostConfirmed || got.Confirmed[0].Keeps || !got.Confirmed[n-1].Keeps {
		t.Errorf("%d confirmations: %+v", n, got.Confirmed)
	}
	w.fresh = func(int, []int) float64 { return 0.2 }
	if got, err = Choose(context.Background(), w.request()); err != nil || got.Chosen != nil ||
		len(got.Confirmed) != mostConfirmed {
		t.Errorf("%+v, %v; expected no choice after %d confirmations", got, err, mostConfirmed)
	}
}

// Unproven counts as broken, and more attacks are spent only where they decide.
func TestMoreAttacksWhereTheyDecide(t *testing.T) {
	w := &world{dials: []int{0, 0, 0}, limit: 0.1}
	tried := map[[2]int]bool{}
	var mu sync.Mutex
	w.risk = func(c int, _ []int, _, effort int) (float64, float64) {
		mu.Lock()
		defer mu.Unlock()
		tried[[2]int{c, effort}] = true
		return []float64{0.05, 0.09, 0.099}[c], 0.03 / math.Exp2(2*float64(effort))
	}
	w.loss = func(c int, _ []int, _ int) []float64 { v := []float64{0.3, 0.2, 0.1}[c]; return []float64{v, v} }
	w.fresh = func(int, []int) float64 { return 0 }
	got, err := Choose(context.Background(), w.request())
	if err != nil || got.Chosen == nil || got.Chosen.Candidate != 1 {
		t.Fatalf("%+v, %v; expected the second candidate: the third stays unproven", got, err)
	}
	want := map[[2]int]bool{{0, 0}: true, {1, 0}: true, {1, 1}: true, {2, 0}: true, {2, 1}: true, {2, 2}: true}
	if !reflect.DeepEqual(tried, want) {
		t.Errorf("tried %v, expected %v", tried, want)
	}
}

// A risk that grows again with more noise is not taken for one that falls.
func TestChoiceWhereMoreNoiseHurts(t *testing.T) {
	w := &world{dials: []int{1}, limit: 0.1}
	w.risk = func(_ int, l []int, _, _ int) (float64, float64) {
		if l[0] >= 32 && l[0] < 64 || l[0] == Levels || l[0] == 176 {
			return 0.05, 0
		}
		return 0.5, 0
	}
	w.loss = func(_ int, l []int, _ int) []float64 { v := 0.001 * float64(l[0]); return []float64{v, v} }
	got, err := Choose(context.Background(), w.request())
	if err != nil || got.Chosen == nil || got.Chosen.Levels[0] > Levels {
		t.Fatalf("%+v, %v", got, err)
	}
}

// TestChoiceOnAnyCores compares choices on one core and on all.
func TestChoiceOnAnyCores(t *testing.T) {
	long.Check(t, func(t *rapid.T) {
		w := drawn(t)
		choose := func(cores int) *Choice {
			defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(cores))
			return must.Get(Choose(context.Background(), w.request()))(t)
		}
		if a, b := choose(1), choose(4); fmt.Sprintf("%+v", told(a)) != fmt.Sprintf("%+v", told(b)) {
			t.Fatalf("one core: %+v\nfour: %+v", told(a), told(b))
		}
	})
}

// told is a choice without pointers.
func told(c *Choice) any {
	out := []any{c.Ranking, c.Prices, c.Turns, c.Points, c.Trials, c.Cut}
	for _, o := range []*Option{c.Chosen, c.RunnerUp} {
		if o != nil {
			out = append(out, o.Setting, o.Total, o.Share)
		}
	}
	for k := range c.Ranking {
		c.Ranking[k].each = nil
	}
	for k := range c.Points {
		c.Points[k].each = nil
	}
	return out
}

// Where one candidate loses less with enough noise than all others with their mildest, one of these is second all the
// same: the one that loses least with its mildest.
func TestSomebodyIsSecond(t *testing.T) {
	w := &world{dials: []int{1, 1, 1}, limit: 0.1}
	w.risk = func(_ int, l []int, _, _ int) (float64, float64) { return 1 / (1 + 0.2*float64(l[0])), 0.001 }
	start := []float64{0.5, 0.01, 0.4}
	w.loss = func(c int, l []int, _ int) []float64 {
		v := start[c] + 0.0001*float64(l[0])
		return []float64{v, v}
	}
	c := must.Get(Choose(context.Background(), w.request()))(t)
	if c.Chosen == nil || c.Chosen.Candidate != 1 || c.RunnerUp == nil || c.RunnerUp.Candidate != 2 || !c.RunnerUp.Keeps {
		t.Errorf("chosen %+v, second %+v", c.Chosen, c.RunnerUp)
	}
	if len(c.Rejected) != 1 || !c.Rejected[0].Outdone || c.Rejected[0].Candidate != 0 {
		t.Errorf("out are %+v", c.Rejected)
	}
}

// A choice that was ended anywhere goes on from its trials, makes none again, and is the same.
func TestChoiceGoesOn(t *testing.T) {
	w := &world{dials: []int{1, 2, 1}, limit: 0.1}
	w.risk = func(c int, l []int, seed, _ int) (float64, float64) {
		return 1/(1+0.02*float64(c+1)*float64(l[0])) + 0.001*float64(seed), 0.002
	}
	w.loss = func(c int, l []int, seed int) []float64 {
		v := 0.001 * float64(l[0]) * float64(c+1)
		return []float64{v + 0.001*float64(seed), v * v}
	}
	whole := must.Get(Choose(context.Background(), w.request()))(t)
	all := w.trials.Load()
	rnd := rand.New(rand.NewPCG(1, 1))
	for range 10 {
		kept, stop := map[string]Tried{}, errors.New("ended")
		q, left := w.request(), rnd.IntN(int(all))
		q.Finished = func(key string, r Tried) error {
			if left--; left < 0 {
				return stop
			}
			kept[key] = r
			return nil
		}
		if _, err := Choose(context.Background(), q); !errors.Is(err, stop) {
			t.Fatalf("%v; expected the end", err)
		}
		w.trials.Store(0)
		q = w.request()
		q.Done = kept
		again := must.Get(Choose(context.Background(), q))(t)
		if n := w.trials.Load(); n != all-int64(len(kept)) {
			t.Errorf("%d trials were made after %d of %d", n, len(kept), all)
		}
		if a, b := fmt.Sprintf("%+v", told(whole)), fmt.Sprintf("%+v", told(again)); a != b {
			t.Errorf("the choice is another:\n%s\n%s", a, b)
		}
	}
}

// A budget ends the search between candidates, and the choice says so.
func TestBudget(t *testing.T) {
	w := &world{dials: []int{1, 1, 1, 1}, limit: 0.1}
	w.risk = func(_ int, l []int, _, _ int) (float64, float64) { return 1 / (1 + 0.1*float64(l[0])), 0 }
	w.loss = func(c int, l []int, _ int) []float64 {
		v := 0.001*float64(l[0]) - 0.01*float64(c) + 0.1
		return []float64{v, v}
	}
	q := w.request()
	var asked atomic.Int64
	q.Spent = func() bool { return asked.Add(1) > 6 }
	got, err := Choose(context.Background(), q)
	if err != nil || !got.Cut || got.Chosen == nil || len(got.Rejected) == 0 {
		t.Fatalf("%+v, %v", got, err)
	}
}

// Where less noise loses more, what loses least of all that was tried is proven and chosen, not the least noise.
func TestLeastLossIsNotLeastNoise(t *testing.T) {
	w := &world{dials: []int{1}, limit: 0.1}
	w.risk = func(_ int, l []int, _, _ int) (float64, float64) { return 1 / (1 + 0.1*float64(l[0])), 0 } // kept from 90 on
	w.loss = func(_ int, l []int, _ int) []float64 {
		v := 0.2 // but at half of all noise, which bisection tries
		if l[0] >= 120 && l[0] <= 136 {
			v = 0.1
		}
		return []float64{v, v}
	}
	got, err := Choose(context.Background(), w.request())
	if err != nil || got.Chosen == nil || got.Chosen.Total > 0.1+1e-9 || !got.Chosen.Proof {
		t.Fatalf("%+v, %v; expected a loss of 0.1", got.Chosen, err)
	}
	for _, p := range got.Prices {
		if p.Loss < got.Chosen.Total {
			t.Errorf("the choice loses %v, and %v was tried under the limit", got.Chosen.Total, p.Loss)
		}
	}
}
