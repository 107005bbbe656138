package table

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"hash"
	"regexp"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
)

// set is the twin of a row: what is known of a set, in words.
func set(c *Column, i int) string {
	if c.MissingAt(i) {
		return "?"
	}
	var words []string
	for _, v := range c.Sets.Present.Row(i) {
		words = append(words, c.Labels[v])
	}
	for _, v := range c.Sets.Unknown.Row(i) {
		words = append(words, c.Labels[v]+"?")
	}
	slices.Sort(words)
	return strings.Join(words, " ") + "."
}

func sets(c *Column) []string {
	out := make([]string, c.Len())
	for i := range out {
		out[i] = set(c, i)
	}
	return out
}

var items = []string{"tea", "milk", "bread", "eggs", "jam"}

func drawSets(t *rapid.T, rows int) Column {
	present, unknown := make([][]int32, rows), make([][]int32, rows)
	for i := range rows {
		if rapid.IntRange(0, 4).Draw(t, "missing") == 0 {
			continue
		}
		present[i] = []int32{}
		for v := range items {
			switch rapid.IntRange(0, 3).Draw(t, "item") {
			case 0:
				present[i] = append(present[i], int32(v))
			case 1:
				unknown[i] = append(unknown[i], int32(v))
			}
		}
		slices.Reverse(present[i])
	}
	if rapid.Bool().Draw(t, "known") {
		unknown = nil
	}
	return SetColumn("basket", items, SetsOf(present, unknown))
}

// TestSetsTwin compares what can be done to a set-valued column with the same done to lists of words.
func TestSetsTwin(t *testing.T) {
	long.Check(t, func(r *rapid.T) {
		n := rapid.IntRange(1, 12).Draw(r, "rows")
		c := drawSets(r, n)
		want := sets(&c)
		tab := must.Get(New(c))(r)
		alike := func(what string, got Column, want []string) {
			if err := got.check(len(want)); err != nil {
				r.Fatalf("%s: %v", what, err)
			}
			if g := sets(&got); !slices.Equal(g, want) {
				r.Fatalf("%s: got %q, want %q", what, g, want)
			}
		}
		lo := rapid.IntRange(0, n).Draw(r, "lo")
		hi := rapid.IntRange(lo, n).Draw(r, "hi")
		cut := tab.Slice(lo, hi)
		alike("slice", cut.Column(0), want[lo:hi])

		rows := rapid.SliceOfN(rapid.IntRange(0, n-1), 0, 20).Draw(r, "rows")
		alike("gather", tab.Gather(rows).Column(0), gather(want, rows))
		if hi > lo {
			alike("gather of a slice", cut.Gather([]int{hi - lo - 1, 0}).Column(0), []string{want[hi-1], want[lo]})
		}

		whole := must.Get(Concat(cut, tab, cut))(r)
		alike("concat", whole.Column(0), slices.Concat(want[lo:hi], want, want[lo:hi]))

		small := cut.Column(0).Compact()
		alike("compact", small, want[lo:hi])
		used := strings.Join(want[lo:hi], " ")
		if !slices.IsSorted(small.Labels) ||
			slices.ContainsFunc(small.Labels, func(l string) bool { return !strings.Contains(used, l) }) {
			r.Fatalf("compact: labels %q of %q", small.Labels, used)
		}

		schema := []Attribute{c.Attribute}
		schema[0].Labels = []string{"jam", "beer", "tea"}
		grown := must.Get(cut.Conform(schema, true))(r)
		alike("conform", grown.Column(0), want[lo:hi])
		if _, err := cut.Conform(schema, false); (err == nil) != !regexp.MustCompile("milk|bread|eggs").MatchString(used) {
			r.Fatalf("conform to %q of %q: %v", schema[0].Labels, used, err)
		}

		other := drawSets(r, n)
		differ := 0
		for i, w := range sets(&other) {
			if same := c.Same(i, &other, i); same != (w == want[i]) {
				r.Fatalf("same: %q and %q: %v", want[i], w, same)
			}
			if alike := string(c.AppendKey(nil, i)) == string(other.AppendKey(nil, i)); alike != (w == want[i]) {
				r.Fatalf("keys: %q and %q: %v", want[i], w, alike)
			}
			if w != want[i] {
				differ++
			}
		}
		if got := c.Differ(&other); got != differ {
			r.Fatalf("differ: got %d, want %d", got, differ)
		}
		if (sum(&c) == sum(&other)) != (differ == 0) {
			r.Fatalf("the hashes of %q and %q are alike: %v", want, sets(&other), differ != 0)
		}
		mixed := c.Gather(rapid.Permutation(rapid.SampledFrom([][]int{upTo(n)}).Draw(r, "all")).Draw(r, "order"))
		if !c.SameValues(&mixed) ||
			c.SameValues(
				&other,
			) != slices.Equal(slices.Sorted(slices.Values(want)), slices.Sorted(slices.Values(sets(&other)))) {
			r.Fatalf("same values: %q and %q", want, sets(&other))
		}
	})
}

