package attackers

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/dither-data/dither/internal/portable"
	"github.com/dither-data/dither/internal/system/parallel"
	"github.com/dither-data/dither/internal/system/sorting"
	"github.com/dither-data/dither/table"
)

// Choice is an attack: an attacker with a subset of what is known.
type Choice struct {
	By    *Attacker
	Gaps  bool  // the pattern of missing values is used
	clues []int // in the order in which they are compared
}

// Columns returns the columns of the table that the attack uses, ascending.
func (c *Choice) Columns() []int {
	var out []int
	for _, k := range c.clues {
		out = append(out, c.By.clues[k].columns...)
	}
	slices.Sort(out)
	return out
}

// order finds the orders in which columns are tried: as they changed least, and with the quasi-identifiers first.
func (t *Team) order() {
	type kept struct {
		column, values int
		moved          float64
	}
	var known []kept
	for _, c := range t.columns {
		known = append(known, kept{c.known.Column, len(c.values), c.moved})
	}
	for _, c := range t.sets {
		known = append(known, kept{c.at, len(c.share), c.moved})
	}
	sorting.Stable(known,
		func(a, b kept) int { return cmp.Or(cmp.Compare(a.moved, b.moved), cmp.Compare(b.values, a.values)) })
	var change []int
	quasi := 0
	for _, k := range known {
		change = append(change, k.column)
		quasi += bit(t.isQuasi(k.column))
	}
	t.orders = [][]int{change}
	if quasi > 0 && quasi < len(change) {
		first := slices.Clone(change)
		slices.SortStableFunc(first, func(a, b int) int { return bit(!t.isQuasi(a)) - bit(!t.isQuasi(b)) })
		t.orders = append(t.orders, first)
	}
}

func (t *Team) isQuasi(column int) bool {
	return t.release.Original.Attr(column).Role&table.Quasi != 0
}

// Budget limits the work.
type Budget struct {
	Comparisons float64 // of a record and a clue
	spent       float64
}

// Left returns what is left.
func (b *Budget) Left() float64 { return max(0, b.Comparisons-b.spent) }

// Spent returns what was spent, which may be more than there was.
func (b *Budget) Spent() float64 { return b.spent }

// lines returns all attackers, with and without the pattern of gaps, with all orders.
func (t *Team) lines(ctx context.Context, places []int, b *Budget) (out []*line, err error) {
	for _, a := range t.Attackers {
		for _, gaps := range []bool{true, false} {
			if gaps && t.gaps == nil || !gaps && len(t.orders[0]) == 0 {
				continue
			}
			telling, err := t.telling(ctx, a, gaps, places, b)
			if err != nil {
				return nil, err
			}
			for _, columns := range append(slices.Clone(t.orders), nil) {
				order := telling
				if columns != nil {
					order = t.clues(a, gaps, columns)
				}
				if !slices.ContainsFunc(out,
					func(l *line) bool { return l.a == a && l.gaps == gaps && slices.Equal(l.order, order) }) {
					out = append(out, &line{a: a, gaps: gaps, order: order})
				}
			}
		}
	}
	return out, nil
}

// clues returns the clues of an attacker in the order of columns, the pattern of gaps first.
func (t *Team) clues(a *Attacker, gaps bool, columns []int) (out []int) {
	if gaps {
		out = append(out, len(a.clues)-1)
	}
	for _, j := range columns {
		at := slices.IndexFunc(a.clues, func(c clue) bool { return slices.Contains(c.columns, j) })
		if at >= 0 && !slices.Contains(out, at) { // below 0: a column that the technique did not see
			out = append(out, at)
		}
	}
	return out
}

// telling returns the clues by how much they tell of people on average: the logarithm of how much higher the own record
// scores than records do.
func (t *Team) telling(ctx context.Context, a *Attacker, gaps bool, places []int, b *Budget) ([]int, error) {
	order := t.clues(a, gaps, t.orders[0])
	bits := make([][]float64, len(places)) // by person and clue
	states, err := parallel.With(
		ctx,
		len(places),
		func() *scanner { return newScanner(t, a, gaps) },
		func(s *scanner, i int) error {
			s.look(places[i])
			bits[i] = make([]float64, len(a.clues))
			for _, c := range order {
				if s.scores(c) {
					bits[i][c] = s.clues[c].own - s.usual(c)
				}
			}
			return nil
		},
	)
	for _, s := range states {
		b.spent += s.Visited
	}
	sum := make([]float64, len(a.clues))
	for _, person := range bits {
		for c, v := range person {
			sum[c] += v
		}
	}
	slices.SortStableFunc(order, func(x, y int) int { return cmp.Compare(sum[y], sum[x]) })
	return order, err
}

