// Package privatetree grows decision trees that are differentially private: a tree of tests that permute-and-flip
// chooses by Gini's index, or of random ones, and a forest of such trees. It also has the forest of Fletcher & Islam
// 2017, which is not private (fletcherislam.go).
//
// The tree has a fixed depth. At every inner node all tests of all inputs are scored by the purity of the two
// branches, whose sensitivity is 1, and one is chosen by permute-and-flip; at every leaf the records of each class are
// counted with discrete Laplace noise. The nodes of a level see different records, so a level costs its epsilon once.
// The share leaves of epsilon goes to the counts of leaves, what is left of it goes to the levels in equal parts. A
// forest grows each tree on its own part of the records, dealt at random, so each has all of epsilon.
//
// Neighbours are tables that differ by one record or, where the parameter unit or the table says so, by one person or
// household with at most records of them: of more, records are left out at random, and noise is that of epsilon/records
// (group privacy).
//
// Nothing that shapes the tree is read from the records but through noise. The cuts of a number lie evenly in its
// declared domain, no more than there are gaps between its values where their step is declared; where no domain is
// declared, one is bought for the share bounds of epsilon, and so are the categories that occur often where delta is
// positive (package domains). Else categories without declared values are left out, with what they would tell. With
// domains=observed all domains are those of the records: the tree is then not private, and no epsilon is charged.
//
// What an intruder learns from the tree: at most what epsilon allows of any one record, whatever else is known. Counts
// in the leaves are noisy, and 0 where they would be negative; labels follow from them.
//
// Missing values take the first branch of a test. Records whose class is missing are left out.
//
// Cost: O(n p depth) for n records of p inputs, for all trees of a forest together.
//
// Departures: Friedman & Schuster choose by the exponential mechanism, of which permute-and-flip is never worse, and
// stop early by noisy counts; here the depth is fixed, so nothing is spent on stopping. Categories are tested one
// against the rest, since branches for all values would spread the records over leaves of noise.
//
// Reference: A. Friedman and A. Schuster, "Data mining with differential privacy", KDD 2010; R. McKenna and
// D. Sheldon, "Permute-and-flip: a new mechanism for differentially private selection", NeurIPS 2020; S. Fletcher and
// M. Z. Islam, "Differentially private random decision forests using smooth sensitivity", Expert Systems with
// Applications 78, 2017.
package privatetree

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/dither-data/dither/budget"
	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/internal/noise/mechanism"
	"github.com/dither-data/dither/internal/noise/units"
	"github.com/dither-data/dither/mine"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/segment/tree"
	"github.com/dither-data/dither/table"
)

// Miners are the catalogue entries.
func Miners() []mine.Miner { return []mine.Miner{Private, FletcherIslam} }

// Private is the catalogue entry of the private tree.
var Private = mine.Miner{
	Card: card.Card{
		Name:    "privatetree",
		Title:   "Differentially private decision tree",
		Aliases: []string{"private tree", "private forest", "DP tree"},
		Summary: "Grows a decision tree, or a forest, that tells little of any one record, whatever else is known.",
		Paper:   "Friedman & Schuster 2010; McKenna & Sheldon 2020",
		Needs: "a categorical class with declared values; declared domains of the inputs: those of numbers are bought " +
			"where they are not declared, and so are categories where delta is positive, else left out",
		Exposes: "at most the parameter epsilon, but for delta, of any one record, or person or household (unit) with at " +
			"most the parameter records of them; neighbouring tables differ by one more or less. Nothing of this holds " +
			"with domains=observed",
		Missing: "the first branch of a test; records without a class are omitted",
		Cost:    "O(p n) per level",
	},
	New: func() mine.Learner { return New() },
}

// Values of parameters.
const (
	Declared = "declared"
	Observed = "observed"
	Gini     = "gini"
	Random   = "random"
)

// Learner grows private trees. The zero value is not usable; take New.
type Learner struct {
	Epsilon float64 // of the whole forest
	Delta   float64 // with which a rare category may be named that is bought; 0 buys none
	Depth   int     // tests on the way to a leaf
	Trees   int     // each on its own part of the records
	Splits  string  // Gini or Random
	Cuts    int     // of a number
	Leaves  float64 // share of epsilon for the counts of leaves, where Splits is Gini
	Bounds  float64 // share of epsilon for domains that are bought
	Unit    string  // of whom the promise is (package units)
	Records int     // that a person has at most
	Domains string  // Declared or Observed
}

var _ mine.Private = (*Learner)(nil)

// New returns a learner with the defaults.
func New() *Learner { return param.Default(&Learner{}) }

