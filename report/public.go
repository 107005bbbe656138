package report

import (
	"cmp"
	"maps"
	"math"
	"slices"

	"github.com/dither-data/dither/internal/system/mmap"
	"github.com/dither-data/dither/internal/text/numfmt"
	"github.com/dither-data/dither/table"
)

// mostCodes is the number of numbers up to which a numeric column counts as a code whose every value is a category, and
// mostKinds the number of categories of a column that is drawn.
const (
	mostCodes = 50
	mostKinds = 50
)

// crowded finds which values the public report may name: those that enough records of both the original and the release
// hold. The others count together, and with them the fewest of the named, until they are several values and enough
// records: what is left of 1 is then nobody's share. Values that the release lacks are neither. It is not ok where
// nothing is left to name.
func crowded(before, after []int, few int) (named []bool, ok bool) {
	named = make([]bool, len(after))
	var order []int // the fewest first
	for k, n := range after {
		if n > 0 {
			order = append(order, k)
		}
	}
	least := func(k int) int { return min(before[k], after[k]) }
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(least(a), least(b)) })
	kinds, was, is := 0, 0, 0
	for _, k := range order {
		if least(k) >= few && (kinds == 0 || kinds > 1 && min(was, is) >= few) {
			named[k], ok = true, true
			continue
		}
		kinds, was, is = kinds+1, was+before[k], is+after[k]
	}
	return named, ok
}

// shownCategories returns a column of the release as the public report draws it: what may not be named is one
// category, others. It is not ok for a column of many values, such as dates and notes, and for one of
// which nothing would be left.
func shownCategories(in *mmap.Space, original, released table.Column, few int) (out table.Column, ok bool) {
	people := map[string]int{}
	for _, c := range original.Cat {
		if c >= 0 {
			people[original.Labels[c]]++
		}
	}
	before, after := make([]int, len(released.Labels)), make([]int, len(released.Labels))
	for _, c := range released.Cat {
		if c >= 0 {
			after[c]++
		}
	}
	for k := range before {
		before[k] = people[released.Labels[k]]
	}
	named, ok := crowded(before, after, few)
	var labels []string
	to := make([]int32, len(after))
	kinds, rare := 0, 0
	for k, n := range after {
		switch {
		case n == 0:
			continue
		case named[k]:
			to[k] = int32(len(labels))
			labels = append(labels, released.Labels[k])
		default:
			to[k] = -1
			rare++
		}
		kinds++
	}
	if !ok || kinds > mostKinds {
		return out, false
	}
	if rare > 0 {
		labels = append(labels, "others, "+numfmt.Counted(rare, "kind"))
	}
	out = released
	out.Labels, out.Cat = labels, mmap.Make[int32](in, len(released.Cat))
	for i, c := range released.Cat {
		switch {
		case c < 0:
			out.Cat[i] = -1
		case to[c] < 0:
			out.Cat[i] = int32(len(labels) - 1)
		default:
			out.Cat[i] = to[c]
		}
	}
	return out, true
}

// shownNumbers returns the numbers of a column of the release as the public report draws them: of a column of few
// numbers those that may be named, of others those between the ends that few records lie beyond, so that no outlier is
// drawn. The others are infinite: they count, and are in no bar. It is not ok where nothing is left.
func shownNumbers(in *mmap.Space, original, released []float64, few int) (out []float64, ok bool) {
	people := map[float64]int{}
	for _, v := range original {
		if v == v {
			if people[v]++; len(people) > mostCodes {
				break
			}
		}
	}
	out = mmap.Make[float64](in, len(released))
	shown := func(v float64) bool { return false }
	if len(people) > mostCodes {
		known := slices.DeleteFunc(out[:copy(out, released)], func(v float64) bool { return v != v })
		if len(known) < 2*few {
			mmap.Free(in, out)
			return nil, false
		}
		slices.Sort(known)
		lo, hi := known[few-1], known[len(known)-few]
		shown, ok = func(v float64) bool { return v >= lo && v <= hi }, true
	} else if named, any := namedNumbers(people, released, few); any {
		shown, ok = func(v float64) bool { return named[v] }, true
	}
	if !ok {
		mmap.Free(in, out)
		return nil, false
	}
	for i, v := range released {
		if out[i] = v; v == v && !shown(v) {
			out[i] = math.Inf(1)
		}
	}
	return out, true
}

// namedNumbers returns those of few numbers that may be named, by how many records of the original hold each. Numbers
// that only the release has may be many; they count together.
func namedNumbers(people map[float64]int, released []float64, few int) (named map[float64]bool, ok bool) {
	held, other := map[float64]int{}, 0
	for _, v := range released {
		if people[v] > 0 {
			held[v]++
		} else if v == v {
			other++
		}
	}
	values := slices.Sorted(maps.Keys(held))
	before, after := []int{0}, []int{other}
	for _, v := range values {
		before, after = append(before, people[v]), append(after, held[v])
	}
	all, ok := crowded(before, after, few)
	named = map[float64]bool{}
	for k, v := range values {
		named[v] = all[k+1]
	}
	return named, ok
}
