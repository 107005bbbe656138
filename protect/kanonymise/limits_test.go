package kanonymise

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/dither-data/dither/hierarchy"
	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// lacking returns 100 records that agree, but that the first a lack the second column and the next b the third one: no
// level joins them.
func lacking(t testing.TB, a, b int) *table.Table {
	v := make([][]float64, 3)
	for j := range v {
		v[j] = slices.Repeat([]float64{7}, 100)
	}
	for i := range a + b {
		j := 1
		if i >= a {
			j = 2
		}
		v[j][i] = math.NaN()
	}
	return tabletest.Of(t, table.NumColumn("x", 1, v[0]), table.NumColumn("y", 1, v[1]), table.NumColumn("z", 1, v[2]))
}

// As many records may be suppressed as the limit says and not one more; 0.29 of 100 are 29, though the product of the
// floating-point numbers is less. Fewer than k suppressed ones are joined by others, and these count.
func TestSuppressionLimit(t *testing.T) {
	for _, c := range []struct {
		a, b         int
		k, limit     string
		lost, atMost int // lost -1: an error that names the number at most
	}{
		{15, 14, "16", "0.29", 29, 0}, {15, 14, "16", "0.289", -1, 28}, {15, 14, "15", "0.14", -1, 14},
		{15, 14, "15", "0.15", 15, 0},
		{15, 14, "14", "0", 0, 0}, {29, 0, "30", "0.3", 30, 0}, {29, 0, "30", "0.29", -1, 29}, {29, 0, "29", "0", 0, 0},
		{30, 30, "41", "1", 100, 0}, // 40 are left, fewer than k
		{0, 0, "100", "0", 0, 0},    // exactly k records
	} {
		for _, search := range []string{"lattice", "mondrian"} {
			tab := lacking(t, c.a, c.b)
			p, err := fitted(tab, nil, map[string]string{"k": c.k, "suppression": c.limit, "search": search})
			if c.lost < 0 {
				if err == nil || !strings.Contains(err.Error(), fmt.Sprintf("expected %d at most", c.atMost)) {
					t.Errorf("%s, %+v: error %v", search, c, err)
				}
				continue
			}
			if err != nil || p.Found.Suppressed != c.lost {
				t.Errorf("%s, %+v: %+v, error %v", search, c, p, err)
				continue
			}
			out, err := p.Apply(tab, protecttest.Seed(1))
			if err != nil || suppressed(p, tab, out) != c.lost {
				t.Errorf("%s, %+v: %d records are suppressed, error %v", search, c, suppressed(p, tab, out), err)
			}
		}
	}
}

// sick returns records with a quasi-identifier and a sensitive value, "?" for a missing one.
func sick(t testing.TB, age []float64, values string) *table.Table {
	labels, codes := []string{"a", "b", "c"}, make([]int32, len(values))
	for i, v := range strings.Split(values, "") {
		codes[i] = int32(slices.Index(labels, v))
	}
	s := table.CatColumn("sick", labels, codes)
	s.Role = table.Confidential
	return tabletest.Of(t, table.NumColumn("age", 1, age), s)
}

// Goals are met at their edge and not beyond it, by columns that stay as they are: where they are not met, values are
// raised.
func TestGoalsAtTheirEdge(t *testing.T) {
	two := []float64{1, 1, 1, 1, 9, 9, 9, 9}
	one := slices.Repeat([]float64{5}, 6)
	for _, c := range []struct {
		age    []float64
		values string
		set    string
		as     string // "is": the ages stay; "raised"; else part of an error
	}{
		{two, "aabbaaab", "k=4", "is"}, {two, "aabbaaab", "k=5", "raised"},
		{two, "aabbaaab", "k=4 l=2", "is"}, {two, "aabbaaaa", "k=4 l=2", "raised"},
		{two, "aabbaaab", "k=4 l=2.1", "distinct l = 2.1"},
		{two, "aab?????", "k=4 l=2", "is"}, {two, "aab?a???", "k=4 l=2", "raised"},
		{two, "aabbaaab", "k=4 t=0.125", "is"}, {two, "aabbaaab", "k=4 t=0.124", "raised"},
		{two, "aabbaabb", "k=4 t=0", "is"},
		{one, "aaabbc", "k=6 l=3", "is"}, {one, "aaabbc", "k=6 l=3.01", "distinct l = 3.01"},
		{one, "aaabbc", "k=6 l=2.74 diversity=entropy", "is"},
		{one, "aaabbc", "k=6 l=2.76 diversity=entropy", "entropy l = 2.76"},
		{one, "aaabbc", "k=6 l=2 diversity=recursive c=1.01", "is"},
		{one, "aaabbc", "k=6 l=2 diversity=recursive c=1", "recursive l = 2"},
	} {
		for _, search := range []string{"lattice", "mondrian"} {
			set := map[string]string{"search": search, "suppression": "0"}
			for _, word := range strings.Fields(c.set) {
				name, value, _ := strings.Cut(word, "=")
				set[name] = value
			}
			tab := sick(t, c.age, c.values)
			p, err := fitted(tab, nil, set)
			if c.as != "is" && c.as != "raised" {
				if err == nil || !strings.Contains(err.Error(), c.as) {
					t.Errorf("%s %s of %s: error %v, expected %q", search, c.set, c.values, err, c.as)
				}
				continue
			}
			if err != nil {
				t.Errorf("%s %s of %s: %v", search, c.set, c.values, err)
				continue
			}
			out := must.Get(p.Apply(tab, protecttest.Seed(1)))(t)
			together := look(out, 0, p.Quasi) == look(out, len(c.age)-1, p.Quasi)
			if together != (c.as == "raised" || c.age[0] == c.age[len(c.age)-1]) {
				t.Errorf("%s %s of %s: the first record looks like the last one: %v", search, c.set, c.values, together)
			}
		}
	}
}

