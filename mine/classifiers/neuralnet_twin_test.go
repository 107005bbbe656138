package classifiers

import (
	"context"
	"encoding/json"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// neurons are layers of neurons, each with its threshold and the weights of what enters it: a network neuron by neuron.
type neurons [][]struct {
	threshold float64
	weights   []float64
}

func unpack(m *NeuralNetModel) neurons {
	var n neurons
	w := m.Weights
	for k := 1; k < len(m.Sizes); k++ {
		in, out := m.Sizes[k-1], m.Sizes[k]
		n = append(n, make([]struct {
			threshold float64
			weights   []float64
		}, out))
		for to := range out {
			n[k-1][to].threshold = w[to]
			for from := range in {
				n[k-1][to].weights = append(n[k-1][to].weights, w[out+from*out+to])
			}
		}
		w = w[out+in*out:]
	}
	return n
}

// netTwin returns the probabilities of the classes of record i.
func netTwin(m *NeuralNetModel, n neurons, t *table.Table, i int) []float64 {
	var x []float64
	for _, in := range m.Inputs {
		if t.Attr(in.Attribute).Kind == table.Categorical {
			for c := range in.Neurons {
				v := 0.0
				if t.Cat(in.Attribute)[i] == int32(c) {
					v = 1
				}
				x = append(x, v)
			}
			continue
		}
		v := t.Num(in.Attribute)[i]
		if math.IsNaN(v) || in.Scale == 0 {
			x = append(x, 0)
		} else {
			x = append(x, (v-in.Centre)/in.Scale)
		}
	}
	for k, l := range n {
		var y []float64
		for _, neuron := range l {
			s := neuron.threshold
			for from, w := range neuron.weights {
				s += w * x[from]
			}
			if k < len(n)-1 {
				s = math.Tanh(s)
			}
			y = append(y, s)
		}
		x = y
	}
	sum := 0.0
	for _, v := range x {
		sum += math.Exp(v)
	}
	for c, v := range x {
		x[c] = math.Exp(v) / sum
	}
	return x
}

// A trained network gives the probabilities that its neurons give one by one, and predicts the largest; so does it
// through JSON.
func TestNeuralNetTwin(t *testing.T) {
	long.Check(t, func(r *rapid.T) {
		tab := protecttest.RandomTable(r)
		l := &NeuralNetLearner{
			Layers: rapid.IntRange(1, 3).Draw(r, "layers"), Hidden: rapid.IntRange(1, 5).Draw(r, "hidden"),
			Epochs: 3, Rate: 0.05, Batch: rapid.IntRange(1, 100).Draw(r, "batch"), Patience: 2,
			Holdout: rapid.SampledFrom([]float64{0, 30}).Draw(r, "holdout"),
		}
		fitted := must.Get(l.Fit(context.Background(), tab, rng.New([32]byte{2})))(r)
		m, back := fitted.(*NeuralNetModel), new(NeuralNetModel)
		text := must.Get(json.Marshal(m))(r)
		must.NoError(r, json.Unmarshal(text, back))
		must.NoError(r, back.Check())
		classes := m.Sizes[len(m.Sizes)-1]
		p, got, again := make([]float64, tab.Rows()*classes), make([]int32, tab.Rows()), make([]int32, tab.Rows())
		m.Probabilities(tab, p)
		m.Predict(tab, got)
		back.Predict(tab, again)
		if !slices.Equal(got, again) {
			r.Fatal("through JSON the model predicts otherwise")
		}
		n := unpack(m)
		for i := range got {
			want := netTwin(m, n, tab, i)
			for c, w := range want {
				if math.Abs(p[i*classes+c]-w) > 1e-9 {
					r.Fatalf("record %d: probabilities %v, expected %v", i, p[i*classes:][:classes], want)
				}
			}
			if want[got[i]] < slices.Max(want)-1e-9 {
				r.Fatalf("record %d is predicted %d, expected the largest of %v", i, got[i], want)
			}
		}
	})
}

// The gradient of every weight is the slope of the loss, by central differences: their error is some 1e-10 for steps of
// 1e-5.
func TestGradient(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, sizes := range [][]int{{3, 4, 4, 2}, {5, 3, 3}, {1, 1, 1, 1, 4}, {70, 9, 2}} {
		const n, records = 7, 11
		p := newPass(sizes, true)
		for i := range n * sizes[0] {
			p.out[0].Data[i] = r.NormFloat64()
		}
		classes := make([]int32, n)
		for i := range classes {
			classes[i] = r.Int32N(int32(sizes[len(sizes)-1]))
		}
		weights := make([]float64, count(sizes))
		for i := range weights {
			weights[i] = r.NormFloat64() / 2
		}
		loss := func() float64 {
			p.forward(weights, n)
			return p.loss(classes) / records
		}
		p.forward(weights, n)
		p.backward(weights, classes, records)
		for i, w := range weights {
			const h = 1e-5
			weights[i] = w + h
			up := loss()
			weights[i] = w - h
			slope := (up - loss()) / (2 * h)
			weights[i] = w
			if math.Abs(slope-p.gradient[i]) > 1e-8 {
				t.Errorf("layers %v, weight %d: gradient %v, slope %v", sizes, i, p.gradient[i], slope)
			}
		}
	}
}

// A step of a batch of several shards is that of their gradient together: training with the batch as one sum of single
// records moves the weights to the same place.
func TestStepTwin(t *testing.T) {
	tab := tabletest.Of(t, randomColumns(200)...)
	l := &NeuralNetLearner{Layers: 2, Hidden: 3, Epochs: 1, Rate: 0.1, Batch: 150, Patience: 1}
	m := netFit(t, l, tab) // steps of 150 and of 50 records
	start := must.Get(l.begin(context.Background(), tab))(t)
	src := rng.New([32]byte{1}) // that of fit
	weights := initial(m.Sizes, src.Fork("weights"))
	order := make([]int32, 200)
	for i := range order {
		order[i] = int32(i)
	}
	src.Fork("order").Rand().Shuffle(200, func(i, j int) { order[i], order[j] = order[j], order[i] })
	first, second := make([]float64, len(weights)), make([]float64, len(weights))
	for step, batch := range [][]int32{order[:150], order[150:]} {
		sum := make([]float64, len(weights))
		p := newPass(m.Sizes, true)
		for _, row := range batch {
			encode(start.Inputs, tab, []int32{row}, p.out[0])
			p.forward(weights, 1)
			p.backward(weights, []int32{tab.Cat(m.Class)[row]}, 1)
			for i, g := range p.gradient {
				sum[i] += g / float64(len(batch))
			}
		}
		for i, g := range sum { // Kingma & Ba 2015, algorithm 1
			first[i] = 0.9*first[i] + 0.1*g
			second[i] = 0.999*second[i] + 0.001*g*g
			a, b := first[i]/(1-math.Pow(0.9, float64(step+1))), second[i]/(1-math.Pow(0.999, float64(step+1)))
			weights[i] -= 0.1 * a / (math.Sqrt(b) + 1e-8)
		}
	}
	for i, w := range weights {
		protecttest.Near(t, "weight", m.Weights[i], w, 1e-6) // steps are by the sign where a gradient is near 0
	}
}

// randomColumns returns two numbers, a category and a class that depends on them.
func randomColumns(rows int) []table.Column {
	r := rand.New(rand.NewPCG(5, 6))
	x, y, z, class := make([]float64, rows), make([]float64, rows), make([]int32, rows), make([]int32, rows)
	for i := range rows {
		x[i], y[i], z[i] = r.NormFloat64(), 100*r.Float64(), r.Int32N(3)
		if x[i]+y[i]/50+float64(z[i]) > 2 {
			class[i] = 1
		}
	}
	return []table.Column{
		table.NumColumn("x", 0, x),
		table.NumColumn("y", 0, y),
		table.CatColumn("z", []string{"a", "b", "c"}, z),
		netClassColumn(class...),
	}
}
