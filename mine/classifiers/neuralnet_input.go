package classifiers

import (
	"context"
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/blas/blas64"

	"github.com/dither-data/dither/internal/stats/moments"
	"github.com/dither-data/dither/internal/system/parallel"
	"github.com/dither-data/dither/mine"
	"github.com/dither-data/dither/table"
)

// Input is an attribute and the neurons that it enters by: one for a number, one for each category.
type Input struct {
	Attribute int     `json:"attribute"` // column of the table
	Neurons   int     `json:"neurons"`
	Centre    float64 `json:"centre,omitempty"` // of a number: (v-Centre)/Scale
	Scale     float64 `json:"scale,omitempty"`  // 0: it never varies, and enters as 0
}

// extreme is what scaled numbers are kept within: beyond, a neuron is as good as certain.
const extreme = 1e6

// begin returns an untrained model.
func (l *NeuralNetLearner) begin(ctx context.Context, t *table.Table) (*NeuralNetModel, error) {
	of, err := mine.ClassOf(t)
	if err != nil {
		return nil, err
	}
	m := &NeuralNetModel{Attrs: t.Attrs(), Class: of}
	class := &m.Attrs[of]
	for j, a := range m.Attrs {
		if j == m.Class || !a.Kind.Scalar() || a.Role&(table.Identifier|table.Weight) != 0 ||
			a.Kind == table.Categorical && len(a.Labels) == 0 {
			continue
		}
		m.Inputs = append(m.Inputs, Input{Attribute: j, Neurons: max(1, len(a.Labels))})
	}
	if len(m.Inputs) == 0 {
		return nil, errors.New("no column to learn from: all are class, identifier, weight or without values")
	}
	neurons := 0
	for _, in := range m.Inputs {
		neurons += in.Neurons
	}
	m.Sizes = append(m.Sizes, neurons)
	for range l.Layers {
		m.Sizes = append(m.Sizes, l.Hidden)
	}
	m.Sizes = append(m.Sizes, len(class.Labels))
	return m, parallel.Each(ctx, len(m.Inputs), func(k int) error { return m.Inputs[k].scale(ctx, t, m.Class) })
}

// scale sets the centre and the unit of a number from the records whose class is known.
func (in *Input) scale(ctx context.Context, t *table.Table, class int) error {
	switch t.Attr(in.Attribute).Kind {
	case table.Numeric:
	case table.Categorical, table.SetValued:
		return nil
	}
	var known []float64
	for i, v := range t.Num(in.Attribute) {
		if v == v && t.Cat(class)[i] >= 0 {
			known = append(known, v)
		}
	}
	if len(known) < 2 {
		return nil
	}
	m, err := moments.Of(ctx, [][]float64{known})
	if err != nil {
		return err
	}
	in.Centre, in.Scale = m.Means()[0], math.Sqrt(m.Cov().At(0, 0))
	if !(in.Scale <= math.MaxFloat64) {
		return fmt.Errorf("column %q: the numbers lie too far apart to be scaled", t.Attr(in.Attribute).Name)
	}
	return nil
}

// encode writes what enters the network for rows of a table, a row of dst each.
func encode(inputs []Input, t *table.Table, rows []int32, dst blas64.General) {
	clear(dst.Data[:len(rows)*dst.Stride])
	first := 0
	for k := range inputs {
		in := &inputs[k]
		at := first
		if codes := t.Cat(in.Attribute); codes != nil {
			for _, r := range rows {
				if c := int(codes[r]); c >= 0 && c < in.Neurons {
					dst.Data[at+c] = 1
				}
				at += dst.Stride
			}
		} else if values := t.Num(in.Attribute); in.Scale > 0 {
			for _, r := range rows {
				if v := values[r]; v == v {
					dst.Data[at] = min(max((v-in.Centre)/in.Scale, -extreme), extreme)
				}
				at += dst.Stride
			}
		}
		first += in.Neurons
	}
}