func upTo(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	return out
}

func sum(c *Column) string { return sumWith(sha256.New(), c) }

func sumWith(h hash.Hash, c *Column) string {
	c.Hash(h)
	return fmt.Sprintf("%x", h.Sum(nil))
}

// TestHashOfSetsTellsWhereOneEnds fails when an item could pass from a record to the next, or from present to unknown,
// unseen.
func TestHashOfSetsTellsWhereOneEnds(t *testing.T) {
	seen := map[string]int{}
	for k, s := range []*Sets{
		SetsOf([][]int32{{0, 1}, {}}, nil),
		SetsOf([][]int32{{0}, {1}}, nil),
		SetsOf([][]int32{{}, {0, 1}}, nil),
		SetsOf([][]int32{nil, {0, 1}}, nil),
		SetsOf([][]int32{{0}, {}}, [][]int32{{1}, {}}),
		SetsOf([][]int32{{}, {}}, [][]int32{{0, 1}, {}}),
	} {
		c := SetColumn("s", items, s)
		if at, ok := seen[sum(&c)]; ok {
			t.Errorf("cases %d and %d hash alike", at, k)
		}
		seen[sum(&c)] = k
	}
	a, b := SetColumn(
		"s",
		items,
		SetsOf([][]int32{{1}, {}}, nil),
	), SetColumn("s", items, SetsOf([][]int32{{1}, {}}, [][]int32{{}, {}}))
	if sum(&a) != sum(&b) {
		t.Error("no unknown items, said in two ways, hash differently")
	}
}

func TestSetsRefused(t *testing.T) {
	list := func(start []int, codes ...int32) Lists { return Lists{Start: start, Codes: codes} }
	for _, c := range []struct {
		name string
		s    *Sets
		want string
	}{
		{"no sets", nil, `column "s" has 0 values, expected 2`},
		{"too few rows", &Sets{Present: list([]int{0, 0})}, `column "s" has 1 values, expected 2`},
		{"descending", &Sets{Present: list([]int{0, 2, 2}, 1, 0)}, `column "s": row 1: item 0 after 1; expected ascending codes below 5`},
		{"twice", &Sets{Present: list([]int{0, 0, 2}, 1, 1)}, `column "s": row 2: item 1 after 1; expected ascending codes below 5`},
		{"no label", &Sets{Present: list([]int{0, 0, 1}, 5)}, `column "s": row 2: item 5 after -1; expected ascending codes below 5`},
		{"negative", &Sets{Present: list([]int{0, 0, 1}, -1)}, `column "s": row 2: item -1 after -1; expected ascending codes below 5`},
		{"beyond", &Sets{Present: list([]int{0, 0, 2}, 1)}, `column "s": row 2: its items 0..2 are outside the 1 there are`},
		{"backwards", &Sets{Present: list([]int{0, 1, 0}, 1)}, `column "s": row 2: its items 1..0 are outside the 1 there are`},
		{"unknown rows", &Sets{Present: list([]int{0, 0, 0}), Unknown: list([]int{0, 0})}, `column "s": its items have 1 rows, expected 2`},
		{"unknown codes", &Sets{Present: list([]int{0, 0, 0}), Unknown: list([]int{0, 0, 1}, 9)}, `column "s": row 2: item 9 after -1; expected ascending codes below 5`},
		{"codes of no row", &Sets{Present: list([]int{0, 0, 0}), Unknown: list(nil, 1)}, `column "s": 1 items belong to no row`},
		{"both", SetsOf([][]int32{{}, {0, 2}}, [][]int32{{}, {1, 2}}), `column "s": row 2: item 2 is present and unknown`},
		{"missing with items", &Sets{Present: list([]int{0, 0, 1}, 1), Missing: []bool{true, true}}, `column "s": row 2: a missing set has items`},
		{"marks", &Sets{Present: list([]int{0, 0, 0}), Missing: []bool{true}}, `column "s": 1 marks of missing sets, expected 2`},
	} {
		_, err := New(CatColumn("c", []string{"x"}, []int32{0, 0}), SetColumn("s", items, c.s))
		if err == nil || err.Error() != c.want {
			t.Errorf("%s: got %v, want %s", c.name, err, c.want)
		}
	}
	if _, err := New(Column{Attribute: Attribute{Name: "s", Kind: SetValued}, Sets: SetsOf([][]int32{{}}, nil),
		Cat: []int32{0}}); err == nil {
		t.Error("a column of sets and of categories is taken")
	}
	if _, err := New(Column{Attribute: Attribute{Name: "s", Kind: SetValued + 1}}); err == nil ||
		err.Error() != `column "s" is of the unknown kind(3)` {
		t.Errorf("a column of a kind that there is not: %v", err)
	}
	tab := must.Get(New(SetColumn("s", items, SetsOf([][]int32{{0}}, nil))))(t)
	if _, err := tab.AsCategorical(0, 0); err == nil ||
		err.Error() != `column "s" is set-valued and cannot be used as categories` {
		t.Errorf("sets as categories: %v", err)
	}
	if _, err := tab.Conform([]Attribute{{Name: "s", Kind: Categorical}}, true); err == nil ||
		err.Error() != `column "s" is set-valued, expected categorical` {
		t.Errorf("sets conform to categories: %v", err)
	}
}

