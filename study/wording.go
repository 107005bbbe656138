package study

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/dither-data/dither/internal/numeral"
	"github.com/dither-data/dither/limit"
)

// This file puts demands into sentences for somebody who keeps the data and does not know the field.

// acts are what an intruder does, by the name of a limit on a share of the people; N stands for how many of 100 people.
var acts = map[string]string{
	"found":             "finds N of 100 people",
	"learned":           "learns SECRET of N more of 100 people than if they were not in the release",
	"gaplinkage":        "finds N of 100 people by which of their values are missing",
	"roworder":          "learns something of N more of 100 people from the order of the records than from a random order",
	"repeatedrecords":   "guesses a value right of N more of 100 people from all their records than from one",
	"leakedplan":        "finds N of 100 people with the plan of the release",
	"membership":        "can tell of N of 100 people that they are in the table, at 1 % false alarms",
	"replicateduniques": "can read the whole row, or all but one column, of N more of 100 people than chance explains, in the record of somebody else",
	limit.Lookup:        "looks up N of 100 people by values that the release shows unchanged",
}

// figure says what was measured, without the limit.
func (d *Demand) figure() string {
	if d.said != "" {
		return d.said
	}
	if d.Value == nil {
		s := d.Title + " was not measured"
		if d.Against != "" {
			s += " against an intruder who " + who(d.Against)
		}
		return s
	}
	if text, ok := works[d.Measure]; ok {
		return strings.Replace(text, "V", d.number(*d.Value, 1)+d.between(1), 1)
	}
	act, people := acts[d.Measure]
	factor, unit := 1.0, d.Unit
	if people || strings.HasPrefix(unit, "share") {
		factor, unit = 100, "%"
	}
	v, between := d.number(*d.Value, factor), d.between(factor)
	if people {
		secret := "a secret"
		if d.secret != "" {
			secret = d.secret
		}
		by := "an intruder"
		if d.Against != "" {
			by += " who " + who(d.Against)
		}
		return by + " " + strings.NewReplacer("N", v, "SECRET", secret).Replace(act) + between
	}
	s := strings.TrimSpace(d.Title + " is " + strings.TrimSpace(v+" "+numeral.Unit(v, unit)) + between)
	if d.Against != "" {
		s += ", against an intruder who " + who(d.Against)
	}
	return s
}

// Beyond says by how much a figure is beyond the limit, in its unit.
func (d *Demand) Beyond(by float64) string {
	factor, unit := 1.0, d.Unit
	if _, people := acts[d.Measure]; people || strings.HasPrefix(unit, "share") {
		factor, unit = 100, "%"
	} else if of := units[d.Measure]; of != "" {
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
	if _, people := acts[d.Measure]; people && least+most != "1" {
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
	if _, people := acts[d.Measure]; people {
		return exact(100 * *v)
	}
	if strings.HasPrefix(d.Unit, "share") {
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
	if _, people := acts[d.Measure]; people && v > 0 && v < 0.05 && slices.Min(append(sides, math.Inf(1))) >= 0.1 {
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
