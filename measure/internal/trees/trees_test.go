package trees_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/measure/internal/trees"
	"github.com/dither-data/dither/measure/measuretest"
	"github.com/dither-data/dither/mine/forests"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/segment/tree"
	"github.com/dither-data/dither/table"
)

func TestTreesAreShared(t *testing.T) {
	ctx := context.Background()
	r := measuretest.Release(false).Working()
	l := *param.Default(&trees.Learner{})
	o1, r1, err := trees.Of(ctx, r, l)
	must.NoError(t, err)
	o2, r2, _ := trees.Of(ctx, r, l)
	if o1 != o2 || r1 != r2 {
		t.Error("equal settings grow the trees twice")
	}
	if alone, _ := trees.Original(ctx, r, l); alone != o1 {
		t.Error("the tree of the original alone is another than that beside the release's")
	}
	l.MinLeaf = 50
	if o3, _, _ := trees.Of(ctx, r, l); o3 == o1 {
		t.Error("other settings give the same tree")
	}
	r.Released = r.Original
	if o, rel, _ := trees.Of(ctx, r, l); o != rel {
		t.Error("identical tables grow two trees")
	}
}

func TestLearnerDefault(t *testing.T) {
	l := param.Default(&trees.Learner{})
	if l.MinLeaf != 0 || l.CF != 25 {
		t.Errorf("minLeaf %d and cf %v, expected 0 and 25", l.MinLeaf, l.CF)
	}
}

// What is grown is C4.5's tree or SysFor's forest of either table, by its class.
func TestGrownOnBothTables(t *testing.T) {
	ctx := context.Background()
	r := measuretest.Release(true)
	l, f := *param.Default(&trees.Learner{}), *forests.SysForNew()
	o, rel, err := trees.Of(ctx, r, l)
	must.NoError(t, err)
	of, relf, err := trees.Forests(ctx, r, f)
	must.NoError(t, err)
	class := r.Original.WithRole(table.Class)
	for name, c := range map[string]struct {
		of     *table.Table
		tree   *tree.Tree
		forest *tree.Forest
	}{"original": {r.Original, o, of}, "released": {r.Released, rel, relf}} {
		want := must.Get(l.Learner.Grow(ctx, c.of, class))(t)
		wood := must.Get(f.Grow(ctx, c.of, class))(t)
		if text(t, c.tree) != text(t, want) || text(t, c.forest.Trees) != text(t, wood.Trees) {
			t.Errorf("%s: the tree or forest is not that of the table", name)
		}
	}
	if text(t, o) == text(t, rel) {
		t.Error("both tables have one tree, so the test shows nothing")
	}
}

// text is a tree or trees as JSON.
func text(t *testing.T, v any) string {
	t.Helper()
	data := must.Get(json.Marshal(v))(t)
	return string(data)
}

// Releases of one original share its tree, and each has its own of the release.
func TestOriginalIsShared(t *testing.T) {
	ctx := context.Background()
	r := measuretest.Release(false)
	l := *param.Default(&trees.Learner{})
	r.Work = measure.NewWorkspace()
	other := &measure.Release{Original: r.Original, Released: r.Released.Slice(0, 200), Work: r.Work.Another()}
	a, x, _ := trees.Of(ctx, r, l)
	b, y, err := trees.Of(ctx, other, l)
	if err != nil || a != b || x == y {
		t.Errorf("the original's tree is grown anew: %v, the release's is shared: %v, error %v", a != b, x == y, err)
	}
}

func TestTreesNeedAClass(t *testing.T) {
	r := measuretest.Release(false)
	number := *r.Original.Attr(0)
	number.Role = table.Class
	for want, tab := range map[string]*table.Table{
		"no column has the role class":      r.Original.Select(0, 1),
		"the original table has no records": r.Original.Slice(0, 0),
		"is numeric; it must be":            r.Original.Select(0, 1).WithAttr(0, number),
	} {
		release, q := &measure.Release{Original: tab, Released: r.Original}, trees.Model{SysForLearner: *forests.SysForNew()}
		_, tree := trees.Original(context.Background(), release, trees.Learner{})
		_, forest := trees.OriginalModel(context.Background(), release, q)
		_, _, both := trees.Models(context.Background(), release, q)
		for _, err := range []error{tree, forest, both} {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("error %v, expected %q", err, want)
			}
		}
	}
	_, _, err := trees.Of(context.Background(),
		&measure.Release{Original: r.Original, Released: r.Original.Slice(0, 0)}, trees.Learner{})
	if err == nil || !strings.Contains(err.Error(), "the released table has no records") {
		t.Errorf("a release without records: %v", err)
	}
}

func TestForestsAreShared(t *testing.T) {
	ctx := context.Background()
	r := measuretest.Release(false).Working()
	l := *forests.SysForNew()
	o1, r1, err := trees.Forests(ctx, r, l)
	must.NoError(t, err)
	l.Voting = "majority"
	o2, r2, _ := trees.Forests(ctx, r, l)
	if o1.Trees[0] != o2.Trees[0] || r1.Trees[0] != r2.Trees[0] {
		t.Error("another voting grows the forests again")
	}
	if o1.Voting != "credal" || o2.Voting != "majority" || r2.Voting != "majority" {
		t.Errorf("the votings are %q, %q and %q", o1.Voting, o2.Voting, r2.Voting)
	}
	next := &measure.Release{Original: r.Original, Released: r.Original, Work: r.Work.Another()}
	if o, rel, _ := trees.Forests(ctx, next, l); o.Trees[0] != o1.Trees[0] || rel != o {
		t.Error("another release grows its own forest of the original, or two of identical tables")
	}
	l.Trees = 1
	if o, _, _ := trees.Forests(ctx, r, l); o.Trees[0] == o1.Trees[0] || len(o.Trees) != 1 {
		t.Error("other settings give the same forest")
	}
}
