package microaggregation

import "github.com/dither-data/dither/internal/portable/exact"

// Loss returns what replacing records by the centres of their groups costs: sse is the sum of the squared distances of
// the records from the centres of their groups, sst from the centre of all. Of numbers sse/sst is the share of the
// variance that is lost. Group[i], from 0 to groups-1, is the group of record i of len(kinds) attributes. Cost: O(n),
// and O(n log n) with attributes that are no numbers.
func Loss(points []float64, kinds []Kind, group []int32, groups int) (sse, sst float64) {
	order, ends := Members(group, groups)
	all := make([]int32, len(group))
	for i := range all {
		all[i] = int32(i)
	}
	var within, around exact.Sum
	squares(&around, points, kinds, all)
	lo := int32(0)
	for _, hi := range ends {
		squares(&within, points, kinds, order[lo:hi])
		lo = hi
	}
	return within.Float64(), around.Float64()
}

// Members returns the records group by group, each in ascending order: those of group g end before position ends[g] of
// records, where those of the next one start.
func Members(group []int32, groups int) (records, ends []int32) {
	ends = make([]int32, groups)
	for _, g := range group {
		ends[g]++
	}
	at := make([]int32, groups)
	for g := 1; g < groups; g++ {
		at[g] = ends[g-1]
		ends[g] += ends[g-1]
	}
	records = make([]int32, len(group))
	for i, g := range group {
		records[at[g]] = int32(i)
		at[g]++
	}
	return records, ends
}

// Centre returns the centre of some records of len(kinds) attributes.
func Centre(points []float64, kinds []Kind, records []int32) []float64 {
	return newCentre(gather(points, len(kinds), records), kinds).append(nil)
}

// squares adds the squared distances of records from their centre.
func squares(to *exact.Sum, points []float64, kinds []Kind, records []int32) {
	if len(records) == 0 {
		return
	}
	own := gather(points, len(kinds), records)
	squared, centre := squared(kinds), newCentre(own, kinds).append(nil)
	for ; len(own) > 0; own = own[len(kinds):] {
		to.Add(squared(own[:len(kinds)], centre))
	}
}

// gather returns the points of some records.
func gather(points []float64, dims int, records []int32) []float64 {
	own := make([]float64, 0, len(records)*dims)
	for _, i := range records {
		own = append(own, points[int(i)*dims:][:dims]...)
	}
	return own
}
