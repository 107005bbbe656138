package coding

import (
	"math"

	"github.com/dither-data/dither/internal/anonymity/headcount"
	"github.com/dither-data/dither/internal/portable/exact"
	"github.com/dither-data/dither/internal/stats/rank"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/wrap"
)

// tail is the known values of a column from the extreme on: u descends, and is the negative value where the lowest are
// coded.
type tail struct {
	u, w []float64 // w is nil where all weights are the same
	who  []int32   // whose they are; nil where every record is a person's
}

// sorted returns the values of a column, those outside its domain as its nearest end. Weights and whose may be nil.
func (q *Technique) sorted(t *table.Table, j int, weights []float64, whose []int32) tail {
	a := t.Attr(j)
	v := make([]float64, t.Rows())
	sign := -1.0
	if q.Bottom {
		sign = 1
	}
	switch a.Kind {
	case table.Numeric:
		for i, x := range t.Num(j) {
			v[i] = float64(sign * max(min(x, a.Domain.Hi), a.Domain.Lo))
		}
	case table.Categorical:
		for i, code := range t.Cat(j) {
			if v[i] = float64(sign * float64(code)); code < 0 {
				v[i] = math.NaN()
			}
		}
	case table.SetValued: // is not among the columns
	}
	order, known := rank.Order(v)
	s := tail{u: make([]float64, known)}
	for r, i := range order[:known] {
		s.u[r] = -v[i]
	}
	if weights != nil {
		s.w = make([]float64, known)
		for r, i := range order[:known] {
			s.w[r] = weights[i]
		}
	}
	if whose != nil {
		s.who = make([]int32, known)
		for r, i := range order[:known] {
			s.who[r] = whose[i]
		}
	}
	return s
}

// people returns of how many people the first n values are.
func (s *tail) people(n int) int {
	if s.who == nil {
		return n
	}
	return headcount.All(s.who[:n]).Size()
}

func (s *tail) weight(r int) float64 {
	if s.w == nil {
		return 1
	}
	return s.w[r]
}

// end returns where the run of values equal to the r-th ends.
func (s *tail) end(r int) int {
	e := r
	for e < len(s.u) && s.u[e] == s.u[r] {
		e++
	}
	return e
}

// cut returns how many values lie beyond the limit that leaves at most a fraction of the weight there, and at the
// limit or beyond values of k people or, for a mean, beyond it: where these are fewer, the limit is drawn in until
// they are k. So more may lie beyond than were asked for. There is a value.
func (s *tail) cut(fraction float64, k int, mean bool) int {
	total := s.weigh(0, len(s.u))
	beyond, sum := 0, 0.0
	for people, in := 0, headcount.Of(s.who); ; people = in.Size() {
		end := s.end(beyond)
		for r := beyond; r < end; r++ {
			in.Add(r)
		}
		sum += s.weigh(beyond, end)
		few := in.Size() < k || mean && beyond > 0 && people < k
		if end == len(s.u) || sum > fraction*total*(1+1e-12) && !few {
			return beyond
		}
		beyond = end
	}
}

// mean returns the weighted mean of the first n values, none of which is below the limit.
func (s *tail) mean(n int, limit float64) float64 {
	var sum exact.Sum
	for r := range n {
		sum.Add(float64(s.weight(r) * (s.u[r] - limit)))
	}
	return min(limit+sum.Float64()/s.weigh(0, n), s.u[0])
}

// weigh returns the weight of the values lo to hi-1.
func (s *tail) weigh(lo, hi int) float64 {
	var sum exact.Sum
	for r := lo; r < hi; r++ {
		sum.Add(s.weight(r))
	}
	return sum.Float64()
}

// flattens reports whether coding leaves the column constant, or nearly so: the limit that leaves at most a fraction
// beyond it is a value that more than all but twice the fraction of the records have anyway, and more than half of
// them. All that such a column tells is who has another value.
func (c *Code) flattens(s *tail, fraction float64) bool {
	n := len(s.u)
	return c.Records > 0 && !c.Mean && (c.Shown == n || float64(c.Shown-c.Records) > max(0.5, 1-2*fraction)*float64(n))
}

// code works out the limit of a column and what values beyond it become.
func (q *Technique) code(a *table.Attribute, s tail, asked limit) (Code, error) {
	sign := 1.0
	if q.Bottom {
		sign = -1
	}
	clip := func(v float64) float64 { return v }
	if a.Kind == table.Numeric {
		d := wrap.On(a.Domain, a.Step)
		clip = func(v float64) float64 {
			if a.Step == 0 && asked.given && v == asked.at && a.Domain.Contains(v) {
				return v // as it was given
			}
			return d.Clip(v)
		}
	}
	mean := q.As == AsMean && a.Kind == table.Numeric
	if asked.given {
		return s.coded(asked.at, sign, q.K, mean, clip), nil
	}
	if n := s.people(len(s.u)); n < q.K {
		return Code{}, protect.Few(a, len(s.u), n, q.K)
	}
	r := s.cut(asked.fraction, q.K, mean)
	c := s.coded(clip(float64(sign*s.u[r])), sign, q.K, mean, clip)
	// on the grid a limit may leave out the very value that it was to be
	for r = s.end(r); s.people(c.Shown) < q.K && r < len(s.u); r = s.end(r) {
		c = s.coded(clip(float64(sign*s.u[r])), sign, q.K, mean, clip)
	}
	return c, nil
}

// coded returns what becomes of values beyond a limit: it or, of k people at least, their mean.
func (s *tail) coded(limit, sign float64, k int, mean bool, clip func(float64) float64) Code {
	c := Code{Limit: limit, Value: clip(limit)}
	for c.Records < len(s.u) && s.u[c.Records] > sign*c.Limit {
		c.Records++
	}
	if mean && s.people(c.Records) >= k {
		c.Value, c.Mean = clip(float64(sign*s.mean(c.Records, float64(sign*c.Limit)))), true
	}
	c.Shown = c.Records
	for r := c.Records; r < len(s.u) && s.u[r] >= sign*c.Value; r++ {
		c.Shown++
	}
	if s.who != nil {
		c.People = s.people(c.Shown)
	}
	return c
}
