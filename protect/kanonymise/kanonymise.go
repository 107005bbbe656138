// Package kanonymise is k-anonymisation: quasi-identifiers are generalised until every record looks like at least k-1
// others, by the best levels or groups for whole columns, or by a partition of the records; optionally with l-diversity
// and t-closeness.
//
// What it does. With search=lattice all values of a column are raised to one level of its value generalisation
// hierarchy (full-domain generalisation, Samarati 2001, Sweeney 2002), and records whose class still does not meet the
// goals lose their quasi-identifiers, at most the share "suppression" of all. Of the combinations of levels that can do
// so, the one with the least loss is found for certain. With search=mondrian records are halved at the median of an
// attribute, the widest first, as long as both halves meet the goals (LeFevre, DeWitt & Ramakrishnan 2006, strict
// partitioning; package mondrian); a region's records share an interval, a run of categories, or a set of them.
//
// With local=true levels are by record (local recoding, as ARX does it in iterations): the best levels are searched,
// where records that they leave alone count as lost but may be nearly all; classes that meet the goals there are done,
// and the others are searched again, until none is left or none more can be done. So a value stands on one level here
// and on another there, and a record that one level cannot hide is rarely suppressed. Which level a record has depends
// on its own values (package rounds). Numbers that a hierarchy cuts become intervals in all records; t is not asked.
//
// With search=genetic every column is generalised into groups of its own: the nodes of a cut through its hierarchy, so
// that one branch may stay special where another is raised, or intervals between any cut points (Iyengar 2002,
// single-dimension generalisation). A genetic algorithm looks for the least loss; nothing says that it finds it.
//
// Needs and changes: the quasi-identifiers, by the parameter columns, else by role, else all columns but the
// confidential ones, the class and weights. A numeric column becomes categorical unless it stays on level 0.
// Hierarchies are given (protect.Hierarchical) or built. In mondrian, numbers need none and are cut where the data say;
// categories without an order are taken in the order of their hierarchy, where given.
//
// Goals. A class is the records that agree in all quasi-identifiers, as packages kanonymity, ldiversity and tcloseness
// measure it, and every class of the release meets the goals, that of the suppressed records too: if these are fewer
// than k, or not diverse enough, others join them. Sensitive are the columns named, else those with the role
// confidential that are no quasi-identifiers; each meets l and t.
//
// Combinations. The goals can be asked for in chosen combinations of the quasi-identifiers, or in all of so many, in
// place of all together, with a k of its own in each (parameter combinations; package combined), as in local
// suppression: in every combination a class of the release meets them, and those who know no more of a person than one
// of them find k. Those who know several may find fewer. Records are suppressed altogether. For k alone the fewest are,
// besides those that others need to hide among; search=mondrian has no combinations.
//
// Where it is told whose the records are (table.Table.People) and some people have several, a class has records of k
// people, a value counts once for a person in it, and l is no more than its people, and 1 where all have one value, as
// in package ldiversity. What is suppressed, and its limit, are records.
//
// Loss of a cell, from 0 for a value as it is to 1 for a suppressed one: the share of the domain (of the listed values)
// that its group covers (loss=ncp, Xu and others 2006; Iyengar's LM over the number of columns), or level over height
// (loss=precision, Sweeney 2002). Both rise with the level, so the loss without suppression bounds that of a node from
// below. A missing cell loses nothing. With loss=cm a record loses 1 where it is suppressed or of another class than
// most that look alike (Iyengar's CM); that rises and falls, so search=genetic alone takes it.
//
// The search. The number of records that k alone makes suppress never rises from a node of the lattice to those above;
// so nodes below one that needs too many are out, and so does the number of records in classes without l distinct
// values, if all are known. Of other diversities, of t, and of what suppressed records need to hide that does not hold,
// so of these nothing is concluded from one node to another but by the bound of the loss, and such a search takes
// longer. Classes are counted from those of a lower node, not from the records. The ten best nodes are found, not only
// the first: notes tell what the others lose, and the parameter levels pins columns at a level of one's own choice. A
// lattice of more than 4,194,304 nodes is refused.
//
// Preserves and biases: the truth of every value that is left; counts of groups and of their combinations, apart from
// suppressed records. Distributions become histograms (type D), moments those of groups (types A to C), rules blur
// (type DM); records in sparse regions lose most, so minorities are suppressed first.
//
// What an informed intruder learns: a class of records of k people that holds the target, for certain, and what its
// sensitive values have in common: k alone keeps nothing secret that all of a class share. Limits of regions (mondrian)
// are values of the data or half-way between two. Suppressed records are those in rare combinations.
//
// Missing values stay missing, and a missing quasi-identifier is a value of its own, not more general than others:
// records that lack the same ones are alike. A missing sensitive value is no value. Where few records lack something,
// they are suppressed; mondrian partitions every such pattern by itself.
//
// Cost: lattice O(c p) a node for c classes of the nearest lower node and p quasi-identifiers; some hundreds of nodes
// are counted in a lattice of tens of thousands. 30,162 records of Adult with nine quasi-identifiers, k = 5 and 4 %
// take about as long as sorting a million numbers or two, fit and release. Mondrian O(p n log n). Memory O(p n +
// nodes). A generalisation that search=genetic tries costs as much as a node of the lattice. The plan is a
// protect.Grouper with one group and holds no records: applied to others it suppresses what these need. No randomness
// but in search=genetic: every seed gives the same release of the others.
//
// Departures: the order in which the lattice is walked is that of Kohlmayer and others 2012 (Flash) in kind, paths from
// the bottom up and halving on them, but a path's highest node is looked at first and nodes of too large a bound are
// left out. Regions cover the whole domain, not only the extent of their records, so that any record has one. The
// genetic search is reconstructed from what others tell of Iyengar's: it has 500 members and tries 20,000
// generalisations for his 5,000 and 500,000, cuts numbers at round limits in the place of values of the data, mends a
// chromosome by parting the groups of a hierarchy, and holds suppression to its limit besides counting it as a loss.
//
// References: P. Samarati, IEEE TKDE 13(6), 2001; L. Sweeney, IJUFKS 10(5), 2002; V. S. Iyengar, "Transforming data to
// satisfy privacy constraints", KDD 2002; K. LeFevre, D. DeWitt and R.
// Ramakrishnan, "Mondrian multidimensional k-anonymity", ICDE 2006; F. Kohlmayer and others, "Flash", PASSAT 2012; A.
// Machanavajjhala and others, ACM TKDD 1(1), 2007; N. Li, T. Li and S. Venkatasubramanian, ICDE 2007; J. Xu and others,
// "Utility-based anonymization using local recoding", KDD 2006; F. Prasser and others, "Flexible data anonymization
// using ARX", Software: Practice and Experience 50(7), 2020, for the iterations.
package kanonymise

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/hierarchy"
	"github.com/dither-data/dither/internal/anonymity/diversity"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/internal/combined"
	"github.com/dither-data/dither/protect/internal/named"
	"github.com/dither-data/dither/protect/kanonymise/internal/mondrian"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// Method is the catalogue entry.
