package distributions

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/dither-data/dither/internal/portable"
	"github.com/dither-data/dither/internal/portable/linalg"
	"github.com/dither-data/dither/internal/portable/vector"
)

const (
	mostColumns        = 400 // of the design, so that its equations are solved in little time
	mostLevels         = 50  // of a column that have one each; the others share one
	dependent          = 1e-9
	steps              = 25   // of Newton's method
	settled            = 1e-8 // change of a coefficient below which it ends
	propensityFarthest = 30.0 // linear predictor: beyond it a score is 0 or 1 to all digits
)

// design is the records of both tables as rows of few entries that are not 0: the constant, numbers in standard
// deviations from their mean, whether they are missing, and categories.
type design struct {
	columns int
	start   []int // of a record's entries, and their end
	at      []int32
	value   []float64
	label   []float64 // 1 for a released record
}

// newDesign makes the design of main effects. Cost: O(n) for a column.
func newDesign(b *both) *design {
	type coding struct {
		column        int
		mean, sd      float64
		first, absent int32   // columns of the design; absent is -1 where nothing is missing
		of            []int32 // by category: its column, -1 for none
	}
	d := &design{columns: 1}
	add := func() int32 { d.columns++; return int32(d.columns - 1) }
	levels := max(1, min(mostLevels, mostColumns/len(b.columns)))
	var all []coding
	for _, j := range b.columns {
		c := coding{column: j, absent: -1}
		if b.tables[0].Num(j) != nil {
			var known []float64
			b.each(func(_, t, row int) {
				if v := b.tables[t].Num(j)[row]; v == v {
					known = append(known, v)
				}
			})
			if len(known) > 0 {
				c.mean, c.sd = vector.PopMeanStdDev(known)
			}
			if c.first = add(); len(known) < b.records() {
				c.absent = add()
			}
		} else {
			c.of = b.levels(j, levels, add)
		}
		all = append(all, c)
	}
	d.start = append(make([]int, 0, b.records()+1), 0)
	b.each(func(_, t, row int) {
		put := func(at int32, v float64) { d.at, d.value = append(d.at, at), append(d.value, v) }
		put(0, 1)
		for _, c := range all {
			if c.of != nil {
				if at := c.of[b.tables[t].Cat(c.column)[row]+1]; at >= 0 {
					put(at, 1)
				}
				continue
			}
			switch v := b.tables[t].Num(c.column)[row]; {
			case v != v:
				put(c.absent, 1)
			case c.sd > 0:
				put(c.first, (v-c.mean)/c.sd)
			}
		}
		d.start, d.label = append(d.start, len(d.at)), append(d.label, float64(t))
	})
	return d
}

// levels returns by code of a category, and before them for what is missing, the column of the design. The commonest
// value has none, as the constant stands for it; beyond so many the others share one.
func (b *both) levels(j, most int, add func() int32) []int32 {
	count := make([]int, len(b.tables[0].Attr(j).Labels)+1)
	b.each(func(_, t, row int) { count[b.tables[t].Cat(j)[row]+1]++ })
	order, of := make([]int, len(count)), make([]int32, len(count))
	for k := range order {
		order[k] = k
	}
	slices.SortStableFunc(order, func(x, y int) int { return count[y] - count[x] })
	for rank, k := range order {
		switch {
		case rank == 0 || count[k] == 0:
			of[k] = -1
		case rank <= most:
			of[k] = add()
		default:
			of[k] = of[order[most]]
		}
	}
	return of
}

