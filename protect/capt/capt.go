// Package capt replaces categorical values by similar ones: the Categorical Attributes Perturbation Technique of Islam
// 2007.
//
// DETECTIVE clusters the values of every attribute by the leaves of a tree that predicts it. A record's
// value gives way, with probability p, to the majority value of a sibling of its leaf (several siblings share p);
// otherwise it is drawn anew from the shares of the values in the leaf, which leaves it as it is where the leaf has
// one value only. Without siblings a heterogeneous leaf is always drawn anew and a homogeneous one is kept. An
// attribute that no other one tells anything about changes with probability p to any other value, each as likely.
// Every attribute's tree is grown on, and every draw reads, the original records.
//
// What an informed intruder learns: the law of every value given its leaf. In a homogeneous leaf the released value
// is the original with probability 1 - p or more; in a heterogeneous one it tells nothing beyond the leaf. With
// influential=keep a draw that is turned away leaves the original, and an influential value of which the leaf allows
// no other is always released as it is.
//
// Influential values: as printed, CAPT changes a value that the record's leaf of the class tree tests like any other,
// which takes the record out of its leaf (influential=paper). With influential=keep, the default, a draw that the
// leaf does not allow leaves the value as it is, so that every record stays in its leaf.
//
// Rare categories: a leaf draws what its records have, so a category that few people have stays about as rare, and
// tells that somebody of the original has it, as with every technique that keeps shares. Those that read like a text or
// a code of somebody are withheld before any technique, and the others are named, so that they are merged first. CAPT
// takes no numbers: they are released as they are, or by another technique beside it.
//
// Attributes with very many values: no tree is grown for an attribute of more than maxValues values, or with at least
// 0.3 values per record, the bound at which C4.5 stops comparing such attributes; it is taken as unrelated, and the
// plan's notes say so. A leaf of such a tree would hold hardly any value twice.
//
// Cost: one C4.5 tree per attribute, O(p n log n) per level, grown in parallel, on a sample of at most fitRows
// records; applying takes O(depth + log(values of the leaf)) per record and attribute, about 35 ns.
//
// Departures: the thesis calls the redraw a shuffle but defines it by independent draws (section 6.5), which is what
// is done; an exact shuffle would need the records of a leaf together and is left out. A leaf that no record reaches
// is no sibling. Ties of a majority go to the first value of the domain.
//
// Reference: Islam 2007, section 6.5; p = 0.1 in sections 6.6.2 and 7.3. M. Z. Islam and L. Brankovic, INDIN 2005.
package capt

import (
	"context"
	"fmt"
	"slices"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/internal/stats/aggregate"
	"github.com/dither-data/dither/internal/system/parallel"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/internal/leafwise"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/segment/tree"
	"github.com/dither-data/dither/table"
)

// Method is the catalogue entry.
var Method = protect.Method{
	Card: card.Card{
		Name:    "capt",
		Title:   "Categorical Attributes Perturbation Technique (CAPT)",
		Short:   "CAPT",
		Aliases: []string{"CAPT", "categorical attributes perturbation technique"},
		Summary: "Replaces categorical values by similar ones from the same or a sibling leaf of a tree that " +
			"predicts the attribute.",
		Paper:   "Islam 2007, section 6.5",
		Needs:   "a categorical attribute besides the class; a categorical class where influential values are kept",
		Changes: "every categorical attribute but the class",
		Preserves: "each attribute's relation to the attributes its tree tests; decision rules, where influential values " +
			"are kept",
		Biases: "relations among perturbed attributes weaken (types B and C); frequencies move towards the majority values " +
			"of sibling leaves (type D)",
		Exposes: "the distribution of a value in its leaf; in a homogeneous leaf the original with probability 1 - " +
			"p; with influential=keep a value fixed by the leaf's rule is released unchanged",
		Missing: "a missing value stays missing and is counted in no leaf; a missing tested value follows the " +
			"heaviest branch",
		Shards: protect.FromSample,
		Cost:   "one C4.5 tree per attribute, O(p n log n) per level; then O(depth) per record and attribute",
	},
	Purpose: protect.KeepsRules,
	Growth:  1,
	New:     func() protect.Technique { return New() },
	Plan:    func() protect.Plan { return &Plan{} },
	Claims: []protect.Claim{protect.HasNoiseModel, protect.Segments, protect.TakesLeaves, protect.Notes,
		protect.Describes, protect.Checks, protect.Memoises},
}

// How several siblings share the probability of a change.
const (
	Equal        = "equal"
	Proportional = "proportional" // to their records
)

// What becomes of values that the leaf of the class tree tests.
const (
	Keep  = "keep"  // kept in the leaf's sub-domain
	Paper = "paper" // changed as printed
)

// Technique fits plans.
type Technique struct {
	P           float64
	Siblings    string   // equal | proportional
	Influential string   // keep | paper
	Except      []string // columns left alone
	MaxValues   int
	leafwise.Leaves
}

// New returns the technique with the paper's probability, 0.1, and influential values kept in their leaf.
func New() *Technique { return param.Default(&Technique{}) }

