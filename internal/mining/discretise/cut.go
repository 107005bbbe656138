package discretise

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/dither-data/dither/internal/mining/criterion"
	"github.com/dither-data/dither/internal/stats/rank"
)

// Cut says where numbers are cut into ranges. A value belongs to the range whose upper end it does not exceed.
type Cut struct {
	Points  []float64 // ascending; nil where Rule finds them
	Rule    string    // of Rules; empty with Points
	Ranges  int       // of equal width or frequency, at least 2
	Percent float64   // of the records above or below, in (0, 100)
}

// Rules by which the points are found. A share above makes the class of Boston Housing in Islam (2008), chapter 4: the
// top 20 % of the prices. Entropy is the minimum description length of the class (Fayyad & Irani 1993).
const (
	Top            = "top"
	Bottom         = "bottom"
	EqualWidth     = "equal-width"
	EqualFrequency = "equal-frequency"
	Entropy        = "entropy"
)

var errCut = errors.New("expected 20%top, 20%bottom, equal-width:5, equal-frequency:5, entropy, or the points such " +
	"as 19.5,33")

// ParseCut reads 20%top, 20%bottom, equal-width:5, equal-frequency:5, entropy, or ascending points such as 19.5,33.
func ParseCut(text string) (Cut, error) {
	word, n, counted := strings.Cut(text, ":")
	share, side, shared := strings.Cut(text, "%")
	switch {
	case text == Entropy:
		return Cut{Rule: Entropy}, nil
	case counted && (word == EqualWidth || word == EqualFrequency):
		k, err := strconv.Atoi(n)
		if err != nil || k < 2 || k > 1000 {
			return Cut{}, fmt.Errorf("%q: from 2 to 1000 ranges", n)
		}
		return Cut{Rule: word, Ranges: k}, nil
	case shared && (side == Top || side == Bottom):
		p, err := strconv.ParseFloat(share, 64)
		if err != nil || !(p > 0 && p < 100) {
			return Cut{}, fmt.Errorf("%q: a percentage lies between 0 and 100", share)
		}
		return Cut{Rule: side, Percent: p}, nil
	}
	var c Cut
	for _, s := range strings.Split(text, ",") {
		v, err := strconv.ParseFloat(strings.TrimSpace(s), 64)
		if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
			return Cut{}, errCut
		}
		if k := len(c.Points); k > 0 && v <= c.Points[k-1] {
			return Cut{}, errors.New("the points must ascend")
		}
		c.Points = append(c.Points, v)
	}
	return c, nil
}

// Of returns the points for values, of which missing ones are NaN. Class has the class of every value, below 0 where it
// is missing, and classes how many there are; only entropy needs them. Points lie half way between two values that
// occur, but those of equal width. There are none where a rule finds none, as where all values are one. Cost: a sort.
func (c *Cut) Of(values []float64, class []int32, classes int) []float64 {
	switch c.Rule {
	case "":
		return c.Points
	case Entropy:
		return byClass(values, class, classes)
	}
	sorted := rank.Ascending(values)
	n := len(sorted)
	if n == 0 || sorted[0] == sorted[n-1] {
		return nil
	}
	switch c.Rule {
	case EqualWidth:
		return equalWidth(sorted[0], sorted[n-1], c.Ranges)
	case EqualFrequency:
		var out []float64
		for k := 1; k < c.Ranges; k++ {
			at := between(sorted, float64(n)*float64(k)/float64(c.Ranges))
			if p := midpoint(sorted[at-1], sorted[at]); len(out) == 0 || p > out[len(out)-1] {
				out = append(out, p)
			}
		}
		return out
	}
	below := c.Percent
	if c.Rule == Top {
		below = 100 - c.Percent
	}
	at := between(sorted, float64(float64(n)*below)/100)
	return []float64{midpoint(sorted[at-1], sorted[at])}
}

// byClass cuts where the class changes, as Fayyad & Irani do. Values without a class do not count.
func byClass(values []float64, class []int32, classes int) []float64 {
	m := MDL{Classes: classes}
	for i, v := range values {
		if v == v && class[i] >= 0 {
			m.Points = append(m.Points, Point{v, class[i]})
		}
	}
	m.Terms = criterion.Terms(len(m.Points))
	return m.Cuts()
}

func equalWidth(lo, hi float64, ranges int) []float64 {
	out := make([]float64, 0, ranges-1)
	for k := 1; k < ranges; k++ {
		if p := short(lo + float64((hi-lo)*(float64(k)/float64(ranges)))); p > lo && p < hi {
			out = append(out, p)
		}
	}
	return slices.Compact(out)
}

// midpoint is half way between two values.
func midpoint(lo, hi float64) float64 {
	mid := criterion.Midpoint(lo, hi)
	if s := short(mid); s >= lo && s < hi {
		return s
	}
	return mid
}

// short is a number without the digits that only rounding makes.
func short(v float64) float64 {
	s, err := strconv.ParseFloat(strconv.FormatFloat(v, 'g', 12, 64), 64)
	if err != nil {
		return v
	}
	return s
}

// between returns the place, at least 1, where two sorted values differ that is nearest to a number of values below;
// the lower of two as near.
func between(sorted []float64, below float64) int {
	best := 0
	for i := 1; i < len(sorted); i++ {
		if sorted[i-1] != sorted[i] && (best == 0 || math.Abs(float64(i)-below) < math.Abs(float64(best)-below)) {
			best = i
		}
	}
	return best
}

// Labels are the names of the ranges of points: "<= 2", "2 to 5", "> 5".
func Labels(points []float64) []string {
	text := func(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }
	out := []string{"<= " + text(points[0])}
	for k := 1; k < len(points); k++ {
		out = append(out, text(points[k-1])+" to "+text(points[k]))
	}
	return append(out, "> "+text(points[len(points)-1]))
}

// Code returns the range of every value, -1 for a missing one.
func Code(values, points []float64) []int32 {
	out := make([]int32, len(values))
	for i, v := range values {
		if out[i] = -1; v == v {
			k, _ := slices.BinarySearch(points, v)
			out[i] = int32(k)
		}
	}
	return out
}

// String writes the points as ParseCut reads them.
func String(points []float64) string {
	var out []string
	for _, p := range points {
		out = append(out, strconv.FormatFloat(p, 'g', -1, 64))
	}
	return strings.Join(out, ",")
}
