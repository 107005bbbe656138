package regression

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/dither-data/dither/joint"
	"github.com/dither-data/dither/joint/pair"
	"github.com/dither-data/dither/joint/sums"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/table"
)

// crossed opens the sums of products of two parties' columns of the same people, by scalar products.
type crossed struct{}

func (q *crossed) Params() param.Set { return nil }

// CheckPlan asks for numbers that have an owner, one of them the target.
func (q *crossed) CheckPlan(p *joint.Plan) error { return checkOwned(p) }

func checkOwned(p *joint.Plan) error {
	for _, m := range p.Parties {
		if len(p.Of(m.Name)) == 0 {
			return joint.ColumnsFault("party %q owns none", m.Name)
		}
	}
	for _, c := range p.Columns {
		if c.Owner == "" && c.Role != joint.Key {
			return joint.ColumnsFault("%q has no owner", c.Name)
		}
	}
	return checkColumns(p)
}

// ordered are the columns of the plan without keys.
func ordered(p *joint.Plan) (out []joint.Column) {
	for _, c := range p.Columns {
		if c.Role != joint.Key {
			out = append(out, c)
		}
	}
	return out
}

// owned reads the own columns of a table of the people that all have; missing values are refused.
func owned(p *joint.Party, t *table.Table) (*table.Table, [][]int64, error) {
	t, err := p.Aligned(t)
	if err != nil {
		return nil, nil, err
	}
	var x [][]int64
	for _, c := range p.Owned() {
		v, missing, err := p.Numbers(t, c)
		if err != nil {
			return nil, nil, err
		}
		if missing != nil {
			return nil, nil, p.Mine(fmt.Errorf("column %q has missing values: fill them, or leave these records out at all "+
				"parties", c.Name))
		}
		x = append(x, v)
	}
	return t, x, nil
}

// Run multiplies and solves.
func (q *crossed) Run(_ context.Context, p *joint.Party, t *table.Table) (*joint.Result, error) {
	t, x, err := owned(p, t)
	if err != nil {
		return nil, err
	}
	columns := ordered(p.Plan())
	switch n := t.Rows(); {
	case !p.Plan().Least.Shows(int64(n)) || n <= len(columns):
		return nil, p.Mine(fmt.Errorf("%d records for %d columns: the sums would give them away", n, len(columns)))
	default:
		for i := range columns {
			for j := range columns {
				if !fits(n, 1, &columns[i], &columns[j]) {
					return nil, p.Mine(errWide)
				}
			}
		}
	}
	m := newMoments(columns)
	m.sums[0][0] = int64(t.Rows())
	c, err := pair.New(p)
	if err != nil {
		return nil, err
	}
	shares, err := q.shares(p, c, columns, x)
	if err != nil {
		return nil, err
	}
	all, err := c.Open(shares)
	if err != nil {
		return nil, err
	}
	flat := make([]int64, len(all))
	for i, v := range all {
		flat[i] = int64(v)
	}
	m.fill(append([]int64{int64(t.Rows())}, flat...))
	return m.fit()
}

// shares are this party's of the upper triangle, without its first number, which is that of the records.
func (q *crossed) shares(p *joint.Party, c *pair.Pair, columns []joint.Column, x [][]int64) (out []uint64, err error) {
	mine := map[string][]uint64{}
	for k, col := range p.Owned() {
		v := make([]uint64, len(x[k]))
		for i, n := range x[k] {
			v[i] = uint64(n)
		}
		mine[col.Name] = v
	}
	for i := range columns { // sums
		s := uint64(0)
		for _, v := range mine[columns[i].Name] {
			s += v
		}
		out = append(out, s)
	}
	for i := range columns {
		for j := i; j < len(columns); j++ {
			a, b := &columns[i], &columns[j]
			share := uint64(0)
			switch {
			case a.Owner != b.Owner:
				second, vector := a, mine[a.Name] // the second party's column
				if a.Owner == p.Plan().Parties[0].Name {
					second = b
				}
				if a.Owner != p.Name(p.Me()) {
					vector = mine[b.Name]
				}
				if share, err = c.DotIn(vector, second); err != nil {
					return nil, err
				}
			case a.Owner == p.Name(p.Me()):
				for r, v := range mine[a.Name] {
					share += v * mine[b.Name][r]
				}
			}
			out = append(out, share)
		}
	}
	return out, nil
}

// powell searches along lines, of which each party knows its own part (Sanil et al. 2004). All parties see the
// residuals of all records after every step.
type powell struct {
	cycles int
}

func (q *powell) Params() param.Set {
	return param.Set{param.Int(&q.cycles, "cycles", 50, 1, 10_000, "cycles", "most searches along all directions")}
}

// CheckPlan asks for numbers that have an owner, one of them the target.
func (q *powell) CheckPlan(p *joint.Plan) error { return checkOwned(p) }

// fixed is how many units numbers are counted in where they are added.
const fixed = 1 << 24

