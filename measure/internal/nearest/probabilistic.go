package nearest

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/dither-data/dither/internal/system/parallel"
	"github.com/dither-data/dither/intruder"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/table"
)

// Probabilistic is record linkage by the law of agreements (Fellegi & Sunter 1969).
type Probabilistic struct {
	Tolerance float64 // numbers agree within so many standard deviations of the original
	// columns in which linked records agree; empty for one that is released as it is when there are more than Unblocked
	// records
	Block []string
	Pairs int // of records to compare; above it, targets are a sample
}

// Unblocked is the number of records above which only records that agree in a column are compared.
const Unblocked = 5000

// widest is the number of axes that a pattern has room for.
const widest = 64

// Matches are the links of targets.
type Matches struct {
	Rows []int // of the targets in the original, ascending
	Link []int // by target: the released record linked to it, -1 for none
	// by target: the probability that it and its own record match, from how they agree; 0 in different blocks
	Own   []float64
	Model *Model
	Axes  []int    // columns of the attributes in the model
	Block []string // columns of the blocks
	Apart int      // targets that cannot be linked to their own record: it is in another block, or one of the two in none
	Pairs float64  // compared
}

// Match links persons of the original, row i of which is the person of row i of the released table, to released
// records: a model of the agreements is fitted to all pairs, and the pairs are linked in the order of their weights as
// long as these are positive, each record once. Released records come in the given order where weights are equal; it
// should be random. Cost: O(pairs p) for fitting and about as much for linking, on all cores.
func (o Probabilistic) Match(
	ctx context.Context,
	original, released *table.Table,
	known []intruder.Known,
	order []int,
) (*Matches, error) {
	block, err := o.blocking(original, released, known)
	if err != nil {
		return nil, err
	}
	all, err := o.together(ctx, original, released, known, []int{len(known)}, block, order)
	if err != nil {
		return nil, err
	}
	return all[0], nil
}

// Prefixes is Match for an intruder who knows the first attribute, the first two, and so on; where these have the same
// blocks all pairs are compared once. Cost: that of Match with all that is known, and of linking for each prefix.
func (o Probabilistic) Prefixes(
	ctx context.Context,
	original, released *table.Table,
	known []intruder.Known,
	order []int,
) ([]*Matches, error) {
	out := make([]*Matches, len(known))
	blocks := make([][]intruder.Known, len(known))
	for k := range known {
		var err error
		if blocks[k], err = o.blocking(original, released, known[:k+1]); err != nil {
			return nil, err
		}
	}
	for k := 0; k < len(known); {
		var lengths []int
		for from := k; k < len(known) && sameColumns(blocks[from], blocks[k]); k++ {
			lengths = append(lengths, k+1)
		}
		some, err := o.together(ctx, original, released, known[:k], lengths, blocks[k-1], order)
		if err != nil {
			return nil, err
		}
		copy(out[k-len(some):], some)
	}
	return out, nil
}

func sameColumns(a, b []intruder.Known) bool {
	return slices.EqualFunc(a, b, func(x, y intruder.Known) bool { return x.Column == y.Column })
}

// together links by prefixes of what is known, of ascending lengths, that have the same blocks; the last is the whole.
func (o Probabilistic) together(
	ctx context.Context,
	original, released *table.Table,
	known []intruder.Known,
	lengths []int,
	block []intruder.Known,
	order []int,
) ([]*Matches, error) {
	apart := func(k intruder.Known) bool { // divides into blocks
		return slices.ContainsFunc(block, func(b intruder.Known) bool { return b.Column == k.Column })
	}
	space, err := NewSpace(ctx, original, slices.DeleteFunc(slices.Clone(known), apart))
	if err != nil {
		return nil, err
	}
	if axes := space.Columns(); len(axes) > widest {
		return nil, fmt.Errorf("probabilistic linkage compares at most %d attributes, the intruder knows %d", widest,
			len(axes))
	}
	n := original.Rows()
	rows := measure.DrawnOf(original, n)
	b := newBlocks(original, released, rows, block)
	if all := b.pairs(); all > float64(o.Pairs) {
		rows = measure.DrawnOf(original, max(least, int(float64(n)*float64(o.Pairs)/all)))
		b = newBlocks(original, released, rows, block)
	}
	c := space.newPairs(space.Questions(original, rows), space.Records(released, nil), b, order, o.Tolerance/math.Sqrt2)
	seen, err := c.census(ctx)
	if err != nil {
		return nil, err
	}
	var out []*Matches
	for _, length := range lengths {
		m := &Matches{Rows: rows, Apart: b.apart(rows)}
		for _, k := range known[:length] {
			if apart(k) {
				m.Block = append(m.Block, original.Attr(k.Column).Name)
			} else if slices.Contains(space.Columns(), k.Column) {
				m.Axes = append(m.Axes, k.Column)
			}
		}
		if len(m.Axes) == 0 && len(space.Columns()) > 0 { // nobody can be told apart yet
			alone, err := o.together(ctx, original, released, known[:length], []int{length}, block, order)
			if err != nil {
				return nil, err
			}
			out = append(out, alone...)
			continue
		}
		axes := max(1, len(m.Axes))
		if err := m.link(ctx, c.prefix(axes), seen.prefix(axes), released.Rows()); err != nil {
			return nil, err
		}
		out = append(out, m)
	}
	return out, nil
}

