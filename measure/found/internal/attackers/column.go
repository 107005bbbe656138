package attackers

import (
	"context"
	"fmt"
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
	small  []uint8   // the same where the values are few; else nil
	share  []float64 // of the records, by code
	index  index     // nil where the values are many
	// Places on the axis of package nearest: of the values by code, and of people, the two ends. NaN is missing. Of a
	// column in which the originals are all equal there is none.
	axis    bool
	space   *nearest.Space
	nominal bool
	place   []float64
	ends    []float64
	m, u    float64 // share of the pairs of one person that agree, and of others
	moved   float64 // mean distance of a person's record, at most 1 a person
	lost    bool    // code 0 is a missing value
	missing bool    // the release misses values that the original has
}

// tolerance is how far numbers may be apart to agree, in standard deviations; the distance of two on the axis is
// sqrt(2) less.
const tolerance = 0.1

// samples is how many people the shares of agreements are learned from.
const samples = 20_000

// newColumn returns a column with what is known of the people in rows. All but that is worked out once for a release.
func newColumn(ctx context.Context, r *measure.Release, known intruder.Known, rows []int) (*column, error) {
	key := fmt.Sprintf("attackers: column %+v", known)
	shared, err := measure.PerRelease(r, key, func(r *measure.Release) (*column, error) { return learned(ctx, r, known) })
	if err != nil {
		return nil, err
	}
	c := *shared
	if c.axis {
		c.ends = c.space.Questions(r.Original, rows)
	}
	return &c, nil
}

func learned(ctx context.Context, r *measure.Release, known intruder.Known) (*column, error) {
	e, err := posterior.Encode(r, known.Column)
	if err != nil {
		return nil, err
	}
	c := &column{known: known, values: e.Values, codes: e.Codes, share: shares(e.Codes, len(e.Values)),
		index: newIndex(e.Codes, len(e.Values))}
	c.small = smaller(c.codes, len(c.values))
	released, original := r.Released.Column(known.Column), r.Original.Column(known.Column)
	c.lost = len(c.values) > 0 && (c.values[0] != c.values[0] || released.Kind == table.Categorical)
	if c.space, err = nearest.NewSpace(ctx, r.Original, []intruder.Known{known}); err != nil {
		return nil, err
	}
	for i := range c.codes {
		if released.MissingAt(i) && !original.MissingAt(i) {
			c.missing = true
			break
		}
	}
	if c.axis = len(c.space.Columns()) > 0; c.axis {
		c.nominal = c.space.Nominal(0)
		c.places(c.space, r)
		some, err := measure.PerRelease(r, "attackers: sample", func(r *measure.Release) ([]int, error) {
			return measure.DrawnOf(r.Original, samples), nil
		})
		if err != nil {
			return nil, err
		}
		c.learn(c.space.Questions(r.Original, some), some)
	}
	return c, ctx.Err()
}

// smaller returns codes of so many values in a byte each; nil where they do not fit.
func smaller(codes []int32, values int) []uint8 {
	if values > 1<<8 {
		return nil
	}
	out := make([]uint8, len(codes))
	for i, c := range codes {
		out[i] = uint8(c)
	}
	return out
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
	if e = float64(e * e); c.nominal && e > 0 {
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
