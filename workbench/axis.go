package workbench

import (
	"fmt"
	"html/template"
	"math"
	"strings"

	"github.com/dither-data/dither/message"
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

// The places of words on an axis, in per cent of its width: words beside an end begin or end at their mark, and of two
// that are nearer than this one goes a line down.
const (
	axisEnd  = 18.0
	axisNear = 28.0
)

// Step is that of a slider on the axis.
func (a *axis) Step() float64 { return (a.Hi - a.Lo) / 200 }

// at is the place of a value, in per cent of the width: the axis is as wide as the page lets it be, and its letters
// keep their size.
func (a *axis) at(v float64) float64 { return 100 * math.Max(0, math.Min(1, (v-a.Lo)/(a.Hi-a.Lo))) }

// Draw draws the marks: what is allowed as a band, the original as a diamond, the release as a dot with its interval.
// The style sheet makes it as wide as what a slider's thumb travels.
func (a *axis) Draw() template.HTML {
	var b strings.Builder
	put := func(format string, args ...any) { fmt.Fprintf(&b, format, args...) }
	stroke := func(class string, from, to float64) {
		put(`<line class="%s" x1="%.2f%%" x2="%.2f%%" y1="10" y2="10"/>`, class, from, to)
	}
	put(`<svg class="dither axis" height="44" role="img" aria-label="%s">`, template.HTMLEscapeString(chart.Printable(message.Say("workbench.axis").Text("title", a.Title).String())))
	stroke("base", 0, 100)
	if from, to := 0.0, a.at(a.Limit); a.Max {
		stroke("allowed", from, to)
	} else {
		stroke("allowed", to, 100)
	}
	put(`<text class="k" x="0" y="40">%.3g</text><text class="k" x="100%%" y="40" text-anchor="end">%.3g</text>`, a.Lo, a.Hi)
	taken := -axisNear
	label := func(at float64, text string) { // beside what is there already
		anchor, y, aside := "middle", 27, 0
		if at < axisEnd {
			anchor, aside = "start", 1
		} else if at > 100-axisEnd {
			anchor, aside = "end", -1
		}
		if math.Abs(taken-at) < axisNear {
			y, aside = 40, 28*aside // beside the number at the end
		} else {
			aside *= -6 // under the mark
		}
		taken = at
		put(`<text class="l" x="%.2f%%" dx="%d" y="%d" text-anchor="%s">%s</text>`, at, aside, y, anchor, text)
	}
	if a.Original != nil {
		put(`<svg x="%.2f%%" y="10" overflow="visible"><path class="original" d="M0 -6l6 6l-6 6l-6 -6z"/></svg>`, a.at(*a.Original))
		label(a.at(*a.Original), "original")
	}
	if d := a.Release; d != nil {
		if d.Lo != nil && d.Hi != nil {
			stroke("bar", a.at(*d.Lo), a.at(*d.Hi))
		}
		put(`<circle class="point %s" cx="%.2f%%" cy="10" r="5"/>`, d.Standing, a.at(*d.Value))
		label(a.at(*d.Value), "release")
	}
	put(`</svg>`)
	return template.HTML(b.String())
}
