package reconstructedtree

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/internal/testkit/yardstick"
	"github.com/dither-data/dither/noisemodel/modelfile"
	"github.com/dither-data/dither/noisemodel/transition"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/segment/tree"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// column returns a column of two categories.
func column(name string, codes []int32) table.Column {
	return table.CatColumn(name, []string{"no", "yes"}, codes)
}

// either returns n records of five independent attributes, with P(yes) = 1/2, 1/2, 0.7, 1/2, and the class a or (b and
// c).
func either(n int) *table.Table {
	r := rand.New(rand.NewPCG(1, 2))
	cols := make([][]int32, 5)
	for range n {
		for j, share := range []float64{0.5, 0.5, 0.7, 0.5} {
			bit := int32(0)
			if r.Float64() < share {
				bit = 1
			}
			cols[j] = append(cols[j], bit)
		}
		i := len(cols[0]) - 1
		cols[4] = append(cols[4], cols[0][i]|cols[1][i]&cols[2][i])
	}
	class := column("y", cols[4])
	class.Role = table.Class
	return tabletest.Must(column("d", cols[3]), column("a", cols[0]), column("b", cols[1]), column("c", cols[2]), class)
}

// disguise exchanges the columns of groups as the technique mrr does.
func disguise(t *table.Table, groups []transition.Group) *table.Table {
	for k, g := range groups {
		r := rng.New([32]byte{9}).Fork(fmt.Sprint(k)).Stream()
		for _, j := range g.Columns {
			codes := slices.Clone(t.Cat(j))
			for i, c := range codes {
				if c >= 0 && rng.Unit(r.At(uint64(i)).A) >= g.Theta {
					codes[i] = 1 - c
				}
			}
			t = t.WithCat(j, codes)
		}
	}
	return t
}

func learner(t testing.TB, set map[string]string) *Learner {
	t.Helper()
	l := New()
	must.NoError(t, l.Params().Apply(set))
	return l
}

func grown(t testing.TB, l *Learner, tab *table.Table) *tree.Tree {
	t.Helper()
	m := must.Get(l.Fit(t.Context(), tab, rng.New([32]byte{})))(t)
	return m.(*tree.Tree)
}

// shape writes the tests and labels of a tree.
func shape(tr *tree.Tree) string {
	var b strings.Builder
	for _, r := range tr.Rules() {
		for _, c := range r.If {
			b.Write(c.AppendTo(nil, tr.Attrs))
			b.WriteString(", ")
		}
		fmt.Fprintf(&b, "%s; ", tr.ClassLabels()[r.Then])
	}
	return b.String()
}

// Du & Zhan 2003: from 200,000 disguised records comes the tree that ID3 finds in the original ones. The gains at the
// three tests lead by 0.5, 0.26 and 0.9 bits, and a standard error of an estimated share is at most sqrt(E w^2 / n) =
// 0.0024. Even six of them off, the smallest node that is tested (share 1/4) has its class shares 0.06 off, which
// shifts the second lead by less than 0.17 bits and the third by less than 0.4, and the smallest leaf (share 0.075,
// whose own standard error is 0.0013) has 0.11 of the other class, where delta is 0.2. Of some 50 shares that are
// looked at one is as far off once in 10^7 runs.
func TestTreeOfTheOriginal(t *testing.T) {
	tab := either(200_000)
	set := map[string]string{"delta": "0.2", "theta": "1"}
	want := grown(t, learner(t, set), tab)
	const id3 = "a = no, b = no, no; a = no, b = yes, c = no, no; a = no, b = yes, c = yes, yes; a = yes, yes; "
	if got := shape(want); got != id3 {
		t.Fatalf("ID3 finds %s", got)
	}
	const far = 6 * 0.0024 * 200_000
	for _, theta := range []string{"0.8", "0.2"} {
		set["theta"] = theta
		l := learner(t, set)
		groups := must.Get(l.groups(tab))(t)
		out := disguise(tab, groups)
		got := grown(t, l, out)
		if shape(got) != id3 {
			t.Errorf("theta %s: %s", theta, got.Text())
		}
		for i := range want.Nodes {
			for c, n := range want.Nodes[i].Counts {
				if math.Abs(got.Nodes[i].Counts[c]-n) > far {
					t.Errorf("theta %s, node %d: counts %v, expected %v", theta, i, got.Nodes[i].Counts, want.Nodes[i].Counts)
				}
			}
		}
		if math.Abs(
			grown(t, learner(t, map[string]string{"theta": "1"}), out).Nodes[0].Counts[0]-want.Nodes[0].Counts[0],
		) < far {
			t.Error("the disguise hides nothing, so the test tells nothing")
		}
	}
}

