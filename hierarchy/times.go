package hierarchy

import "github.com/dither-data/dither/table"

// hours are how many hours the groups of each level of times of the day have.
var hours = []int{1, 3, 6, 12}

// Times returns the hierarchy of a column of times of the day: hours, three, six and twelve of them from midnight on,
// and all as one group at the top.
func Times(c *table.Column) *Hierarchy {
	const day = 24
	unit := c.Dates.PerDay() / day
	h := &Hierarchy{Attribute: c.Name, Names: [][]string{{}}, Up: [][]int32{{}},
		Domain: table.Interval{Lo: 0, Hi: c.Dates.PerDay() - 1}}
	for p := 1; p < day; p++ {
		h.Cuts = append(h.Cuts, float64(float64(p)*unit))
	}
	text := func(hour int) string {
		if hour == day {
			return "24:00"
		}
		return string(c.Dates.Append(nil, float64(float64(hour)*unit)))
	}
	for k, wide := range hours {
		var names []string
		for from := 0; from < day; from += wide {
			names = append(names, "["+text(from)+", "+text(from+wide)+")")
		}
		h.Names = append(h.Names, names)
		if k > 0 {
			up := make([]int32, len(h.Names[k]))
			for g := range up {
				up[g] = int32(g * hours[k-1] / wide)
			}
			h.Up = append(h.Up, up)
		}
	}
	h.Up = append(h.Up, make([]int32, day/hours[len(hours)-1]))
	h.Names = append(h.Names, []string{Top})
	return h
}
