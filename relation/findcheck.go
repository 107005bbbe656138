package relation

import (
	"math"
	"slices"
	"sync/atomic"

	"github.com/dither-data/dither/internal/system/parallel"
)

// confirm holds a relation of numbers, which is about cols, against the sample and then against all records; tried is
// how many relations of the kind there were to try. It is safe for concurrent use.
func (f *finder) confirm(r Relation, cols []int, tried float64) (found Found, ok bool, err error) {
	b := &Bound{Relation: r}
	at := make([]int, len(cols))
	for k, c := range cols {
		at[k] = f.cols[c].j
	}
	of := b.numbers(f.t, at)
	checked, broken := f.inSample(of, cols)
	if broken > f.slack || checked == 0 {
		return found, false, nil
	}
	share := f.byChance(of, cols)
	if share*float64(f.t.Rows()) < leastBreak {
		return found, false, nil
	}
	found.Relation = r
	found.Checked, found.Broken, err = f.verify(b, at)
	return found, err == nil && f.beyond(found, share, cols, tried), err
}

// beyond reports whether chance, which would break a relation between columns in a share of the records, does not
// explain it.
func (f *finder) beyond(r Found, share float64, cols []int, tried float64) bool {
	expected, units := float64(share*float64(r.Checked)), f.units(cols...)
	return beyondChance(expected, r.Checked, r.Broken, nats(float64(expected*units), float64(float64(r.Broken)*units)),
		tried)
}

// inSample counts the records of the sample that a relation is about and that break it, until too many do.
func (f *finder) inSample(of func(v []float64) State, cols []int) (checked, broken int) {
	v := make([]float64, len(cols))
	for i := range f.rows {
		for k, c := range cols {
			v[k] = f.cols[c].num[i]
		}
		switch of(v) {
		case Holds:
			checked++
		case Broken:
			checked++
			if broken++; broken > f.slack {
				return checked, broken
			}
		case Unknown:
		}
	}
	return checked, broken
}

// byChance estimates in what share of the records a relation would be broken if one of its columns, that for which the
// share is least, were independent of the others: it counts them among the records of the sample that have all of the
// columns, with that column shifted.
func (f *finder) byChance(of func(v []float64) State, cols []int) float64 {
	v, least := make([]float64, len(cols)), math.Inf(1)
	rows := f.complete(cols)
	m := len(rows)
	for moved := range cols {
		checked, broken := 0, 0
		for shift := 1; shift <= min(3, m-1); shift++ {
			for i := range m {
				for k, c := range cols {
					row := rows[i]
					if k == moved {
						row = rows[(i+shift)%m]
					}
					v[k] = f.cols[c].num[row]
				}
				switch of(v) {
				case Broken:
					broken++
					checked++
				case Holds:
					checked++
				case Unknown:
				}
			}
		}
		least = min(least, float64(broken)/float64(max(checked, 1)))
	}
	return least
}

// complete returns the records of the sample that have a value in all of some columns.
func (f *finder) complete(cols []int) (rows []int) {
	for i := range f.rows {
		if !slices.ContainsFunc(cols, func(c int) bool { v := f.cols[c].num[i]; return v != v }) {
			rows = append(rows, i)
		}
	}
	return rows
}

// verify counts among all records those that a relation is about and those that break it.
func (f *finder) verify(b *Bound, at []int) (checked, broken int, err error) {
	var c, w atomic.Int64
	err = parallel.Ranges(f.ctx, f.t.Rows(), 1<<14, func(lo, hi int) error {
		of := b.arithmetic(f.t, at)
		var counts [3]int64
		for i := lo; i < hi; i++ {
			counts[of(i)]++
		}
		c.Add(counts[Holds] + counts[Broken])
		w.Add(counts[Broken])
		return nil
	})
	return int(c.Load()), int(w.Load()), err
}

// gather calls find for every number below n, on all cores, and returns what it finds in the order of the numbers.
func (f *finder) gather(n int, find func(k int) ([]Found, error)) ([]Found, error) {
	parts := make([][]Found, n)
	err := parallel.Each(f.ctx, n, func(k int) (err error) {
		parts[k], err = find(k)
		return err
	})
	var all []Found
	for _, p := range parts {
		all = append(all, p...)
	}
	return all, err
}
