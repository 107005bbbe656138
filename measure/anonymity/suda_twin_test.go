package anonymity

import (
	"context"
	"fmt"
	"math"
	"math/bits"
	"testing"

	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/intruder"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// TestSUDAEqualsTwin compares the measure with the definition: every set of columns of every record, in tables with
// missing and changed values and people with several records.
func TestSUDAEqualsTwin(tt *testing.T) {
	long.Check(tt, func(t *rapid.T) {
		n, p := rapid.IntRange(1, 25).Draw(t, "records"), rapid.IntRange(1, 6).Draw(t, "columns")
		lack := rapid.SampledFrom([]int{0, 10}).Draw(t, "missing of 100")
		noise := rapid.SampledFrom([]int{0, 20}).Draw(t, "changed of 100")
		several := rapid.Bool().Draw(t, "people have several records")
		var original, released []table.Column
		knows := []string{}
		labels := []string{"a", "b", "c", "d", "e"}
		value := rapid.IntRange(0, rapid.IntRange(1, 4).Draw(t, "values"))
		hit := func(of int) bool { return of > 0 && rapid.IntRange(0, 99).Draw(t, "hit") < of }
		for j := range p {
			a, b := make([]int32, n), make([]int32, n)
			for i := range a {
				a[i] = int32(value.Draw(t, "value"))
				if b[i] = a[i]; hit(noise) {
					b[i] = int32(value.Draw(t, "value"))
				}
				if hit(lack) {
					b[i] = -1
				}
			}
			knows = append(knows, fmt.Sprint("c", j))
			original = append(original, table.CatColumn(knows[j], labels, a))
			released = append(released, table.CatColumn(knows[j], labels, b))
		}
		r := &measure.Release{
			Original: tabletest.Of(t, original...), Released: tabletest.Of(t, released...),
			Paired: rapid.Bool().Draw(t, "paired"), Intruder: &intruder.Intruder{Name: "x", Knows: knows},
		}
		whose := make([]int32, n)
		for i := 1; i < n; i++ {
			if whose[i] = whose[i-1]; !several || !r.Paired || !hit(30) {
				whose[i]++
			}
		}
		r.Person, r.Persons = "id", map[string]map[table.RecordID]int32{"id": {}}
		for i, who := range whose {
			r.Persons["id"][r.Original.ID(i)] = who
		}
		m := SUDAMeter{
			Size: rapid.IntRange(0, p+1).Draw(t, "size"), Work: math.MaxInt,
			Weights:  rapid.SampledFrom([]string{Elliot, IHSN}).Draw(t, "weights"),
			Fraction: rapid.SampledFrom([]float64{0.01, 0.3, 1}).Draw(t, "fraction"),
		}
		v := must.Get(m.Measure(context.Background(), r, rng.Source{}))(t)
		d := v.Detail.(*SUDADetail)
		w := sudaTwin{r: r, whose: whose, m: m, p: p}
		scores, least := w.scores()
		special, total, uniques, pairs := 0, 0.0, 0, 0
		for who, score := range scores {
			if special += min(1, least[who]); least[who] > 0 {
				total += score
			}
		}
		uniques, pairs = w.full()
		if d.Special != special || d.Uniques != uniques || d.Pairs != pairs || d.People != len(scores) {
			t.Fatalf("%+v, the twin says %d special, %d unique, %d in pairs, of %d", d, special, uniques, pairs, len(scores))
		}
		byLeast := make([]int, len(d.Least)+1)
		for who := range scores {
			byLeast[least[who]]++
		}
		if fmt.Sprint(d.Least) != fmt.Sprint(byLeast[1:]) {
			t.Fatalf("by least columns %v, the twin says %v", d.Least, byLeast[1:])
		}
		want := w.disSuda(scores, uniques, pairs)
		bands := make([]int, 9)
		for who := range scores {
			if d.People == len(d.scores) && math.Abs(d.scores[who]-scores[who]) > 1e-9*scores[who] {
				t.Fatalf("person %d scores %v, the twin says %v", who, d.scores[who], scores[who])
			}
			protecttest.Near(tt, "DIS-SUDA", d.special[who], want[who], 1e-9)
			for k, hi := range []float64{0, .1, .2, .3, .4, .5, .6, .7, 2} {
				if want[who] <= hi+1e-12 {
					bands[k]++
					break
				}
			}
		}
		if fmt.Sprint(d.Bands) != fmt.Sprint(bands) {
			t.Fatalf("bands %v, the twin says %v", d.Bands, bands)
		}
		for j := range p {
			if total > 0 {
				protecttest.Near(tt, "contribution", d.Contributions[j], w.contribution(j, scores)/total, 1e-9)
			}
		}
	})
}

// sudaTwin knows a release by its cells.
type sudaTwin struct {
	r     *measure.Release
	whose []int32
	m     SUDAMeter
	p     int
}

func (w *sudaTwin) value(t *table.Table, i, j int) int32 { return t.Cat(j)[i] }

// alone reports whether no other person's record has the record's values in the columns, all of which it has.
func (w *sudaTwin) alone(i int, set uint64) bool {
	t := w.r.Released
	for k := range t.Rows() {
		same := true
		for j := range w.p {
			if set>>j&1 == 1 {
				if w.value(t, i, j) < 0 {
					return false
				}
				same = same && w.value(t, i, j) == w.value(t, k, j)
			}
		}
		if same && w.whose[k] != w.whose[i] {
			return false
		}
	}
	return true
}

// sets are the minimal sample uniques of a record.
func (w *sudaTwin) sets(i int) (out []uint64) {
	for set := uint64(1); set < 1<<w.p; set++ {
		if n := bits.OnesCount64(set); w.m.Size > 0 && n > w.m.Size || !w.alone(i, set) {
			continue
		}
		minimal, own := true, true
		for j := range w.p {
			if set>>j&1 == 1 {
				minimal = minimal && (set == 1<<j || !w.alone(i, set&^(1<<j)))
				own = own && (!w.r.Paired || w.value(w.r.Released, i, j) == w.value(w.r.Original, i, j))
			}
		}
		if minimal && own {
			out = append(out, set)
		}
	}
	return out
}

// weight is that of the papers, by factorials.
func (w *sudaTwin) weight(k int) float64 {
	factorial := func(n int) float64 { return math.Round(math.Gamma(float64(n) + 1)) }
	p, m := w.p, w.m.Size
	if m == 0 || m > p {
		m = p
	}
	if w.m.Weights == IHSN {
		return (math.Pow(2, float64(p-k)) - 1) * factorial(k) * factorial(p-k) / factorial(p)
	}
	return factorial(p-k) / factorial(max(0, p-1-m))
}

// best returns the record of a person with the highest score; the first of equals.
func (w *sudaTwin) best(who int) (row int, score float64, least int) {
	row = -1
	for i, p := range w.whose {
		if int(p) != who {
			continue
		}
		sets, s := w.sets(i), 0.0
		for _, set := range sets {
			s += w.weight(bits.OnesCount64(set))
			if n := bits.OnesCount64(set); least == 0 || n < least {
				least = n
			}
		}
		if len(sets) > 0 && (row < 0 || s > score+1e-9) {
			row, score = i, s
		}
	}
	return row, score, least
}

func (w *sudaTwin) scores() (scores []float64, least []int) {
	for who := range int(w.whose[len(w.whose)-1]) + 1 {
		_, s, l := w.best(who)
		scores, least = append(scores, s), append(least, l)
	}
	return scores, least
}

func (w *sudaTwin) contribution(j int, scores []float64) (sum float64) {
	for who := range scores {
		if row, _, _ := w.best(who); row >= 0 {
			for _, set := range w.sets(row) {
				if set>>j&1 == 1 {
					sum += w.weight(bits.OnesCount64(set))
				}
			}
		}
	}
	return sum
}

// full counts people who are unique in all columns, and those in pairs, where a missing value is one of its own.
func (w *sudaTwin) full() (uniques, pairs int) {
	who := map[string]map[int32]bool{}
	key := func(i int) (s string) {
		for j := range w.p {
			s += fmt.Sprint(w.value(w.r.Released, i, j), " ")
		}
		return s
	}
	for i, p := range w.whose {
		if who[key(i)] == nil {
			who[key(i)] = map[int32]bool{}
		}
		who[key(i)][p] = true
	}
	fewest := map[int32]int{}
	for i, p := range w.whose {
		if n := len(who[key(i)]); fewest[p] == 0 || n < fewest[p] {
			fewest[p] = n
		}
	}
	for _, n := range fewest {
		switch n {
		case 1:
			uniques++
		case 2:
			pairs++
		}
	}
	return uniques, pairs
}

func (w *sudaTwin) disSuda(scores []float64, uniques, pairs int) []float64 {
	f, u := w.m.Fraction, float64(uniques)
	dis := u * f / (u*f + float64(pairs)*(1-f))
	q, sum := 1+(8-float64(w.p))/20, 0.0
	for _, s := range scores {
		if s > 0 {
			sum += math.Pow(s, -q)
		}
	}
	out := make([]float64, len(scores))
	for i, s := range scores {
		if s > 0 {
			out[i] = 1 / (1 + (u/dis-u)/(math.Pow(s, q)*sum))
		}
	}
	return out
}

// TestSUDAPeople: a person with several equal records counts once in a pair, and one who has the whole table is unique.
func TestSUDAPeople(t *testing.T) {
	for _, c := range []struct {
		whose                  []int32
		uniques, pairs, single int
	}{{[]int32{0, 1, 1}, 0, 2, 0}, {[]int32{0, 0, 1}, 0, 2, 0}, {[]int32{0, 0}, 1, 0, 1}} {
		tab := tabletest.Of(t, table.CatColumn("a", []string{"x"}, make([]int32, len(c.whose))))
		r := &measure.Release{Original: tab, Released: tab, Paired: true,
			Intruder: &intruder.Intruder{Name: "x", Knows: []string{"a"}}}
		r.Person, r.Persons = "id", map[string]map[table.RecordID]int32{"id": {}}
		for i, who := range c.whose {
			r.Persons["id"][tab.ID(i)] = who
		}
		v := must.Get(SUDA.New().Measure(context.Background(), r, rng.Source{}))(t)
		if d := v.Detail.(*SUDADetail); d.Uniques != c.uniques || d.Pairs != c.pairs || d.Least[0] != c.single {
			t.Errorf("of %v: %+v", c.whose, d)
		}
	}
}

// TestOnePerson: nobody but the one person is in the table, who is unique in every column, even one whose value both of
// two records have.
func TestOnePerson(t *testing.T) {
	who := &items{codes: [][]int32{{0, 0}, {0, 1}}, distinct: []int32{1, 2}, owner: []int32{0, 0}}
	found, err := seek(context.Background(), who, 2)
	if err != nil || len(found) != 4 {
		t.Errorf("%v, %v", found, err)
	}
}
