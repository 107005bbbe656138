package tcloseness

import (
	"math"
	"sort"

	"github.com/dither-data/dither/risk/classes"
)

// whole is the distribution of a secret attribute in the release, by the position of its distinct values.
type whole struct {
	counts []int32
	upTo   []int64 // records with the value or a smaller one
	below  []int64 // sum of upTo over the smaller values; one more than there are values
	n      float64
}

func newWhole(counts []int32) *whole {
	w := &whole{counts: counts, upTo: make([]int64, len(counts)), below: make([]int64, len(counts)+1)}
	sum := int64(0)
	for i, c := range counts {
		sum += int64(c)
		w.upTo[i] = sum
		w.below[i+1] = w.below[i] + sum
	}
	w.n = float64(sum)
	return w
}

// equal returns the earth mover's distance of a class when all values are equally far apart: half the sum of |p-q| is that of p-q
// where it is positive, which is at values of the class only.
func (w *whole) equal(runs []classes.Run) float64 {
	size := 0.0
	for _, r := range runs {
		size += float64(r.Count)
	}
	d := 0.0
	for _, r := range runs {
		d += max(0, float64(r.Count)/size-float64(w.counts[r.Value])/w.n)
	}
	return min(1, d)
}

// ordered returns the earth mover's distance of a class when values are as far apart as their positions: the area between the cumulative
// distributions. Between two values of the class its own stays level while that of the whole rises, so they cross at most once.
func (w *whole) ordered(runs []classes.Run) float64 {
	m := len(w.counts)
	if len(runs) == 0 || m < 2 {
		return 0
	}
	size := int64(0)
	for _, r := range runs {
		size += int64(r.Count)
	}
	area := w.area(0, int(runs[0].Value), 0)
	seen := int64(0)
	for k, r := range runs {
		to := m
		if k+1 < len(runs) {
			to = int(runs[k+1].Value)
		}
		seen += int64(r.Count)
		area += w.area(int(r.Value), to, float64(seen)/float64(size))
	}
	return min(1, area/float64(m-1))
}

// area returns the sum of the distances of the whole's cumulative distribution from a level, over the values from..to-1.
func (w *whole) area(from, to int, level float64) float64 {
	cross := from + sort.Search(to-from, func(i int) bool { return float64(w.upTo[from+i]) >= level*w.n })
	under := level*float64(cross-from) - float64(w.below[cross]-w.below[from])/w.n
	over := float64(w.below[to]-w.below[cross])/w.n - level*float64(to-cross)
	return math.Max(0, under) + math.Max(0, over)
}
