// Package rounded rounds counts to multiples of a base so that tables still add up: controlled rounding (Cox 1987).
// Every count becomes one of the two multiples around it, and a multiple stays, in all tables that go out together,
// with their totals and hierarchies; among such tables one with a small distance to the true one is looked for.
//
// Such a table always exists for two columns without a hierarchy; for more it need not, and it is hard to say whether
// it does (Kelly, Golden & Assad 1990; Salazar-Gonzalez, Lowthian, Young, Merola, Bond & Brown 2004). So it is searched
// for: all cells are sums of the same inner cells, which take multiples of the base, and what is published is the sums.
// A step moves inner cells by the base, one or, so that the totals of a dimension stay, several, as the corners of a
// box; cells that stay outside their two multiples weigh more from step to step, which leads out of dead ends (Morris
// 1993). Where the search ends before all cells are within their multiples, the others are as near as was found, and
// are counted.
//
// Who sees a rounded table knows of each count that it is less than the base away, and nothing more: where one true
// table gives it, so does the table in which a cell and all that hold it are higher, or lower, by up to that.
package rounded

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/tabulate"
)

// Result is a rounded table.
type Result struct {
	Counts   []int // by cell
	Far      int   // cells that are the base or more away, each once in all tables
	Farthest int   // by how much a count is moved at most
	// Distance is by how much all counts are moved together, and Nearest by how much they would be if each were rounded to
	// the nearest multiple alone, which need not add up: no rounded table is nearer than that.
	Distance, Nearest int
}

// Check refuses a base that is none.
func Check(base int) error {
	if base < 2 || base > 1000 {
		return fmt.Errorf("the base is %d, expected 2 to 1000", base)
	}
	return nil
}

// P is how likely a count is shown as a multiple of the base, where the nearer of two is the likelier in the measure of
// its nearness, as in unbiased rounding (Cox 1987).
func P(base, count, shown int) float64 {
	if d := off(count - shown); shown%base == 0 && d < base {
		return float64(base-d) / float64(base)
	}
	return 0
}

// Near is P where the nearer of two multiples is always taken.
func Near(base, count, shown int) float64 {
	switch d := 2 * off(count-shown); {
	case shown%base != 0 || d > base:
		return 0
	case d == base:
		return 0.5
	}
	return 1
}

// Round rounds all counts of a set. The source breaks ties, so that nobody works out the counts from how the search
// goes. Cost: that of the cells times the moves that are tried of an inner cell, some hundred, in each of few rounds
// (BenchmarkRound).
func Round(ctx context.Context, s *tabulate.Set, base int, src rng.Source) (*Result, error) {
	if err := Check(base); err != nil {
		return nil, err
	}
	g := newSearch(s, base, src.Fork("rounding").Stream().Words())
	if err := g.repair(ctx); err != nil {
		return nil, err
	}
	if err := g.nearer(ctx); err != nil {
		return nil, err
	}
	return g.result(), nil
}

// words are random numbers.
type words interface{ Next() uint64 }

// search is a table on its way. All in units of the base, but for the true counts.
type search struct {
	set    *tabulate.Set
	base   int
	random words
	first  []int32   // of every cell
	over   [][]int32 // by inner cell, the first cells that hold it
	truth  []int     // by cell, the true count
	now    []int     // by cell
	units  []int     // by inner cell
	weight []int     // by cell, of being outside
	wrong  []int32   // first cells that are outside, in any order
	where  []int32   // by cell, its place there and 1; 0 for none
	sum    []int     // by cell, what a move changes it by; zeros between
	moved  []int32
	leaf   [][]int32            // by dimension in use and inner cell
	key    []uint64             // by inner cell
	base64 []uint64             // by dimension in use
	place  map[uint64]int32     // inner cells by key
	lines  []map[uint64][]int32 // by dimension and key without it
}

