package search

import (
	"context"
	"fmt"
	"math"

	"github.com/dither-data/dither/catalog"
	"github.com/dither-data/dither/study"
)

// Trial is one release that is made to see what it would be like, and judged.
type Trial struct {
	Setting
	Seed   int // number of the randomness, from 0; settings of one number share it as far as they can
	Effort int // how often the number of attacks is doubled
	// Share is the part of the records that is protected, in (0, 1].
	Share float64
	// Losses says that what is lost is measured even where the release breaks a limit.
	Losses bool
	// Unjudged says that the release is not held against the limits: only what is lost is measured, at a small part of the
	// cost.
	Unjudged bool
	// Works says that how the technique works is measured, and held against the limits on that alone.
	Works bool
}

// Tried is what became of a trial.
type Tried struct {
	Demands []study.Demand `json:"demands,omitempty"` // one for every limit and intruder
	Losses  []float64      `json:"losses,omitempty"`  // by aspect, in [0, 1]; nil where they were not measured
	More    bool           `json:"more,omitempty"`    // more attacks could be tried
	// Outknown says that somebody who knows more than those whom the limits bind finds more than they allow.
	Outknown bool   `json:"outknown,omitempty"`
	Err      string `json:"error,omitempty"` // why there is no release
	// Unjudged says that nothing was held against the limits, so they are not shown to be kept.
	Unjudged bool `json:"unjudged,omitempty"`

	strict bool // the limits are to hold against those who know more, too
}

// recall gives the demands of a trial that was kept back what their measures say of themselves, which is not kept with
// it.
func recall(r *Tried) {
	for k := range r.Demands {
		if m, err := catalog.Measure(r.Demands[k].Measure); err == nil {
			r.Demands[k].Facts = m.Facts
		}
	}
}

// Standing returns the worst standing of the demands. A technique that makes no release keeps nothing.
func (t *Tried) Standing() study.Standing {
	s := study.Met
	for _, d := range t.Demands {
		if d.Standing == study.Broke || t.Err != "" {
			return study.Broke
		}
		if d.Standing == study.Unproven {
			s = study.Unproven
		}
	}
	switch {
	case t.Err != "":
		return study.Broke
	case t.Unjudged:
		return study.Unproven
	case t.strict && t.Outknown:
		return study.Broke
	}
	return s
}

// Keeps reports whether every limit is shown to be kept.
func (t *Tried) Keeps() bool { return t.Standing() == study.Met }

// Excess returns by how much a demand is beyond its limit at the pessimistic end, 0 for none; infinite where it was not
// measured.
func Excess(d *study.Demand) float64 {
	switch {
	case d.Standing == study.Met:
		return 0
	case d.Max != nil && d.Hi != nil:
		return *d.Hi - *d.Max
	case d.Min != nil && d.Lo != nil:
		return *d.Min - *d.Lo
	}
	return math.Inf(1)
}

// worst returns the demand that is furthest beyond its limit, as a share of the limit; nil where all are met.
func (t *Tried) worst() (worst *study.Demand) {
	most := 0.0
	for k := range t.Demands {
		d := &t.Demands[k]
		if d.Standing == study.Met {
			continue
		}
		by := Excess(d)
		if d.Max != nil && *d.Max > 0 {
			by /= *d.Max
		}
		if worst == nil || by > most {
			worst, most = d, by
		}
	}
	return worst
}

// key names a trial for anyone who keeps what became of it.
func (q *Request) key(t Trial) string {
	return fmt.Sprint(q.Candidates[t.Candidate].Describe(t.Setting), []any{t.Seed, t.Effort, t.Share, t.Losses, t.Unjudged,
		t.Works})
}

// try makes a trial, unless it was made before.
func (s *search) try(ctx context.Context, t Trial) (*Tried, error) {
	if r := s.made(t); r != nil {
		return r, nil
	}
	r, err := s.q.Try(ctx, t)
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	key := s.q.key(t)
	r.strict = s.strict
	s.known[key] = &r
	if s.q.Finished != nil {
		if err := s.q.Finished(key, r); err != nil {
			return nil, err
		}
	}
	s.seen(t, &r)
	return &r, nil
}

// made returns what became of a trial that was made, in this run or an earlier one; nil for none. One that measured
// more will do.
func (s *search) made(t Trial) *Tried {
	s.mu.Lock()
	defer s.mu.Unlock()
	other := t
	other.Losses = !t.Losses
	for _, alike := range []Trial{t, other} {
		if r := s.known[s.q.key(alike)]; r != nil &&
			(alike.Losses == t.Losses || !t.Losses || r.Losses != nil || r.Err != "") {
			s.seen(t, r)
			return r
		}
	}
	return nil
}

// settle makes a trial with as many attacks as it takes to tell whether the limits are kept, or as there are.
func (s *search) settle(ctx context.Context, t Trial) (*Tried, error) {
	for t.Effort = 0; ; t.Effort++ {
		r, err := s.try(ctx, t)
		if err != nil || r.Standing() != study.Unproven || !r.More || t.Effort == mostEffort {
			return r, err
		}
	}
}
