package framework

import (
	"context"
	"fmt"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/dither-data/dither/generate"
	"github.com/dither-data/dither/internal/executor"
	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/segment/tree"
	"github.com/dither-data/dither/table"
)

func frameworkRandomSettings(r *rapid.T) map[string]string {
	pick := func(name string, from ...string) string { return rapid.SampledFrom(from).Draw(r, name) }
	return map[string]string{
		"minLeaf": pick("minLeaf", "1", "2", "5"), "noPrune": pick("noPrune", "true", "false"),
		"mergeSameClassLeaves": pick("merge", "true", "false"), "minGainRule": pick("rule", "avg", "c50"),
		"spread": pick("spread", "33.33", "0.001", "1000"), "p": pick("p", "0.1", "1"),
		"siblings": pick("siblings", "equal", "proportional"), "classTechnique": pick("technique", "rpt", "ppt"),
	}
}

func frameworkFit(t rapid.TB, tab *table.Table, set map[string]string) *FrameworkPlan {
	q := NewFramework()
	must.NoError(t, q.Params().Apply(set))
	p := must.Get(q.Fit(context.Background(), tab, rng.New([32]byte{5})))(t)
	return p.(*FrameworkPlan)
}

func frameworkRelease(t rapid.TB, p protect.Plan, tab *table.Table, seed byte) *table.Table {
	out := must.Get(executor.Run(context.Background(), p, tab, rng.New([32]byte{seed}), protect.Options{Chunk: 17}))(t)
	return out
}

func frameworkLeaves(tr *tree.Tree, t *table.Table) []int32 {
	out := make([]int32, t.Rows())
	tr.Route(t, out)
	return out
}

// TestFrameworkEveryRecordStays is the promise of influential=keep: after all steps every record is in its original
// leaf, and with RPT every leaf has its original classes.
func TestFrameworkEveryRecordStays(t *testing.T) {
	long.Check(t, func(r *rapid.T) {
		tab, set := protecttest.RandomTable(r), frameworkRandomSettings(r)
		p := frameworkFit(r, tab, set)
		out := frameworkRelease(r, p, tab, byte(rapid.IntRange(0, 255).Draw(r, "seed")))
		before, after := frameworkLeaves(p.Tree, tab), frameworkLeaves(p.Tree, out)
		if !slices.Equal(before, after) {
			t.Fatalf("leaves %v, after the release %v", before, after)
		}
		if set["classTechnique"] == "rpt" && !slices.EqualFunc(p.Count(tab, before), p.Count(out, after), slices.Equal) {
			t.Fatalf("class counts %v, after the release %v", p.Count(tab, before), p.Count(out, after))
		}
	})
}

// TestMissingTestedValues removes a quarter of the values of the attribute that the root tests. Every record still
// keeps its leaf under Route and every leaf its classes, so the label of the leaf is right as often as before, and a
// record whose tested values are known is predicted as before. On the other records all branches vote, and some of
// these predictions change.
func TestMissingTestedValues(t *testing.T) {
	tab := generate.CR(2000, rng.New([32]byte{1}))
	root := frameworkFit(t, tab, nil).Tree.Nodes[0].Attr
	c := tab.Column(root)
	if c.Kind == table.Numeric {
		c.Num = slices.Clone(c.Num)
	} else {
		c.Cat = slices.Clone(c.Cat)
	}
	for i := 0; i < tab.Rows(); i += 4 {
		if c.Kind == table.Numeric {
			c.Num[i] = math.NaN()
		} else {
			c.Cat[i] = -1
		}
	}
	tab = must.Get(tab.WithColumn(root, c))(t)
	p := frameworkFit(t, tab, nil)
	if p.Tree.Nodes[0].Leaf() {
		t.Fatal("the tree tests nothing")
	}
	out := frameworkRelease(t, p, tab, 1)
	before, after := frameworkLeaves(p.Tree, tab), frameworkLeaves(p.Tree, out)
	if !slices.Equal(before, after) || !slices.EqualFunc(p.Count(tab, before), p.Count(out, after), slices.Equal) {
		t.Error("a record left its leaf, or a leaf has other classes")
	}
	was, is := make([]int32, tab.Rows()), make([]int32, tab.Rows())
	p.Tree.Predict(tab, was)
	p.Tree.Predict(out, is)
	changed := 0
	for i := range was {
		switch {
		case was[i] == is[i]:
		case frameworkKnown(tab, i):
			t.Fatalf("row %d is complete and predicted otherwise", i)
		default:
			changed++
		}
	}
	if changed == 0 {
		t.Error("no prediction changed; expected some of those that all branches vote on")
	}
}

