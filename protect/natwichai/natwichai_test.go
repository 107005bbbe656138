package natwichai

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/executor"
	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/segment/tree"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// weather is the table of Quinlan 1986, table 1: 14 days.
func weather(t tabletest.T) *table.Table {
	play := table.CatColumn("play", []string{"no", "yes"}, []int32{0, 0, 1, 1, 1, 0, 1, 0, 1, 1, 1, 1, 1, 0})
	play.Role = table.Class
	return tabletest.Of(t,
		table.CatColumn("outlook", []string{"sunny", "overcast", "rainy"}, []int32{0, 0, 1, 2, 2, 2, 1, 0, 0, 2, 0, 1, 1, 2}),
		table.NumColumn("temperature", 1, []float64{85, 80, 83, 70, 68, 65, 64, 72, 69, 75, 75, 72, 81, 71}),
		table.NumColumn("humidity", 1, []float64{85, 90, 86, 96, 80, 70, 65, 95, 70, 80, 70, 90, 75, 91}),
		table.CatColumn("windy", []string{"false", "true"}, []int32{0, 1, 0, 0, 0, 1, 1, 0, 0, 0, 1, 1, 0, 1}),
		play)
}

func fit(t tabletest.T, tab *table.Table, set map[string]string) (*Plan, *table.Table, error) {
	q := New()
	must.NoError(t, q.Params().Apply(set))
	plan, err := q.Fit(context.Background(), tab, protecttest.Seed(1))
	if err != nil {
		return nil, nil, err
	}
	out := must.Get(executor.Run(context.Background(), plan, tab, protecttest.Seed(2), protect.Options{}))(t)
	return plan.(*Plan), out, nil
}

// mix returns how many records with the value of column 0 have each class.
func mix(t *table.Table, value int32) string {
	n := [2]int{}
	for i, v := range t.Cat(0) {
		if v == value {
			n[t.Cat(4)[i]]++
		}
	}
	return fmt.Sprint(n)
}

// TestWeather hides the rule of the overcast days, 4 of which are all yes: sunny and rainy days are 5 to 5, so 2 to 2
// remain. Where two of four are too many, the bisection goes on to the one that is below the threshold.
func TestWeather(t *testing.T) {
	for _, x := range []struct {
		set         map[string]string
		want        string
		found, left int
	}{
		{nil, "[2 2]", 1, 0},
		{map[string]string{"rest": Marginals}, "[2 2]", 1, 0},
		{map[string]string{"confidence": "0.5"}, "[3 1]", 1, 0},
		{map[string]string{"confidence": "0.25"}, "[4 0]", 1, 0},
		{map[string]string{"support": "2", "confidence": "0"}, "[3 1]", 1, 0},
		{map[string]string{"support": "5", "confidence": "0.25"}, "[2 2]", 0, 0},
		{map[string]string{"remine": "true", "rest": Keep}, "[2 2]", 1, 0},
	} {
		set := map[string]string{"sensitive": "outlook=overcast=>play=yes", "minLeaf": "2"}
		for k, v := range x.set {
			set[k] = v
		}
		tab := weather(t)
		p, out, err := fit(t, tab, set)
		must.NoError(t, err)
		if got := mix(out, 1); got != x.want {
			t.Errorf("%v: overcast days are %s, want %s", x.set, got, x.want)
		}
		if was, is := mix(tab, 0)+mix(tab, 2), mix(out, 0)+mix(out, 2); was != is {
			t.Errorf("%v: other days are %s, were %s", x.set, is, was)
		}
		if want := (Trial{1, x.found, 1, 4, 2}); p.Trial != want {
			t.Errorf("%v: the trial is %+v, want %+v", x.set, p.Trial, want)
		}
		if listed, found, err := p.Found(out); listed != 1 || found != x.left || err != nil {
			t.Errorf("%v: %d of %d rules can be found, %v", x.set, found, listed, err)
		}
	}
}

