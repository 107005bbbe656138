package rulehiding

import (
	"context"
	"strings"
	"testing"

	"github.com/dither-data/dither/basket"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/google/go-cmp/cmp"
)

// parse reads transactions and patterns of items of one letter.
func parse(rows, patterns string) (*twin, []entry) {
	var all [][]string
	for _, row := range strings.Fields(rows) {
		all = append(all, strings.Split(row, ""))
	}
	var list []entry
	for _, p := range strings.Fields(patterns) {
		list = append(list, entry{left: strings.Split(p, "")})
	}
	return newTwin(all, []string{"a", "b", "c", "d", "e"}), list
}

func released(d *Data) string {
	var out []string
	for i := range d.Len() {
		items, _ := d.Row(i)
		row := ""
		for _, v := range items {
			row += string(rune('a' + v))
		}
		out = append(out, row)
	}
	return strings.Join(out, " ")
}

// TestSWAShares holds that an item which patterns share is the victim.
func TestSWAShares(t *testing.T) {
	for _, x := range []struct {
		rows, patterns, psi, want string
		changes                   int
	}{
		{"ae abd abd abd abde acde", "ab ac bd", "0", "ae ad ad ad ade cde", 5},
		{"abcd abc abd acd bce de", "ab ac", "0", "bcd bc bd cd bce de", 4},
		{"abcd abc abd acd bce de", "ab ac", "1/2", "abcd bc bd cd bce de", 3},
	} {
		w, list := parse(x.rows, x.patterns)
		d, patterns := w.data(list)
		psi := []Share{mustShare(t, x.psi), mustShare(t, x.psi), mustShare(t, x.psi)}
		must.NoError(t, SWA(context.Background(), d, patterns, psi, d.Len()))
		if diff := cmp.Diff(x.want, released(d)); diff != "" || d.Changes != x.changes {
			t.Errorf("%s: %d changes, want %d; %s", x.rows, d.Changes, x.changes, diff)
		}
	}
}

// TestBorderLosesNothing holds the worked example of the border: three deletions are the fewest, and they lose nothing.
func TestBorderLosesNothing(t *testing.T) {
	for name, run := range map[string]func(context.Context, *Data, []basket.Pattern, int) error{"MaxMin": MaxMin,
		"MaxMin2": MaxMin2, "BBA": BBA} {
		w, list := parse("abc abd acd bcd abcd ab ce", "ab")
		d, patterns := w.data(list)
		border := must.Get(Border(context.Background(), d, patterns, 2))(t)
		if diff := cmp.Diff([]BorderSet{{[]int32{0, 2, 3}, 2}, {[]int32{1, 2, 3}, 2}}, border); diff != "" {
			t.Fatalf("border acd, bcd: %s", diff)
		}
		must.NoError(t, run(context.Background(), d, patterns, 2))
		if name == "MaxMin" {
			if diff := cmp.Diff("bc bd acd bcd abcd b ce", released(d)); diff != "" {
				t.Error(diff)
			}
		}
		for _, s := range border {
			if d.Count(s.Items) < 2 {
				t.Errorf("%s: a set of the border is lost", name)
			}
		}
		if d.Changes != 3 || d.Count(patterns[0].Items()) != 1 {
			t.Errorf("%s: %d deletions leave %d", name, d.Changes, d.Count(patterns[0].Items()))
		}
	}
}

// TestMixed: 8 have the beginning and 6 the whole rule. Two items of the end and one beginning make 4 of 9, one of each
// 5 of 9, and of the items that are unknown as many are there as not.
func TestMixed(t *testing.T) {
	for _, x := range []struct{ ones, both, with int }{{2, 4, 9}, {1, 5, 9}} {
		w := newTwin(
			[][]string{{"a", "b"}, {"a", "b"}, {"a", "b"}, {"a", "b"}, {"a", "b"}, {"a", "b"}, {"a"}, {"a"}, {}, {}},
			[]string{"a", "b"})
		d, list := w.data([]entry{{[]string{"a"}, []string{"b"}}})
		l := Limits{Support: mustShare(t, "0.3"), Confidence: mustShare(t, "0.6")}
		must.NoError(t, Mixed(context.Background(), d, list, l, x.ones, 1))
		if s := d.StateOf(list[0], l); s.Both != x.both || s.With != x.with || !s.Hidden {
			t.Errorf("%+v, want %d of %d", s, x.both, x.with)
		}
		if _, unknown := d.Row(8); len(unknown) != 2 {
			t.Errorf("%v are unknown where neither is there, want both", unknown)
		}
	}
}
