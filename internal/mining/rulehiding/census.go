package rulehiding

import (
	"context"
	"errors"
	"math/big"
	"slices"

	"github.com/dither-data/dither/basket"
)

// Census counts the solutions of the fewest deletions.
type Census struct {
	Cells     int      // deletions of each
	Solutions *big.Int // sets of so many deletions that hide everything
	Lost      int      // patterns that the best of these lose
	Best      *big.Int // how many of them lose no more
}

// CountBest counts the solutions of the fewest deletions, and those of them that lose the fewest patterns. Every
// solution is visited, up to transactions that are equal in what counts, so it is for small files.
func CountBest(ctx context.Context, d *Data, patterns []basket.Pattern, g Goal) (c Census, err error) {
	g.Cells, g.all = true, true
	v, err := divide(ctx, d, patterns, g)
	if err != nil {
		return c, err
	}
	c.Solutions, c.Best = big.NewInt(1), big.NewInt(1)
	for _, p := range v.problems {
		if slices.ContainsFunc(p.classes, func(c class) bool { return c.cut }) {
			return c, errors.New("transactions have too many sensitive sets at once to count all solutions")
		}
		w := &census{ctx: ctx, s: newSolution(p), all: new(big.Int), best: new(big.Int), fewest: -1}
		w.visit(0, 0, big.NewInt(1))
		c.Cells, c.Lost = c.Cells+w.fewest, c.Lost+w.lost
		c.Solutions.Mul(c.Solutions, w.all)
		c.Best.Mul(c.Best, w.best)
	}
	return c, ctx.Err()
}

// census counts the solutions of a problem.
type census struct {
	ctx       context.Context
	s         *solution
	fewest    int // deletions, -1 before the first solution
	lost      int
	all, best *big.Int
}

// visit lets transactions of a class go its ways from one on, then those of the next. There are so many choices so far
// that look the same.
func (w *census) visit(class, way int, number *big.Int) {
	s := w.s
	if w.fewest >= 0 && s.cells > w.fewest || w.ctx.Err() != nil {
		return
	}
	if class == len(s.p.classes) {
		w.count(number)
		return
	}
	c := &s.p.classes[class]
	if way == len(c.ways) {
		w.visit(class+1, 0, number)
		return
	}
	free := s.left[class]
	for n := range free + 1 {
		s.take(class, way, n)
		w.visit(class, way+1, new(big.Int).Mul(number, new(big.Int).Binomial(int64(free), int64(n))))
		s.take(class, way, -n)
	}
}

// count counts choices that look the same.
func (w *census) count(number *big.Int) {
	s := w.s
	for _, n := range s.need {
		if n > 0 {
			return
		}
	}
	if w.fewest < 0 || s.cells < w.fewest {
		w.fewest, w.lost = s.cells, s.lost
		w.all.SetInt64(0)
		w.best.SetInt64(0)
	}
	w.all.Add(w.all, number)
	if s.lost < w.lost {
		w.lost = s.lost
		w.best.SetInt64(0)
	}
	if s.lost == w.lost {
		w.best.Add(w.best, number)
	}
}
