package populationrisk

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/dither-data/dither/internal/portable"
	"github.com/dither-data/dither/intruder"
	"github.com/dither-data/dither/measure/internal/classes"
	"github.com/dither-data/dither/table"
)

const (
	// mostCells is the largest table of cells to which interactions are fitted; of larger ones independence is all.
	mostCells = 1 << 15
	// mostRounds, and fitted, end the proportional fitting: when no margin is farther off, in records.
	mostRounds = 50
	fitted     = 1e-3
	// tolerated is how many standard deviations a model may be off.
	tolerated = 1
)

// cells are the records of a sample by the values that an intruder knows.
type cells struct {
	codes   [][]int32 // by column and class: its value's number
	values  []int     // by column: how many there are
	of      []int32   // by record: its class
	counted []bool    // by record: the first of its person; nil for all
	n       float64   // records that count
	records []float64 // by class: those of them
}

// countCells sorts the records of the release by value, column by column. Of a person with several records the first
// counts.
func countCells(ctx context.Context, s *classes.Study, t *table.Table) (*cells, error) {
	c := &cells{of: s.Of, records: make([]float64, len(s.Sizes))}
	if s.People != nil {
		seen := map[int32]bool{}
		c.counted = make([]bool, len(s.Of))
		for i, p := range s.People {
			c.counted[i] = !seen[p]
			seen[p] = true
		}
	}
	for i, class := range s.Of {
		if c.counts(i) {
			c.n++
			c.records[class]++
		}
	}
	for _, k := range s.View.Known {
		one, err := classes.Of(ctx, []intruder.Known{k}, false, t)
		if err != nil {
			return nil, err
		}
		codes := make([]int32, len(s.Sizes))
		for i, class := range s.Of {
			codes[class] = one.Of[0][i]
		}
		c.codes, c.values = append(c.codes, codes), append(c.values, one.Len())
	}
	return c, nil
}

func (c *cells) counts(i int) bool { return c.counted == nil || c.counted[i] }

// independent returns by class the records expected if the columns were independent.
func (c *cells) independent() []float64 {
	out := make([]float64, len(c.records))
	for class := range out {
		out[class] = c.n
	}
	for k, codes := range c.codes {
		margin := make([]float64, c.values[k])
		for class, n := range c.records {
			margin[codes[class]] += n
		}
		for class := range out {
			out[class] = float64(out[class] * (margin[codes[class]] / c.n))
		}
	}
	return out
}

// size is the number of cells, empty ones too, and false beyond mostCells.
func (c *cells) size() (int, bool) {
	size := 1
	for _, v := range c.values {
		if size *= v; size > mostCells {
			return 0, false
		}
	}
	return size, true
}

// place returns by class its cell in the whole table, of which the first column runs slowest.
func (c *cells) place() []int32 {
	at := make([]int32, len(c.records))
	for k, codes := range c.codes {
		for class := range at {
			at[class] = at[class]*int32(c.values[k]) + codes[class]
		}
	}
	return at
}

// fit gives the expected records of all cells, mu, the margins of the records in the given sets of columns (iterative
// proportional fitting, Deming & Stephan 1940). Cost: O(cells) by set and round, 50 rounds at most.
func (c *cells) fit(mu, records []float64, margins [][]int) {
	index := make([][]int32, len(margins))
	want := make([][]float64, len(margins))
	for m, columns := range margins {
		index[m] = c.margin(columns, len(mu))
		want[m] = summedBy(index[m], records)
	}
	for range mostRounds {
		worst := 0.0
		for m, at := range index {
			have := summedBy(at, mu)
			for k, v := range have {
				worst = max(worst, math.Abs(v-want[m][k]))
				if v > 0 {
					have[k] = want[m][k] / v
				}
			}
			for k := range mu {
				mu[k] = float64(mu[k] * have[at[k]])
			}
		}
		if worst < fitted {
			break
		}
	}
}

// margin numbers the cells of the whole table by their values of some columns.
func (c *cells) margin(columns []int, size int) []int32 {
	out := make([]int32, size)
	below := make([]int, len(c.values)) // cells for which a value of the column stays
	for k, left := 0, size; k < len(c.values); k++ {
		left /= c.values[k]
		below[k] = left
	}
	for cell := range out {
		for _, k := range columns {
			out[cell] = out[cell]*int32(c.values[k]) + int32(cell/below[k]%c.values[k])
		}
	}
	return out
}

// summedBy sums values by number.
func summedBy(at []int32, values []float64) []float64 {
	most := int32(-1)
	for _, k := range at {
		most = max(most, k)
	}
	out := make([]float64, most+1)
	for i, k := range at {
		out[k] += values[i]
	}
	return out
}

// expect returns by class how many records of the sample a log-linear model expects there, and of which interactions of
// two columns. Interactions are added, those that the records show most first, until the model is no longer off by more
// than chance in the expected number of unique records that are unique in the population, if a share pi of it was drawn
// (the forward search of Skinner & Shlomo 2008, section 3.4, in one order). Beyond mostCells cells there are none.
func (c *cells) expect(pi float64) (mu []float64, interactions [][]int) {
	mu = c.independent()
	size, ok := c.size()
	if !ok || pi >= 1 {
		return mu, nil
	}
	at, records, all := c.place(), make([]float64, size), make([]float64, size)
	for class, n := range c.records {
		records[at[class]] = n
	}
	var margins [][]int
	for k := range c.values {
		margins = append(margins, []int{k})
	}
	for k := range all {
		all[k] = c.n / float64(size)
	}
	c.fit(all, records, margins)
	for _, pair := range c.associated(records) {
		if misfit(records, all, pi) <= tolerated {
			break
		}
		interactions = append(interactions, pair)
		margins = append(margins, pair)
		c.fit(all, records, margins)
	}
	for class := range mu {
		mu[class] = all[at[class]]
	}
	return mu, interactions
}

