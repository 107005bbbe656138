package measure

import "strings"

// UnitKind is what sort of number a figure is. Programs go by it; the words of a Unit are for people.
type UnitKind string

// The kinds of units.
const (
	Share       UnitKind = "share"       // from 0 to 1, shown in per cent
	Percent     UnitKind = "percent"     // in per cent already
	Probability UnitKind = "probability" // from 0 to 1, shown as it is
	Count       UnitKind = "count"
	Heads       UnitKind = "heads" // a count of records, which is of people where some have several
	Bits        UnitKind = "bits"
	Deviations  UnitKind = "deviations" // standard deviations
	Ratio       UnitKind = "ratio"      // of whatever to whatever, shown as it is
)

// Unit is what a figure is in. The zero Unit is that of a plain number. In a JSON object that embeds it, it is the fields unit and unitKind.
type Unit struct {
	Kind UnitKind `json:"unitKind"`
	Text string   `json:"unit"` // in words: share of the persons, bits
	Of   string   `json:"-"`    // of a share or a percentage, what it is one of: of the persons
}

// In makes a unit of the words: for a share or a percentage what it is one of, "of the persons", and for all others the unit itself, "records".
func In(kind UnitKind, words string) Unit {
	switch {
	case kind == Share:
		return Unit{kind, strings.TrimSpace("share " + words), words}
	case kind == Percent:
		return Unit{kind, strings.TrimSpace("% " + words), words}
	}
	return Unit{Kind: kind, Text: words}
}

// Scale returns by what a score is multiplied to be shown: 100 for a share, which is shown in per cent, else 1.
func (u Unit) Scale() float64 {
	if u.Kind == Share {
		return 100
	}
	return 1
}

// Percent reports whether figures are shown in per cent.
func (u Unit) Percent() bool { return u.Kind == Share || u.Kind == Percent }

// String returns the unit in words.
func (u Unit) String() string { return u.Text }
