package classifiers

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/dither-data/dither/internal/portable"
	"github.com/dither-data/dither/internal/portable/vector"
	"github.com/dither-data/dither/internal/system/parallel"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// training is a network while it learns.
type training struct {
	*NeuralNetLearner
	m        *NeuralNetModel
	t        *table.Table
	class    []int32
	rows     []int32 // to learn from
	held     []int32 // to stop by
	order    rng.Source
	passes   []*pass // of the shards of a batch, or more
	gradient []float64
	adam     adam
}

// prepare divides the records and draws the first weights.
func (l *NeuralNetLearner) prepare(m *NeuralNetModel, t *table.Table, src rng.Source) (*training, error) {
	tr := &training{NeuralNetLearner: l, m: m, t: t, class: t.Cat(m.Class), order: src.Fork("order")}
	held := src.Fork("holdout").Stream()
	for i, c := range tr.class {
		switch {
		case c < 0:
		case rng.Unit(held.At(uint64(t.ID(i))).A) < l.Holdout/100:
			tr.held = append(tr.held, int32(i))
		default:
			tr.rows = append(tr.rows, int32(i))
		}
	}
	if len(tr.rows) == 0 { // too few to divide
		tr.rows, tr.held = tr.held, nil
	}
	if len(tr.rows) == 0 {
		return nil, fmt.Errorf("class %q has no value in the %d records", m.Attrs[m.Class].Name, t.Rows())
	}
	m.Weights = initial(m.Sizes, src.Fork("weights"))
	for range (min(l.Batch, len(tr.rows)) + shard - 1) / shard {
		tr.passes = append(tr.passes, newPass(m.Sizes, true))
	}
	tr.gradient = make([]float64, len(m.Weights))
	tr.adam = adam{rate: l.Rate, first: make([]float64, len(m.Weights)), second: make([]float64, len(m.Weights))}
	return tr, nil
}

// initial draws weights evenly within sqrt(6 / (neurons before + neurons)) of 0 (Glorot & Bengio 2010, equation 16);
// thresholds are 0.
func initial(sizes []int, src rng.Source) []float64 {
	weights := make([]float64, count(sizes))
	r := src.Rand()
	for k := 1; k < len(sizes); k++ {
		_, w := layer(sizes, weights, k)
		limit := math.Sqrt(6 / float64(w.Rows+w.Cols))
		for i := range w.Data {
			w.Data[i] = float64(limit * (2*r.Float64() - 1))
		}
	}
	return weights
}

// run trains until the last epoch, or until the records held out say that it is enough.
func (tr *training) run(ctx context.Context) error {
	r := tr.order.Rand()
	chance := portable.Log(float64(max(2, tr.m.Sizes[len(tr.m.Sizes)-1]))) // the loss of guessing
	best := *tr.m
	for epoch := 1; epoch <= tr.Epochs; epoch++ {
		r.Shuffle(len(tr.rows), func(i, j int) { tr.rows[i], tr.rows[j] = tr.rows[j], tr.rows[i] })
		loss, err := tr.epoch(ctx)
		if err != nil {
			return err
		}
		if !(loss <= 10*chance) {
			return fmt.Errorf("training diverges in epoch %d with rate %v, its loss is ten times that of guessing: expected a "+
				"smaller rate", epoch, tr.Rate)
		}
		tr.m.Epochs, tr.m.Loss = epoch, loss
		if len(tr.held) == 0 {
			continue
		}
		if tr.m.Held, err = tr.judge(ctx); err != nil {
			return err
		}
		if best.Epochs == 0 || tr.m.Held < best.Held {
			best = *tr.m
			best.Weights = slices.Clone(tr.m.Weights)
		}
		if epoch-best.Epochs >= tr.Patience {
			break
		}
	}
	if best.Epochs > 0 {
		*tr.m = best
	}
	return nil
}

// epoch passes over the training records once and returns their mean loss on the way, in nats.
func (tr *training) epoch(ctx context.Context) (float64, error) {
	total := 0.0
	losses := make([]float64, len(tr.passes))
	for batch := range slices.Chunk(tr.rows, tr.Batch) {
		shards := (len(batch) + shard - 1) / shard
		err := parallel.Each(ctx, shards, func(s int) error {
			losses[s] = tr.learn(tr.passes[s], batch[s*shard:min(len(batch), (s+1)*shard)], len(batch))
			return nil
		})
		if err != nil {
			return 0, err
		}
		copy(tr.gradient, tr.passes[0].gradient)
		for _, p := range tr.passes[1:shards] {
			floats.Add(tr.gradient, p.gradient)
		}
		total += vector.Sum(losses[:shards])
		tr.adam.step(tr.m.Weights, tr.gradient)
	}
	return total / float64(len(tr.rows)), nil
}

// learn sets the gradient of a shard and returns the sum of its losses.
func (tr *training) learn(p *pass, rows []int32, records int) float64 {
	var room [shard]int32
	classes := room[:len(rows)]
	for i, r := range rows {
		classes[i] = tr.class[r]
	}
	encode(tr.m.Inputs, tr.t, rows, p.out[0])
	p.forward(tr.m.Weights, len(rows))
	p.backward(tr.m.Weights, classes, records)
	return p.loss(classes)
}

// judge returns the mean loss of the records held out.
func (tr *training) judge(ctx context.Context) (float64, error) {
	losses := make([]float64, (len(tr.held)+shard-1)/shard)
	err := tr.m.each(ctx, tr.t, tr.held, func(p *pass, lo, n int) {
		classes := make([]int32, n)
		for i := range classes {
			classes[i] = tr.class[tr.held[lo+i]]
		}
		losses[lo/shard] = p.loss(classes)
	})
	return vector.Sum(losses) / float64(len(tr.held)), err
}

// adam is the state of Adam (Kingma & Ba 2015, algorithm 1) with its authors' constants.
type adam struct {
	rate          float64
	steps         float64
	first, second []float64 // moving averages of the gradient and of its square
}

func (a *adam) step(weights, gradient []float64) {
	const b1, b2, epsilon = 0.9, 0.999, 1e-8
	a.steps++
	rate := a.rate / (1 - portable.Pow(b1, a.steps))
	unbias := 1 / (1 - portable.Pow(b2, a.steps))
	first, second, weights := a.first[:len(gradient)], a.second[:len(gradient)], weights[:len(gradient)]
	for i, g := range gradient {
		first[i] = float64(b1*first[i]) + float64((1-b1)*g)
		second[i] = float64(b2*second[i]) + float64((1-b2)*g*g)
		weights[i] -= rate * first[i] / (math.Sqrt(second[i]*unbias) + epsilon)
	}
}