// independent drops columns that others determine, in their order, and returns how many are left.
func (d *design) independent() int {
	weights := slices.Repeat([]float64{1}, len(d.label))
	g := d.gram(weights)
	l := make([][]float64, 0, d.columns) // rows of the factor, of the columns that are kept
	kept, to := []int{}, make([]int32, d.columns)
	for j := range d.columns {
		row := make([]float64, len(kept)+1)
		for k, i := range kept {
			row[k] = (g[j][i] - vector.Dot(row[:k], l[k][:k])) / l[k][k]
		}
		rest := g[j][j] - vector.Dot(row[:len(kept)], row[:len(kept)])
		if to[j] = -1; rest > dependent*g[j][j] {
			row[len(kept)] = math.Sqrt(rest)
			to[j] = int32(len(kept))
			kept, l = append(kept, j), append(l, row)
		}
	}
	at, value, end := d.at[:0], d.value[:0], 0
	for i := range d.label {
		from, till := end, d.start[i+1]
		end = till
		for k := from; k < till; k++ {
			if c := to[d.at[k]]; c >= 0 {
				at, value = append(at, c), append(value, d.value[k])
			}
		}
		d.start[i+1] = len(at)
	}
	d.at, d.value, d.columns = at, value, len(kept)
	return len(kept)
}

// gram returns X' W X. Cost: O(n) for the square of the entries of a record.
func (d *design) gram(weights []float64) [][]float64 {
	g := make([][]float64, d.columns)
	for j := range g {
		g[j] = make([]float64, d.columns)
	}
	for i, w := range weights {
		for a := d.start[i]; a < d.start[i+1]; a++ {
			row, v := g[d.at[a]], float64(w*d.value[a])
			for b := d.start[i]; b <= a; b++ {
				row[d.at[b]] += float64(v * d.value[b])
			}
		}
	}
	for i := range g { // entries of a record ascend, so the lower half is there
		for j := range i {
			g[j][i] = g[i][j]
		}
	}
	return g
}

// fit returns the propensity scores of the logistic model, by Newton's method from the share of released records. It
// ends after so many steps where the model separates records, of which the scores are 0 or 1 then.
func (d *design) fit(ctx context.Context, share float64) ([]float64, error) {
	beta, scores, weights := make([]float64, d.columns), make([]float64, len(d.label)), make([]float64, len(d.label))
	beta[0] = portable.Log(share) - portable.Log(1-share)
	for step := 0; ; step++ {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		gradient := make([]float64, d.columns)
		for i, y := range d.label {
			eta := 0.0
			for k := d.start[i]; k < d.start[i+1]; k++ {
				eta += float64(beta[d.at[k]] * d.value[k])
			}
			p := 1 / (1 + portable.Exp(-max(-propensityFarthest, min(propensityFarthest, eta))))
			if step == 0 {
				p = share // to the last digit, so that equal tables have nothing to learn
			}
			scores[i], weights[i] = p, float64(p*(1-p))
			for k := d.start[i]; k < d.start[i+1]; k++ {
				gradient[d.at[k]] += float64(d.value[k] * (y - p))
			}
		}
		if step == steps || !d.step(beta, gradient, weights) {
			return scores, nil
		}
	}
}

// step makes a step of Newton's method; false says that it is too small to matter, or that there is none.
func (d *design) step(beta, gradient, weights []float64) bool {
	g := d.gram(weights)
	a := mat.NewSymDense(d.columns, nil)
	for i := range g {
		for j := range i + 1 {
			a.SetSym(i, j, g[i][j])
		}
		a.SetSym(i, i, g[i][i]+float64(1e-9*float64(len(d.label))))
	}
	l, ok := linalg.Cholesky(a)
	if !ok {
		return false
	}
	b := slices.Clone(gradient) // l l' x = b
	for i := range b {
		for j := range i {
			b[i] -= float64(l.At(i, j) * b[j])
		}
		b[i] /= l.At(i, i)
	}
	for i := len(b) - 1; i >= 0; i-- {
		for j := i + 1; j < len(b); j++ {
			b[i] -= float64(l.At(j, i) * b[j])
		}
		b[i] /= l.At(i, i)
	}
	most := 0.0
	for i, v := range b {
		beta[i] += v
		most = max(most, math.Abs(v))
	}
	return most > settled
}
