package regression

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
				Name:    "regression",
				Title:   "Secure regression of horizontally partitioned data",
				Aliases: []string{"secure regression", "karr regression"},
				Summary: "Fits a linear regression to all parties' records, by secure sums.",
				Paper:   "Karr et al. 2005; Islam 2008, section 3.3",
				Needs:   "records of each party, with the numeric columns of the plan, one with the role class",
				Exposes: "the coefficients with their standard errors, the residual variance, the number of records",
				Missing: "records without one of the values are left out",
				Cost:    "for p columns (p+1)(p+2)/2 sums; four rounds",
			},
			Threat:   joint.SemiHonest,
			Survives: "all parties but two: together they learn the sums of the other two, not their parts",
			Leaks:    "the sums of the products of all columns over all records",
		},
		Roles: []joint.Role{{Name: "custodian", Help: "brings records", Least: 3, Table: true}},
		Two:   []string{"verticalregression"},
		New:   func() joint.Computation { return &pooled{} },
	},
	{
		Card: joint.Card{
			Card: card.Card{
				Name:    "verticalregression",
				Title:   "Secure regression of vertically partitioned data",
				Aliases: []string{"secure matrix product regression"},
				Summary: "Fits a linear regression to two parties' columns, by secure scalar products.",
				Paper:   "Du, Han & Chen 2004; Islam 2008, section 3.3",
				Needs:   "the same people at both parties, with numeric columns each, one with the role class",
				Exposes: "the coefficients with their standard errors, the residual variance",
				Missing: "refused",
				Cost:    "24 bytes for each record, pair of columns of both, and binary place of the second party's column",
			},
			Threat:   joint.SemiHonest,
			Survives: "the two parties are all there are",
			Leaks: "the sums of the products of all columns: a party with as many columns as there are records could solve " +
				"the other's, and is refused",
		},
		Roles: []joint.Role{{Name: "owner", Help: "brings columns", Least: 2, Most: 2, Table: true}},
		New:   func() joint.Computation { return &crossed{} },
	},
	{
		Card: joint.Card{
			Card: card.Card{
				Name:    "powellregression",
				Title:   "Regression by Powell's line searches",
				Aliases: []string{"sanil regression", "powell"},
				Summary: "For the paper: each party learns the coefficients of its own columns, and all the residuals.",
				Paper:   "Sanil et al. 2004; Islam 2008, section 3.3",
				Needs:   "the same people at all parties, with numeric columns each, one with the role class",
				Exposes: "to each party its own coefficients; the residual of every record",
				Missing: "refused",
				Cost:    "a vector of all records, added, for each column and cycle",
			},
			Threat:   joint.SemiHonest,
			Survives: "all parties but two",
			Leaks: "the residual of every record after every step, and the sum of all columns along every direction: with " +
				"few columns they give a column away",
		},
		Roles: []joint.Role{{Name: "owner", Help: "brings columns", Least: 2, Table: true}},
		New:   func() joint.Computation { return param.Default(&powell{}) },
	},
}
