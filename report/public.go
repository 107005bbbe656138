package report

import (
	"math"
	"slices"

	"github.com/dither-data/dither/internal/system/mmap"
	"github.com/dither-data/dither/internal/text/numfmt"
	"github.com/dither-data/dither/table"
)

// fewPeople is the number of people of the original from which on the public report names a category, and mostCodes the
// number of numbers up to which a numeric column counts as a code whose every value is a category. Statistical offices
// ask for 10 or so; 11 is what the European Medicines Agency asks for in clinical data.
const (
	fewPeople = 11
	mostCodes = 50
	mostKinds = 50 // categories of a column that is drawn
)

// shownCategories returns a column of the release as the public report draws it: what fewer than fewPeople of the
// original hold is one category, others. It is not ok for a column of many values, such as dates and notes, and for one
// of which nothing would be left.
func shownCategories(in *mmap.Space, original, released table.Column) (out table.Column, ok bool) {
	people := map[string]int{}
	for _, c := range original.Cat {
		if c >= 0 {
			people[original.Labels[c]]++
		}
	}
	held := make([]int, len(released.Labels))
	for _, c := range released.Cat {
		if c >= 0 {
			held[c]++
		}
	}
	var labels []string
	to := make([]int32, len(held))
	kinds, rare := 0, 0
	for k, n := range held {
		switch {
		case n == 0:
			continue
		case people[released.Labels[k]] >= fewPeople:
			to[k] = int32(len(labels))
			labels = append(labels, released.Labels[k])
		default:
			to[k] = -1
			rare++
		}
		kinds++
	}
	if kinds > mostKinds || len(labels) == 0 {
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

// shownNumbers returns the numbers of a column of the release that the public report draws: of a column of few numbers
// those that enough people of the original hold, of others those between the ends that few records lie beyond, so that
// no outlier is drawn. It is not ok where nothing is left.
func shownNumbers(in *mmap.Space, original, released []float64) (out []float64, ok bool) {
	people := map[float64]int{}
	for _, v := range original {
		if v == v {
			if people[v]++; len(people) > mostCodes {
				break
			}
		}
	}
	lo, hi := math.Inf(-1), math.Inf(1)
	if len(people) > mostCodes {
		sorted := mmap.Make[float64](in, len(released))
		defer mmap.Free(in, sorted)
		known := slices.DeleteFunc(sorted[:copy(sorted, released)], func(v float64) bool { return v != v })
		if len(known) < 2*fewPeople {
			return nil, false
		}
		slices.Sort(known)
		lo, hi = known[fewPeople-1], known[len(known)-fewPeople]
	}
	out = mmap.Make[float64](in, len(released))[:0]
	for _, v := range released {
		if len(people) > mostCodes && v >= lo && v <= hi || len(people) <= mostCodes && people[v] >= fewPeople {
			out, ok = append(out, v), true
		}
	}
	return out, ok
}
