package basket_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/dither-data/dither/basket"
	"github.com/dither-data/dither/internal/mining/itemset"
	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
	"pgregory.net/rapid"
)

// letters codes transactions of letters.
func letters(t tabletest.T, rows []string) (*basket.Coding, *itemset.Transactions) {
	var sets [][]int32
	for _, text := range rows {
		row := []int32{}
		for _, r := range text {
			row = append(row, r-'a')
		}
		sets = append(sets, row)
	}
	tab := tabletest.Of(t, table.SetColumn("s", []string{"a", "b", "c", "d", "e"}, table.SetsOf(sets, nil)))
	c := must.Get(basket.New(tab, basket.Options{Intervals: 2}))(t)
	rowsOf := must.Get(c.Code(tab))(t)
	return c, rowsOf
}

// TestExpand: what * stands for in the seven transactions of the literature.
func TestExpand(t *testing.T) {
	c, rows := letters(t, strings.Fields("abc abd acd bcd abcd ab ce"))
	for _, x := range []struct {
		list, want string
		least      int
		confidence float64
	}{
		{"a,*", "a,b a,c a,d", 3, 0},
		{"*,a,b", "a,b,c a,b,d", 2, 0},
		{"*=>a", "b=>a d=>a", 3, 0.75},
		{"d=>*", "d=>a d=>b d=>c", 3, 0.75},
		{"b=>a;*=>a\na=>c # no remark", "", 3, 0.75},
		{"# *=>a\nb=>a\n*=>a", "b=>a d=>a", 3, 0.75},
		{"*=>a;d=>*", "b=>a d=>a d=>b d=>c", 3, 0.75},
		{"a,b", "a,b", 3, 0},
	} {
		got, err := c.Expand(t.Context(), x.list, rows, x.least, x.confidence)
		if x.want == "" {
			if err == nil || !strings.HasPrefix(err.Error(), "pattern in line 2: ") {
				t.Errorf("%q: %q, %v", x.list, got, err)
			}
			continue
		}
		if err != nil {
			t.Errorf("%q: %v", x.list, err)
			continue
		}
		list := must.Get(c.Patterns(got))(t)
		var texts []string
		for _, p := range list {
			texts = append(texts, c.Text(p))
		}
		slices.Sort(texts)
		if strings.Join(texts, " ") != x.want {
			t.Errorf("%q stands for %q, want %q", x.list, texts, x.want)
		}
	}
}

// TestExpandRefuses: what * cannot stand for is said with the line, and no item is named.
func TestExpandRefuses(t *testing.T) {
	c, rows := letters(t, strings.Fields("abc abd acd bcd abcd ab ce"))
	for _, x := range []struct{ list, want string }{
		{"*", "expected items"},
		{"a,b\n*=>*", "pattern in line 2: only one side"},
		{"a,*,*", "for one item of a set"},
		{"a,*=>b", "for one side of a rule"},
		{"*=>a=>b", "expected items"},
		{"a=>b=>*", "for one side of a rule"},
		{"e,*", "its * stands for nothing"},
		{"secret=>*", "there is no such item"},
		{"a,secret\na,*", "pattern in line 1: there is no such item"},
	} {
		_, err := c.Expand(t.Context(), x.list, rows, 2, 0.9)
		if err == nil || !strings.Contains(err.Error(), x.want) || strings.Contains(err.Error(), "secret") {
			t.Errorf("%q: %v, want %q", x.list, err, x.want)
		}
	}
	if c.HasAny(`"*",a`) || !c.HasAny("a\nb, *") || c.HasAny("# *\na") {
		t.Error("a * in quotes, or in a remark, is none")
	}
}

// TestExpandTwin holds * against a loop over all sets of items.
func TestExpandTwin(t *testing.T) {
	long.Check(t, func(t *rapid.T) {
		rows := rapid.SliceOfN(rapid.SampledFrom([]string{"ab", "abc", "ac", "bcd", "abcde", "de", "ace", "b"}), 2,
			12).Draw(t, "rows")
		c, coded := letters(t, rows)
		least := rapid.IntRange(1, 3).Draw(t, "least")
		count := func(bits int) (n int) {
			for _, row := range rows {
				all := true
				for k, v := range "abcde" {
					all = all && (bits>>k&1 == 0 || strings.ContainsRune(row, v))
				}
				if all {
					n++
				}
			}
			return n
		}
		item := rapid.IntRange(0, 4).Draw(t, "item")
		var pairs, ends []string
		text := func(bits int) string {
			var names []string
			for k, v := range "abcde" {
				if bits>>k&1 > 0 {
					names = append(names, string(v))
				}
			}
			return strings.Join(names, ",")
		}
		for bits := 1; bits < 32; bits++ {
			if bits>>item&1 > 0 {
				if rest := bits &^ (1 << item); rest > 0 && rest&(rest-1) == 0 && count(bits) >= least {
					pairs = append(pairs, text(bits))
				}
				continue
			}
			if both := count(bits | 1<<item); both >= least && 2*both >= count(bits) {
				ends = append(ends, text(bits)+"=>"+text(1<<item))
			}
		}
		for list, want := range map[string][]string{text(1<<item) + ",*": pairs, "*=>" + text(1<<item): ends} {
			got, err := c.Expand(t.Context(), list, coded, least, 0.5)
			if len(want) == 0 {
				if err == nil {
					t.Fatalf("%q of %q stands for %q", list, rows, got)
				}
				continue
			}
			must.NoError(t, err)
			lines := slices.DeleteFunc(strings.Split(got, "\n"), func(l string) bool { return l == "" })
			slices.Sort(lines)
			slices.Sort(want)
			if !slices.Equal(lines, want) {
				t.Fatalf("%q of %q by %d: %q, want %q", list, rows, least, lines, want)
			}
		}
	})
}
