package hidingeffects

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/table"
)

var labels = []string{"a", "b", "c", "d"}

// transactions are rows of letters; those with a question mark may be there.
type transactions [][]string

func draw(t *rapid.T, rows int, doubt bool) (out transactions, tab *table.Table) {
	present, unknown := make([][]int32, rows), make([][]int32, rows)
	for i := range rows {
		present[i] = []int32{}
		row := []string{}
		for v, l := range labels {
			switch d := rapid.IntRange(0, 4).Draw(t, "item"); {
			case d == 4 && doubt:
				unknown[i], row = append(unknown[i], int32(v)), append(row, "?"+l)
			case d > 1:
				present[i], row = append(present[i], int32(v)), append(row, l)
			}
		}
		out = append(out, row)
	}
	tab = must.Get(table.New(table.SetColumn("s", labels, table.SetsOf(present, unknown))))(t)
	return out, tab
}

// count counts the rows with all items, and those that may have them.
func (t transactions) count(items string) (sure, may float64) {
	for _, row := range t {
		s, m := 1.0, 1.0
		for _, l := range strings.Split(items, "") {
			if !slices.Contains(row, l) {
				s = 0
				if !slices.Contains(row, "?"+l) {
					m = 0
				}
			}
		}
		sure, may = sure+s, may+m
	}
	return sure, may
}

// found lists the patterns of a table by the three readings: itemsets such as ab, rules such as a=>b.
func (t transactions) found(o Options, rules bool) (out [Readings]map[string]bool) {
	for k := range out {
		out[k] = map[string]bool{}
	}
	least := math.Ceil(o.Support*float64(len(t)) - 1e-9)
	var sets []string
	for which := 1; which < 16; which++ {
		s := ""
		for v, l := range labels {
			if which>>v&1 != 0 {
				s += l
			}
		}
		if len(s) <= o.Items {
			sets = append(sets, s)
		}
	}
	for _, s := range sets {
		low, high := t.count(s)
		for k, n := range []float64{low, (low + high) / 2, high} {
			if enough := n >= max(1, least); enough && !rules {
				out[k][s] = true
			} else if enough {
				for _, x := range sets {
					if y := strings.Map(func(r rune) rune {
						if strings.ContainsRune(x, r) {
							return -1
						}
						return r
					}, s); len(x)+len(y) == len(s) && y != "" {
						xl, xh := t.count(x)
						worst, best := low/xh, 1.0
						if xl > 0 {
							best = min(1, high/xl)
						}
						if []float64{worst, (worst + best) / 2, best}[k] >= o.Confidence {
							out[k][x+"=>"+y] = true
						}
					}
				}
			}
		}
	}
	return out
}

// TestTwin: every number is that of comparing the lists of patterns.
func TestTwin(t *testing.T) {
	long.Check(t, func(t *rapid.T) {
		o := *param.Default(&Options{})
		o.Support, o.Confidence, o.Items = rapid.SampledFrom([]float64{0.2, 0.35, 0.5}).Draw(
			t,
			"support",
		), rapid.SampledFrom([]float64{0.5, 0.7}).Draw(t, "confidence"), rapid.IntRange(2, 4).Draw(t, "items")
		o.Supersets = rapid.SampledFrom([]string{Exclude, Count}).Draw(t, "supersets")
		rules := rapid.Bool().Draw(t, "rules")
		list := rapid.SampledFrom([][]string{{"ab"}, {"a", "cd"}, {"bcd"}}).Draw(t, "sensitive")
		if rules {
			list = rapid.SampledFrom([][]string{{"a=>b"}, {"a=>b", "b=>a", "c=>ad"}}).Draw(t, "sensitive rules")
		}
		o.Sensitive = commas(strings.Join(list, ";"))
		before, was := draw(t, rapid.IntRange(1, 12).Draw(t, "rows"), false)
		after, is := draw(t, rapid.IntRange(1, 12).Draw(t, "released rows"), rapid.Bool().Draw(t, "doubt"))
		s := must.Get(Of(context.Background(), &measure.Release{Original: was, Released: is}, o))(t)
		sensitive := func(p string) bool {
			whole := strings.Replace(p, "=>", "", 1)
			return slices.ContainsFunc(list, func(l string) bool {
				all := strings.Replace(l, "=>", "", 1)
				inside := !strings.ContainsFunc(all, func(r rune) bool { return !strings.ContainsRune(whole, r) })
				return l == p || o.Supersets == Exclude && inside && (!rules || len(all) < len(whole))
			})
		}
		had, has := before.found(o, rules), after.found(o, rules)
		for k := range Readings {
			var want Survey
			for p := range had[Middle] {
				switch {
				case sensitive(p):
					want.HiddenFrom++
					if has[k][p] {
						want.Found[k]++
					}
				default:
					want.Others++
					if !has[k][p] {
						want.Lost[k]++
					}
				}
			}
			for p := range has[k] {
				if !had[Middle][p] {
					want.New[k]++
				}
			}
			if s.HiddenFrom != want.HiddenFrom || s.Found[k] != want.Found[k] || s.Others != want.Others ||
				s.Lost[k] != want.Lost[k] ||
				s.New[k] != want.New[k] ||
				s.After[k] != len(has[k]) {
				t.Fatalf("reading %d: %+v, expected %+v of %d", k, *s, want, len(has[k]))
			}
		}
		if !s.Doubtful {
			for _, f := range s.Sensitive {
				short(t, after, f, o)
			}
		}
	})
}

