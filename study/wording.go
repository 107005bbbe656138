package study

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/dither-data/dither/internal/portable"
	"github.com/dither-data/dither/internal/text/numfmt"
	"github.com/dither-data/dither/limit"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/message"
)

// This file puts demands into sentences for somebody who keeps the data and does not know the field.

// by names an intruder, as somebody who does something: an intruder who knows age and sex, where the name
// describes one.
func by(name string, described bool) message.Sentence {
	switch {
	case name == "":
		return message.Say("by.somebody")
	case described && usual[name] != "":
		return message.Say("by.who").Part("name", message.Say("by."+usual[name]))
	case described:
		return message.Say("by.who").Name("name", name)
	}
	return message.Say("by.declared").Name("name", name)
}

// usual are the names of the intruders that are there where nobody declares any, which languages have words for.
var usual = map[string]string{
	"knows the quasi-identifiers":               "quasi",
	"knows everything":                          "everything",
	"knows everything but the class":            "butClass",
	"knows everything but what is confidential": "butConfidential",
}

// act is what an intruder does to n of 100 people; nil where the figure is no share of the people.
func (d *Demand) act() func(n, who, secret message.Sentence) message.Sentence {
	if d.looks() { // the one act that no measure counts
		return func(n, who, _ message.Sentence) message.Sentence {
			return message.Say("act.lookup").Part("n", n).Part("people", who)
		}
	}
	return d.Facts.Act
}

// works reports whether the demand is on how a technique works.
func (d *Demand) works() bool { return (&limit.Limit{Measure: d.Measure}).OfTechnique() }

// Name is what the demand is on, and against whom it was measured.
func (d *Demand) Name() message.Sentence {
	if d.Against == "" {
		return d.Title
	}
	return message.Say("demand.against").Part("says", d.Title).Part("who", by(d.Against, d.described))
}

// figure says what was measured, without the limit.
func (d *Demand) figure() message.Sentence {
	act, factor := d.act(), d.factor()
	switch {
	case !d.said.Empty():
		return d.said
	case d.Value == nil && d.Against != "":
		return message.Say("demand.lacking.against").Part("what", d.Title).Part("who", by(d.Against, d.described))
	case d.Value == nil:
		return message.Say("demand.lacking.any").Part("what", d.Title)
	case d.works():
		return message.Say("works."+d.Measure).Part("figure", d.between(d.number(*d.Value, 1), 1))
	case act != nil:
		secret := message.Say("act.secret")
		if d.secret != "" {
			secret = message.Name(d.secret)
		}
		does := act(d.number(*d.Value, factor), measure.Subject(d.people), secret)
		return d.between(message.Say("demand.act").Part("who", by(d.Against, d.described)).Part("does", does), factor)
	}
	s := message.Say("demand.is").Part("what", d.Title).Part("figure", d.between(d.inUnit(*d.Value, factor), factor))
	if d.Against != "" {
		return message.Say("demand.against").Part("says", s).Part("who", by(d.Against, d.described))
	}
	return s
}

// factor is by what the figure is multiplied for a reader.
func (d *Demand) factor() float64 {
	if d.percent() {
		return 100
	}
	return 1
}

func (d *Demand) percent() bool { return d.act() != nil || d.Unit.Kind == measure.Share }

// inUnit is a figure with its unit.
func (d *Demand) inUnit(v, factor float64) message.Sentence {
	n := d.number(v, factor)
	switch {
	case d.percent():
		return message.Say("demand.percent").Part("figure", n)
	case d.Unit.Says.Empty():
		return n
	}
	return message.Say("demand.unit").Part("figure", n).Part("unit", d.Unit.Beside(d.digits(v, factor).rounded()))
}

// Beyond says by how much a figure is beyond the limit, in its unit.
func (d *Demand) Beyond(excess float64) message.Sentence {
	factor := d.factor()
	excess = float64(excess * factor)
	figure := beside(excess, max(0, 1-int(math.Floor(portable.Log10(excess)))), nil)
	n := message.Of(figure)
	unit := units[d.Measure]
	if unit.Empty() {
		unit = d.Unit.Beside(figure.rounded())
	}
	switch {
	case factor != 1:
		return message.Say("demand.percent").Part("figure", n)
	case unit.Empty():
		return n
	}
	return message.Say("demand.unit").Part("figure", n).Part("unit", unit)
}

// between adds the interval of the figure, where there is one.
func (d *Demand) between(says message.Sentence, factor float64) message.Sentence {
	if d.Lo == nil || d.Hi == nil || *d.Lo >= *d.Hi {
		return says
	}
	return message.Say("demand.between").Part("says", says).
		Part("lo", d.number(*d.Lo, factor)).Part("hi", d.number(*d.Hi, factor))
}

// Sentence is the figure with what is allowed.
func (d *Demand) Sentence() message.Sentence {
	switch {
	case d.Value == nil && d.works():
		return message.Say("demand.because").Part("says", d.figure()).Part("why", d.Why)
	case d.Value == nil, d.Measure == limit.Altered, d.Measure == limit.Seed, d.Measure == limit.Suppressed:
		return d.figure()
	}
	return message.Say("demand.held").Part("figure", d.figure()).Part("allowed", d.allowed())
}

