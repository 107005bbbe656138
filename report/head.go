package report

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/dither-data/dither/limit"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/report/chart"
	"github.com/dither-data/dither/study"
)

// mostReasons is how many reasons the head of a report gives; the others are folded.
const mostReasons = 3

// head is what a reader sees in five seconds: whether the release may go out, why not, and what it is good for.
type head struct {
	Kind            string // of the sign: withheld, care, meets, unjudged
	Word            string // the verdict
	Rest            string // of the heading
	Sentence        string // about the worst intruder
	About           []string
	Reasons, More   []reasonRow
	GoodFor, NotFor []string
	Limits          string // which held
	Accepted        []string
}

// reasonRow is why a release is withheld or wants care, and what to do about it.
type reasonRow struct {
	Kind, Text, Remedy string
	Columns            []string
}

// kinds are the signs of the states.
var kinds = map[study.State]string{study.Withheld: "withheld", study.WithCare: "care", study.Meets: "meets", study.Unjudged: "unjudged"}

func headOf(o *study.Outcome, opt Options) *head {
	h := &head{Kind: "unjudged", Word: "Not judged", Rest: "this release was measured, and nobody said what it may go out with"}
	if opt.Public {
		h.Rest = "no limits were set for this release"
	}
	v := o.Verdict
	if v != nil {
		h.Kind, h.Word, h.Rest = kinds[v.State], upper(string(v.State)), restOf(v.State, o, opt.Public)
	}
	if v != nil && v.State == study.Unjudged {
		h.Word, h.Rest = "Not judged", "no limits were asked for"
	}
	if closed(o, opt) {
		h.About = []string{"There is nothing to tell users of a release that they do not receive."}
		return h
	}
	h.About = aboutRelease(o, opt.Public)
	if v == nil {
		return h
	}
	h.GoodFor, h.NotFor = v.GoodFor, v.NotFor
	if opt.Public { // what an intruder learns, the remedies and the limits are between the custodian and the data
		return h
	}
	h.Sentence, h.Limits = sentence(v.Sentence), v.Limits
	for k, r := range v.Reasons {
		row := reasonRow{kinds[r.State], sentence(r.Text), sentence(r.Remedy), r.Columns}
		if !slices.ContainsFunc(r.Columns, func(c string) bool { return !strings.Contains(r.Text, c) }) {
			row.Columns = nil // the text names them all
		}
		if k < mostReasons {
			h.Reasons = append(h.Reasons, row)
		} else {
			h.More = append(h.More, row)
		}
	}
	for _, d := range v.Demands {
		if d.Needed {
			h.Accepted = append(h.Accepted, d.Title)
		}
	}
	return h
}

// restOf says what a verdict means for the release.
func restOf(s study.State, o *study.Outcome, public bool) string {
	switch {
	case s == study.Withheld && o.ReleasedFile.SHA256 == "":
		return "this release must not go out, and was not written"
	case s == study.Withheld:
		return "this release must not go out"
	case s == study.WithCare && public:
		return "it meets its limits, and somebody looked at what is left"
	case s == study.WithCare && len(o.Verdict.Demands) == 0:
		return "no limit was asked for, and there are reasons to look at first"
	case s == study.WithCare:
		return "look at the reasons below first"
	}
	return "this release may go out"
}

// aboutRelease says what was released and how.
func aboutRelease(o *study.Outcome, public bool) []string {
	var p page
	p.Public = public
	p.headline(o)
	return append([]string{sentence(p.Headline)}, p.Deck...)
}

// demandRow is one limit and what became of it.
type demandRow struct {
	Title, Limit, Value, Bounds, Against, Why, Source, Standing, Kind string
	Accepted                                                          bool
}

// demandList is the section of the limits; of a public report it says only whether they were kept, by the verdict.
type demandList struct {
	Rows   []demandRow
	Met    []demandRow // folded: those that are met, where others are not
	Limits string
	Left   string // what was not judged; empty where everything was
}

// standings are the words and the signs of what becomes of a demand.
var standings = map[study.Standing][2]string{study.Met: {"met", "meets"}, study.Broke: {"broken", "withheld"}, study.Unproven: {"unproven", "care"}}

func demandsOf(o *study.Outcome, public bool) *demandList {
	if public || o.Verdict == nil {
		return nil
	}
	out := &demandList{Limits: o.Verdict.Limits, Left: leftOpen(o.Verdict)}
	if len(o.Verdict.Demands) == 0 && out.Left == "" {
		return nil
	}
	for _, d := range o.Verdict.Demands {
		r := demandRow{Title: d.Title, Against: d.Against, Why: whyOf(d), Source: sourceOf(o.Verdict, d), Accepted: d.Accepted,
			Standing: standings[d.Standing][0], Kind: standings[d.Standing][1]}
		if r.Title == "" {
			r.Title = d.Measure
		}
		r.Limit = limitText(d.Min, d.Max, d.Unit)
		r.Value, r.Bounds = Reached(&d)
		if d.Standing == study.Met && !d.Accepted {
			out.Met = append(out.Met, r)
		} else {
			out.Rows = append(out.Rows, r)
		}
	}
	if len(out.Rows) == 0 {
		out.Rows, out.Met = out.Met, nil
	}
	return out
}

