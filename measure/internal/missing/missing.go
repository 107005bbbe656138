// Package missing says what a release shows of values in the eyes of an intruder who knows which ones are missing. A
// value that a tool suppressed ("*"; Suppressed of a table.Column) is no gap: it hides a value or a gap, each at a rate
// of its own. A value that the release says is imputed (Imputed) shows a gap.
package missing

import "github.com/dither-data/dither/table"

// Shown is what a release shows of a value.
type Shown int

// What it may show.
const (
	Value Shown = iota
	Gap
	Suppressed
)

// Of returns what a column of a release shows in a row.
func Of(c *table.Column, row int) Shown {
	switch {
	case c.Suppressed != nil && c.Suppressed[row]:
		return Suppressed
	case c.MissingAt(row), c.Imputed != nil && c.Imputed[row]:
		return Gap
	}
	return Value
}

// Pairs counts the records by what a column has of them, a value (0) or none (1), and by what its release shows.
type Pairs [2][3]float64

// Count compares a column with its release, row by row.
func Count(was, is *table.Column) (p Pairs) {
	for i := range was.Len() {
		p[Bit(was.MissingAt(i))][Of(is, i)]++
	}
	return p
}

// Had returns how many records have a value (0), or none (1).
func (p *Pairs) Had(none int) float64 { return p[none][Value] + p[none][Gap] + p[none][Suppressed] }

// Stars returns how many values are suppressed.
func (p *Pairs) Stars() float64 { return p[0][Suppressed] + p[1][Suppressed] }

// Bit returns 1 for true.
func Bit(b bool) int {
	if b {
		return 1
	}
	return 0
}
