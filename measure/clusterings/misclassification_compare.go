package clusterings

import (
	"fmt"
	"slices"

	"github.com/dither-data/dither/measure/clusterings/internal/assignment"
)

// Limit is the largest number of clusters that are matched.
const Limit = 2000

// Comparison is how two clusterings of the same records differ. Clusters are numbered from 0; a clustering with fewer
// than the other has empty ones in their place.
type Comparison struct {
	Clusters int `json:"clusters"` // of the clustering with more of them
	Records  int `json:"records"`

	// share of the records in another cluster than the one theirs is matched with, in [0, 1)
	Points  float64 `json:"points"`
	Sizes   float64 `json:"sizes"`   // M_E as printed, the clusters numbered as they come, in [0, 2]
	Matched float64 `json:"matched"` // M_E of the matched clusters, in [0, 2)
	// adjusted Rand index, in [-0.5, 1]: 1 for equal clusterings, about 0 for unrelated ones
	Rand float64 `json:"rand"`

	Match []int `json:"match"` // by cluster before, the cluster after that it is matched with
	// Together counts the records of cluster g before and cluster h after in row g, column h. The last row and the last
	// column are those of the records in no cluster (outliers).
	Together      [][]int `json:"together"`
	Before, After []int   `json:"-"` // records by cluster, the outliers last: the sums of the rows and of the columns
}

// Compare compares two clusterings, given by the number of every record's cluster, in [0, k), or -1 for none. The
// clusters are matched one to one so that the most records stay and, among such matchings, so that sizes differ least:
// no figure but Sizes depends on how clusters are numbered. It fails when there are no records, the lengths differ, a
// number is no cluster's, or there are more than Limit clusters. Cost: O(n + k^3) for n records.
func Compare(before, after []int32, k int) (*Comparison, error) {
	if len(before) != len(after) || len(before) == 0 || k < 1 {
		return nil, fmt.Errorf("two clusterings of %d and %d records into %d clusters cannot be compared", len(before),
			len(after), k)
	}
	if k > Limit {
		return nil, fmt.Errorf("there are %d clusters, at most %d can be matched", k, Limit)
	}
	counts, err := count(before, after, k)
	if err != nil {
		return nil, err
	}
	c := &Comparison{Clusters: k, Records: len(before), Before: make([]int, k+1), After: make([]int, k+1)}
	for row := range slices.Chunk(counts, k+1) {
		g := len(c.Together)
		c.Together = append(c.Together, row)
		for h, n := range row {
			c.Before[g] += n
			c.After[h] += n
		}
	}
	if c.Match, err = assignment.Largest(c.weights(), k); err != nil {
		return nil, err
	}
	c.figures()
	return c, nil
}

// count returns the table of the records by cluster before and after, row by row; in the last row and column are those
// in none.
func count(before, after []int32, k int) ([]int, error) {
	counts := make([]int, (k+1)*(k+1))
	number := func(label int32) int {
		if label < 0 {
			return k
		}
		return int(label)
	}
	for i, label := range before {
		g, h := number(label), number(after[i])
		if g > k || h > k || label >= int32(k) || after[i] >= int32(k) {
			return nil, fmt.Errorf("record %d is in cluster %d and then %d; there are %d clusters", i, label, after[i], k)
		}
		counts[g*(k+1)+h]++
	}
	return counts, nil
}

// weights are what a matching of two clusters is worth: the records in both and, among equals, the difference of sizes,
// which adds up to no more than two for every record.
func (c *Comparison) weights() []int {
	w := make([]int, 0, c.Clusters*c.Clusters)
	for g, row := range c.Together[:c.Clusters] {
		for h, n := range row[:c.Clusters] {
			w = append(w, n*(2*c.Records+1)-apart(c.Before[g], c.After[h]))
		}
	}
	return w
}

func (c *Comparison) figures() {
	n := float64(c.Records)
	stayed, sizes, matched := c.Together[c.Clusters][c.Clusters], 0, 0 // outliers that still are stay
	for g, h := range c.Match {
		stayed += c.Together[g][h]
		sizes += apart(c.Before[g], c.After[g])
		matched += apart(c.Before[g], c.After[h])
	}
	c.Points, c.Sizes, c.Matched = float64(c.Records-stayed)/n, float64(sizes)/n, float64(matched)/n
	var both []int
	for _, row := range c.Together {
		both = append(both, row...)
	}
	c.Rand = adjustedRand(pairs(both), pairs(c.Before), pairs(c.After), n*(n-1)/2)
}

func apart(a, b int) int { return max(a, b) - min(a, b) }

// pairs counts the pairs of records in the same class.
func pairs(sizes []int) float64 {
	sum := 0.0
	for _, n := range sizes {
		sum += float64(n) * float64(n-1) / 2
	}
	return sum
}

// adjustedRand returns the index of Hubert & Arabie 1985, eq. 5, from the pairs of records that are together in both
// clusterings, in the first, in the second, and all. Two clusterings into single records, or two into one cluster, are
// equal.
func adjustedRand(both, first, second, all float64) float64 {
	if first == second && (first == 0 || first == all) {
		return 1
	}
	expected := float64(first * (second / all))
	return (both - expected) / ((first+second)/2 - expected)
}
