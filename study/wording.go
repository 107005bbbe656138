package study

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/dither-data/dither/internal/numeral"
	"github.com/dither-data/dither/limit"
	"github.com/dither-data/dither/measure"
)

// This file puts demands into sentences for somebody who keeps the data and does not know the field.

// lookupAct is what an intruder does who looks people up: the one act that no measure counts. N stands for how many of 100 people.
const lookupAct = "looks up N of 100 people by values that the release shows unchanged"

// act is what an intruder does; false where the figure is no share of the people.
func (d *Demand) act() (string, bool) {
	if d.Measure == limit.Lookup {
		return lookupAct, true
	}
	return d.Facts.Act, d.Facts.Act != ""
}

// figure says what was measured, without the limit.
func (d *Demand) figure() string {
	if d.said != "" {
		return d.said
	}
	if d.Value == nil {
		s := d.Title + " was not measured"
		if d.Against != "" {
			s += " against an intruder who " + who(d.Against, d.described)
		}
		return s
	}
	if text, ok := works[d.Measure]; ok {
		return strings.Replace(text, "V", d.number(*d.Value, 1)+d.between(1), 1)
	}
	act, people := d.act()
	factor, unit := d.shown()
	v, between := d.number(*d.Value, factor), d.between(factor)
	if people {
		secret := "a secret"
		if d.secret != "" {
			secret = d.secret
		}
		by := "an intruder"
		if d.Against != "" {
			by += " who " + who(d.Against, d.described)
		}
		return by + " " + strings.NewReplacer("N", v, "SECRET", secret).Replace(act) + between
	}
	s := strings.TrimSpace(d.Title + " is " + strings.TrimSpace(v+" "+numeral.Unit(v, unit)) + between)
	if d.Against != "" {
		s += ", against an intruder who " + who(d.Against, d.described)
	}
	return s
}

// shown is by what the figure is multiplied for a reader, and what stands behind it.
func (d *Demand) shown() (factor float64, unit string) {
	if _, people := d.act(); people || d.Unit.Kind == measure.Share {
		return 100, "%"
	}
	return 1, d.Unit.Text
}

// Beyond says by how much a figure is beyond the limit, in its unit.
func (d *Demand) Beyond(by float64) string {
	factor, unit := d.shown()
	if of := units[d.Measure]; factor == 1 && of != "" {
		unit = of
	}
	return strings.TrimSpace(beside(by*factor, max(0, 1-int(math.Floor(math.Log10(by*factor)))), nil) + " " + unit)
}

// between is the interval of the figure; empty without one.
func (d *Demand) between(factor float64) string {
	if d.Lo == nil || d.Hi == nil || *d.Lo >= *d.Hi {
		return ""
	}
	return fmt.Sprintf(" (%s to %s)", d.number(*d.Lo, factor), d.number(*d.Hi, factor))
}

// String is the figure with what is allowed.
func (d *Demand) String() string {
	switch _, of := works[d.Measure]; {
	case d.Value == nil && of:
		return d.figure() + ": " + d.Why
	case d.Value == nil, d.Measure == limit.Altered:
		return d.figure()
	}
	return d.figure() + "; " + d.allowed()
}

// allowed is the limit.
func (d *Demand) allowed() string {
	least, most := d.bound(d.Min), d.bound(d.Max)
	if d.Measure == limit.Patterns && most == "0" {
		return "none may be"
	}
	are := "is"
	if _, people := d.act(); people && least+most != "1" {
		are = "are"
	}
	switch {
	case least != "" && most != "":
		return fmt.Sprintf("from %s to %s %s allowed", least, most, are)
	case least != "":
		return fmt.Sprintf("at least %s %s asked for", least, are)
	}
	return fmt.Sprintf("at most %s %s allowed", most, are)
}

// bound writes an end of the limit as it was given; empty where there is none.
func (d *Demand) bound(v *float64) string {
	if v == nil {
		return ""
	}
	if _, people := d.act(); people {
		return exact(100 * *v)
	}
	if d.Unit.Kind == measure.Share {
		return exact(100**v) + " %"
	}
	return strings.TrimSpace(exact(*v) + " " + units[d.Measure])
}

// exact writes a number as somebody typed it.
func exact(v float64) string {
	s := strconv.FormatFloat(v, 'g', 12, 64)
	if f, err := strconv.ParseFloat(s, 64); err == nil && math.Abs(f) < 1e12 && (f == 0 || math.Abs(f) >= 1e-6) {
		s = strconv.FormatFloat(f, 'f', -1, 64)
	}
	return numeral.Group(s, 5)
}

// number rounds a figure, or an end of it, to what its bounds allow, and to as many digits more as keep it on its side of the limit.
func (d *Demand) number(v, factor float64) string {
	sides := d.sides(factor)
	v *= factor
	if _, people := d.act(); people && v > 0 && v < 0.05 && slices.Min(append(sides, math.Inf(1))) >= 0.1 {
		return "fewer than 0.1"
	}
	return beside(v, d.decimals(v, factor), sides)
}

// sides are the ends of the limit.
func (d *Demand) sides(factor float64) (out []float64) {
	for _, b := range []*float64{d.Min, d.Max} {
		if b != nil {
			out = append(out, *b*factor)
		}
	}
	return out
}

// beside writes a figure, which the factor is in already, with so many decimals, or as many more as keep it on its side of the limit.
func (d *Demand) beside(v float64, decimals int, factor float64) string {
	return beside(v, decimals, d.sides(factor))
}

// decimals is how many a figure gets: two digits of half its interval or, without one, four of its own; of shares at most one, and none from 10 on.
func (d *Demand) decimals(v, factor float64) int {
	n := 3
	if v != 0 {
		n -= int(math.Floor(math.Log10(math.Abs(v))))
	}
	if d.Lo != nil && d.Hi != nil && *d.Hi > *d.Lo {
		n = 1 - int(math.Floor(math.Log10((*d.Hi-*d.Lo)*factor/2)))
	}
	if factor == 100 && v >= 10 {
		n = 0
	} else if factor == 100 {
		n = min(n, 1)
	}
	return max(0, min(n, 6))
}

// beside writes a number with so many decimals, or as many more as keep it on its side of others.
func beside(v float64, decimals int, sides []float64) string {
	s := ""
	for n := decimals; n <= decimals+6; n++ {
		s = strconv.FormatFloat(v, 'f', n, 64)
		r, _ := strconv.ParseFloat(s, 64)
		if !slices.ContainsFunc(sides, func(b float64) bool { return (r > b) != (v > b) || (r < b) != (v < b) }) {
			break
		}
	}
	if strings.Contains(s, ".") {
		s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
	}
	return numeral.Group(s, 5)
}
