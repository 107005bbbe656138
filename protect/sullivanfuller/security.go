package sullivanfuller

import (
	"context"
	"errors"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/dither-data/dither/internal/mining/neighbour"
	"github.com/dither-data/dither/internal/portable"
	"github.com/dither-data/dither/internal/portable/linalg"
	"github.com/dither-data/dither/internal/stats/aggregate"
	"github.com/dither-data/dither/internal/stats/mvnorm"
	"github.com/dither-data/dither/internal/system/parallel"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

const (
	asked   = 500     // records whose nearest other record is looked for, at most
	among   = 250_000 // records it is looked for among, at most
	least   = 0.05    // the least noise: the rule alone would leave the records of a crowded table as they are
	without = 0.5     // the noise where no record has another one beside it
)

// Rule is the security rule: for a share of the records the noise moves the scores, on average, at least as far as to
// the nearest other record. Distances are those of Mahalanobis, by the correlations of the scores.
type Rule struct {
	Hidden float64 `json:"hidden"` // the share
	Asked  int     `json:"asked"`  // records whose nearest other record was looked for; 0: there was none
	Among  int     `json:"among"`  // records it was looked for among, those without missing values
}

func (r *Rule) check() error {
	if r != nil && (!(r.Hidden > 0 && r.Hidden <= 1) || r.Asked < 0 || r.Asked > r.Among) {
		return errors.New("the security rule does not agree with itself")
	}
	return nil
}

// choose returns the noise that the rule asks for. The distance of e, normal with covariance d R, is sqrt(d) times the
// length of a standard normal vector, so d = (distance / expected length)², with the distance that the share of the
// records does not exceed.
func (r *Rule) choose(ctx context.Context, p *Plan, t *table.Table, src rng.Source) (float64, error) {
	sample, err := aggregate.Over(t, src.Fork("sample")).Sample(ctx, among, "sample")
	if err != nil {
		return 0, err
	}
	ranks, z := p.scores(sample, src)
	varying := z[:0]
	for k, r := range ranks {
		if n := len(r.Sorted); n > 0 && r.Sorted[0] < r.Sorted[n-1] {
			varying = append(varying, z[k])
		}
	}
	if len(varying) == 0 {
		return without, nil
	}
	points, rows, dims, err := whitened(ctx, varying)
	if err != nil {
		return 0, err
	}
	if r.Among = len(rows); r.Among < 2 {
		r.Among = 0
		return without, nil
	}
	r.Asked = min(r.Among, asked)
	some := sample.Select(0).Gather(rows).Drawn(r.Asked, src.Fork("asked"))
	d := nearest(points, len(varying), some)
	slices.Sort(d)
	far := d[int(math.Ceil(r.Hidden*float64(r.Asked)))-1] / length(dims)
	return max(far*far, least), ctx.Err()
}

// length returns the expected length of a standard normal vector.
func length(dims int) float64 {
	a := portable.Lgamma(float64(dims+1) / 2)
	b := portable.Lgamma(float64(dims) / 2)
	return float64(math.Sqrt2 * portable.Exp(a-b))
}

// whitened returns the records without missing scores, one after another, in coordinates in which Euclid's distance is
// that of Mahalanobis; their rows; and in how many dimensions they lie.
func whitened(ctx context.Context, z [][]float64) (points []float64, rows []int, dims int, err error) {
	r, err := correlation(ctx, z)
	if err != nil {
		return nil, nil, 0, err
	}
	inv, err := mvnorm.Inverse(r)
	if err != nil {
		return nil, nil, 0, err
	}
	root, err := mvnorm.Root(inv)
	if err != nil {
		return nil, nil, 0, err
	}
	var one mat.Dense
	linalg.Mul(&one, inv, r)
	for i := range z[0] {
		start := len(points)
		for _, c := range z {
			points = append(points, c[i])
		}
		if slices.ContainsFunc(points[start:], math.IsNaN) {
			points = points[:start]
		} else {
			rows = append(rows, i)
		}
	}
	if len(rows) > 0 {
		all := mat.NewDense(len(rows), len(z), points)
		linalg.Mul(all, all, root)
	}
	return points, rows, int(math.Round(one.Trace())), nil
}

// nearest returns the distances of some of the points, of k coordinates, from the nearest other one.
func nearest(points []float64, k int, some []int) []float64 {
	out := make([]float64, len(some))
	index := neighbour.Build(points, k)
	parallel.Do(len(some), func(a int) {
		i := some[a]
		out[a] = math.Sqrt(index.Search().Nearest(points[i*k:i*k+k], 1, i)[0].Squared)
	})
	return out
}

// note says how the noise was chosen.
func (r *Rule) note(noise float64) message.Sentence {
	if r.Asked == 0 {
		return message.Say("plan.scores.none").Number("noise", noise, 0)
	}
	s := message.Say("plan.scores.noise").Digits("noise", noise, 3).Digits("share", float64(100*r.Hidden), 3).
		Count("among", r.Among).Count("asked", r.Asked)
	if noise == least {
		return message.Say("plan.scores.least").Part("noise", s)
	}
	return s
}
