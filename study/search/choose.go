// Package search chooses the technique and its parameters: the one that loses least of what the owner needs, among
// those shown to meet every limit.
//
// It makes the three steps of Nai Fovino & Masera (2008, section 6.1) operational. Candidates are techniques and
// compositions; each has dials, the parameters that are declared to be amounts of noise. Every candidate is tried with
// its strongest noise, and falls out if even that breaks a limit at the pessimistic end; the others are searched for
// the least noise that keeps the limits: by bisection where more noise was not seen to hurt, else over a grid, which
// larger tables put in order on some of their records. Unproven counts as broken, and more attacks are spent where that
// decides. What is lost is the weighted mean of losses by aspect, each from 0 to 1.
//
// Limits bind some intruders, and others know more. Where a candidate keeps the limits against these, too, only such
// settings count; where none does, or none is confirmed, those count that keep the limits against whom they bind.
//
// Many releases were looked at, and the best of many is partly the luckiest. So the choice is confirmed: released anew
// with other randomness and other intruders, and only that second result counts. If it breaks a limit, the next best is
// confirmed.
//
// What is tried depends on what trials showed and on nothing else, so a choice is the same on any number of cores, and
// a run that ended early goes on from the trials it made. Only a budget of time makes it depend on the machine; the
// choice then says that it was cut.
//
// The package knows no tables: anyone who asks makes the trials.
package search

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"math"
	"slices"

	"github.com/dither-data/dither/internal/system/parallel"
	"github.com/dither-data/dither/limit"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/study"
)

// Request asks for a choice.
type Request struct {
	Candidates []Candidate
	Aspects    []WeightedLoss // at least one, with a weight above 0
	Seeds      int            // at least 1: with how many the least noise must keep the limits
	LeastShare float64        // of the records that a trial needs at least, in (0, 1]
	// Grid is set to look for the best of all settings with so many levels above the mildest for every dial, with all
	// seeds, instead of searching: to hold a search against. 0 searches.
	Grid int
	// Works says that there are limits on how a technique works. They are held against every candidate that keeps the
	// others, with its strongest noise and with the least that was found, and while nothing else runs. A choice then
	// depends on the machine.
	Works bool
	// Try makes a trial; it may be called from several goroutines. A release that cannot be made is a Tried with Err; an
	// error ends the search.
	Try func(context.Context, Trial) (Tried, error)
	// Confirm releases anew, with other randomness and other intruders than any trial, and says whether the release keeps
	// the limits; strictly where it is to keep them against those who know more than whom they bind, too. Worked is what
	// the setting's work comes to; nil without Works.
	Confirm func(ctx context.Context, s Setting, worked []study.Demand, strictly bool) (Confirmation, error)
	// Done are the trials of an earlier run of the same request, by key; they are not made again.
	Done map[string]Tried
	// Finished is called with every trial as soon as it is made, one call at a time; nil for nobody.
	Finished func(key string, r Tried) error
	// Spent reports whether the budget is spent; nil for no budget.
	Spent func() bool
	// Progress is told whenever a piece of the search is done, and of what; nil for nobody.
	Progress func(what string)
}

// Confirmation is what became of a setting that was released anew.
type Confirmation struct {
	Setting Setting        `json:"-"`
	Keeps   bool           `json:"keeps"`
	Demands []study.Demand `json:"demands,omitempty"`
	Losses  []float64      `json:"losses,omitempty"`
	// Outknown says that nothing but those who know more than whom the limits bind was in the way.
	Outknown bool `json:"-"`
}

// mostConfirmed is how many settings are confirmed before it is given up. Each wrongly passes with the chance of the
// bounds, 5 %.
const mostConfirmed = 5

// Choice is what was decided, and all that was learned on the way.
type Choice struct {
	Chosen    *Option        // nil where nothing was confirmed
	RunnerUp  *Option        // the best of another technique that was shown to keep the limits; nil for none
	Ranking   []Option       // the best setting of every technique that keeps the limits, by what it loses
	Rejected  []Rejected     // in the order of the candidates
	Confirmed []Confirmation // in their order; the last is the choice, if any was
	Turns     []Turn         // changes of one weight with which the runner-up would win
	Prices    []Price
	Points    []Point // all settings that were tried on all records, in the order of their names
	Aspects   []WeightedLoss
	Trials    int
	Cut       bool // the budget was spent before the search was over
}