// Params declares the parameters.
func (q *Technique) Params() param.Set {
	return append(param.Set{
		param.Float(&q.P, "p", 0.1, 0, 1, "", "probability that a value is replaced by the majority value of a "+
			"sibling leaf").Noisier(0.01, 0.9),
		param.Choice(&q.Siblings, "siblings", Equal, []string{Equal, Proportional},
			"how several siblings share p: equally, or in proportion to their records"),
		param.Choice(&q.Influential, "influential", Keep, []string{Keep, Paper},
			"values that the record's leaf of the class tree tests: kept in the leaf's sub-domain, or changed as printed"),
		param.Names(&q.Except, "except", "columns to leave alone"),
		param.Int(&q.MaxValues, "maxValues", 1000, 2, 1<<31-1, "values",
			"attributes with more values than this are treated as unrelated to the others: no tree is grown for them"),
	}, q.Leaves.Params()...)
}

// Fit grows one tree per attribute and, where influential values are kept, one for the class, if there is a class.
func (q *Technique) Fit(ctx context.Context, t *table.Table, src rng.Source) (protect.Plan, error) {
	return q.FitAggregates(ctx, aggregate.Over(t, src))
}

// FitAggregates is Fit for all records.
func (q *Technique) FitAggregates(ctx context.Context, r *aggregate.Records) (protect.Plan, error) {
	cols, err := protect.Columns(r.Schema, table.Categorical, q.Except)
	if err != nil {
		return nil, err
	}
	p := &Plan{Attrs: r.Schema.Attrs(), Values: Values{P: q.P, Proportional: q.Siblings == Proportional}}
	if q.Influential == Keep && len(cols) > 0 && (q.Tree != nil || r.Schema.WithRole(table.Class) >= 0) {
		seg, err := q.Segment(ctx, r)
		if err != nil {
			return nil, err
		}
		p.Class = seg.Tree
	}
	p.Columns, err = q.grow(ctx, r, cols)
	if err != nil {
		return nil, err
	}
	return p, nil
}

// grow grows the attributes' trees in parallel.
func (q *Technique) grow(ctx context.Context, r *aggregate.Records, cols []int) ([]Column, error) {
	counts, err := r.Counts(ctx, cols)
	if err != nil || len(cols) == 0 {
		return []Column{}, err
	}
	sample, err := q.Sample(ctx, r)
	if err != nil {
		return nil, err
	}
	out, trees := make([]Column, len(cols)), make([]*tree.Tree, len(cols))
	err = parallel.Each(ctx, len(cols), func(k int) (err error) {
		a := r.Schema.Attr(cols[k])
		out[k].Column = cols[k]
		if why := q.tooMany(a, counts[k]); !why.Empty() {
			out[k].Unrelated = why.String()
			return nil
		}
		if trees[k], err = q.GrowOn(ctx, sample, r.Rows, cols[k]); err != nil {
			return fmt.Errorf("column %q: %w", a.Name, err)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	// where values are missing the counts of training are fractional, whatever the sample
	grown := slices.DeleteFunc(slices.Clone(trees), func(tr *tree.Tree) bool { return tr == nil })
	if err := leafwise.Recount(ctx, r, grown...); err != nil {
		return nil, err
	}
	for k, tr := range trees {
		switch {
		case tr == nil:
		case len(tr.Nodes) == 1:
			out[k].Unrelated = message.Say("plan.capt.alone").String()
		default:
			out[k].Tree = narrow(tr)
		}
	}
	return out, nil
}

// narrow returns the tree over the attributes it tests and its class, so that a plan does not hold the whole schema
// once per tree.
func narrow(tr *tree.Tree) *tree.Tree {
	at := make([]int, len(tr.Attrs)) // new positions, from 1
	at[tr.Class] = 1
	for i := range tr.Nodes {
		if n := &tr.Nodes[i]; !n.Leaf() {
			at[n.Attr] = 1
		}
	}
	out := &tree.Tree{Nodes: slices.Clone(tr.Nodes)}
	for j := range at {
		if at[j] > 0 {
			out.Attrs = append(out.Attrs, tr.Attrs[j])
			at[j] = len(out.Attrs)
		}
	}
	out.Class = at[tr.Class] - 1
	for i := range out.Nodes {
		if n := &out.Nodes[i]; !n.Leaf() {
			n.Attr = at[n.Attr] - 1
		}
	}
	return out
}

// tooMany says why no tree is grown for an attribute, or nothing: such an attribute has hardly any value often enough
// to be like another, and every value costs a count per node.
func (q *Technique) tooMany(a *table.Attribute, counts []int) message.Sentence {
	known := 0
	for _, n := range counts {
		known += n
	}
	switch n := len(a.Labels); {
	case known == 0:
		return message.Say("plan.capt.missing")
	case n > q.MaxValues:
		return message.Say("plan.capt.tooMany").Count("n", n).Count("most", q.MaxValues)
	case float64(n) >= 0.3*float64(known) && n > 2:
		return message.Say("plan.capt.rare").Count("n", n).Count("records", known)
	}
	return message.Sentence{}
}
