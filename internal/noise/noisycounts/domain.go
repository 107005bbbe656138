// Package noisycounts counts records in cells, with the noise of differential privacy.
//
// The cells follow from domains that are declared: those of every table are the same, and a record that is outside a
// domain, or lacks the value, has cells of its own. Where a domain is not declared the cells are those that occur, and
// one is named only where its noisy count reaches a threshold (Korolova, Kenthapadi, Mishra & Ntoulas 2009).
package noisycounts

import (
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strings"
)

// Domain is what a column may hold: categories, or intervals of numbers. It is never read from records.
type Domain struct {
	Column string
	Values []string // categories; nil for intervals, or where nothing is declared
	lo     *big.Rat
	width  *big.Rat
	parts  int
}

// mostCells is how many cells a table has at most.
const mostCells = 1 << 22

// ParseDomain reads column=a|b|c, categories, or column=lo..hi/width, intervals [lo, lo+width), [lo+width, lo+2 width)
// and so on, of which the last one includes hi.
func ParseDomain(text string) (Domain, error) {
	at := strings.LastIndexByte(text, '=')
	if at <= 0 || at == len(text)-1 {
		return Domain{}, fmt.Errorf("%q: expected column=a|b|c or column=lo..hi/width", text)
	}
	d := Domain{Column: text[:at]}
	lo, rest, numbers := strings.Cut(text[at+1:], "..")
	hi, width, divided := strings.Cut(rest, "/")
	if !numbers || !divided {
		d.Values = strings.Split(text[at+1:], "|")
		sorted := slices.Sorted(slices.Values(d.Values))
		if len(slices.Compact(sorted)) < len(d.Values) || slices.Contains(d.Values, "") {
			return Domain{}, fmt.Errorf("%q: a category is empty, or there twice", text)
		}
		return d, nil
	}
	ends := make([]*big.Rat, 3)
	for k, s := range []string{lo, hi, width} {
		if ends[k] = number(s); ends[k] == nil {
			return Domain{}, fmt.Errorf("%q: %q is not a number", text, s)
		}
	}
	span := new(big.Rat).Sub(ends[1], ends[0])
	if ends[2].Sign() <= 0 || span.Sign() <= 0 {
		return Domain{}, fmt.Errorf("%q: expected lo below hi, and a positive width", text)
	}
	parts := span.Quo(span, ends[2])
	if !parts.IsInt() || !parts.Num().IsInt64() || parts.Num().Int64() > mostCells {
		return Domain{}, fmt.Errorf("%q: the width does not divide the interval into whole parts, %d at most", text,
			mostCells)
	}
	d.lo, d.width, d.parts = ends[0], ends[2], int(parts.Num().Int64())
	return d, nil
}

// number reads a decimal of at most 30 characters; nil for anything else.
func number(text string) *big.Rat {
	text = strings.TrimSpace(text)
	if text == "" || len(text) > 30 || strings.Trim(text, "0123456789.-+") != "" {
		return nil
	}
	r, ok := new(big.Rat).SetString(text)
	if !ok {
		return nil
	}
	return r
}

// Declared says whether the domain says what the column may hold.
func (d *Domain) Declared() bool { return d.parts > 0 || d.Values != nil }

// Cells returns how many cells the column has: those of the domain, one for other values and one for missing ones.
func (d *Domain) Cells() int { return d.parts + len(d.Values) + 2 }

// Cell returns the cell of a value. It depends on nothing but the text.
func (d *Domain) Cell(text string, missing bool) int {
	other := d.parts + len(d.Values)
	if missing {
		return other + 1
	}
	if d.parts == 0 {
		if k := slices.Index(d.Values, text); k >= 0 {
			return k
		}
		if r := number(text); r != nil { // 1 is 1.0
			for k, v := range d.Values {
				if s := number(v); s != nil && s.Cmp(r) == 0 {
					return k
				}
			}
		}
		return other
	}
	r := number(text)
	if r == nil || r.Cmp(d.lo) < 0 {
		return other
	}
	r.Quo(r.Sub(r, d.lo), d.width)
	k := new(big.Int).Quo(r.Num(), r.Denom())
	switch {
	case k.IsInt64() && k.Int64() < int64(d.parts):
		return int(k.Int64())
	case k.IsInt64() && k.Int64() == int64(d.parts) && r.IsInt():
		return d.parts - 1 // hi itself
	}
	return other
}

// Points returns how many numbers lo, lo+width, ..., hi a domain of intervals has; 0 for one of categories.
func (d *Domain) Points() int {
	if d.parts == 0 {
		return 0
	}
	return d.parts + 1
}

// Nearest returns the place of the number of a domain that is nearest to a value, the one above of two; false where the
// value is no number. It depends on nothing but the text.
func (d *Domain) Nearest(text string) (int, bool) {
	r := number(text)
	if r == nil || d.parts == 0 {
		return 0, false
	}
	r.Quo(r.Sub(r, d.lo), d.width)
	r.Add(r, big.NewRat(1, 2))
	k := new(big.Int).Div(r.Num(), r.Denom())
	switch {
	case k.Sign() < 0:
		return 0, true
	case !k.IsInt64() || k.Int64() > int64(d.parts):
		return d.parts, true
	}
	return int(k.Int64()), true
}

// Point returns the number at a place.
func (d *Domain) Point(k int) string {
	return decimal(new(big.Rat).Add(d.lo, new(big.Rat).Mul(d.width, big.NewRat(int64(k), 1))))
}

// Label returns what a cell is called.
func (d *Domain) Label(cell int) string {
	switch other := d.parts + len(d.Values); {
	case cell == other:
		return "(other)"
	case cell > other:
		return "(missing)"
	case d.parts == 0:
		return d.Values[cell]
	}
	from := new(big.Rat).Add(d.lo, new(big.Rat).Mul(d.width, big.NewRat(int64(cell), 1)))
	to := new(big.Rat).Add(from, d.width)
	bracket := ")"
	if cell == d.parts-1 {
		bracket = "]"
	}
	return "[" + decimal(from) + ", " + decimal(to) + bracket
}

func decimal(r *big.Rat) string {
	digits, exact := r.FloatPrec()
	if !exact {
		digits = 6
	}
	return r.FloatString(digits)
}

// Cells returns how many cells a contingency table of some domains has.
func Cells(domains []Domain) (int, error) {
	n := 1
	for k := range domains {
		if n *= domains[k].Cells(); n > mostCells {
			return 0, errors.New("a table of more than 4 million cells would be noise: take fewer columns or wider intervals")
		}
	}
	return n, nil
}
