package graphicalsynthesis

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/dither-data/dither/internal/noise/selectmeasure"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/wrap"
)

// Coding is how a column becomes codes: categories are theirs, the values of a number's domain are cut into bins, as
// even as its grid allows. One more code is for what is missing.
type Coding struct {
	Column int             `json:"column"`           // in the schema
	Bins   int             `json:"bins"`             // or categories
	Domain *table.Interval `json:"domain,omitempty"` // that was bought; nil for the attribute's
	Step   float64         `json:"step,omitempty"`   // of a domain that was bought
	// Named are the categories that were bought, by code: labels of the attribute; all others are missing. Nil for all of
	// the attribute's.
	Named []int32 `json:"named,omitempty"`

	domain wrap.Domain
	code   []int32 // of labels, where some were bought
}

// bought says that the domain, or the categories, were.
func (c *Coding) bought() bool { return c.Domain != nil || c.Named != nil }

// settle works out what follows from the attribute, with at most so many bins. It is false where nothing can be drawn.
func (c *Coding) settle(a *table.Attribute, bins int) bool {
	switch a.Kind {
	case table.Numeric:
		if c.domain = wrap.On(a.Domain, a.Step); c.Domain != nil {
			c.domain = wrap.On(*c.Domain, c.Step)
		}
		c.Bins = int(min(float64(bins), c.domain.Size()))
	case table.Categorical:
		c.Bins, c.code = len(a.Labels), nil
		if c.Named != nil {
			c.Bins, c.code = len(c.Named), slices.Repeat([]int32{int32(len(c.Named))}, len(a.Labels))
			for x, label := range c.Named {
				c.code[label] = int32(x)
			}
		}
	case table.SetValued:
	}
	return c.Bins > 0
}

// onGrid returns the smallest interval between values of a grid that holds another one.
func onGrid(d table.Interval, step float64) table.Interval {
	lo, hi := table.Snap(d.Lo, step), table.Snap(d.Hi, step)
	if lo > d.Lo {
		lo = table.Snap(lo-step, step)
	}
	if hi < d.Hi {
		hi = table.Snap(hi+step, step)
	}
	return table.Interval{Lo: lo, Hi: hi}
}

// check refuses a coding that does not fit the schema.
func (c *Coding) check(schema []table.Attribute) error {
	if c.Column < 0 || c.Column >= len(schema) {
		return errors.New("a column that is drawn is not in the schema")
	}
	a := &schema[c.Column]
	if d := c.Domain; d != nil && !(a.Kind == table.Numeric && c.Step >= 0 && d.Lo < d.Hi && d.Hi-d.Lo < 1e300 &&
		*d == onGrid(*d, c.Step)) {
		return fmt.Errorf("the domain of column %q is no interval", a.Name)
	}
	for x, label := range c.Named {
		if a.Kind != table.Categorical || label < 0 || int(label) >= len(a.Labels) || slices.Contains(c.Named[:x], label) {
			return fmt.Errorf("column %q does not have the categories that were bought", a.Name)
		}
	}
	if want := *c; !want.settle(a, c.Bins) || want.Bins != c.Bins || c.Bins > mostBins {
		return fmt.Errorf("column %q does not have %d bins", a.Name, c.Bins)
	}
	return nil
}

// bin returns the bin of a number; what is outside the domain is in that of the nearest end.
func (c *Coding) bin(v float64) int32 {
	lo, _ := c.domain.Limits()
	at := math.Round((c.domain.Clip(v) - lo) / c.domain.Step())
	return int32(min(math.Floor(float64(at*float64(c.Bins))/c.domain.Size()), float64(c.Bins-1)))
}

// encode returns the codes of some rows of its column.
func (c *Coding) encode(col *table.Column, rows []int) []int32 {
	out := make([]int32, len(rows))
	for k, i := range rows {
		switch {
		case col.MissingAt(i):
			out[k] = int32(c.Bins)
		case col.Kind == table.Numeric:
			out[k] = c.bin(col.Num[i])
		case c.code != nil:
			out[k] = c.code[col.Cat[i]]
		default:
			out[k] = col.Cat[i]
		}
	}
	return out
}

// decode returns a column of codes: of a bin any value alike.
func (c *Coding) decode(a table.Attribute, codes []int32, src rng.Source) table.Column {
	out, r := table.Column{Attribute: a}, src.Rand()
	if a.Kind == table.Numeric {
		out.Num = make([]float64, len(codes))
	} else {
		out.Cat = make([]int32, len(codes))
	}
	for i, x := range codes {
		u := 0.0
		if a.Kind == table.Numeric && int(x) < c.Bins {
			u = r.Float64()
		}
		c.put(&out, i, x, u)
	}
	return out
}

// put sets the value of a record from its code: of a bin the one at u, from 0 to 1.
func (c *Coding) put(to *table.Column, i int, x int32, u float64) {
	missing := int(x) == c.Bins
	switch {
	case to.Kind == table.Numeric && missing:
		to.Num[i] = math.NaN()
	case to.Kind == table.Numeric:
		lo, _ := c.domain.Limits()
		from := c.first(x)
		at := from + math.Floor(float64(u*max(1, c.first(x+1)-from)))
		to.Num[i] = c.domain.Clip(lo + float64(at*c.domain.Step()))
	case missing:
		to.Cat[i] = -1
	case c.Named != nil:
		to.Cat[i] = c.Named[x]
	default:
		to.Cat[i] = x
	}
}

// first is the place on the grid at which a bin begins.
func (c *Coding) first(bin int32) float64 {
	return math.Ceil(float64(float64(bin)*c.domain.Size()) / float64(c.Bins))
}

// codes returns a table of some rows as codes.
func codes(t *table.Table, columns []Coding, rows []int) *selectmeasure.Table {
	out := &selectmeasure.Table{}
	for k := range columns {
		out.Domain = append(out.Domain, columns[k].Bins+1)
		col := t.Column(columns[k].Column)
		out.Columns = append(out.Columns, columns[k].encode(&col, rows))
	}
	return out
}
