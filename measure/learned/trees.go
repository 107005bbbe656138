package learned

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/dither-data/dither/internal/system/parallel"
	"github.com/dither-data/dither/internal/system/sorting"
	"github.com/dither-data/dither/intruder"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/measure/internal/boosting"
	"github.com/dither-data/dither/table"
)

// Trees are grown on records in folds: model f on all of them but those of fold f. A person whose record is in fold f
// is guessed by the model of the next fold, which has seen the record, and as a control by model f, which has not: both
// learned from equally many records. Records of people who are tried are among those that are learned from, so an
// attack may remember them; the others are a sample. The records of a person are in one fold.
const folds = 5

// training is what the trees of all secrets are grown on.
type training struct {
	columns boosting.Columns // of the records that are learned from, and below them of the people
	rows    []int            // released records
	at      map[int]int      // their places, by record
	fold    []int            // by place
	models  []*learner       // by secret
}

// learner guesses one secret.
type learner struct {
	secret  *secret
	classes []int32 // codes that may be guessed, of categories
	models  []*boosting.Model
	scores  [][]scored // by model, ascending: what it says of the records it has seen, of numbers
}

// scored is a record's score and its secret.
type scored struct{ score, value float64 }

const mostClasses = 12 // the others are never guessed

// growAll plays the attack by trees.
func (g *game) growAll(ctx context.Context, p *people, inside bool, out [][]*tally) error {
	at := slices.IndexFunc(g.attacks, func(a attack) bool { return a.kind == grown })
	if !slices.ContainsFunc(out, func(t []*tally) bool { return t[at] != nil }) {
		return nil
	}
	if len(g.axes) == 0 {
		for s := range out {
			out[s][at] = nil
		}
		return nil
	}
	if g.training == nil {
		if err := g.train(ctx); err != nil {
			return err
		}
	}
	asked := g.bins(p.t, p.rows)
	for s, q := range g.secrets {
		t, l := out[s][at], g.training.models[s]
		if t == nil {
			continue
		}
		for i, row := range p.rows {
			truth := q.truth(p.t, row)
			if truth != truth {
				continue
			}
			with, without := 0, 0
			if k, ok := g.training.at[row]; inside && g.control == leftOut && ok {
				without = g.training.fold[k]
				with = (without + 1) % folds
			}
			right := l.guess(asked, i, with, truth)
			switch {
			case !inside:
				t.control[i] = right
				continue
			case g.control == leftOut:
				t.control[i] = l.guess(asked, i, without, truth)
			case g.control == common:
				t.control[i] = q.hit(q.commonest, truth)
			}
			t.attack[i] = right
		}
	}
	return ctx.Err()
}

// train grows the trees of every secret.
func (g *game) train(ctx context.Context) error {
	t := &training{at: map[int]int{}}
	if g.control == leftOut {
		t.rows = append(slices.Clone(g.choose.inside.rows), g.count.inside.rows...)
	}
	trees := 0
	for _, q := range g.secrets {
		trees += min(max(1, q.categories), mostClasses)
	}
	t.rows = append(t.rows, measure.DrawnOf(g.r.Released, max(g.Train*4/max(4, trees), 1000))...)
	slices.Sort(t.rows)
	t.rows = slices.Compact(t.rows)
	slices.SortFunc(t.rows, func(a, b int) int { return cmp.Or(cmp.Compare(mix(a), mix(b)), a-b) })
	for k, r := range t.rows {
		t.at[r] = k
	}
	t.fold = g.owned.folds(t.rows)
	t.columns = *g.bins(g.r.Released, t.rows)
	t.models = make([]*learner, len(g.secrets))
	for s, q := range g.secrets {
		t.models[s] = &learner{secret: q}
	}
	models := 1
	if g.control == leftOut {
		models = folds
	}
	for _, l := range t.models {
		l.prepare(t, models)
	}
	err := parallel.Each(ctx, len(t.models)*models, func(k int) error {
		return t.models[k/models].learn(ctx, t, k%models, models)
	})
	g.training = t
	return err
}

// prepare makes room for models and, of categories, picks those that may be guessed: the commonest.
func (l *learner) prepare(t *training, models int) {
	l.models, l.scores = make([]*boosting.Model, models), make([][]scored, models)
	if l.secret.codes == nil {
		return
	}
	counts := make([]int, l.secret.categories)
	for _, r := range t.rows {
		if c := l.secret.codes[r]; c >= 0 {
			counts[c]++
		}
	}
	for c, n := range counts {
		if n > 0 {
			l.classes = append(l.classes, int32(c))
		}
	}
	slices.SortStableFunc(l.classes, func(a, b int32) int { return counts[b] - counts[a] })
	l.classes = l.classes[:min(len(l.classes), mostClasses)]
}

// learn grows one model, on all records but those of its fold where there are several.
func (l *learner) learn(ctx context.Context, t *training, model, models int) (err error) {
	var rows []int32
	class, value := make([]int32, len(t.rows)), make([]float64, len(t.rows))
	for k, r := range t.rows {
		if models > 1 && t.fold[k] == model {
			continue
		}
		if l.secret.codes == nil {
			value[k] = l.secret.values[r]
			if value[k] != value[k] {
				continue
			}
		} else if class[k] = int32(slices.Index(l.classes, l.secret.codes[r])); class[k] < 0 {
			continue
		}
		rows = append(rows, int32(k))
	}
	if len(rows) == 0 || l.secret.codes != nil && len(l.classes) < 2 {
		return nil
	}
	if l.secret.codes != nil {
		l.models[model], err = boosting.Classes(ctx, &t.columns, rows, class, len(l.classes), boosting.Defaults)
		return err
	}
	m, err := boosting.Number(ctx, &t.columns, rows, value, boosting.Defaults)
	if err != nil {
		return err
	}
	l.models[model] = m
	dst := make([]float64, 1)
	for _, k := range rows {
		m.Predict(&t.columns, int(k), dst)
		l.scores[model] = append(l.scores[model], scored{dst[0], value[k]})
	}
	sorting.Func(l.scores[model],
		func(a, b scored) int { return cmp.Or(cmp.Compare(a.score, b.score), cmp.Compare(a.value, b.value)) })
	return nil
}

