package classifiers

import (
	"gonum.org/v1/gonum/floats"
	"math"

	"gonum.org/v1/gonum/blas/blas64"

	"github.com/dither-data/dither/internal/portable"
	"github.com/dither-data/dither/internal/portable/vector"
)

// A network's weights are one slice. By layer it holds the thresholds of the layer's neurons, then for every neuron of
// the layer before its weights to each of them.

// count returns how many weights a network of layers of these sizes has.
func count(sizes []int) int {
	n := 0
	for k, out := range sizes[1:] {
		n += (sizes[k] + 1) * out
	}
	return n
}

// layer returns the part of the weights, or of their gradient, that leads to layer k, from 1.
func layer(sizes []int, weights []float64, k int) (thresholds []float64, w blas64.General) {
	weights = weights[count(sizes[:k]):]
	in, out := sizes[k-1], sizes[k]
	return weights[:out], blas64.General{Rows: in, Cols: out, Stride: out, Data: weights[out : out+in*out]}
}

// shard is how many records pass through a network together. The records of a batch are divided into shards, whatever
// the number of cores, and their gradients are added in order.
const shard = 64

// pass is the way of up to a shard of records through a network and back.
type pass struct {
	sizes    []int
	out      []blas64.General // by layer: outputs of its neurons by record; first the inputs, last probabilities
	delta    []blas64.General // by layer: derivatives of the loss by what enters its neurons
	gradient []float64        // by weight
}

func newPass(sizes []int, gradient bool) *pass {
	p := &pass{sizes: sizes}
	for _, n := range sizes {
		p.out = append(p.out, matrix(shard, n))
	}
	if gradient {
		p.gradient = make([]float64, count(sizes))
		for _, n := range sizes {
			p.delta = append(p.delta, matrix(shard, n))
		}
	}
	return p
}

// row returns a row of a matrix.
func row(m blas64.General, i int) []float64 { return m.Data[i*m.Stride:][:m.Cols] }

// addProduct adds the product a b to c.
func addProduct(c, a, b blas64.General) {
	for i := range a.Rows {
		for k, v := range row(a, i) {
			if v != 0 {
				vector.AddScaled(row(c, i), v, row(b, k))
			}
		}
	}
}

// addTransposed adds the product a' b to c.
func addTransposed(c, a, b blas64.General) {
	for i := range a.Rows {
		for k, v := range row(a, i) {
			if v != 0 {
				vector.AddScaled(row(c, k), v, row(b, i))
			}
		}
	}
}

// dots sets c to the product a b'.
func dots(c, a, b blas64.General) {
	for i := range a.Rows {
		for k := range b.Rows {
			c.Data[i*c.Stride+k] = vector.Dot(row(a, i), row(b, k))
		}
	}
}

func matrix(rows, cols int) blas64.General {
	return blas64.General{Rows: rows, Cols: cols, Stride: cols, Data: make([]float64, rows*cols)}
}

// top returns the first rows of a matrix.
func top(m blas64.General, rows int) blas64.General {
	m.Rows, m.Data = rows, m.Data[:rows*m.Stride]
	return m
}

// forward computes the outputs of the first n records, whose inputs are in out[0], and returns the probabilities of the
// classes.
func (p *pass) forward(weights []float64, n int) blas64.General {
	last := len(p.sizes) - 1
	for k := 1; k <= last; k++ {
		thresholds, w := layer(p.sizes, weights, k)
		out := top(p.out[k], n)
		for i := 0; i < len(out.Data); i += len(thresholds) {
			copy(out.Data[i:], thresholds)
		}
		addProduct(out, top(p.out[k-1], n), w)
		if k < last {
			for i, v := range out.Data {
				out.Data[i] = portable.Tanh(v)
			}
		}
	}
	probabilities := top(p.out[last], n)
	for i := range n {
		softmax(probabilities.Data[i*probabilities.Stride:][:probabilities.Cols])
	}
	return probabilities
}

// softmax makes probabilities of numbers: their exponentials over their sum.
func softmax(v []float64) {
	largest := math.Inf(-1)
	for _, x := range v {
		largest = max(largest, x)
	}
	sum := 0.0
	for c, x := range v {
		v[c] = portable.Exp(x - largest)
		sum += v[c]
	}
	for c := range v {
		v[c] /= sum
	}
}

// least is the smallest probability that a loss tells from 0.
const least = 1e-300

// loss returns the sum of the cross-entropies of records of these classes, in nats, after forward.
func (p *pass) loss(classes []int32) float64 {
	out := p.out[len(p.out)-1]
	sum := 0.0
	for i, c := range classes {
		sum -= portable.Log(max(out.Data[i*out.Stride+int(c)], least))
	}
	return sum
}

// backward sets the gradient of the cross-entropies' sum over so many records, of which these are some, after forward.
func (p *pass) backward(weights []float64, classes []int32, records int) {
	n, last := len(classes), len(p.sizes)-1
	delta := top(p.delta[last], n)
	copy(delta.Data, p.out[last].Data)
	for i, c := range classes {
		delta.Data[i*delta.Stride+int(c)]--
	}
	floats.Scale(1/float64(records), delta.Data)
	for k := last; k >= 1; k-- {
		thresholds, g := layer(p.sizes, p.gradient, k)
		clear(g.Data)
		addTransposed(g, top(p.out[k-1], n), delta)
		clear(thresholds)
		for i, d := range delta.Data {
			thresholds[i%len(thresholds)] += d
		}
		if k == 1 {
			break
		}
		_, w := layer(p.sizes, weights, k)
		before := top(p.delta[k-1], n)
		dots(before, delta, w)
		for i, o := range p.out[k-1].Data[:len(before.Data)] {
			before.Data[i] = float64(before.Data[i] * (1 - float64(o*o))) // the derivative of tanh
		}
		delta = before
	}
}
