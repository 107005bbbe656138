package tree

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// lone is a tree of one leaf.
func lone(label int32, counts ...float64) *Tree {
	labels := []string{"a", "b", "c"}[:len(counts)]
	return &Tree{Attrs: []table.Attribute{{Name: "class", Kind: table.Categorical, Labels: labels}},
		Nodes: []Node{{Attr: -1, Counts: counts, Label: label}}}
}

// What the votings make of leaves, worked out by hand. The orders are those of the classes of credal, v1, v2 and
// majority.
func TestVotings(t *testing.T) {
	for _, c := range []struct {
		name   string
		leaves []*Tree
		want   [4]int32 // credal, v1, v2, majority
	}{
		// Credal: (3,1)/4 + (20,21)/41 + (20,21)/41 = 1.73 against 1.27; v2: 3 against 42.
		{"a sure one against two unsure", []*Tree{lone(0, 3, 0), lone(1, 19, 21), lone(1, 19, 21)}, [4]int32{0, 0, 1, 1}},
		// Credal: the leaf of one record says (1,1)/2, the other two (5,2)/7 together 1.93; v1: accuracy 1.
		{"a small pure leaf", []*Tree{lone(1, 0, 1), lone(0, 5, 1), lone(0, 5, 1)}, [4]int32{0, 1, 0, 0}},
		// Credal: (2,1)/3 + (1,1)/2 + (9,10)/19: 1.64 against 1.36; v1: of accuracy 1 the larger; v2: 2 against 11.
		{"one more record", []*Tree{lone(0, 2, 0), lone(1, 0, 1), lone(1, 8, 10)}, [4]int32{0, 0, 1, 1}},
		// Credal: (1,1)/2 twice says nothing, (1,3)/4 decides; v1: the larger leaf; v2: 2 against 3.
		{"equal accuracy", []*Tree{lone(0, 1, 0), lone(1, 0, 3), lone(0, 1, 0)}, [4]int32{1, 1, 1, 0}},
		// One more record makes every leaf equal: the larger support, 32 against 31.75, wins over two labels.
		{"equal but for support", []*Tree{lone(1, 1, 1.25), lone(1, 1, 1.25), lone(0, 30, 29.25)}, [4]int32{0, 1, 0, 1}},
		// Empty leaves say nothing but their labels.
		{"empty leaves", []*Tree{lone(1, 0, 0), lone(1, 0, 0), lone(0, 0, 0)}, [4]int32{1, 1, 1, 1}},
		// Three classes: two leaves for b beat one for c, but not by accuracy.
		{"three classes", []*Tree{lone(1, 2, 3, 2), lone(1, 2, 3, 2), lone(2, 0, 1, 8)}, [4]int32{2, 2, 2, 1}},
		// Plurality is equal: the accuracies decide, 0.9 against 0.6.
		{"one against one", []*Tree{lone(0, 12, 8), lone(1, 1, 9)}, [4]int32{1, 1, 0, 1}},
	} {
		for k, voting := range []string{"credal", "v1", "v2", "majority"} {
			f := &Forest{Trees: c.leaves, Voting: voting}
			got := []int32{-1}
			tab := tabletest.Of(t, table.Column{Attribute: f.Attrs()[0], Cat: []int32{0}})
			if f.Predict(tab, got); got[0] != c.want[k] {
				t.Errorf("%s: %s predicts %d, expected %d", c.name, voting, got[0], c.want[k])
			}
		}
	}
}

// A forest of one tree, and one of the same tree thrice, predicts as the tree; also records that follow all branches.
func TestSameTreeThrice(t *testing.T) {
	long.Check(t, func(t *rapid.T) {
		tr := drawTree(t)
		for i := range tr.Nodes { // leaves that say what they count
			if n := &tr.Nodes[i]; n.Weight() > 0 {
				n.Label = argmax(n.Counts)
			}
		}
		tab := drawTable(t, tr.Attrs)
		want, got := make([]int32, tab.Rows()), make([]int32, tab.Rows())
		tr.Predict(tab, want)
		for _, voting := range Votings {
			for _, trees := range [][]*Tree{{tr}, {tr, tr, tr}} {
				f := &Forest{Trees: trees, Voting: voting}
				f.Predict(tab, got)
				for r := range got {
					if got[r] != want[r] && !tied(tr, tab, r) {
						t.Fatalf("%s of %d: record %d is predicted %d, expected %d", voting, len(trees), r, got[r], want[r])
					}
				}
			}
		}
	})
}

// tied reports whether two classes are equally strong in what the tree says of a record.
func tied(tr *Tree, tab *table.Table, r int) bool {
	v := voter{t: tr, tab: tab, votes: make([]float64, len(tr.ClassLabels()))}
	v.vote(0, r, 1)
	slices.Sort(v.votes)
	n := len(v.votes)
	return n > 1 && v.votes[n-1]-v.votes[n-2] < 1e-9
}

// The order of the trees does not matter but for v1, where it breaks ties.
func TestOrderOfTrees(t *testing.T) {
	long.Check(t, func(t *rapid.T) {
		f := drawForest(t)
		if f.Voting == "v1" {
			f.Voting = "v2"
		}
		tab := drawTable(t, f.Attrs())
		there, back := make([]int32, tab.Rows()), make([]int32, tab.Rows())
		f.Predict(tab, there)
		slices.Reverse(f.Trees)
		f.Predict(tab, back)
		if !slices.Equal(there, back) {
			t.Fatalf("%s predicts %v, reversed %v", f.Voting, there, back)
		}
	})
}

// A record with a missing value is one leaf of mean counts: half of it comes from each branch of equal weight.
func TestMissingVotes(t *testing.T) {
	tr := stump(2)
	tr.Nodes[0].Counts = []float64{10, 10}
	tr.Nodes[1] = Node{Attr: -1, Counts: []float64{9, 1}}
	tr.Nodes[2] = Node{Attr: -1, Counts: []float64{1, 9}, Label: 1}
	tab := tabletest.Of(t, table.Column{Attribute: tr.Attrs[0], Num: []float64{math.NaN()}},
		table.Column{Attribute: tr.Attrs[1], Cat: []int32{0}})
	w := tr.witness(tab)
	if b := w.says(0); !slices.Equal(b.counts, []float64{5, 5}) || b.support != 10 || b.accuracy != 0.5 {
		t.Errorf("ballot %+v, expected counts 5 and 5", b)
	}
}

func TestUnknownVoting(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("a forest of an unknown voting predicts")
		}
	}()
	f := &Forest{Trees: []*Tree{lone(0, 1, 0), lone(1, 0, 1)}, Voting: "loudest"}
	tab := tabletest.Of(t, table.Column{Attribute: f.Attrs()[0], Cat: []int32{0}})
	f.Predict(tab, make([]int32, 1))
}
