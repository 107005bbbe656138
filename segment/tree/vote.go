package tree

import (
	"math"

	"github.com/dither-data/dither/internal/mining/criterion"
	"github.com/dither-data/dither/table"
)

// The votings.
const (
	Credal   = "credal"
	Voting1  = "v1"
	Voting2  = "v2"
	Majority = "majority"
)

// Votings are the rules by which a forest combines what its trees say of a record; the first is the default. Every
// tree gives a leaf: the accuracy of a leaf is the share of its training records that have its label, its support
// their number.
//
//   - credal adds up, over the trees, the distributions of largest entropy that the leaves' class counts leave open
//     when one more record may turn up (imprecise Dirichlet model with s = 1; Abellan & Masegosa 2010): small leaves
//     say little. Of equal classes the one of larger total support wins, then the one that labels more leaves.
//   - v1 follows the leaf of highest accuracy; of equal ones that of larger support, then of the earlier tree (Voting-1
//     of Islam & Giggins 2011).
//   - v2 adds accuracy times support to a leaf's label (Voting-2).
//   - majority counts the labels; of equal ones that of the larger sum of accuracies wins.
//
// Islam & Giggins 2011 and Fletcher & Islam 2015, section 3, name the votings but do not define credal voting for
// SysFor's trees; these are the readings. What is still equal goes to the first class. Sums within 1e-12 are equal.
var Votings = []string{Credal, Voting1, Voting2, Majority}

// Predict writes the code of the predicted class of every record into dst, which has length tab.Rows(). The table
// must conform to Attrs. A forest of one tree predicts as the tree does, with any voting.
//
// A record whose tested value is missing, or has no branch, reaches several leaves of a tree in part (Tree.Predict).
// They vote as one leaf: its class distribution and its support are theirs, weighted by the parts. Predict panics when
// the voting is none of Votings. Cost: O(rows x (depth + classes)) per tree.
func (f *Forest) Predict(tab *table.Table, dst []int32) {
	if len(f.Trees) == 1 {
		f.Trees[0].Predict(tab, dst)
		return
	}
	decide := f.rule()
	trees := make([]witness, len(f.Trees))
	for i, t := range f.Trees {
		trees[i] = t.witness(tab)
	}
	ballots := make([]*ballot, len(trees))
	p := newPoll(len(f.ClassLabels()))
	for r := range dst {
		for i := range trees {
			ballots[i] = trees[i].says(r)
		}
		dst[r] = decide(p, ballots)
	}
}

// ballot is what a tree says of a record: the class counts of its leaf and what follows from them.
type ballot struct {
	label             int32
	counts            []float64
	support, accuracy float64
	credal            []float64 // the distribution of largest entropy
}

func newBallot(counts []float64, label int32) ballot {
	b := ballot{label: label, counts: counts, credal: make([]float64, len(counts))}
	for _, w := range counts {
		b.support += w
	}
	if b.support > 0 {
		b.accuracy = counts[label] / b.support
	}
	criterion.UpperShares(b.credal, counts, 1)
	return b
}

// witness is a tree with what it says of the records of a table.
type witness struct {
	voter
	leaf    []int32  // by record
	ballots []ballot // by leaf
	open    []bool   // records that may reach several leaves; nil: none
}

func (t *Tree) witness(tab *table.Table) witness {
	w := witness{voter: voter{t: t, tab: tab}, leaf: make([]int32, tab.Rows()), open: t.undecided(tab)}
	t.Route(tab, w.leaf)
	for _, i := range t.Leaves() {
		w.ballots = append(w.ballots, newBallot(t.Nodes[i].Counts, t.Nodes[i].Label))
	}
	return w
}

// says returns the ballot of record r.
func (w *witness) says(r int) *ballot {
	if w.open == nil || !w.open[r] || w.t.Reaches(w.tab, r) >= 0 {
		return &w.ballots[w.leaf[r]]
	}
	w.votes, w.support = make([]float64, len(w.t.ClassLabels())), 0
	w.vote(0, r, 1)
	label := argmax(w.votes)
	for c := range w.votes {
		w.votes[c] = float64(w.votes[c] * w.support)
	}
	b := newBallot(w.votes, label)
	return &b
}

// poll holds three figures per class: the one that decides, the one that decides when the first is equal, and the one
// after that.
type poll [3][]float64

func newPoll(classes int) *poll {
	p := new(poll)
	for k := range p {
		p[k] = make([]float64, classes)
	}
	return p
}

func (p *poll) clear() {
	for _, v := range p {
		clear(v)
	}
}

// winner returns the class of the largest figures, the first of equal ones.
func (p *poll) winner() int32 {
	best := 0
	for c := range p[0] {
		for _, v := range p {
			if d := v[c] - v[best]; math.Abs(d) > 1e-12*max(1, v[best]) {
				if d > 0 {
					best = c
				}
				break
			}
		}
	}
	return int32(best)
}

// rule returns the rule of the forest's voting.
func (f *Forest) rule() func(*poll, []*ballot) int32 {
	switch f.voting() {
	case Credal:
		return credal
	case Voting1:
		return voting1
	case Voting2:
		return voting2
	case Majority:
		return plurality
	}
	panic("tree: unknown voting " + f.Voting)
}

func credal(p *poll, ballots []*ballot) int32 {
	p.clear()
	for _, b := range ballots {
		for c := range b.counts {
			p[0][c] += b.credal[c]
			p[1][c] += b.counts[c]
		}
		p[2][b.label]++
	}
	return p.winner()
}

func voting1(_ *poll, ballots []*ballot) int32 {
	best := ballots[0]
	for _, b := range ballots[1:] {
		if d := b.accuracy - best.accuracy; d > 1e-12 || d >= -1e-12 && b.support > best.support {
			best = b
		}
	}
	return best.label
}

func voting2(p *poll, ballots []*ballot) int32 {
	p.clear()
	for _, b := range ballots {
		p[0][b.label] += b.counts[b.label] // accuracy times support
		p[1][b.label] += b.support
		p[2][b.label]++
	}
	return p.winner()
}

func plurality(p *poll, ballots []*ballot) int32 {
	p.clear()
	for _, b := range ballots {
		p[0][b.label]++
		p[1][b.label] += b.accuracy
		p[2][b.label] += b.support
	}
	return p.winner()
}
