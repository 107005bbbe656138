package search

import (
	"cmp"
	"context"
	"math"
	"slices"
	"sync"

	"github.com/dither-data/dither/internal/system/parallel"
	"github.com/dither-data/dither/message"
)

// What the search spends. They count work, so a choice does not depend on how fast a machine is.
const (
	mostEffort = 2  // doublings of the attacks
	coarse     = 16 // levels of the first bisection
	fine       = 2  // levels of the second
	finalists  = 3  // candidates whose least noise is looked for in fine steps, with all seeds
	// A finalist loses at most so many times what the best loses, and so much more: finer steps do not make up for more.
	near, equal = 1.5, 0.005
	abreast     = 2 // trials at a time: each uses all cores, with stretches in which it does not
	scanned     = 8 // steps of the grid that is tried where more noise was seen not to help, and of that of a finalist

	ninth      = 1.0 / 9 // of the records, on which a finalist's grid is put in order
	fewRecords = 1.0 / 3 // a table is small where a trial needs more of its records
)

// search is a choice in the making.
type search struct {
	q      *Request
	mu     sync.Mutex
	known  map[string]*Tried
	points map[string]*Point
	cut    bool
	strict bool // only what holds against those who know more, too, counts as keeping the limits
}

// Point is a setting that was tried on all records: the means of what it loses over the seeds, and the worst bound of
// what the limits are on.
type Point struct {
	Setting
	Keeps  bool      `json:"keeps"` // every limit, with every seed that was tried
	Seeds  int       `json:"seeds"` // with which the losses were measured
	Losses []float64 `json:"losses"`
	// Risk is the figure furthest towards its limit, of the seed that was worst.
	Risk Risk `json:"risk"`

	each   []*Tried // by seed, with most attacks
	effort []int
	slow   bool // the work of its candidate breaks a limit
}

// Risk is a figure that a limit is on.
type Risk struct {
	Measure string  `json:"measure"`
	Against string  `json:"against"`
	Value   float64 `json:"value"`
	Lo      float64 `json:"lo"`
	Hi      float64 `json:"hi"`
	Limit   float64 `json:"limit"`
}

// pressure is how far the pessimistic end is towards the limit: 1 at the limit.
func (r Risk) pressure() float64 {
	if r.Limit <= 0 {
		return 0
	}
	return r.Hi / r.Limit
}

// riskOf returns the figure that is furthest towards its limit, of those with an upper limit above 0.
func riskOf(t *Tried) (out Risk) {
	for _, d := range t.Demands {
		if d.Max == nil || *d.Max <= 0 || d.Value == nil || d.Hi == nil {
			continue
		}
		r := Risk{Measure: d.Measure, Against: d.Against, Value: *d.Value, Lo: *d.Value, Hi: *d.Hi, Limit: *d.Max}
		if d.Lo != nil {
			r.Lo = *d.Lo
		}
		if out.Measure == "" || r.pressure() > out.pressure() {
			out = r
		}
	}
	return out
}

// seen keeps what a trial on all records showed. The lock is held.
func (s *search) seen(t Trial, r *Tried) {
	if t.Share < 1 || t.Unjudged || r.Losses == nil || r.Err != "" {
		return
	}
	name := s.q.Candidates[t.Candidate].Describe(t.Setting)
	p := s.points[name]
	if p == nil {
		p = &Point{Setting: t.Setting, each: make([]*Tried, s.q.Seeds), effort: make([]int, s.q.Seeds)}
		s.points[name] = p
	}
	if p.each[t.Seed] != nil && t.Effort < p.effort[t.Seed] {
		return
	}
	p.each[t.Seed], p.effort[t.Seed] = r, t.Effort
	p.sum()
}

// sum works out what the seeds have shown together.
func (p *Point) sum() {
	p.Keeps, p.Seeds, p.Losses, p.Risk = true, 0, nil, Risk{}
	for _, r := range p.each {
		if r == nil {
			continue
		}
		if p.Losses == nil {
			p.Losses = make([]float64, len(r.Losses))
		}
		p.Seeds++
		for k, v := range r.Losses {
			p.Losses[k] += v
		}
		p.Keeps = p.Keeps && r.Keeps()
		if k := riskOf(r); p.Risk.Measure == "" || k.pressure() > p.Risk.pressure() {
			p.Risk = k
		}
	}
	for k := range p.Losses {
		p.Losses[k] /= float64(p.Seeds)
	}
}

// hold says whether the limits are to hold against those who know more, too, in all that was and will be tried.
func (s *search) hold(strict bool) {
	s.strict = strict
	for _, r := range s.known {
		r.strict = strict
	}
	for _, p := range s.points {
		p.sum()
	}
}

// keeps reports whether a setting keeps every limit with so many seeds. It gives up at the first that does not.
func (s *search) keeps(ctx context.Context, set Setting, seeds int) (bool, error) {
	for k := range seeds {
		r, err := s.settle(ctx, Trial{Setting: set, Seed: k, Share: 1, Losses: true})
		if err != nil {
			return false, err
		}
		if !r.Keeps() {
			return false, nil
		}
	}
	return true, nil
}

// loss is the weighted loss of a setting that was tried; infinite where it was not, or made no release.
func (s *search) loss(set Setting) float64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	p := s.points[s.q.Candidates[set.Candidate].Describe(set)]
	if p == nil {
		return math.Inf(1)
	}
	return s.q.total(p.Losses)
}