// usual returns the logarithm of the mean of exp(score) over the records; of many codes those of a few and of the own
// one stand for all.
func (s *scanner) usual(k int) float64 {
	c := &s.clues[k]
	own := c.code(s.record)
	weight := func(code int) float64 {
		if c.share == nil {
			return 1 / float64(c.values)
		}
		return c.share[code]
	}
	s.codes = s.codes[:0]
	for code := stride(c.values) / 2; code < c.values; code += stride(c.values) {
		if code != own && weight(code) > 0 {
			s.codes = append(s.codes, int32(code))
		}
	}
	acc := s.acc[:len(s.codes)]
	clear(acc)
	c.of.add(acc, s.codes)
	s.Visited += perScore * float64(len(acc))
	sum, there := 0.0, 0.0 // of the others
	for i, code := range s.codes {
		w := weight(int(code))
		sum, there = sum+float64(w*portable.Exp(acc[i]-c.most)), there+w
	}
	mean := float64(weight(own) * portable.Exp(c.own-c.most))
	if there > 0 {
		mean += (1 - weight(own)) * sum / there
	}
	return c.most + portable.Log(max(mean, math.SmallestNonzeroFloat64))
}

// try adds the credits of people to lines. Somebody of a crowd of equals, or of more, is not found.
func (t *Team) try(ctx context.Context, lines []*line, places []int, crowd float64, b *Budget) error {
	for from := 0; from < len(lines); {
		to := from + 1 // lines of one attacker share the scores of people
		for to < len(lines) && lines[to].a == lines[from].a && lines[to].gaps == lines[from].gaps {
			to++
		}
		some := lines[from:to]
		got := make([][][]float64, len(places))
		states, err := parallel.With(
			ctx,
			len(places),
			func() *scanner { return newScanner(t, some[0].a, some[0].gaps) },
			func(s *scanner, i int) error {
				s.crowd = crowd
				s.look(places[i])
				for _, l := range some {
					dst := make([]float64, len(l.order))
					s.nested(dst, l.order, false)
					got[i] = append(got[i], dst)
				}
				return nil
			},
		)
		if err != nil {
			return err
		}
		for _, s := range states {
			b.spent += s.Visited // whole numbers: their sum does not depend on their order
		}
		for _, person := range got {
			for k, credits := range person {
				some[k].credits = append(some[k].credits, credits)
			}
		}
		from = to
	}
	return nil
}

// All returns the look-up by all that is known, which is the best attack on a table that is as it was.
func (t *Team) All() *Choice {
	return &Choice{t.Attackers[0], t.gaps != nil, t.clues(t.Attackers[0], t.gaps != nil, t.orders[0])}
}

// Credits returns what the attack gets for the people at some places: of every one 1/t where the own record is one of t
// best, else 0.
func (t *Team) Credits(ctx context.Context, c *Choice, places []int, b *Budget) ([]float64, error) {
	out := make([]float64, len(places))
	if len(c.clues) == 0 {
		for i := range out {
			out[i] = 1 / float64(t.release.Released.Rows())
		}
		return out, nil
	}
	order := t.quick(c)
	laid, err := t.arrange(ctx, c.By, order, len(places))
	if err != nil {
		return nil, err
	}
	states, err := parallel.With(
		ctx,
		len(places),
		func() *scanner {
			if laid == nil {
				return newScanner(t, c.By, c.Gaps)
			}
			s := newScanner(t, laid.Attacker, c.Gaps)
			s.place, s.of = laid.place, laid.of
			return s
		},
		func(s *scanner, i int) error {
			s.look(places[i])
			dst := make([]float64, len(order))
			s.nested(dst, order, true)
			out[i] = dst[len(dst)-1]
			return nil
		},
	)
	for _, s := range states {
		b.spent += s.Visited
	}
	return out, err
}

// improve adds and takes away one clue after another as long as the attack gets better for the people at some places
// and half of the budget lasts.
func (t *Team) improve(ctx context.Context, c *Choice, order, places []int, b *Budget) error {
	best, err := t.right(ctx, c, places, b)
	for better := true; better && err == nil; {
		better = false
		for _, k := range order {
			other := &Choice{c.By, c.Gaps, without(c.clues, k)}
			if len(other.clues) == len(c.clues) {
				other.clues = append(other.clues, k)
			}
			isGaps := len(c.By.clues[k].columns) == 0
			if isGaps || len(other.clues) == 0 || best == float64(len(places)) {
				continue
			}
			before := b.spent
			right, e := t.right(ctx, other, places, b)
			if err = e; err != nil {
				return err
			}
			if right > best*(1+1e-12) {
				best, *c, better = right, *other, true
			}
			if b.spent-before > b.Left()/4 {
				return nil
			}
		}
	}
	return err
}

func without(clues []int, k int) []int {
	return slices.DeleteFunc(slices.Clone(clues), func(c int) bool { return c == k })
}

// right returns the sum of the credits of people.
func (t *Team) right(ctx context.Context, c *Choice, places []int, b *Budget) (sum float64, err error) {
	credits, err := t.Credits(ctx, c, places, b)
	for _, v := range credits {
		sum += v
	}
	return sum, err
}
