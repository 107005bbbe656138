package report

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/study"
	"github.com/dither-data/dither/table"
)

// trial is the truth behind a sample: a setting's name and its scores on accuracy, eduds, sers and linkage.
type trial struct {
	name   string
	varied map[string]string
	scores [4]float64
}

// paperTrials are about the figures of Fletcher & Islam 2015.
var paperTrials = []trial{
	{name: "forestframework", scores: [4]float64{94.1, 0.956, 9.243, 11}},
	{name: "framework", scores: [4]float64{93.2, 0.871, 9.248, 9}},
	{name: "randomtechnique", scores: [4]float64{74.6, 0.508, 9.251, 1.2}},
}

var titles = map[string]string{
	"forestframework": "Forest Framework",
	"framework":       "Framework",
	"randomtechnique": "Random Technique",
	"gadp":            "GADP",
}

// compared makes a comparison by hand: normal noise of the given size over the folds around the truth, shifted by data
// set.
func compared(trials []trial, sets, folds int, noise float64) *study.Comparison {
	c := &study.Comparison{
		Version:    "dither 1",
		Commitment: "c0ffee",
		Folds:      folds,
		Repeats:    2,
		Settings:   []study.Compared{{Name: study.OriginalSetting}},
		Measures: []study.Criterion{
			{Card: card.Card{Name: "accuracy", Title: "Prediction accuracy", Summary: "how often a tree grown on the release " +
				"is right", Paper: "Islam 2007, section 7.2"}, Facts: factsOf("accuracy"), Label: "accuracy", Side: measure.Utility,
				Better: measure.Higher, Range: table.Interval{Lo: 0, Hi: 100},
				Unit: measure.In(measure.Percent, message.Say("unit.ofRecords"))},
			{
				Card: card.Card{
					Name:    "eduds",
					Title:   "Evaluation of Data Utility using Domain Similarity",
					Short:   "EDUDS",
					Summary: "how alike the segments of both forests are",
					Paper:   "Fletcher & Islam 2015, section 4",
				},
				Label:  "eduds",
				Side:   measure.Utility,
				Better: measure.Higher,
				Range:  table.Interval{Lo: 0, Hi: 1},
				Unit:   measure.In(measure.Ratio, message.Say("unit.similarity")),
			},
			{
				Card: card.Card{
					Name:    "sers",
					Title:   "Security Evaluation using Record Similarity",
					Short:   "SERS",
					Summary: "entropy of whose record this is",
					Paper:   "Fletcher & Islam 2015, section 6",
				},
				Label:  "sers",
				Side:   measure.Risk,
				Better: measure.Higher,
				Unit:   measure.In(measure.Bits, message.Say("unit.bits")),
				Notes:  []message.Sentence{message.Name("SERS hardly discriminates: no protection scores nearly as much")},
			},
			{
				Card:   card.Card{Name: "linkage", Title: "Record linkage", Summary: "records an intruder links", Paper: "made up"},
				Label:  "linkage",
				Side:   measure.Risk,
				Better: measure.Lower,
				Range:  table.Interval{Lo: 0, Hi: 1},
				Unit:   measure.In(measure.Share, message.Say("unit.ofRecords")),
			},
		},
	}
	for _, t := range trials {
		title := titles[t.name]
		if title == "" {
			title = t.name
		}
		name, axes := t.name, []string(nil)
		for _, k := range []string{"trees", "spread"} {
			if v, ok := t.varied[k]; ok {
				name, axes = name+" "+k+"="+v, append(axes, k)
			}
		}
		c.Settings = append(
			c.Settings,
			study.Compared{Name: name, Method: &card.Card{Name: t.name, Title: title, Paper: "Fletcher & Islam 2015"},
				Varied: t.varied, Axes: axes},
		)
	}
	for m := range c.Measures {
		c.Measures[m].Finds = false // those that judge whether people are found have tests of their own
	}
	r := rand.New(rand.NewPCG(3, 3))
	for d := range sets {
		name := []string{"Wine", "WBC", "Credit", "CMC", "Abalone", "Adult", "Iris", "Glass", "Yeast", "Heart"}[d%10]
		c.Data = append(
			c.Data,
			study.Studied{
				Name:    name,
				Class:   "class",
				Classes: 2,
				Records: 683,
				Columns: 10,
				File:    study.File{Name: name + ".csv", SHA256: "feed"},
				Set:     map[string]string{"minLeaf": "45"},
			},
		)
		shift := 1 - 0.08*float64(d)
		for s := range c.Settings {
			truth := [4]float64{95.0, 1, 9.155, 100}
			if s > 0 {
				truth = trials[s-1].scores
			}
			for f := range folds {
				c.Cells = append(c.Cells, study.Cell{Data: d, Setting: s, Fold: f + 1, Repeat: 1, Scores: make([]study.Score, 4)})
			}
			for m, v := range truth {
				scale := [4]float64{1, 0.01, 0.002, 1}[m] * noise
				if m == 3 {
					v, scale = v/100, scale/100
				} else {
					v *= shift
				}
				values := make([]float64, folds)
				for f := range values {
					values[f] = v + scale*r.NormFloat64()
				}
				c.Summaries = append(c.Summaries, summarise(d, s, m, values))
			}
		}
	}
	return c
}

// summarise is a summary of the values of the folds, with t for ten of them.
func summarise(d, s, m int, v []float64) study.Summary {
	n := float64(len(v))
	mean, sd := 0.0, 0.0
	for _, x := range v {
		mean += x / n
	}
	for _, x := range v {
		sd += (x - mean) * (x - mean)
	}
	out := study.Summary{
		Data:    d,
		Setting: s,
		Measure: m,
		Folds:   v,
		Mean:    mean,
		SD:      math.NaN(),
		Lo:      math.NaN(),
		Hi:      math.NaN(),
		Cells:   len(v),
	}
	if len(v) > 1 {
		out.SD = math.Sqrt(sd / (n - 1))
		half := 2.26 * out.SD / math.Sqrt(n)
		out.Lo, out.Hi = mean-half, mean+half
	}
	return out
}

// gridTrials are n settings of techniques with a parameter that trades accuracy for safety.
func gridTrials(n int) []trial {
	var out []trial
	for k := range n {
		name := []string{"forestframework", "framework", "gadp"}[k*3/n]
		x := float64(k%((n+2)/3)) / float64((n+2)/3)
		loss := []float64{4, 9, 14}[k*3/n]
		out = append(out, trial{name: name, varied: map[string]string{"spread": fmt.Sprint(5 + 5*(k%((n+2)/3)))},
			scores: [4]float64{94.5 - loss*x*x - loss/3, 0.95 - x/4, 9.24 + x/100, 40 - 34*math.Sqrt(x) - loss/2}})
	}
	return out
}
