package jointtest

import (
	"testing"

	"github.com/dither-data/dither/joint"
)

// Views runs a case without faults and returns the messages that each party received, in the order they were sent of
// each sender: what the party sees. Seed changes the randomness of all parties.
func Views(t *testing.T, q *joint.Protocol, c Case, seed uint64) [][]joint.Message {
	t.Helper()
	Fill(&c.Plan, q.Name)
	c.seed = seed
	r, err := (&trial{c: &c, protocol: q, at: -1, kill: -1}).run()
	if err != nil {
		t.Fatal(err)
	}
	n := len(c.Plan.Parties)
	views := make([][]joint.Message, n)
	for w, frames := range r.frames {
		for _, f := range frames {
			m, err := joint.ParseFrame(f, c.Plan.Limits.Frame)
			if err != nil {
				t.Fatal(err)
			}
			views[w%n] = append(views[w%n], m)
		}
	}
	return views
}

// Ends runs a case without faults and returns the error of the first party that has one.
func Ends(t testing.TB, q *joint.Protocol, c Case) error {
	t.Helper()
	Fill(&c.Plan, q.Name)
	r, err := (&trial{c: &c, protocol: q, at: -1, kill: -1}).run()
	if err != nil {
		return err
	}
	for _, m := range r.machines {
		if _, err := m.Result(); err != nil {
			return err
		}
	}
	return nil
}

// Results runs a case without faults and returns the results of the parties. Seed changes the randomness of all.
func Results(t testing.TB, q *joint.Protocol, c Case, seed uint64) (out []*joint.Result) {
	t.Helper()
	Fill(&c.Plan, q.Name)
	c.seed = seed
	r, err := (&trial{c: &c, protocol: q, at: -1, kill: -1}).run()
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range r.machines {
		got, err := m.Result()
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, got)
	}
	return out
}

// Uniform returns the chi-square statistic of words, by their top bits in so many cells, a power of two below 2^16, and
// its degrees of freedom. With 2^8 cells and 2,560 words or more, a right program exceeds 347.7 once in 10,000.
func Uniform(words []uint64, cells int) (chi2 float64, degrees int) {
	seen := make([]int, cells)
	for _, w := range words {
		seen[int(w>>48)*cells>>16]++
	}
	each := float64(len(words)) / float64(cells)
	for _, n := range seen {
		d := float64(n) - each
		chi2 += float64(d*d) / each
	}
	return chi2, cells - 1
}
