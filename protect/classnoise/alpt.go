package classnoise

import (
	"context"
	"fmt"
	"slices"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/internal/stats/aggregate"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/internal/leafwise"
	"github.com/dither-data/dither/protect/internal/redraw"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// ALPT adds the same class noise to all leaves: the All Leaves Probabilistic Perturbation Technique of Islam
// 2007.
//
// Every record of the table changes its class with the same probability p, to class q with probability
// R_q/(N - R_o), where R are the class counts of the table and o is the record's class. It simulates natural noise: the
// paper uses it to show what RPT and PPT spare.
//
// Cost: O(rows * log classes), after the tree.
//
// Departures: none by default: p is equation 4.1 over N, as printed. For more than two classes that is less noise than
// RPT and PPT add; amount=permutation takes the mean of the permutation, sum over the leaves of N_k - sum c²/N_k, so
// that the three are alike. With two classes both are the same.
//
// Reference: Islam 2007, section 4.2, equation 4.1.
var ALPT = protect.Method{
	Card: card.Card{
		Name:      "alpt",
		Title:     "All Leaves Probabilistic Perturbation Technique",
		Short:     "ALPT",
		Aliases:   []string{"All Leaves Probabilistic Technique"},
		Summary:   "Changes every class with the same probability in all leaves: natural noise, as much as RPT and PPT add.",
		Paper:     "Islam 2007, section 4.2 and equation 4.1",
		Needs:     "a categorical class",
		Changes:   "the class",
		Preserves: "the amount of class noise of RPT and PPT, as a yardstick",
		Biases: "the rules of the original tree (type DM), the class shares (type A) and every relation of the class " +
			"(type C)",
		Exposes: "the class with probability 1 - p",
		Missing: "a missing class stays missing and is not counted",
		Shards:  protect.FromSample,
		Cost:    "O(rows * log classes), after growing a tree",
	},
	Purpose: protect.Counterparts,
	NoModel: "its probability is worked out from the classes in the leaves of a tree, which are confidential",
	Growth:  1,
	New:     func() protect.Technique { return NewALPT() },
	Plan:    func() protect.Plan { return &ALPTPlan{} },
	Claims:  []protect.Claim{protect.HasNoiseModel, protect.Describes, protect.Checks, protect.Memoises},
}

// How many classes are expected to change.
const (
	AsPrinted     = "printed"     // equation 4.1 as printed
	OfPermutation = "permutation" // as many as a permutation changes
)

// ALPTTechnique holds the parameters.
type ALPTTechnique struct {
	leafwise.Leaves
	Amount string // printed | permutation
}

// NewALPT returns the technique with its defaults.
func NewALPT() *ALPTTechnique { return param.Default(&ALPTTechnique{}) }

// Params declares the parameters.
func (q *ALPTTechnique) Params() param.Set {
	return append(param.Set{
		param.Choice(&q.Amount, "amount", AsPrinted, []string{AsPrinted, OfPermutation},
			"expected number of changed classes: equation 4.1 as printed, or that of a permutation, which is "+
				"larger from three classes on"),
	}, q.Leaves.Params()...)
}

// Fit grows the tree, unless one was handed over, and finds the probability.
func (q *ALPTTechnique) Fit(ctx context.Context, t *table.Table, src rng.Source) (protect.Plan, error) {
	return q.FitAggregates(ctx, aggregate.Over(t, src))
}

// FitAggregates is Fit for all records.
func (q *ALPTTechnique) FitAggregates(ctx context.Context, r *aggregate.Records) (protect.Plan, error) {
	in, err := q.Segment(ctx, r)
	if err != nil {
		return nil, err
	}
	counts, err := in.Classes(ctx, r)
	if err != nil {
		return nil, err
	}
	amount := Printed
	if q.Amount == OfPermutation {
		amount = Permutation
	}
	p := NewPlan(counts, amount)
	p.Attrs, p.Class = r.Schema.Attrs(), in.Tree.Class
	return p, nil
}

// ALPTPlan is the fitted technique. It does not need the tree.
type ALPTPlan struct {
	Attrs  []table.Attribute `json:"schema"`
	Class  int               `json:"class"`  // position in the schema
	P      float64           `json:"p"`      // probability that a class changes, in [0, 1]
	Counts []int             `json:"counts"` // records by class in the table the plan was fitted on
}

// Schema returns the attributes of the table the plan was fitted on.
func (p *ALPTPlan) Schema() []table.Attribute { return p.Attrs }

// Describe says what the plan does.
func (p *ALPTPlan) Describe() message.Sentence { return message.Say("does.alpt") }

// Changes returns the name of the class.
func (p *ALPTPlan) Changes() []string { return []string{p.Attrs[p.Class].Name} }

// Check refuses a decoded plan that is not consistent.
func (p *ALPTPlan) Check() error {
	if err := protect.CheckColumns(p.Attrs, []int{p.Class}, table.Categorical); err != nil {
		return err
	}
	if !(p.P >= 0 && p.P <= 1) {
		return fmt.Errorf("the probability is %v; expected 0 to 1", p.P)
	}
	return leafwise.CheckCounts(p.Counts, len(p.Attrs[p.Class].Labels))
}

// Apply changes the classes.
func (p *ALPTPlan) Apply(chunk *table.Table, src rng.Source) (*table.Table, error) {
	if err := protect.Conforms(chunk, p.Attrs); err != nil {
		return nil, err
	}
	totals := leafwise.RunningTotals(p.Counts)
	class := redraw.Codes(chunk, p.Class, src.Stream(), func(_ int, old int32, b rng.Block) int32 {
		if rng.Unit(b.A) < p.P {
			return p.other(totals, old, b.B)
		}
		return old
	})
	return chunk.WithCat(p.Class, class), nil
}

// other draws a class other than c in proportion to the counts; c itself when there is no other.
func (p *ALPTPlan) other(totals []int, c int32, w uint64) int32 {
	n := totals[len(totals)-1] - p.Counts[c]
	if n == 0 {
		return c
	}
	r := rng.Below(w, n)
	if r >= totals[c]-p.Counts[c] {
		r += p.Counts[c] // step over the records of c
	}
	k, _ := slices.BinarySearch(totals, r+1)
	return int32(k)
}

// Memoised says that draws are keyed by the values of the columns.
func (*ALPTPlan) Memoised() bool { return true }