// guess returns 1 when what a model says of person i is the truth, else 0.
func (l *learner) guess(c *boosting.Columns, i, model int, truth float64) float64 {
	m := l.models[model]
	if m == nil {
		return l.secret.hit(l.secret.commonest, truth)
	}
	dst := make([]float64, m.Outputs())
	m.Predict(c, i, dst)
	if l.secret.codes == nil {
		return l.secret.hit(densest(l.scores[model], dst[0], l.secret.tolerance), truth)
	}
	best := 0
	switch {
	case len(dst) == 1 && dst[0] > 0:
		best = 1
	case len(dst) > 1:
		for k, v := range dst {
			if v > dst[best] {
				best = k
			}
		}
	}
	return l.secret.hit(float64(l.classes[best]), truth)
}

const alike = 60 // records of a similar score, of which the densest interval is taken

// densest returns the middle of the interval, two tolerances wide, that holds the most values of the records whose
// score is nearest: a mean of numbers is seldom within the tolerance of any where they are skewed or mostly 0.
func densest(s []scored, score, tolerance float64) float64 {
	at, _ := slices.BinarySearchFunc(s, score, func(a scored, v float64) int { return cmp.Compare(a.score, v) })
	lo := max(0, min(at-alike/2, len(s)-alike))
	some := s[lo:min(len(s), lo+alike)]
	values := make([]float64, len(some))
	for k := range some {
		values[k] = some[k].value
	}
	slices.Sort(values)
	most, guess, from := 0, math.NaN(), 0
	for to, v := range values {
		for v-values[from] > 2*tolerance {
			from++
		}
		if to-from+1 > most {
			most, guess = to-from+1, values[from]+(v-values[from])/2
		}
	}
	return guess
}

// bins returns what is known of rows of a table in bins: of a number by the quantiles of the released values, or the
// bands of which the intruder knows the person's, of a category by itself or its group. A missing value has a bin of
// its own.
func (g *game) bins(t *table.Table, rows []int) *boosting.Columns {
	c := &boosting.Columns{}
	for k := range g.view.Known {
		known := &g.view.Known[k]
		bins, count := make([]uint8, len(rows)), 0
		if t.Num(known.Column) != nil {
			cuts := g.cuts(known)
			count = len(cuts) + 2
			for i, row := range rows {
				if v := t.Num(known.Column)[row]; v == v {
					at, same := slices.BinarySearch(cuts, v)
					if same {
						at++
					}
					bins[i] = uint8(at + 1)
				}
			}
		} else {
			of := g.places(known)
			count = int(slices.Max(append(of, 0))) + 1
			for i, row := range rows {
				if v := t.Cat(known.Column)[row]; v >= 0 {
					bins[i] = of[v]
				}
			}
		}
		c.Bins, c.Count = append(c.Bins, bins), append(c.Count, count)
		c.Nominal = append(c.Nominal, t.Cat(known.Column) != nil && !t.Attr(known.Column).Ordered)
	}
	for _, a := range g.axes {
		if !a.gap || slices.Contains(g.view.Columns(), a.column) {
			continue
		}
		bins := make([]uint8, len(rows))
		for i, v := range gaps(t, a.column, rows) {
			bins[i] = uint8(v)
		}
		c.Bins, c.Count, c.Nominal = append(c.Bins, bins), append(c.Count, 2), append(c.Nominal, false)
	}
	return c
}

const mostBins = 64 // of a number

// cuts returns the ends of the bins of a number, ascending: a value that equals one is above it.
func (g *game) cuts(known *intruder.Known) []float64 {
	if known.Bands != nil && len(known.Bands) < boosting.Most-2 {
		return known.Bands
	}
	values := g.r.Released.Num(known.Column)
	var some []float64
	for i := 0; i < len(values); i += max(1, len(values)/sampled) {
		if values[i] == values[i] {
			some = append(some, values[i])
		}
	}
	slices.Sort(some)
	var cuts []float64
	for k := 1; k < mostBins && len(some) > 0; k++ {
		cuts = append(cuts, some[k*len(some)/mostBins])
	}
	return slices.Compact(cuts)
}

// places returns the bin of every category: the commonest have one each, the others share the last.
func (g *game) places(known *intruder.Known) []uint8 {
	labels := len(g.r.Original.Attr(known.Column).Labels)
	first := make([]int, labels) // of its group
	counts := make([]int, labels)
	for c := range first {
		first[c] = c
		if known.Groups != nil {
			first[c] = slices.Index(known.Groups, known.Groups[c])
		}
	}
	for _, c := range g.r.Released.Cat(known.Column) {
		if c >= 0 {
			counts[first[c]]++
		}
	}
	order := make([]int, labels)
	for c := range order {
		order[c] = c
	}
	ordered := g.r.Original.Attr(known.Column).Ordered && known.Groups == nil
	if !ordered || labels > boosting.Most-1 {
		slices.SortStableFunc(order, func(a, b int) int { return counts[b] - counts[a] })
	}
	of := make([]uint8, labels)
	next := 1
	for _, c := range order {
		if first[c] == c {
			of[c] = uint8(min(next, boosting.Most-1))
			next++
		}
	}
	for c := range of {
		of[c] = of[first[c]]
	}
	return of
}
