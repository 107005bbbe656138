package kdpartition

import (
	"bytes"
	"context"
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
)

// build builds the tree and returns it as text with its leaves.
func build(t *testing.T, opt Options, cols ...[]float64) (string, []int32) {
	t.Helper()
	tree, leaf, err := Build(context.Background(), cols, opt)
	must.NoError(t, err)
	text := must.Get(tree.MarshalText())(t)
	return string(text), leaf
}

var (
	age       = []float64{25, 31, 32, 36, 43, 48, 50, 53, 56}
	education = []float64{16, 14, 18, 12, 16, 20, 13, 18, 14}
	income    = []float64{54, 55, 60, 49, 65, 70, 57, 73, 62}
)

// Roy, Table 4.1 and figure 4.3: Age is cut at 40.5, then YearEdu at 15 and at 16.5.
func TestTable41(t *testing.T) {
	text, leaf := build(t, Options{Largest: 3, Smallest: 2}, age, education, income)
	if want := "0:40.5 1:15 2 2 1:16.5 3 2"; text != want {
		t.Errorf("the tree is %q, expected %q", text, want)
	}
	if want := []int32{1, 0, 1, 0, 2, 3, 2, 3, 2}; !slices.Equal(leaf, want) {
		t.Errorf("the records are in leaves %v, expected %v", leaf, want)
	}
}

// Roy, Table 4.2: the text cuts Experience first, at 26.5, which has the largest variance unscaled; scaled to [0, 1] it
// is Wages, 4 to 19. The leaf of four is one that any attribute, cut in the middle, would part three to one.
func TestTable42(t *testing.T) {
	education := []float64{8, 9, 14, 17, 14, 13, 10, 12, 16, 12}
	experience := []float64{21, 42, 25, 20, 27, 19, 27, 17, 11, 29}
	wages := []float64{5, 4, 6, 4, 7, 13, 4, 19, 13, 8}
	allowance := []float64{8, 12, 14, 10, 7, 11, 15, 17, 19, 14}
	text, _ := build(t, Options{Largest: 3, Smallest: 2}, education, experience, wages, allowance)
	if want := "2:11.5 0:12.5 4 3 3"; text != want {
		t.Errorf("the tree is %q, expected %q", text, want)
	}
	raw, _ := build(t, Options{Largest: 9, Smallest: 2}, experience)
	if want := "0:26.5 6 4"; raw != want {
		t.Errorf("the tree is %q, expected %q", raw, want)
	}
}

func TestTies(t *testing.T) {
	v := []float64{0, 1, 2, 2, 3, 4}
	for high, want := range map[bool]string{false: "0:2 4 2", true: "0:1.9999999999999998 2 4"} {
		if text, _ := build(t, Options{Largest: 4, Smallest: 2, High: func(lo, hi int) bool { return high }},
			v); text != want {
			t.Errorf("high %v: the tree is %q, expected %q", high, text, want)
		}
	}
}

// A median with all on one side gives way to the middle: one that is the largest value or, where what is equal goes up,
// the smallest. One beside it does not.
func TestMedianOfTies(t *testing.T) {
	for _, c := range []struct {
		high bool
		v    []float64
		want string
	}{
		{false, []float64{0, 5, 5, 5}, "0:2.5 1 3"},
		{false, []float64{0, 0, 0, 5}, "0:0 3 1"},
		{false, []float64{0, 4, 4, 5}, "0:4 3 1"},
		{false, []float64{0, 1, 5, 5, 5}, "0:2.5 2 3"},
		{true, []float64{0, 0, 0, 5}, "0:2.4999999999999996 3 1"},
		{true, []float64{0, 5, 5, 5}, "0:4.999999999999999 1 3"},
	} {
		opt := Options{Largest: 3, Smallest: 1, Median: true, High: func(int, int) bool { return c.high }}
		if text, _ := build(t, opt, c.v); text != c.want {
			t.Errorf("%v, what is equal goes up %v: the tree is %q, expected %q", c.v, c.high, text, c.want)
		}
	}
}

// What the column of largest variance cannot give without a small part, the next one gives; none leaves a leaf.
func TestSmallParts(t *testing.T) {
	outlier, even := []float64{0, 0, 0, 0, 0, 100}, []float64{1, 2, 3, 4, 5, 6}
	if text, _ := build(t, Options{Largest: 4, Smallest: 2}, []float64{0, 0, 0, 0, 100, 100}, even); text != "0:50 4 2" {
		t.Errorf("the tree is %q", text)
	}
	if text, _ := build(t, Options{Largest: 3, Smallest: 2}, outlier, even); text != "1:3.5 3 3" {
		t.Errorf("the tree is %q", text)
	}
	if text, _ := build(t, Options{Largest: 4, Smallest: 2}, outlier); text != "6" {
		t.Errorf("the tree is %q", text)
	}
}