func newSearch(s *tabulate.Set, base int, random words) *search {
	n := s.Inner()
	g := &search{set: s, base: base, random: random, first: s.First(), over: make([][]int32, n),
		truth: make([]int, len(s.Cells)), now: make([]int, len(s.Cells)), units: make([]int, n),
		weight: make([]int, len(s.Cells)), where: make([]int32, len(s.Cells)), sum: make([]int, len(s.Cells)),
		key: make([]uint64, n), place: map[uint64]int32{}}
	g.dimensions()
	for i, before := 0, 0; i < n; i++ { // so no stretch of them is the base away
		now := before + int(s.InnerStart[i+1]-s.InnerStart[i])
		g.units[i] = (now+base/2)/base - (before+base/2)/base
		before = now
	}
	for c := range s.Cells {
		if g.first[c] != int32(c) {
			continue
		}
		g.truth[c], g.weight[c] = s.Cells[c].Records, 1
		for _, i := range s.Within(c) {
			g.over[i] = append(g.over[i], int32(c))
			g.now[c] += g.units[i]
		}
		g.mark(int32(c))
	}
	return g
}

// dimensions finds which inner cells differ in one dimension only.
func (g *search) dimensions() {
	next := uint64(1)
	for _, j := range g.set.Used() {
		d := &g.set.Dims[j]
		leaf := make([]int32, len(g.units))
		for i := range leaf {
			leaf[i] = d.Leaf[g.set.InnerRecords[g.set.InnerStart[i]]]
			g.key[i] += next * uint64(leaf[i])
		}
		g.leaf, g.base64, g.lines = append(g.leaf, leaf), append(g.base64, next), append(g.lines, map[uint64][]int32{})
		next *= uint64(len(d.Labels))
	}
	for i, key := range g.key {
		g.place[key] = int32(i)
		for k, line := range g.lines {
			rest := key - g.base64[k]*uint64(g.leaf[k][i])
			line[rest] = append(line[rest], int32(i))
		}
	}
}

// outside is how many multiples a cell is beyond those around its count, if it were so many.
func (g *search) outside(c int32, units int) int {
	low := g.truth[c] / g.base
	high := (g.truth[c] + g.base - 1) / g.base
	return max(units-high, low-units, 0)
}

// mark keeps the list of cells that are outside.
func (g *search) mark(c int32) {
	bad, at := g.outside(c, g.now[c]) > 0, g.where[c]
	switch {
	case bad && at == 0:
		g.wrong = append(g.wrong, c)
		g.where[c] = int32(len(g.wrong))
	case !bad && at > 0:
		last := g.wrong[len(g.wrong)-1]
		g.wrong[at-1], g.where[last] = last, at
		g.wrong, g.where[c] = g.wrong[:len(g.wrong)-1], 0
	}
}

// move is inner cells that get a unit more, or less.
type move struct {
	at, sign []int32
	gain     int // by how much what is wrong weighs less
	nearer   int // by how much all counts are nearer to the true ones
}

// changes calls f with every first cell that a move changes, and by how much.
func (g *search) changes(at, sign []int32, f func(c int32, by int)) {
	g.moved = g.moved[:0]
	for k, i := range at {
		for _, c := range g.over[i] {
			if g.sum[c] == 0 {
				g.moved = append(g.moved, c)
			}
			g.sum[c] += int(sign[k])
		}
	}
	for _, c := range g.moved {
		if by := g.sum[c]; by != 0 {
			g.sum[c] = 0
			f(c, by)
		}
	}
}

// weigh says what a move does.
func (g *search) weigh(at, sign []int32) (gain, nearer int) {
	g.changes(at, sign, func(c int32, by int) {
		gain += g.weight[c] * (g.outside(c, g.now[c]) - g.outside(c, g.now[c]+by))
		nearer += off(g.truth[c]-g.base*g.now[c]) - off(g.truth[c]-g.base*(g.now[c]+by))
	})
	return gain, nearer
}

func off(d int) int { return max(d, -d) }

// partners are how many inner cells of a line a step tries.
const partners = 3

