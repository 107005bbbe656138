package valueclusters

import (
	"context"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/internal/mining/categorical"
	"github.com/dither-data/dither/internal/mining/jaccard"
	"github.com/dither-data/dither/mine"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// STIRR finds values that go together by propagating weights between them: STIRR (Gibson, Kleinberg & Raghavan
// 1998; Islam 2007, section 6.3).
//
// Every value of every attribute has a weight. In a round the weight of a value becomes the sum, over the records that
// have it, of the combined weights of the record's other values; then the weights are scaled to unit length. Several
// weightings, the basins, go through the rounds together and are made orthogonal after each. The first settles on what
// is frequent. In the others the values of an attribute part into those of positive and those of negative weight:
// values on the same side occur with the same values of other attributes. Values that are on the same side in all
// basins but the first are called similar, however often they occur together.
//
// The combiner is the sum (then the basins are the eigenvectors of the matrix that counts how often two values meet,
// largest first), the product, the power mean's sum (sum w^q)^(1/q), or the weight that is largest in magnitude. Powers
// keep the sign of the weight.
//
// Cost: O(d m b) a round for d different records of m known values and b basins, on all cores, and O(v b^2) for v
// values.
//
// Readings: rounds end when no weight changes by more than the tolerance, or at the limit; whether they have converged
// is in the model. They need not: with combiners other than the sum no theorem says so, and with the sum the weights
// swing between two states where there are only two attributes, or two eigenvalues are opposite; signs within an
// attribute then stay mostly the same. The strength of a similar pair is the smaller of the two weights in magnitude as
// a share of the attribute's largest, the least over the basins: 1 means that no value stands clearer on their side. A
// basin in which an attribute has no weight says nothing of it. The sign of a basin is chosen so that its largest
// weight is positive.
//
// Reference: D. Gibson, J. Kleinberg and P. Raghavan, "Clustering categorical data: an approach based on dynamical
// systems", VLDB 1998.
var STIRR = mine.Miner{
	Card: card.Card{
		Name:    "stirr",
		Title:   "STIRR",
		Aliases: []string{"Sieving through iterated relational reinforcement"},
		Summary: "Divides the values of every attribute by the sign of weights that flow between values of the " +
			"same records.",
		Paper:   "Gibson, Kleinberg & Raghavan 1998; Islam 2007, section 6.3",
		Needs:   "at least one categorical attribute, two to find anything; class, identifiers and weights are omitted",
		Exposes: "the values that occur, and which of them co-occur",
		Missing: "no value; the others in the record are combined without it",
		Cost:    "O(d m b) per round for d distinct records of m values and b basins",
	},
	New: func() mine.Learner { return STIRRNew() },
}

// How the weights of a record's other values are combined.
const (
	Sum     = "sum"
	Product = "product"
	Power   = "power"
	Max     = "max"
)

// combiners are the names of the ways to combine weights.
var combiners = []string{Sum, Product, Power, Max}

// STIRRLearner lets weights flow. The zero value is not usable; take New.
type STIRRLearner struct {
	Basins     int
	Combiner   string  // one of combiners
	Q          float64 // exponent of the combiner "power"
	Rounds     int     // at most so many
	Tolerance  float64 // rounds end when no weight changes by more
	Least      float64 // smallest strength of a similar pair
	MaxValues  int     // pairs are not listed of attributes with more values
	Attributes []string
}

// STIRRNew returns a learner with the defaults.
func STIRRNew() *STIRRLearner { return param.Default(&STIRRLearner{}) }

// Params declares the parameters.
func (l *STIRRLearner) Params() param.Set {
	return param.Set{
		param.Int(&l.Basins, "basins", 3, 2, 50, "basins", "number of weightings; all except the first divide the "+
			"values of an attribute in two"),
		param.Choice(&l.Combiner, "combiner", combiners[0], combiners, "how to combine the weights of a record's "+
			"other values"),
		param.Float(&l.Q, "q", 2, 1, 100, "", "exponent of the combiner power"),
		param.Int(&l.Rounds, "rounds", 50, 1, 100_000, "rounds", "largest number of rounds"),
		param.Float(&l.Tolerance, "tolerance", 1e-6, 0, 1, "", "stop when no weight changes by more, at unit length"),
		param.Float(&l.Least, "least", 0.1, 0, 1, "", "report similar values of this strength or more"),
		param.Int(&l.MaxValues, "maxValues", 1000, 1, 100_000, "values",
			"similar values are not listed for columns with more: pairs grow with the square"),
		param.Names(&l.Attributes, "attributes", "categorical columns with values to divide; none: all except the class"),
	}
}

// Fit finds the weights. It returns a *Model.
func (l *STIRRLearner) Fit(ctx context.Context, t *table.Table, src rng.Source) (mine.Model, error) {
	cols, err := categorical.Columns(t, l.Attributes, table.Class|table.Identifier|table.Weight)
	if err != nil {
		return nil, err
	}
	f := newFlow(l, t, cols, src)
	m := &STIRRModel{Combiner: l.Combiner, Least: l.Least, MaxValues: l.MaxValues}
	for m.Rounds < l.Rounds && !m.Converged && f.any() {
		if m.Change, err = f.round(ctx); err != nil {
			return nil, err
		}
		m.Rounds++
		m.Converged = m.Change <= l.Tolerance
	}
	f.turn()
	for k, j := range cols {
		a := STIRRAttribute{Name: t.Attr(j).Name}
		for v, label := range t.Attr(j).Labels {
			at := int(f.offset[k]) + v
			if f.occurs[at] {
				a.Values = append(a.Values, Value{label, f.weight[at*f.basins : (at+1)*f.basins : (at+1)*f.basins]})
			}
		}
		m.Attributes = append(m.Attributes, a)
	}
	return m, ctx.Err()
}

// newFlow returns the weights before the first round: all alike in the first basin, random in the others. Identical
// records are taken once, times their number.
func newFlow(l *STIRRLearner, t *table.Table, cols []int, src rng.Source) *flow {
	sets, of := jaccard.Distinct(t, cols)
	f := &flow{
		basins: l.Basins,
		sets:   sets,
		times:  make([]float64, sets.Len()),
		offset: make([]int32, len(cols)+1),
		fold:   add,
	}
	switch l.Combiner {
	case Product:
		f.fold, f.unit = multiply, 1
	case Max:
		f.fold = larger
	case Power:
		f.q = l.Q
	}
	for _, s := range of {
		f.times[s]++
	}
	for k, j := range cols {
		f.offset[k+1] = f.offset[k] + int32(len(t.Attr(j).Labels))
	}
	values := int(f.offset[len(cols)])
	f.occurs, f.weight = make([]bool, values), make([]float64, values*f.basins)
	for i, c := range sets.Codes {
		if c >= 0 {
			f.occurs[f.offset[i%sets.Width]+c] = true
		}
	}
	random := src.Fork("weights").Rand()
	for v := range values {
		w := f.weight[v*f.basins : (v+1)*f.basins]
		for b := range w {
			w[b] = 2*random.Float64() - 1
		}
		if w[0] = 1; !f.occurs[v] {
			clear(w)
		}
	}
	f.normalise()
	return f
}
