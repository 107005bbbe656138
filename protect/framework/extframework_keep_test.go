package framework

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/dither-data/dither/generate"
	"github.com/dither-data/dither/internal/executor"
	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/measure/segments"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/segment/tree"
	"github.com/dither-data/dither/table"
)

func extFrameworkRandomSettings(r *rapid.T) map[string]string {
	pick := func(name string, from ...string) string { return rapid.SampledFrom(from).Draw(r, name) }
	return map[string]string{
		"technique": pick(
			"technique",
			GADP,
			CGADP,
			EGADP,
		), "outside": pick("outside", "clip", "redraw"), "small": pick("small", Pool, Noise),
		"minLeaf": pick("minLeaf", "1", "2", "5"), "noPrune": pick("noPrune", "true", "false"),
		"mergeSameClassLeaves": pick("merge", "true", "false"), "minGainRule": pick("rule", "avg", "c50"),
		"spread": pick("spread", "33.33", "0.001", "1000"), "p": pick("p", "0.1", "1"),
		"siblings": pick("siblings", "equal", "proportional"), "classTechnique": pick("class", "rpt", "ppt"),
	}
}

func extFrameworkFit(t rapid.TB, tab *table.Table, set map[string]string) *ExtFrameworkPlan {
	q := NewExtFramework()
	must.NoError(t, q.Params().Apply(set))
	p := must.Get(q.Fit(context.Background(), tab, rng.New([32]byte{5})))(t)
	must.NoError(t, p.(*ExtFrameworkPlan).Check())
	return p.(*ExtFrameworkPlan)
}

func extFrameworkRelease(t rapid.TB, p protect.Plan, tab *table.Table, seed byte) *table.Table {
	out := must.Get(executor.Run(context.Background(), p, tab, rng.New([32]byte{seed}), protect.Options{Chunk: 17}))(t)
	return out
}

func extFrameworkLeaves(tr *tree.Tree, t *table.Table) []int32 {
	out := make([]int32, t.Rows())
	tr.Route(t, out)
	return out
}

// sameCell reports whether rows of two tables agree in a column.
func sameCell(a *table.Table, i int, b *table.Table, k, j int) bool {
	if a.Attr(j).Kind == table.Numeric {
		return a.Num(j)[i] == b.Num(j)[k] || a.MissingAt(i, j) && b.MissingAt(k, j)
	}
	return a.Cat(j)[i] == b.Cat(j)[k]
}

// TestExtFrameworkEveryRecordStays is the promise of influential=keep: after all steps every record is in its original
// leaf, and with RPT every leaf has its original classes.
func TestExtFrameworkEveryRecordStays(t *testing.T) {
	long.Check(t, func(r *rapid.T) {
		tab, set := protecttest.RandomTable(r), extFrameworkRandomSettings(r)
		p := extFrameworkFit(r, tab, set)
		out := extFrameworkRelease(r, p, tab, byte(rapid.IntRange(0, 255).Draw(r, "seed")))
		before, after := extFrameworkLeaves(p.Tree, tab), extFrameworkLeaves(p.Tree, out)
		if !slices.Equal(before, after) {
			t.Fatalf("leaves %v, after the release %v", before, after)
		}
		if set["classTechnique"] == "rpt" && !slices.EqualFunc(p.Count(tab, before), p.Count(out, after), slices.Equal) {
			t.Fatalf("class counts %v, after the release %v", p.Count(tab, before), p.Count(out, after))
		}
	})
}

// TestExtFrameworkStepsAlone checks that the executor, which routes the records once for all steps, releases what each
// step releases on its own.
func TestExtFrameworkStepsAlone(t *testing.T) {
	long.Check(t, func(r *rapid.T) {
		tab := protecttest.RandomTable(r)
		p := extFrameworkFit(r, tab, extFrameworkRandomSettings(r))
		out := extFrameworkRelease(r, p, tab, 1)
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

// TestExtFrameworkGroups checks the contract of a grouper: parts that hold whole groups, their records in any order,
// are released as the whole table is. Small leaves are pooled, so that some groups hold several leaves.
func TestExtFrameworkGroups(t *testing.T) {
	tab := generate.Patients(800, rng.New([32]byte{1})).Select(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12)
	for _, technique := range []string{GADP, CGADP, EGADP} {
		p := extFrameworkFit(t, tab, map[string]string{"technique": technique, "minLeaf": "4", "outside": "redraw"})
		out := extFrameworkRelease(t, p, tab, 1)
		groups := must.Get(p.Group(tab))(t)
		if p.Facts.Pooled.Leaves == 0 || len(p.Pools) == 0 {
			t.Fatal("no leaf is pooled")
		}
		parts := [2][]int{}
		for i, g := range groups {
			parts[g%2] = append(parts[g%2], i)
		}
		for _, rows := range parts {
			slices.Reverse(rows)
			part := must.Get(p.Apply(tab.Gather(rows), rng.New([32]byte{1})))(t)
			for k, i := range rows {
				for j := range tab.Width() {
					if !sameCell(part, k, out, i, j) {
						t.Fatalf("%s: row %d, column %q differs", technique, i, tab.Attr(j).Name)
					}
				}
			}
		}
	}
}

// TestCertificate fits and applies the technique to the 30,162 complete records of Adult with the setting of section
// 7.3.1: with influential=keep the measure segments certifies that every record stays, and that all values are on their
// grid and in their domain.
func TestCertificate(t *testing.T) {
	tab := protecttest.AdultLike(t, long.Of(3_000, 30_162))
	for _, influential := range []string{"keep", "paper"} {
		p := extFrameworkFit(t, tab, map[string]string{"minLeaf": "200", "influential": influential})
		out := must.Get(executor.Run(context.Background(), p, tab, rng.New([32]byte{1}), protect.Options{}))(t)
		d := must.Get(segments.Certify(context.Background(), p.Segmentation(), tab, out))(t)
		if d.Certified() != (influential == "keep") {
			t.Errorf("influential=%s: certified is %v: %+v", influential, d.Certified(), d)
		}
		before, after := extFrameworkLeaves(p.Tree, tab), extFrameworkLeaves(p.Tree, out)
		if influential == "keep" && !slices.EqualFunc(p.Count(tab, before), p.Count(out, after), slices.Equal) {
			t.Error("a leaf has other classes")
		}
	}
}

// TestOrder checks that the last digits of sums, which depend on their order, do not reach the release: of 60,000
// values on grids of a few millionths of a millionth of a standard deviation, a dozen would differ.
func TestOrder(t *testing.T) {
	tab, tr := two(t, 20_000)
	for j := range 3 {
		a := *tab.Attr(j)
		a.Declared = false
		a.Domain.Lo, a.Domain.Hi = table.Range(tab.Num(j))
		tab = tab.WithAttr(j, a)
	}
	tr.Attrs = tab.Attrs()
	order := rand.New(rand.NewPCG(3, 4)).Perm(tab.Rows())
	for _, technique := range []string{GADP, CGADP, EGADP} {
		p := handed(t, tab, tr, map[string]string{"technique": technique})
		want, got := extFrameworkRelease(t, p, tab, 1), extFrameworkRelease(t, p, tab.Gather(order), 1)
		for k, i := range order {
			for j := range tab.Width() {
				if !sameCell(want, i, got, k, j) {
					t.Fatalf("%s: row %d, column %d depends on the order", technique, i, j)
				}
			}
		}
	}
}
