package recordclusters

import (
	"context"
	"slices"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/internal/mining/categorical"
	"github.com/dither-data/dither/mine"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// LIMBO clusters records, and the values of their attributes, so that little information is lost: LIMBO
// (Andritsos, Tsaparas, Miller & Sevcik 2004), one of the clusterings of categorical values that Islam 2007, section
// 6.3, names beside COOLCAT.
//
// A record of m known values is the distribution that gives each of them 1/m. Two clusters of probabilities p and q
// that become one lose (p + q) JS bits of the information I that a cluster has on the values, where JS is the
// Jensen-Shannon divergence of their distributions. Records go down a tree of distributional cluster features, as in
// BIRCH, to the entry where they lose least, and join it if that is no more than phi I / n for n records; else they are
// an entry of their own, and a node of more than so many is parted by the two that lose most together. The entries of
// the leaves are joined, those that lose least first, until k are left (agglomerative information bottleneck). Every
// record then goes to the cluster where it loses least.
//
// The values of an attribute are clustered by the values of the others: a value is the distribution of these in the
// records that have it. Those are joined that lose least, until so many per cent of what the attribute tells of the
// others is lost. Values that are together are alike, the more the less their distributions diverge.
//
// What an intruder learns from the model: how often every value is in every cluster, also of single records. A
// clustering of confidential records is itself confidential.
//
// Missing values count nowhere: a record is the distribution of its known values. A record without any is in no
// cluster.
//
// Cost: O(n m b log s) for n records, b entries of a node and s entries of the leaves, on one core; O(s² v) for v
// values of all attributes; O(n m k) to label, on all cores; O(u² v) for an attribute of u values. Memory O(s v).
//
// Readings: the first of equal entries, pairs and clusters wins. Where the leaves have more entries than the parameter
// leaves, what may be lost doubles and the entries go down a new tree (LIMBO_S bounds the tree by what it estimates).
// Values of attributes with more than 256 are not clustered.
//
// Reference: P. Andritsos, P. Tsaparas, R. J. Miller and K. C. Sevcik, "LIMBO: scalable clustering of categorical
// data", EDBT 2004, sections 3 to 5.
var LIMBO = mine.Miner{
	Card: card.Card{
		Name:    "limbo",
		Title:   "LIMBO",
		Aliases: []string{"information-bottleneck", "aib"},
		Summary: "Joins the clusters whose records lose least information on their values; finds similar values the same " +
			"way.",
		Paper:   "Andritsos, Tsaparas, Miller & Sevcik 2004; Islam 2007, section 6.3",
		Needs:   "at least one categorical attribute; class, identifiers and weights are omitted",
		Exposes: "how frequent every value is in every cluster, including single records",
		Missing: "are not counted; a record without any known value is in no cluster",
		Cost:    "O(n m log s + s² v) for n records of m attributes with v values, and s entries of the tree's leaves",
	},
	New: func() mine.Learner { return LIMBONew() },
}

// LIMBOLearner clusters by information. The zero value is not usable; take New.
type LIMBOLearner struct {
	K          int     // clusters wanted
	Phi        float64 // what a record may lose as it joins an entry, over the mean that it has
	Branching  int     // entries of a node
	Leaves     int     // entries of all leaves
	Lost       float64 // per cent of what an attribute tells that its value clusters may lose
	Attributes []string
}

// LIMBONew returns a learner with the defaults.
func LIMBONew() *LIMBOLearner { return param.Default(&LIMBOLearner{}) }

// Params declares the parameters.
func (l *LIMBOLearner) Params() param.Set {
	return param.Set{
		param.Int(&l.K, "k", 10, 1, 10_000, "clusters", "number of clusters; fewer if fewer records differ"),
		param.Float(&l.Phi, "phi", 0.1, 0, 10, "", "what a record may lose as it joins others early, over the average "+
			"information of a record; 0: only records that are the same join"),
		param.Int(&l.Branching, "branching", 4, 2, 1000, "entries", "entries of a node of the tree"),
		param.Int(&l.Leaves, "leaves", 500, 2, 20_000, "entries", "most entries of the tree's leaves"),
		param.Float(&l.Lost, "lost", 10, 0, 100, "%", "share of what an attribute tells of the others that joining its "+
			"similar values may lose"),
		param.Names(&l.Attributes, "attributes", "categorical columns to cluster by; none: all except the class"),
	}
}

// Fit clusters the records. It returns a *Model.
func (l *LIMBOLearner) Fit(ctx context.Context, t *table.Table, _ rng.Source) (mine.Model, error) {
	cols, err := categorical.Columns(t, l.Attributes, table.Class|table.Identifier|table.Weight)
	if err != nil {
		return nil, err
	}
	m := &LIMBOModel{Columns: cols}
	for _, j := range cols {
		m.Values = append(m.Values, len(t.Attr(j).Labels))
	}
	s := newSpace(t, cols, m.Values)
	entries, bits, err := l.grow(ctx, s, t.Rows())
	if err != nil {
		return nil, err
	}
	if entries, err = limboJoin(ctx, entries, func(left int, _ float64) bool { return left > l.K }); err != nil {
		return nil, err
	}
	slices.SortFunc(entries, func(f, g *feature) int { return f.first - g.first })
	for _, f := range entries {
		m.Mass = append(m.Mass, f.mass)
	}
	m.Label = make([]int32, t.Rows())
	if err := m.assign(ctx, t, m.Label); err != nil {
		return nil, err
	}
	m.Has, m.Keeps = bits, s.kept(m.Label, m.Clusters())
	m.Profiles = categorical.Profiles(t, cols, m.Label, m.Clusters())
	m.Pairs, err = l.values(ctx, t, s, cols)
	return m, err
}
