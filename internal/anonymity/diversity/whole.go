package diversity

import "sort"

// Run is a value of an attribute, as its position among the distinct ones of the whole, with how many records of a
// class have it.
type Run struct{ Value, Count int32 }

// Whole is the distribution of an attribute in the whole table, by the position of its distinct values.
type Whole struct {
	counts []int32
	upTo   []int64 // records with the value or a smaller one
	below  []int64 // sum of upTo over the smaller values; one more than there are values
	n      float64
}

// NewWhole returns the distribution of an attribute whose distinct values, in their order, occur so often. Cost:
// O(values).
func NewWhole(counts []int32) *Whole {
	w := &Whole{counts: counts, upTo: make([]int64, len(counts)), below: make([]int64, len(counts)+1)}
	sum := int64(0)
	for v, c := range counts {
		sum += int64(c)
		w.upTo[v] = sum
		w.below[v+1] = w.below[v] + sum
	}
	w.n = float64(sum)
	return w
}

// Values returns the number of distinct values.
func (w *Whole) Values() int { return len(w.counts) }

// Equal returns the earth mover's distance, in [0, 1], of a class from the whole when all values are equally far apart
// (section 5): half the sum of |p-q| is that of p-q where it is positive, which is at values of the class only. The
// class's runs ascend; 0 without any. Cost: O(runs).
func (w *Whole) Equal(runs []Run) float64 {
	size, d := float64(records(runs)), 0.0
	for _, r := range runs {
		d += max(0, float64(r.Count)/size-float64(w.counts[r.Value])/w.n)
	}
	return min(1, d)
}

// Ordered returns the earth mover's distance, in [0, 1], of a class from the whole when values are as far apart as
// their positions (section 5): the area between the cumulative distributions. The class's runs ascend; 0 without any.
// Cost: O(runs log values).
func (w *Whole) Ordered(runs []Run) float64 {
	m := len(w.counts)
	if len(runs) == 0 || m < 2 {
		return 0
	}
	size := float64(records(runs))
	area, seen := w.area(0, int(runs[0].Value), 0), int64(0)
	for k, r := range runs {
		to := m
		if k+1 < len(runs) {
			to = int(runs[k+1].Value)
		}
		seen += int64(r.Count)
		area += w.area(int(r.Value), to, float64(seen)/size)
	}
	return min(1, area/float64(m-1))
}

func records(runs []Run) (n int64) {
	for _, r := range runs {
		n += int64(r.Count)
	}
	return n
}

// area returns the sum of the distances of the whole's cumulative distribution from a level, over the values
// from..to-1. Between two values of a class its own distribution stays level while that of the whole rises, so they
// cross at most once.
func (w *Whole) area(from, to int, level float64) float64 {
	cross := from + sort.Search(to-from, func(i int) bool { return float64(w.upTo[from+i]) >= level*w.n })
	under := float64(level*float64(cross-from)) - float64(w.below[cross]-w.below[from])/w.n
	over := float64(w.below[to]-w.below[cross])/w.n - float64(level*float64(to-cross))
	return max(0, under) + max(0, over)
}
