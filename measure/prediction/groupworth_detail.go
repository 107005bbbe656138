package prediction

import (
	"math"

	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/message"
)

// GroupWorthDetail is what the release is worth for each group.
type GroupWorthDetail struct {
	Groups []Group `json:"groups"` // by column, the largest first and others last
}

// Group is the people of a category, or those of several small ones together.
type Group struct {
	Column   string  `json:"column"`
	Group    string  `json:"group"`    // the category; empty for others
	Others   int     `json:"others"`   // how many small categories are together; 0 for a category
	People   int     `json:"people"`   // of the original
	Records  int     `json:"records"`  // of the original with a class, or all where there is none
	Share    float64 `json:"share"`    // of the original records in a group
	Released float64 `json:"released"` // and of the released ones
	// AccuracyOriginal and AccuracyReleased are how many of the group's original records the trees of the original and of
	// the release predict right, in per cent; null where there is no class.
	AccuracyOriginal *float64 `json:"accuracyOriginal"`
	AccuracyReleased *float64 `json:"accuracyReleased"`
	// MeanError is how far the means of the numbers are off on the average, in standard deviations of the original; null
	// without any.
	MeanError *float64 `json:"meanError"`
	// OneWay and TwoWay are the errors of the margins; null where there are no columns for them.
	OneWay *float64 `json:"oneWay"`
	TwoWay *float64 `json:"twoWay"`
}

// margins is the error by which groups are compared; 0 where there is nothing beside the group.
func (g *Group) margins() float64 {
	switch {
	case g.TwoWay != nil:
		return *g.TwoWay
	case g.OneWay != nil:
		return *g.OneWay
	}
	return 0
}

// Lost is by how many points of per cent the tree of the release is worse than that of the original; NaN without a
// class.
func (g *Group) Lost() float64 {
	if g.AccuracyOriginal == nil || g.AccuracyReleased == nil {
		return math.NaN()
	}
	return *g.AccuracyOriginal - *g.AccuracyReleased
}

// clearly is how many standard errors a loss of accuracy is more than chance, whatever the number of groups.
const clearly = 3

// Clear reports whether the tree of the release is worse for the group than chance would have it: the losses of two
// trees that err independently would be that large once in some hundred groups.
func (g *Group) Clear() bool {
	lost := g.Lost()
	if lost != lost || g.Records == 0 {
		return false
	}
	a, b := *g.AccuracyOriginal/100, *g.AccuracyReleased/100
	return lost/100 > clearly*math.Sqrt((float64(a*(1-a))+float64(b*(1-b)))/float64(g.Records))
}

// value is the largest error of a group, with the other largest ones as parts.
func (d *GroupWorthDetail) value() measure.Value {
	margins, lost, means := 0.0, math.Inf(-1), math.Inf(-1)
	for k := range d.Groups {
		g := &d.Groups[k]
		margins = max(margins, g.margins())
		if v := g.Lost(); v == v {
			lost = max(lost, v)
		}
		if g.MeanError != nil {
			means = max(means, *g.MeanError)
		}
	}
	v := measure.Exact(min(1, margins), nil)
	for _, p := range []measure.Part{
		{Key: "accuracy-lost", Name: message.Say("measure.groupworth.part.accuracy-lost"), Score: lost},
		{Key: "mean-error", Name: message.Say("measure.groupworth.part.mean-error"), Score: means},
	} {
		if !math.IsInf(p.Score, 0) {
			v.Parts = append(v.Parts, p)
		}
	}
	v.Detail = d
	return v
}
