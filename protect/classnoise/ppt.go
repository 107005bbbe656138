package classnoise

import (
	"context"
	"errors"
	"slices"
	"sync"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/internal/stats/aggregate"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/noisemodel"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/internal/leafwise"
	"github.com/dither-data/dither/protect/internal/redraw"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// PPT is the Probabilistic Perturbation Technique of Islam 2007 for the class.
//
// Every record of a leaf draws its class anew, independently, with the class shares of the leaf.
//
// Cost: O(rows * log classes), after the tree.
//
// Departures: section 4.2 says that the released share is "drawn from the binomial distribution with the mean
// 2mn/(m+n)"; that is the mean number of changed classes. The released minority count is Binomial(m+n, n/(m+n)) with
// mean n.
//
// Reference: Islam 2007, section 4.2.
var PPT = protect.Method{
	Card: card.Card{
		Name:      "ppt",
		Title:     "Probabilistic Perturbation Technique",
		Short:     "PPT",
		Summary:   "Redraws every class from the class shares of the record's leaf.",
		Paper:     "Islam 2007, section 4.2",
		Needs:     "a categorical class",
		Changes:   "the class, in leaves with more than one class",
		Preserves: "the class counts of every leaf in expectation, and with them the rules of the original tree (type DM)",
		Biases:    "relations of the class to attributes inside a leaf (type C)",
		Exposes:   "the class shares of a record's leaf, up to binomial noise; in a leaf of one class the class itself",
		Missing:   "a missing class stays missing and is not counted",
		Shards:    protect.FromSample,
		Cost:      "O(rows * log classes), after growing a tree",
	},
	Purpose: protect.KeepsRules,
	Growth:  1,
	New:     func() protect.Technique { return NewPPT() },
	Plan:    func() protect.Plan { return &PPTPlan{} },
	Claims: []protect.Claim{protect.HasNoiseModel, protect.Segments, protect.TakesLeaves, protect.Describes,
		protect.Checks, protect.Memoises},
}

// PPTTechnique holds the parameters: those of the tree.
type PPTTechnique struct{ leafwise.Leaves }

// NewPPT returns the technique with its defaults.
func NewPPT() *PPTTechnique { return param.Default(&PPTTechnique{}) }

// Fit grows the tree, unless one was handed over, and counts the classes in its leaves.
func (q *PPTTechnique) Fit(ctx context.Context, t *table.Table, src rng.Source) (protect.Plan, error) {
	return q.FitAggregates(ctx, aggregate.Over(t, src))
}

// FitAggregates is Fit for all records.
func (q *PPTTechnique) FitAggregates(ctx context.Context, r *aggregate.Records) (protect.Plan, error) {
	in, err := q.Segment(ctx, r)
	if err != nil {
		return nil, err
	}
	counts, err := in.Classes(ctx, r)
	if err != nil {
		return nil, err
	}
	return &PPTPlan{InLeaves: in, Counts: counts}, nil
}

// PPTPlan is the fitted technique: its leaves and their classes.
type PPTPlan struct {
	leafwise.InLeaves
	Counts [][]int `json:"counts"` // records by leaf and class

	once   sync.Once
	totals [][]int // running totals of the counts
}

// Describe says what the plan does.
func (p *PPTPlan) Describe() message.Sentence { return message.Say("does.ppt") }

// Law returns the law of the class: dealt out anew, it says nothing of whose it was.
func (p *PPTPlan) Law(j int) (noisemodel.Column, bool) {
	return noisemodel.Everywhere(noisemodel.Dealt{}), j == p.Tree.Class
}

// Changes returns the name of the class.
func (p *PPTPlan) Changes() []string { return []string{p.Tree.Attrs[p.Tree.Class].Name} }

// Check refuses a decoded plan whose counts do not fit the tree.
func (p *PPTPlan) Check() error {
	if err := p.InLeaves.Check(); err != nil {
		return err
	}
	if len(p.Counts) != len(p.Tree.Leaves()) {
		return errors.New("the number of class counts is not that of the leaves")
	}
	for _, c := range p.Counts {
		if err := leafwise.CheckCounts(c, len(p.Tree.ClassLabels())); err != nil {
			return err
		}
	}
	return nil
}

// Apply draws the class of every record.
func (p *PPTPlan) Apply(chunk *table.Table, src rng.Source) (*table.Table, error) {
	leaf, err := p.Route(chunk)
	if err != nil {
		return nil, err
	}
	return p.ApplyLeaves(chunk, leaf, src)
}

// ApplyLeaves draws the class of records whose leaves are known.
func (p *PPTPlan) ApplyLeaves(chunk *table.Table, leaf []int32, src rng.Source) (*table.Table, error) {
	p.once.Do(p.sum)
	ids, first := chunk.NoiseKeysIn(func(i int) uint64 { return uint64(leaf[i]) }, p.Tree.Class)
	class := redraw.By(chunk.Cat(p.Tree.Class), ids, first, src.Stream(), func(row int, old int32, b rng.Block) int32 {
		totals := p.totals[leaf[row]]
		if n := totals[len(totals)-1]; n > 0 {
			k, _ := slices.BinarySearch(totals, rng.Below(b.A, n)+1)
			return int32(k)
		}
		return old
	})
	return chunk.WithCat(p.Tree.Class, class), nil
}

func (p *PPTPlan) sum() {
	p.totals = make([][]int, len(p.Counts))
	for l, counts := range p.Counts {
		p.totals[l] = leafwise.RunningTotals(counts)
	}
}

// Memoised says that draws are keyed by the values of the columns and the leaf.
func (*PPTPlan) Memoised() bool { return true }
