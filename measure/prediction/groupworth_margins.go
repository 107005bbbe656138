package prediction

import (
	"cmp"
	"math"
	"slices"

	"github.com/dither-data/dither/internal/portable/exact"
	"github.com/dither-data/dither/internal/portable/vector"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/table"
)

const (
	labels    = 16 // of a column in the margins, the last of them for the rarer ones
	intervals = 8
	mostPairs = 100
	mostRows  = 100_000
)

// coded is the columns of both tables in few values each, and where their numbers stand.
type coded struct {
	columns []int
	width   []int           // values of each column
	values  [2][][]uint8    // by table and column
	pairs   [][2]int        // of positions in columns
	spread  map[int]float64 // standard deviations of the numbers of the original that vary
	step    int             // every so manieth record is looked at for the margins
}

func code(r *measure.Release) *coded {
	s := &coded{spread: map[int]float64{}, step: 1 + max(r.Original.Rows(), r.Released.Rows())/mostRows}
	for j := range r.Original.Width() {
		a := r.Original.Attr(j)
		if a.Role&(table.Identifier|table.Weight) != 0 || !a.Kind.Scalar() {
			continue
		}
		s.columns = append(s.columns, j)
		to, width := s.coding(r.Original, j)
		s.width = append(s.width, width)
		s.values[0] = append(s.values[0], to(r.Original))
		s.values[1] = append(s.values[1], to(r.Released))
	}
	n := len(s.columns)
	every, k := 1+n*(n-1)/2/(mostPairs+1), 0
	for a := range n {
		for b := range a {
			if k%every == 0 {
				s.pairs = append(s.pairs, [2]int{b, a})
			}
			k++
		}
	}
	return s
}

// coding returns what codes a column of a table, by the values of the original, and how many codes there are. The last
// is that of a missing value.
func (s *coded) coding(t *table.Table, j int) (to func(t *table.Table) []uint8, width int) {
	if t.Attr(j).Kind == table.Numeric {
		cuts, sd := divided(t.Num(j))
		if sd > 0 {
			s.spread[j] = sd
		}
		missing := len(cuts) + 1
		return func(t *table.Table) []uint8 {
			out := make([]uint8, t.Rows())
			for i, v := range t.Num(j) {
				if out[i] = uint8(missing); v == v {
					at, _ := slices.BinarySearch(cuts, v)
					out[i] = uint8(at)
				}
			}
			return out
		}, missing + 1
	}
	counts := make([]int, len(t.Attr(j).Labels))
	for _, c := range t.Cat(j) {
		if c >= 0 {
			counts[c]++
		}
	}
	order, of := make([]int, len(counts)), make([]uint8, len(counts))
	for c := range order {
		order[c] = c
	}
	slices.SortStableFunc(order, func(x, y int) int { return cmp.Compare(counts[y], counts[x]) })
	for k, c := range order {
		of[c] = uint8(min(k, labels-1))
	}
	missing := min(len(counts), labels)
	return func(t *table.Table) []uint8 {
		out := make([]uint8, t.Rows())
		for i, c := range t.Cat(j) {
			if out[i] = uint8(missing); c >= 0 && int(c) < len(of) {
				out[i] = of[c]
			}
		}
		return out
	}, missing + 1
}

// divided returns the upper ends of all intervals of numbers but the last, and the standard deviation.
func divided(v []float64) (cuts []float64, sd float64) {
	var known []float64
	for _, x := range v {
		if x == x {
			known = append(known, x)
		}
	}
	slices.Sort(known)
	n := len(known)
	for q := 1; q < intervals && n > 0; q++ {
		if c := known[(q*n-1)/intervals]; c < known[n-1] && (len(cuts) == 0 || c > cuts[len(cuts)-1]) {
			cuts = append(cuts, c)
		}
	}
	_, _, squares := vector.Known(known)
	return cuts, math.Sqrt(squares / float64(max(1, n)))
}