// Params declares the parameters.
func (l *Learner) Params() param.Set {
	return param.Set{
		param.Float(&l.Epsilon, "epsilon", 1, 0.001, 100, "", "what the tree may tell of one record, or person: the odds "+
			"of any two tables that differ by it change by e^epsilon at most"),
		param.Float(&l.Delta, "delta", 0, 0, 0.1, "", "with which probability they may change by more; it serves to buy "+
			"categories, and 0 buys none"),
		param.Int(&l.Depth, "depth", 5, 0, 16, "tests", "tests on the way to a leaf"),
		param.Int(&l.Trees, "trees", 1, 1, 1000, "trees", "trees of a forest, each on its own part of the records"),
		param.Choice(&l.Splits, "splits", Gini, []string{Gini, Random}, "how tests are chosen: privately by Gini's "+
			"index, or at random, which costs nothing"),
		param.Int(&l.Cuts, "cuts", 32, 1, 1000, "cuts", "cuts of a number that are tried, evenly in its domain"),
		param.Float(&l.Leaves, "leaves", 0.4, 0.01, 0.99, "share", "share of epsilon for the counts in leaves; the rest "+
			"is for choosing tests"),
		param.Float(&l.Bounds, "bounds", 0.1, 0.01, 0.5, "share", "share of epsilon for buying the domains of inputs "+
			"that have no declared one"),
		units.Param(&l.Unit),
		units.RecordsParam(&l.Records),
		param.Choice(&l.Domains, "domains", Declared, []string{Declared, Observed}, "where domains come from: declared, "+
			"or observed, which makes the tree not private"),
	}
}

// Charges returns what a fit to a table spends.
func (l *Learner) Charges(t *table.Table) ([]budget.Entry, error) {
	if l.Domains == Observed {
		return nil, nil
	}
	p, err := l.plan(t)
	if err != nil {
		return nil, err
	}
	e := budget.Entry{
		Amount: budget.Of(p.epsilon), Kind: budget.Pure, Mechanism: "permute-and-flip and discrete Laplace",
		Neighbours: budget.AddOrRemove, Unit: p.unit, Purpose: "privatetree",
		Parameters: map[string]string{"depth": strconv.Itoa(l.Depth), "trees": strconv.Itoa(l.Trees),
			"splits": l.Splits, "bought": strconv.Itoa(len(p.bought))},
	}
	if p.delta > 0 {
		if e.Delta, err = budget.Parse(strconv.FormatFloat(p.delta, 'g', -1, 64)); err != nil {
			return nil, fmt.Errorf("delta: %w", err)
		}
	}
	return []budget.Entry{e}, nil
}

// plan is what a fit will do, as far as it does not depend on the records.
type plan struct {
	class      int
	unit       budget.Unit
	epsilon    mechanism.Ratio // of the whole
	each       mechanism.Ratio // of one record
	delta      float64         // of the whole; 0 where no categories are bought
	inputs     []input         // those without tests get theirs from what is bought
	bought     []int           // positions in inputs
	categories int             // of those
}

func (l *Learner) plan(t *table.Table) (*plan, error) {
	class, err := mine.ClassOf(t)
	if err != nil {
		return nil, err
	}
	p := &plan{class: class, unit: units.Of(l.Unit, t, l.Records)}
	if a := t.Attr(class); len(a.Labels) == 0 || !a.Declared && l.Domains == Declared {
		return nil, fmt.Errorf("the values of the class %q are not declared: a policy says them, columns: {%s: {values: "+
			"[...]}}; those that occur would tell of single records (domains=observed takes them, without privacy)",
			a.Name, a.Name)
	}
	if p.epsilon, err = mechanism.Decimal(l.Epsilon); err != nil {
		return nil, fmt.Errorf("epsilon: %w", err)
	}
	if p.each, err = p.epsilon.Over(uint64(p.unit.Records)); err != nil {
		return nil, fmt.Errorf("epsilon: %w", err)
	}
	l.list(t, p)
	return p, nil
}

// list lists the inputs of a plan, and those whose domains are bought.
func (l *Learner) list(t *table.Table, p *plan) {
	for j := range t.Width() {
		a := t.Attr(j)
		known := a.Declared || l.Domains == Observed
		switch {
		case j == p.class || a.Role&(table.Identifier|table.Weight) != 0:
		case a.Kind == table.Categorical && known && len(a.Labels) > 1:
			p.inputs = append(p.inputs, input{column: j, labels: len(a.Labels)})
		case a.Kind == table.Numeric && known:
			if cuts := evenly(a.Domain.Lo, a.Domain.Hi, l.cuts(a)); len(cuts) > 0 {
				p.inputs = append(p.inputs, input{column: j, cuts: cuts})
			}
		case a.Kind == table.Numeric || a.Kind == table.Categorical && !known && l.Delta > 0:
			p.bought = append(p.bought, len(p.inputs))
			p.inputs = append(p.inputs, input{column: j})
			if a.Kind == table.Categorical {
				p.categories, p.delta = p.categories+1, l.Delta
			}
		}
	}
}

// cuts returns how many cuts of a number are tried: where its step is declared at most as many as its values leave
// gaps, so that each divides them in another way. A cut that divides none would be paid for like any other.
func (l *Learner) cuts(a *table.Attribute) int {
	if !a.StepDeclared || a.Step <= 0 {
		return l.Cuts
	}
	return int(min(float64(l.Cuts), math.Round((a.Domain.Hi-a.Domain.Lo)/a.Step)))
}

