package trees

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
				Name:    "id3",
				Title:   "ID3 of horizontally partitioned data",
				Aliases: []string{"lindell pinkas", "secure id3"},
				Summary: "Grows a decision tree of two parties' records; nothing is opened but the tree.",
				Paper:   "Lindell & Pinkas 2002; Islam 2008, section 3.3",
				Needs:   "records of both parties, with the columns of categories of the plan, one with the role class",
				Exposes: "the tree: which attributes split it, and the class of most records of each leaf",
				Missing: "records that lack a value are left out",
				Cost: "for each node, value and class a secure logarithm: 50 kB, 0.5 ms; 60 rounds for 512 of them, and " +
					"for each level some 100",
			},
			Threat:   joint.SemiHonest,
			Survives: "the two parties are all there are",
			Leaks: "which nodes are of one class, and which have fewer records than the minimum cell (they get their " +
				"parent's class); the next power of two above each party's number of records",
		},
		Roles: []joint.Role{{Name: "custodian", Help: "brings records", Least: 2, Most: 2, Table: true}},
		New:   func() joint.Computation { return param.Default(&id3{}) },
	},
	{
		Card: joint.Card{
			Card: card.Card{
				Name:    "verticalid3",
				Title:   "ID3 of vertically partitioned data",
				Aliases: []string{"du zhan", "vertical id3"},
				Summary: "Grows a decision tree of two parties' columns; nothing is opened but the tree.",
				Paper:   "Du & Zhan 2002; Lindell & Pinkas 2002; Islam 2008, section 3.3",
				Needs:   "the same people at both parties, with columns of categories each, one with the role class",
				Exposes: "the tree: which attributes split it, and the class of most records of each leaf",
				Missing: "refused",
				Cost:    "24 bytes and 2 µs for each record, node, value and class, and what id3 costs",
			},
			Threat:   joint.SemiHonest,
			Survives: "the two parties are all there are",
			Leaks: "which nodes are of one class, and which have fewer records than the minimum cell (they get their " +
				"parent's class)",
		},
		Roles: []joint.Role{{Name: "owner", Help: "brings columns", Least: 2, Most: 2, Table: true}},
		New:   func() joint.Computation { return param.Default(&id3{owned: true}) },
	},
}