// Total is what losses come to, by the weights.
func (c *Choice) Total(losses []float64) float64 { return total(c.Aspects, losses) }

// Option is a technique with the parameters that lose least.
type Option struct {
	Point
	Total float64 // what it loses, weighted
	Share float64 // of all weights, with which it comes first
	Proof bool    // with all seeds
}

// Rejected is a candidate that is out.
type Rejected struct {
	Candidate int
	Why       message.Sentence // where no limit says
	Demand    *study.Demand    // the limit that is furthest away, with the strongest noise; nil where none says
	By        float64          // how far beyond it the pessimistic end is
	NotHere   bool             // the technique does not apply to the table
	Baseline  bool             // it was not tried: what it makes is to compare with, and not for release
	Outdone   bool             // it keeps the limits, and loses more than others whatever its noise
}

// Price is what a limit costs.
type Price struct {
	Measure string  `json:"measure"`
	Limit   float64 `json:"limit"`
	Loss    float64 `json:"loss"` // of the best setting under the limit, of all that were tried
	// Looser is what would be lost under a limit half as high again, and Stricter under one two thirds as high; NaN where
	// nothing tried keeps it.
	Looser, Stricter float64
}

// PerHundredth is by how much less would be lost for each hundredth by which the limit were higher.
func (p Price) PerHundredth() float64 { return (p.Loss - p.Looser) / (50 * p.Limit) }

// Choose searches. It fails for a wrong request, for an error of Try, Confirm or Finished, and when ctx ends. Cost: a
// trial or two for every candidate, five or so more for one that may win, and some 40 for each of three finalists; of a
// small table up to three for every setting of a finalist's grid besides.
func Choose(ctx context.Context, q Request) (*Choice, error) {
	switch {
	case len(q.Candidates) == 0:
		return nil, errors.New("there is nothing to choose from")
	case !slices.ContainsFunc(q.Candidates, func(c Candidate) bool { return !c.Method.Baseline }):
		return nil, errors.New("there is nothing to choose from but baselines, which are to compare with and not for release")
	case len(q.Aspects) == 0 || !(q.total(ones(len(q.Aspects))) > 0):
		return nil, errors.New("nothing says what must not be lost")
	case q.Seeds < 1:
		return nil, errors.New("a choice needs at least one seed")
	}
	s := &search{q: &q, known: map[string]*Tried{}, points: map[string]*Point{}}
	for key, r := range q.Done {
		recall(&r)
		s.known[key] = &r
	}
	look := s.look
	if q.Grid > 0 {
		look = s.exhaust
	}
	all, err := look(ctx)
	if err != nil {
		return nil, err
	}
	c, err := s.decide(ctx, all)
	if err == nil && c.Chosen == nil && slices.ContainsFunc(c.Confirmed, func(d Confirmation) bool { return d.Outknown }) {
		tried := c.Confirmed
		s.hold(false)
		if c, err = s.decide(ctx, all); c != nil {
			c.Confirmed = slices.Concat(tried, c.Confirmed)
		}
	}
	return c, err
}

// decide draws what follows from the trials, and confirms it.
func (s *search) decide(ctx context.Context, all []*standing) (*Choice, error) {
	c := &Choice{Aspects: s.q.Aspects, Cut: s.cut}
	s.conclude(c, all)
	if err := s.confirm(ctx, c); err != nil {
		return nil, err
	}
	c.Trials = len(s.known)
	return c, nil
}

// look searches.
func (s *search) look(ctx context.Context) ([]*standing, error) {
	all, err := s.screened(ctx)
	if err == nil {
		err = s.bisect(ctx, all)
	}
	if err == nil {
		err = s.refine(ctx, all)
	}
	return all, err
}

// exhaust finds the best setting of the grid: what each loses is measured with all seeds, and they are held against the
// limits in that order until one keeps them. All others lose more.
func (s *search) exhaust(ctx context.Context) ([]*standing, error) {
	all, err := s.screened(ctx)
	if err != nil {
		return nil, err
	}
	grid := s.grid(all)
	losses := make([]float64, len(grid))
	err = parallel.Few(ctx, abreast, len(grid), func(k int) (err error) {
		losses[k], err = s.measured(ctx, grid[k], 1, s.q.Seeds)
		return err
	})
	if err != nil {
		return nil, err
	}
	order := make([]int, len(grid))
	for k := range order {
		order[k] = k
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(losses[a], losses[b]) })
	for _, k := range order {
		if kept, err := s.keeps(ctx, grid[k], s.q.Seeds); err != nil || kept {
			return all, err
		}
	}
	return all, nil
}

