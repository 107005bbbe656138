package desk

import (
	"context"
	"slices"
	"time"

	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/policy"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/study"
	"github.com/dither-data/dither/study/search"
	"github.com/dither-data/dither/table"
)

// TryRequest asks what a release would be, of which nothing is written.
type TryRequest struct {
	Source
	SeedFile string // as in ProtectRequest: with the same seed and the whole table the figures are those of the release
	// Sample is how many people, or records where nobody is told apart, are taken, spread evenly over the file; 0 takes
	// all.
	Sample int
}

// Try makes the release that Protect would make by the policy, takes all measures and judges it; of a sample it takes
// those that the limits are on. Nothing is written but the seed, where its file is not there yet. A release that would
// be withheld comes with a *Broken. Figures of a sample are those of a table of so few people: most are found more
// easily there. Cost: that of Protect with a report.
func (d *Desk) Try(ctx context.Context, q TryRequest) (*Protection, error) {
	by := course{all: q.Sample == 0, trial: true, sample: q.Sample}
	p, err := d.release(ctx, ProtectRequest{Source: q.Source, SeedFile: q.SeedFile}, by)
	if err != nil {
		return nil, err
	}
	return p, refusal(p.Broken)
}

// TryChoiceRequest asks which technique loses least under the limits of the policy, and what a release by it would be.
type TryChoiceRequest struct {
	TryRequest
	Methods []string      // as in ChooseRequest
	For     string        // as in ChooseRequest
	Budget  time.Duration // as in ChooseRequest
}

// TryChoice makes the choice that Choose would make by the policy, whatever technique that names, and confirms it by
// the release that Protect makes by the policy with what is chosen (Written). All measures of that are taken. Nothing
// is written but the seed, and what would be withheld comes with a *Broken, as by Try. Cost: that of Choose.
func (d *Desk) TryChoice(ctx context.Context, q TryChoiceRequest) (*Chosen, error) {
	of := ProtectRequest{Source: q.Source, SeedFile: q.SeedFile}
	by := course{all: true, trial: true}
	return d.choose(ctx, ChooseRequest{ProtectRequest: of, Methods: q.Methods, For: q.For, Budget: q.Budget}, by)
}

// Written is the text of a policy with a setting for its technique. The error is that of policy.Set.
func (c *Chosen) Written(name string, text []byte, s search.Setting) ([]byte, error) {
	of := &c.Candidates[s.Candidate]
	key, value := policy.Written(of.Method.Name, of.Params(s))
	for _, other := range []string{"method", "stages"} {
		if other == key {
			continue
		}
		var err error
		if text, err = policy.Set(name, text, []string{other}, nil); err != nil {
			return nil, err
		}
	}
	return policy.Set(name, text, []string{key}, value)
}

// thin keeps a sample of the people, with all their records.
func (l *Loaded) thin(n int) {
	t := l.Table
	of, people := make([]int, t.Rows()), 0
	if j := t.WithRole(table.Person); j >= 0 {
		c, number := t.Column(j), map[string]int{}
		for i := range of {
			who, known := number[string(c.AppendKey(nil, i))]
			if !known || c.MissingAt(i) {
				who = people
				number[string(c.AppendKey(nil, i))] = who
				people++
			}
			of[i] = who
		}
	} else {
		for i := range of {
			of[i] = i
		}
		people = t.Rows()
	}
	if n <= 0 || people <= n {
		return
	}
	var rows []int
	for i, who := range of {
		if (who+1)*n/people > who*n/people { // so many of every stretch
			rows = append(rows, i)
		}
	}
	l.Table = t.Gather(rows)
	l.File.Rows = len(rows)
}

// originals takes the measures of the policy's thresholds of the original itself, as if it were released as it is:
// where on the axis of a limit it stands. Those that tell it themselves, of people who are found, are left out. Only a
// trial on all takes them.
func (w *written) originals(ctx context.Context) ([]study.Measured, error) {
	if !w.by.trial || w.by.sample > 0 {
		return nil, nil
	}
	need, whom := w.c.Specs()
	var specs []study.Spec
	for _, s := range need {
		on := func(t policy.Threshold) bool { return t.Measure == s.Measure.Name }
		if s.Measure.Name != "found" && slices.ContainsFunc(w.t.Policy.Thresholds, on) {
			specs = append(specs, s)
		}
	}
	rel := w.c.Release
	o := rel.OfThose().Original
	if rel.Exact != nil {
		o = rel.Exact
	}
	same := &measure.Release{
		Original: o,
		Released: o,
		Paired:   true,
		Recoding: measure.Recoding{Hierarchies: w.t.Hierarchies},
		Owners:   rel.Owners,
	}
	return study.Evaluate(ctx, same, study.Against(specs, whom), rng.New(w.r.Seed), nil)
}