// The accuracy of a tree that errs, estimated from disguised records, lies within five standard errors of that on the
// original ones, for one group and for two: a right program fails once in 800,000. For one group it solves the two
// equations of Du & Zhan 2003.
func TestAccuracy(t *testing.T) {
	tab := either(20_000)
	tr := grown(t, learner(t, map[string]string{"theta": "1", "minShare": "60"}), tab) // one test
	predicted, right := make([]int32, tab.Rows()), 0.0
	tr.Predict(tab, predicted)
	for i, c := range tab.Cat(4) {
		if c == predicted[i] {
			right++
		}
	}
	right /= float64(tab.Rows())
	for _, set := range []map[string]string{{"theta": "0.8"}, {"groups": "a+y=0.7, b+c+d=0.9"}, {"theta": "1"}} {
		l := learner(t, set)
		groups := must.Get(l.groups(tab))(t)
		out := disguise(tab, groups)
		a, deviation, err := l.Accuracy(tr, out)
		if err != nil || math.Abs(a-right) > 5*deviation || set["theta"] == "1" && a != right {
			t.Errorf("%v: %v +- %v, expected %v, %v", set, a, deviation, right, err)
		}
		if set["theta"] != "0.8" {
			continue
		}
		star := make([]float64, 2) // on the records as they are, and exchanged
		for s := range star {
			tr.Predict(out, predicted)
			for i, c := range out.Cat(4) {
				if c == predicted[i] {
					star[s] += 1 / float64(out.Rows())
				}
			}
			for j := range 5 {
				out = out.WithCat(j, others(out.Cat(j)))
			}
		}
		if other := (0.8*star[1] - 0.2*star[0]) / 0.6; math.Abs(star[0]-(0.8*a+0.2*other)) > 1e-9 {
			t.Errorf("a* = %v, a = %v, a' = %v", star[0], a, other)
		}
	}
	if _, _, err := New().Accuracy(tr, tab.Slice(0, 0)); err == nil {
		t.Error("no records have an accuracy")
	}
	if _, _, err := New().Accuracy(tr, tab.Select(0, 1, 2)); err == nil {
		t.Error("records without the class have an accuracy")
	}
}

func TestRefused(t *testing.T) {
	tab := either(50)
	void := tab.WithCat(4, slices.Repeat([]int32{-1}, 50))
	a := *tab.Attr(4)
	a.Role = 0
	for _, c := range []struct {
		set  map[string]string
		tab  *table.Table
		want string
	}{
		{map[string]string{"theta": "0.5"}, tab, "theta = 0.5"},
		{map[string]string{"groups": "a+nobody"}, tab, `no column "nobody"`},
		{nil, tab.WithAttr(4, a), "no column has the role class"},
		{nil, void, `class "y" has no value in the 50 records`},
	} {
		l := New()
		must.NoError(t, l.Params().Apply(c.set))
		if _, err := l.Fit(t.Context(), c.tab, rng.New([32]byte{})); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: %v", c.set, err)
		}
	}
}

// The law of a release says what the parameters say.
func TestByLaw(t *testing.T) {
	l := learner(t, map[string]string{"groups": "a+b=0.8,c=0.7"})
	tab := either(500)
	groups := must.Get(l.groups(tab))(t)
	tab = disguise(tab, groups)
	by := New()
	by.ByLaw(
		&modelfile.Model{
			Parts: []modelfile.Part{
				{Columns: []string{"a", "b"}, Group: &modelfile.Group{Theta: 0.8}},
				{Columns: []string{"c"}, Category: &modelfile.Category{Categories: 2, Keep: 0.7}},
			},
		},
	)
	if got, want := shape(grown(t, by, tab)), shape(grown(t, l, tab)); got != want {
		t.Errorf("by the law %s, by parameters %s", got, want)
	}
	by.ByLaw(
		&modelfile.Model{Parts: []modelfile.Part{{Columns: []string{"a"}, Number: &modelfile.Number{High: 1, Normal: 1}}}},
	)
	if _, err := by.Fit(t.Context(), tab, rng.New([32]byte{})); err == nil ||
		!strings.Contains(err.Error(), `the noise model of "a"`) {
		t.Error(err)
	}
}

// A tree survives JSON.
func TestTreeIsData(t *testing.T) {
	tr := grown(t, New(), either(500))
	data := must.Get(tr.MarshalJSON())(t)
	var back tree.Tree
	if err := back.UnmarshalJSON(data); err != nil || shape(&back) != shape(tr) {
		t.Errorf("%s becomes %s, %v", shape(tr), shape(&back), err)
	}
}

// A tree of 1M records of four attributes takes 1.3 of slices.Sort on as many random float64, one of 30k 0.07.
func BenchmarkFit(b *testing.B) {
	for _, size := range []struct {
		name string
		rows int
	}{{"30k", 30_000}, {"1M", 1_000_000}} {
		l := learner(b, map[string]string{"theta": "0.8"})
		t := either(size.rows)
		groups := must.Get(l.groups(t))(b)
		t = disguise(t, groups)
		b.Run(size.name, func(b *testing.B) {
			for b.Loop() {
				grown(b, l, t)
			}
			yardstick.Report(b)
		})
	}
}

// Nothing is left to divide where all records are of one class, however small delta is.
func TestPureLeaves(t *testing.T) {
	tr := grown(t, learner(t, map[string]string{"theta": "1", "delta": "0", "minShare": "0", "minRecords": "0"}),
		either(500))
	for k, n := range tr.Nodes {
		if n.Attr >= 0 && slices.Max(n.Counts) == n.Counts[0]+n.Counts[1] {
			t.Errorf("node %d divides %v", k, n.Counts)
		}
	}
}