var Method = protect.Method{
	Card: card.Card{
		Name:    "kanonymise",
		Title:   "k-anonymisation",
		Aliases: []string{"kanonymize", "k-anonymity", "k-anonymisation", "mondrian", "flash", "iyengar", "genetic"},
		Summary: "Generalises quasi-identifiers until every record looks like k-1 others; optionally with " +
			"l-diversity and t-closeness.",
		Paper: "Samarati 2001; Sweeney 2002; Iyengar 2002; LeFevre, DeWitt & Ramakrishnan 2006",
		Needs: "quasi-identifiers (none marked: all except confidential attributes); records of k people; " +
			"hierarchies are built where none are given",
		Changes: "the quasi-identifiers, which become categorical",
		Preserves: "the truth of every remaining value; counts of groups and of their combinations; unchanged " +
			"attributes in full",
		Biases: "distributions become histograms (type D), moments are those of groups (types A to C), rules blur " +
			"(type DM); rare records are suppressed, and others with them until these are k, too",
		Exposes: "a class of records of at least k people that contains the target, and what their sensitive " +
			"values have in common",
		Missing: "stay missing; a missing quasi-identifier is a separate value",
		People:  "classes have k people, and a value counts once per person; suppression counts records",
		Cost: "a small multiple of O(n p) for the search; mondrian O(p n log n); genetic O(c p) for each of the " +
			"generalisations tried, c different records",
	},
	Purpose: protect.Generalises,
	Growth:  1,
	Usual:   "where a rule requires k-anonymity",
	New:     func() protect.Technique { return New() },
	Plan:    func() protect.Plan { return &Plan{} },
	Claims: []protect.Claim{protect.Recodes, protect.Raises, protect.Spans, protect.Divides, protect.Groups,
		protect.Crowds, protect.Notes, protect.Describes, protect.Checks, protect.Suppresses, protect.TakesHierarchies,
		protect.Solves},
}

// What l-diversity asks of the secrets of a class.
const (
	Distinct  = "distinct"  // so many different values
	Entropy   = "entropy"   // the entropy of so many equally frequent ones
	Recursive = "recursive" // no value far more frequent than the rarer ones together
)

