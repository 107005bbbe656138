package geometric

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/dither-data/dither/internal/portable/linalg"
	"github.com/dither-data/dither/internal/stats/moments"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/internal/fence"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// Technique holds the parameters of all four techniques; which of them are declared depends on the entry. Each changes
// the numeric columns with the role confidential, or all where none has it, that vary.
type Technique struct {
	Except                []string // columns left alone
	ShiftLeast, ShiftMost float64  // share of the range
	ScaleLeast, ScaleMost float64  // factor
	Rho                   float64  // the least Var(X - Y) / Var(X) that a rotation leaves
	Pairs                 []string // columns in the order in which they are paired; those not named follow by lot
	Grid                  string

	kind kind
}

// kind is what tells one technique from another.
type kind struct {
	declares []func(q *Technique) param.Set
	draw     func(g *geometry) error // the steps
}

// Params declares the parameters.
func (q *Technique) Params() param.Set {
	var all []param.Set
	for _, of := range q.kind.declares {
		all = append(all, of(q))
	}
	return param.Merge(all...)
}

func excepts(q *Technique) param.Set {
	return param.Set{param.Names(&q.Except, "except", "columns to leave alone")}
}

func shifts(q *Technique) param.Set {
	return param.Set{
		param.Float(&q.ShiftLeast, "shiftLeast", 0.05, 0, farthest, "of the range", "the smallest shift, up or down"),
		param.Float(&q.ShiftMost, "shiftMost", 0.5, 0, farthest, "of the range", "the largest shift, up or down"),
	}
}

func scales(q *Technique) param.Set {
	return param.Set{
		param.Float(&q.ScaleLeast, "scaleLeast", 0.5, 0.001, farthest, "", "the smallest factor"),
		param.Float(&q.ScaleMost, "scaleMost", 1.5, 0.001, farthest, "", "the largest factor"),
	}
}

// mostRho is the largest threshold that can be asked for. A rotation by 180 degrees always reaches 4.
const mostRho = 100

func rotations(q *Technique) param.Set {
	return param.Set{param.Float(&q.Rho, "rho", 1, 0, mostRho, "of the variance",
		"pairwise security threshold: least variance of released minus original value, in each attribute of a pair")}
}

func pairings(q *Technique) param.Set {
	return param.Set{param.Names(&q.Pairs, "pairs",
		"columns to pair, first with second, third with fourth, ...; the others are paired at random")}
}

func grids(q *Technique) param.Set { return param.Set{fence.GridParam(&q.Grid, fence.GridFiner)} }

// geometry is a plan in the making.
type geometry struct {
	*Plan
	q    *Technique
	cov  *mat.SymDense // of u
	rand *rand.Rand
}

// start returns a plan without steps for the columns that vary. The draws depend on the moments of the columns besides
// the seed, so that one seed does not give the same map to two tables.
func (q *Technique) start(ctx context.Context, t *table.Table, src rng.Source) (*geometry, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	columns, _, err := protect.Confidential(t, q.Except)
	if err != nil {
		return nil, err
	}
	p := &Plan{Attrs: t.Attrs(), Grid: q.Grid}
	var u [][]float64
	for _, j := range columns {
		if !moments.Vary(t.Num(j)) || t.Attr(j).Domain.Lo == t.Attr(j).Domain.Hi {
			p.Constant = append(p.Constant, j)
			continue
		}
		scaled := make([]float64, t.Rows())
		for i, x := range t.Num(j) {
			scaled[i] = unit(t.Attr(j), x)
		}
		p.Columns, u = append(p.Columns, j), append(u, scaled)
	}
	m, err := moments.Of(ctx, u)
	if err != nil {
		return nil, err
	}
	g := &geometry{Plan: p, q: q, cov: m.Cov()}
	p.Mean, p.Security = m.Means(), make([]float64, len(p.Columns))
	var cov []float64
	if g.cov != nil { // some column varies
		cov = g.cov.RawSymmetric().Data
	}
	g.rand = src.Fork(fmt.Sprint(p.Mean, cov, p.Changes())).Rand()
	return g, nil
}

