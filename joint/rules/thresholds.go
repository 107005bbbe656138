package rules

import (
	"errors"
	"math"

	"github.com/dither-data/dither/joint"
	"github.com/dither-data/dither/joint/pair"
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

// reached tells all parties which sums of theirs are zero or more, and nothing else of the sums. A masked sum goes from
// the first to the last party, and these two compare it with the mask (Kantarcioglu & Clifton 2002). comparing is the
// pair of the first and the last party, nil at the others.
//
// Cost: a vector from each party to the next, and one comparison for each number.
func reached(p *joint.Party, comparing *pair.Pair, x []int64) ([]bool, error) {
	const partial, told = "rules.partial", "rules.reached"
	n, me, last := len(x), p.Me(), p.Parties()-1
	share := make([]uint64, n)
	for i, v := range x {
		share[i] = uint64(v)
	}
	if me > 0 {
		sum, err := p.ReceiveWords(me-1, partial, n)
		if err != nil {
			return nil, err
		}
		for i := range share {
			share[i] += sum[i]
		}
	} else {
		mask := p.Words(n)
		for i := range share {
			share[i] += mask[i]
			mask[i] = -mask[i]
		}
		if err := p.Send(1, partial, joint.AppendWords(nil, share)); err != nil {
			return nil, err
		}
		share = mask
	}
	if 0 < me && me < last {
		if err := p.Send(me+1, partial, joint.AppendWords(nil, share)); err != nil {
			return nil, err
		}
		below, err := p.ReceiveWords(0, told, (n+63)/64)
		return not(below, n), err
	}
	below, err := comparing.Negative(share)
	if err != nil {
		return nil, err
	}
	if below, err = comparing.OpenBits(below); err != nil {
		return nil, err
	}
	if me == 0 {
		for k := 1; k < last; k++ {
			if err := p.Send(k, told, joint.AppendWords(nil, below)); err != nil {
				return nil, err
			}
		}
	}
	return not(below, n), nil
}

// not are the bits that are not set.
func not(packed []uint64, n int) []bool {
	if packed == nil {
		return nil
	}
	out := make([]bool, n)
	for i := range out {
		out[i] = packed[i/64]>>(i%64)&1 == 0
	}
	return out
}

// ends returns the pair of the first and the last party; nil at the others.
func ends(p *joint.Party) (*pair.Pair, error) {
	if last := p.Parties() - 1; p.Me() == 0 || p.Me() == last {
		return pair.New(p.Group([]int{0, last}))
	}
	return nil, nil
}
