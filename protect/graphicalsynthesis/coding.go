package graphicalsynthesis

import (
	"errors"
	"fmt"
	"math"

	"github.com/dither-data/dither/internal/noise/selectmeasure"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/wrap"
)

// Coding is how a column becomes codes: categories are theirs, the values of a number's domain are cut into bins, as
// even as its grid allows. One more code is for what is missing.
type Coding struct {
	Column int `json:"column"` // in the schema
	Bins   int `json:"bins"`   // or categories

	domain wrap.Domain
}

// codingOf returns the coding of an attribute, with at most so many bins; false for one that has none.
func codingOf(a *table.Attribute, column, bins int) (c Coding, ok bool) {
	c.Column = column
	switch a.Kind {
	case table.Numeric:
		c.domain = wrap.On(a.Domain, a.Step)
		c.Bins = int(min(float64(bins), c.domain.Size()))
	case table.Categorical:
		c.Bins = len(a.Labels)
	case table.SetValued:
	}
	return c, c.Bins > 0
}

// check refuses a coding that does not fit the schema.
func (c *Coding) check(schema []table.Attribute) error {
	if c.Column < 0 || c.Column >= len(schema) {
		return errors.New("a column that is drawn is not in the schema")
	}
	if want, ok := codingOf(&schema[c.Column], c.Column, c.Bins); !ok || want.Bins != c.Bins || c.Bins > mostBins {
		return fmt.Errorf("column %q does not have %d bins", schema[c.Column].Name, c.Bins)
	}
	return nil
}

// bin returns the bin of a number; what is outside the domain is in that of the nearest end.
func (c *Coding) bin(v float64) int32 {
	lo, _ := c.domain.Limits()
	at := math.Round((c.domain.Clip(v) - lo) / c.domain.Step())
	return int32(min(math.Floor(float64(at*float64(c.Bins))/c.domain.Size()), float64(c.Bins-1)))
}

// encode returns the codes of some rows of a column.
func (c *Coding) encode(t *table.Table, rows []int) []int32 {
	out := make([]int32, len(rows))
	col := t.Column(c.Column)
	for k, i := range rows {
		switch {
		case col.MissingAt(i):
			out[k] = int32(c.Bins)
		case col.Kind == table.Numeric:
			out[k] = c.bin(col.Num[i])
		default:
			out[k] = col.Cat[i]
		}
	}
	return out
}

// decode returns a column of codes: of a bin any value alike.
func (c *Coding) decode(a table.Attribute, codes []int32, src rng.Source) table.Column {
	out := table.Column{Attribute: a}
	if a.Kind == table.Categorical {
		for _, x := range codes {
			if int(x) == c.Bins {
				x = -1
			}
			out.Cat = append(out.Cat, x)
		}
		return out
	}
	r := src.Rand()
	lo, _ := c.domain.Limits()
	first := func(bin int32) float64 { return math.Ceil(float64(float64(bin)*c.domain.Size()) / float64(c.Bins)) }
	for _, x := range codes {
		if int(x) == c.Bins {
			out.Num = append(out.Num, math.NaN())
			continue
		}
		from := first(x)
		at := from + math.Floor(float64(r.Float64()*max(1, first(x+1)-from)))
		out.Num = append(out.Num, c.domain.Clip(lo+float64(at*c.domain.Step())))
	}
	return out
}

// codes returns a table of some rows as codes.
func codes(t *table.Table, columns []Coding, rows []int) *selectmeasure.Table {
	out := &selectmeasure.Table{}
	for k := range columns {
		out.Domain = append(out.Domain, columns[k].Bins+1)
		out.Columns = append(out.Columns, columns[k].encode(t, rows))
	}
	return out
}