// boxes calls f with the moves that begin with an inner cell.
func (g *search) boxes(i, sign int32, f func(at, sign []int32)) {
	at, signs := []int32{i}, []int32{sign}
	var dimension func(k int)
	dimension = func(k int) {
		if k == len(g.lines) {
			f(at, signs)
			return
		}
		dimension(k + 1)
		corners := len(at)
		line := g.lines[k][g.key[i]-g.base64[k]*uint64(g.leaf[k][i])]
		few := len(line)-1 <= partners
		for n := range min(partners+1, len(line)) {
			other := line[n]
			if !few {
				other = line[g.random.Next()%uint64(len(line))]
			}
			by := g.base64[k] * uint64(g.leaf[k][other]-g.leaf[k][i])
			whole := other != i
			for v := 0; v < corners && whole; v++ {
				j, there := g.place[g.key[at[v]]+by]
				if whole = there && (signs[v] < 0 || g.units[j] > 0); whole {
					at, signs = append(at, j), append(signs, -signs[v])
				}
			}
			if whole {
				dimension(k + 1)
			}
			at, signs = at[:corners], signs[:corners]
		}
	}
	if sign > 0 || g.units[i] > 0 {
		dimension(0)
	}
}

// do does a move.
func (g *search) do(m *move) {
	for k, i := range m.at {
		g.units[i] += int(m.sign[k])
	}
	g.changes(m.at, m.sign, func(c int32, by int) {
		g.now[c] += by
		g.mark(c)
	})
}

// tries are how many inner cells of a cell that is outside are begun with.
const tries = 6

// repair moves cells until none is outside, or there were more steps than so many for a cell.
func (g *search) repair(ctx context.Context) error {
	best, units := len(g.wrong), slices.Clone(g.units)
	for step := 0; len(g.wrong) > 0 && step < 2_000+4*len(g.now); step++ {
		if step%64 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		c := g.wrong[g.random.Next()%uint64(len(g.wrong))]
		sign := int32(1)
		if g.base*g.now[c] > g.truth[c] {
			sign = -1
		}
		var m *move
		inner := g.set.Within(int(c))
		for range min(tries, len(inner)) {
			i := inner[g.random.Next()%uint64(len(inner))]
			g.boxes(i, sign, func(at, sign []int32) {
				gain, nearer := g.weigh(at, sign)
				if m == nil || cmp.Or(gain-m.gain, nearer-m.nearer) > 0 {
					m = &move{slices.Clone(at), slices.Clone(sign), gain, nearer}
				}
			})
		}
		if m == nil || m.gain <= 0 {
			for _, c := range g.wrong {
				g.weight[c]++
			}
		}
		if m != nil && m.gain >= 0 {
			g.do(m)
		}
		if len(g.wrong) < best {
			best = len(g.wrong)
			copy(units, g.units)
		}
	}
	if len(g.wrong) > best {
		g.restore(units)
	}
	return nil
}

// restore goes back to units that were there before.
func (g *search) restore(units []int) {
	for i, u := range units {
		if d := u - g.units[i]; d != 0 {
			for _, c := range g.over[i] {
				g.now[c] += d
			}
		}
	}
	copy(g.units, units)
	for c, f := range g.first {
		if int32(c) == f {
			g.mark(f)
		}
	}
}

// passes are how often every inner cell is tried at most, for a nearer table.
const passes = 4

// nearer does moves that put no cell further outside and make the table nearer to the true one.
func (g *search) nearer(ctx context.Context) error {
	for c := range g.weight {
		g.weight[c] = 1
	}
	for range passes {
		done := 0
		for i := range g.units {
			if i%256 == 0 && ctx.Err() != nil {
				return ctx.Err()
			}
			for _, sign := range []int32{1, -1} {
				var m *move
				g.boxes(int32(i), sign, func(at, sign []int32) {
					gain, nearer := g.weigh(at, sign)
					if gain >= 0 && nearer > 0 && (m == nil || nearer > m.nearer) {
						m = &move{slices.Clone(at), slices.Clone(sign), gain, nearer}
					}
				})
				if m != nil {
					g.do(m)
					done++
				}
			}
		}
		if done == 0 {
			break
		}
	}
	return nil
}

// result is what was found.
func (g *search) result() *Result {
	r := &Result{Counts: make([]int, len(g.now))}
	for c, f := range g.first {
		r.Counts[c] = g.base * g.now[f]
		if int32(c) != f {
			continue
		}
		d := off(r.Counts[c] - g.truth[c])
		r.Distance, r.Farthest = r.Distance+d, max(r.Farthest, d)
		r.Nearest += min(g.truth[c]%g.base, (g.base-g.truth[c]%g.base)%g.base)
		if d >= g.base {
			r.Far++
		}
	}
	return r
}
