package chooser

import (
	"cmp"
	"context"
	"math"
	"slices"
)

// polish looks for the least noise of the finalists in fine steps, with all seeds: all dials together first, then each by itself.
func (s *search) polish(ctx context.Context, all []*standing) error {
	order := slices.DeleteFunc(slices.Clone(all), func(st *standing) bool { return !st.found })
	slices.SortStableFunc(order, func(a, b *standing) int { return cmp.Compare(s.loss(a.least), s.loss(b.least)) })
	for k, st := range order {
		if k == finalists || k > 0 && s.loss(st.least) > near*s.loss(order[0].least)+equal {
			break
		}
		if s.spent() {
			return nil
		}
		if err := s.polished(ctx, st); err != nil {
			return err
		}
		s.step(s.q.Candidates[st.candidate].Name)
	}
	return s.prove(ctx, all)
}

// prove holds against the limits with all seeds what keeps them with those that it was tried with and loses less than all that is proven: less noise does not always
// lose less, so the least noise need not be what loses least. What is proven so or broken is not looked at again.
func (s *search) prove(ctx context.Context, all []*standing) error {
	for !s.spent() {
		var best *Point
		for _, p := range s.points {
			if p.Keeps && !all[p.Candidate].slow && (best == nil || s.better(p, best)) {
				best = p
			}
		}
		if best == nil || best.Seeds == s.q.Seeds {
			return nil
		}
		if _, err := s.keeps(ctx, best.Setting, s.q.Seeds); err != nil {
			return err
		}
		if best.Keeps && best.Seeds < s.q.Seeds { // a seed makes no release
			best.Keeps = false
		}
	}
	return nil
}

// better reports whether a point loses less than another; of equal ones the one that is proven, then the first by name.
func (s *search) better(a, b *Point) bool {
	name := func(p *Point) string { return s.q.Candidates[p.Candidate].Describe(p.Setting) }
	return cmp.Or(cmp.Compare(s.q.total(a.Losses), s.q.total(b.Losses)), cmp.Compare(b.Seeds, a.Seeds), cmp.Compare(name(a), name(b))) < 0
}

func (s *search) polished(ctx context.Context, st *standing) error {
	c := &s.q.Candidates[st.candidate]
	if len(c.Dials) == 0 {
		_, err := s.keeps(ctx, st.least, s.q.Seeds)
		return err
	}
	base := st.least
	if len(c.Dials) > 1 {
		better, err := s.halve(ctx, st)
		if err != nil {
			return err
		}
		if better != nil {
			base = *better
		}
	}
	proven, ok, err := s.line(ctx, base)
	if err != nil || !ok {
		return err
	}
	st.least = proven
	if len(c.Dials) == 1 {
		return nil
	}
	for k := range c.Dials {
		at := proven.Levels[k]
		level, err := s.leastFrom(ctx, at, coarse, func(l int) Setting { return with(proven, k, l) })
		if err != nil {
			return err
		}
		if less := with(proven, k, level); level < at && s.loss(less) < s.loss(proven) {
			proven = less
		}
	}
	st.least = proven
	return nil
}

// with is a setting with one dial on another level.
func with(s Setting, dial, level int) Setting {
	s.Levels = slices.Clone(s.Levels)
	s.Levels[dial] = level
	return s
}

// shifted is a setting with all dials moved together, as far as they go.
func shifted(s Setting, by int) Setting {
	s.Levels = slices.Clone(s.Levels)
	for k, l := range s.Levels {
		s.Levels[k] = min(max(l+by, 0), Levels)
	}
	return s
}

// line looks from a setting, all dials moved together, for the least noise that keeps the limits with all seeds. It is false where none does.
func (s *search) line(ctx context.Context, from Setting) (Setting, bool, error) {
	keeps := func(by int) (bool, error) { return s.keeps(ctx, shifted(from, by), s.q.Seeds) }
	hi := 0
	for ; ; hi = max(coarse, 2*hi) {
		ok, err := keeps(hi)
		if err != nil {
			return from, false, err
		}
		if ok {
			break
		}
		if hi >= Levels {
			return from, false, nil
		}
	}
	lo := -coarse
	if hi > 0 {
		lo = hi / 2
		if hi == coarse {
			lo = 0
		}
	} else if shiftedBelow := slices.Max(from.Levels); shiftedBelow == 0 {
		return from, true, nil
	}
	by, err := Least(lo, hi, fine, keeps)
	if err != nil {
		return from, false, err
	}
	// A step more is proved too: what is confirmed if the least is not.
	if _, err := keeps(by + coarse/2); err != nil {
		return from, false, err
	}
	return shifted(from, by), true, nil
}

// leastFrom lowers one level from one that keeps the limits as far as they stay kept with all seeds.
func (s *search) leastFrom(ctx context.Context, at, step int, setting func(int) Setting) (int, error) {
	if at == 0 {
		return 0, nil
	}
	keeps := func(l int) (bool, error) { return s.keeps(ctx, setting(l), s.q.Seeds) }
	ok, err := keeps(0)
	if err != nil || ok {
		return 0, err
	}
	return Least(0, at, step, keeps)
}

// halve looks for a better start of a candidate with several dials by successive halving (Jamieson & Talwalkar 2016): a Latin design of settings is tried on a
// ninth of the records, the third of them that stands best on a third, and the best of these on all. Standing best is to be beaten by few in loss and risk
// alike. Nil where the start is no better than what is known.
func (s *search) halve(ctx context.Context, st *standing) (*Setting, error) {
	c := &s.q.Candidates[st.candidate]
	var field []Setting
	for _, l := range latin(len(c.Dials)) {
		field = append(field, Setting{st.candidate, l})
	}
	for share := 1.0 / 9; share < 1; share *= 3 {
		type met struct {
			Setting
			loss, risk float64
		}
		var all []met
		for _, f := range field {
			r, err := s.try(ctx, Trial{Setting: f, Share: max(share, s.q.LeastShare), Losses: true})
			if err != nil {
				return nil, err
			}
			m := met{f, math.Inf(1), riskOf(r).pressure()}
			if r.Losses != nil {
				m.loss = s.q.total(r.Losses)
			}
			all = append(all, m)
		}
		beaten := func(a met) (n int) {
			for _, b := range all {
				if b.loss <= a.loss && b.risk <= a.risk && (b.loss < a.loss || b.risk < a.risk) {
					n++
				}
			}
			return n
		}
		slices.SortStableFunc(all, func(a, b met) int { return cmp.Or(cmp.Compare(beaten(a), beaten(b)), cmp.Compare(a.loss, b.loss)) })
		field = field[:0]
		for _, m := range all[:max(1, len(all)/3)] {
			field = append(field, m.Setting)
		}
	}
	var best *Setting
	for _, f := range field {
		ok, err := s.keeps(ctx, f, 1)
		if err != nil {
			return nil, err
		}
		if ok && s.loss(f) < s.loss(st.least) && (best == nil || s.loss(f) < s.loss(*best)) {
			best = &f
		}
	}
	return best, nil
}

// latin returns nine settings of the levels of so many dials: each dial has nine levels, and each level occurs once.
func latin(dials int) (out [][]int) {
	const n = 9
	for i := range n {
		var levels []int
		for d := range dials {
			step := []int{1, 2, 4, 5, 7, 8}[d%6] // coprime to nine, so every level occurs once
			levels = append(levels, (i*step+d)%n*Levels/(n-1))
		}
		out = append(out, levels)
	}
	return out
}