// TestRefuses: what cannot be hidden is said, and no value is named.
func TestRefuses(t *testing.T) {
	for _, x := range []struct{ list, reach, want string }{
		{"", Inside, "lists nothing; it lists the rules"},
		{"# none", Inside, "nothing but remarks"},
		{"outlook=overcast", Inside, "pattern 1 is an itemset"},
		{"outlook=overcast=>play=maybe", Inside, "pattern in line 1: there is no such item"},
		{"outlook=overcast=>windy=true", Inside, `pattern 1 does not end with a class: one value of "play"`},
		{"outlook=overcast=>play=yes,windy=true", Inside, "pattern 1 does not end with a class"},
		{"play=no=>play=yes", Inside, `has the class "play" in its antecedent`},
		{"outlook=overcast=>play=yes;outlook=overcast=>play=no", Inside, "pattern 2 is the rule of no leaf of the tree"},
		{"windy=true,outlook=overcast=>play=yes", Inside, "; reach=overlap takes every leaf"},
		{"outlook=overcast=>play=no", Overlap, "its end as the majority class"},
		{"outlook=overcast=>play=yes @ 0.1", Inside, "has a threshold after @"},
		{"windy=true=>play=yes;windy=false=>play=yes;windy=true=>play=no;windy=false=>play=no", Overlap,
			"has no region beside it"},
	} {
		_, _, err := fit(t, weather(t), map[string]string{"sensitive": x.list, "reach": x.reach, "minLeaf": "2"})
		if err == nil || !strings.Contains(err.Error(), x.want) || strings.Contains(err.Error(), "overcast,") ||
			strings.Contains(err.Error(), "maybe") {
			t.Errorf("%q: %v, want %q", x.list, err, x.want)
		}
	}
	tab := weather(t)
	play := *tab.Attr(4)
	play.Role = 0
	if _, _, err := fit(t, tab.WithAttr(4, play),
		map[string]string{"sensitive": "outlook=overcast=>play=yes"}); err == nil {
		t.Error("a table without a class is accepted")
	}
}

// TestReach: with overlap a rule with more conditions than the leaf has is hidden in the leaf that its records are in,
// and a number's interval must hold the leaf's.
func TestReach(t *testing.T) {
	for _, x := range []struct {
		list, reach string
		want        []int32
	}{
		{"outlook=overcast=>play=yes", Inside, []int32{2}},
		{"windy=true,outlook=overcast=>play=yes", Overlap, []int32{2}},
		{"windy=false=>play=yes", Inside, []int32{3}},
		{"windy=false=>play=yes", Overlap, []int32{0, 2, 3}},
		{"outlook=sunny,humidity < 80=>play=yes", Inside, []int32{0}},
		{"humidity < 80=>play=yes", Overlap, []int32{0, 2, 3}},
		{"humidity >= 91=>play=yes", Overlap, []int32{2, 3}},
		{`"humidity in [80, 91)"=>play=no`, Overlap, []int32{1, 4}},
	} {
		q := New()
		must.NoError(t, q.Params().Apply(map[string]string{"sensitive": x.list, "reach": x.reach, "minLeaf": "2",
			"intervals": "3"}))
		plan, err := q.Fit(context.Background(), weather(t), protecttest.Seed(1))
		if err != nil {
			t.Errorf("%s: %v", x.list, err)
			continue
		}
		p := plan.(*Plan)
		if _, _, leaves, err := p.find(); err != nil || !slices.Equal(leaves[0], x.want) {
			t.Errorf("%s (%s): leaves %v, want %v, %v", x.list, x.reach, leaves[0], x.want, err)
		}
	}
}

// TestApportion: whole numbers of the sum, none farther than one from its share, and ties to the lower number.
func TestApportion(t *testing.T) {
	if got := apportion(3, []int{1, 0, 1}); !slices.Equal(got, []int{2, 0, 1}) {
		t.Errorf("3 by 1:0:1 is %v", got)
	}
	long.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, 50).Draw(t, "n")
		w := rapid.SliceOfN(rapid.IntRange(0, 9), 1, 5).Draw(t, "weights")
		w[0]++
		got, all := apportion(n, w), sum(w)
		if sum(got) != n {
			t.Fatalf("%v is not %d", got, n)
		}
		for a := range w {
			if d := got[a]*all - n*w[a]; d >= all || d <= -all {
				t.Fatalf("%d by %v: %v", n, w, got)
			}
			for b := range w { // who is rounded up has no smaller remainder
				up := func(c int) bool { return got[c] > n*w[c]/all }
				if rest := func(c int) int { return n * w[c] % all }; up(a) && !up(b) &&
					(rest(a) < rest(b) || rest(a) == rest(b) && b < a) {
					t.Fatalf("%d by %v: %v", n, w, got)
				}
			}
		}
	})
}

