package workbench

import (
	"fmt"
	"html/template"
	"math"
	"strings"

	"github.com/dither-data/dither/report/chart"
	"github.com/dither-data/dither/study"
)

// axis is the axis of a limit, with the limit, the original and the last release on it.
type axis struct {
	Title    string
	Lo, Hi   float64
	Limit    float64
	Max      bool          // the limit is an upper one
	Original *float64      // nil where that is not known
	Release  *study.Demand // nil without a trial
}

// The size of an axis. A slider of the same width has its thumb's middle at the same place.
const (
	axisWide, axisHigh = 420.0, 44.0
	thumb              = 16.0
)

// Step is that of a slider on the axis.
func (a *axis) Step() float64 { return (a.Hi - a.Lo) / 200 }

func (a *axis) at(v float64) float64 {
	return thumb/2 + math.Max(0, math.Min(1, (v-a.Lo)/(a.Hi-a.Lo)))*(axisWide-thumb)
}

// Draw draws the marks: what is allowed as a band, the original as a diamond, the release as a dot with its interval.
func (a *axis) Draw() template.HTML {
	var b strings.Builder
	put := func(format string, args ...any) { fmt.Fprintf(&b, format, args...) }
	put(`<svg class="dither axis" viewBox="0 0 %g %g" width="%g" height="%g" role="img" aria-label="%s">`, axisWide, axisHigh, axisWide, axisHigh, template.HTMLEscapeString(chart.Printable("The axis of "+a.Title+", with its marks")))
	from, to := a.at(a.Lo), a.at(a.Limit)
	if !a.Max {
		from, to = a.at(a.Limit), a.at(a.Hi)
	}
	put(`<path class="base" d="M%.1f 10H%.1f"/><path class="allowed" d="M%.1f 10H%.1f"/>`, a.at(a.Lo), a.at(a.Hi), from, to)
	put(`<text class="k" x="0" y="%g">%.3g</text><text class="k" x="%g" y="%g" text-anchor="end">%.3g</text>`, axisHigh-4, a.Lo, axisWide, axisHigh-4, a.Hi)
	var taken []float64
	label := func(x float64, text string) { // beside what is there already
		at, anchor := x, "middle"
		if x < 70 {
			at, anchor = math.Max(x, 24), "start"
		} else if x > axisWide-70 {
			at, anchor = math.Min(x, axisWide-24), "end"
		}
		y := 27.0
		for _, t := range taken {
			if math.Abs(t-at) < 90 {
				y = axisHigh - 4
			}
		}
		taken = append(taken, at)
		put(`<text class="l" x="%.1f" y="%g" text-anchor="%s">%s</text>`, at, y, anchor, text)
	}
	if a.Original != nil {
		x := a.at(*a.Original)
		put(`<path class="original" d="M%.1f 4l6 6l-6 6l-6 -6z"/>`, x)
		label(x, "original")
	}
	if d := a.Release; d != nil {
		x := a.at(*d.Value)
		if d.Lo != nil && d.Hi != nil {
			put(`<path class="bar" d="M%.1f 10H%.1f"/>`, a.at(*d.Lo), a.at(*d.Hi))
		}
		put(`<circle class="point %s" cx="%.1f" cy="10" r="5"/>`, d.Standing, x)
		label(x, "release")
	}
	put(`</svg>`)
	return template.HTML(b.String())
}