// allowed is the limit.
func (d *Demand) allowed() message.Sentence {
	if d.Measure == limit.Patterns && d.Max != nil && *d.Max == 0 {
		return message.Say("demand.allowed.none")
	}
	number := "one"
	if ends := d.sides(d.factor()); d.act() != nil && !(len(ends) == 1 && ends[0] == 1) {
		number = "other"
	}
	switch {
	case d.Min != nil && d.Max != nil:
		return message.Say("demand.allowed.between."+number).Part("least", d.bound(d.Min)).Part("most", d.bound(d.Max))
	case d.Min != nil:
		return message.Say("demand.allowed.least."+number).Part("least", d.bound(d.Min))
	}
	if d.Measure == limit.Stronger && !d.Accepted {
		return message.Say("demand.allowed.fewer").Part("most", d.bound(d.Max))
	}
	return message.Say("demand.allowed.most."+number).Part("most", d.bound(d.Max))
}

// bound writes an end of the limit as it was given; empty where there is none.
func (d *Demand) bound(v *float64) message.Sentence {
	switch {
	case v == nil:
		return message.Sentence{}
	case d.act() != nil:
		return message.Of(given(100 * *v))
	case d.Unit.Kind == measure.Share:
		return message.Say("demand.percent").Figure("figure", given(100**v))
	case !units[d.Measure].Empty():
		return message.Say("demand.unit").Figure("figure", given(*v)).Part("unit", units[d.Measure])
	}
	return message.Of(given(*v))
}

// anyBound is the upper end of the limit or, without one, the lower.
func (d *Demand) anyBound() message.Sentence {
	if d.Max != nil {
		return d.bound(d.Max)
	}
	return d.bound(d.Min)
}

// given is a number as somebody typed it.
type given float64

// In writes the number.
func (v given) In(l *message.Language) string { return l.Digits(exact(float64(v))) }

// exact writes a number as somebody typed it.
func exact(v float64) string {
	s := strconv.FormatFloat(v, 'g', 12, 64)
	if f, err := strconv.ParseFloat(s, 64); err == nil && math.Abs(f) < 1e12 && (f == 0 || math.Abs(f) >= 1e-6) {
		s = strconv.FormatFloat(f, 'f', -1, 64)
	}
	return numfmt.Group(s, 5)
}

// number rounds a figure, or an end of it, to what its bounds allow, and to as many digits more as keep it on its side
// of the limit.
func (d *Demand) number(v, factor float64) message.Sentence {
	shown, least := float64(v*factor), slices.Min(append(d.sides(factor), math.Inf(1)))
	if d.act() != nil && shown > 0 && shown < fewest/2 && least >= fewest {
		return fewer()
	}
	return message.Of(d.digits(v, factor))
}

// digits is a figure as it is written.
func (d *Demand) digits(v, factor float64) digits {
	v = float64(v * factor)
	return beside(v, d.decimals(v, factor), d.sides(factor))
}

// fewest is the least share of 100 people that is written.
const fewest = 0.1

func fewer() message.Sentence { return message.Say("demand.fewer").Fixed("n", fewest, 1) }

// sides are the ends of the limit.
func (d *Demand) sides(factor float64) (out []float64) {
	for _, b := range []*float64{d.Min, d.Max} {
		if b != nil {
			out = append(out, float64(*b*factor))
		}
	}
	return out
}

// decimals is how many a figure gets: two digits of half its interval or, without one, four of its own; of shares at
// most one, and none from 10 on.
func (d *Demand) decimals(v, factor float64) int {
	n := 3
	if v != 0 {
		n -= int(math.Floor(portable.Log10(math.Abs(v))))
	}
	if d.Lo != nil && d.Hi != nil && *d.Hi > *d.Lo {
		n = 1 - int(math.Floor(portable.Log10((*d.Hi-*d.Lo)*factor/2)))
	}
	if factor == 100 && v >= 10 {
		n = 0
	} else if factor == 100 {
		n = min(n, 1)
	}
	return max(0, min(n, 6))
}

// digits is a number with so many decimals at most: none that is 0 at its end.
type digits struct {
	value    float64
	decimals int
}

// In writes the number.
func (v digits) In(l *message.Language) string {
	s := strconv.FormatFloat(v.value, 'f', v.decimals, 64)
	if strings.Contains(s, ".") {
		s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
	}
	return l.Digits(numfmt.Group(s, 5))
}

// rounded is the number that is written.
func (v digits) rounded() float64 { return numfmt.Round(v.value, v.decimals) }

// beside is a number with so many decimals, or as many more as keep it on its side of others.
func beside(v float64, decimals int, sides []float64) digits {
	n := decimals
	for ; n < decimals+6; n++ {
		r := numfmt.Round(v, n)
		if !slices.ContainsFunc(sides, func(b float64) bool { return (r > b) != (v > b) || (r < b) != (v < b) }) {
			break
		}
	}
	return digits{v, n}
}
