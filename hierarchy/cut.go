package hierarchy

import (
	"fmt"
	"math"

	"github.com/dither-data/dither/table"
)

// Cut returns the hierarchy of one level of a numeric attribute whose intervals have the limits given, ascending: one
// interval more than limits. They divide its domain.
func Cut(a *table.Attribute, limits []float64) (*Hierarchy, error) {
	if !ascending(limits) {
		return nil, fmt.Errorf("the limits for column %q are not finite numbers in ascending order", a.Name)
	}
	text, domain := exact, a.Domain
	if a.Dates != "" {
		text = func(v float64) string { return string(a.AppendValue(nil, math.Ceil(v))) }
	}
	if !bounded(domain) {
		domain = table.Interval{}
	}
	h := &Hierarchy{Attribute: a.Name, Up: [][]int32{{}}, Cuts: append([]float64{}, limits...), Domain: domain}
	names := []string{Top}
	if n := len(limits); n > 0 {
		names = []string{"< " + text(limits[0])}
		for k := 1; k < n; k++ {
			names = append(names, "["+text(limits[k-1])+", "+text(limits[k])+")")
		}
		names = append(names, ">= "+text(limits[n-1]))
	}
	h.Names = [][]string{{}, names}
	return h, nil
}

// Join returns the hierarchy of one level in which value k of a list is in the group labelled group[k]. Groups are
// numbered by their first value.
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
