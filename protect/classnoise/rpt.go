package classnoise

import (
	"context"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/internal/stats/aggregate"
	"github.com/dither-data/dither/internal/system/mmap"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/noisemodel"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/internal/leafwise"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// RPT is the Random Perturbation Technique of Islam 2007 for the class.
//
// What it does: inside every leaf of a decision tree the classes are dealt out anew by a uniform random permutation.
// That is the law of the text, stepwise for any number of classes: convert all to the majority class, draw the records
// of the first minority class, then of the next from the rest.
//
// Needs and changes: a categorical class and a decision tree for it, grown by C4.5 unless one is handed over; changes
// the class in heterogeneous leaves, and nothing else.
//
// Preserves and biases: the class counts of every leaf exactly, so every rule of the original tree keeps support and
// confidence. Of two classes with m and n records in a leaf, 2mn/(m+n) records change on average, always an even
// number; of more classes N - sum c²/N. Patterns finer than the leaves are lost in the class.
//
// What an informed intruder learns: the class shares of the record's leaf, and in a homogeneous leaf the class itself.
// A released minority class is wrong with probability m/(m+n), a majority class with n/(m+n).
//
// Missing values: a missing class stays missing and takes no part.
//
// Cost: O(rows), about 15 ns a record, after the tree. Records of one leaf must be together: the plan is a
// protect.Grouper.
//
// Departures: none in the law. A record's draw depends on its identity, so the order of the rows does not matter.
// Equation 4.1 holds for two classes; section 4.2 keeps it for more, where it is too small.
//
// Reference: Islam 2007, section 4.2.
var RPT = protect.Method{
	Card: card.Card{
		Name:    "rpt",
		Title:   "Random Perturbation Technique",
		Short:   "RPT",
		Summary: "Randomly permutes the classes inside every leaf of a decision tree.",
		Paper:   "Islam 2007, section 4.2",
		Needs:   "a categorical class",
		Changes: "the class, in leaves with more than one class",
		Preserves: "the class counts of every leaf exactly, so every rule of the original tree with its support and " +
			"confidence (type DM)",
		Biases:  "relations of the class to attributes inside a leaf (type C)",
		Exposes: "the class shares of a record's leaf; in a leaf of one class the class itself",
		Missing: "a missing class stays missing and is not permuted",
		Shards:  protect.FromSample,
		Cost:    "O(rows), after growing a tree",
	},
	Purpose: protect.KeepsRules,
	Growth:  1,
	New:     func() protect.Technique { return NewRPT() },
	Plan:    func() protect.Plan { return &RPTPlan{} },
	Claims: []protect.Claim{protect.HasNoiseModel, protect.Segments, protect.TakesLeaves, protect.Groups,
		protect.Describes, protect.Checks},
}

// RPTTechnique holds the parameters: those of the tree.
type RPTTechnique struct{ leafwise.Leaves }

// NewRPT returns the technique with its defaults.
func NewRPT() *RPTTechnique { return param.Default(&RPTTechnique{}) }

// Fit grows the tree, unless one was handed over.
func (q *RPTTechnique) Fit(ctx context.Context, t *table.Table, src rng.Source) (protect.Plan, error) {
	return q.FitAggregates(ctx, aggregate.Over(t, src))
}

// FitAggregates is Fit for all records.
func (q *RPTTechnique) FitAggregates(ctx context.Context, r *aggregate.Records) (protect.Plan, error) {
	in, err := q.Segment(ctx, r)
	if err != nil {
		return nil, err
	}
	return &RPTPlan{in}, nil
}

// RPTPlan is the fitted technique: its leaves.
type RPTPlan struct{ leafwise.InLeaves }

// Describe says what the plan does.
func (p *RPTPlan) Describe() message.Sentence { return message.Say("does.rpt") }

// Law returns the law of the class: dealt out anew, it says nothing of whose it was.
func (p *RPTPlan) Law(j int) (noisemodel.Column, bool) {
	return noisemodel.Everywhere(noisemodel.Dealt{}), j == p.Tree.Class
}

// Changes returns the name of the class.
func (p *RPTPlan) Changes() []string { return []string{p.Tree.Attrs[p.Tree.Class].Name} }

// Group returns the leaf of every record.
func (p *RPTPlan) Group(chunk *table.Table) ([]uint64, error) {
	leaf, err := p.Route(chunk)
	if err != nil {
		return nil, err
	}
	groups := make([]uint64, len(leaf))
	for i, l := range leaf {
		groups[i] = uint64(l)
	}
	return groups, nil
}

// Deals says that the leaf, the identity and the class of a record are all that counts.
func (*RPTPlan) Deals() {}

// Apply permutes the classes inside every leaf.
func (p *RPTPlan) Apply(chunk *table.Table, src rng.Source) (*table.Table, error) {
	leaf, err := p.Route(chunk)
	if err != nil {
		return nil, err
	}
	return p.ApplyLeaves(chunk, leaf, src)
}

// ApplyLeaves permutes the classes of records whose leaves are known.
func (p *RPTPlan) ApplyLeaves(chunk *table.Table, leaf []int32, src rng.Source) (*table.Table, error) {
	keys := mmap.Make[rng.Block](chunk.Space(), chunk.Rows())
	defer mmap.Free(chunk.Space(), keys)
	ids, first := chunk.IDs()
	rng.Blocks(src.Stream(), keys, ids, first)
	dealt := leafwise.DealIn(chunk.Space(), chunk.Cat(p.Tree.Class), leaf, len(p.Tree.Leaves()),
		len(p.Tree.ClassLabels()), keys)
	return chunk.WithCat(p.Tree.Class, dealt), nil
}