// TestTwin works out by hand, from the records of a two-level tree, what becomes of random tables: where the rule is
// hidden by the siblings' mix, each sensitive leaf has just that by largest remainder; all values of a leaf stay in it,
// and all other classes with their records.
func TestTwin(t *testing.T) {
	long.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(40, 80).Draw(t, "rows")
		codes := func(name string, most int32) []int32 {
			return rapid.SliceOfN(rapid.Int32Range(0, most), n, n).Draw(t, name)
		}
		a, noise := codes("a", 2), codes("noise", 3)
		class := make([]int32, n)
		for i := range class {
			if class[i] = a[i]; noise[i] == 0 {
				class[i] = 2
			}
		}
		risk := table.CatColumn("class", []string{"x", "y", "z"}, class)
		risk.Role = table.Class
		other := rapid.SliceOfN(rapid.Float64Range(0, 5), n, n).Draw(t, "b")
		tab := tabletest.Of(t, table.CatColumn("a", []string{"k", "l", "m"}, a), table.NumColumn("b", 0, other), risk)
		q := New()
		must.NoError(t, q.Params().Apply(map[string]string{"sensitive": "a=k=>class=x", "confidence": "1",
			"support": "1000"}))
		q.Tree = byFirst(tab)
		plan, err := q.Fit(context.Background(), tab, protecttest.Seed(1))
		if err != nil {
			if strings.Contains(err.Error(), "no leaf") { // k has another majority
				return
			}
			t.Fatal(err)
		}
		out := must.Get(executor.Run(context.Background(), plan, tab, protecttest.Seed(2), protect.Options{}))(t)
		must.NoError(t, holds(plan, tab, out))
		var siblings, got [3]int
		var was, is [3][]float64
		for i, v := range a {
			was[v], is[v] = append(was[v], tab.Num(1)[i]), append(is[v], out.Num(1)[i])
			if v != 0 {
				siblings[class[i]]++
			} else {
				got[out.Cat(2)[i]]++
			}
		}
		if want := apportion(sum(got[:]), siblings[:]); !slices.Equal(got[:], want) {
			t.Fatalf("the sensitive leaf has %v, want %v", got, want)
		}
		for v := range was {
			slices.Sort(was[v])
			if slices.Sort(is[v]); !slices.Equal(was[v], is[v]) {
				t.Fatalf("values of leaf %d: %v become %v", v, was[v], is[v])
			}
		}
	})
}

// TestRemine: with remine=true a finer rule is hidden, too, which its counts do not show, and a plan that was written
// and read does the same.
func TestRemine(t *testing.T) {
	tab := protecttest.Mixed(500)
	set := map[string]string{
		"sensitive": "city=b=>risk=middle",
		"reach":     Overlap,
		"rest":      Keep,
		"support":   "2",
		"minLeaf":   "2",
	}
	var left [2]int
	for k, remine := range []string{"false", "true"} {
		set["remine"] = remine
		p, out, err := fit(t, tab, set)
		must.NoError(t, err)
		strict := *p
		learner := New().Learner
		learner.MinLeaf, strict.Learner = 2, &learner
		if _, left[k], err = strict.Found(out); err != nil {
			t.Fatal(err)
		}
		file := must.Get(protect.Encode(Method.Name, nil, p))(t)
		_, back, err := protect.Decode(file, func(string) (protect.Method, bool) { return Method, true })
		must.NoError(t, err)
		rows := []int{}
		for i := range tab.Rows() {
			rows = append(rows, tab.Rows()-1-i)
		}
		again, err := executor.Run(context.Background(), back, tab.Gather(rows), protecttest.Seed(2), protect.Options{})
		must.NoError(t, err)
		if was, is := out.Cat(p.Tree.Class), again.Gather(rows).Cat(p.Tree.Class); !slices.Equal(was, is) {
			t.Error("a plan that was read, and records in another order, give another release")
		}
	}
	if left != [2]int{1, 0} {
		t.Errorf("a tree grown on the releases finds %v, want 1 and 0", left)
	}
}

// byFirst is the tree with a branch for each value of column 0.
func byFirst(t *table.Table) *tree.Tree {
	tr := &tree.Tree{
		Attrs: t.Attrs(),
		Class: 2,
		Nodes: []tree.Node{{Attr: 0, Branch: []int32{0, 1, 2}, Kids: []int32{1, 2, 3}}, {Attr: -1}, {Attr: -1}, {Attr: -1}},
	}
	tr.Recount(t)
	for i := range tr.Nodes {
		for c, n := range tr.Nodes[i].Counts {
			if n > tr.Nodes[i].Counts[tr.Nodes[i].Label] {
				tr.Nodes[i].Label = int32(c)
			}
		}
	}
	return tr
}
