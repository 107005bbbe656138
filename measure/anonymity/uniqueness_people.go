package anonymity

import (
	"context"
	"slices"

	"github.com/dither-data/dither/intruder"
	"github.com/dither-data/dither/measure/internal/classes"
	"github.com/dither-data/dither/table"
)

// countPeople is count where some people have several records, of paired tables: of says by row whose it is, one of n.
// Somebody is the only one where all records alike one of theirs are their own, and is found where all released records
// alike it are their own, too. Void are the released records that lack all that is known; nil for none.
func countPeople(ctx context.Context, c *classes.Classes, of []int32, n int, void []bool) (UniquenessDetail, error) {
	if void == nil {
		void = make([]bool, len(of))
	}
	seen := slices.Clone(of)
	for i, v := range void {
		if v {
			seen[i] = -1
		}
	}
	all, err := c.People(ctx, 0, of)
	if err != nil {
		return UniquenessDetail{}, err
	}
	shown, err := c.People(ctx, 1, seen)
	if err != nil {
		return UniquenessDetail{}, err
	}
	covered, err := c.People(ctx, 1, of)
	if err != nil {
		return UniquenessDetail{}, err
	}
	s := uniqueScene{c: c, of: of, void: void, rows: make([][]int32, n)}
	for i, p := range of {
		s.rows[p] = append(s.rows[p], int32(i))
	}
	d := UniquenessDetail{Original: n, Released: n, risk: make([]float64, len(of))}
	unique, found, right, open := make([]bool, n), make([]bool, n), make([]bool, n), make([]bool, n)
	for i, class := range c.Of[0] {
		candidates := shown[class]
		if void[i] && c.Of[1][i] == class {
			candidates = covered[class]
		}
		own := s.own(i, class)
		d.kept = d.kept || own || void[i]
		if own {
			d.risk[i] = 1 / float64(max(1, candidates))
		}
		p := of[i]
		open[p] = open[p] || shown[c.Of[1][i]] == 1 && !void[i]
		if all[class] == 1 {
			unique[p] = true
			found[p] = found[p] || candidates == 1
			right[p] = right[p] || candidates == 1 && own
		}
	}
	d.UniqueOriginal, d.UniqueReleased, d.Found = trues(unique), trues(open), trues(found)
	sure := trues(right)
	d.Right = &sure
	return d, nil
}

// voids are the released records that lack all that is known: they hide nobody but each other.
func voids(released *table.Table, view *intruder.View) []bool {
	out := make([]bool, released.Rows())
	for i := range out {
		out[i] = !slices.ContainsFunc(view.Columns(), func(j int) bool { return !released.MissingAt(i, j) })
	}
	return out
}

// uniqueScene is whose the records are.
type uniqueScene struct {
	c    *classes.Classes
	of   []int32
	void []bool
	rows [][]int32 // by person
}

// own reports whether a released record of the person of row i may be taken for the row, which is of that class.
func (s *uniqueScene) own(i int, class int32) bool {
	return slices.ContainsFunc(s.rows[s.of[i]], func(k int32) bool {
		other := s.c.Of[1][k]
		return s.c.Alike(class, other) && (!s.void[k] || other == class)
	})
}

func trues(list []bool) int {
	n := 0
	for _, v := range list {
		if v {
			n++
		}
	}
	return n
}
