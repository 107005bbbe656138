package hidingeffects

import (
	"context"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// TestTable31 recomputes Table 3.1 of Bertino, Nai Fovino and Parasiliti Provenza from its supports and confidences: j
// and J in nats, and J' in bits. Two of its figures are printed otherwise: 0.0018 for a j of 0.001187, and the last
// digit of 0.019570 and 0.095670.
func TestTable31(t *testing.T) {
	for _, x := range []struct {
		rule             string
		terms            Terms
		single, j, prime float64
	}{
		{"12 => 21", Terms{0.313018734, 0.302466208, 0.310074481}, .000020, .000006, -.00599},
		{"12 => 21 after", Terms{0.29049087, 0.290372303, 0.203756635}, .019571, .005683, -.19688},
		{"43 => 12", Terms{0.302466208, 0.22290728, 0.325}, .001187, .000265, .03367},
		{"43 => 12 after", Terms{0.278041262, 0.198482333, 0.118876941}, .074538, .014794, -.30035},
		{"45 => 8", Terms{0.298672042, 0.296063552, 0.315178214}, .000644, .000191, .03315},
		{"45 => 8 after", Terms{0.263813137, 0.261204648, 0.090331366}, .095669, .024989, -.48362},
	} {
		single, j, prime := x.terms.J()/x.terms.B, x.terms.J(), x.terms.JPrime()/math.Ln2
		if math.Abs(single-x.single) > 6e-7 || math.Abs(j-x.j) > 6e-7 || math.Abs(prime-x.prime) > 6e-6 {
			t.Errorf("%s: j %.6f, J %.6f, J' %.5f, want %.6f, %.6f, %.5f", x.rule, single, j, prime, x.single, x.j, x.prime)
		}
	}
}

// TestTwinOfListed counts listed rules in rows of letters: an item that may be there counts half, and shares of 0 and 1
// are taken half a record away.
func TestTwinOfListed(t *testing.T) {
	letters := []string{"a", "b", "c"}
	draw := func(t *rapid.T, doubt bool) (rows []string, tab *table.Table) {
		n := rapid.IntRange(1, 8).Draw(t, "rows")
		present, unknown := make([][]int32, n), make([][]int32, n)
		for i := range n {
			row := ""
			present[i] = []int32{}
			for v, l := range letters {
				switch d := rapid.IntRange(0, 3).Draw(t, "item"); {
				case d == 3 && doubt:
					row, unknown[i] = row+strings.ToUpper(l), append(unknown[i], int32(v))
				case d > 1:
					row, present[i] = row+l, append(present[i], int32(v))
				}
			}
			rows = append(rows, row)
		}
		return rows, tabletest.Of(t, table.SetColumn("s", letters, table.SetsOf(present, unknown)))
	}
	count := func(rows []string, items string) (n float64) {
		for _, row := range rows {
			sure, may := 1.0, 1.0
			for _, l := range strings.Split(items, "") {
				if !strings.Contains(row, l) {
					sure = 0
					if !strings.Contains(row, strings.ToUpper(l)) {
						may = 0
					}
				}
			}
			n += (sure + may) / 2
		}
		return n
	}
	long.Check(t, func(t *rapid.T) {
		before, was := draw(t, false)
		after, is := draw(t, rapid.Bool().Draw(t, "doubt"))
		x := rapid.SampledFrom([][2]string{{"a", "b"}, {"ab", "c"}, {"c", "ab"}}).Draw(t, "rule")
		want := func(rows []string) (Terms, bool) {
			n, with := float64(len(rows)), count(rows, x[0])
			clip := func(v float64) float64 { return math.Max(1/(2*n), math.Min(1-1/(2*n), v)) }
			return Terms{clip(count(rows, x[1]) / n), with / n, clip(count(rows, x[0]+x[1]) / with)}, with > 0
		}
		o := *param.Default(&RuleOptions{})
		o.Sensitive = strings.Join(strings.Split(x[0], ""), ",") + "=>" + strings.Join(strings.Split(x[1], ""), ",")
		f, err := RulesOf(context.Background(), &measure.Release{Original: was, Released: is}, o)
		first, in := want(before)
		second, out := want(after)
		if !in || !out {
			if err == nil {
				t.Fatalf("%v judged, though a table has no record of its beginning", f.Rules)
			}
			return
		}
		must.NoError(t, err)
		if got := f.Rules[0]; !near(got.Before, first) || !near(got.After, second) || got.Text != o.Sensitive {
			t.Fatalf("%+v, want %+v and %+v of %v, %v", got, first, second, before, after)
		}
	})
}

func near(a, b Terms) bool {
	return math.Abs(a.A-b.A) < 1e-12 && math.Abs(a.B-b.B) < 1e-12 && math.Abs(a.X-b.X) < 1e-12
}

// TestTree judges the rules of a tree that is known: age parts the classes, and in the release two records of the young
// leaf change class.
func TestTree(t *testing.T) {
	class := func(codes ...int32) table.Column {
		c := table.CatColumn("ill", []string{"no", "yes"}, codes)
		c.Role = table.Class
		return c
	}
	age := table.NumColumn("age", 1, []float64{20, 21, 22, 23, 60, 61, 62, 63, 64, 65})
	was := tabletest.Of(t, age, class(0, 0, 0, 0, 1, 1, 1, 1, 1, 1))
	is := tabletest.Of(t, age, class(0, 0, 1, 1, 1, 1, 1, 1, 1, -1))
	o := *param.Default(&RuleOptions{})
	o.Rules = Tree
	f := must.Get(RulesOf(context.Background(), &measure.Release{Original: was, Released: is}, o))(t)
	// Half a record of 10 from 1 for the original, and of 10 for the release, of which nine records have a class.
	want := []Rule{
		{"age <= 23 => no", "no", Terms{.4, .4, .95}, Terms{2. / 9, 4. / 9, .5}},
		{"age > 23 => yes", "yes", Terms{.6, .6, .95}, Terms{7. / 9, 5. / 9, .95}},
	}
	if len(f.Rules) != len(want) {
		t.Fatalf("%+v", f.Rules)
	}
	for k, w := range want {
		if got := f.Rules[k]; got.Text != w.Text || got.Class != w.Class || !near(got.Before, w.Before) ||
			!near(got.After, w.After) {
			t.Errorf("%+v, want %+v", got, w)
		}
	}
	d, before, after := f.Judge(func(t Terms) float64 { return t.B })
	if math.Abs(before-.5/math.Ln2) > 1e-12 || math.Abs(after-.5/math.Ln2) > 1e-12 || len(d.Classes) != 2 ||
		math.Abs(d.Classes[1].Is-5./9/math.Ln2) > 1e-12 {
		t.Errorf("%v, %v, %+v", before, after, d.Classes)
	}
}

// The note counts the rules of which a share was 0 or 1; of the others nothing is said.
func TestClipped(t *testing.T) {
	r := &measure.Release{Original: sets(t, "ab ac a e"), Released: sets(t, "ab a a e")}
	for list, want := range map[string]string{"a=>b": "", "a=>b;a=>c": "1 rule supported"} {
		o := *param.Default(&RuleOptions{})
		o.Sensitive = list
		f := must.Get(RulesOf(context.Background(), r, o))(t)
		if (len(f.Notes) == 0) != (want == "") || want != "" && !strings.HasPrefix(f.Notes[0].String(), want) {
			t.Errorf("%s: %v", list, f.Notes)
		}
	}
}

// Classes weigh their rules by how common their beginnings are in the original.
func TestClasses(t *testing.T) {
	got := classes([]Judged{
		{Rule{Class: "b", Before: Terms{B: .3}}, 1, 2},
		{Rule{Class: "a", Before: Terms{B: .5}}, 5, 6},
		{Rule{Class: "b", Before: Terms{B: .1}}, 5, 10},
		{Rule{Text: "listed"}, 7, 7},
	})
	if len(got) != 2 || got[0] != (Class{"a", 1, 5, 6}) || got[1].Name != "b" || math.Abs(got[1].Was-2) > 1e-12 ||
		math.Abs(got[1].Is-4) > 1e-12 {
		t.Errorf("%+v", got)
	}
}
