package nearest

import (
	"container/heap"
	"context"
	"math"

	"github.com/dither-data/dither/internal/mining/neighbour"
)

// OneToOne links every question to a point of its own, as long as there are points: it returns their numbers, -1 for
// none. Up to most points the sum of the squared distances is the least possible, which takes O(n³) time at worst and 8
// n² bytes; above, the nearest pair is linked first, then the nearest of the rest, and so on, in about the time of two
// searches a question. Points at equal distances come in no order that matters, so theirs should be random.
func (s *Space) OneToOne(ctx context.Context, questions, points []float64, most int) ([]int, error) {
	p := len(s.nominal)
	n, m := len(questions)/(2*p), len(points)/p
	if n > m || m > most {
		return s.greedy(ctx, questions, points)
	}
	cost := make([]float64, n*m)
	err := s.Index(points).Each(ctx, questions, func(q *neighbour.MixedSearch, i int, known []float64) {
		for j := range m {
			cost[i*m+j] = q.Distance(known, points[j*p:j*p+p])
		}
	})
	if err != nil {
		return nil, err
	}
	return assign(ctx, cost, n, m)
}

// candidate is the best link that a question had when it was last looked at.
type candidate struct {
	value    float64 // the smallest comes first
	question int
	to       int
}

type candidates []candidate

func (c candidates) Len() int      { return len(c) }
func (c candidates) Swap(i, j int) { c[i], c[j] = c[j], c[i] }
func (c candidates) Less(i, j int) bool {
	return c[i].value < c[j].value || c[i].value == c[j].value && c[i].question < c[j].question
}
func (c *candidates) Push(x any) { *c = append(*c, x.(candidate)) }
func (c *candidates) Pop() any {
	last := len(*c) - 1
	x := (*c)[last]
	*c = (*c)[:last]
	return x
}

// settle links the candidates greedily, each to a record of its own. Where the record is gone already, again looks for
// the best one that is left; it returns false when there is none. Take takes a record away.
func settle(
	ctx context.Context,
	first []candidate,
	questions int,
	again func(question int) (candidate, bool),
	taken func(to int) bool,
	take func(to int),
) ([]int, error) {
	links := make([]int, questions)
	for i := range links {
		links[i] = -1
	}
	queue := candidates(first)
	heap.Init(&queue)
	for k := 0; len(queue) > 0; k++ {
		if k%1024 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		c := &queue[0]
		if !taken(c.to) {
			take(c.to)
			links[c.question] = c.to
			heap.Pop(&queue)
		} else if next, ok := again(c.question); ok {
			*c = next
			heap.Fix(&queue, 0)
		} else {
			heap.Pop(&queue)
		}
	}
	return links, ctx.Err()
}

func (s *Space) greedy(ctx context.Context, questions, points []float64) ([]int, error) {
	p := len(s.nominal)
	index := s.Index(points)
	first := make([]candidate, len(questions)/(2*p))
	nearest := func(q *neighbour.MixedSearch, i int, known []float64) (candidate, bool) {
		hits := q.Nearest(known, 1, -1)
		if len(hits) == 0 {
			return candidate{math.Inf(1), i, -1}, false
		}
		return candidate{hits[0].Squared, i, hits[0].Record}, true
	}
	err := index.Each(ctx, questions, func(q *neighbour.MixedSearch, i int, known []float64) {
		first[i], _ = nearest(q, i, known)
	})
	if err != nil {
		return nil, err
	}
	if len(points) == 0 {
		first = nil
	}
	taken := make([]bool, len(points)/p)
	q := index.Search()
	again := func(i int) (candidate, bool) { return nearest(q, i, questions[2*p*i:2*p*(i+1)]) }
	return settle(ctx, first, len(questions)/(2*p), again, func(j int) bool { return taken[j] }, func(j int) {
		taken[j] = true
		index.Remove(j)
	})
}
