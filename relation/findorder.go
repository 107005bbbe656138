package relation

import (
	"slices"

	"github.com/dither-data/dither/internal/portable"
)

// orders finds which dates, and which numbers, are never above others. It leaves out what follows from two
// others and, of numbers, from a sum.
func (f *finder) orders() ([]Found, error) {
	equal := map[string]bool{} // to another column
	for _, r := range f.known {
		if r.Kind == Linear && len(r.Columns) == 2 && r.Constant == 0 && r.Coefficients[1] == -1 {
			equal[r.Columns[0]] = true
		}
	}
	numbers := f.numbers(func(c *sample) bool { return !equal[c.a.Name] })
	doubted := make([][]Found, len(numbers))
	all, err := f.gather(len(numbers), func(k int) (out []Found, err error) {
		for _, b := range numbers {
			a := numbers[k]
			if a == b || !f.comparable(a, b) {
				continue
			}
			found, ok, err := f.order(a, b, float64(len(numbers)*len(numbers)))
			if err != nil {
				return nil, err
			}
			switch {
			case ok:
				out = append(out, found)
			case found.Checked > 0:
				doubted[k] = append(doubted[k], found)
			}
		}
		return out, nil
	})
	f.doubted = slices.Concat(doubted...)
	all = f.transitive(all)
	return slices.DeleteFunc(all, func(o Found) bool {
		return slices.ContainsFunc(f.known, func(r Found) bool { return f.impliesOrder(&r, &o) })
	}), err
}

// comparable reports whether two columns may be ordered, and whether values of the first are above some of the second.
func (f *finder) comparable(a, b int) bool {
	x, y := &f.cols[a], &f.cols[b]
	alike := x.date() || x.a.Step == y.a.Step || likeRanges(x.values, y.values)
	return x.date() == y.date() && alike && x.values[len(x.values)-1] > y.values[0]
}

// likeRanges reports whether sorted numbers of different grids may be of one measure, such as a mean and whole numbers:
// what both ranges have in common is a third of what they span, at least.
func likeRanges(a, b []float64) bool {
	lo, hi := max(a[0], b[0]), min(a[len(a)-1], b[len(b)-1])
	least, most := min(a[0], b[0]), max(a[len(a)-1], b[len(b)-1])
	return 3*(hi-lo) >= most-least
}

// order finds out whether a is never above b, or is even always below it: no two values are equal, and by chance some
// would be.
func (f *finder) order(a, b int, tried float64) (found Found, ok bool, err error) {
	cols := []int{a, b}
	r := Relation{Kind: Order, Columns: f.name(cols...)}
	found, ok, err = f.confirm(r, cols, tried)
	if !ok {
		if err == nil {
			found, err = f.doubt(r, cols)
		}
		return found, false, err
	}
	at := []int{f.cols[a].j, f.cols[b].j}
	plain, strict := &Bound{Relation: r}, &Bound{Relation: r}
	strict.Strict = true
	of := strict.numbers(f.t, at)
	if _, broken := f.inSample(of, cols); broken > f.slack {
		return found, true, nil
	}
	equal := f.byChance(of, cols) - f.byChance(plain.numbers(f.t, at), cols)
	if equal*float64(found.Checked) < max(leastBreak, portable.Log(tried/falseAlarm)) {
		return found, true, nil
	}
	_, broken, err := f.verify(strict, at)
	found.Strict = broken == found.Broken
	return found, true, err
}

// doubt holds an order against all records that chance would break in fewer than leastBreak of them, but in half as
// many at least. Found is empty where it would not, or where the order is broken.
func (f *finder) doubt(r Relation, cols []int) (found Found, err error) {
	b := &Bound{Relation: r}
	at := []int{f.cols[cols[0]].j, f.cols[cols[1]].j}
	of, rows := b.numbers(f.t, at), float64(f.t.Rows())
	if _, broken := f.inSample(of, cols); broken > 0 {
		return found, nil
	}
	share := f.byChance(of, cols)
	if share*rows < leastBreak/2 || share*rows >= leastBreak {
		return found, nil
	}
	checked, broken, err := f.verify(b, at)
	if broken == 0 {
		found = Found{Relation: r, Checked: checked}
	}
	return found, err
}

// doubts are the doubted orders that do not follow from what is known.
func (f *finder) doubts() (out []Relation) {
	orders := slices.DeleteFunc(slices.Clone(f.known), func(r Found) bool { return r.Kind != Order })
	for _, o := range f.transitive(append(orders, f.doubted...)) {
		doubted := slices.ContainsFunc(f.doubted, func(d Found) bool { return d.Equal(&o.Relation) })
		if doubted && !slices.ContainsFunc(f.known, func(r Found) bool { return f.impliesOrder(&r, &o) }) {
			out = append(out, o.Relation)
		}
	}
	return out
}

// transitive leaves out orders that follow from two others, by way of a column that is there where both are.
func (f *finder) transitive(all []Found) (out []Found) {
	type pair struct{ a, b string }
	has := make(map[pair]*Found, len(all))
	above := map[string][]string{}
	for k := range all {
		r := &all[k]
		has[pair{r.Columns[0], r.Columns[1]}] = r
		above[r.Columns[0]] = append(above[r.Columns[0]], r.Columns[1])
	}
	for _, r := range all {
		a, c := r.Columns[0], r.Columns[1]
		if !slices.ContainsFunc(above[a], func(b string) bool {
			one, two := has[pair{a, b}], has[pair{b, c}]
			if has[pair{b, a}] != nil || has[pair{c, b}] != nil { // equal ones do not leave each other out
				return false
			}
			return two != nil && (!r.Strict || one.Strict || two.Strict) && f.between(a, b, c)
		}) {
			out = append(out, r)
		}
	}
	return out
}

// between reports whether a column is there in 99 of 100 records of the sample in which two others are.
func (f *finder) between(a, b, c string) bool {
	x, y, z := f.cols[f.place[a]].code, f.cols[f.place[b]].code, f.cols[f.place[c]].code
	both, gaps := 0, 0
	for i := range x {
		if x[i] >= 0 && z[i] >= 0 {
			both++
			if y[i] < 0 {
				gaps++
			}
		}
	}
	return gaps*100 <= both
}

// impliesOrder reports whether an order follows from a relation: a constant distance between two columns or, of
// numbers, a sum whose other parts cannot be negative together. Orders of dates stay where a duration implies them,
// since only they say that it has to be one.
func (f *finder) impliesOrder(r, o *Found) bool {
	a, b := slices.Index(r.Columns, o.Columns[0]), slices.Index(r.Columns, o.Columns[1])
	if r.Kind != Linear || a < 0 || b < 0 {
		return false
	}
	if len(r.Columns) == 2 {
		return true
	}
	up := r.Coefficients[b]
	if r.Coefficients[a] != -up || f.cols[f.place[o.Columns[0]]].date() {
		return false
	}
	least := r.Constant / up // of the difference
	for k, c := range r.Coefficients {
		if k != a && k != b {
			d := f.cols[f.place[r.Columns[k]]].a.Domain
			least -= max(c/up*d.Lo, c/up*d.Hi)
		}
	}
	return least >= 0
}
