package relation

import (
	"cmp"
	"math"
	"slices"

	"github.com/dither-data/dither/internal/system/parallel"
	"github.com/dither-data/dither/internal/system/sorting"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

const (
	mostTerms = 8  // columns of a linear relation
	subsets   = 30 // of the sample, in some of which there is no wrong record
)

// linear finds the linear relations: vectors of the null space of the columns as whole numbers modulo a prime, in the
// sample and in random parts of it, of which some hold no wrong record. Columns that are often missing make groups of
// their own, with those that are there where they are.
func (f *finder) linear() ([]Found, error) {
	grid := f.onGrid()
	var candidates []Relation
	for _, group := range f.groups(grid) {
		parts := make([][]Relation, subsets+1)
		err := parallel.Each(f.ctx, len(parts), func(k int) error {
			rows := group.rows
			if k > 0 {
				r := rng.New([32]byte{1}).Fork("subset").Fork(string(rune(k))).Rand()
				rows = slices.Clone(rows)
				r.Shuffle(len(rows), func(a, b int) { rows[a], rows[b] = rows[b], rows[a] })
				rows = rows[:min(len(rows), max(3*len(group.cols)+20, len(rows)/4))]
			}
			parts[k] = f.nullSpace(grid, group.cols, rows)
			return nil
		})
		if err != nil {
			return nil, err
		}
		for _, p := range parts {
			candidates = append(candidates, p...)
		}
	}
	candidates = distinct(candidates)
	all, err := f.gather(len(candidates), func(k int) ([]Found, error) {
		r := candidates[k]
		cols := make([]int, len(r.Columns))
		for q, name := range r.Columns {
			cols[q] = f.place[name]
		}
		found, ok, err := f.confirm(r, cols, float64(len(grid)*len(grid)))
		if !ok {
			return nil, err
		}
		return []Found{found}, nil
	})
	return f.basis(all), err
}

func distinct(all []Relation) (out []Relation) {
	seen := map[string]bool{}
	for _, r := range all {
		if s := r.String(); !seen[s] {
			seen[s] = true
			out = append(out, r)
		}
	}
	return out
}

// basis leaves out relations that follow from shorter ones: those that a linear combination makes of relations before.
func (f *finder) basis(all []Found) (out []Found) {
	sorting.Stable(all, func(a, b Found) int {
		return cmp.Or(cmp.Compare(len(a.Columns), len(b.Columns)), cmp.Compare(a.Broken, b.Broken))
	})
	e := echelon{width: len(f.cols)}
	row := make([]uint64, e.width)
	for _, r := range all {
		clear(row)
		for k, name := range r.Columns {
			num, den, _ := small(r.Coefficients[k])
			row[f.place[name]] = times61(residue(num), inverse(residue(den)))
		}
		if e.add(row) {
			out = append(out, r)
		}
	}
	return out
}

// onGrid returns the columns that are whole numbers of their grid, those of little spread first: sums follow from
// their parts.
func (f *finder) onGrid() []int {
	out := f.numbers(func(c *sample) bool {
		if c.grid == 0 {
			return false
		}
		for _, v := range c.values {
			if _, ok := c.whole(v); !ok {
				return false
			}
		}
		return true
	})
	spread := func(k int) float64 { v := f.cols[k].values; return v[len(v)-1] - v[0] }
	slices.SortStableFunc(out, func(a, b int) int { return cmp.Compare(spread(a), spread(b)) })
	return out
}

// whole returns how many steps of its grid a number of a column is.
func (c *sample) whole(v float64) (int64, bool) {
	if c.date() {
		if c.a.Dates.Monthly() { // months have no length: what is between them is elapsed
			return 0, false
		}
		v = float64(v * c.a.Dates.PerDay())
	}
	num, den := table.Ratio(c.grid)
	k := math.RoundToEven(v * den / num)
	return int64(k), math.Abs(k) < 1<<53 && math.Abs(k*num/den-v) <= 1e-9*max(math.Abs(v), c.grid)
}

// group is columns that have many records of the sample in which none is missing.
type group struct{ cols, rows []int }

// groups divides columns so that each is in a group with as many others as its records allow, those that are there
// where it is and stand near it first.
func (f *finder) groups(cols []int) (out []group) {
	covered := map[int]bool{}
	byGaps := slices.Clone(cols)
	slices.SortStableFunc(byGaps, func(a, b int) int { return cmp.Compare(f.cols[a].gaps, f.cols[b].gaps) })
	for _, anchor := range byGaps {
		if covered[anchor] {
			continue
		}
		g := group{cols: []int{anchor}}
		for i, code := range f.cols[anchor].code {
			if code >= 0 {
				g.rows = append(g.rows, i)
			}
		}
		g.extend(f, cols, anchor)
		for _, c := range g.cols {
			covered[c] = true
		}
		slices.SortFunc(g.cols, func(a, b int) int { return cmp.Compare(slices.Index(cols, a), slices.Index(cols, b)) })
		if len(g.cols) > 1 {
			out = append(out, g)
		}
	}
	return out
}

// extend adds columns to a group of one while enough records are left.
func (g *group) extend(f *finder, cols []int, anchor int) {
	gaps := map[int]int{}
	others := slices.DeleteFunc(slices.Clone(cols), func(c int) bool { return c == anchor })
	for _, c := range others {
		for _, i := range g.rows {
			if f.cols[c].code[i] < 0 {
				gaps[c]++
			}
		}
		gaps[c] = gaps[c] * 10 / max(len(g.rows), 1) // tenths
	}
	slices.SortStableFunc(others, func(a, b int) int {
		return cmp.Or(cmp.Compare(gaps[a], gaps[b]), cmp.Compare(max(a-anchor, anchor-a), max(b-anchor, anchor-b)))
	})
	for _, c := range others {
		rows := slices.DeleteFunc(slices.Clone(g.rows), func(i int) bool { return f.cols[c].code[i] < 0 })
		if len(rows) >= min(len(g.rows), 2*len(g.cols)+24) {
			g.cols, g.rows = append(g.cols, c), rows
		}
	}
}

// nullSpace returns the short relations with small coefficients that hold between columns in the rows of the sample.
func (f *finder) nullSpace(grid, cols, rows []int) (out []Relation) {
	e := echelon{width: len(cols) + 1}
	row := make([]uint64, e.width)
	for _, i := range rows {
		row[0] = 1
		for k, c := range cols {
			v, _ := f.cols[c].whole(f.cols[c].num[i])
			row[k+1] = residue(v)
		}
		if e.add(row); len(e.rows) == e.width {
			return nil
		}
	}
	vectors := e.null()
	shorten(vectors)
	for _, v := range vectors {
		if r, ok := f.readable(cols, v); ok {
			out = append(out, r)
		}
	}
	return out
}

// shorten adds multiples of vectors to others as long as that makes them shorter.
func shorten(vectors [][]uint64) {
	terms := func(v []uint64) (n int) {
		for _, x := range v[1:] {
			if x != 0 {
				n++
			}
		}
		return n
	}
	for again := true; again; {
		again = false
		for a, u := range vectors {
			for b, w := range vectors {
				if a == b || terms(w) > 2*mostTerms {
					continue
				}
				for c := 1; c < len(u); c++ {
					if u[c] == 0 || w[c] == 0 {
						continue
					}
					s := slices.Clone(u)
					subtract(s, w, times61(u[c], inverse(w[c])))
					if terms(s) < terms(u) {
						copy(u, s)
						again = true
					}
				}
			}
		}
	}
}
