package relation

import (
	"context"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// twin tries every relation of the kinds on all records of a small table, one by one, and shuffles columns to see what
// chance would make of it.
type twin struct {
	maker
	t    *table.Table
	cols []table.Column
}

// broken counts the records that break a relation, in a table in which one column may be shuffled among the records
// that have all columns of the relation.
func (w *twin) broken(r Relation, shuffled int) (checked, broken int) {
	cols := slices.Clone(w.cols)
	if shuffled >= 0 {
		rows, from := make([]int, w.n), []int{}
		for i := range rows {
			rows[i] = i
			if r.Kind == OnlyTogether || !slices.ContainsFunc(r.Columns, func(name string) bool {
				return w.t.MissingAt(i, w.t.Find(name))
			}) {
				from = append(from, i)
			}
		}
		for k, p := range w.Perm(len(from)) {
			rows[from[k]] = from[p]
		}
		cols[shuffled] = cols[shuffled].Gather(rows)
	}
	t := tabletest.Must(cols...)
	b, err := r.Bind(t)
	if err != nil {
		panic(err)
	}
	for _, s := range b.States(t) {
		if s != Unknown {
			checked++
		}
		if s == Broken {
			broken++
		}
	}
	return checked, broken
}

// verdict says of a relation whether it has to be found, and whether it may be.
func (w *twin) verdict(r Relation) (must, may bool) {
	checked, broken := w.broken(r, -1)
	if checked == 0 || !Tolerated(broken, checked) {
		return false, false
	}
	expected := math.Inf(1)
	for k, name := range r.Columns {
		if r.Kind == Determines && k < len(r.Columns)-1 { // the groups stay
			continue
		}
		total := 0
		for range 8 {
			_, b := w.broken(r, w.t.Find(name))
			total += b
		}
		expected = min(expected, float64(total)/8)
	}
	return expected >= max(70, 130*float64(broken)), expected >= 10 // one wrong record needs 100 expected
}

// agrees fails the test unless all relations that must be found are said to be, and none that must not; same says
// whether two relations say the same.
func (w *twin) agrees(t *testing.T, all []Relation, found []Found, same func(a, b *Relation) bool) (must int) {
	t.Helper()
	possible := make([]bool, len(found))
	for k := range all {
		obliged, may := w.verdict(all[k])
		if !may {
			continue
		}
		has := false
		for f := range found {
			if same(&all[k], &found[f].Relation) {
				has, possible[f] = true, true
			}
		}
		if obliged {
			must++
		}
		if obliged && !has {
			t.Errorf("%s is not found among %v", all[k], texts(found))
		}
	}
	for f := range found {
		if !possible[f] && found[f].Checked > 0 {
			t.Errorf("%s is found (checked %d, broken %d)", found[f], found[f].Checked, found[f].Broken)
		}
	}
	return must
}

func equal(a, b *Relation) bool { return a.Equal(b) }

func sameColumns(a, b *Relation) bool {
	x, y := slices.Clone(a.Columns), slices.Clone(b.Columns)
	slices.Sort(x)
	slices.Sort(y)
	return slices.Equal(x, y)
}

// finder returns a finder that knows of no relations but dependencies.
func (w *twin) finder(t *testing.T) *finder {
	f := newFinder(context.Background(), w.t)
	must.NoError(t, f.dependencies())
	f.depends = map[[2]int]dependency{} // the twin takes all records for independent
	return f
}

// names returns the columns that are numbers, dates or categories, as Find takes them.
func (w *twin) names(kind string) (out []string) {
	for _, c := range w.cols {
		values := map[float64]bool{}
		for _, v := range c.Numbers() {
			if v == v {
				values[v] = true
			}
		}
		is := map[string]bool{
			"all": true, "number": c.Num != nil && c.Dates == "", "date": c.Dates != "",
			"category": c.Num == nil || c.Dates == "" && len(values) <= fewValues,
		}
		if is[kind] && len(values) > 1 {
			out = append(out, c.Name)
		}
	}
	return out
}

// TestFindTwins: every step of the search agrees with trying all relations on all records.
func TestFindTwins(t *testing.T) {
	counts := map[string]int{}
	for seed := range long.Of(1, 100) {
		w := tangle(uint64(seed))
		for name, check := range map[string]func(t *testing.T) int{
			"orders": w.orders, "products": w.products, "linear": w.linear, "elapsed": w.elapsed,
			"determines": w.determines, "two": w.two, "only": w.only, "never": w.never,
		} {
			t.Run(fmt.Sprint(name, "/", seed), func(t *testing.T) { counts[name] += check(t) })
		}
	}
	for name, n := range counts {
		if n < long.Of(0, 5) {
			t.Errorf("only %d relations had to be found by %s", n, name)
		}
	}
}

func (w *twin) orders(t *testing.T) int {
	f := w.finder(t)
	found := must.Get(f.orders())(t)
	for range found { // what follows is found, too
		for _, a := range found {
			for _, b := range found {
				r := Found{Relation: Relation{Kind: Order, Columns: []string{a.Columns[0], b.Columns[1]}}}
				if a.Columns[1] == b.Columns[0] && a.Columns[0] != b.Columns[1] && !slices.ContainsFunc(found, func(o Found) bool {
					return sameOrder(&r.Relation, &o.Relation)
				}) {
					found = append(found, r)
				}
			}
		}
	}
	var all []Relation
	for _, kind := range []string{"number", "date"} {
		for _, a := range w.names(kind) {
			for _, b := range w.names(kind) {
				if a != b && w.comparable(a, b) {
					all = append(all, Relation{Kind: Order, Columns: []string{a, b}})
				}
			}
		}
	}
	return w.agrees(t, all, found, sameOrder)
}

// comparable reports whether two columns are on one grid, or span much the same numbers.
func (w *twin) comparable(a, b string) bool {
	x, y := w.t.Attr(w.t.Find(a)), w.t.Attr(w.t.Find(b))
	if x.Step == y.Step {
		return true
	}
	lo, hi := table.Range(w.t.Num(w.t.Find(a)))
	least, most := table.Range(w.t.Num(w.t.Find(b)))
	return 3*(min(hi, most)-max(lo, least)) >= max(hi, most)-min(lo, least)
}

func sameOrder(a, b *Relation) bool { return slices.Equal(a.Columns, b.Columns) }

func (w *twin) products(t *testing.T) int {
	var all []Relation
	names := w.names("number")
	for _, y := range names {
		for _, x := range names {
			for _, z := range names {
				if x == y || y == z || z == x {
					continue
				}
				for _, factor := range factors {
					c := []string{y, x, z}
					all = append(all, Relation{Kind: Product, Columns: c, Factor: factor},
						Relation{Kind: Ratio, Columns: c, Factor: factor, Power: 1},
						Relation{Kind: Ratio, Columns: c, Factor: factor, Power: 2})
				}
			}
		}
	}
	return w.agrees(t, all, must.Get(w.finder(t).products())(t), sameColumns)
}

func (w *twin) elapsed(t *testing.T) int {
	var all []Relation
	for _, y := range w.names("number") {
		if w.t.Attr(w.t.Find(y)).Step != 1 {
			continue
		}
		for _, from := range w.names("date") {
			for _, u := range []Unit{Years, Months, Weeks} {
				for _, to := range w.names("date") {
					if to != from {
						all = append(all, Relation{Kind: Elapsed, Columns: []string{y, from, to}, Unit: u})
					}
				}
				for day := 17_700; day < 18_040; day++ {
					if r := (Relation{Kind: Elapsed, Columns: []string{y, from}, Unit: u, Day: day}); w.begins(r) {
						all = append(all, r)
					}
				}
			}
		}
	}
	// Of several days that fit one is found.
	return w.agrees(t, all, must.Get(w.finder(t).elapsed())(t), func(a, b *Relation) bool {
		return slices.Equal(a.Columns, b.Columns) && a.Unit == b.Unit
	})
}

// begins reports whether a relation holds in the first twenty records but one.
func (w *twin) begins(r Relation) bool {
	b := Bound{Relation: r}
	at, err := r.On(w.t)
	if err != nil {
		panic(err)
	}
	of, wrong := b.tester(w.t, at), 0
	for i := range 20 {
		if of(i) == Broken {
			wrong++
		}
	}
	return wrong < 2
}

// linear: sums of two and three columns, with the constant that most records have, are what the found ones make.
func (w *twin) linear(t *testing.T) int {
	found := must.Get(w.finder(t).linear())(t)
	names := append(w.names("number"), w.names("date")...)
	total := 0
	for a, y := range names {
		for b, x := range names[:a] {
			for _, z := range append([]string{""}, names[:b]...) {
				for signs := range 4 {
					r := Relation{Kind: Linear, Columns: []string{y, x}, Coefficients: []float64{1, float64(signs%2*2 - 1)}}
					if z != "" {
						r.Columns = append(r.Columns, z)
						r.Coefficients = append(r.Coefficients, float64(signs/2*2-1))
					}
					r.Constant = w.commonest(&r)
					must, may := w.verdict(r)
					has := follows(w.t, found, &r)
					if must {
						total++
					}
					if must && !has || has && !may && len(found) == 1 {
						t.Errorf("%s is to be found %t, may %t, and follows from %v %t", r, must, may, texts(found), has)
					}
				}
			}
		}
	}
	for _, r := range found {
		if checked, broken := w.broken(r.Relation, -1); broken*1000 > checked {
			t.Errorf("%s is found, and %d of %d break it", r, broken, checked)
		}
	}
	return total
}

// commonest returns the constant that a sum has in most records.
func (w *twin) commonest(r *Relation) (best float64) {
	count := map[float64]int{}
	for i := range w.n {
		s := 0.0
		for k, name := range r.Columns {
			s += r.Coefficients[k] * w.cols[w.t.Find(name)].Num[i]
		}
		if count[s]++; s == s && count[s] > count[best] {
			best = s
		}
	}
	return best
}

// follows reports whether a relation is a sum of multiples of others, by elimination in floating point.
func follows(t *table.Table, all []Found, r *Relation) bool {
	row := func(r *Relation) []float64 {
		v := make([]float64, t.Width())
		for k, name := range r.Columns {
			v[t.Find(name)] = r.Coefficients[k]
		}
		return v
	}
	var rows [][]float64
	reduce := func(v []float64) int {
		for _, o := range rows {
			p := slices.IndexFunc(o, func(x float64) bool { return math.Abs(x) > 1e-9 })
			by := v[p] / o[p]
			for k := range v {
				v[k] -= by * o[k]
			}
		}
		return slices.IndexFunc(v, func(x float64) bool { return math.Abs(x) > 1e-9 })
	}
	for k := range all {
		if v := row(&all[k].Relation); reduce(v) >= 0 {
			rows = append(rows, v)
		}
	}
	return reduce(row(r)) < 0
}

func (w *twin) determines(t *testing.T) int {
	f := newFinder(context.Background(), w.t)
	must.NoError(t, f.dependencies())
	var found []Found
	for c, d := range f.depends {
		found = append(found, f.saysOf(d, c[0], c[1]))
	}
	var all []Relation
	for _, x := range w.names("all") {
		for _, y := range w.names("all") {
			if x != y {
				all = append(all, Relation{Kind: Determines, Columns: []string{x, y}})
			}
		}
	}
	return w.agrees(t, all, found, equal)
}

func (w *twin) two(t *testing.T) int {
	f := w.finder(t)
	var all []Relation
	names := w.names("all")
	for b, z := range names {
		for _, x := range names[:b] {
			for _, y := range names {
				if x == y || y == z {
					continue
				}
				values := func(c ...int) int { return len(keysOf(w.t, c).keys) }
				i, j := w.t.Find(x), w.t.Find(z)
				adds := values(i, j) >= 2*max(values(i), values(j))
				for _, alone := range []string{x, z} { // either has to leave at least half of the values open
					checked, broken := w.broken(Relation{Kind: Determines, Columns: []string{alone, y}}, -1)
					adds = adds && broken*2 > checked
				}
				if adds {
					all = append(all, Relation{Kind: Determines, Columns: []string{x, z, y}})
				}
			}
		}
	}
	found := slices.DeleteFunc(must.Get(f.determinedByTwo())(t), func(r Found) bool {
		return !slices.ContainsFunc(all, func(o Relation) bool { return o.Equal(&r.Relation) })
	})
	return w.agrees(t, all, found, equal)
}

// values returns the values of a column, as relations write them.
func (w *twin) values(name string) (out []string) {
	k := keysOf(w.t, []int{w.t.Find(name)})
	return slices.Clone(k.keys)
}

func (w *twin) only(t *testing.T) int {
	var all []Relation
	for _, a := range w.names("all") {
		for _, b := range w.names("category") {
			for _, v := range w.values(b) {
				c := &w.cols[w.t.Find(a)]
				r := Relation{Kind: OnlyTogether, Columns: []string{a, b}, Value: v}
				add := func() {
					all = append(all, r)
					if not := r; len(w.values(b)) > 2 {
						not.Not = true
						all = append(all, not)
					}
				}
				if a != b && slices.ContainsFunc(c.Numbers(), func(x float64) bool { return x != x || c.Cat != nil && x < 0 }) {
					add()
				}
				r.Zero = true
				if a != b && c.Num != nil && c.Dates == "" && len(w.values(a)) > 2 && slices.Contains(c.Num, 0) {
					add()
				}
			}
		}
	}
	return w.agrees(t, all, must.Get(w.finder(t).onlyTogether())(t), equal)
}

// never compares with the table of counts of all pairs of values, and those expected from the margins.
func (w *twin) never(t *testing.T) int {
	found := must.Get(w.finder(t).neverTogether())(t)
	names := w.names("category")
	total := 0
	for b, y := range names {
		for _, x := range names[:b] {
			for _, v := range w.values(x) {
				for _, u := range w.values(y) {
					r := Relation{Kind: NeverTogether, Columns: []string{x, y}, Other: v, Value: u}
					is, and := labelled(w.t, w.t.Find(x), v), labelled(w.t, w.t.Find(y), u)
					n, first, second, both := 0.0, 0.0, 0.0, 0
					for i := range w.n {
						if w.t.MissingAt(i, w.t.Find(x)) || w.t.MissingAt(i, w.t.Find(y)) {
							continue
						}
						n++
						if is[i] == same {
							first++
						}
						if and[i] == same {
							second++
						}
						if is[i] == same && and[i] == same {
							both++
						}
					}
					expected := first * second / n
					has := slices.ContainsFunc(found, func(f Found) bool { return f.Equal(&r) })
					if expected > 18 && both == 0 {
						total++
					}
					if expected > 18 && both == 0 && !has || has && (expected < leastNever || both > 0) {
						t.Errorf("%s: found %t, expected in %g records, is in %d", r, has, expected, both)
					}
				}
			}
		}
	}
	return total
}
