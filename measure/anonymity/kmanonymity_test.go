package anonymity

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/internal/testkit/yardstick"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// sold returns a table with a set for every record, the same for records of one identity.
func sold(t *table.Table) *table.Table {
	if t == nil || t.Find("bought") >= 0 {
		return t
	}
	sets := make([][]int32, t.Rows())
	for i := range sets {
		n := int32(t.ID(i))
		sets[i] = []int32{n % 3, 3 + n%5, 8 + n%7}
	}
	return tabletest.Insert(t, t.Width(),
		table.SetColumn("bought", strings.Fields("a b c d e f g h i j k l m n o"), table.SetsOf(sets, nil)))
}

func kmTake(t tabletest.T, r *measure.Release, k, m int) (measure.Value, KMAnonymityDetail) {
	v := must.Get((&KMAnonymityMeter{K: k, M: m}).Measure(context.Background(), r, rng.Source{}))(t)
	return v, v.Detail.(KMAnonymityDetail)
}

// TestKMAnonymityEqualsTwin counts, for every set of items that somebody has, who has it.
func TestKMAnonymityEqualsTwin(t *testing.T) {
	long.Check(t, func(r *rapid.T) {
		rows := rapid.IntRange(1, 14).Draw(r, "rows")
		people := rapid.Bool().Draw(r, "people")
		persons, sets, has := map[table.RecordID]int32{}, make([][]int32, rows), map[int]uint{}
		for i := range sets {
			sets[i] = rapid.SliceOfNDistinct(rapid.Int32Range(0, 6), 0, 6, rapid.ID[int32]).Draw(r, "row")
			p := i
			if people {
				p = rapid.IntRange(0, rows-1).Draw(r, "person")
			}
			persons[table.RecordID(i)] = int32(p)
			has[p] |= 0
			for _, v := range sets[i] {
				has[p] |= 1 << v
			}
		}
		tab := tabletest.Of(r, table.SetColumn("bought", strings.Fields("a b c d e f g"), table.SetsOf(sets, nil)))
		rel := &measure.Release{Original: tab, Released: tab, Paired: true}
		if people {
			rel.Persons, rel.Person = map[string]map[table.RecordID]int32{"p": persons}, "p"
		}
		k, m := rapid.IntRange(2, 5).Draw(r, "k"), rapid.IntRange(1, 3).Draw(r, "m")
		v, d := kmTake(r, rel, k, m)
		for n := 1; n <= 3; n++ {
			least, in := len(has), map[int]bool{}
			for set := uint(1); set < 1<<7; set++ {
				var who []int
				for p, own := range has {
					if own&set == set {
						who = append(who, p)
					}
				}
				if size(set) > n || len(who) == 0 {
					continue
				}
				least = min(least, len(who))
				for _, p := range who {
					in[p] = in[p] || len(who) < k
				}
			}
			count := 0
			for _, rare := range in {
				if rare {
					count++
				}
			}
			c := d.Columns[0]
			if c.Records != len(has) || c.Least[n-1] != least || c.In[n-1] != count || n == m && v.Score != float64(least) {
				r.Fatalf("%d items: score %v, %+v; expected k %d, %d in rare sets of %d", n, v.Score, c, least, count, len(has))
			}
		}
	})
}

func size(set uint) (n int) {
	for ; set > 0; set &= set - 1 {
		n++
	}
	return n
}

// TestKMAnonymityApplies: not where items were added, where there are none, and not of too much work; lost items are no
// obstacle.
func TestKMAnonymityApplies(t *testing.T) {
	of := func(rows ...[]int32) *table.Table {
		return tabletest.Of(t, table.SetColumn("bought", []string{"a", "b", "c"}, table.SetsOf(rows, nil)))
	}
	was := of([]int32{0, 1}, []int32{0, 1}, []int32{2})
	for name, c := range map[string]struct {
		release *table.Table
		applies bool
	}{
		"as it is": {was, true}, "deleted": {of([]int32{0}, []int32{1}, []int32{}), true},
		"added": {of([]int32{0, 1, 2}, []int32{0, 1}, []int32{2}), false},
	} {
		_, err := (&KMAnonymityMeter{K: 2, M: 2}).Measure(t.Context(),
			&measure.Release{Original: was, Released: c.release, Paired: true}, rng.Source{})
		if (err == nil) != c.applies || err != nil && !errors.Is(err, measure.ErrNotApplicable) {
			t.Errorf("%s: %v", name, err)
		}
	}
	long, labels := make([]int32, 5000), make([]string, 5000)
	for v := range long {
		long[v], labels[v] = int32(v), fmt.Sprint(v)
	}
	tab := tabletest.Of(t, table.SetColumn("bought", labels, table.SetsOf([][]int32{long}, nil)))
	v, d := kmTake(t, &measure.Release{Original: tab, Released: tab, Paired: true}, 2, 2)
	if len(d.Columns[0].Least) != 2 || len(v.Notes) != 1 || !strings.Contains(v.Notes[0].String(), "more than 2") {
		t.Errorf("%+v, notes %q", d, v.Notes)
	}
	same := &measure.Release{Original: tab, Released: tab, Paired: true}
	_, err := (&KMAnonymityMeter{K: 2, M: 3}).Measure(t.Context(), same, rng.Source{})
	if !errors.Is(err, measure.ErrNotApplicable) {
		t.Error(err)
	}
	if got := d.Sentence().String(); !strings.Contains(got,
		`up to 2 items of a record in "bought" finds at least 1 of 1 released record, or none; 1 of them (100 %)`) {
		t.Error(got)
	}
}

// BenchmarkKMAnonymityMeasure counts sets of up to three of ten items: of 30,000 records in 1.1 of the yardstick on two
// cores, of 1,000,000 in 42.
func BenchmarkKMAnonymityMeasure(b *testing.B) {
	for _, rows := range []int{30_000, 1_000_000} {
		b.Run(fmt.Sprint(rows), func(b *testing.B) {
			sets := make([][]int32, rows)
			for i := range sets {
				for x := uint64(i)*0x9e3779b97f4a7c15 + 1; len(sets[i]) < 10; x = x*6364136223846793005 + 1442695040888963407 {
					u := x >> 44
					sets[i] = append(sets[i], int32(u*u>>31)%500)
				}
			}
			labels := make([]string, 1<<10)
			for v := range labels {
				labels[v] = fmt.Sprint(v)
			}
			t := tabletest.Of(b, table.SetColumn("bought", labels, table.SetsOf(sets, nil)))
			for b.Loop() {
				must.Get(KMAnonymity.New().Measure(b.Context(), &measure.Release{Original: t, Released: t, Paired: true},
					rng.Source{}))(b)
			}
			yardstick.Report(b)
		})
	}
}
