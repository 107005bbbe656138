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

// Limits returns round limits that cut the numbers of a column into so many intervals at most, or one more, none
// narrower than a step of its grid: multiples of a round width, not values of the table. It returns what they divide,
// too: the declared domain, or the range of the values. There are none where that is empty or infinite.
func Limits(c *table.Column, most int) (limits []float64, domain table.Interval) {
	if domain = c.Domain; !c.Declared || !bounded(domain) {
		domain.Lo, domain.Hi = table.Range(c.Num)
	}
	if !bounded(domain) || domain.Hi-domain.Lo < 1e-300 {
		return nil, domain
	}
	width := max((domain.Hi-domain.Lo)/float64(most), 1e-10*math.Abs(domain.Lo), 1e-10*math.Abs(domain.Hi))
	if width = round(width); width < c.Step {
		width = c.Step
	}
	for k := math.Floor(tidy(domain.Lo/width)) + 1; ; k++ {
		limit := tidy(float64(k * width))
		if limit > domain.Hi {
			return limits, domain
		}
		limits = append(limits, limit)
	}
}