// Sampling weights are no quasi-identifier and do not count: two records of weight 1,000 are two.
func TestWeightsDoNotCount(t *testing.T) {
	age := []float64{20, 20, 20, 20, 50, 50}
	w := table.NumColumn("w", 1, []float64{1, 1, 1, 1, 1000, 1000})
	w.Role = table.Weight
	tab := tabletest.Of(t, table.NumColumn("age", 1, age), w)
	for _, search := range []string{"lattice", "mondrian"} {
		p := must.Get(fitted(tab, nil, map[string]string{"k": "3", "search": search, "suppression": "0"}))(t)
		out, err := p.Apply(tab, protecttest.Seed(1))
		if err != nil || !slices.Equal(p.Quasi, []int{0}) || !slices.Equal(out.Num(1), w.Num) {
			t.Fatalf("%s: quasi-identifiers %v, error %v", search, p.Quasi, err)
		}
		for _, n := range alike(out, p.Quasi) {
			if n < 3 {
				t.Errorf("%s: %d records look alike", search, n)
			}
		}
	}
}

// A hierarchy that does not list a value that occurs is refused and says the column; one that lists others besides is
// not.
func TestHierarchiesCover(t *testing.T) {
	city := table.CatColumn("city", []string{"Bonn", "Kiel", "Rome"}, []int32{0, 0, 1, 1})
	tab := tabletest.Of(t, city)
	for _, search := range []string{"lattice", "mondrian"} {
		for text, bad := range map[string]bool{"Bonn;*\n": true, "Bonn;D;*\nKiel;D;*\n": false, "Oslo;N;*\nBonn;D;*\n" +
			"Kiel;D;*\nRome;I;*\n": false} {
			h := must.Get(hierarchy.Parse("city", strings.NewReader(text)))(t)
			p, err := fitted(tab, hierarchy.Set{"city": h}, map[string]string{"k": "2", "search": search, "suppression": "0"})
			if bad && (err == nil || !strings.Contains(err.Error(), `"city"`)) || !bad && (err != nil || p.Found.Classes != 2) {
				t.Errorf("%s, %q: %+v, error %v", search, text, p, err)
			}
		}
	}
}

// ending is a context that ends after it was asked so often.
type ending struct {
	context.Context
	left atomic.Int64
}

func (c *ending) Err() error {
	if c.left.Add(-1) < 0 {
		return context.Canceled
	}
	return nil
}

// A fit that is cancelled fails, whenever that is; it never returns half a plan.
func TestCancelled(t *testing.T) {
	tab := people(300)
	for _, search := range []string{"lattice", "mondrian"} {
		q := New()
		must.NoError(t, q.Params().Apply(map[string]string{"search": search, "l": "2", "suppression": "0.3"}))
		whole := must.Get(q.Fit(context.Background(), tab, protecttest.Seed(1)))(t)
		ended := 0
		for asked := int64(0); asked < 300; asked += long.Of[int64](7, 1) {
			ctx := &ending{Context: context.Background()}
			ctx.left.Store(asked)
			p, err := q.Fit(ctx, tab, protecttest.Seed(1))
			switch {
			case err != nil && (!errors.Is(err, context.Canceled) || p != nil):
				t.Fatalf("%s: plan %v, error %v", search, p, err)
			case err != nil:
				ended++
			case fmt.Sprintf("%+v", p.(*Plan).Found) != fmt.Sprintf("%+v", whole.(*Plan).Found):
				t.Fatalf("%s: asked %d times, the plan is %+v, expected %+v", search, asked, p.(*Plan).Found, whole.(*Plan).Found)
			}
		}
		if ended < 3 {
			t.Errorf("%s: cancelled %d times only", search, ended)
		}
	}
}
