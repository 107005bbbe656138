package nearest

import (
	"cmp"
	"context"

	"github.com/dither-data/dither/internal/system/parallel"
	"github.com/dither-data/dither/internal/system/sorting"
)

// small is the number of attributes up to which patterns are counted in an array.
const small = 16

// counter counts patterns.
type counter struct {
	all    uint64
	counts []float64 // of patterns of which all is known, by agreement; nil when there are too many
	others map[Pattern]float64
}

func (c *pairs) counter() *counter {
	n := &counter{all: 1<<c.axes - 1, others: map[Pattern]float64{}}
	if c.axes <= small {
		n.counts = make([]float64, 1<<c.axes)
	}
	return n
}

// mostFirst is how many places of first candidates are kept at most.
const mostFirst = 1 << 22

// firsts returns room for the first candidate of every target with every pattern of which all is known; nil where they
// are too many.
func (c *pairs) firsts() []int32 {
	if c.axes > small || len(c.block)<<c.axes > mostFirst {
		return nil
	}
	out := make([]int32, len(c.block)<<c.axes)
	for i := range out {
		out[i] = -1
	}
	return out
}

// add counts the patterns of candidates from position at on; where first is not nil it keeps the first one of every
// pattern.
func (n *counter) add(at int, agree []uint64, known uint64, of []uint64, first []int32) {
	if first != nil && known == n.all {
		for k, a := range agree {
			if of[k] == n.all && first[a] < 0 {
				first[a] = int32(at + k)
			}
		}
	}
	for k, a := range agree {
		if both := known & of[k]; both == n.all && n.counts != nil {
			n.counts[a]++
		} else {
			n.others[Pattern{a, both}]++
		}
	}
}

// list returns the patterns counted, in ascending order.
func (n *counter) list() []Counted {
	var out []Counted
	for g, pairs := range n.others {
		out = append(out, Counted{g, pairs})
	}
	for a, pairs := range n.counts {
		if pairs > 0 {
			out = append(out, Counted{Pattern{uint64(a), n.all}, pairs})
		}
	}
	return inOrder(out)
}

func inOrder(list []Counted) []Counted {
	sorting.Func(list, func(a, b Counted) int {
		return cmp.Or(cmp.Compare(a.Known, b.Known), cmp.Compare(a.Agree, b.Agree))
	})
	return list
}

// census is what a comparison of all pairs on so many axes tells.
type census struct {
	axes     int
	patterns []Counted
	firsts   []int32 // candidates; nil where there was no room for them, or they do not follow from those of more axes
}

// census compares all pairs.
func (c *pairs) census(ctx context.Context) (*census, error) {
	s := &census{axes: c.axes, firsts: c.firsts()}
	var err error
	s.patterns, err = c.patterns(ctx, s.firsts)
	return s, err
}

// prefix returns what the first so many axes tell.
func (s *census) prefix(axes int) *census {
	if axes == s.axes {
		return s
	}
	mask, all := uint64(1)<<axes-1, uint64(1)<<s.axes-1
	out, sum, complete := &census{axes: axes}, map[Pattern]float64{}, s.firsts != nil
	for _, g := range s.patterns {
		sum[Pattern{g.Agree & mask, g.Known & mask}] += g.Pairs
		complete = complete && g.Known == all
	}
	for g, pairs := range sum {
		out.patterns = append(out.patterns, Counted{g, pairs})
	}
	inOrder(out.patterns)
	if !complete {
		return out
	}
	out.firsts = make([]int32, len(s.firsts)>>(s.axes-axes))
	for i := range out.firsts {
		out.firsts[i] = -1
	}
	for i, at := range s.firsts {
		target, agree := i>>s.axes, uint64(i)&mask
		if first := &out.firsts[target<<axes|int(agree)]; at >= 0 && (*first < 0 || at < *first) {
			*first = at
		}
	}
	return out
}

// patterns counts the patterns of all pairs, on all cores, and writes the first candidates where there is room for
// them.
func (c *pairs) patterns(ctx context.Context, first []int32) ([]Counted, error) {
	type worker struct {
		*counter
		room []uint64
	}
	workers, err := parallel.With(
		ctx,
		len(c.block),
		func() worker { return worker{c.counter(), make([]uint64, chunk)} },
		func(w worker, target int) error {
			var mine []int32
			if first != nil {
				mine = first[target<<c.axes:][:1<<c.axes]
			}
			c.each(target, w.room, func(at int, agree []uint64, known uint64) bool {
				w.add(at, agree, known, c.known[at:], mine)
				return true
			})
			return nil
		},
	)
	total := c.counter()
	for _, w := range workers {
		total.merge(w.counter)
	}
	return total.list(), err
}

func (n *counter) merge(o *counter) {
	for a, pairs := range o.counts {
		n.counts[a] += pairs
	}
	for g, pairs := range o.others {
		n.others[g] += pairs
	}
}

// scale tells the weight of patterns.
type scale struct {
	all    uint64
	common []float64 // of patterns of which all is known, by agreement; nil when there are too many
	others map[Pattern]float64
}

func (m *Model) scale(c *pairs, patterns []Counted) *scale {
	n := c.counter()
	s := &scale{n.all, n.counts, n.others}
	for _, g := range patterns {
		if g.Known == s.all && s.common != nil {
			s.common[g.Agree] = m.Weight(g.Pattern)
		} else {
			s.others[g.Pattern] = m.Weight(g.Pattern)
		}
	}
	return s
}

func (s *scale) weight(g Pattern) float64 {
	if g.Known == s.all && s.common != nil {
		return s.common[g.Agree]
	}
	return s.others[g]
}
