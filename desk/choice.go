package desk

import (
	"slices"

	"github.com/dither-data/dither/report"
	"github.com/dither-data/dither/study"
	"github.com/dither-data/dither/study/ranking"
)

// ChoiceDocument is what follows from a comparison: which setting to take, which are too close to tell apart, and by
// which measure that was judged.
type ChoiceDocument struct {
	Take     string   `json:"take"`     // empty when none is named
	TooClose []string `json:"tooClose"` // the settings that lead and cannot be told apart, the best first
	Axis     string   `json:"axis"`     // the label of the measure that was judged by; empty without measures
	// Enough says that there were folds and runs enough; without them nothing is taken, and nothing is called too close.
	Enough bool `json:"enough"`
	// Found are the labels of the measures that count the people who are found and are held against the limit.
	Found  []string `json:"found"`
	Limit  Number   `json:"limit"`  // the largest share of the people who may be found; null where no limit says
	Limits string   `json:"limits"` // which limits held, with their source
	// limits, by measure, that nobody measured; with any, or without limits, nothing is taken
	Open []string `json:"open"`
	// Accepted are the limits that were overridden by name.
	Accepted      []string        `json:"accepted"`
	NotForRelease []UnfitDocument `json:"notForRelease"`
	Sentences     []string        `json:"sentences"` // the same in words
}

// UnfitDocument is a setting that is not for release.
type UnfitDocument struct {
	Setting string `json:"setting"`
	// Measure and Bound say which limit it breaks, and the end of the figure that does, on average over the runs; null
	// where it could not be measured. A baseline has neither.
	Measure string  `json:"measure"`
	Bound   *Number `json:"bound"`
}

// choiceOf puts the choice into a document.
func choiceOf(c *study.Comparison, opt report.CompareOptions) (*ChoiceDocument, error) {
	t, err := ranking.New(c,
		ranking.Options{Utility: opt.Utility, Risk: opt.Risk, Limits: opt.Limits, Binding: opt.Binding})
	if err != nil {
		return nil, err
	}
	v := t.Judge()
	d := &ChoiceDocument{
		Enough: v.Enough(),
		Found:  []string{},
		Limit:  Number(t.MostFound() / 100),
		Limits: t.Limits.String(),
		Open:   t.Open,
	}
	name := func(e ranking.Entrant) string { return c.Settings[e.Setting].Name }
	if e, ok := v.Take(); ok {
		d.Take = name(e)
	}
	for _, e := range v.TooClose() {
		d.TooClose = append(d.TooClose, name(e))
	}
	if v.By != nil {
		d.Axis = v.By.Label
	}
	for _, h := range t.Holds {
		if h.By.Finds && !slices.Contains(d.Found, h.By.Label) {
			d.Found = append(d.Found, h.By.Label)
		}
	}
	for _, l := range t.Limits.Limits {
		if l.Accepted {
			d.Accepted = append(d.Accepted, l.Measure)
		}
	}
	for _, e := range t.Entrants {
		switch {
		case e.Unfit != nil:
			b := Number(e.Unfit.Bound / e.Unfit.By.Factor)
			d.NotForRelease = append(d.NotForRelease, UnfitDocument{name(e), e.Unfit.By.Label, &b})
		case e.Baseline:
			d.NotForRelease = append(d.NotForRelease, UnfitDocument{Setting: name(e)})
		}
	}
	said, err := report.CompareVerdict(c, opt)
	for _, s := range said {
		d.Sentences = append(d.Sentences, s.String())
	}
	return d, err
}