// short adds records with all items: as many as the fate says bring the pattern back, and one fewer does not.
func short(t *rapid.T, after transactions, f Fate, o Options) {
	pattern := strings.ReplaceAll(f.Text, ",", "")
	whole := strings.Replace(pattern, "=>", "", 1)
	least := math.Ceil(o.Support*float64(len(after)) - 1e-9)
	back := func(more int) bool {
		n, _ := after.count(whole)
		ok := n+float64(more) >= max(1, least)
		if x, _, rule := strings.Cut(pattern, "=>"); rule {
			with, _ := after.count(x)
			ok = ok && (n+float64(more))/(with+float64(more)) >= o.Confidence-1e-12
		}
		return ok
	}
	if f.Is[Middle] != back(0) || f.Short > 0 && (!back(f.Short) || back(f.Short-1)) {
		t.Fatalf("%s: %d records more, found %t", f.Text, f.Short, f.Is[Middle])
	}
}

// commas puts commas between letters.
func commas(list string) string {
	var b strings.Builder
	for k, r := range list {
		if k > 0 && r >= 'a' && list[k-1] >= 'a' {
			b.WriteByte(',')
		}
		b.WriteRune(r)
	}
	return b.String()
}

// Without a list the measures do not apply; a list that cannot be read names its line and no item.
func TestLists(t *testing.T) {
	tab := must.Get(table.New(table.SetColumn("s", labels, table.SetsOf([][]int32{{0, 1}}, nil))))(t)
	r := &measure.Release{Original: tab, Released: tab}
	if _, err := Of(context.Background(), r, Options{}); !errors.Is(err, measure.ErrNotApplicable) {
		t.Error(err)
	}
	for list, part := range map[string]string{
		"a\nsecret": "pattern in line 2: there is no such item",
		"a,a":       "line 1: an item stands in it twice",
		"a=>":       "line 1: expected items",
		"a;a":       "line 1: it stands there twice",
	} {
		o := *param.Default(&Options{})
		o.Sensitive = list
		if _, err := Of(context.Background(), r, o); err == nil || !strings.Contains(err.Error(), part) ||
			strings.Contains(err.Error(), "secret") {
			t.Errorf("%q: %v", list, err)
		}
	}
	o := *param.Default(&Options{})
	o.Sensitive, o.Items = "a=>b", 17
	if _, err := Of(context.Background(), r, o); err == nil || !strings.Contains(err.Error(), "parameter items is 17") {
		t.Error(err)
	}
}

// That supersets of sensitive patterns are left out is said where they are.
func TestExcludedIsSaid(t *testing.T) {
	for supersets, want := range map[string]int{Exclude: 1, Count: 0} {
		v := misses(&SideEffectMeter{Options: Options{Supersets: supersets}}, &Survey{Others: 4, Weight: 2, HiddenFrom: 3})
		if len(v.Notes) != want {
			t.Errorf("%s: notes %q, expected %d", supersets, v.Notes, want)
		}
	}
}