// associated returns all pairs of columns, those first whose chi-squared, less its degrees of freedom and in its
// standard deviations, is largest.
func (c *cells) associated(records []float64) (pairs [][]int) {
	var by []float64
	for b := range c.values {
		for a := range b {
			two := summedBy(c.margin([]int{a, b}, len(records)), records)
			one, other := make([]float64, c.values[a]), make([]float64, c.values[b])
			for k, n := range two {
				one[k/c.values[b]] += n
				other[k%c.values[b]] += n
			}
			chi := 0.0
			for k, n := range two {
				if e := one[k/c.values[b]] * other[k%c.values[b]] / c.n; e > 0 {
					chi += (n - e) * (n - e) / e
				}
			}
			free := float64((c.values[a] - 1) * (c.values[b] - 1))
			pairs, by = append(pairs, []int{a, b}), append(by, (chi-free)/math.Sqrt(2*max(1, free)))
		}
	}
	order := make([]int, len(pairs))
	for k := range order {
		order[k] = k
	}
	slices.SortStableFunc(order, func(x, y int) int { return cmp.Compare(by[y], by[x]) })
	out := make([][]int, len(pairs))
	for k, from := range order {
		out[k] = pairs[from]
	}
	return out
}

// misfit estimates by how much a model is off in the expected number of records that are unique in the sample and in
// the population, to the second order of the errors of its means mu, if a share pi was drawn, in standard deviations of
// that estimate where the model holds. With f records in a cell of mean mu, e = f-mu estimates what its mean lacks, and
// e^2-f the square of that without the noise of the draw. It is above 0 for a model that lacks interactions.
func misfit(records, mu []float64, pi float64) float64 {
	sum, variance := 0.0, 0.0
	for k, f := range records {
		m := mu[k]
		e := f - m
		at := portable.Exp(-m / pi)
		by := (1 - m) - float64(m*(1-pi))/(2*pi)
		first, second := float64(at*m), float64(at*by)
		sum += float64(first*e) + float64(second*(float64(e*e)-f))
		variance += float64(first*first*m) + float64(2*second*second*m*m)
	}
	if variance == 0 {
		return 0
	}
	return sum / math.Sqrt(variance)
}

// Unsampled returns E(1/F) for F of at least f, the records of the sample, and a Poisson number of mean m besides. It
// lies in (0, 1/f]. The error is below 1e-10 of it. Cost: O(f) where m is f or more, else O(sqrt m).
//
// It is I_f = int_0^1 t^(f-1) exp(-m(1-t)) dt. Integration by parts gives f I_f + m I_(f+1) = 1, which loses no digits
// upwards while f is at most m, and downwards beyond.
func Unsampled(f int, m float64) float64 {
	if float64(f) <= m {
		r := -portable.Expm1(-m) / m
		for k := 1; k < f; k++ {
			r = (1 - float64(float64(k)*r)) / m
		}
		return r
	}
	k := f + 60 + 10*int(math.Sqrt(m))
	r := 1 / (float64(k) + m)
	for k--; k >= f; k-- {
		r = (1 - float64(m*r)) / float64(k)
	}
	return r
}

// Fewer returns the probability that fewer than k share a record's values, of whom f are in the sample and a Poisson
// number of mean m besides. Cost: O(k).
func Fewer(k, f int, m float64) float64 {
	sum := 0.0
	for j, p := 0, portable.Exp(-m); j < k-f; j++ {
		sum += p
		p = float64(p * (m / float64(j+1)))
	}
	return min(1, sum)
}

// modelled fits a log-linear model and returns by class what it says: E(1/F), and the probability that fewer than K
// people of the population share the values.
func (d *Detail) modelled(
	ctx context.Context,
	s *classes.Study,
	w *weights,
	t *table.Table,
) (risk, few []float64, err error) {
	c, err := countCells(ctx, s, t)
	if err != nil {
		return nil, nil, err
	}
	own, interactions := c.expect(min(1, c.n/w.total))
	for _, pair := range interactions {
		d.Interactions = append(d.Interactions, [2]string{
			t.Attr(s.View.Known[pair[0]].Column).Name, t.Attr(s.View.Known[pair[1]].Column).Name})
	}
	mu := make([]float64, len(own))
	err = s.Classes.Each(ctx, func() func(int32, []int32) {
		return func(class int32, near []int32) {
			for _, k := range near {
				mu[class] += own[k]
			}
		}
	})
	risk, few = make([]float64, len(own)), make([]float64, len(own))
	for class, f := range s.Hides {
		m := max(0, float64(mu[class]*(w.candidates[class]/float64(f)-1)))
		risk[class], few[class] = Unsampled(int(f), m), Fewer(d.K, int(f), m)
		if f == 1 {
			d.Alone += float64(c.records[class] * portable.Exp(-m))
		}
	}
	return risk, few, err
}
