package rules

import (
	"errors"
	"math"

	"github.com/dither-data/dither/param"
)

// thresholds are the parameters of all protocols of rules.
type thresholds struct {
	support    float64
	confidence float64
	length     int
}

// mostLength is how many items a set may have: what fits into an item of a union.
const mostLength = 14

func (q *thresholds) Params() param.Set {
	return param.Set{
		param.Float(&q.support, "support", 10, 0.01, 100, "% of the records", "least support of a rule"),
		param.Float(&q.confidence, "confidence", 60, 0.01, 100, "%", "least confidence of a rule"),
		param.Int(&q.length, "length", 4, 2, mostLength, "items", "most items of a rule"),
	}
}

// million is what shares are counted in, so that thresholds are whole numbers.
const million = 1_000_000

func parts(percent float64) int64 { return int64(math.Round(float64(percent * million / 100))) }

// excess is by how much support is above the threshold, in millionths of a record: the sum over parties is zero or more
// where the set is frequent.
func (q *thresholds) excess(count, records int64) int64 {
	return million*count - parts(q.support)*records
}

// surplus is likewise by how much confidence is above its threshold.
func (q *thresholds) surplus(both, from int64) int64 {
	return million*both - parts(q.confidence)*from
}

// mostRecords bounds the records of a party, so that sums of millionths fit.
const mostRecords = 1 << 31

var errRecords = errors.New("more records than 2^31")
