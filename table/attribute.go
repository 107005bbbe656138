package table

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/dither-data/dither/calendar"
)

// Kind says how the values of an attribute are held.
type Kind uint8

const (
	// Numeric values are float64; NaN means missing.
	Numeric Kind = iota
	// Categorical values are codes into Attribute.Labels; -1 means missing.
	Categorical
	// SetValued values are sets of items, which are codes into Attribute.Labels; see Sets.
	SetValued
)

// String returns the kind's name as used in policies and in JSON.
func (k Kind) String() string {
	switch k {
	case Numeric:
		return "numeric"
	case Categorical:
		return "categorical"
	case SetValued:
		return "set-valued"
	}
	return fmt.Sprintf("kind(%d)", uint8(k))
}

// Scalar reports whether a record has at most one value of an attribute of this kind: a number or a category. What
// works on numbers and categories asks for it, and leaves other attributes alone.
func (k Kind) Scalar() bool {
	switch k {
	case Numeric, Categorical:
		return true
	case SetValued:
	}
	return false
}

// Role says what an attribute is to the disclosure-control problem. Roles are bits: an attribute may be a
// quasi-identifier and confidential at once.
type Role uint8

const (
	// Identifier names a person directly; it never reaches a release.
	Identifier Role = 1 << iota
	// Quasi marks a quasi-identifier: harmless alone, known to an intruder, identifying in combination.
	Quasi
	// Confidential marks what an intruder wants to learn.
	Confidential
	// Class marks the attribute that decision rules predict.
	Class
	// Weight marks a sampling weight.
	Weight
	// Person marks the identifier that tells which records are one person's. It comes with Identifier.
	Person
	// Household marks the identifier that tells which records are of one household. It comes with Identifier.
	Household
)

var roleNames = []struct {
	Role Role
	Name string
}{{Identifier, "identifier"}, {Quasi, "quasi-identifier"}, {Confidential, "confidential"}, {Class, "class"},
	{Weight, "weight"},
	{Person | Identifier, "person"}, {Household | Identifier, "household"}}

// String lists the names of the role's bits, joined by "+"; "other" when none is set.
func (r Role) String() string {
	s := ""
	for _, n := range roleNames {
		if r&n.Role == n.Role && (n.Role != Identifier || r&(Person|Household) == 0) {
			if s != "" {
				s += "+"
			}
			s += n.Name
		}
	}
	if s == "" {
		return "other"
	}
	return s
}

// Attribute describes one column: everything but its values.
type Attribute struct {
	Name string
	Kind Kind
	Role Role
	// Domain is the closed or half-open interval of legal values of a numeric attribute.
	Domain Interval
	// Declared says that Domain, or Labels, was given by the custodian. Otherwise Domain is the observed minimum and
	// maximum, which a release discloses, and Labels are the categories that occur.
	Declared bool
	// Step is the grid of a numeric attribute: 1 for integers, 0.01 for cents, 0 for a continuous attribute.
	Step float64
	// StepDeclared says that Step was given by the custodian. Otherwise it is the coarsest on which all values lie, which
	// one record can change.
	StepDeclared bool
	// Dates is the notation of a numeric attribute whose values are dates: numbers of the notation's units, days as a
	// rule, since 1970-01-01. It is empty for other numbers.
	Dates calendar.Notation
	// Dated says that the file calls the values dates, though they were not read as dates: Dates is empty then.
	Dated bool
	// Labels are the categories of a categorical attribute, or the items of a set-valued one, indexed by code. The slice
	// is shared: never write to it.
	Labels []string
	// Ordered says that the order of Labels is meaningful.
	Ordered bool
}

// Code returns the code of a label, or -1 when the attribute does not have it.
func (a *Attribute) Code(label string) int32 { return int32(slices.Index(a.Labels, label)) }

// AppendValue appends a number as the attribute writes it: a date in its notation, any other as AppendNumber does on
// the attribute's grid.
func (a *Attribute) AppendValue(dst []byte, v float64) []byte {
	if a.Dates != "" {
		return a.Dates.Append(dst, v)
	}
	return AppendNumber(dst, v, a.Step)
}

// Mean writes a mean of values: of dates the nearest one in their notation, of other numbers what plain makes of it.
func (a *Attribute) Mean(v float64, plain func(v float64) string) string {
	if a.Dates != "" && v == v {
		return string(a.Dates.Append(nil, math.Round(v)))
	}
	return plain(v)
}

// Spread writes a difference of values, such as a standard deviation: what plain makes of it, and for dates the unit.
func (a *Attribute) Spread(v float64, plain func(v float64) string) string {
	if a.Dates != "" {
		return plain(v) + " " + a.Dates.Unit()
	}
	return plain(v)
}

// ParseValue reads a number as AppendValue writes it, of any number of decimals. Dates may be in the notation of ISO
// 8601 too.
func (a *Attribute) ParseValue(text string) (v float64, ok bool) {
	if a.Dates != "" {
		v, _, ok = a.Dates.Number(text)
		return v, ok
	}
	v, err := strconv.ParseFloat(text, 64)
	return v, err == nil
}

