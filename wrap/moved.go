package wrap

import "github.com/dither-data/dither/table"

// Moved returns a column in which record i has the value of record from[i], put on the grid and into the domain where
// it is not legal, which only dirty data are not. One that stays where it is stays as it is.
func Moved(c table.Column, from []int32) table.Column {
	out := table.Column{Attribute: c.Attribute}
	switch c.Kind {
	case table.Numeric:
	case table.Categorical:
		out.Cat = make([]int32, len(from))
		for i, k := range from {
			out.Cat[i] = c.Cat[k]
		}
		return out
	case table.SetValued:
		rows := make([]int, len(from))
		for i, k := range from {
			rows[i] = int(k)
		}
		return c.Gather(rows)
	}
	d := On(c.Domain, c.Step)
	out.Num = make([]float64, len(from))
	for i, k := range from {
		v := c.Num[k]
		if int(k) != i && (c.Step > 0 || !c.Domain.Contains(v)) {
			v = d.Clip(v)
		}
		out.Num[i] = v
	}
	return out
}