// One far outlier does not end the tree: a set of more than twice the largest size is cut next to it.
func TestOutlierDoesNotEndTheTree(t *testing.T) {
	v := []float64{1, 2, 3, 4, 5, 6, 7, 8, 1e6}
	if text, _ := build(t, Options{Largest: 4, Smallest: 2}, v); text != "0:7 0:4 4 3 2" {
		t.Errorf("the tree is %q", text)
	}
}

// Values that are missing follow the larger side and do not decide.
func TestMissing(t *testing.T) {
	gap := math.NaN()
	text, leaf := build(t, Options{Largest: 4, Smallest: 2}, []float64{gap, 1, 9, 8, 7, gap, 2})
	if text != "0:5 2 5" || !slices.Equal(leaf, []int32{1, 0, 1, 1, 1, 1, 0}) {
		t.Errorf("the tree is %q, the leaves %v", text, leaf)
	}
	if text, _ := build(t, Options{Largest: 1, Smallest: 1}, []float64{gap, gap, gap}); text != "3" {
		t.Errorf("the tree is %q", text)
	}
	// with one known value on the low side of the middle, the first column cannot be cut
	held := []float64{5, gap, gap, gap, 5, 5, 5, 5}
	opt := Options{Largest: 7, Smallest: 2, Hold: [][]float64{held}}
	text, _ = build(t, opt, []float64{0, 0, 0, 0, 9, 9, 9, 9}, []float64{1, 1, 2, 2, 3, 3, 1, 4})
	if text != "1:2.5 5 3" {
		t.Errorf("the tree is %q", text)
	}
}

// Units and far origins do not matter, nor do neighbouring numbers without one between.
func TestUnits(t *testing.T) {
	want, leaf := build(t, Options{Largest: 3, Smallest: 2}, age, education)
	far := slices.Clone(age)
	for i := range far {
		far[i] = 1e12 + far[i]*1024
	}
	if _, got := build(t, Options{Largest: 3, Smallest: 2}, far, education); !slices.Equal(got, leaf) {
		t.Errorf("scaled, the leaves are %v, expected those of %q", got, want)
	}
	next := math.Nextafter(1, 2)
	if text, _ := build(t, Options{Largest: 1, Smallest: 1}, []float64{1, next}); text != "0:1 1 1" {
		t.Errorf("the tree is %q", text)
	}
}

func TestNoRecords(t *testing.T) {
	if text, leaf := build(t, Options{Largest: 3, Smallest: 2}, nil, nil); text != "0" || len(leaf) != 0 {
		t.Errorf("no records give %q", text)
	}
}

func TestCancel(t *testing.T) {
	ctx, stop := context.WithCancel(context.Background())
	stop()
	if _, _, err := Build(ctx, [][]float64{age}, Options{Largest: 3, Smallest: 2}); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled context gives %v", err)
	}
}

func TestText(t *testing.T) {
	for _, bad := range []string{"", " ", "0:1", "0:1 2", "0:1 2 3 4", "-1:1 2 3", "0:NaN 2 3", "0:+Inf 1 2", "0: 1 2",
		"x",
		"-2", "1 ", "2147483648", "0:1 2000000000 2000000000"} {
		if err := new(Tree).UnmarshalText([]byte(bad)); err == nil {
			t.Errorf("%q is read as a tree", bad)
		}
	}
	var got Tree
	must.NoError(t, got.UnmarshalText([]byte("0:40.5 1:15 2 2 1:16.5 3 2")))
	want, _, _ := Build(context.Background(), [][]float64{age, education}, Options{Largest: 3, Smallest: 2})
	if !slices.Equal(got.Nodes, want.Nodes) || got.Leaves() != 4 {
		t.Errorf("nodes %v, expected %v", got.Nodes, want.Nodes)
	}
}

// FuzzText checks that a tree that is read can be written again and routes every record to a leaf.
func FuzzText(f *testing.F) {
	f.Add([]byte("0:40.5 1:15 2 2 1:16.5 3 2"))
	f.Add([]byte("0:1 0:2 0 0 7"))
	f.Fuzz(func(t *testing.T, text []byte) {
		var tree Tree
		if tree.UnmarshalText(text) != nil {
			return
		}
		first, _ := tree.MarshalText()
		var again Tree
		must.NoError(t, again.UnmarshalText(first))
		if second, _ := again.MarshalText(); !bytes.Equal(first, second) || !slices.Equal(tree.Nodes, again.Nodes) {
			t.Fatalf("%q becomes %q", first, second)
		}
		for _, n := range tree.Nodes {
			if n.Attr > 3 {
				return
			}
		}
		gap := math.NaN()
		leaf := make([]int32, 9)
		cols := [][]float64{age, education, income, {gap, gap, 0, 1, gap, 2, 3, 4, gap}}
		must.NoError(t, tree.Route(context.Background(), cols, leaf))
		for _, l := range leaf {
			if l < 0 || int(l) >= tree.Leaves() {
				t.Fatalf("a record is routed to leaf %d of %d", l, tree.Leaves())
			}
		}
	})
}
