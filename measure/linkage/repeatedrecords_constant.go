package linkage

import (
	"math"
	"slices"

	"github.com/dither-data/dither/internal/portable"
	"github.com/dither-data/dither/internal/portable/exact"
	"github.com/dither-data/dither/table"
)

// labels is how many categories have likelihoods.
const labels = 64

// constant is a column that most people have one value in.
type constant struct {
	was, is  table.Column
	people   [][]int32
	choosing []bool
}

// credits returns by way and person how surely the value is told by all records and by one; NaN for people whose value
// is not the same in all.
func (c *constant) credits(tolerance float64) (all, one [][]float64, ways []string) {
	all, one = make([][]float64, 2), make([][]float64, 2)
	for w := range all {
		all[w], one[w] = make([]float64, len(c.people)), make([]float64, len(c.people))
	}
	fill := func(tell func(rows []int32, way int) float64) {
		for p, rows := range c.people {
			for w := range all {
				if all[w][p], one[w][p] = math.NaN(), math.NaN(); c.same(rows) {
					all[w][p] = tell(rows, w)
					one[w][p] = 0
					for k := range rows {
						one[w][p] += tell(rows[k:k+1], w) / float64(len(rows))
					}
				}
			}
		}
	}
	if c.was.Kind == table.Numeric {
		lo, hi := table.Range(c.was.Num)
		fill(func(rows []int32, way int) float64 { return c.number(rows, way, float64(tolerance*(hi-lo))) })
		return all, one, []string{"mean", "median"}
	}
	if len(c.was.Labels) > labels {
		fill(func(rows []int32, _ int) float64 { return c.majority(rows) })
	} else {
		law := c.learn()
		fill(func(rows []int32, way int) float64 {
			if way == 0 {
				return c.majority(rows)
			}
			return c.likeliest(rows, law)
		})
	}
	return all, one, []string{"commonest", "likeliest"}
}

// same reports whether all records of a person have the same original value.
func (c *constant) same(rows []int32) bool {
	for _, i := range rows {
		if c.was.MissingAt(int(i)) || !c.was.Same(int(rows[0]), &c.was, int(i)) {
			return false
		}
	}
	return true
}

// number is the credit for the mean (way 0) or the median of the released numbers.
func (c *constant) number(rows []int32, way int, tolerance float64) float64 {
	var v []float64
	for _, i := range rows {
		if x := c.is.Num[i]; x == x {
			v = append(v, x)
		}
	}
	if len(v) == 0 {
		return 0
	}
	told := exact.Mean(v)
	if way == 1 {
		slices.Sort(v)
		told = v[(len(v)-1)/2]/2 + v[len(v)/2]/2
	}
	if math.Abs(told-c.was.Num[rows[0]]) <= tolerance {
		return 1
	}
	return 0
}

// majority is the credit for the commonest released category: of t equally common ones each is guessed as often.
func (c *constant) majority(rows []int32) float64 {
	count := map[int32]int{}
	most := 0
	for _, i := range rows {
		if code := c.is.Cat[i]; code >= 0 {
			count[code]++
			most = max(most, count[code])
		}
	}
	ties := 0
	for _, n := range count {
		if n == most {
			ties++
		}
	}
	if most == 0 || count[c.was.Cat[rows[0]]] < most {
		return 0
	}
	return 1 / float64(ties)
}

// moves is how often categories are released as which: the logarithms of the share of each, and by original and
// released category of the probability.
type moves struct {
	prior []float64
	p     [][]float64
}

// learn takes the moves from the people on whom attacks are chosen, so that none counted is among them. Half an
// occurrence of every move is added.
func (c *constant) learn() moves {
	n := len(c.was.Labels)
	m := moves{make([]float64, n), make([][]float64, n)}
	for x := range m.p {
		m.p[x] = make([]float64, n)
		for y := range m.p[x] {
			m.p[x][y] = 0.5 / float64(n)
		}
		m.prior[x] = 0.5
	}
	for p, rows := range c.people {
		if !c.choosing[p] {
			continue
		}
		for _, i := range rows {
			if x, y := c.was.Cat[i], c.is.Cat[i]; x >= 0 && y >= 0 {
				m.p[x][y]++
				m.prior[x]++
			}
		}
	}
	for x := range m.p {
		sum := 0.0
		for _, v := range m.p[x] {
			sum += v
		}
		for y := range m.p[x] {
			m.p[x][y] = portable.Log(m.p[x][y] / sum)
		}
		m.prior[x] = portable.Log(m.prior[x])
	}
	return m
}

// likeliest is the credit for the category of the highest product of likelihoods.
func (c *constant) likeliest(rows []int32, m moves) float64 {
	best, ties, right := math.Inf(-1), 0, false
	for x := range m.p {
		l := m.prior[x]
		for _, i := range rows {
			if y := c.is.Cat[i]; y >= 0 {
				l += m.p[x][y]
			}
		}
		if l > best {
			best, ties, right = l, 0, false
		}
		if l == best {
			ties++
			right = right || int32(x) == c.was.Cat[rows[0]]
		}
	}
	if !right {
		return 0
	}
	return 1 / float64(ties)
}