// Run searches. Each party learns the coefficients of its own columns; the target's owner has the constant.
func (q *powell) Run(ctx context.Context, p *joint.Party, t *table.Table) (*joint.Result, error) {
	t, x, err := owned(p, t)
	if err != nil {
		return nil, err
	}
	s := &search{p: p, n: t.Rows()}
	if !p.Plan().Least.Shows(int64(s.n)) {
		return nil, p.Mine(errors.New("fewer records than the minimum cell of the plan"))
	}
	for k, c := range p.Owned() {
		v, scale := make([]float64, s.n), math.Pow10(c.Decimals)
		for i, u := range x[k] {
			v[i] = float64(u) / scale
		}
		if c.Role == joint.Class {
			s.y = v
			continue
		}
		s.x, s.names = append(s.x, v), append(s.names, c.Name)
	}
	if s.y != nil {
		one := make([]float64, s.n)
		for i := range one {
			one[i] = 1
		}
		s.x, s.names = append(s.x, one), append(s.names, "constant")
	}
	if err := s.run(ctx, q.cycles); err != nil {
		return nil, err
	}
	out := joint.ResultTable{Name: "coefficients", Columns: []string{"column", "coefficient"}}
	for k, name := range s.names {
		out.Rows = append(out.Rows, []any{name, s.beta[k]})
	}
	rest := 0.0
	for _, e := range s.e {
		rest += float64(e * e)
	}
	return &joint.Result{Figures: []joint.Figure{{Name: "sum of squared residuals", Value: rest}},
		Tables: []joint.ResultTable{out}}, nil
}

// search is one party's part.
type search struct {
	p     *joint.Party
	n     int
	x     [][]float64
	names []string
	y     []float64 // nil: another party has it
	beta  []float64
	lines [][]float64 // own parts of the directions
	e     []float64   // residuals, which all know
}

func (s *search) run(ctx context.Context, cycles int) error {
	p := s.p
	s.beta = make([]float64, len(s.x))
	for range ordered(p.Plan()) { // as many as coefficients: the constant stands in the target's place
		line := make([]float64, len(s.x))
		for k := range line { // along an axis, a column would be opened
			line[k] = float64(p.Word()>>11)/(1<<52) - 1
		}
		s.lines = append(s.lines, line)
	}
	var err error
	if s.e, err = s.add(s.y); err != nil {
		return err
	}
	for range cycles {
		if err := ctx.Err(); err != nil {
			return err
		}
		was, moved := append([]float64(nil), s.beta...), 0.0
		for _, line := range s.lines {
			d, err := s.step(line)
			if err != nil {
				return err
			}
			moved = math.Max(moved, d)
		}
		next := make([]float64, len(s.beta))
		for k := range next {
			next[k] = s.beta[k] - was[k]
		}
		s.lines = append(s.lines[1:], next)
		d, err := s.step(next)
		if err != nil {
			return err
		}
		if math.Max(moved, d) < 1e-7 {
			return nil
		}
	}
	return nil
}

// along adds what the parties' columns are along a line, which is scaled so that fixed point has enough places.
func (s *search) along(line []float64) (z []float64, err error) {
	for range 4 {
		z = make([]float64, s.n)
		for k, d := range line {
			for i, v := range s.x[k] {
				z[i] += float64(d * v)
			}
		}
		if z, err = s.add(z); err != nil {
			return nil, err
		}
		most := 1.0 / fixed
		for _, v := range z {
			most = math.Max(most, math.Abs(v))
		}
		if most >= 1 {
			break
		}
		for k := range line {
			line[k] = float64(line[k] / most)
		}
	}
	return z, nil
}

// step goes along a line to the least squares, and returns how far residuals moved.
func (s *search) step(line []float64) (moved float64, err error) {
	z, err := s.along(line)
	if err != nil {
		return 0, err
	}
	ze, zz := 0.0, 0.0
	for i, v := range z {
		ze += float64(v * s.e[i])
		zz += float64(v * v)
	}
	if zz < 0.5 { // nothing is left along it
		return 0, nil
	}
	d := ze / zz
	for i, v := range z {
		s.e[i] -= float64(d * v)
		moved = math.Max(moved, math.Abs(float64(d*v)))
	}
	for k := range line {
		s.beta[k] += float64(d * line[k])
	}
	return moved, nil
}

// add adds vectors over the parties, in fixed point; nil is zero.
func (s *search) add(v []float64) ([]float64, error) {
	w := make([]uint64, s.n)
	for i, x := range v {
		if math.Abs(x) > 1e11 {
			return nil, s.p.Mine(errors.New("a number is too large for the search: rescale the columns"))
		}
		w[i] = uint64(int64(math.Round(x * fixed)))
	}
	w, err := sums.Shares(s.p, w)
	if err != nil {
		return nil, err
	}
	out := make([]float64, s.n)
	for i, x := range w {
		out[i] = float64(int64(x)) / fixed
	}
	return out, nil
}
