package document

import (
	"math"

	"github.com/dither-data/dither/internal/portable"
	"github.com/dither-data/dither/internal/text/numfmt"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/message"
)

// Figure is a number that was found, with what a reader needs to understand it.
type Figure struct {
	Key    string           // of the measure, or of what else it is a figure of
	Title  message.Sentence // its name
	Value  float64          // NaN where there is none
	Lo, Hi float64          // the interval; Value both where there is none
	Level  float64          // of the interval, such as 0.95; 0 where nobody says
	Unit   measure.Unit
	Shown  string           // the value as its measure writes it, where that is no plain number
	Says   message.Sentence // how to read it
	Beside message.Sentence // what stands behind it in a line: what it was, who plays it
	Failed bool             // it could not be taken: Says says why
	// Bounds are the limits it is held against. It is written with the digits that tell it from them.
	Bounds []float64
}

// Exactly is a figure without an interval.
func Exactly(key string, v float64, unit measure.Unit) Figure {
	return Figure{Key: key, Value: v, Lo: v, Hi: v, Unit: unit}
}

// Text is the figure in its unit and its interval, both rounded to what the error allows; the interval is empty where
// there is none.
func (f Figure) Text() (value, interval string) {
	value, lo, hi := f.written()
	if lo == "" {
		return value, ""
	}
	return value, lo + " to " + hi
}

// written is the figure in its unit and the ends of its interval, which are empty where there is none.
func (f Figure) written() (value, lo, hi string) {
	half := (f.Hi - f.Lo) / 2
	for _, bound := range f.Bounds {
		for _, x := range []float64{f.Value, f.Lo, f.Hi} {
			if half > 0 && x != bound {
				half = max(min(half, math.Abs(x-bound)), (f.Hi-f.Lo)/2000)
			}
		}
	}
	scale, sign := f.Unit.Scale(), ""
	if f.Unit.Percent() {
		sign = " %"
	}
	half = float64(half * scale)
	switch {
	case f.Shown != "":
		return f.Shown, "", ""
	case !(half > 0) || math.IsInf(half, 0) || math.IsNaN(f.Value):
		value, _ = Score(f.Value, f.Unit)
		return value, "", ""
	}
	write := func(x float64) string { return rounding(float64(scale*x), half) }
	return write(f.Value) + sign, write(f.Lo), write(f.Hi) + sign
}

// In is the figure with its interval behind it.
func (f Figure) In(l *message.Language) string {
	value, lo, hi := f.written()
	if lo == "" {
		return l.Digits(value)
	}
	return l.Say(message.Say("list.interval").Text("value", l.Digits(value)).Text("lo", l.Digits(lo)).
		Text("hi", l.Digits(hi)))
}

// Of is what the figure is one of, beyond its sign: of the people, bits.
func (f Figure) Of() string {
	_, of := Score(f.Value, f.Unit)
	return of
}

// Score writes a score and what it is a figure of: 97.9 % and "of the records".
func Score(score float64, unit measure.Unit) (text, of string) {
	if unit.Kind == measure.Share {
		return numfmt.Percent(score), unit.Of.String()
	}
	if unit.Percent() {
		return Significant(score) + " %", unit.Of.String()
	}
	return Significant(score), unit.Beside(numfmt.Significant(score, 4)).String()
}

// Loss writes the figure of a column, in three decimals or, as a share, in per cent.
func Loss(v float64, unit measure.Unit) string {
	if unit.Kind == measure.Share {
		return numfmt.Percent(v)
	}
	return numfmt.Number(v, 0.001)
}

// Significant writes a score with four significant digits.
func Significant(v float64) string {
	if math.IsNaN(v) {
		return "not defined"
	}
	if v == math.Trunc(v) && math.Abs(v) < 1e12 {
		return numfmt.Number(v, 1)
	}
	return Rounded(v, 4)
}

// Rounded writes a number with so many significant digits.
func Rounded(v float64, digits int) string { return numfmt.Rounded(v, digits) }

// rounding writes a figure with the decimals that its error allows: the first digit of the error is the last of the
// figure, or the second where the first is 1. A figure that is not 0 never reads as if it were.
func rounding(v, half float64) string {
	place := math.Floor(portable.Log10(half))
	if half/portable.Pow(10, place) < 2 {
		place--
	}
	if place < -9 {
		return Rounded(v, 4)
	}
	decimals := max(0, -int(place))
	written := numfmt.Fixed(v, decimals)
	if v == 0 || numfmt.Round(v, decimals) != 0 {
		return written
	}
	sign := ""
	if v < 0 {
		sign = "−"
	}
	return sign + "under " + numfmt.Fixed(portable.Pow(10, -float64(decimals)), decimals)
}