// Reached is the figure that a limit is held against, and its interval, in its unit and with the digits that tell it from the bound; the interval is empty where there is none.
func Reached(d *study.Demand) (value, interval string) {
	if d.Value == nil {
		return "not measured", ""
	}
	return fromLimit(*d.Value, endsOf(d.Lo, *d.Value), endsOf(d.Hi, *d.Value), d.Unit, d.Min, d.Max)
}

// leftOpen says which limits were not judged, and what their source demands besides that no table shows; empty for nothing.
func leftOpen(v *study.Verdict) string {
	var names, all []string
	for _, name := range v.Gate.NotJudged {
		if l := (limit.Limit{Measure: name}); !l.OfTechnique() { // that is among what no table shows
			names = append(names, name)
		}
	}
	switch len(names) {
	case 0:
	case 1:
		all = append(all, "the limit on "+names[0])
	default:
		all = append(all, "the limits on "+strings.Join(names, ", "))
	}
	return strings.Join(append(all, v.Unchecked...), "; ")
}

// whyOf is why a demand stands as it does. What is said of columns begins with a column's name, which is left as it is.
func whyOf(d study.Demand) string {
	if slices.Contains(limit.Kinds(), d.Measure) {
		return d.Why
	}
	return sentence(d.Why)
}

// limitRows is rows of the table of limits with what it is called.
type limitRows struct {
	Label string
	Rows  []demandRow
}

// Shown and Kept are the two parts of the table.
func (l *demandList) Shown() limitRows {
	if l.Met == nil {
		return limitRows{"Every limit, and what became of it", l.Rows}
	}
	return limitRows{"Limits that are not met, or were accepted", l.Rows}
}

func (l *demandList) Kept() limitRows { return limitRows{"Limits that are met", l.Met} }

// sourceOf is who set a limit, where it is another than the limits as a whole have, or whoever always does.
func sourceOf(v *study.Verdict, d study.Demand) string {
	if d.Accepted || !strings.Contains(v.Limits, d.Source) && !strings.HasPrefix(d.Source, "dither") {
		return d.Source
	}
	return ""
}

// endsOf is a bound, or the value where there is none.
func endsOf(end *float64, value float64) float64 {
	if end == nil {
		return value
	}
	return *end
}

// limitText writes a limit: at most 9 %.
func limitText(least, most *float64, unit measure.Unit) string {
	var s []string
	for _, l := range []struct {
		words string
		at    *float64
	}{{"at least ", least}, {"at most ", most}} {
		if l.at != nil {
			text, _ := scoreOf(*l.at, unit)
			s = append(s, l.words+text)
		}
	}
	return strings.Join(s, ", ")
}

// unprotected is what the release does not protect against.
type unprotected struct {
	Lines []string
	Fold  bool // the release goes nowhere as it is: what it lacks besides is folded
}

func unprotectedOf(o *study.Outcome, public bool) *unprotected {
	u := &unprotected{Fold: withheld(o)}
	limits := study.Texts(o.NotProtected)
	if public {
		limits = study.TextsForUsers(o.NotProtected)
	}
	for _, l := range limits {
		if l = sentence(l); l != "" {
			u.Lines = append(u.Lines, l)
		}
	}
	if u.Lines == nil {
		return nil
	}
	return u
}

// fromLimit is within, but with the decimals besides that tell the figures from limits.
func fromLimit(v, lo, hi float64, unit measure.Unit, limits ...*float64) (text, between string) {
	half := (hi - lo) / 2
	for _, l := range limits {
		for _, x := range []float64{v, lo, hi} {
			if l != nil && half > 0 && x != *l {
				half = max(min(half, math.Abs(x-*l)), (hi-lo)/2000)
			}
		}
	}
	return roundedTo(v, lo, hi, half, unit)
}

// within writes a figure and its interval, both rounded to what the error allows, and the interval empty where there is none.
func within(v, lo, hi float64, unit measure.Unit) (text, between string) {
	return roundedTo(v, lo, hi, (hi-lo)/2, unit)
}

func roundedTo(v, lo, hi, half float64, unit measure.Unit) (text, between string) {
	scale, sign := unit.Scale(), ""
	if unit.Percent() {
		sign = " %"
	}
	half *= scale
	if !(half > 0) || math.IsInf(half, 0) || math.IsNaN(v) {
		text, _ = scoreOf(v, unit)
		return text, ""
	}
	write := func(x float64) string { return rounding(scale*x, half) }
	return write(v) + sign, write(lo) + " to " + write(hi) + sign
}

// rounding writes a figure with the decimals that its error allows: the first digit of the error is the last of the figure, or the second where the first
// is 1. A figure that is not 0 never reads as if it were.
func rounding(v, half float64) string {
	place := math.Floor(math.Log10(half))
	if half/math.Pow(10, place) < 2 {
		place--
	}
	if place < -9 {
		return rounded(v, 4)
	}
	decimals := max(0, -int(place))
	text := chart.Fixed(v, decimals)
	if v != 0 && strings.Trim(text, "0.,−-") == "" {
		return fmt.Sprintf("%sunder %s", sentinel(v), chart.Fixed(math.Pow(10, -float64(decimals)), decimals))
	}
	return text
}

// sentinel marks a figure below 0.
func sentinel(v float64) string {
	if v < 0 {
		return "−"
	}
	return ""
}
