package attackers

import (
	"context"
	"math"

	"github.com/dither-data/dither/intruder"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/measure/internal/nearest"
	"github.com/dither-data/dither/measure/internal/posterior"
	"github.com/dither-data/dither/table"
)

// column is a known column of a release and what the intruder knows of people in it.
type column struct {
	known  intruder.Known
	values []float64 // that the release shows, ascending; the missing one first, when there is one
	codes  []int32   // by released record
	share  []float64 // of the records, by code
	// Places on the axis of package nearest: of the values by code, and of people, the two ends. NaN is missing. Of a column in which the originals
	// are all equal there is none.
	axis    bool
	nominal bool
	place   []float64
	ends    []float64
	m, u    float64 // share of the pairs of one person that agree, and of others
	moved   float64 // mean distance of a person's record, at most 1 a person
	lost    bool    // code 0 is a missing value
	missing bool    // the release misses values that the original has
}

// tolerance is how far numbers may be apart to agree, in standard deviations; the distance of two on the axis is sqrt(2) less.
const tolerance = 0.1

// samples is how many people the shares of agreements are learned from.
const samples = 20_000

func newColumn(ctx context.Context, r *measure.Release, known intruder.Known, rows []int) (*column, error) {
	c := &column{known: known}
	released := r.Released.Column(known.Column)
	c.values, c.codes = posterior.Encode(released)
	c.share = shares(c.codes, len(c.values))
	c.lost = len(c.values) > 0 && (c.values[0] != c.values[0] || released.Kind == table.Categorical)
	s, err := nearest.NewSpace(ctx, r.Original, []intruder.Known{known})
	if err != nil {
		return nil, err
	}
	c.axis = len(s.Columns()) > 0
	some := nearest.Rows(len(c.codes), samples)
	if c.axis {
		c.nominal = s.Nominal(0)
		c.places(s, r)
		c.ends = s.Questions(r.Original, rows)
	}
	original := r.Original.Column(known.Column)
	for i := range c.codes {
		if released.MissingAt(i) && !original.MissingAt(i) {
			c.missing = true
			break
		}
	}
	c.learn(s.Questions(r.Original, some), some)
	return c, ctx.Err()
}

// places finds the place of every value that a record shows.
func (c *column) places(s *nearest.Space, r *measure.Release) {
	c.place = make([]float64, len(c.values))
	seen := make([]bool, len(c.values))
	var rows []int // a record of every value
	for i, code := range c.codes {
		if !seen[code] {
			seen[code] = true
			rows = append(rows, i)
		}
	}
	for code := range c.place {
		c.place[code] = math.NaN()
	}
	for k, y := range s.Records(r.Released, rows) {
		c.place[c.codes[rows[k]]] = y
	}
}

// shares returns the share of the records that have each code.
func shares(codes []int32, values int) []float64 {
	out := make([]float64, values)
	for _, c := range codes {
		out[c]++
	}
	for c := range out {
		out[c] /= float64(len(codes))
	}
	return out
}

// learn takes the shares of agreements from pairs of records of one person, and of others by chance.
func (c *column) learn(ends []float64, rows []int) {
	if !c.axis {
		return
	}
	n, agree, others, moved := 0.0, 0.0, 0.0, 0.0
	for k, row := range rows {
		lo, hi := ends[2*k], ends[2*k+1]
		y, z := c.place[c.codes[row]], c.place[c.codes[rows[(k+1+len(rows)/3)%len(rows)]]]
		if lo != lo {
			continue
		}
		if y == y {
			n++
			moved += min(1, c.away(lo, hi, y))
			if c.agrees(lo, hi, y, tolerance/math.Sqrt2) {
				agree++
			}
		} else {
			n, moved = n+1, moved+1
		}
		if z == z && c.agrees(lo, hi, z, tolerance/math.Sqrt2) {
			others++
		}
	}
	c.m, c.u = (agree+1)/(n+2), (others+1)/(n+2)
	c.moved = moved / max(1, n)
}

// away returns the squared distance of a place from what is known of a person.
func (c *column) away(lo, hi, y float64) float64 {
	e := max(y-hi, lo-y, 0)
	if e *= e; c.nominal && e > 0 {
		return 1
	}
	return e
}

func (c *column) agrees(lo, hi, y, reach float64) bool {
	if c.nominal {
		return lo == y
	}
	return y >= lo-reach && y <= hi+reach
}

// rows makes a rower of a score for a place, and one for a missing value with and without the pattern of gaps.
func (c *column) rows(score func(lo, hi, y float64) float64, lost, lostInPattern float64) rower {
	return func() func(dst []float64, k int, gaps bool) bool {
		return func(dst []float64, k int, gaps bool) bool {
			if !c.axis || c.ends[2*k] != c.ends[2*k] {
				return false
			}
			lo, hi := c.ends[2*k], c.ends[2*k+1]
			for code, y := range c.place {
				switch {
				case y == y:
					dst[code] = score(lo, hi, y)
				case gaps:
					dst[code] = lostInPattern
				default:
					dst[code] = lost
				}
			}
			return true
		}
	}
}

func (c *column) distance() rower {
	return c.rows(func(lo, hi, y float64) float64 { return -c.away(lo, hi, y) }, -1, 0)
}

func (c *column) agreement() rower {
	yes, no := math.Log(c.m/c.u), math.Log((1-c.m)/(1-c.u))
	return c.rows(func(lo, hi, y float64) float64 {
		if c.agrees(lo, hi, y, tolerance/math.Sqrt2) {
			return yes
		}
		return no
	}, 0, 0)
}

// mismatch is the score of a record that does not show what is known.
const mismatch = -10

func (c *column) lookUp() rower {
	lost := 0.0
	if !c.missing {
		lost = mismatch // nothing is suppressed: who has a value is not in a record without
	}
	return c.rows(func(lo, hi, y float64) float64 {
		if c.agrees(lo, hi, y, 0) {
			return 0
		}
		return mismatch
	}, lost, 0)
}

// least is the probability, as a share of the largest, of what the law of the noise rules out.
const least = 1e-7

// probability makes a rower of a clue of the posterior.
func probability(t *posterior.Targets, clue int, c *column) rower {
	return func() func(dst []float64, k int, gaps bool) bool {
		r := t.Reader()
		return func(dst []float64, k int, gaps bool) bool {
			p := r.Likelihoods(clue, k, false)
			if p == nil {
				return false
			}
			if c == nil { // a density, which is small everywhere
				for e, v := range p {
					dst[e] = math.Log(v + 1e-300)
				}
				return true
			}
			for e, v := range p {
				dst[e] = math.Log(v + least)
			}
			if gaps && c.lost {
				dst[0] = math.Log(c.mean(p) + least)
			}
			return true
		}
	}
}

// mean returns the mean over the records that have a value: what stands for one that is not there and says nothing.
func (c *column) mean(p []float64) float64 {
	sum, there := 0.0, 0.0
	for e, share := range c.share[1:] {
		sum += share * p[e+1]
		there += share
	}
	return sum / max(there, math.SmallestNonzeroFloat64)
}
