package policy

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Breach is a threshold that does not hold.
type Breach struct {
	Threshold
	Value *float64 `json:"value,omitempty"` // the score; nil when the measure gave none
}

// String says what was found and what was expected, in one line. The bounds are as written in the policy; the score has four digits,
// or as many more as show that it breaks the threshold.
func (b Breach) String() string {
	want := ""
	switch {
	case b.Min != nil && b.Max != nil:
		want = fmt.Sprintf("from %s to %s", number(*b.Min), number(*b.Max))
	case b.Min != nil:
		want = "at least " + number(*b.Min)
	case b.Max != nil:
		want = "at most " + number(*b.Max)
	}
	if b.Value == nil {
		return fmt.Sprintf("%s has no score, expected %s", b.Measure, want)
	}
	return fmt.Sprintf("%s is %s, expected %s", b.Measure, number(b.rounded()), want)
}

// rounded returns the score with as few digits, four or more, as show its whole part and keep it on its side of the bounds.
func (b Breach) rounded() float64 {
	exact := *b.Value
	if exact == math.Trunc(exact) {
		return exact
	}
	for digits := max(4, 1+int(math.Floor(math.Log10(math.Abs(exact))))); digits < 17; digits++ {
		v, err := strconv.ParseFloat(strconv.FormatFloat(exact, 'g', digits, 64), 64)
		if err == nil && b.broken(v) {
			return v
		}
	}
	return exact
}

// number writes a number exactly, with separators between thousands where it has no more digits than people read.
func number(v float64) string {
	if math.IsInf(v, 0) || v != 0 && (math.Abs(v) < 1e-6 || math.Abs(v) >= 1e15) {
		return strconv.FormatFloat(v, 'g', -1, 64)
	}
	s := strconv.FormatFloat(v, 'f', -1, 64)
	whole, frac, _ := strings.Cut(s, ".")
	for i := len(whole) - 3; i > 0 && whole[i-1] != '-'; i -= 3 {
		whole = whole[:i] + "," + whole[i:]
	}
	return strings.TrimSuffix(whole+"."+frac, ".")
}

// broken reports whether a score is outside the bounds.
func (t *Threshold) broken(v float64) bool {
	return t.Min != nil && v < *t.Min || t.Max != nil && v > *t.Max
}

// Check returns the thresholds that the scores break, in the order of the policy; values maps the names of measures to
// their scores. A measure that has no score, or one that is not a number, breaks its threshold: what was not measured cannot pass.
func (p *Policy) Check(values map[string]float64) []Breach {
	var broken []Breach
	for _, t := range p.Thresholds {
		v, ok := values[t.Measure]
		switch {
		case !ok || math.IsNaN(v):
			broken = append(broken, Breach{Threshold: t})
		case t.broken(v):
			broken = append(broken, Breach{Threshold: t, Value: &v})
		}
	}
	return broken
}
