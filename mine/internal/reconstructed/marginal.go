package reconstructed

import (
	"context"
	"fmt"

	"github.com/dither-data/dither/internal/system/parallel"
	"github.com/dither-data/dither/noisemodel/modelfile"
	"github.com/dither-data/dither/table"
)

// Marginal is the distribution of a column of the original within every class, where the law of the release tells it.
type Marginal struct {
	Attr int
	Cuts []float64 // of a number: the largest of every cell but the last
	// records by cell, in it by class: not whole, those of a class sum to its records whose value is known
	Counts []float64
}

// Marginals reconstructs the columns that the law names, within every class by itself. A number that is released as its
// class has the classes for cells. Cost: a reconstruction per column and class.
func (e *Estimates) Marginals(
	ctx context.Context,
	t *table.Table,
	class int,
	law *modelfile.Model,
) ([]Marginal, error) {
	sources, err := Sources(t, law)
	if err != nil {
		return nil, err
	}
	if sources[class].noisy() {
		return nil, fmt.Errorf("class %q is randomised; it is needed as it is", t.Attr(class).Name)
	}
	var inputs []*input
	for j := range sources {
		if !sources[j].noisy() && sources[j].Edges == nil {
			continue
		}
		in, err := e.input(t, j, sources[j], t.Rows())
		if err != nil {
			return nil, err
		}
		if in != nil {
			inputs = append(inputs, in)
		}
	}
	out := make([]Marginal, len(inputs))
	classes := len(t.Attr(class).Labels)
	err = parallel.Each(ctx, len(inputs), func(k int) (err error) {
		out[k], err = inputs[k].marginal(ctx, t.Cat(class), classes)
		return err
	})
	return out, err
}

// marginal reconstructs an input class by class.
func (in *input) marginal(ctx context.Context, class []int32, classes int) (Marginal, error) {
	m := Marginal{Attr: in.attr, Counts: make([]float64, in.cells*classes)}
	if in.values != nil {
		for k := range in.cells - 1 {
			m.Cuts = append(m.Cuts, in.cut(k))
		}
	}
	groups := make([][]int32, classes)
	for i, c := range class {
		if c >= 0 && !in.missing(int32(i)) {
			groups[c] = append(groups[c], int32(i))
			if !in.source.noisy() {
				m.Counts[int(in.codes[i])*classes+int(c)]++
			}
		}
	}
	for c, rows := range groups {
		if len(rows) == 0 || !in.source.noisy() {
			continue
		}
		shares, err := in.shares(ctx, rows)
		if err != nil {
			return m, err
		}
		for k, f := range shares {
			m.Counts[k*classes+c] = float64(f * float64(len(rows)))
		}
	}
	return m, nil
}
