package clusters

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
				Name:    "kmeans",
				Title:   "k-means of horizontally partitioned data",
				Aliases: []string{"secure k-means"},
				Summary: "Clusters all parties' records; means move by secure sums.",
				Paper:   "Jha, Kruger & McDaniel 2005; Islam 2008, section 3.3",
				Needs:   "records of each party, with the numeric columns of the plan",
				Changes: "each record gets its cluster",
				Exposes: "the means of all rounds, and how many records the last clusters have",
				Missing: "refused",
				Cost:    "a sum for each cluster and column in a round; four rounds of messages in each",
			},
			Threat:   joint.SemiHonest,
			Survives: "all parties but two: together they learn the sums of the other two, not their parts",
			Leaks:    "the means after every round; a cluster of fewer records than the minimum cell does not move",
		},
		Roles: []joint.Role{{Name: "custodian", Help: "brings records", Least: 3, Table: true}},
		Two:   []string{"verticalkmeans"},
		New:   func() joint.Computation { return param.Default(&pooled{}) },
	},
	{
		Card: joint.Card{
			Card: card.Card{
				Name:    "verticalkmeans",
				Title:   "k-means of vertically partitioned data",
				Aliases: []string{"vaidya clifton k-means"},
				Summary: "Clusters the people of two parties' columns; distances stay shared.",
				Paper:   "Vaidya & Clifton 2003; Islam 2008, section 3.3",
				Needs:   "the same people at both parties, with numeric columns each",
				Changes: "each record gets its cluster",
				Exposes: "to both, the cluster of each person; to each, the means of its own columns",
				Missing: "refused",
				Cost:    "for each person, cluster and round 7 kB and some 0.2 ms",
			},
			Threat:   joint.SemiHonest,
			Survives: "the two parties are all there are",
			Leaks:    "the cluster of each person after every round",
		},
		Roles: []joint.Role{{Name: "owner", Help: "brings columns", Least: 2, Most: 2, Table: true}},
		New:   func() joint.Computation { return param.Default(&crossed{}) },
	},
	{
		Card: joint.Card{
			Card: card.Card{
				Name:    "pooledoutliers",
				Title:   "Distance-based outliers of horizontally partitioned data",
				Aliases: []string{"horizontal outliers"},
				Summary: "Finds the records of two parties from which most others are far.",
				Paper:   "Vaidya & Clifton 2004; Knorr & Ng 1998; Islam 2008, section 3.3",
				Needs:   "records of both parties, with the numeric columns of the plan",
				Changes: "each record says whether it is an outlier",
				Exposes: "to each, which of its records are outliers",
				Missing: "refused",
				Cost: "for each pair of records of both 3 kB and some 0.2 ms, and 24 bytes for each column and binary place " +
					"of its range",
			},
			Threat:   joint.SemiHonest,
			Survives: "the two parties are all there are",
			Leaks:    "how many records each has, and which of the other's are outliers, by their place in its table",
		},
		Roles: []joint.Role{{Name: "custodian", Help: "brings records", Least: 2, Most: 2, Table: true}},
		New:   func() joint.Computation { return param.Default(&pooledOutliers{}) },
	},
	{
		Card: joint.Card{
			Card: card.Card{
				Name:    "outliers",
				Title:   "Distance-based outliers of vertically partitioned data",
				Aliases: []string{"db outliers", "vaidya clifton outliers"},
				Summary: "Finds the people from whom most others are far, by two parties' columns.",
				Paper:   "Vaidya & Clifton 2004; Knorr & Ng 1998; Islam 2008, section 3.3",
				Needs:   "the same people at both parties, with numeric columns each",
				Changes: "each record says whether it is an outlier",
				Exposes: "which people are outliers",
				Missing: "refused",
				Cost:    "for each pair of people 3 kB and some 0.2 ms",
			},
			Threat:   joint.SemiHonest,
			Survives: "the two parties are all there are",
			Leaks:    "nothing but the number of people",
		},
		Roles: []joint.Role{{Name: "owner", Help: "brings columns", Least: 2, Most: 2, Table: true}},
		New:   func() joint.Computation { return param.Default(&outliers{}) },
	},
}
