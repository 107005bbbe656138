package bayes

import (
	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/joint"
	"github.com/dither-data/dither/param"
)

// Protocols are the catalogue entries.
var Protocols = []joint.Protocol{
	{
		Card: joint.Card{
			Card: card.Card{
				Name:    "naivebayes",
				Title:   "Naive Bayes of horizontally partitioned data",
				Aliases: []string{"secure naive bayes", "kantarcioglu vaidya"},
				Summary: "Learns a naive Bayes classifier of all parties' records, by secure sums.",
				Paper:   "Kantarcioglu & Vaidya 2003; Islam 2008, section 3.3",
				Needs:   "records of each party, with the columns of the plan, one of categories with the role class",
				Exposes: "the classifier: counts of classes and categories in them, means and variances of numbers",
				Missing: "a missing value is not counted",
				Cost:    "a sum for each class and category, three for each class and column of numbers; four rounds",
			},
			Threat:   joint.SemiHonest,
			Survives: "all parties but two: together they learn the counts of the other two, not their parts",
			Leaks:    "nothing but the classifier, and which of its counts the guard of the plan withholds",
		},
		Roles: []joint.Role{{Name: "custodian", Help: "brings records", Least: 3, Table: true}},
		Two:   []string{"id3", "verticalbayes"},
		New:   func() joint.Computation { return &horizontal{} },
	},
	{
		Card: joint.Card{
			Card: card.Card{
				Name:    "verticalbayes",
				Title:   "Naive Bayes of vertically partitioned data",
				Aliases: []string{"vertical naive bayes", "vaidya clifton naive bayes"},
				Summary: "Learns a naive Bayes classifier of two parties' columns, by secure scalar products.",
				Paper:   "Vaidya & Clifton 2004; Islam 2008, section 3.3",
				Needs:   "the same people at both parties, with columns of categories each, one with the role class",
				Exposes: "the classifier: counts of classes, and of categories in them",
				Missing: "a missing value is not counted",
				Cost:    "24 bytes and 2 µs for each record, class and category of the party without the class",
			},
			Threat:   joint.SemiHonest,
			Survives: "the two parties are all there are",
			Leaks:    "nothing but the classifier, and which of its counts are below the minimum cell",
		},
		Roles: []joint.Role{{Name: "owner", Help: "brings columns", Least: 2, Most: 2, Table: true}},
		New:   func() joint.Computation { return &vertical{} },
	},
	{
		Card: joint.Card{
			Card: card.Card{
				Name:    "bayesnetwork",
				Title:   "Structure of a Bayesian network",
				Aliases: []string{"chow liu tree", "wright yang"},
				Summary: "Finds the tree of columns that explains most of all parties' records, by secure sums.",
				Paper:   "Wright & Yang 2004; Chow & Liu 1968; Islam 2008, section 3.3",
				Needs:   "records of each party, with the columns of categories of the plan",
				Exposes: "the tree, with the mutual information of its pairs of columns",
				Missing: "a record without one of two values is not counted for the pair",
				Cost:    "a sum for each pair of categories of two columns; four rounds",
			},
			Threat:   joint.SemiHonest,
			Survives: "all parties but two: together they learn the counts of the other two, not their parts",
			Leaks:    "the counts of all pairs of categories over all records, where the guard of the plan shows them",
		},
		Roles: []joint.Role{{Name: "custodian", Help: "brings records", Least: 3, Table: true}},
		Two:   []string{"k2"},
		New:   func() joint.Computation { return &structure{} },
	},
	{
		Card: joint.Card{
			Card: card.Card{
				Name:    "k2",
				Title:   "K2 structure of a Bayesian network of vertically partitioned data",
				Aliases: []string{"cooper herskovits", "secure K2", "vertical bayesian network"},
				Summary: "Finds the parents of each of two parties' columns; no count is opened.",
				Paper:   "Wright & Yang 2004; Cooper & Herskovits 1992; Islam 2008, section 3.3",
				Needs: "the same people at both parties, with columns of categories each, in an order in which parents come " +
					"before their children",
				Exposes: "the structure: which columns tell of which",
				Missing: "columns must have no missing values",
				Cost: "24 bytes and 2 µs for each record and combination of values of a column and parents of both parties, " +
					"70 kB and 60 rounds for a secure logarithm of each count, 512 at a time",
			},
			Threat:   joint.SemiHonest,
			Survives: "the two parties are all there are",
			Leaks: "which parent each column takes next; scores are compared to within 0.006 for each combination of " +
				"values, and some 2^-16 for each record, by which the logarithms of factorials may be off",
		},
		Roles: []joint.Role{{Name: "owner", Help: "brings columns", Least: 2, Most: 2, Table: true}},
		New:   func() joint.Computation { return param.Default(&k2{}) },
	},
}
