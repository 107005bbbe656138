package swapping

import (
	"context"
	"fmt"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/executor"
	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/internal/testkit/yardstick"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

func approximate(t testing.TB, tab *table.Table, set func(q *ApproximateTechnique)) (*ApproximatePlan, *table.Table) {
	t.Helper()
	q := Approximate.New().(*ApproximateTechnique)
	set(q)
	p := must.Get(q.Fit(context.Background(), tab, protecttest.Seed(1)))(t)
	out := must.Get(executor.Run(context.Background(), p, tab, protecttest.Seed(2), protect.Options{}))(t)
	return p.(*ApproximatePlan), out
}

// moved is the share of the records that have to change for the counts of combinations of so many attributes to be
// those of another table, on average over the tables of counts.
func moved(p *ApproximatePlan, a, b *table.Table, order int) float64 {
	of := *p
	of.T = order
	parts, _ := of.layout()
	var was, is [][]int32
	for k := range p.Cells {
		was, is = append(was, p.Cells[k].codes(a)), append(is, p.Cells[k].codes(b))
	}
	sum, tables := 0.0, 0.0
	for _, s := range parts {
		if len(s.labels) < order {
			continue
		}
		counts := make([]int, s.size)
		for i := range a.Rows() {
			if at := s.index(was, i); at >= 0 {
				counts[at]++
			}
			if at := s.index(is, i); at >= 0 {
				counts[at]--
			}
		}
		for _, n := range counts {
			sum += math.Abs(float64(n)) / 2
		}
		tables++
	}
	return sum / tables / float64(a.Rows())
}

// Counts of t values stay nearly (Reiss 1984). Of 2,000 records with a fixed seed the counts of one value stay exactly
// with t = 1; those of two, of which then more than 5 % move, move by less than 2 % with t = 2.
func TestCountsStay(t *testing.T) {
	tab := protecttest.Mixed(2000)
	p, out := approximate(t, tab, func(q *ApproximateTechnique) { q.T = 1 })
	if one, two := moved(p, tab, out, 1), moved(p, tab, out, 2); one != 0 || two < 0.05 {
		t.Errorf("with t = 1 %.4f and %.4f move", one, two)
	}
	p, out = approximate(t, tab, func(q *ApproximateTechnique) {})
	if one, two := moved(p, tab, out, 1), moved(p, tab, out, 2); one > 0.005 || two > 0.02 {
		t.Errorf("with t = 2 %.4f and %.4f move", one, two)
	}
	p, out = approximate(t, tab, func(q *ApproximateTechnique) { q.T, q.Bins = 3, 3 })
	if three := moved(p, tab, out, 3); three > 0.05 {
		t.Errorf("with t = 3 %.4f of three move", three)
	}
}

// The weights are those of the words, worked out from the records that are there, one by one: after any number of
// records of random tables, for t of one to three.
func TestWeights(t *testing.T) {
	long.Check(t, func(r *rapid.T) {
		n, order := rapid.IntRange(1, 12).Draw(r, "records"), rapid.IntRange(1, 3).Draw(r, "t")
		var cols []table.Column
		for j := range 4 {
			codes := rapid.SliceOfN(rapid.Int32Range(-1, 2), n, n).Draw(r, fmt.Sprint(j))
			cols = append(cols, table.CatColumn(fmt.Sprint("c", j), []string{"a", "b", "c"}, codes))
		}
		tab := tabletest.Of(t, cols...)
		q := &ApproximateTechnique{T: order, Bins: 1, Common: 1}
		plan := must.Get(q.Fit(context.Background(), tab, protecttest.Seed(1)))(r)
		p := plan.(*ApproximatePlan)
		parts, _ := p.layout()
		var codes [][]int32
		for k := range p.Cells {
			codes = append(codes, p.Cells[k].codes(tab))
		}
		g, made := p.generator(parts), make([][]int32, 4)
		for range rapid.IntRange(0, n-1).Draw(r, "made") {
			for j := range 4 {
				g.element(j, rapid.Float64Range(0, 0.999).Draw(r, "u"))
			}
			for j := range made {
				made[j] = append(made[j], g.had[j])
			}
			g.created()
		}
		record := make([]int32, 4)
		for j := range 4 {
			record[j] = g.element(j, rapid.Float64Range(0, 0.999).Draw(r, "u"))
			g.product(j)
			for v := range int32(4) {
				alone := left(codes, made, []int{j}, []int32{v})
				want := max(0, alone)
				for _, given := range subsets(j, min(j, order-1)) {
					if alone > 0 {
						columns, values := append(slices.Clone(given), j), make([]int32, 0, 4)
						for _, k := range given {
							values = append(values, record[k])
						}
						want *= max(0, left(codes, made, columns, append(values, v))) / alone
					}
				}
				if math.Abs(g.weight[v]-want) > 1e-9 {
					r.Fatalf("column %d, value %d: weight %v, expected %v", j, v, g.weight[v], want)
				}
			}
		}
	})
}

// TestNothingLeft: where as many records are drawn as were counted, a further one has no value, and not that of the one
// before it.
func TestNothingLeft(t *testing.T) {
	tab := tabletest.Of(t, table.CatColumn("c", []string{"a", "b", "c"}, []int32{2, 1, 2}))
	plan := must.Get((&ApproximateTechnique{T: 1, Bins: 1, Common: 1}).Fit(t.Context(), tab, protecttest.Seed(1)))(t)
	p := plan.(*ApproximatePlan)
	parts := must.Get(p.layout())(t)
	g := p.generator(parts)
	var got []int32
	for range 5 {
		got = append(got, g.element(0, 0))
		g.created()
	}
	if want := []int32{1, 2, 2, -1, -1}; !slices.Equal(got, want) {
		t.Errorf("%v are drawn, expected %v", got, want)
	}
}

// left counts the records that have values in columns, less those that were made.
func left(codes, made [][]int32, columns []int, values []int32) (n float64) {
	count := func(of [][]int32) (n float64) {
		for i := range of[0] {
			has := true
			for d, k := range columns {
				has = has && of[k][i] == values[d]
			}
			if has {
				n++
			}
		}
		return n
	}
	return count(codes) - count(made)
}

// A category that few have is not drawn, as many records are drawn as are asked for, and numbers of few people lie
// inside classes that enough have.
func TestRare(t *testing.T) {
	tab := protecttest.Mixed(300)
	city := tab.Column(tab.Find("city"))
	city.Labels = append(slices.Clone(city.Labels), "nowhere")
	city.Cat = slices.Clone(city.Cat)
	city.Cat[7], city.Cat[8] = 7, 7
	tab = must.Get(tab.WithColumn(tab.Find("city"), city))(t)
	p, out := approximate(t, tab, func(q *ApproximateTechnique) { q.Rows = 900 })
	if out.Rows() != 900 || slices.Contains(out.Cat(out.Find("city")), 7) {
		t.Errorf("%d records, and a rare city", out.Rows())
	}
	for k := range p.Cells {
		c := &p.Cells[k]
		for cell, n := range people(c.codes(tab), c.Labels, nil) {
			if n < protect.Common && c.Lo != nil {
				t.Errorf("column %d: %d records are in cell %d", c.Column, n, cell)
			}
		}
	}
	if len(p.Notes()) != 1 {
		t.Errorf("notes %v", p.Notes())
	}
}

// Fit and release of 30,162 and a million records like Adult's, 15 columns, counts of two: 79 of the yardstick for a
// million.
func BenchmarkApproximate(b *testing.B) {
	for _, rows := range []int{30_162, 1_000_000} {
		tab := protecttest.AdultLike(b, rows)
		b.Run(fmt.Sprint(rows), func(b *testing.B) {
			for b.Loop() {
				approximate(b, tab, func(*ApproximateTechnique) {})
			}
			yardstick.Report(b)
		})
	}
}
