package relation

import (
	"math"
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// world returns a table with relations of every kind; a share of the values is missing where that leaves them whole.
func world(n int, missing float64, seed uint64) (*table.Table, []Relation) {
	r := rand.New(rand.NewPCG(seed, 7))
	num := func(name string, step float64, f func(i int) float64) table.Column {
		c := table.Column{Attribute: table.Attribute{Name: name, Step: step}, Num: make([]float64, n)}
		for i := range c.Num {
			c.Num[i] = c.Snap(f(i))
		}
		return c
	}
	day := func(name string, f func(i int) float64) table.Column {
		c := num(name, 1, f)
		c.Dates = "yyyy-mm-dd"
		return c
	}
	cat := func(name string, labels []string, f func(i int) int) table.Column {
		c := table.Column{Attribute: table.Attribute{Name: name, Kind: table.Categorical, Labels: labels}, Cat: make([]int32, n)}
		for i := range c.Cat {
			c.Cat[i] = int32(f(i))
		}
		return c
	}
	a := num("a", 0.01, func(int) float64 { return r.ExpFloat64() * 100 })
	b := num("b", 0.01, func(int) float64 { return r.Float64() * 50 })
	total := num("total", 0.01, func(i int) float64 { return a.Num[i] + b.Num[i] })
	born := day("born", func(int) float64 { return float64(r.IntN(20000)) - 20000 })
	in := day("in", func(i int) float64 { return born.Num[i] + float64(r.IntN(15000)) })
	out := day("out", func(i int) float64 { return in.Num[i] + math.Floor(r.ExpFloat64()*8) })
	days := num("days", 1, func(i int) float64 { return out.Num[i] - in.Num[i] })
	weight := num("weight", 0.1, func(int) float64 { return 50 + r.Float64()*60 })
	height := num("height", 1, func(int) float64 { return 150 + float64(r.IntN(50)) })
	bmi := num("bmi", 0.1, func(i int) float64 { return 10000 * weight.Num[i] / (height.Num[i] * height.Num[i]) })
	codes, texts := make([]string, 12), make([]string, 12)
	for k := range codes {
		codes[k], texts[k] = "C"+strconv.Itoa(k), "text "+strconv.Itoa(k)
	}
	code := cat("code", codes, func(int) int { return r.IntN(12) })
	text := cat("text", texts, func(i int) int { return int(code.Cat[i]) })
	post := num("post", 1, func(int) float64 { return float64(1000 + 10*r.IntN(30)) })
	town := cat("town", []string{"A", "B", "C", "D"}, func(i int) int { return int(post.Num[i]) / 10 % 4 })
	sex := cat("sex", []string{"f", "m"}, func(int) int { return r.IntN(2) })
	role := cat("role", []string{"wife", "husband", "child"}, func(i int) int {
		if r.IntN(3) == 0 {
			return 2
		}
		return int(sex.Cat[i])
	})
	state := cat("state", []string{"alive", "moved", "dead"}, func(int) int { return r.IntN(3) })
	died := day("died", func(i int) float64 {
		if state.Cat[i] != 2 {
			return math.NaN()
		}
		return out.Num[i] + float64(r.IntN(900))
	})
	age := num("age", 1, func(i int) float64 {
		e := Bound{Relation: Relation{Kind: Elapsed, Unit: Years}}
		return e.elapsed([]float64{born.Num[i], in.Num[i]})
	})
	paid := num("paid", 1, func(i int) float64 {
		if sex.Cat[i] == 0 {
			return 0
		}
		return 1 + float64(r.IntN(500))
	})
	for i := range n {
		if r.Float64() < missing {
			a.Num[i], total.Num[i] = math.NaN(), math.NaN()
		}
		if r.Float64() < missing {
			code.Cat[i], text.Cat[i] = -1, -1
		}
		if r.Float64() < missing {
			days.Num[i] = math.NaN()
		}
	}
	var rels []Relation
	for _, s := range []string{
		"total = a + b", "born <= in", "in <= out", "out <= died", "days = out - in", "bmi = 10000 * weight / height^2",
		"code -> text", "post -> town", "never role = wife and sex = m", "never role = husband and sex = f",
		"died if state = dead", "age = years(born, in)", "paid above 0 if sex = m",
	} {
		rel, err := Parse(s)
		if err != nil {
			panic(err)
		}
		rels = append(rels, rel)
	}
	cols := []table.Column{a, b, total, born, in, out, days, weight, height, bmi, code, text, post, town, sex, role, state,
		died, age, paid}
	for k := range cols {
		if cols[k].Kind == table.Numeric {
			lo, hi := table.Range(cols[k].Num)
			cols[k].Domain = table.Interval{Lo: lo, Hi: hi}
		}
	}
	t, err := table.New(cols...)
	if err != nil {
		panic(err)
	}
	return t, rels
}

// scrambled stands for a technique that knows nothing of relations: every column is permuted by itself, and numbers
// move inside their domain.
func scrambled(t *table.Table, seed uint64) *table.Table {
	r := rand.New(rand.NewPCG(seed, 9))
	cols := t.Columns()
	for j := range cols {
		c := cols[j].Gather(r.Perm(t.Rows()))
		if c.Kind == table.Numeric {
			num := make([]float64, len(c.Num))
			for i, v := range c.Num {
				num[i] = c.Snap(min(max(v+r.NormFloat64()*3*max(c.Step, 1), c.Domain.Lo), c.Domain.Hi))
			}
			c.Num = num
		}
		cols[j] = c
	}
	out, err := t.WithColumns(cols)
	if err != nil {
		panic(err)
	}
	return out
}

// TestRestored: whatever a technique does to the restated table, the release keeps every relation, in every record.
func TestRestored(t *testing.T) {
	for seed, missing := range []float64{0, 0.02, 0} {
		tab, rels := world(700, missing, uint64(seed))
		r, left, err := Restate(tab, rels, RestateOptions{})
		if err != nil || len(left) > 0 && left[0].Relation.Kind != OnlyTogether {
			t.Fatalf("left %v, %v", left, err)
		}
		reduced, err := r.Reduce(tab)
		if err != nil {
			t.Fatal(err)
		}
		release := scrambled(reduced, uint64(seed))
		got, did, err := r.Restore(tab, release, nil, rng.New([32]byte{byte(seed + 1)}))
		if err != nil {
			t.Fatal(err)
		}
		if did.Redrawn == 0 || did.Redrawn == tab.Rows() {
			t.Errorf("%d records were drawn anew", did.Redrawn)
		}
		if got.Width() != tab.Width() {
			t.Fatalf("%d columns, expected %d", got.Width(), tab.Width())
		}
		for _, rel := range r.Relations() {
			b, err := rel.Bind(tab)
			if err != nil {
				t.Fatal(err)
			}
			count := [3]int{}
			for _, s := range b.States(got) {
				count[s]++
			}
			if count[Broken] > 0 || count[Holds] == 0 {
				t.Errorf("%s: unknown, holds, broken in %v records", rel, count)
			}
		}
		if len(r.Relations())+len(left) != len(rels) {
			t.Errorf("%d relations kept, %d left, of %d", len(r.Relations()), len(left), len(rels))
		}
	}
}

// TestReducedComesBack: the reduced table, as it is, is restored to the original.
func TestReducedComesBack(t *testing.T) {
	tab, rels := world(500, 0, 3)
	r, _, err := Restate(tab, rels, RestateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	reduced, err := r.Reduce(tab)
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Computed()) < 6 || reduced.Width() != tab.Width()-len(r.Computed()) {
		t.Errorf("%v are computed; the reduced table has %d columns of %d", r.Computed(), reduced.Width(), tab.Width())
	}
	got, _, err := r.Restore(tab, reduced, nil, rng.New([32]byte{1}))
	if err != nil {
		t.Fatal(err)
	}
	for j := range tab.Width() {
		a, b := tab.Column(j), got.Column(j)
		if n := a.Differ(&b); n > 0 {
			t.Errorf("column %q differs in %d records", a.Name, n)
		}
	}
}