// How records are generalised.
const (
	Lattice  = "lattice"  // whole columns, by the best levels
	Mondrian = "mondrian" // box by box
	Genetic  = "genetic"  // whole columns, by groups of their own that a genetic algorithm finds
)

// What a search makes small.
const (
	NCP       = "ncp"       // the share of the domain that values cover
	Precision = "precision" // level over height
	CM        = "cm"        // records whose class is not that of most which look alike
)

// Technique holds the parameters.
type Technique struct {
	Goals
	Suppression float64  // share of the records
	Search      string   // lattice, mondrian or genetic
	Loss        string   // ncp, precision or cm
	Population  int      // generalisations that search=genetic has at a time
	Iterations  int      // generalisations that it tries
	Local       bool     // levels by record
	Weights     []string // column=weight
	Levels      []string // column=level
	Quasi       []string
	// Combinations of quasi-identifiers that are asked for (package combined), as age+sex or 2:5; none: all together
	Combinations []string
	Except       []string
	Sensitive    []string

	hierarchies hierarchy.Set
}

// suppression is the name of the parameter that limits it.
const suppression = "suppression"

// New returns the technique with its defaults.
func New() *Technique { return param.Default(&Technique{}) }

// Params declares the parameters.
func (q *Technique) Params() param.Set {
	return param.Set{
		param.Int(&q.K, "k", 5, 1, 1_000_000, "people", "fewest people with records that look alike").Noisier(2, 200),
		param.Float(&q.L, "l", 1, 1, 1e6, "values",
			"l-diversity of every sensitive attribute among records that look alike; 1: none"),
		param.Choice(&q.Diversity, "diversity", Distinct, []string{Distinct, Entropy, Recursive}, "type of l-diversity"),
		param.Float(&q.C, "c", 2, 0.01, 1e6, "",
			"recursive diversity: the most frequent value occurs less than c times as often as the l-th and all "+
				"rarer ones together"),
		param.Float(&q.T, "t", 1, 0, 1, "earth mover's distance",
			"t-closeness: largest distance of sensitive values among records that look alike from the whole table; 1: none"),
		param.Float(&q.Suppression, suppression, 0.04, 0, 1, "share of the records", "largest share of records "+
			"that lose their quasi-identifiers; these have to be k together, too"),
		param.Choice(&q.Search, "search", Lattice, []string{Lattice, Mondrian, Genetic},
			"generalise whole columns to their best levels, partition the records, or search for groups of values and cut "+
				"points column by column (Iyengar 2002)"),
		param.Choice(&q.Loss, "loss", NCP, []string{NCP, Precision, CM},
			"loss that the search minimises: the share of the domain that values cover (LM), level over height "+
				"(lattice), or records whose class is a minority among those that look alike (CM, genetic)"),
		param.Int(&q.Population, "population", 500, 2, 100_000, "generalisations", "that search=genetic keeps at a time"),
		param.Int(&q.Iterations, "iterations", 20_000, 1, 10_000_000, "generalisations", "that search=genetic "+
			"tries after the first population"),
		param.Bool(&q.Local, "local", false, "levels by record, not by column: records that the best levels would "+
			"suppress are generalised anew (local recoding), search=lattice"),
		param.Names(&q.Weights, "weights", "how much the loss of a column counts: age=3,sex=0.5; others count 1; not "+
			"for search=mondrian and loss=cm"),
		param.Names(&q.Levels, "levels", "fixed levels in the lattice search: age=2,sex=0"),
		param.Names(&q.Quasi, "columns", "the quasi-identifiers; none: those with that role, or all except "+
			"confidential columns"),
		combined.Param(&q.Combinations),
		param.Names(&q.Except, "except", "columns to leave alone"),
		param.Names(&q.Sensitive, "sensitive", "the sensitive columns for l and t; none: those with the role confidential"),
	}
}

// UseHierarchies gives the hierarchies.
func (q *Technique) UseHierarchies(h hierarchy.Set) { q.hierarchies = h }

