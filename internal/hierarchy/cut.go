package hierarchy

import (
	"fmt"

	"github.com/dither-data/dither/table"
)

// Cut returns the hierarchy of one level whose intervals have the limits given, ascending: one interval more than limits. Domain is what
// they divide.
func Cut(attribute string, limits []float64, domain table.Interval) (*Hierarchy, error) {
	if !ascending(limits) {
		return nil, fmt.Errorf("the limits for column %q are not finite numbers in ascending order", attribute)
	}
	if !bounded(domain) {
		domain = table.Interval{}
	}
	h := &Hierarchy{Attribute: attribute, Up: [][]int32{{}}, Cuts: append([]float64{}, limits...), Domain: domain}
	names := []string{Top}
	if n := len(limits); n > 0 {
		names = []string{"< " + exact(limits[0])}
		for k := 1; k < n; k++ {
			names = append(names, "["+exact(limits[k-1])+", "+exact(limits[k])+")")
		}
		names = append(names, ">= "+exact(limits[n-1]))
	}
	h.Names = [][]string{{}, names}
	return h, nil
}

// Join returns the hierarchy of one level in which value k of a list is in the group labelled group[k]. Groups are numbered by their first
// value.
func Join(attribute string, values, group []string) *Hierarchy {
	h := &Hierarchy{Attribute: attribute, Names: [][]string{values, {}}, Up: [][]int32{make([]int32, len(values))}}
	at := map[string]int32{}
	for k, label := range group {
		g, ok := at[label]
		if !ok {
			g = int32(len(at))
			at[label] = g
			h.Names[1] = append(h.Names[1], label)
		}
		h.Up[0][k] = g
	}
	return h
}