// evenly returns cuts that divide an interval into parts of one length.
func evenly(lo, hi float64, cuts int) (out []float64) {
	for k := 1; k <= cuts && hi > lo && hi-lo < 1e300; k++ {
		out = append(out, lo+float64((hi-lo)*float64(k)/float64(cuts+1)))
	}
	return out
}

// Fit grows a *tree.Tree, or a *tree.Forest of several, for the column with the role Class.
func (l *Learner) Fit(ctx context.Context, t *table.Table, src rng.Source) (mine.Model, error) {
	p, err := l.plan(t)
	if err != nil {
		return nil, err
	}
	src = src.Fork("privatetree")
	of, n := units.Members(p.unit, t)
	rows := kept(t, p.class, of, n, p.unit.Records, src.Fork("people"))
	each := p.each
	if len(p.bought) > 0 {
		if each, err = l.buy(t, p, rows, src.Fork("bounds").Stream().Words()); err != nil {
			return nil, err
		}
	}
	noise, err := l.noise(each, len(p.inputs) > 0)
	if err != nil {
		return nil, err
	}
	return forest(ctx, t, p, rows, l.Trees, src, func(g *grower, w mechanism.Words) {
		g.depth = l.Depth
		if g.choose = g.greedy(noise.tests, w); l.Splits == Random {
			g.choose = g.random(w)
		}
		g.label = func(counts []int64) []float64 { return noisy(counts, noise.counts, w) }
	})
}

// noise is what a tree is grown with.
type noise struct {
	tests  mechanism.Selection
	counts mechanism.Laplace
}

// noise shares out an epsilon among the levels and the leaves.
func (l *Learner) noise(each mechanism.Ratio, inputs bool) (out noise, err error) {
	leaves := each
	if l.Splits == Gini && l.Depth > 0 && inputs {
		if leaves, err = mechanism.AtMost(float64(each.Float() * l.Leaves)); err != nil {
			return out, err
		}
		level, err := mechanism.AtMost(each.Float() * (1 - l.Leaves) / float64(l.Depth))
		if err != nil {
			return out, err
		}
		if out.tests, err = mechanism.NewSelection(level, 1<<scale); err != nil {
			return out, err
		}
	}
	out.counts, err = mechanism.NewLaplace(leaves, 1)
	return out, err
}

// forest grows trees, each on its own part of the records.
func forest(ctx context.Context, t *table.Table, p *plan, rows []int32, trees int, src rng.Source,
	equip func(g *grower, w mechanism.Words)) (mine.Model, error) {
	attrs := slices.Clone(t.Attrs())
	f := &tree.Forest{Voting: tree.Majority}
	var cells [][]int32
	for k := range p.inputs {
		cells = append(cells, p.inputs[k].cells(t))
	}
	parts := dealt(t, rows, trees, src.Fork("parts").Stream())
	for k := range trees {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		g := &grower{attrs: attrs, inputs: p.inputs, cells: cells, class: t.Cat(p.class), classes: len(attrs[p.class].Labels)}
		equip(g, src.Fork("tree "+strconv.Itoa(k)).Stream().Words())
		if len(p.inputs) == 0 {
			g.depth = 0
		}
		g.grow(parts[k], 0, 0)
		f.Trees = append(f.Trees, &tree.Tree{Attrs: attrs, Class: p.class, Nodes: g.settle()})
	}
	if trees == 1 {
		return f.Trees[0], nil
	}
	return f, nil
}

// kept returns the rows whose class is known, of every unit so many at most, chosen at random.
func kept(t *table.Table, class int, of []int32, units, most int, src rng.Source) (out []int32) {
	if of == nil {
		for i, c := range t.Cat(class) {
			if c >= 0 {
				out = append(out, int32(i))
			}
		}
		return out
	}
	seen := make([]int, units)
	ids, start := t.IDs()
	for _, i := range rng.Order(src.Stream(), t.Rows(), t.Rows(), ids, start) {
		if seen[of[i]] < most {
			seen[of[i]]++
			if t.Cat(class)[i] >= 0 {
				out = append(out, int32(i))
			}
		}
	}
	return out
}

// dealt deals rows at random: each goes to one of so many parts, whatever becomes of the others.
func dealt(t *table.Table, rows []int32, parts int, s rng.Stream) [][]int32 {
	out := make([][]int32, parts)
	for _, i := range rows {
		k := rng.Below(s.At(uint64(t.ID(int(i)))).A, parts)
		out[k] = append(out[k], i)
	}
	return out
}

// noisy returns counts with noise, and 0 for those that became negative.
func noisy(counts []int64, law mechanism.Laplace, w mechanism.Words) []float64 {
	out := make([]float64, len(counts))
	for c, n := range counts {
		out[c] = float64(max(0, n+law.Draw(w)))
	}
	return out
}

// random chooses an input, and one of its tests, without looking at the records.
func (g *grower) random(w mechanism.Words) func([]int32) (in, test int) {
	return func([]int32) (int, int) {
		in := rng.Below(w.Next(), len(g.inputs))
		return in, rng.Below(w.Next(), g.inputs[in].tests())
	}
}