// Fit finds out how general the release has to be. It fails when the goals cannot be met within the limit of
// suppression.
func (q *Technique) Fit(ctx context.Context, t *table.Table, src rng.Source) (protect.Plan, error) {
	p := &Plan{Counted: protect.CountedIn(t), Recoding: hierarchy.Recoding{Attrs: t.Attrs()}, Goals: q.Goals}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if err := q.choose(p, t); err != nil {
		return nil, err
	}
	if _, people := t.People(); t.Rows() > 0 && people < p.most() {
		return nil, fmt.Errorf("the table has %s, expected k = %d at least", protect.CountedPeople(t), p.most())
	}
	if t.Rows() > math.MaxInt32 {
		return nil, errors.New("the table has 2^31 records or more")
	}
	if err := p.attainable(t); err != nil {
		return nil, err
	}
	if err := q.fits(); err != nil {
		return nil, err
	}
	fit := q.generalise
	switch {
	case q.Search == Genetic:
		fit = func(ctx context.Context, p *Plan, t *table.Table) error { return q.evolve(ctx, p, t, src) }
	case q.Search == Mondrian:
		fit = q.partition
	case q.Local:
		fit = q.localise
	}
	_, err := protect.InOrder(t, func(t *table.Table) (*table.Table, error) { return t, fit(ctx, p, t) })
	if err != nil {
		return nil, err
	}
	return p, nil
}

// choose sets the quasi-identifiers and the sensitive attributes.
func (q *Technique) choose(p *Plan, t *table.Table) error {
	open, err := protect.Open(t, nil)
	if err != nil {
		return err
	}
	may, err := protect.Open(t, q.Except)
	if err != nil {
		return err
	}
	if p.Quasi, err = named.Columns(t, "columns", q.Quasi, may); err != nil {
		return err
	}
	if len(q.Quasi) == 0 {
		p.Quasi = protect.QuasiIdentifiers(t, open, may)
	}
	bare := func(j int) bool { return t.Attr(j).Kind == table.Categorical && len(t.Attr(j).Labels) == 0 }
	p.Quasi = slices.DeleteFunc(p.Quasi, bare)
	if err := q.combine(p, t, slices.DeleteFunc(may, bare)); err != nil {
		return err
	}
	if len(p.Quasi) == 0 {
		return errors.New("there is no quasi-identifier to generalise")
	}
	var all []int // the class may be sensitive: it is not changed
	for j := range t.Width() {
		if t.Attr(j).Kind.Scalar() {
			all = append(all, j)
		}
	}
	secret, err := named.Columns(t, "sensitive", q.Sensitive, all)
	if err != nil {
		return err
	}
	for _, j := range secret {
		if slices.Contains(p.Quasi, j) {
			return fmt.Errorf("parameter %q: column %q is a quasi-identifier", "sensitive", t.Attr(j).Name)
		}
	}
	if len(q.Sensitive) == 0 {
		secret = slices.DeleteFunc(all, func(j int) bool {
			return !t.Attr(j).Kind.Scalar() || t.Attr(j).Role&table.Confidential == 0 || slices.Contains(p.Quasi, j)
		})
	}
	if !q.looks() {
		return nil
	}
	if p.Secret = secret; len(secret) == 0 {
		return fmt.Errorf("there is no sensitive column for l and t; expected one with the role confidential, or parameter "+
			"%q", "sensitive")
	}
	return nil
}

// attainable refuses a diversity that all records together do not have: then no group of theirs has it, and the
// suppressed ones have not.
func (p *Plan) attainable(t *table.Table) error {
	f, g, scratch := frame{}, p.Goals, room{}
	g.T = 1
	f.whose, _ = t.People()
	for k, j := range p.Secret {
		c := t.Column(j)
		f.addSecret(&c)
		runs := make([]diversity.Run, f.secrets[k].codes)
		for v := range runs {
			runs[v].Value = int32(v)
		}
		for _, v := range f.values[k] {
			if v >= 0 {
				runs[v].Count++
			}
		}
		if !g.meets(f.secrets[k], runs, &scratch) {
			return fmt.Errorf("sensitive column %q: all records together do not meet %s, for it has only %d values; expected "+
				"a lower l", c.Name, g.sentence(g.K, g.K),
				f.secrets[k].Values())
		}
	}
	return nil
}

// generalise finds the best levels of whole columns.
func (q *Technique) generalise(ctx context.Context, p *Plan, t *table.Table) error {
	hs, err := q.hierarchiesFor(p, t)
	if err != nil {
		return err
	}
	pins, err := q.pins(p, t, hs)
	if err != nil {
		return err
	}
	f, err := p.frame(ctx, t, hs, pins, q.Loss)
	if err != nil {
		return err
	}
	weights, err := q.weights(p, t)
	if err != nil {
		return err
	}
	f.weigh(weights)
	s, err := newSearch(f, q.Goals, q.most(t))
	if err != nil {
		return err
	}
	best, err := s.run(ctx)
	if err != nil {
		return err
	}
	if len(best) == 0 {
		return q.unmet(s, p, t)
	}
	for k, j := range p.Quasi {
		level := s.level(best[0].node, k)
		if level == 0 {
			continue
		}
		p.Columns = append(p.Columns, hierarchy.Raised{Column: j, Level: level, Hierarchy: hs[k]})
		a, top := t.Attr(j), level == hs[k].Height()
		if a.Kind == table.Categorical && !a.Ordered && q.hierarchies[a.Name] == nil && top {
			p.Bare = append(p.Bare, j)
		}
	}
	p.Found, p.whole, p.solution = s.summary(best), q.whole(s, best[0]), s.solution(p, t, best, weights)
	return p.Recoding.Check()
}

