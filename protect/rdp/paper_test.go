package rdp

import (
	"context"
	"math"
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/dither-data/dither/internal/executor"
	"github.com/dither-data/dither/internal/yardstick"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/internal/fence"
	"github.com/dither-data/dither/protect/internal/geometric"
	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// people returns records of p related columns named a, b, ..., on the grid given.
func people(rows, p int, step float64) *table.Table {
	r := rand.New(rand.NewPCG(1, 2))
	cols := make([]table.Column, p)
	for j := range cols {
		cols[j].Num = make([]float64, rows)
	}
	for i := range rows {
		shared := r.NormFloat64()
		for j := range cols {
			cols[j].Num[i] = table.Snap(50+10*float64(j+1)*(shared+r.NormFloat64()), step)
		}
	}
	for j := range cols {
		cols[j] = table.NumColumn(string(rune('a'+j)), step, cols[j].Num)
	}
	return tabletest.Must(cols...)
}

func fit(t testing.TB, tab *table.Table, seed byte, set map[string]string) *geometric.Map {
	t.Helper()
	q := New()
	if err := q.Params().Apply(set); err != nil {
		t.Fatal(err)
	}
	p, err := q.Fit(context.Background(), tab, protecttest.Seed(seed))
	if err != nil {
		t.Fatal(err)
	}
	return p.(*geometric.Map)
}

func apply(t testing.TB, p protect.Plan, tab *table.Table) *table.Table {
	t.Helper()
	out, err := executor.Run(context.Background(), p, tab, protecttest.Seed(1), protect.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// distance of two records, every column by its width in the original.
func distance(t, original *table.Table, i, k int) float64 {
	s := 0.0
	for j := range t.Width() {
		d := original.Attr(j).Domain
		u := (t.Num(j)[i] - t.Num(j)[k]) / (d.Hi - d.Lo)
		s += u * u
	}
	return math.Sqrt(s)
}

// Oliveira & Zaiane 2003: rotations keep all distances. A released value is at most half a step from the exact image, so a difference of
// two is one step off at most and a distance sqrt(sum of (step/width)²); an odd column is rotated with two others.
func TestDistancesAreKept(t *testing.T) {
	for _, p := range []int{2, 3, 4, 5, 7} {
		for grid, finer := range map[string]float64{fence.GridKeep: 1, fence.GridFiner: 0.01} {
			tab := people(60, p, 1)
			out := apply(t, fit(t, tab, byte(p), map[string]string{"grid": grid}), tab)
			bound := 0.0
			for j := range p {
				d := tab.Attr(j).Domain
				bound += math.Pow(finer/(d.Hi-d.Lo), 2)
			}
			bound, most := math.Sqrt(bound)+1e-12, 0.0
			for i := range tab.Rows() {
				for k := range i {
					most = max(most, math.Abs(distance(out, tab, i, k)-distance(tab, tab, i, k)))
				}
			}
			if most > bound || most == 0 {
				t.Errorf("%d columns, grid %s: a distance changes by %v, the bound is %v", p, grid, most, bound)
			}
		}
	}
}

// Fit and release of six columns on two cores, as multiples of the yardstick: 1,000,000 records 1.3, 30,000 records 0.05.
func BenchmarkRelease(b *testing.B) {
	for _, rows := range []int{30_000, 1_000_000} {
		tab := people(rows, 6, 0.01)
		b.Run(strconv.Itoa(rows/1000)+"k", func(b *testing.B) {
			for b.Loop() {
				apply(b, fit(b, tab, 1, nil), tab)
			}
			yardstick.Report(b)
		})
	}
}
