package desk

import (
	"github.com/dither-data/dither/policy"
	"github.com/dither-data/dither/report"
	"github.com/dither-data/dither/study"
	"github.com/dither-data/dither/study/choice"
)

// ChoiceDocument is what follows from a comparison: which setting to take, which are too close to tell apart, and by which measure that was judged.
type ChoiceDocument struct {
	Take     string   `json:"take,omitempty"`     // absent when none is named
	TooClose []string `json:"tooClose,omitempty"` // the settings that lead and cannot be told apart, the best first
	Axis     string   `json:"axis,omitempty"`     // the label of the measure that was judged by; absent without measures
	// Enough says that there were folds and runs enough; without them nothing is taken, and nothing is called too close.
	Enough bool `json:"enough"`
	// Found are the labels of the measures that count the people who are found, each of them held against the limit; without any, nothing is taken.
	Found         []string        `json:"found"`
	Limit         Number          `json:"limit"` // the largest share of the people who may be found
	NotForRelease []UnfitDocument `json:"notForRelease,omitempty"`
	Sentences     []string        `json:"sentences"` // the same in words
}

// UnfitDocument is a setting that is not for release.
type UnfitDocument struct {
	Setting string `json:"setting"`
	// Measure and Bound say that too many people are found, on average over the runs by the upper bound; null where it could not be measured. A baseline
	// has neither.
	Measure string  `json:"measure,omitempty"`
	Bound   *Number `json:"bound,omitempty"`
}

// choiceOf puts the choice into a document.
func choiceOf(c *study.Comparison, opt report.CompareOptions) (*ChoiceDocument, error) {
	t, err := choice.New(c, choice.Options{Utility: opt.Utility, Risk: opt.Risk, Found: opt.Found})
	if err != nil {
		return nil, err
	}
	v := t.Judge()
	d := &ChoiceDocument{Enough: v.Enough(), Found: []string{}, Limit: Number(t.Limit / 100)}
	name := func(e choice.Entrant) string { return c.Settings[e.Setting].Name }
	if e, ok := v.Take(); ok {
		d.Take = name(e)
	}
	for _, e := range v.TooClose() {
		d.TooClose = append(d.TooClose, name(e))
	}
	if v.By != nil {
		d.Axis = v.By.Label
	}
	for _, s := range t.Finds {
		d.Found = append(d.Found, s.Label)
	}
	for _, e := range t.Entrants {
		switch {
		case e.Unfit != nil:
			b := Number(e.Unfit.Bound / 100)
			d.NotForRelease = append(d.NotForRelease, UnfitDocument{name(e), e.Unfit.By.Label, &b})
		case e.Baseline:
			d.NotForRelease = append(d.NotForRelease, UnfitDocument{Setting: name(e)})
		}
	}
	d.Sentences, err = report.CompareVerdict(c, opt)
	return d, err
}

// foundLimit is the largest share of the people who may be found by a policy; 0 when it does not say.
func foundLimit(p *policy.Policy) float64 {
	if p != nil {
		for _, t := range p.Thresholds {
			if t.Measure == "found" && t.Max != nil {
				return *t.Max
			}
		}
	}
	return 0
}