// measured returns the groups of a grouping with all that is measured of them.
func (s *coded) measured(r *measure.Release, g *grouping, right *[2][]bool) []Group {
	out := make([]Group, len(g.names))
	for k := range out {
		out[k] = Group{Column: r.Original.Attr(g.column).Name, Group: g.names[k], People: g.people[k]}
		if out[k].Group == "" && k == len(out)-1 {
			out[k].Others = g.others
		}
	}
	s.shares(g, out)
	if right != nil {
		accuracies(r.Original, g, right, out)
	}
	s.means(r, g, out)
	margin := func(width int, value func(side, row int) int) []float64 { return s.margin(g, width, value) }
	one, two := make([]float64, len(out)), make([]float64, len(out))
	ones, twos := 0, 0
	for k, j := range s.columns {
		if j != g.column {
			ones++
			add(one, margin(s.width[k], func(side, row int) int { return int(s.values[side][k][row]) }))
		}
	}
	for _, p := range s.pairs {
		if a, b := p[0], p[1]; s.columns[a] != g.column && s.columns[b] != g.column {
			twos++
			add(two, margin(s.width[a]*s.width[b], func(side, row int) int {
				return int(s.values[side][a][row])*s.width[b] + int(s.values[side][b][row])
			}))
		}
	}
	for k := range out {
		out[k].OneWay, out[k].TwoWay = mean(one[k], ones), mean(two[k], twos)
	}
	return out
}

func add(to, v []float64) {
	for k := range to {
		to[k] += v[k]
	}
}

// mean is nil of nothing.
func mean(sum float64, n int) *float64 {
	if n == 0 {
		return nil
	}
	v := sum / float64(n)
	return &v
}

// margin returns half the sum of the absolute differences of the shares of values in each group; 1 where the release
// has nobody of the group.
func (s *coded) margin(g *grouping, width int, value func(side, row int) int) []float64 {
	var counts [2][]float64
	var of [2][]float64
	for side := range counts {
		counts[side], of[side] = make([]float64, width*len(g.names)), make([]float64, len(g.names))
		for i := 0; i < len(g.of[side]); i += s.step {
			if c := g.of[side][i]; c >= 0 {
				counts[side][int(c)*width+value(side, i)]++
				of[side][c]++
			}
		}
	}
	out := make([]float64, len(g.names))
	for c := range out {
		switch {
		case of[0][c] == 0: // of those that are looked at
		case of[1][c] == 0:
			out[c] = 1
		default:
			for v := c * width; v < (c+1)*width; v++ {
				out[c] += math.Abs(counts[0][v]/of[0][c]-counts[1][v]/of[1][c]) / 2
			}
		}
	}
	return out
}

// shares fills in the shares of the records of either table, of those that are in a group.
func (s *coded) shares(g *grouping, out []Group) {
	for side, of := range g.of {
		counts, all := make([]float64, len(out)), 0.0
		for _, c := range of {
			if c >= 0 {
				counts[c]++
				all++
			}
		}
		for k := range out {
			share := counts[k] / max(1, all)
			if side == 0 {
				out[k].Share = share
				out[k].Records = int(counts[k])
			} else {
				out[k].Released = share
			}
		}
	}
}

// accuracies fills in how many original records of a group with a class the trees are right about, in per cent.
func accuracies(t *table.Table, g *grouping, right *[2][]bool, out []Group) {
	var sums [2][]float64
	known := make([]int, len(out))
	sums[0], sums[1] = make([]float64, len(out)), make([]float64, len(out))
	for i, c := range t.Cat(t.WithRole(table.Class)) {
		k := g.of[0][i]
		if c < 0 || k < 0 {
			continue
		}
		known[k]++
		for side := range sums {
			if right[side][i] {
				sums[side][k] += 100
			}
		}
	}
	for k := range out {
		out[k].Records = known[k]
		out[k].AccuracyOriginal, out[k].AccuracyReleased = mean(sums[0][k], known[k]), mean(sums[1][k], known[k])
	}
}

// means fills in how far the means of the numbers are off, in standard deviations of the whole original; nil where no
// number varies, or a table has none in the group.
func (s *coded) means(r *measure.Release, g *grouping, out []Group) {
	sum, of := make([]float64, len(out)), make([]int, len(out))
	for _, j := range s.columns {
		sd, varies := s.spread[j]
		if !varies || j == g.column {
			continue
		}
		var totals [2][]exact.Sum
		var n [2][]int
		for side, t := range []*table.Table{r.Original, r.Released} {
			totals[side], n[side] = make([]exact.Sum, len(out)), make([]int, len(out))
			for i, v := range t.Num(j) {
				if c := g.of[side][i]; c >= 0 && v == v {
					totals[side][c].Add(v)
					n[side][c]++
				}
			}
		}
		for c := range out {
			if n[0][c] > 0 && n[1][c] > 0 {
				sum[c] += math.Abs(totals[0][c].Mean(n[0][c])-totals[1][c].Mean(n[1][c])) / sd
				of[c]++
			}
		}
	}
	for c := range out {
		out[c].MeanError = mean(sum[c], of[c])
	}
}
