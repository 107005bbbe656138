package report

import (
	"math"

	"github.com/dither-data/dither/document"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/report/chart"
	"github.com/dither-data/dither/study"
	"github.com/dither-data/dither/study/ranking"
)

// mostSurviving is how many figures of utility stand at the head of a report.
const mostSurviving = 4

// glanceOf is the picture at the head of a report: what the intruder of the verdict's sentence finds and learns, in the
// original and in the release, beside what survives; nil where neither was measured.
func glanceOf(o *study.Outcome) []document.Block {
	g := chart.Glance{Title: message.Say("glance.title").String()}
	for _, group := range []struct {
		key   string
		pairs []chart.Pair
	}{{"found", foundPairs(o)}, {"survives", survivingPairs(o)}} {
		if group.pairs != nil {
			g.Groups = append(g.Groups, chart.Glimpse{Title: message.Say("glance." + group.key).String(), Pairs: group.pairs})
		}
	}
	if g.Groups == nil {
		return nil
	}
	return []document.Block{document.Charts{Look: lookGlance, Items: []document.Chart{{Key: "glance",
		Title: message.Say("glance.title"), Says: message.Say("glance.key"), Drawing: g}}}}
}

// foundPairs is what that intruder finds, beside the limit on it, and learns.
func foundPairs(o *study.Outcome) (out []chart.Pair) {
	if o.Verdict == nil || o.Verdict.Found == nil {
		return nil
	}
	bound := o.Verdict.Found
	found := attackPair(bound, message.Say("glance.people"))
	for k := range o.Verdict.Demands {
		if d := &o.Verdict.Demands[k]; d.Measure == foundKey && d.Against == bound.Intruder && d.Max != nil {
			found.Limit = float64(100 * *d.Max)
		}
	}
	out = append(out, found)
	for k := range o.Verdict.Worst {
		if a := &o.Verdict.Worst[k]; a.Secret != "" && a.Intruder == bound.Intruder {
			return append(out, attackPair(a, message.Say("people.secret").Name("column", a.Secret)))
		}
	}
	return out
}

func attackPair(a *measure.Attack, label message.Sentence) chart.Pair {
	p := chart.Pair{Label: label.String(), Was: math.NaN(), Limit: math.NaN(),
		Is: ranking.Estimate{Mean: float64(100 * a.Share), Lo: float64(100 * a.Lo), Hi: float64(100 * a.Hi)}}
	if a.Before != nil {
		p.Was = float64(100 * *a.Before)
	}
	return p
}

// survivingPairs are the headline figures that are shares of what the original has.
func survivingPairs(o *study.Outcome) (out []chart.Pair) {
	for _, f := range figures(o, false) {
		if f.kept != nil && f.side != measure.Risk && len(out) < mostSurviving {
			out = append(out, chart.Pair{Label: f.Title.String(), Was: float64(100 * f.kept.Before), Limit: math.NaN(),
				Is: certain(float64(100 * f.kept.After))})
		}
	}
	return out
}
