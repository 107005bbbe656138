package hidingeffects

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/dither-data/dither/basket"
	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/internal/mining/rulehiding"
	"github.com/dither-data/dither/internal/text/numfmt"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// Optimum measures how many patterns a release loses that need not be lost to hide the sensitive ones: what it loses
// beyond the optimum.
//
// The optimum is of the releases that delete items until every sensitive set of items, a rule with all its items, is in
// fewer records than the threshold: the one that loses the fewest of the other frequent itemsets. It is looked for by
// branch and bound (package internal/mining/rulehiding), and what is not proved keeps a bound. A release by any
// technique is held against it; one that adds items, makes them unknown or hides rules by their confidence alone is
// under other rules and may lose fewer, which counts as 0.
//
// It needs columns that give items (package basket), and the list; without one it does not apply. Records need not be
// paired.
//
// Missing values: no item. Items of the release that may or may not be there give three readings; the score is the
// middle one. Its bounds hold the others, and what is not proved.
//
// Cost: that of counting all frequent itemsets of both tables, of mining those of the original four times, and the
// nodes; these are counted and not timed, so the figure is the same on every machine.
//
// Departures: the published program keeps the border of what may stay; here all frequent itemsets up to the most items
// count.
//
// Reference: A. Gkoulalas-Divanis and V. Verykios, "An integer programming approach for frequent itemset hiding", ACM
// CIKM, 2006.
var Optimum = measure.Measure{
	Card: card.Card{
		Name:      "optimum",
		Title:     "Patterns lost beyond the optimum",
		Short:     "Optimum",
		Aliases:   []string{"optimum of hiding"},
		Summary:   "How many patterns are lost beyond those necessary to hide the sensitive ones.",
		Paper:     "after Gkoulalas-Divanis & Verykios 2006",
		Needs:     "a list of sensitive itemsets or rules, and columns with items",
		Preserves: "0 when no release that hides them by deleting items loses fewer patterns",
		Biases: "a release that does not hide them, or hides rules by confidence only, may lose fewer than the " +
			"optimum; this counts as 0",
		Missing: "no item; uncertain items give bounds",
		Cost:    "mining all frequent itemsets four times, plus the nodes of branch and bound",
	},
	Facts:  measure.Facts{Sets: true, About: measure.Worth, Effort: measure.Slow},
	Side:   measure.Utility,
	Better: measure.Lower,
	Range:  table.Interval{Lo: 0, Hi: 1},
	Unit:   measure.In(measure.Ratio, message.Say("unit.ofOtherPatterns")),
	New:    func() measure.Meter { return param.Default(&OptimumMeter{}) },
}

// OptimumMeter measures it.
type OptimumMeter struct {
	Options
	Nodes int
}

// Params declares the parameters.
func (m *OptimumMeter) Params() param.Set {
	// they are hidden with what they hold
	s := slices.DeleteFunc(m.Options.Params(), func(p param.Param) bool { return p.Name == "supersets" })
	return append(s, param.Int(&m.Nodes, "nodes", 1_000_000, 0, 1_000_000_000, "nodes", "most nodes of branch and "+
		"bound; a million takes a few seconds"))
}

// OptimumDetail is what a release loses beside the optimum. It names nothing.
type OptimumDetail struct {
	Patterns int  `json:"patterns"` // frequent itemsets of the original that may stay
	Lost     int  `json:"lost"`     // of them, by the release
	Optimum  int  `json:"optimum"`  // by the best release that is known
	Least    int  `json:"least"`    // every release that hides them by deleting items loses so many at least
	Cells    int  `json:"cells"`    // items that the best release deletes
	Found    int  `json:"found"`    // sensitive itemsets that the release does not hide
	Proved   bool `json:"proved"`
}

// Says is the figures in words.
func (d OptimumDetail) Says() message.Sentence {
	s := message.Say("measure.optimum.says.proved").Count("patterns", d.Patterns).Count("lost", d.Lost).
		Count("optimum", d.Optimum)
	if !d.Proved {
		s = message.Say("measure.optimum.says.known").Count("patterns", d.Patterns).Count("lost", d.Lost).
			Count("optimum", d.Optimum).Count("least", d.Least)
	}
	if d.Found > 0 {
		return message.Say("measure.optimum.says.found").Part("says", s).Count("n", d.Found)
	}
	return s
}

// Measure returns the share of the other patterns that are lost beyond the optimum, with a Detail.
func (m *OptimumMeter) Measure(ctx context.Context, r *measure.Release, _ rng.Source) (measure.Value, error) {
	list, own, err := m.sets(r)
	if err != nil {
		return measure.Value{}, err
	}
	s, err := Of(ctx, r, own)
	if err != nil {
		return measure.Value{}, err
	}
	t, err := s.Coding.Code(r.Original)
	if err != nil {
		return measure.Value{}, err
	}
	o, err := rulehiding.Exact(ctx, rulehiding.NewData(t), list,
		rulehiding.Goal{Hide: s.Least[0], Keep: s.Least[0], Items: m.Items, Nodes: m.Nodes})
	if many := (*rulehiding.TooMany)(nil); errors.As(err, &many) {
		return measure.Value{}, errors.New(numfmt.Sprintf("too many itemsets are in at least %d records: a higher support "+
			"is needed", many.Least))
	}
	if err != nil {
		return measure.Value{}, err
	}
	beyond := func(least int) measure.Value {
		return s.Value(func(reading int) float64 { return Share(max(0, s.Lost[reading]-least), s.Others) })
	}
	v := beyond(o.Lost)
	v.Hi = max(v.Hi, beyond(o.LeastLost).Hi)
	d := OptimumDetail{
		Patterns: s.Others,
		Lost:     s.Lost[Middle],
		Optimum:  o.Lost,
		Least:    o.LeastLost,
		Cells:    o.Cells,
		Proved:   o.Proved(),
	}
	for _, f := range s.Sensitive {
		if f.Is[Middle] {
			d.Found++
		}
	}
	v.Detail = d
	v.Parts = []measure.Part{
		{Key: "lost", Name: message.Say("measure.optimum.part.lost"), Score: float64(d.Lost)},
		{Key: "optimum", Name: message.Say("measure.optimum.part.optimum"), Score: float64(d.Optimum)},
	}
	if !d.Proved {
		v.Parts[1].Name = message.Say("measure.optimum.part.known")
		v.Parts = append(v.Parts,
			measure.Part{Key: "least", Name: message.Say("measure.optimum.part.least"), Score: float64(d.Least)})
	}
	v.Notes = append(v.Notes, d.Says())
	return v, nil
}

// sets reads what is sensitive as sets of items, and returns the options of a survey that does so, too.
func (m *OptimumMeter) sets(r *measure.Release) (out []basket.Pattern, own Options, err error) {
	own = m.Options
	own.Supersets = Exclude
	if m.Sensitive == "" {
		return nil, own, nil // the survey says that it does not apply
	}
	c, err := basket.New(r.Original, basket.Options{Intervals: m.Intervals})
	if err != nil {
		return nil, own, measure.NotApplicable(message.Text(err.Error()))
	}
	list, err := c.Patterns(m.Sensitive)
	if err != nil {
		return nil, own, fmt.Errorf("parameter sensitive: %w", err)
	}
	var lines []string
	for _, p := range list {
		p = basket.Pattern{If: p.Items()}
		if text := c.Text(p); !slices.Contains(lines, text) {
			lines, out = append(lines, text), append(out, p)
		}
	}
	own.Sensitive = strings.Join(lines, "\n")
	return out, own, nil
}