// Fit draws the map. Cost: O(rows * columns^2), and for each pair that is rotated 3600 evaluations of the variance.
func (q *Technique) Fit(ctx context.Context, t *table.Table, src rng.Source) (protect.Plan, error) {
	g, err := q.start(ctx, t, src)
	if err == nil {
		err = q.kind.draw(g)
	}
	if err != nil {
		return nil, err
	}
	for k, d := range g.linear() {
		d[k]-- // Y - X
		v := mat.NewVecDense(len(d), d)
		g.Security[k] = max(0, linalg.Inner(v, g.cov, v)/g.cov.At(k, k))
	}
	return g.Plan, nil
}

// mix draws for every column a shift, a scaling or a rotation, each as likely. A single column to be rotated has no
// partner and gets one of the others.
func (g *geometry) mix() error {
	kinds := make([][]int, 3)
	for _, j := range g.Columns {
		k := g.rand.IntN(3)
		kinds[k] = append(kinds[k], j)
	}
	if len(kinds[2]) == 1 {
		k := g.rand.IntN(2)
		kinds[k], kinds[2] = append(kinds[k], kinds[2]...), nil
	}
	g.rand.Shuffle(len(kinds[2]), func(a, b int) { kinds[2][a], kinds[2][b] = kinds[2][b], kinds[2][a] })
	if err := g.shift(kinds[0]); err != nil {
		return err
	}
	if err := g.scale(kinds[1]); err != nil {
		return err
	}
	return g.rotate(kinds[2])
}

// limits refuses a least number above the most.
func limits(least, most float64, names [2]string) error {
	if least > most {
		return fmt.Errorf("parameter %q is %v, above %q, %v", names[0], least, names[1], most)
	}
	return nil
}

// shift draws shifts. On a grid they are whole steps, and at least one, so that the grid and all differences are kept.
func (g *geometry) shift(columns []int) error {
	if err := limits(g.q.ShiftLeast, g.q.ShiftMost, [2]string{"shiftLeast", "shiftMost"}); err != nil {
		return err
	}
	for _, j := range columns {
		by := g.q.ShiftLeast + float64(g.rand.Float64()*(g.q.ShiftMost-g.q.ShiftLeast))
		if a := &g.Attrs[j]; a.Step > 0 && by > 0 {
			width := a.Domain.Hi - a.Domain.Lo
			by = max(1, math.RoundToEven(by*width/a.Step)) * a.Step / width
		}
		if g.rand.IntN(2) == 0 {
			by = -by
		}
		g.Steps = append(g.Steps, Transform{Shift, []int{j}, by})
	}
	return nil
}

// scale draws factors.
func (g *geometry) scale(columns []int) error {
	if err := limits(g.q.ScaleLeast, g.q.ScaleMost, [2]string{"scaleLeast", "scaleMost"}); err != nil {
		return err
	}
	for _, j := range columns {
		by := g.q.ScaleLeast + float64(g.rand.Float64()*(g.q.ScaleMost-g.q.ScaleLeast))
		g.Steps = append(g.Steps, Transform{Scale, []int{j}, by})
	}
	return nil
}

// order returns the columns in the order in which they are paired: those named first, the others by lot.
func (g *geometry) order() ([]int, error) {
	var out []int
	for _, name := range g.q.Pairs {
		j := slices.IndexFunc(g.Attrs, func(a table.Attribute) bool { return a.Name == name })
		switch {
		case j < 0:
			return nil, fmt.Errorf("parameter %q: there is no column %q", "pairs", name)
		case !slices.Contains(g.Columns, j):
			return nil, fmt.Errorf("parameter %q: column %q is not rotated; expected %q", "pairs", name, g.Changes())
		case slices.Contains(out, j):
			return nil, fmt.Errorf("parameter %q: column %q is named twice", "pairs", name)
		}
		out = append(out, j)
	}
	for _, k := range g.rand.Perm(len(g.Columns)) {
		if j := g.Columns[k]; !slices.Contains(out, j) {
			out = append(out, j)
		}
	}
	return out, nil
}
