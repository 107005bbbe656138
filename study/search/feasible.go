package search

import (
	"context"
	"slices"

	"github.com/dither-data/dither/study"
)

// This file holds candidates against limits on how they work: on their time, its growth and their memory.

// screened screens the candidates, and then lets those fall out whose work breaks a limit with their strongest noise.
func (s *search) screened(ctx context.Context) ([]*standing, error) {
	all, err := s.screen(ctx)
	s.hold(slices.ContainsFunc(all, func(st *standing) bool {
		return st.strong != nil && st.strong.Keeps() && !st.strong.Outknown
	}))
	if err != nil || !s.q.Works {
		return all, err
	}
	for _, st := range all {
		if s.spent() {
			break
		}
		if st.strong == nil || !st.strong.Keeps() {
			continue
		}
		c, strong := &s.q.Candidates[st.candidate], st.strong
		if _, err := s.feasible(ctx, st, c.at(st.candidate, st.top)); err != nil {
			return nil, err
		}
		if st.slow && len(c.Dials) > 0 && !st.strong.measured() { // with less noise it may be
			st.strong, st.slow = strong, false
		}
		s.step(c.Name)
	}
	return all, nil
}

// feasible reports whether the work of a setting keeps the limits on it. A candidate whose does not is out.
func (s *search) feasible(ctx context.Context, st *standing, set Setting) (bool, error) {
	if !s.q.Works {
		return true, nil
	}
	r, err := s.try(ctx, Trial{Setting: set, Share: 1, Works: true})
	if err != nil {
		return false, err
	}
	if !r.Keeps() {
		st.strong, st.slow = r, true
	}
	return !st.slow, nil
}

// measured reports whether a limit that is not kept was measured.
func (t *Tried) measured() bool {
	return slices.ContainsFunc(t.Demands, func(d study.Demand) bool { return d.Standing != study.Met && d.Value != nil })
}

// leave says of everything that was tried of a candidate that it keeps not all limits.
func (s *search) leave(candidate int) {
	for _, p := range s.points {
		if p.Candidate == candidate {
			p.Keeps, p.slow = false, true
		}
	}
}

// confirmed releases a setting anew, unless its work, which is that of finer steps than were looked at before, breaks a
// limit.
func (s *search) confirmed(ctx context.Context, set Setting) (done Confirmation, err error) {
	var r *Tried
	if s.q.Works {
		if r, err = s.try(ctx, Trial{Setting: set, Share: 1, Works: true}); err != nil {
			return done, err
		}
		if !r.Keeps() {
			return Confirmation{Setting: set, Demands: r.Demands}, nil
		}
		done, err = s.q.Confirm(ctx, set, r.Demands, s.strict)
	} else {
		done, err = s.q.Confirm(ctx, set, nil, s.strict)
	}
	done.Setting = set
	return done, err
}
