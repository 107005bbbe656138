package hidingeffects

import (
	"context"
	"errors"
	"math"

	"github.com/dither-data/dither/basket"
	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/internal/mining/itemset"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// Dissimilarity measures by how much the release differs from the original as sets of items.
//
// What it does. Three readings of one word: histogram is the sum over all items of the absolute difference of their
// counts, over the items of the original (equation 6.1); size is the share of all items that is gone, negative where
// items were added; content the share of the cells, transaction times item, that changed, for paired records. The score
// is that of the histograms, which a release that exchanges items among records does not change at all: the content
// tells it.
//
// It needs columns that give items (package basket). Parts of the readings that do not apply are left out.
//
// Missing values: no item. An item that may or may not be there counts half in the histogram and in the size, and as
// changed in the content unless the original's is the same.
//
// Cost: O(items).
//
// Departures: The sum runs over the items of either table. Equation 6.1 has those of the original; no item of the
// release is another, for both are coded alike.
//
// Reference: E. Bertino, I. Nai Fovino and L. Parasiliti Provenza 2005, equations 6.1 and 6.3.
var Dissimilarity = measure.Measure{
	Card: card.Card{
		Name:      "dissimilarity",
		Title:     "Dissimilarity",
		Aliases:   []string{"diss"},
		Summary:   "How much the counts of items, their total and the single records differ.",
		Paper:     "Bertino, Nai Fovino & Parasiliti Provenza 2005, equations 6.1 and 6.3",
		Needs:     "columns with items; paired records for the content",
		Preserves: "0 when every item is as frequent as before",
		Biases:    "exchanging items between records does not change the histogram",
		Missing:   "no item; an uncertain item counts half",
		Cost:      "O(items)",
	},
	Facts:  measure.Facts{Sets: true, About: measure.Worth, Effort: measure.Fast},
	Side:   measure.Utility,
	Better: measure.Lower,
	Range:  table.Interval{Lo: 0, Hi: math.Inf(1), OpenHi: true},
	Unit:   measure.In(measure.Ratio, message.Say("unit.ofItems")),
	Losses: []measure.Loss{{
		Name: "dissimilarity", Says: message.Say("loss.dissimilarity"),
		Of:      measure.ByScore,
		Weights: []measure.Weight{{Purpose: "hiding", Weight: 1, Place: 3}},
	}},
	New: func() measure.Meter { return param.Default(&DissimilarityMeter{}) },
}

// DissimilarityMeter measures it.
type DissimilarityMeter struct{ Intervals int }

// Params declares the parameters.
func (m *DissimilarityMeter) Params() param.Set {
	return param.Set{param.Int(&m.Intervals, "intervals", 4, 2, 1000, "intervals", "cut numbers into this many "+
		"intervals of about equal size")}.Shared()
}

// Measure returns the difference of the histograms, with the other readings as parts. It does not apply where no column
// gives items, and fails where the original has none.
func (m *DissimilarityMeter) Measure(ctx context.Context, r *measure.Release, _ rng.Source) (measure.Value, error) {
	if err := r.Check(); err != nil {
		return measure.Value{}, err
	}
	c, err := basket.New(r.Original, basket.Options{Intervals: m.Intervals})
	if err != nil {
		return measure.Value{}, measure.NotApplicable(message.Text(err.Error()))
	}
	lists, err := Code(c, r)
	if err != nil {
		return measure.Value{}, err
	}
	before := histogram(lists[0])
	after := histogram(lists[len(lists)-1])
	if len(lists) > 2 {
		for v, sure := range histogram(lists[1]) {
			after[v] = (after[v] + sure) / 2
		}
	}
	var was, is, moved float64
	for v := range before {
		was, is, moved = was+before[v], is+after[v], moved+math.Abs(before[v]-after[v])
	}
	if was == 0 {
		return measure.Value{}, errors.New("the original has no items to compare with")
	}
	v := measure.Exact(
		moved/was,
		[]measure.Part{
			{Key: "histogram", Name: message.Say("measure.dissimilarity.part.histogram"), Score: moved / was},
			{Key: "size", Name: message.Say("measure.dissimilarity.part.size"), Score: (was - is) / was},
		},
	)
	if r.Paired {
		changed := changes(lists[0], lists[1], lists[len(lists)-1])
		cells := float64(float64(r.Original.Rows()) * float64(len(c.Items)))
		v.Parts = append(v.Parts,
			measure.Part{Key: "content", Name: message.Say("measure.dissimilarity.part.content"), Score: changed / cells},
			measure.Part{Key: "changes", Name: message.Say("measure.dissimilarity.part.changes"), Score: changed / was})
	}
	return v, ctx.Err()
}

// histogram counts the items.
func histogram(t *itemset.Transactions) []float64 {
	out := make([]float64, t.Labels)
	for _, v := range t.Items {
		out[v]++
	}
	return out
}

// changes counts the cells that differ: items that are gone, that are new, and that may be there.
func changes(before, after, possible *itemset.Transactions) (n float64) {
	for i := range before.Len() {
		n += float64(missing(before.Row(i), after.Row(i)) + missing(possible.Row(i), before.Row(i)))
	}
	return n
}

// missing counts the items that another list lacks, which both ascend.
func missing(items, of []int32) (n int) {
	for _, v := range items {
		for len(of) > 0 && of[0] < v {
			of = of[1:]
		}
		if len(of) == 0 || of[0] != v {
			n++
		}
	}
	return n
}
