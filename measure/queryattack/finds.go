package queryattack

import (
	"context"

	"github.com/dither-data/dither/internal/system/parallel"
)

// pair is a probability before and after the release.
type pair struct{ before, after float64 }

// finds is what the queries find, by query.
type finds struct {
	s1    []pair
	right []float64 // probability of a right find; nil where records are not paired
	// probability of the find of the person the query was drawn for: S1 after, or 0 when the own record is paired and no
	// match
	own   []float64
	s2    [][]pair // by value reported of all secrets, then query
	truth [][]pair // by secret, then query: mean probability of the own value of those whom the query describes
	// breaches is, by secret, then query, the probability that what is most common in the release's answer is so in the
	// original's; NaN without values there
	breaches [][]float64
}

// score returns what the mean is taken of: the right finds or, where these are not known, S1 after the release.
func (f *finds) score() []float64 {
	if f.right != nil {
		return f.right
	}
	out := make([]float64, len(f.s1))
	for k, p := range f.s1 {
		out[k] = p.after
	}
	return out
}

// ask asks all queries of both tables, on all cores.
func (a *attack) ask(ctx context.Context, l *list) (*finds, error) {
	n := len(l.queries)
	f := &finds{s1: make([]pair, n), own: make([]float64, n)}
	if a.release.Paired {
		f.right = make([]float64, n)
	}
	for s := range a.secrets {
		f.truth, f.breaches = append(f.truth, make([]pair, n)), append(f.breaches, make([]float64, n))
		for range a.secrets[s].shown {
			f.s2 = append(f.s2, make([]pair, n))
		}
	}
	_, err := parallel.With(ctx, n, a.worker, func(w *worker, k int) error {
		w.ask(f, k, l.queries[k], int32(l.about[k]))
		return nil
	})
	return f, err
}

// worker is what one goroutine needs.
type worker struct {
	*attack
	was, is       Scratch
	before, after [][]float64 // by secret: share of every code among the matches
	first, both   crowd
}

func (a *attack) worker() *worker {
	w := &worker{attack: a}
	for s := range a.secrets {
		w.before = append(w.before, make([]float64, a.secrets[s].size))
		w.after = append(w.after, make([]float64, a.secrets[s].size))
	}
	return w
}

// ask asks the k-th query, which was drawn for the person in a row of the original.
func (w *worker) ask(f *finds, k int, q Query, about int32) {
	count := w.attack.before.find(q, &w.was)
	if w.people != nil {
		count = w.first.count(w.people, w.was.list()) // at least the person
	}
	described := float64(count)
	f.s1[k].before = S1(count)
	for s := range w.secrets {
		w.secrets[s].before.shares(&w.was, w.before[s])
	}
	count = w.attack.after.find(q, &w.is)
	if w.people != nil {
		count = w.both.count(w.people, w.is.list())
	}
	found := float64(count)
	f.s1[k].after = S1(count)
	for s := range w.secrets {
		w.secrets[s].after.shares(&w.is, w.after[s])
	}
	w.secretValues(f, k)
	f.own[k] = f.s1[k].after
	if f.right == nil || found == 0 {
		return
	}
	if w.people != nil {
		f.right[k] = float64(w.both.shared(&w.first)) / (described * found)
		if !w.both.has(w.people[about]) {
			f.own[k] = 0
		}
		return
	}
	both := common(q, w.attack.before, w.attack.after, &w.was, &w.is)
	f.right[k] = float64(both) / (described * found)
	if !w.attack.after.Holds(q, about) {
		f.own[k] = 0
	}
}

// crowd is the people whom records are of.
type crowd struct {
	who  []int32
	seen []int32 // by person: the number of the count that met them last
	turn int32
}

// count returns how many people the records are of; of says whose each is.
func (c *crowd) count(of, records []int32) int {
	if c.seen == nil {
		c.seen = make([]int32, len(of))
	}
	c.turn++
	c.who = c.who[:0]
	for _, i := range records {
		if p := of[i]; c.seen[p] != c.turn {
			c.seen[p] = c.turn
			c.who = append(c.who, p)
		}
	}
	return len(c.who)
}

func (c *crowd) has(person int32) bool { return c.seen[person] == c.turn }

// shared returns how many people are in both crowds.
func (c *crowd) shared(o *crowd) (n int) {
	for _, p := range o.who {
		if c.has(p) {
			n++
		}
	}
	return n
}

// secretValues notes the probabilities of the values that are shown and of the own ones, and whether what is most
// common is the same.
func (w *worker) secretValues(f *finds, k int) {
	at := 0
	for s := range w.secrets {
		for _, c := range w.secrets[s].shown {
			f.s2[at][k] = pair{w.before[s][c], w.after[s][c]}
			at++
		}
		for c, p := range w.before[s] {
			f.truth[s][k].before += float64(p * p)
			f.truth[s][k].after += float64(p * w.after[s][c])
		}
		f.breaches[s][k] = breached(w.before[s], w.after[s])
	}
}

// S1 returns the probability of finding one record among so many matches; 0 without any.
func S1(matches int) float64 {
	if matches == 0 {
		return 0
	}
	return 1 / float64(matches)
}

// S2 writes the share of every code among the matching records, given the codes of all records, -1 for missing; 0 for
// all when none matches.
func S2(codes, matches []int32, dst []float64) {
	clear(dst)
	for _, i := range matches {
		if c := codes[i]; c >= 0 {
			dst[c]++
		}
	}
	for c := range dst {
		if dst[c] > 0 {
			dst[c] /= float64(len(matches))
		}
	}
}