// grid returns the settings of all candidates that keep the limits with their strongest noise.
func (s *search) grid(all []*standing) (grid []Setting) {
	for _, st := range all {
		if st.strong != nil && st.strong.Keeps() {
			grid = append(grid, s.q.Candidates[st.candidate].grid(st.candidate, s.q.Grid)...)
		}
	}
	return grid
}

// measured returns what a setting loses on a share of the records, the mean over so many seeds; infinite where it makes
// no release.
func (s *search) measured(ctx context.Context, set Setting, share float64, seeds int) (float64, error) {
	sum := 0.0
	for seed := range seeds {
		r, err := s.try(ctx, Trial{Setting: set, Seed: seed, Share: share, Losses: true, Unjudged: true})
		if err != nil {
			return 0, err
		}
		if r.Losses == nil {
			return math.Inf(1), nil
		}
		sum += s.q.total(r.Losses) / float64(seeds)
	}
	return sum, nil
}

func ones(n int) []float64 {
	out := make([]float64, n)
	for k := range out {
		out[k] = 1
	}
	return out
}

// spent reports whether the budget is spent, and keeps that it was.
func (s *search) spent() bool {
	if s.q.Spent == nil || !s.q.Spent() {
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.cut = true
	return true
}

func (s *search) step(what string) {
	if s.q.Progress != nil {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.q.Progress(what)
	}
}

// conclude draws what follows from the trials.
func (s *search) conclude(c *Choice, all []*standing) {
	for _, st := range all {
		if st.slow {
			s.leave(st.candidate)
		}
	}
	for _, p := range s.points {
		c.Points = append(c.Points, *p)
	}
	name := func(p *Point) string { return s.q.Candidates[p.Candidate].Describe(p.Setting) }
	slices.SortFunc(c.Points, func(a, b Point) int { return cmp.Compare(name(&a), name(&b)) })
	best := map[int]Option{}
	for _, p := range c.Points {
		o := Option{Point: p, Total: s.q.total(p.Losses), Proof: p.Seeds == s.q.Seeds}
		had, ok := best[p.Candidate]
		if p.Keeps && (!ok || o.Proof && !had.Proof || o.Proof == had.Proof && o.Total < had.Total) {
			best[p.Candidate] = o
		}
	}
	for _, st := range all {
		o, ok := best[st.candidate]
		if out := s.rejected(st, ok); out != nil {
			c.Rejected = append(c.Rejected, *out)
		} else if ok {
			c.Ranking = append(c.Ranking, o)
		}
	}
	slices.SortStableFunc(c.Ranking, func(a, b Option) int { return cmp.Compare(a.Total, b.Total) })
	var vectors [][]float64
	for _, o := range c.Ranking {
		var v []float64
		for k, a := range s.q.Aspects {
			if a.Weight > 0 {
				v = append(v, o.Losses[k])
			}
		}
		vectors = append(vectors, v)
	}
	for k, share := range WinShares(vectors) {
		c.Ranking[k].Share = share
	}
}

// rejected says why a candidate is out; nil where it is not.
func (s *search) rejected(st *standing, kept bool) *Rejected {
	out := &Rejected{Candidate: st.candidate, Why: st.why}
	switch {
	case s.q.Candidates[st.candidate].Method.Baseline:
		out.Baseline = true
		return out
	case st.strong == nil:
		return out
	case st.strong.Err != "":
		out.Why, out.NotHere = message.Text(st.strong.Err), true
		return out
	case !st.strong.Keeps():
		if out.Demand = st.strong.worst(); out.Demand != nil {
			out.By = Excess(out.Demand)
		} else if st.strong.Outknown {
			out.Why = message.Say("out.outknown")
		}
		return out
	case !st.why.Empty():
		out.Outdone = true
		return out
	case !kept:
		out.Why = message.Say("out.seeds")
		return out
	}
	return nil
}

// confirm releases the best settings anew until one keeps the limits, and says what it means.
func (s *search) confirm(ctx context.Context, c *Choice) error {
	var proven []Point
	for _, p := range c.Points {
		if p.Keeps && (p.Seeds == s.q.Seeds || c.Cut) {
			proven = append(proven, p)
		}
	}
	slices.SortStableFunc(proven, func(a, b Point) int { return cmp.Compare(s.q.total(a.Losses), s.q.total(b.Losses)) })
	var sought []float64
	for k := 0; len(c.Confirmed) < mostConfirmed; k++ {
		p, err := s.further(ctx, c, proven, k)
		if err != nil {
			return err
		}
		if p == nil {
			break
		}
		s.step("confirming " + s.q.Candidates[p.Candidate].Name)
		done, err := s.confirmed(ctx, p.Setting)
		if err != nil {
			return err
		}
		c.Confirmed = append(c.Confirmed, done)
		if !done.Keeps {
			continue
		}
		c.Chosen, sought = &Option{Point: *p, Proof: p.Seeds == s.q.Seeds}, p.Losses
		if done.Losses != nil { // only the second result counts
			c.Chosen.Losses = done.Losses
		}
		c.Chosen.Total, c.Chosen.Risk = s.q.total(c.Chosen.Losses), riskOf(&Tried{Demands: done.Demands})
		break
	}
	if c.Chosen == nil {
		return nil
	}
	for k := range c.Ranking {
		switch o := &c.Ranking[k]; {
		case o.Candidate == c.Chosen.Candidate:
			c.Chosen.Share = o.Share
		case c.RunnerUp == nil:
			c.RunnerUp = o
		}
	}
	if c.RunnerUp != nil {
		c.Turns = s.q.turns(sought, c.RunnerUp.Losses)
	}
	c.Prices = s.prices(c)
	return nil
}

// further returns what is confirmed as the kth: the settings that were shown to keep the limits, by what they lose, and
// after them the first with more and more noise. Nil where nothing is left.
func (s *search) further(ctx context.Context, c *Choice, proven []Point, k int) (*Point, error) {
	if k < len(proven) {
		return &proven[k], nil
	}
	if len(proven) == 0 || len(proven[0].Levels) == 0 || c.Cut {
		return nil, nil
	}
	for by := coarse / 2; by <= Levels; by *= 2 {
		set := shifted(proven[0].Setting, by)
		if c.confirmedAlready(set) {
			continue
		}
		if ok, err := s.keeps(ctx, set, s.q.Seeds); err != nil {
			return nil, err
		} else if ok {
			p := *s.points[s.q.Candidates[set.Candidate].Describe(set)]
			c.Points = append(c.Points, p)
			return &p, nil
		}
	}
	return nil, nil
}

// confirmedAlready reports whether a setting was released anew.
func (c *Choice) confirmedAlready(set Setting) bool {
	return slices.ContainsFunc(c.Confirmed, func(d Confirmation) bool {
		return d.Setting.Candidate == set.Candidate && slices.Equal(d.Setting.Levels, set.Levels)
	})
}

// prices says of every limit that somebody came near what it costs, by all settings that were tried.
func (s *search) prices(c *Choice) (out []Price) {
	limits := map[string]float64{}
	for _, p := range c.Points {
		if p.Risk.Measure != "" {
			limits[p.Risk.Measure] = p.Risk.Limit
		}
	}
	delete(limits, limit.Stronger) // an attack on nearly all has no nearest looser bound
	for _, name := range sortedKeys(limits) {
		under := func(factor float64) float64 {
			best := math.NaN()
			for _, p := range c.Points {
				if total := s.q.total(p.Losses); p.under(name, factor) && !(total >= best) {
					best = total
				}
			}
			return best
		}
		p := Price{Measure: name, Limit: limits[name], Loss: under(1), Looser: under(1.5), Stricter: under(2.0 / 3)}
		if p.Loss == p.Loss {
			out = append(out, p)
		}
	}
	return out
}

// under reports whether a setting would keep every limit if that of a measure were so many times what it is.
func (p *Point) under(measure string, factor float64) bool {
	if p.slow {
		return false
	}
	for _, r := range p.each {
		if r == nil {
			continue
		}
		for k := range r.Demands {
			d := &r.Demands[k]
			switch {
			case d.Measure != measure:
				if d.Standing != study.Met {
					return false
				}
			case d.Max == nil || d.Hi == nil || *d.Hi > factor**d.Max:
				return false
			}
		}
	}
	return true
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
