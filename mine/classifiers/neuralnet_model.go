package classifiers

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"

	"github.com/dither-data/dither/internal/system/parallel"
	"github.com/dither-data/dither/table"
)

// NeuralNetModel is a trained network: plain data, which through JSON and back predicts the same. It is as confidential
// as the records.
type NeuralNetModel struct {
	Attrs  []table.Attribute `json:"attributes"`
	Class  int               `json:"class"` // column
	Inputs []Input           `json:"inputs"`
	Sizes  []int             `json:"sizes"` // neurons by layer, from the inputs to the classes
	// by layer the thresholds of its neurons, then for every neuron before its weights to each
	Weights []float64 `json:"weights"`
	Epochs  int       `json:"epochs"` // that the weights were trained for
	Loss    float64   `json:"loss"`   // mean cross-entropy of the training records in the last epoch, in nats
	Held    float64   `json:"held"`   // the least of the records held out; 0 without any
}

// Predict writes the most probable class of every record of t into dst, of equally probable ones the first, on all
// cores. The table must conform to m.Attrs.
func (m *NeuralNetModel) Predict(t *table.Table, dst []int32) {
	_ = m.each(context.Background(), t, everyRow(t), func(p *pass, lo, n int) {
		out := p.out[len(p.out)-1]
		for i := range n {
			dst[lo+i] = 0
			row := out.Data[i*out.Stride:][:out.Cols]
			for c, v := range row {
				if v > row[dst[lo+i]] {
					dst[lo+i] = int32(c)
				}
			}
		}
	})
}

// Probabilities writes the probability of every class given the record, for every record of t, into dst, which holds as
// many numbers a record as the class has labels.
func (m *NeuralNetModel) Probabilities(t *table.Table, dst []float64) {
	_ = m.each(context.Background(), t, everyRow(t), func(p *pass, lo, n int) {
		out := top(p.out[len(p.out)-1], n)
		copy(dst[lo*out.Cols:], out.Data)
	})
}

func everyRow(t *table.Table) []int32 {
	rows := make([]int32, t.Rows())
	for i := range rows {
		rows[i] = int32(i)
	}
	return rows
}

// each passes rows of a table through the network, a shard at a time on all cores, and calls use after each: for n rows
// from the lo-th on.
func (m *NeuralNetModel) each(ctx context.Context, t *table.Table, rows []int32, use func(p *pass, lo, n int)) error {
	pool := sync.Pool{New: func() any { return newPass(m.Sizes, false) }}
	return parallel.Ranges(ctx, len(rows), shard, func(lo, hi int) error {
		p := pool.Get().(*pass)
		encode(m.Inputs, t, rows[lo:hi], p.out[0])
		p.forward(m.Weights, hi-lo)
		use(p, lo, hi-lo)
		pool.Put(p)
		return nil
	})
}

// Check refuses a decoded model that cannot predict: one whose weights do not fit its layers, or those its attributes.
func (m *NeuralNetModel) Check() error {
	if m.Class < 0 || m.Class >= len(m.Attrs) || m.Attrs[m.Class].Kind != table.Categorical {
		return fmt.Errorf("the class is column %d, expected a categorical one of %d", m.Class, len(m.Attrs))
	}
	neurons := 0
	for _, in := range m.Inputs {
		if in.Attribute < 0 || in.Attribute >= len(m.Attrs) {
			return fmt.Errorf("there is no column %d, expected one of %d", in.Attribute, len(m.Attrs))
		}
		a := &m.Attrs[in.Attribute]
		if !a.Kind.Scalar() {
			return fmt.Errorf("column %q is %s, expected numbers or categories", a.Name, a.Kind)
		}
		if want := max(1, len(a.Labels)); in.Neurons != want {
			return fmt.Errorf("column %q enters by %d neurons, expected %d", a.Name, in.Neurons, want)
		}
		neurons += in.Neurons
	}
	last := len(m.Sizes) - 1
	switch {
	case last < 1 || slices.Min(m.Sizes) < 1 || slices.Max(m.Sizes) > math.MaxInt32:
		return fmt.Errorf("there are %d layers, expected at least 2 of at least one neuron", len(m.Sizes))
	case m.Sizes[0] != neurons || m.Sizes[last] != len(m.Attrs[m.Class].Labels):
		return fmt.Errorf("the layers lead from %d to %d neurons, expected %d and %d", m.Sizes[0], m.Sizes[last], neurons,
			len(m.Attrs[m.Class].Labels))
	case len(m.Weights) != count(m.Sizes):
		return fmt.Errorf("there are %d weights, expected %d", len(m.Weights), count(m.Sizes))
	}
	return nil
}

// Text writes the layers and how well the network fits.
func (m *NeuralNetModel) Text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "neural network of %d inputs", m.Sizes[0])
	for _, n := range m.Sizes[1 : len(m.Sizes)-1] {
		fmt.Fprintf(&b, ", %d hidden neurons", n)
	}
	fmt.Fprintf(&b, ", %d classes: %d weights\n", m.Sizes[len(m.Sizes)-1], len(m.Weights))
	fmt.Fprintf(&b, "trained for %d epochs; cross-entropy %.4g nats a record", m.Epochs, m.Loss)
	if m.Held > 0 {
		fmt.Fprintf(&b, ", %.4g on records held out", m.Held)
	}
	b.WriteByte('\n')
	for _, in := range m.Inputs {
		a := &m.Attrs[in.Attribute]
		switch a.Kind {
		case table.Numeric:
			fmt.Fprintf(&b, "  %.100s: number, mean %s, standard deviation %s\n", a.Name, a.Mean(in.Centre, netFigure),
				a.Spread(in.Scale, netFigure))
		case table.Categorical:
			fmt.Fprintf(&b, "  %.100s: %d categories\n", a.Name, in.Neurons)
		case table.SetValued: // is not among the columns
		}
	}
	return b.String()
}

func netFigure(v float64) string { return fmt.Sprintf("%.6g", v) }
