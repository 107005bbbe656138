package leafwise_test

import (
	"context"
	"math"
	"testing"

	"github.com/dither-data/dither/internal/stats/aggregate"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/internal/leafwise"
	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/table"
)

func leaves() *leafwise.Leaves { return param.Default(&leafwise.Leaves{}) }

func TestClassOf(t *testing.T) {
	tab := protecttest.Mixed(10)
	if j, err := protect.ClassOf(tab); err != nil || j != tab.Width()-1 {
		t.Errorf("got %d, %v", j, err)
	}
	if _, err := protect.ClassOf(tab.Select(0, 1)); err == nil {
		t.Error("a table without a class is accepted")
	}
	a := *tab.Attr(0)
	a.Role = table.Class
	if _, err := protect.ClassOf(tab.WithAttr(0, a)); err == nil {
		t.Error("a numeric class is accepted")
	}
}

// A tree grown on a sample is recounted on all records, is decided by the seed, and by nothing else.
func TestGrowOnASample(t *testing.T) {
	tab := protecttest.Mixed(4000)
	l := leaves()
	l.FitRows = 500
	ctx := context.Background()
	tr := must.Get(l.Grow(ctx, aggregate.Over(tab, protecttest.Seed(1))))(t)
	known := 0.0
	for _, c := range tab.Cat(tr.Class) {
		if c >= 0 {
			known++
		}
	}
	if w := tr.Nodes[0].Weight(); w != known {
		t.Errorf("the root counts %v records, expected %v", w, known)
	}
	again := must.Get(l.Grow(ctx, aggregate.Over(tab, protecttest.Seed(1))))(t)
	if len(again.Nodes) != len(tr.Nodes) || again.Nodes[0].Cut != tr.Nodes[0].Cut {
		t.Error("the same seed grows another tree")
	}
	differs := false
	for seed := byte(2); seed < 8 && !differs; seed++ {
		other := must.Get(l.Grow(ctx, aggregate.Over(tab, protecttest.Seed(seed))))(t)
		differs = len(other.Nodes) != len(tr.Nodes)
	}
	if !differs {
		t.Error("other seeds draw the same sample")
	}
	if l.MinLeaf != 0 {
		t.Errorf("growing changes the parameter minLeaf to %d", l.MinLeaf)
	}
}

func TestSegmentTakesTheTreeHandedOver(t *testing.T) {
	tab := protecttest.Mixed(50)
	l := leaves()
	l.Tree = protecttest.Tree(tab)
	in, err := l.Segment(context.Background(), aggregate.Over(tab, protecttest.Seed(1)))
	if err != nil || in.Segmentation().Trees[0] != l.Tree {
		t.Errorf("got another tree, %v", err)
	}
	if _, err := l.Segment(context.Background(), aggregate.Over(tab.Select(0, 1, 2), protecttest.Seed(1))); err == nil {
		t.Error("a tree of another table is accepted")
	}
	leaf := must.Get(in.Route(tab))(t)
	total := 0
	for l, counts := range in.Count(tab, leaf) {
		for _, n := range counts {
			total += n
		}
		if want := in.Tree.Nodes[in.Tree.Leaves()[l]].Weight(); math.Abs(want-float64(sum(counts))) > 0 {
			t.Errorf("leaf %d counts %v, the tree %v", l, counts, want)
		}
	}
	if total == 0 || total > tab.Rows() {
		t.Errorf("%d records are counted of %d", total, tab.Rows())
	}
	if _, err := in.Route(tab.Select(0)); err == nil {
		t.Error("a table of another schema is routed")
	}
}

func sum(counts []int) (s int) {
	for _, n := range counts {
		s += n
	}
	return s
}

func TestColumns(t *testing.T) {
	tab := protecttest.Mixed(5)
	num := must.Get(protect.Columns(tab, table.Numeric, []string{"score"}))(t)
	cat := must.Get(protect.Columns(tab, table.Categorical, nil))(t)
	for _, c := range []struct {
		got  []int
		want []string
	}{{num, []string{"age", "income", "temperature", "ratio", "hours"}}, {cat, []string{"city", "sex", "size"}}} {
		names := protect.Names(tab.Attrs(), c.got)
		if len(names) != len(c.want) {
			t.Fatalf("columns %q, expected %q", names, c.want)
		}
		for k := range names {
			if names[k] != c.want[k] {
				t.Errorf("columns %q, expected %q", names, c.want)
			}
		}
	}
	if _, err := protect.Columns(tab, table.Numeric, []string{"salary"}); err == nil {
		t.Error("an exception that the table lacks is accepted")
	}
	if err := protect.CheckColumns(tab.Attrs(), num, table.Numeric); err != nil {
		t.Errorf("the columns found are refused: %v", err)
	}
	for _, bad := range [][]int{{-1}, {0, 0}, {1, 0}, {99}, {4}} {
		if protect.CheckColumns(tab.Attrs(), bad, table.Numeric) == nil {
			t.Errorf("columns %v are accepted as numeric", bad)
		}
	}
}