// hierarchiesFor returns the hierarchy of every quasi-identifier: the one that was given, or one that is built.
func (q *Technique) hierarchiesFor(p *Plan, t *table.Table) ([]*hierarchy.Hierarchy, error) {
	hs := make([]*hierarchy.Hierarchy, len(p.Quasi))
	for k, j := range p.Quasi {
		c := t.Column(j)
		h, ok := q.hierarchies[c.Name]
		if !ok {
			h = hierarchy.Build(&c)
		}
		if err := h.Check(); err != nil {
			return nil, err
		}
		hs[k] = h
	}
	return hs, nil
}

// weights returns by quasi-identifier how much its loss counts: what the parameter says, over the mean of all.
func (q *Technique) weights(p *Plan, t *table.Table) ([]float64, error) {
	out := slices.Repeat([]float64{1}, len(p.Quasi))
	items, err := named.Assign(t, "weights", q.Weights)
	if err != nil {
		return nil, err
	}
	for _, item := range items {
		k, name := slices.Index(p.Quasi, item.Column), t.Attr(item.Column).Name
		w, err := strconv.ParseFloat(item.Text, 64)
		switch {
		case k < 0:
			return nil, fmt.Errorf("parameter %q: %q is not a quasi-identifier", "weights", name)
		case err != nil || !(w >= leastWeight && w <= 1/leastWeight):
			return nil, fmt.Errorf("parameter %q: the weight of column %q is a number from %v to %v", "weights", name,
				leastWeight, 1/leastWeight)
		}
		out[k] = w
	}
	sum := 0.0
	for _, w := range out {
		sum += w
	}
	for k := range out {
		out[k] = float64(out[k] * (float64(len(out)) / sum))
	}
	return out, nil
}

// leastWeight is the least weight of a column, the most is 1 over it: losses are sums of whole numbers.
const leastWeight = 0.001

// The pins of a quasi-identifier whose level the search chooses: from any, or from 1 on.
const (
	free   = -1
	coarse = -2
)

// pins returns by quasi-identifier the level that the parameter levels pins it at, or free.
func (q *Technique) pins(p *Plan, t *table.Table, hs []*hierarchy.Hierarchy) ([]int, error) {
	pins := slices.Repeat([]int{free}, len(hs))
	for _, s := range q.Levels {
		at := strings.LastIndexByte(s, '=')
		if at < 0 {
			return nil, fmt.Errorf("parameter %q: %q is not column=level, such as age=2", "levels", s)
		}
		k := slices.IndexFunc(p.Quasi, func(j int) bool { return t.Attr(j).Name == s[:at] })
		if k < 0 {
			return nil, fmt.Errorf("parameter %q: %q is not a quasi-identifier", "levels", s[:at])
		}
		level, err := strconv.Atoi(s[at+1:])
		if err != nil || level < 0 || level > hs[k].Height() {
			return nil, fmt.Errorf("parameter %q: column %q has the levels 0 to %d", "levels", s[:at], hs[k].Height())
		}
		pins[k] = level
	}
	return pins, nil
}

// partition halves the records.
func (q *Technique) partition(ctx context.Context, p *Plan, t *table.Table) error {
	f := &frame{}
	f.whose, _ = t.People()
	for _, j := range p.Secret {
		c := t.Column(j)
		f.addSecret(&c)
	}
	f.addPeople()
	given := make([]*hierarchy.Hierarchy, len(p.Quasi))
	for k, j := range p.Quasi {
		given[k] = q.hierarchies[t.Attr(j).Name]
	}
	goal := mondrian.Goal{K: q.K, Rule: func() func([]int32) bool { return f.rule(q.Goals) }}
	var err error
	if p.Regions, err = mondrian.Grow(ctx, p.columns(t), given, goal); err != nil {
		return err
	}
	if _, p.Found, err = p.release(ctx, t); err != nil {
		return err
	}
	if p.Found.Suppressed > q.most(t) {
		return q.beyond(p.Found.Suppressed, p, t, "the partition, by which of their values are missing,")
	}
	return nil
}
