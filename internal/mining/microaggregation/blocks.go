package microaggregation

import (
	"context"
	"slices"

	"github.com/dither-data/dither/internal/anonymity/headcount"
	"github.com/dither-data/dither/internal/portable/exact"
	"github.com/dither-data/dither/internal/stats/rank"
	"github.com/dither-data/dither/internal/system/parallel"
)

// Blocks partitions very many records block by block: it halves them by the median of the attribute in which they
// differ most, and the halves again, until no block has more than most records, and partitions every block by itself,
// on all cores. Blocks of more than k records come out of a most of 2k or more. Where people have several records
// (whose, nil where none has), a block that would be halved into one of fewer than k people is not, and may be larger.
// Group and groups are as for MixedMDAV, the groups of the first block first. Cost: O(n log² n) and that of the
// partitions.
func Blocks(
	ctx context.Context,
	points []float64,
	kinds []Kind,
	whose []int32,
	k, most int,
	partition func(ctx context.Context, points []float64, whose []int32) (group []int32, groups int, err error),
) (group []int32, groups int, err error) {
	dims := len(kinds)
	blocks, err := halve(ctx, points, kinds, most)
	if whose != nil {
		blocks, err = halvePeople(ctx, points, kinds, whose, k, most)
	}
	if err != nil {
		return nil, 0, err
	}
	parts, made := make([][]int32, len(blocks)), make([]int, len(blocks))
	err = parallel.Each(ctx, len(blocks), func(b int) (err error) {
		parts[b], made[b], err = partition(ctx, gather(points, dims, blocks[b]), headcount.Own(whose, blocks[b]))
		return err
	})
	if err != nil {
		return nil, 0, err
	}
	group = make([]int32, len(points)/dims)
	for b, block := range blocks {
		for at, i := range block {
			group[i] = int32(groups) + parts[b][at]
		}
		groups += made[b]
	}
	return group, groups, nil
}

// halve returns blocks of at most so many records, at least 2, each in ascending order.
func halve(ctx context.Context, points []float64, kinds []Kind, most int) ([][]int32, error) {
	all := make([]int32, len(points)/len(kinds))
	for i := range all {
		all[i] = int32(i)
	}
	blocks := [][]int32{all}
	for len(blocks[len(blocks)-1]) > max(2, most) { // the last block is among the largest
		next := make([][]int32, 2*len(blocks))
		err := parallel.Each(ctx, len(blocks), func(b int) error {
			next[2*b], next[2*b+1] = split(points, kinds, blocks[b])
			return nil
		})
		if err != nil {
			return nil, err
		}
		blocks = next
	}
	return blocks, nil
}

// halvePeople is halve where people have several records: a block stays whole whose halves would not both be of k
// people.
func halvePeople(ctx context.Context, points []float64, kinds []Kind, whose []int32, k, most int) ([][]int32, error) {
	all := make([]int32, len(whose))
	for i := range all {
		all[i] = int32(i)
	}
	var blocks [][]int32
	for open := [][]int32{all}; len(open) > 0; {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		block := open[len(open)-1]
		open = open[:len(open)-1]
		if len(block) <= max(2, most) {
			blocks = append(blocks, block)
			continue
		}
		a, b := split(points, kinds, block)
		if headcount.Count(whose, a) < k || headcount.Count(whose, b) < k {
			blocks = append(blocks, block)
			continue
		}
		open = append(open, b, a)
	}
	return blocks, nil
}

// split halves a block, the larger half last, at the median of the attribute in which its records differ most. Equal
// values are split by the records' numbers.
func split(points []float64, kinds []Kind, block []int32) (a, b []int32) {
	dims := len(kinds)
	best, most := 0, -1.0
	for d, kind := range kinds {
		if s := spread(points, dims, d, kind, block); s > most {
			best, most = d, s
		}
	}
	values, sorted := make([]float64, len(block)), make([]int32, len(block))
	for at, i := range block {
		values[at] = points[int(i)*dims+best]
	}
	order, _ := rank.Order(values)
	for at, k := range order {
		sorted[at] = block[k]
	}
	half := len(sorted) / 2
	slices.Sort(sorted[:half])
	slices.Sort(sorted[half:])
	return sorted[:half:half], sorted[half:]
}

// spread returns half the mean square of the difference of two records of a block in an attribute: of numbers the
// variance.
func spread(points []float64, dims, d int, kind Kind, block []int32) float64 {
	n := float64(len(block))
	if kind != Nominal {
		shift := points[int(block[0])*dims+d]
		var sum, squares exact.Sum
		for _, i := range block {
			v := points[int(i)*dims+d] - shift
			sum.Add(v)
			squares.Add(float64(v * v))
		}
		mean := sum.Float64() / n
		return squares.Float64()/n - float64(mean*mean)
	}
	often := map[float64]float64{}
	for _, i := range block {
		often[points[int(i)*dims+d]]++
	}
	alike := 0.0
	for _, c := range often {
		alike += float64(c * c) // whole numbers: in any order the same
	}
	return (1 - alike/(n*n)) / 2
}