// SameUnit returns an error, which goes on behind the column's name, unless numbers of both attributes are of one unit:
// dates and other numbers are not, nor are days and minutes.
func (a *Attribute) SameUnit(want *Attribute) error {
	switch {
	case a.Dates == want.Dates:
		return nil
	case a.Dates == "":
		return fmt.Errorf("holds numbers, expected dates (%s)", want.Dates)
	case want.Dates == "":
		return fmt.Errorf("holds dates (%s), expected numbers", a.Dates)
	case a.Dates.PerDay() != want.Dates.PerDay(), a.Dates.Timely() != want.Dates.Timely():
		return fmt.Errorf("holds dates written as %s, expected %s", a.Dates, want.Dates)
	}
	return nil
}

// Snap returns the value of the attribute's grid nearest to v. It is the identity on a continuous attribute, on NaN and
// on infinities. The step is taken as a ratio of whole numbers (Ratio), so that decimals come out correctly rounded.
func (a *Attribute) Snap(v float64) float64 { return Snap(v, a.Step) }

// Snap rounds v to the nearest multiple of step; step 0 leaves v alone.
func Snap(v, step float64) float64 {
	switch {
	case step == 0 || math.IsNaN(v) || math.IsInf(v, 0):
		return v
	case step == 1:
		return math.RoundToEven(v)
	case step == math.Trunc(step):
		return float64(math.RoundToEven(v/step) * step)
	}
	if inv, ok := inverse(step); ok {
		return math.RoundToEven(v*inv) / inv
	}
	num, den := Ratio(step)
	return math.RoundToEven(v*den/num) * num / den
}

// Ratio returns a grid step as a ratio of whole numbers: 1/100 for 0.01, 3/10 for 0.3, 1/3 for the number next to a
// third. A step that is neither the inverse of a whole number nor a decimal is itself over 1. The multiple k of the
// step is k*num/den, correctly rounded while k*num is below 2^53.
func Ratio(step float64) (num, den float64) {
	if inv, ok := inverse(step); ok {
		return 1, inv
	}
	if d := Decimals(step); d >= 0 {
		den = math.Pow10(d)
		num = math.Round(step * den)
		if math.Abs(num/den-step) < 1e-15*step {
			return num, den
		}
	}
	return step, 1
}

// inverse returns the whole number of which the step is the inverse.
func inverse(step float64) (inv float64, ok bool) {
	inv = math.RoundToEven(1 / step)
	return inv, math.Abs(float64(inv*step)-1) < 1e-15
}

// Interval is a range of numbers. The zero Interval is the closed interval [0, 0].
type Interval struct {
	Lo     float64 `json:"lo"`
	Hi     float64 `json:"hi"`
	OpenLo bool    `json:"openLo,omitempty"`
	OpenHi bool    `json:"openHi,omitempty"`
}

// Everything is the interval that holds every number.
func Everything() Interval { return Interval{Lo: math.Inf(-1), Hi: math.Inf(1)} }

// Contains reports whether v lies in the interval; NaN lies in none.
func (i Interval) Contains(v float64) bool {
	return (v > i.Lo || v == i.Lo && !i.OpenLo) && (v < i.Hi || v == i.Hi && !i.OpenHi)
}

// Empty reports whether no number lies in the interval.
func (i Interval) Empty() bool { return i.Lo > i.Hi || i.Lo == i.Hi && (i.OpenLo || i.OpenHi) }

// Intersect returns the numbers that lie in both intervals.
func (i Interval) Intersect(o Interval) Interval {
	if o.Lo > i.Lo || o.Lo == i.Lo && o.OpenLo {
		i.Lo, i.OpenLo = o.Lo, o.OpenLo
	}
	if o.Hi < i.Hi || o.Hi == i.Hi && o.OpenHi {
		i.Hi, i.OpenHi = o.Hi, o.OpenHi
	}
	return i
}

// OnGrid closes the interval on a grid: the smallest and the largest multiple of step inside it. A bound that the
// decimal arithmetic leaves within 1e-9 steps of a multiple counts as that multiple. With step 0 it returns i.
func (i Interval) OnGrid(step float64) Interval {
	if step == 0 {
		return i
	}
	if !math.IsInf(i.Lo, 0) {
		k := math.Ceil(i.Lo/step - 1e-9)
		if i.OpenLo && math.Abs(i.Lo/step-k) < 1e-9 {
			k++
		}
		i.Lo, i.OpenLo = Snap(float64(k*step), step), false
	}
	if !math.IsInf(i.Hi, 0) {
		k := math.Floor(i.Hi/step + 1e-9)
		if i.OpenHi && math.Abs(i.Hi/step-k) < 1e-9 {
			k--
		}
		i.Hi, i.OpenHi = Snap(float64(k*step), step), false
	}
	return i
}

// String writes the interval in mathematical notation.
func (i Interval) String() string {
	lo, hi := "[", "]"
	if i.OpenLo {
		lo = "("
	}
	if i.OpenHi {
		hi = ")"
	}
	return fmt.Sprintf("%s%v, %v%s", lo, i.Lo, i.Hi, hi)
}
