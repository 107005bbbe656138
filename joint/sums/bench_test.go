package sums

import (
	"context"
	"crypto/rand"
	"fmt"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/joint"
	"github.com/dither-data/dither/joint/jointtest"
)

// BenchmarkSums adds vectors of three parties in one process; docs/joint.md shows the figures.
func BenchmarkSums(b *testing.B) {
	for _, c := range []struct {
		name string
		run  Add
	}{
		{"ring", Ring}, {"shares", Shares},
		{"masks", func(p *joint.Party, x []uint64) ([]uint64, error) { return (&masks{}).add(p, x) }},
		{"comparison with 5", func(p *joint.Party, x []uint64) ([]uint64, error) {
			_, err := AtLeast(p, x, 5)
			return nil, err
		}},
		{"comparison of the others with 5", func(p *joint.Party, x []uint64) ([]uint64, error) {
			_, err := OthersAtLeast(p, x, 5)
			return nil, err
		}},
	} {
		for _, n := range []int{1, 1000, 1_000_000} {
			b.Run(fmt.Sprint(c.name, "/", n), func(b *testing.B) {
				plan := &joint.Plan{Version: 1, Parties: jointtest.Parties("a", "b", "c")}
				joint.Fill(plan)
				x := make([]uint64, n)
				for b.Loop() {
					machines := make([]*joint.Machine, 3)
					for k := range machines {
						machines[k] = joint.NewMachine(context.Background(), &joint.Session{Plan: plan, Random: rand.Reader}, k,
							func(_ context.Context, p *joint.Party) (*joint.Result, error) {
								_, err := c.run(p, x)
								return &joint.Result{}, err
							})
					}
					must.Get(joint.Together(machines, nil))(b)
					sent := 0
					for _, m := range machines {
						sent += m.Cost().BytesSent
					}
					b.ReportMetric(float64(sent)/3, "B-sent/party")
					b.ReportMetric(float64(machines[1].Cost().Rounds), "rounds")
				}
			})
		}
	}
}
