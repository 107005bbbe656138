package noiseremoval

import (
	"context"

	"gonum.org/v1/gonum/mat"

	"github.com/dither-data/dither/internal/stats/moments"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/noisemodel"
	"github.com/dither-data/dither/table"
)

// additive is what a mechanism says of its columns, as Additive returns it.
type additive struct {
	names []string
	z     [][]float64
	noise *mat.SymDense
}

// additiveOf joins what the release's mechanisms say of their columns; nil when none is Additive. Steps of a plan draw
// independently. A column that two mechanisms name is the first one's: a composite speaks for its steps.
func additiveOf(r *measure.Release) (*additive, error) {
	var all *additive
	for _, m := range r.Mechanisms {
		p, ok := m.(noisemodel.Additive)
		if !ok {
			continue
		}
		var a additive
		var err error
		if a.names, a.z, a.noise, err = p.Additive(r.Released); err != nil {
			return nil, err
		}
		if all == nil {
			all = &additive{}
		}
		all.join(&a)
	}
	return all, nil
}

// join appends the columns of b that a does not have, their noise independent of that of a.
func (a *additive) join(b *additive) {
	var fresh []int
	have := map[string]bool{}
	for _, n := range a.names {
		have[n] = true
	}
	for k, n := range b.names {
		if !have[n] {
			fresh = append(fresh, k)
		}
	}
	old := len(a.names)
	if old+len(fresh) == 0 {
		return
	}
	noise := mat.NewSymDense(old+len(fresh), nil)
	for i := range old {
		for j := range i + 1 {
			noise.SetSym(i, j, a.noise.At(i, j))
		}
	}
	for i, k := range fresh {
		for j, l := range fresh[:i+1] {
			noise.SetSym(old+i, old+j, b.noise.At(k, l))
		}
		a.names, a.z = append(a.names, b.names[k]), append(a.z, b.z[k])
	}
	a.noise = noise
}

// assumed takes a share of the variance of every numeric column that the release changes for independent noise.
func assumed(ctx context.Context, r *measure.Release, share float64) (*additive, error) {
	a := &additive{}
	var variance []float64
	for _, j := range changedNumbers(r) {
		m, err := moments.Of(ctx, [][]float64{r.Released.Num(j)})
		if err != nil {
			return nil, err
		}
		a.names, a.z = append(a.names, r.Released.Attr(j).Name), append(a.z, r.Released.Num(j))
		variance = append(variance, float64(share*m.Cov().At(0, 0)))
	}
	if len(a.names) == 0 {
		return nil, measure.NotApplicable(message.Say("measure.skipped.unchanged"))
	}
	a.noise = mat.NewSymDense(len(variance), nil)
	for k, v := range variance {
		a.noise.SetSym(k, k, v)
	}
	return a, nil
}

// changedNumbers returns the numeric columns, identifiers and weights left out, in which the tables differ.
func changedNumbers(r *measure.Release) []int {
	var out []int
	for j := range r.Original.Width() {
		a := r.Original.Attr(j)
		if a.Kind != table.Numeric || a.Role&(table.Identifier|table.Weight) != 0 {
			continue
		}
		y := r.Released.Num(j)
		for i, x := range r.Original.Num(j) {
			if x != y[i] && (x == x || y[i] == y[i]) {
				out = append(out, j)
				break
			}
		}
	}
	return out
}
