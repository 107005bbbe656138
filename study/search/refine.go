package search

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/dither-data/dither/internal/system/parallel"
)

// refine looks for the least noise of the finalists, with all seeds: on a grid first, then in fine steps, of all dials
// together and of each by itself.
func (s *search) refine(ctx context.Context, all []*standing) error {
	order := slices.DeleteFunc(slices.Clone(all), func(st *standing) bool { return !st.found })
	slices.SortStableFunc(order, func(a, b *standing) int { return cmp.Compare(s.loss(a.least), s.loss(b.least)) })
	for k, st := range order {
		if k == finalists || k > 0 && s.loss(st.least) > float64(near*s.loss(order[0].least))+equal {
			break
		}
		if s.spent() {
			return nil
		}
		if err := s.refined(ctx, st); err != nil {
			return err
		}
		s.step(s.q.Candidates[st.candidate].Name)
	}
	return s.prove(ctx, all)
}

// prove holds against the limits with all seeds what keeps them with those that it was tried with and loses less than
// all that is proven: less noise does not always lose less, so the least noise need not be what loses least. What is
// proven so or broken is not looked at again.
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
	return cmp.Or(cmp.Compare(s.q.total(a.Losses), s.q.total(b.Losses)), cmp.Compare(b.Seeds, a.Seeds),
		cmp.Compare(name(a), name(b))) < 0
}

func (s *search) refined(ctx context.Context, st *standing) error {
	c := &s.q.Candidates[st.candidate]
	if len(c.Dials) == 0 {
		_, err := s.keeps(ctx, st.least, s.q.Seeds)
		return err
	}
	proven, ok, err := s.line(ctx, st.least)
	if err != nil {
		return err
	}
	if !ok {
		proven = st.least
	}
	start, err := s.scan(ctx, st.candidate, proven, ok)
	if err != nil {
		return err
	}
	if start != nil {
		less, kept, err := s.line(ctx, *start)
		if err != nil {
			return err
		}
		if kept && (!ok || s.loss(less) < s.loss(proven)) {
			proven, ok = less, true
		}
	}
	if !ok {
		return nil
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

// line looks from a setting, all dials moved together, for the least noise that keeps the limits with all seeds. It is
// false where none does.
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

// scan looks for a better start of a candidate on a grid, in the order of what its settings lose. Where trials take few
// records it is measured on all of them, and the settings are held against the limits one by one until one keeps them:
// less loss than that is not to be had on the grid, whatever more noise does. Else it is measured on a ninth of the
// records, and the order is halved again and again, as if what loses more kept the limits wherever what loses less
// does. Nil where no setting that loses less than a known one keeps them; all are looked at where that was not shown to
// keep them itself.
func (s *search) scan(ctx context.Context, candidate int, known Setting, proven bool) (*Setting, error) {
	few := s.q.LeastShare > fewRecords
	if !few && len(known.Levels) == 1 { // of one dial the order is known: the line followed it
		return nil, nil
	}
	measure := func(set Setting) (float64, error) { return s.measured(ctx, set, 1, s.q.Seeds) }
	if !few {
		measure = func(set Setting) (float64, error) { return s.measured(ctx, set, max(ninth, s.q.LeastShare), 1) }
	}
	order, err := s.below(ctx, candidate, known, proven, measure)
	if err != nil {
		return nil, err
	}
	keeps := func(k int) (bool, error) {
		if s.spent() {
			return false, nil
		}
		return s.keeps(ctx, order[k], s.q.Seeds)
	}
	at := len(order)
	if few {
		for k := range order {
			if ok, err := keeps(k); err != nil {
				return nil, err
			} else if ok {
				at = k
				break
			}
		}
	} else if at, err = Least(-1, len(order), 1, keeps); err != nil {
		return nil, err
	}
	if at == len(order) || proven && !(s.loss(order[at]) < s.loss(known)) {
		return nil, nil
	}
	return &order[at], nil
}

// below returns the settings of a candidate's grid by what they lose; where the known one is proven, those that lose
// less than it.
func (s *search) below(
	ctx context.Context,
	candidate int,
	known Setting,
	proven bool,
	measure func(Setting) (float64, error),
) ([]Setting, error) {
	c := &s.q.Candidates[candidate]
	field := append(c.grid(candidate, steps(len(c.Dials))), known)
	losses := make([]float64, len(field))
	err := parallel.Few(ctx, abreast, len(field), func(k int) (err error) {
		if losses[k] = math.Inf(1); !s.spent() {
			losses[k], err = measure(field[k])
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	var order []int
	for k, v := range losses {
		if !math.IsInf(v, 1) && (!proven || v < losses[len(field)-1]) {
			order = append(order, k)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(losses[a], losses[b]) })
	out := make([]Setting, len(order))
	for k, at := range order {
		out[k] = field[at]
	}
	return out, nil
}

// steps is how many steps the grid of a scan has on each of so many dials.
func steps(dials int) int { return max(1, scanned>>max(0, dials-2)) }
