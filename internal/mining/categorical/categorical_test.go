package categorical

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

func TestColumns(t *testing.T) {
	id, class := table.CatColumn("id", []string{"x"}, []int32{0}), table.CatColumn("class", []string{"x"}, []int32{0})
	id.Role, class.Role = table.Identifier, table.Class
	tab := must.Get(table.New(id, table.CatColumn("a", []string{"x"}, []int32{0}), table.NumColumn("n", 1, []float64{1}),
		class, table.CatColumn("b", []string{"x"}, []int32{-1})))(t)
	for _, c := range []struct{ names, want string }{{"", "a b"}, {"b a", "b a"}, {"class", "class"}, {"n", ""},
		{"a z", ""}, {"a a", ""}} {
		cols, err := Columns(tab, strings.Fields(c.names), table.Class|table.Identifier)
		var got []string
		for _, j := range cols {
			got = append(got, tab.Attr(j).Name)
		}
		if !slices.Equal(got, strings.Fields(c.want)) || (err == nil) != (c.want != "") {
			t.Errorf("%q: columns %q, error %v, expected %q", c.names, got, err, c.want)
		}
	}
	if _, err := Columns(tab.Select(0, 2, 3), nil, table.Class|table.Identifier); err == nil {
		t.Error("a table without categorical attributes is taken")
	}
}

// TestProfiles counts by hand and wraps long lines.
func TestProfiles(t *testing.T) {
	long := strings.Repeat("é", 200)
	tab := tabletest.Of(t, table.CatColumn("a", []string{"x", "y"}, []int32{0, 1, 0, -1, 0}),
		table.CatColumn("b", []string{long}, make([]int32, 5)))
	got := Profiles(tab, []int{0, 1}, []int32{0, 0, 0, 0, -1}, 2)
	want := []Value{{"b", long, 1}, {"a", "x", 0.5}}
	if got[0].Size != 4 || !slices.Equal(got[0].Values, want) || got[1].Size != 0 || got[1].Values != nil {
		t.Errorf("profiles %+v", got)
	}
	text := Text(got)
	for line := range strings.Lines(text) {
		if utf8.RuneCountInString(line) > 160 {
			t.Errorf("a line has %d characters", utf8.RuneCountInString(line))
		}
	}
	for _, part := range []string{"cluster 0: 4 records;", "a = x 0.50", "cluster 1: 0 records"} {
		if !strings.Contains(text, part) {
			t.Errorf("the text lacks %q:\n%s", part, text)
		}
	}
}

// TestManyClusters: a table of records that are all different has as many clusters, and one table of clusters by values
// would not fit into memory: 200,000 times 200,000 counts. The text shows the largest.
func TestManyClusters(t *testing.T) {
	const n = 200_000
	labels, names, codes := make([]int32, n), make([]string, n), make([]int32, n)
	for i := range n {
		labels[i], names[i], codes[i] = int32(max(0, i-2)), fmt.Sprint("v", i), int32(n-1-i)
	}
	tab := tabletest.Of(t, table.CatColumn("a", names, codes))
	got := Profiles(tab, []int{0}, labels, n-2)
	if got[0].Size != 3 || got[0].Values != nil || !slices.Equal(got[1].Values, []Value{{"a", names[n-4], 1}}) {
		t.Errorf("profiles %+v, %+v", got[0], got[1])
	}
	if text := Text(got); !strings.HasPrefix(text, "cluster 0: 3 records\ncluster 1: 1 records; ") ||
		!strings.HasSuffix(text, "and 199948 smaller clusters\n") {
		t.Errorf("a text of %d characters", len(text))
	}
}

// TestProfilesCount compares with counting every cluster and value.
func TestProfilesCount(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 50 {
		n, k := r.IntN(12), 1+r.IntN(4)
		labels, codes := make([]int32, n), make([]int32, n)
		for i := range n {
			labels[i], codes[i] = int32(r.IntN(k+1)-1), int32(r.IntN(4)-1)
		}
		tab := tabletest.Of(t, table.CatColumn("a", []string{"x", "y", "z"}, codes))
		for l, p := range Profiles(tab, []int{0}, labels, k) {
			size, count := 0, make([]int, 3)
			for i := range n {
				if labels[i] == int32(l) {
					size++
					if codes[i] >= 0 {
						count[codes[i]]++
					}
				}
			}
			var want []Value
			for c, x := range count {
				if x > 0 && 2*x >= size {
					want = append(want, Value{"a", tab.Attr(0).Labels[c], float64(x) / float64(size)})
				}
			}
			slices.SortStableFunc(want, func(a, b Value) int { return cmp.Compare(b.Share, a.Share) })
			if p.Size != size || !slices.Equal(p.Values, want) {
				t.Fatalf("labels %v, codes %v: cluster %d is %+v, expected %d records and %+v", labels, codes, l, p, size, want)
			}
		}
	}
}

// TestList keeps lines short whatever is listed.
func TestList(t *testing.T) {
	if got := List("head", nil); got != "head\n" {
		t.Errorf("%q", got)
	}
	if got := List("a: b", []string{"c", "d"}); got != "a: b; c, d\n" {
		t.Errorf("%q", got)
	}
	r := rand.New(rand.NewPCG(1, 1))
	for range 200 {
		var parts []string
		for range r.IntN(30) {
			parts = append(parts, strings.Repeat("ü", r.IntN(200)))
		}
		got := List(strings.Repeat("h", r.IntN(200)), parts)
		for line := range strings.Lines(got) {
			if n := utf8.RuneCountInString(line); n > 161 {
				t.Fatalf("a line has %d characters", n-1)
			}
		}
	}
}

// TestLowest compares samples with sorting all draws, on a whole table and on one whose records are in another order.
func TestLowest(t *testing.T) {
	tab := tabletest.Of(t, table.NumColumn("n", 1, make([]float64, 3000)))
	rows := make([]int, tab.Rows())
	for i := range rows {
		rows[i] = i
	}
	draw := Draws(tab, rng.New([32]byte{1}))
	sorted := slices.SortedFunc(slices.Values(rows), func(a, b int) int { return cmp.Compare(draw[a], draw[b]) })
	for _, n := range []int{0, 1, 2, 10, 700, 1000, 2999, 3000, 5000} {
		want := slices.Clone(sorted[:min(n, 3000)])
		slices.Sort(want)
		if got := Lowest(slices.Clone(rows), draw, n); !slices.Equal(got, want) {
			t.Fatalf("of %d rows: %v, expected %v", n, got, want)
		}
	}
	turned := slices.Clone(rows)
	slices.Reverse(turned)
	back := Draws(tab.Gather(turned), rng.New([32]byte{1}))
	slices.Reverse(back)
	if !slices.Equal(back, draw) {
		t.Error("draws depend on the order of the records")
	}
	if got := Lowest([]int{3, 4, 5}, slices.Repeat([]uint64{1 << 63}, 9), 2); !slices.Equal(got, []int{3, 4}) {
		t.Errorf("of equal draws %v", got)
	}
}