// Least returns the smallest whole number in (lo, hi] that is feasible, to within step, where hi is feasible and lo is
// not, and more never hurts: it halves the bracket. Cost: log2((hi-lo)/step) questions.
func Least(lo, hi, step int, feasible func(int) (bool, error)) (int, error) {
	for hi-lo > step {
		mid := lo + (hi-lo)/2/step*step
		if mid == lo {
			mid = lo + step
		}
		ok, err := feasible(mid)
		if err != nil {
			return hi, err
		}
		if ok {
			hi = mid
		} else {
			lo = mid
		}
	}
	return hi, nil
}

// standing is what is known of a candidate during the search.
type standing struct {
	candidate int
	strong    *Tried
	top       int // the level of the strongest noise that the table has records enough for
	mildLoss  float64
	least     Setting // the least noise so far; valid where found
	found     bool
	why       message.Sentence // why it is out, where no limit says
	slow      bool             // its work breaks a limit; strong then holds that
}

// screen tries every candidate with its strongest noise, and measures what those that keep the limits there lose with
// their mildest. Whether that keeps them too is looked at where it may decide.
func (s *search) screen(ctx context.Context) ([]*standing, error) {
	out := make([]*standing, len(s.q.Candidates))
	err := parallel.Few(ctx, abreast, len(out), func(k int) (err error) {
		c := &s.q.Candidates[k]
		st := &standing{candidate: k, top: Levels, mildLoss: math.Inf(1)}
		out[k] = st
		switch {
		case c.Method.Baseline:
			st.why = message.Say("out.baseline")
			return nil
		case s.spent():
			st.why = message.Say("out.untried")
			return nil
		}
		defer s.step(c.Name)
		for {
			if st.strong, err = s.settle(ctx, Trial{Setting: c.at(k, st.top), Share: 1}); err != nil || st.strong.Err == "" ||
				len(c.Dials) == 0 ||
				st.top == Levels/4 {
				break
			}
			st.top -= Levels / 4
		}
		if err != nil || !st.strong.Keeps() {
			return err
		}
		mild := st.strong
		if len(c.Dials) > 0 {
			if mild, err = s.try(ctx, Trial{Setting: c.at(k, 0), Share: 1, Losses: true, Unjudged: true}); err != nil {
				return err
			}
		}
		if mild.Losses != nil {
			st.mildLoss = s.q.total(mild.Losses)
		}
		return nil
	})
	return out, err
}

// bisect looks for the least noise of every candidate that may win, all dials together, with one seed. They are taken
// by what they lose with their mildest noise, so that one which loses more with it than another with enough is left
// alone: more noise never loses less.
func (s *search) bisect(ctx context.Context, all []*standing) error {
	order := slices.DeleteFunc(slices.Clone(all),
		func(st *standing) bool { return st.strong == nil || !st.strong.Keeps() })
	slices.SortStableFunc(order, func(a, b *standing) int { return cmp.Compare(a.mildLoss, b.mildLoss) })
	best := math.Inf(1)
	for _, st := range order {
		c := &s.q.Candidates[st.candidate]
		switch {
		case st.mildLoss > best:
			if len(c.Dials) > 0 { // else all is known of it
				st.why = message.Say("out.outdone")
			}
			continue
		case s.spent():
			st.why = message.Say("out.unfinished")
			continue
		}
		level, err := s.lowest(ctx, st)
		if err != nil {
			return err
		}
		least := c.at(st.candidate, level)
		if ok, err := s.feasible(ctx, st, least); err != nil {
			return err
		} else if !ok {
			continue
		}
		st.least, st.found = least, true
		best = min(best, s.loss(st.least))
		s.step(c.Name)
	}
	return s.second(ctx, order)
}

// second looks for the least noise of one candidate more where only one is left: of those that lose more with their
// mildest noise than it with enough, the first is second, and anyone who asks wants to know by how much.
func (s *search) second(ctx context.Context, order []*standing) error {
	left := 0
	for _, st := range order {
		if st.found || len(s.q.Candidates[st.candidate].Dials) == 0 {
			left++
		}
	}
	for _, st := range order {
		if left != 1 || st.why.Empty() || st.slow || s.spent() {
			continue
		}
		level, err := s.lowest(ctx, st)
		if err != nil {
			return err
		}
		least := s.q.Candidates[st.candidate].at(st.candidate, level)
		ok, err := s.feasible(ctx, st, least)
		if err != nil {
			return err
		}
		if st.why = (message.Sentence{}); ok {
			st.least, st.found = least, true
			left++
		}
	}
	return nil
}

// lowest returns the lowest level of all dials of a candidate that keeps the limits with one seed.
func (s *search) lowest(ctx context.Context, st *standing) (int, error) {
	c := &s.q.Candidates[st.candidate]
	if len(c.Dials) == 0 {
		return 0, nil
	}
	if ok, err := s.keeps(ctx, c.at(st.candidate, 0), 1); err != nil || ok {
		return 0, err
	}
	asked := map[int]bool{0: false, st.top: true}
	level, err := Least(0, st.top, coarse, func(l int) (bool, error) {
		ok, err := s.keeps(ctx, c.at(st.candidate, l), 1)
		asked[l] = ok
		return ok, err
	})
	if err != nil || monotone(asked) {
		return level, err
	}
	for l := 0; l <= Levels; l += Levels / scanned { // more noise was seen to hurt: look everywhere
		ok, err := s.keeps(ctx, c.at(st.candidate, l), 1)
		if err != nil {
			return level, err
		}
		if ok && s.loss(c.at(st.candidate, l)) < s.loss(c.at(st.candidate, level)) {
			level = l
		}
	}
	return level, nil
}

// monotone reports whether no level that keeps the limits is below one that does not.
func monotone(asked map[int]bool) bool {
	for a, ok := range asked {
		for b, also := range asked {
			if ok && !also && a < b {
				return false
			}
		}
	}
	return true
}
