package dialect

import (
	"errors"
	"fmt"
	"math"
	"strconv"

	"github.com/dither-data/dither/format/decimal"
	"github.com/dither-data/dither/internal/system/mmap"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/table"
)

// DoubtfulNumbers says of a column that the sign in its numbers may stand before decimals or between thousands, that
// the column is read as categories, and how to settle it.
func DoubtfulNumbers(column string, sign byte) message.Sentence {
	return doubtful(column, sign, message.Say("read.asText"))
}

// ErrNumbers is the error for such a column that is declared numeric.
func ErrNumbers(column string, sign byte) error {
	return errors.New(doubtful(column, sign, message.Sentence{}).String())
}

func doubtful(column string, sign byte, read message.Sentence) message.Sentence {
	grouped, decimals := decimal.Readings(sign)
	word := message.Say("read.sign.point")
	if sign == ',' {
		word = message.Say("read.sign.comma")
	}
	return message.Say("read.doubtful.numbers").Name("column", column).Text("grouped", grouped.String()).
		Text("decimals", decimals.String()).Part("sign", word).Part("read", read).
		Text("first", NumbersFlag(column, grouped)).Text("second", NumbersFlag(column, decimals)).
		Text("policy", strconv.Quote(grouped.String()))
}

// NumbersFlag is the flag that says how the numbers of a column are written, as a shell takes it.
func NumbersFlag(column string, n decimal.Notation) string {
	return flag("--numbers", column, n.String())
}

// Doubt keeps that the numbers of a column may be written in two notations.
func (i *Info) Doubt(column string, sign byte) {
	if i.Doubtful == nil {
		i.Doubtful = map[string]byte{}
	}
	i.Doubtful[column] = sign
}

// Told keeps the notation of a column of numbers, in which it is written again.
func (i *Info) Told(column string, n decimal.Notation) {
	if i.Numbers == nil {
		i.Numbers = map[string]decimal.Notation{}
	}
	i.Numbers[column] = n
}

// Numbers returns a column of texts that are all numbers, with a decimal point, as such a column, and keeps in info how
// many decimals they are written with; any other column it returns as it is, and false. Cost: O(values + labels).
func Numbers(c table.Column, point byte, info *Info) (table.Column, bool) {
	out, _, ok := numbers(c, decimal.Notation{Point: point}, info, nil)
	return out, ok
}

// AsNumbers returns a column of texts of a delimited text as numbers, where all are and nothing else is asked for. It
// fails on texts that are none of the notation that was told, and notes where there may be two.
func (o *Options) AsNumbers(c table.Column, info *Info) (table.Column, error) {
	if n, told := o.Numbers[c.Name]; told && c.Kind == table.Categorical {
		info.Told(c.Name, n)
		return asTold(c, n, info, o.Space)
	}
	kind, forced := o.Kinds[c.Name]
	if forced && kind == table.Categorical {
		return c, nil
	}
	n := decimal.Notation{Point: '.'}
	if info.DecimalComma {
		n.Point = ','
	}
	out, shape, ok := numbers(c, n, info, o.Space)
	unsure := ok && shape.Doubtful(info.SignKnown)
	if unsure {
		info.Doubt(c.Name, n.Point)
	}
	if !ok || forced { // what such a column holds besides is for the policy to judge
		return c, nil
	}
	if unsure {
		info.NoteText(c.Name, DoubtfulNumbers(c.Name, n.Point))
		return c, nil
	}
	return out, nil
}

// asTold returns a column of texts as the numbers of a notation that it is said to hold.
func asTold(c table.Column, n decimal.Notation, info *Info, s *mmap.Space) (table.Column, error) {
	out, _, ok := numbers(c, n, info, s)
	if !ok {
		return c, fmt.Errorf("column %q holds something else than a number as it is written %s, expected such numbers or "+
			"missing values", c.Name, n)
	}
	return out, nil
}

func numbers(c table.Column, n decimal.Notation, info *Info, s *mmap.Space) (table.Column, decimal.Shape, bool) {
	var shape decimal.Shape
	if c.Kind != table.Categorical {
		return c, shape, false
	}
	values := make([]float64, len(c.Labels))
	var buf []byte
	for k, l := range c.Labels {
		v, sh, ok := n.Parse([]byte(l), &buf)
		if !ok {
			return c, shape, false
		}
		values[k] = v
		shape.Add(sh)
	}
	info.SetDecimals(c.Name, shape.Padded())
	num := mmap.Make[float64](s, len(c.Cat))
	for i, code := range c.Cat {
		if num[i] = math.NaN(); code >= 0 {
			num[i] = values[code]
		}
	}
	return table.NumColumn(c.Name, shape.Step(), num), shape, true
}
