package suppress

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/tabulate"
)

// large returns a table of three hierarchies, each of two levels below the total, of n people.
func large(n, groups, leaves int) *tabulate.Set {
	r := rand.New(rand.NewPCG(11, 12))
	dims := make([]tabulate.Dimension, 3)
	for k := range dims {
		d := tabulate.Dimension{Name: fmt.Sprint("d", k), Labels: []string{tabulate.Total}, Up: []int32{-1},
			Leaf: make([]int32, n)}
		var finest []int32
		for g := range groups {
			d.Labels, d.Up = append(d.Labels, fmt.Sprint(g)), append(d.Up, 0)
			top := int32(len(d.Up) - 1)
			for l := range leaves {
				d.Labels, d.Up = append(d.Labels, fmt.Sprint(g, ".", l)), append(d.Up, top)
				finest = append(finest, int32(len(d.Up)-1))
			}
		}
		for i := range d.Leaf {
			d.Leaf[i] = finest[min(int(r.ExpFloat64()*float64(len(finest))/3), len(finest)-1)]
		}
		dims[k] = d
	}
	v := make([]float64, n)
	for i := range v {
		v[i] = math.Round(math.Exp(r.NormFloat64() + 4))
	}
	s, err := tabulate.New(n, dims, [][]int{{0, 1, 2}}, []tabulate.Variable{{Name: "v", Values: v}}, nil, 2)
	if err != nil {
		panic(err)
	}
	return s
}

// The elimination alone, and with the proofs. Of one core, with proofs: 2,096 cells 2.6 s, since small linear programs
// are tried more often there, 8,089 cells 2.0 s, 26,028 cells 3.2 s, 71,964 cells 5.4 s, 115,062 cells 6.6 s. The
// elimination of the larger ones takes minutes, and is not run.
func BenchmarkSolve(b *testing.B) {
	for _, c := range [][3]int{{6_000, 3, 3}, {20_000, 4, 4}, {100_000, 5, 5}, {500_000, 6, 6}, {1_000_000, 7, 6}} {
		p := Of(large(c[0], c[1], c[2]), tabulate.Rules{Frequency: 3})
		for _, o := range []Options{{Span: true}, {}} {
			if o.Span && p.cells() > 10_000 {
				continue
			}
			b.Run(fmt.Sprintf("%d cells %+v", p.cells(), o), func(b *testing.B) {
				for b.Loop() {
					s := must.Get(Solve(context.Background(), p, o))(b)
					b.ReportMetric(float64(s.Primary), "primary")
					b.ReportMetric(float64(s.Secondary), "secondary")
					b.ReportMetric(float64(len(s.Open)), "open")
				}
			})
		}
	}
}
