package profile

import (
	"encoding/json"
	"fmt"
	"math"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// drawPeople makes a small table of quasi-identifiers of both kinds and a column that is none.
func drawPeople(t *rapid.T) *table.Table {
	rows := rapid.IntRange(0, 25).Draw(t, "rows")
	width := rapid.IntRange(0, 5).Draw(t, "quasi-identifiers")
	cols := []table.Column{table.NumColumn("other", 1, make([]float64, rows))}
	for j := range width {
		name := fmt.Sprintf("q%d", j)
		var c table.Column
		if rapid.Bool().Draw(t, "numeric") {
			v := rapid.SampledFrom([]float64{0, math.Copysign(0, -1), 1, 2.5, 1e9, math.NaN()})
			c = table.NumColumn(name, 0, rapid.SliceOfN(v, rows, rows).Draw(t, name))
		} else {
			v := rapid.Int32Range(-1, int32(rapid.IntRange(0, 4).Draw(t, "labels")))
			c = table.CatColumn(name, []string{"a", "b", "c", "d", "e"}, rapid.SliceOfN(v, rows, rows).Draw(t, name))
		}
		c.Role = table.Quasi
		cols = append(cols, c)
	}
	return tabletest.Of(t, cols...)
}

// tuple writes the values of the columns in row i as text.
func tuple(t *table.Table, i int, cols []int) string {
	var s strings.Builder
	for _, j := range cols {
		switch {
		case t.MissingAt(i, j):
			s.WriteString("?|")
		case t.Attr(j).Kind == table.Numeric:
			fmt.Fprintf(&s, "%v|", t.Num(j)[i]+0)
		default:
			fmt.Fprintf(&s, "%v|", t.Cat(j)[i])
		}
	}
	return s.String()
}

func tally(t *table.Table, cols []int) (count map[string]int, uniques int) {
	count = map[string]int{}
	for i := range t.Rows() {
		count[tuple(t, i, cols)]++
	}
	for _, n := range count {
		if n == 1 {
			uniques++
		}
	}
	return count, uniques
}

// exposureTwin counts tuples written as text, and follows the greedy rule word by word.
func exposureTwin(t *table.Table) *Exposure {
	var at []int
	e := &Exposure{Rows: t.Rows(), QuasiIdentifiers: []string{}, Worst: []Combination{}, K: t.Rows(),
		Sizes: []SizeBand{{From: 1, To: 1}, {From: 2, To: 2}, {From: 3, To: 4}, {From: 5, To: 9}, {From: 10}}}
	for j := range t.Width() {
		if t.Attr(j).Role&table.Quasi != 0 {
			at = append(at, j)
			e.QuasiIdentifiers = append(e.QuasiIdentifiers, t.Attr(j).Name)
		}
	}
	count, uniques := tally(t, at)
	e.Classes, e.Uniques = len(count), uniques
	for _, n := range count {
		e.K = min(e.K, n)
		if n < 5 {
			e.BelowFive += n
		}
		for k := range e.Sizes {
			if b := &e.Sizes[k]; n >= b.From && (n <= b.To || b.To == 0) {
				b.Classes++
				b.Records += n
			}
		}
	}
	for i := range t.Rows() {
		if s := tuple(t, i, at); strings.Contains(s, "?") {
			e.Missing++
			if count[s] == 1 {
				e.UniqueMissing++
			}
		}
	}
	if t.Rows() > 0 {
		e.UniqueShare = float64(uniques) / float64(t.Rows())
	}
	return e
}

// checkWorst recomputes every step of the search: the figures must be right, and no other column may add more.
func checkWorst(t *rapid.T, tab *table.Table, e *Exposure) {
	if want := min(3, len(e.QuasiIdentifiers)); len(e.Worst) != want {
		t.Fatalf("%d combinations, want %d", len(e.Worst), want)
	}
	var chosen []int
	for _, w := range e.Worst {
		for _, q := range e.QuasiIdentifiers {
			count, uniques := tally(tab, append(chosen[:len(chosen):len(chosen)], tab.Find(q)))
			if uniques > w.Uniques || uniques == w.Uniques && len(count) > w.Classes {
				t.Fatalf("%v makes %d uniques in %d classes, but with %s it would be %d in %d", w.Columns, w.Uniques, w.Classes,
					q, uniques, len(count))
			}
		}
		chosen = append(chosen, tab.Find(w.Columns[len(w.Columns)-1]))
		count, uniques := tally(tab, chosen)
		if uniques != w.Uniques || len(count) != w.Classes {
			t.Fatalf("%v: %d uniques in %d classes, want %d in %d", w.Columns, w.Uniques, w.Classes, uniques, len(count))
		}
	}
}

func TestExposureAgainstTwin(t *testing.T) {
	long.Check(t, func(t *rapid.T) {
		tab := drawPeople(t)
		got := must.Get(Expose(t.Context(), tab))(t)
		checkWorst(t, tab, got)
		want := exposureTwin(tab)
		want.Worst = got.Worst
		if d := cmp.Diff(want, got); d != "" {
			t.Fatal(d)
		}
	})
}

// Both ways of numbering, the array and the open-addressing table, give every key its number of first appearance.
func TestLookup(t *testing.T) {
	var l lookup // reused, as by a worker
	long.Check(t, func(t *rapid.T) {
		bound := rapid.SampledFrom([]int{0, 50, 1 << 40}).Draw(t, "bound")
		key := rapid.Uint64Range(0, 49)
		if bound != 50 {
			key = rapid.Map(key, func(k uint64) uint64 { return k << 58 })
		}
		keys := rapid.SliceOfN(key, 0, 60).Draw(t, "keys")
		l.reset(len(keys), bound)
		want := map[uint64]int32{}
		for _, k := range keys {
			if _, ok := want[k]; !ok {
				want[k] = int32(len(want))
			}
			if got := l.get(k); got != want[k] {
				t.Fatalf("key %d is number %d, want %d", k, got, want[k])
			}
		}
	})
}

func TestExposureOfAdult(t *testing.T) {
	long.Only(t, "a larger data set")
	tab := load(t, "adult/adult.csv")
	tab, _, err := Roles(tab, of(t, tab), "income", nil)
	must.NoError(t, err)
	e := must.Get(Expose(t.Context(), tab))(t)
	want := exposureTwin(tab)
	want.Worst = e.Worst
	if d := cmp.Diff(want, e); d != "" {
		t.Error(d)
	}
	if e.Worst[0].Columns[0] != "age" && e.Worst[0].Columns[0] != "native_country" {
		t.Errorf("the worst single quasi-identifier is %v", e.Worst[0])
	}
	first := must.Get(json.Marshal(e))(t)
	old := runtime.GOMAXPROCS(1)
	defer runtime.GOMAXPROCS(old)
	again := must.Get(Expose(t.Context(), tab))(t)
	if second, _ := json.Marshal(again); string(second) != string(first) {
		t.Errorf("one core gives %s, two give %s", second, first)
	}
}

// TestExposureOfPeople: several records of a person are one person, who is unique where any of theirs is alike nobody
// else's.
func TestExposureOfPeople(t *testing.T) {
	age := table.NumColumn("age", 1, []float64{40, 40, 40, 50, 50, 60, 50, 50, 50})
	age.Role = table.Quasi
	who := table.CatColumn("patient", []string{"a", "b", "c", "d"}, []int32{0, 0, 0, 1, 1, 1, 2, 3, 3})
	tab := tabletest.Of(t, age, who)
	e, err := Expose(t.Context(), tab)
	if err != nil || e.Rows != 9 || e.K != 1 || e.Uniques != 1 {
		t.Errorf("records: %+v, %v", e, err)
	}
	who.Role = table.Person | table.Identifier
	e, err = Expose(t.Context(), tabletest.Of(t, age, who))
	if err != nil || e.Rows != 4 || e.K != 1 || e.Uniques != 2 || e.UniqueShare != 0.5 || e.BelowFive != 4 {
		t.Errorf("people: %+v, %v", e, err)
	}
}