// TestMissingIsNotEmpty holds apart what is alike in storage: both have no items.
func TestMissingIsNotEmpty(t *testing.T) {
	c := SetColumn("s", items, SetsOf([][]int32{{}, nil, {3, 1, 3}}, nil))
	if got, want := sets(&c), []string{".", "?", "eggs milk."}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if c.Same(0, &c, 1) || !c.Same(1, &c, 1) {
		t.Error("an empty set and a missing one are the same")
	}
}

func TestSetsJSON(t *testing.T) {
	a := Attribute{Name: "s", Kind: SetValued, Role: Confidential, Labels: items, Declared: true}
	b := must.Get(json.Marshal(a))(t)
	const want = `{"name":"s","type":"set-valued","role":"confidential","declared":true,"values":["tea","milk","bread","eggs","jam"]}`
	if string(b) != want {
		t.Errorf("got %s, want %s", b, want)
	}
	var back Attribute
	if err := json.Unmarshal(b, &back); err != nil || fmt.Sprint(back) != fmt.Sprint(a) {
		t.Errorf("got %v, %v, want %v", back, err, a)
	}
	for text, want := range map[string]string{
		`{"name":"s","type":"set-valued","min":1}`:            `attribute "s": a set-valued attribute has no min, max or step`,
		`{"name":"s","type":"set-valued","ordered":true}`:     `attribute "s": the items of a set-valued attribute have no order`,
		`{"name":"s","type":"set-valued","values":["x","x"]}`: `attribute "s": value 2 occurs twice`,
		`{"name":"s","type":"sets"}`:                          `attribute "s": the type is "sets"; expected numeric, categorical or set-valued`,
	} {
		if err := json.Unmarshal([]byte(text), &back); err == nil || err.Error() != want {
			t.Errorf("%s: got %v, want %s", text, err, want)
		}
	}
}

// TestSetsShareMemory fails when a slice copies items, or when a gather allocates per row.
func TestSetsShareMemory(t *testing.T) {
	rows := make([][]int32, 1000)
	for i := range rows {
		rows[i] = []int32{int32(i % 5)}
	}
	c := SetColumn("s", items, SetsOf(rows, nil))
	if a, b := &c.Slice(500, 1000).Sets.Present.Row(0)[0], &c.Sets.Present.Row(500)[0]; a != b {
		t.Error("a slice copies the items")
	}
	all := upTo(len(rows))
	for name, f := range map[string]func(){
		"gather": func() { c.Gather(all) }, "chain": func() { Chain(c, c) }, "compact": func() { c.Compact() },
		"differ": func() { c.Differ(&c) }, "hash": func() { sum(&c) },
	} {
		if n := testing.AllocsPerRun(5, f); n > 20 {
			t.Errorf("%s of 1,000 sets allocates %v times", name, n)
		}
	}
}

// Sets of doubled codes are those of lists that say the same, in whatever order and however often an item stands there.
func TestSetsOfCodesTwin(t *testing.T) {
	long.Check(t, func(t *rapid.T) {
		rows := rapid.IntRange(0, 6).Draw(t, "rows")
		present, unknown := make([][]int32, rows), make([][]int32, rows)
		start, missing := []int{0}, make([]bool, rows)
		var codes []uint32
		for i := range rows {
			missing[i] = rapid.IntRange(0, 3).Draw(t, "missing") == 0
			row := rapid.SliceOfN(rapid.Uint32Range(0, uint32(2*len(items)-1)), 0, 8).Draw(t, "items")
			codes = append(codes, row...)
			start = append(start, len(codes))
			if missing[i] {
				continue
			}
			present[i] = []int32{}
			for _, v := range row {
				if v%2 == 0 {
					present[i] = append(present[i], int32(v/2))
				} else if !slices.Contains(row, v-1) {
					unknown[i] = append(unknown[i], int32(v/2))
				}
			}
		}
		if !slices.Contains(missing, true) && rapid.Bool().Draw(t, "known") {
			missing = nil
		}
		got := must.Get(SetsOfCodes(t.Context(), start, codes, missing))(t)
		a, b := SetColumn("has", items, got), SetColumn("has", items, SetsOf(present, unknown))
		must.NoError(t, got.check(rows, int32(len(items))))
		if x, y := sets(&a), sets(&b); !slices.Equal(x, y) {
			t.Fatalf("%q, expected %q", x, y)
		}
	})
}
