package csv

import (
	"strings"

	"github.com/dither-data/dither/format/decimal"
	"github.com/dither-data/dither/format/dialect"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/table"
)

// shapeOf is the shape of the numbers in column j.
func (r *result) shapeOf(j int) (s decimal.Shape) {
	for k := range r.shards {
		s.Add(r.shards[k].parts[j].shape)
	}
	return s
}

// weigh finds the columns of numbers that may be written in two notations, after the first pass. They are read again as
// texts, unless they are declared numeric.
func (r *result) weigh(again []bool) {
	shapes := make([]decimal.Shape, len(r.columns))
	for j, name := range r.names {
		if _, told := r.numbers[name]; !told && !again[j] {
			shapes[j] = r.shapeOf(j)
			r.known = r.known || shapes[j].Decides()
		}
	}
	r.unsure = make([]bool, len(r.columns))
	for j := range shapes {
		r.unsure[j] = !r.exact && shapes[j].Doubtful(r.known)
		again[j] = again[j] || r.unsure[j] && !r.told(j)
	}
}

// told reports whether column j is to be read as numbers whatever it looks like.
func (f *file) told(j int) bool {
	kind, forced := f.kinds[f.names[j]]
	_, written := f.numbers[f.names[j]]
	return written || forced && kind == table.Numeric
}

// decimalComma reports whether a text column is one of numbers with a decimal comma, and no number shows that the point
// is the decimal sign.
func (r *result) decimalComma() bool {
	found := false
	for j := range r.columns {
		name := r.names[j]
		if _, written := r.numbers[name]; written {
			continue
		}
		commas := decimal.Shape{}
		all := true
		for k := range r.shards {
			p := &r.shards[k].parts[j]
			if p.mode == numeric && p.shape.Decimals() > 0 {
				return false
			}
			if p.mode == texts && all {
				all = commas.AddAll(p.dict.Len(), func(c int) string { return p.dict.Label(int32(c)) },
					decimal.Notation{Point: ','})
			}
		}
		if _, forced := r.kinds[name]; !forced && all && commas.Decimals() > 0 {
			found = true
		}
	}
	return found
}

// notations are those that a remark on a column of texts names.
var notations = func() (out []decimal.Notation) {
	for _, n := range []string{"1.234,56", "1,234.56", "1 234,56", "1 234.56", "1'234.56", "1'234,56", "1234,56",
		"1234.56"} {
		notation, err := decimal.ParseNotation(n)
		if err != nil {
			panic("csv: " + err.Error()) // it is written above
		}
		out = append(out, notation)
	}
	return out
}()

// ways names the flags that read all values of a text column as numbers; "" where none does.
func ways(c *table.Column) message.Sentence {
	var out []string
	for _, n := range notations {
		var s decimal.Shape
		if s.AddAll(len(c.Labels), func(k int) string { return c.Labels[k] }, n) {
			if n.Group != "" && !grouped(c, n) {
				continue // nothing in the column stands between groups
			}
			out = append(out, dialect.NumbersFlag(c.Name, n))
		}
	}
	if len(out) == 0 {
		return message.Sentence{}
	}
	return message.Say("read.ways").Text("flags", strings.Join(out, " or "))
}

// grouped reports whether a sign between groups is in the column.
func grouped(c *table.Column, n decimal.Notation) bool {
	for _, l := range c.Labels {
		if strings.Contains(l, n.Group) {
			return true
		}
	}
	return false
}

// contrary says of a text column that all its values are numbers with another decimal sign than the file's; empty where
// they are not.
func (r *result) contrary(c *table.Column, _ int) message.Sentence {
	other := decimal.Notation{Point: ','}
	if r.point == ',' {
		other.Point = '.'
	}
	var s decimal.Shape
	if len(c.Labels) == 0 || !s.AddAll(len(c.Labels), func(k int) string { return c.Labels[k] }, other) {
		return message.Sentence{}
	}
	return message.Say("read.contrary").Name("column", c.Name).Part("ways", ways(c))
}
