package main

import (
	"math"

	"github.com/dither-data/dither/internal/mining/association"
)

// rule is a line of the paper's Table 3.1.
type rule struct {
	name    string
	b, x, a float64 // support of the antecedent, confidence, support of the consequent
	j, sum  string  // j and J as printed
}

// table31 is Table 3.1 of Bertino, Nai Fovino & Parasiliti Provenza 2005: three rules, each before and after it was
// hidden.
var table31 = []rule{
	{"12 → 21", 0.302466208, 0.310074481, 0.313018734, "0.00002", "0.000006"},
	{"after", 0.290372303, 0.203756635, 0.29049087, "0.019570", "0.005683"},
	{"43 → 12", 0.22290728, 0.325, 0.302466208, "0.0018", "0.000265"},
	{"after", 0.198482333, 0.118876941, 0.278041262, "0.074538", "0.014794"},
	{"45 → 8", 0.296063552, 0.315178214, 0.298672042, "0.000644", "0.000191"},
	{"after", 0.261204648, 0.090331366, 0.263813137, "0.095670", "0.024989"},
}

// single is j of equation 3.7, in nats.
func (r *rule) single() float64 { return association.Divergence(r.x, r.a) }

// measure is J of equation 3.8, in nats.
func (r *rule) measure() float64 { return r.b * r.single() }

// prime is J' of equation 3.14, in bits.
func (r *rule) prime() float64 { return association.Prime(r.a, r.b, r.x) / math.Ln2 }