// frameworkKnown reports whether the record has no missing value.
func frameworkKnown(t *table.Table, i int) bool {
	for j := range t.Width() {
		if t.MissingAt(i, j) {
			return false
		}
	}
	return true
}

// TestFrameworkStepsAlone checks that the executor, which routes the records once for all steps, releases what each
// step releases on its own.
func TestFrameworkStepsAlone(t *testing.T) {
	long.Check(t, func(r *rapid.T) {
		tab := protecttest.RandomTable(r)
		p := frameworkFit(r, tab, frameworkRandomSettings(r))
		out := frameworkRelease(r, p, tab, 1)
		for k, step := range p.Steps() {
			alone := must.Get(step.Apply(tab, rng.New([32]byte{1}).Fork(protect.StepLabel(k))))(t)
			for _, name := range step.Changes() {
				j := tab.Find(name)
				if fmt.Sprint(alone.Num(j), alone.Cat(j)) != fmt.Sprint(out.Num(j), out.Cat(j)) {
					t.Fatalf("step %d, column %q: %v, expected %v", k, name, out.Column(j), alone.Column(j))
				}
			}
		}
	})
}

// TestFrameworkGroups checks the contract of a grouper: the plan applied to parts that hold whole leaves releases what
// the executor does.
func TestFrameworkGroups(t *testing.T) {
	tab := generate.Patients(800, rng.New([32]byte{1}))
	tab = tab.Select(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12)
	p := frameworkFit(t, tab, nil)
	out := frameworkRelease(t, p, tab, 1)
	groups := must.Get(p.Group(tab))(t)
	for _, odd := range []bool{false, true} {
		var rows []int
		for i, g := range groups {
			if g%2 == 1 == odd {
				rows = append(rows, i)
			}
		}
		part := must.Get(p.Apply(tab.Gather(rows), rng.New([32]byte{1})))(t)
		for k, i := range rows {
			for j := range tab.Width() {
				same := part.MissingAt(k, j) && out.MissingAt(i, j)
				if tab.Num(j) != nil {
					same = same || part.Num(j)[k] == out.Num(j)[i]
				} else {
					same = part.Cat(j)[k] == out.Cat(j)[i]
				}
				if !same {
					t.Fatalf("row %d, column %q differs", i, tab.Attr(j).Name)
				}
			}
		}
	}
}

// TestFrameworkAdult fits and applies the Framework to the 30,162 complete records of Adult with the setting of section
// 7.3.1: every record stays in its leaf and every leaf keeps its classes, and the printed CAPT takes many records out.
func TestFrameworkAdult(t *testing.T) {
	long.Only(t, "30,162 records")
	tab := protecttest.AdultLike(t, 30_162)
	for _, influential := range []string{"keep", "paper"} {
		p := frameworkFit(t, tab, map[string]string{"minLeaf": "200", "influential": influential})
		out := must.Get(executor.Run(context.Background(), p, tab, rng.New([32]byte{1}), protect.Options{}))(t)
		before, after := frameworkLeaves(p.Tree, tab), frameworkLeaves(p.Tree, out)
		left := 0
		for i := range before {
			if before[i] != after[i] {
				left++
			}
		}
		if influential == "keep" != (left == 0) {
			t.Errorf("influential=%s: %d of 30162 records left their leaf", influential, left)
		}
		if influential == "keep" && !slices.EqualFunc(p.Count(tab, before), p.Count(out, after), slices.Equal) {
			t.Error("a leaf has other classes")
		}
		t.Logf("influential=%s: %d leaves, %.1f %% of the records left theirs", influential, len(p.Tree.Leaves()),
			float64(left)/301.62)
	}
}
