package rules

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
				Name:    "rules",
				Title:   "Association rules of horizontally partitioned data",
				Aliases: []string{"kantarcioglu clifton", "horizontal association rules"},
				Summary: "Finds the rules of all parties' records; no count is opened unless asked.",
				Paper:   "Kantarcioglu & Clifton 2002; Islam 2008, section 3.3",
				Needs:   "records of each party, with the columns of categories or sets of the plan",
				Exposes: "the rules, and with show their support and confidence; a party that has nearly the records that an " +
					"itemset or a rule needs learns whether the others have the rest",
				Missing: "a missing value is no item",
				Cost: "for each set that is tried and each rule a number from party to party, and 3 kB each way between the " +
					"first and the last; of three parties or more, for each length of sets a secure union of size sets",
			},
			Threat: joint.SemiHonest,
			Survives: "none of three or more: the two neighbours of a party together learn its counts, and the first and the " +
				"last those of all between; two are all there are",
			Leaks: "which of the itemsets that are tried are frequent: of two parties, those all of whose parts are; of three " +
				"or more, of these the ones that are frequent at some party, and not at which, but to the first party in how " +
				"many",
		},
		Roles: []joint.Role{{Name: "custodian", Help: "brings records", Least: 2, Table: true}},
		New:   func() joint.Computation { return param.Default(&horizontal{}) },
	},
	{
		Card: joint.Card{
			Card: card.Card{
				Name:    "maximalrules",
				Title:   "Association rules by maximal frequent itemsets",
				Aliases: []string{"veloso"},
				Summary: "Finds the rules of all parties' records in one round, with their counts.",
				Paper:   "Veloso et al. 2003; Islam 2008, section 3.3",
				Needs:   "records of each party, with the columns of categories or sets of the plan",
				Exposes: "the rules, their support and confidence",
				Missing: "a missing value is no item",
				Cost:    "one secure union of size itemsets, and secure sums of the counts of all their subsets",
			},
			Threat:   joint.SemiHonest,
			Survives: "none for the union: neighbours learn what is between them; all but two for the counts",
			Leaks: "the itemsets that are frequent at some party, and not at which; their counts over all parties, where the " +
				"guard of the plan shows them",
		},
		Roles: []joint.Role{{Name: "custodian", Help: "brings records", Least: 3, Table: true}},
		Two:   []string{"rules"},
		New:   func() joint.Computation { return param.Default(&maximal{}) },
	},
	{
		Card: joint.Card{
			Card: card.Card{
				Name:    "verticalrules",
				Title:   "Association rules of vertically partitioned data",
				Aliases: []string{"vertical association rules", "vaidya clifton rules"},
				Summary: "Finds the rules between two parties' columns of the same people; no count is opened.",
				Paper:   "Vaidya & Clifton 2002; Islam 2008, section 3.3",
				Needs:   "the same people at both parties, with the columns of categories of each",
				Exposes: "the rules",
				Missing: "a missing value is no item",
				Cost:    "24 bytes and 2 µs for each record and itemset of both parties, 3 kB for each itemset and rule",
			},
			Threat:   joint.SemiHonest,
			Survives: "the two parties are all there are",
			Leaks:    "which itemsets are frequent, also of one party alone",
		},
		Roles: []joint.Role{{Name: "owner", Help: "brings columns", Least: 2, Most: 2, Table: true}},
		New:   func() joint.Computation { return param.Default(&vertical{}) },
	},
	{
		Card: joint.Card{
			Card: card.Card{
				Name:    "kttp",
				Title:   "k-TTP association rules",
				Aliases: []string{"k-privacy", "k-private rules", "gilburd schuster wolff"},
				Summary: "Finds rules and tells no statistic of the records of fewer than k parties.",
				Paper:   "Gilburd, Schuster & Wolff, KDD 2004 and HPDC-13 2004; Islam 2008, section 3.3",
				Needs:   "records of each party, with columns of two values each, of which the second is an item",
				Exposes: "the rules, their support and confidence",
				Missing: "a record that lacks a value is left out",
				Cost: "for each itemset of n items that is tried two comparisons for each of its 2^n cells, and a sum; " +
					"at each length of itemsets some 20 rounds",
			},
			Threat: joint.SemiHonest,
			Survives: "fewer than half of the parties: of an itemset that is not opened they learn nothing but that; parties " +
				"that pool their own records turn a statistic of k parties into one of fewer",
			Leaks: "the counts of itemsets all of whose cells have records of k parties; which itemsets are not opened; what " +
				"counts of different itemsets tell together beyond their cells is not examined",
		},
		Roles: []joint.Role{{Name: "custodian", Help: "brings records", Least: 3, Table: true}},
		Two:   []string{"rules"},
		New:   func() joint.Computation { return param.Default(&kttp{}) },
	},
}
