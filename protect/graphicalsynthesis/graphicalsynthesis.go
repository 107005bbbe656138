// Package graphicalsynthesis draws new records from a graphical model of the table: fitted to noisy marginal tables
// under differential privacy (mst, aim, privbayes), inside the leaves of a private tree (privatesegments), or a plain
// Bayesian network (bayesiannetwork).
//
// Columns become codes: categories, and bins of a number's domain. A private technique measures marginal tables of
// codes with noise and finds the law of all columns that fits them best (package selectmeasure); records are drawn
// from the law, numbers evenly inside their bins. Released records stand for nobody.
//
// The promise is of one record more or less; or of one person or household (the parameter unit), with all that is
// theirs: the parameter records says how many records of each take part, drawn at random, and the noise is that of so
// many. What is not declared is not used: a column without a declared domain, or declared values, is left out, and
// stays missing, unless its domain is bought (domains=bought) for the share bounds of the budget: an interval of
// numbers between public candidates, and the categories that occur often, which need a delta (package domains).
// Numbers outside become the ends, and other categories missing. The number of records is estimated from noisy counts,
// unless it is said to be public. Numbers are drawn on the steps that are declared or, where none is, on those that
// follow from the domain (domains.Grid), never on those that the records have. The order of the columns, their names
// and kinds, and how dates are written are taken as public. With domains=observed all domains are those of the
// records, and nothing is promised.
//
// privatesegments takes the share growing of what is left to grow a private tree for the class over the codes, and the
// rest for the laws of privbayes in which the leaf is an attribute of its own. It needs a categorical class that is
// declared or bought; where none of its values could be bought, all records are in one leaf.
//
// Where people have several records bayesiannetwork draws a person first: how many records, and what is one for the
// person; then the records in order, each given the one before (protect/internal/newrecords). The others draw each
// record for itself.
//
// What an informed intruder learns: of anybody at most what epsilon allows, but for delta. Of bayesiannetwork: shares
// among as few records as the parameter cell says, in the mean.
//
// Departures: mst and aim share a merged rare value out by noisy counts, not evenly, and aim begins as mst does; the
// neighbours of privbayes differ by adding or removing a record, which halves its noise, and its tables are brought
// together by their joint model.
//
// Cost: O(n p²) to count pairs, O(n p³) for aim, and the model's own; then O(p) per record.
//
// References: R. McKenna, G. Miklau and D. Sheldon, "Winning the NIST contest: a scalable and general approach to
// differentially private synthetic data", Journal of Privacy and Confidentiality 11(3), 2021 (mst); R. McKenna, B.
// Mullins, D. Sheldon and G. Miklau, "AIM: an adaptive and iterative mechanism for differentially private synthetic
// data", PVLDB 15(11), 2022 (aim); J. Zhang, G. Cormode, C. Procopiuc, D. Srivastava and X. Xiao, "PrivBayes: private
// data release via Bayesian networks", ACM TODS 42(4), 2017 (privbayes); A. Friedman and A. Schuster, "Data mining with
// differential privacy", KDD 2010 (the tree of privatesegments, package privatetree).
package graphicalsynthesis