// blocking returns the known columns of the blocks. A column that tells pairs apart that belong together would hide
// them, so it is taken only when it is named.
func (o Probabilistic) blocking(original, released *table.Table, known []intruder.Known) ([]intruder.Known, error) {
	var out []intruder.Known
	for _, name := range o.Block {
		at := slices.IndexFunc(known, func(k intruder.Known) bool { return original.Attr(k.Column).Name == name })
		if at < 0 {
			return nil, fmt.Errorf("parameter %q: column %q is not among those the intruder knows", "block", name)
		}
		if k := known[at]; k.Within > 0 || k.Bands != nil {
			return nil, fmt.Errorf("parameter %q: column %q is not known exactly", "block", name)
		}
		out = append(out, known[at])
	}
	if out != nil || len(known) < 2 || max(original.Rows(), released.Rows()) <= Unblocked {
		return out, nil
	}
	fewest := math.Inf(1)
	for _, k := range known {
		if pairs := agreeing(original, released, &k); pairs > 0 && pairs < fewest && kept(original, released, k) {
			fewest, out = pairs, []intruder.Known{k}
		}
	}
	return out, nil
}

// kept reports whether every record is released with its value of a known column.
func kept(original, released *table.Table, known intruder.Known) bool {
	return slices.Equal(values(original, known), values(released, known)) // a missing value, NaN, equals none
}

// agreeing returns how many pairs of records agree in a categorical column; 0 in another one.
func agreeing(original, released *table.Table, known *intruder.Known) float64 {
	first := firsts(len(original.Attr(known.Column).Labels), known)
	b, pairs := counts(released.Cat(known.Column), first), 0.0
	for c, n := range counts(original.Cat(known.Column), first) {
		pairs += float64(float64(n) * float64(b[c]))
	}
	return pairs
}

// link fits the model and links.
func (m *Matches) link(ctx context.Context, c *pairs, seen *census, released int) (err error) {
	for _, g := range seen.patterns {
		m.Pairs += g.Pairs
	}
	if m.Model, err = Fit(ctx, seen.patterns, c.axes, float64(len(m.Rows))); err != nil {
		return err
	}
	s := m.Model.scale(c, seen.patterns)
	taken := make([]bool, len(c.record))
	found, err := c.bests(ctx, s, taken, seen.firsts)
	if err != nil {
		return err
	}
	highest := make([]float64, len(found)) // weight of what a target's candidates left can reach
	first := found[:0]
	for target, f := range found {
		if highest[target] = -f.value; f.to >= 0 {
			first = append(first, f)
		}
	}
	room := make([]uint64, chunk)
	m.Link, err = settle(ctx, first, len(m.Rows), func(target int) (candidate, bool) {
		best := c.best(target, s, taken, room, highest[target])
		highest[target] = -best.value
		return best, best.to >= 0
	}, func(at int) bool { return taken[at] }, func(at int) { taken[at] = true })
	for i, at := range m.Link {
		if at >= 0 {
			m.Link[i] = c.record[at]
		}
	}
	m.own(c, released)
	return err
}

// bests returns the best candidate of every target: from the first ones of every pattern where these are known and all
// pairs have one.
func (c *pairs) bests(ctx context.Context, s *scale, taken []bool, firsts []int32) ([]candidate, error) {
	out := make([]candidate, len(c.block))
	if firsts != nil && len(s.others) == 0 {
		for target := range out {
			out[target] = s.first(target, firsts[target<<c.axes:][:1<<c.axes])
		}
		return out, ctx.Err()
	}
	_, err := parallel.With(
		ctx,
		len(out),
		func() []uint64 { return make([]uint64, chunk) },
		func(room []uint64, target int) error {
			out[target] = c.best(target, s, taken, room, math.Inf(1))
			return nil
		},
	)
	return out, err
}

// first returns best of the first candidates of a target by pattern, -1 for none.
func (s *scale) first(target int, firsts []int32) candidate {
	best := candidate{0, target, -1}
	for a, at := range firsts {
		if w := s.common[a]; at >= 0 && (w > -best.value || best.to >= 0 && w == -best.value && int(at) < best.to) {
			best.value, best.to = -w, int(at)
		}
	}
	return best
}

// best returns the candidate of positive weight that is likeliest to be the target's, of several the first; its
// position is -1 when there is none. None of those not taken has more than the highest weight.
func (c *pairs) best(target int, s *scale, taken []bool, room []uint64, highest float64) candidate {
	best := candidate{0, target, -1}
	c.each(target, room, func(at int, agree []uint64, known uint64) bool {
		for k, a := range agree {
			if w := s.weight(Pattern{a, known & c.known[at+k]}); w > -best.value && !taken[at+k] {
				best.value, best.to = -w, at+k
			}
		}
		return -best.value < highest
	})
	return best
}

// own sets the probabilities of the own records.
func (m *Matches) own(c *pairs, released int) {
	position := make([]int, released)
	for j := range position {
		position[j] = -1
	}
	for at, j := range c.record {
		position[j] = at
	}
	var agree [1]uint64
	for i, row := range m.Rows {
		m.Own = append(m.Own, 0)
		lo, hi := c.candidates(i)
		if at := position[row]; lo <= at && at < hi {
			known := c.compare(i, at, agree[:]) & c.known[at]
			m.Own[i] = m.Model.Matching(Pattern{agree[0], known})
		}
	}
}
