package kanonymise

import (
	"fmt"
	"math"
	"slices"
	"sort"
)

// Goals are what every group of records that look alike in a release has.
type Goals struct {
	K         int     `json:"k"`         // records
	L         float64 `json:"l"`         // diversity of every sensitive attribute; 1 asks for nothing
	Diversity string  `json:"diversity"` // distinct, entropy or recursive
	C         float64 `json:"c"`         // of recursive diversity
	T         float64 `json:"t"`         // largest earth mover's distance from the whole; 1 asks for nothing
}

// looks reports whether the goals ask anything of sensitive attributes.
func (g *Goals) looks() bool { return g.L > 1 || g.T < 1 }

func (g *Goals) check() error {
	if g.K < 1 || !(g.L >= 1) || !(g.C > 0) || !(g.T >= 0 && g.T <= 1) ||
		!slices.Contains([]string{"distinct", "entropy", "recursive"}, g.Diversity) {
		return fmt.Errorf("the goals are k = %d, l = %v (%s, c = %v) and t = %v, expected k and l from 1, c above 0 and t in [0, 1]",
			g.K, g.L, g.Diversity, g.C, g.T)
	}
	return nil
}

// String says the goals as a reader writes them.
func (g *Goals) String() string {
	s := fmt.Sprintf("k = %d", g.K)
	if g.L > 1 {
		s += fmt.Sprintf(", %s l = %g", g.Diversity, g.L)
		if g.Diversity == "recursive" {
			s += fmt.Sprintf(" with c = %g", g.C)
		}
	}
	if g.T < 1 {
		s += fmt.Sprintf(", t = %g", g.T)
	}
	return s
}

// run is a sensitive value, as its position among the distinct ones, with how many records have it.
type run struct{ value, count int32 }

// secret is the distribution of a sensitive attribute in the whole table.
type secret struct {
	ordered bool
	counts  []int32 // by distinct value, ascending
	upTo    []int64 // records with the value or a smaller one
	below   []int64 // sum of upTo over the smaller values; one more than there are values
	n       int64
}

func newSecret(counts []int32, ordered bool) *secret {
	s := &secret{ordered: ordered, counts: counts, upTo: make([]int64, len(counts)), below: make([]int64, len(counts)+1)}
	for v, c := range counts {
		s.n += int64(c)
		s.upTo[v] = s.n
		s.below[v+1] = s.below[v] + s.n
	}
	return s
}

// meets reports whether the values of one group, ascending, are as diverse and as close to the whole as asked. A group without values tells
// nothing and does.
func (g *Goals) meets(s *secret, runs []run, scratch *[]int32) bool {
	if len(runs) == 0 {
		return true
	}
	if g.L > 1 {
		counts := (*scratch)[:0]
		for _, r := range runs {
			counts = append(counts, r.count)
		}
		*scratch = counts
		if g.diversity(counts) < g.L {
			return false
		}
	}
	return g.T >= 1 || s.distance(runs) <= g.T
}

// diversity returns l of a group whose values occur so often (Machanavajjhala and others 2007, definitions 4.1 and 4.2). It reorders the
// counts.
func (g *Goals) diversity(counts []int32) float64 {
	if len(counts) == 1 || g.Diversity == "distinct" {
		return float64(len(counts))
	}
	slices.Sort(counts)
	if g.Diversity == "entropy" {
		n, logs := 0.0, 0.0
		for _, k := range counts {
			n += float64(k)
			logs += float64(k) * math.Log(float64(k))
		}
		l := math.Exp(math.Log(n) - logs/n)
		if whole := math.Round(l); math.Abs(l-whole) < 1e-9 {
			return whole // of l values that are equally frequent, rounding must not lose one
		}
		return l
	}
	rest, most := 0.0, float64(counts[len(counts)-1])
	for k, count := range counts { // counts[k] is r_l with l = m - k
		if rest += float64(count); most < g.C*rest {
			return float64(len(counts) - k)
		}
	}
	return 1
}

// distance returns the earth mover's distance of a group from the whole (Li, Li & Venkatasubramanian 2007, section 5): where values have an
// order, by their positions, else all are equally far apart.
func (s *secret) distance(runs []run) float64 {
	size := int64(0)
	for _, r := range runs {
		size += int64(r.count)
	}
	if !s.ordered {
		d := 0.0
		for _, r := range runs { // half the sum of |p-q| is that of p-q where it is positive, which is at values of the group only
			d += max(0, float64(r.count)/float64(size)-float64(s.counts[r.value])/float64(s.n))
		}
		return min(1, d)
	}
	m := len(s.counts)
	if m < 2 {
		return 0
	}
	area, seen := s.area(0, int(runs[0].value), 0), int64(0)
	for k, r := range runs {
		to := m
		if k+1 < len(runs) {
			to = int(runs[k+1].value)
		}
		seen += int64(r.count)
		area += s.area(int(r.value), to, float64(seen)/float64(size))
	}
	return min(1, area/float64(m-1))
}

// area returns the sum of the distances of the whole's cumulative distribution from a level, over the values from..to-1: it rises, so it
// crosses the level once at most.
func (s *secret) area(from, to int, level float64) float64 {
	n := float64(s.n)
	cross := from + sort.Search(to-from, func(i int) bool { return float64(s.upTo[from+i]) >= level*n })
	under := level*float64(cross-from) - float64(s.below[cross]-s.below[from])/n
	over := float64(s.below[to]-s.below[cross])/n - level*float64(to-cross)
	return max(0, under) + max(0, over)
}