import (
	"context"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/internal/noise/selectmeasure"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// Methods are the catalogue entries.
var Methods = entries(mst, aim, privBayes, network, segmented)

// mostBins is how many bins or categories a column may have, and mostRows how many records may be drawn.
const mostBins, mostRows = 1 << 20, 1 << 30

// model is what tells one technique from another.
type model struct {
	card         card.Card
	private      bool
	concentrated bool // its budget is a zero-concentrated one, which needs a delta
	growth       float64
	params       func(q *Technique) param.Set
	check        func(q *Technique, t *table.Table) error // that the schema has what it needs; nil for anything
	fit          func(ctx context.Context, q *Technique, m *material, p selectmeasure.Promise, src rng.Source) (
		*selectmeasure.Law, error)
}

// material is what a law is fitted to.
type material struct {
	*selectmeasure.Table
	columns []Coding              // by column of the table
	attrs   []table.Attribute     // of the columns that codings are of
	stages  []selectmeasure.Stage // in which people of several records are drawn
	plan    *Plan                 // where a model says what it did
}

// entries are the entries of models, with what the cards of all say.
func entries(all ...*model) []protect.Method {
	out := make([]protect.Method, len(all))
	for k, m := range all {
		c := m.card
		c.Changes = "every attribute that has a law: the released records stand for nobody; the others are missing"
		c.Missing = "a value of its own, drawn like any other"
		claims := []protect.Claim{protect.Groups, protect.Notes, protect.Describes, protect.Checks}
		fresh := func() protect.Technique { return param.Default(&Technique{model: m}) }
		plan := func() protect.Plan { return &Plan{} }
		c.Needs = "categories, and numbers with a finite domain, which are cut into bins"
		if m.private {
			c.Needs = "declared domains of numbers and declared values of categories: other columns are left out, or their " +
				"domains are bought (domains=bought)"
			if m.card.Needs != "" {
				c.Needs = m.card.Needs + "; " + c.Needs
			}
			c.Exposes = "of one record more or less, or one person or household (unit) with the parameter records of them, " +
				"at most what epsilon and delta allow; names, kinds and order of columns are taken as public. " +
				"Nothing of this holds with domains=observed"
			claims = append(claims, protect.BoundsOdds, protect.Spends)
			fresh = func() protect.Technique { return param.Default(&private{Technique{model: m}}) }
			plan = func() protect.Plan { return &Private{} }
		}
		out[k] = protect.Method{
			Card:    c,
			Purpose: protect.Draws,
			Growth:  m.growth,
			New:     fresh,
			Plan:    plan,
			Claims:  append(claims, protect.Synthesises),
		}
	}
	return out
}

const paired = "distributions of columns (type D) and of the pairs in the tree; others as far as they follow from these"

var mst = &model{
	card: card.Card{
		Name:      "mst",
		Title:     "Maximum spanning tree",
		Aliases:   []string{"private-PGM MST", "NIST-MST"},
		Summary:   "Draws new records from a tree of pairs of columns, measured under differential privacy.",
		Paper:     "McKenna, Miklau & Sheldon 2021",
		Preserves: paired,
		Biases:    "relations among three or more columns that do not follow from pairs; rare values, which are merged",
		Cost:      "O(n p²)",
	},
	private: true, concentrated: true, growth: 1,
	fit: func(ctx context.Context, _ *Technique, m *material, p selectmeasure.Promise,
		src rng.Source) (*selectmeasure.Law, error) {
		return selectmeasure.MST(ctx, m.Table, p, src)
	},
}

var aim = &model{
	card: card.Card{
		Name:    "aim",
		Title:   "Adaptive and iterative mechanism",
		Short:   "AIM",
		Aliases: []string{"private-PGM AIM"},
		Summary: "Draws new records from a graphical model of the marginal tables that it missed most, measured one by one " +
			"under differential privacy.",
		Paper:     "McKenna, Mullins, Sheldon & Miklau 2022",
		Preserves: "distributions of columns (type D), and of two and three columns where noise leaves something of them",
		Biases:    "rare values, which are merged; relations among four or more columns",
		Cost:      "O(n p³), and the model's: seconds for 15 columns",
	},
	private: true, concentrated: true, growth: 1,
	params: func(q *Technique) param.Set {
		return param.Set{param.Int(&q.Cells, "cells", int(selectmeasure.DefaultAIM.Cells), 1000, 1<<26, "cells",
			"cells that the tables of the model have together, at most: time grows with them")}
	},
	fit: func(ctx context.Context, q *Technique, m *material, p selectmeasure.Promise,
		src rng.Source) (*selectmeasure.Law, error) {
		a := selectmeasure.DefaultAIM
		a.Cells = float64(q.Cells)
		return a.Fit(ctx, m.Table, p, src)
	},
}

var privBayes = &model{
	card: card.Card{
		Name:      "privbayes",
		Title:     "PrivBayes",
		Summary:   "Draws new records from a Bayesian network, chosen and measured under pure differential privacy.",
		Paper:     "Zhang, Cormode, Procopiuc, Srivastava & Xiao 2017",
		Preserves: "distributions of columns (type D), and of columns with their parents",
		Biases:    "relations that the network lacks; noise in cells of few records",
		Cost:      "O(n) per column and set of parents",
	},
	private: true, growth: 1,
	params: func(q *Technique) param.Set {
		return param.Set{param.Float(&q.Usefulness, "usefulness", selectmeasure.DefaultPrivBayes.Usefulness, 0.1, 1000, "",
			"how many times its noise a cell of a measured table holds in the mean, at least (theta)")}
	},
	fit: func(ctx context.Context, q *Technique, m *material, p selectmeasure.Promise,
		src rng.Source) (*selectmeasure.Law, error) {
		b := selectmeasure.DefaultPrivBayes
		b.Usefulness = q.Usefulness
		return b.Fit(ctx, m.Table, p, src)
	},
}

var network = &model{
	card: card.Card{
		Name:    "bayesiannetwork",
		Title:   "Bayesian network",
		Aliases: []string{"Bayesian network synthesis"},
		Summary: "Draws new records from a Bayesian network that is fitted without noise.",
		Paper:   "Zhang, Cormode, Procopiuc, Srivastava & Xiao 2017, without noise",
		Preserves: "distributions of columns (type D), and of columns with their parents (types A to C); who has several " +
			"records",
		Biases: "relations that the network lacks; inside a bin numbers are even",
		Exposes: "the shares of values among records that agree in the parents, of which there may be few, and categories " +
			"that few have: nothing bounds what that tells of one of them",
		Cost: "O(n) per column and set of parents",
	},
	growth: 1,
	params: func(q *Technique) param.Set {
		return param.Set{param.Float(&q.Usefulness, "cell", 20, 1, 1e6, "records",
			"records that a cell of a column with its parents holds in the mean, at least"), protect.LikeParam(&q.Like)}
	},
	fit: func(ctx context.Context, q *Technique, m *material, _ selectmeasure.Promise,
		_ rng.Source) (*selectmeasure.Law, error) {
		b := selectmeasure.DefaultPrivBayes
		b.Usefulness = q.Usefulness
		return b.Network(ctx, m.Table, m.stages...)
	},
}
