package minetest

import (
	"context"
	"strings"
	"testing"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/mine"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/segment"
	"github.com/dither-data/dither/table"
)

// majority predicts the largest class and has one segment. Its fields break one promise each.
type majority struct {
	help           string
	ignoresContext bool
	writes         bool
	spaced         int32 // the class in a table larger than the memory
	long           bool  // takes memory for every record
	taken          []byte
	class, route   int32
	K              int
	limit          float64
}

func (m *majority) Params() param.Set {
	return param.Set{param.Int(&m.K, "k", 2, 1, 9, "", m.help)}
}

func (m *majority) Fit(ctx context.Context, t *table.Table, _ rng.Source) (mine.Model, error) {
	if err := ctx.Err(); err != nil && !m.ignoresContext {
		return nil, err
	}
	if m.writes && t.Rows() > 0 && t.Width() > 2 && t.Num(1) != nil {
		t.Num(1)[0]++
	}
	if m.long {
		m.taken = make([]byte, t.Rows())
	}
	if t.Space() != nil {
		n := *m
		n.class, m = m.spaced, &n
	}
	return m, nil
}

func (m *majority) Predict(_ *table.Table, dst []int32) {
	for i := range dst {
		dst[i] = m.class
	}
}

func (m *majority) Route(_ *table.Table, dst []int32) {
	for i := range dst {
		dst[i] = m.route
	}
}

func (m *majority) Segments() []segment.Segment {
	return []segment.Segment{{Num: map[int]table.Interval{1: {Lo: 0, Hi: m.limit}}}}
}

// The suite passes a miner that keeps its promises and names the one that is broken.
func TestSuite(t *testing.T) {
	const larger = "larger than the memory it is the same"
	good := majority{help: "a number", limit: 200}
	for _, c := range []struct {
		name, broken string
		change       func(m *majority, c *card.Card)
	}{
		{"good", "", func(*majority, *card.Card) {}},
		{"no summary", "card is filled", func(_ *majority, c *card.Card) { c.Summary = "" }},
		{"no help", "bad parameters are refused", func(m *majority, _ *card.Card) { m.help = "" }},
		{"writes", "input is untouched", func(m *majority, _ *card.Card) { m.writes = true }},
		{"ignores its context", "ends with its context", func(m *majority, _ *card.Card) { m.ignoresContext = true }},
		{"predicts a fourth class", "predictions are classes", func(m *majority, _ *card.Card) { m.class = 3 }},
		{"routes astray", "every record is in its segment", func(m *majority, _ *card.Card) { m.route = 1 }},
		{"larger than the memory", "", func(_ *majority, c *card.Card) { c.Shards = "counted" }},
		{"another model there", larger, func(m *majority, c *card.Card) { c.Shards, m.spaced = "counted", 1 }},
		{"memory for every record", long.Of("", larger),
			func(m *majority, c *card.Card) { c.Shards, m.long = "counted", true }},
		{"narrow segment", "every record is in its segment", func(m *majority, _ *card.Card) { m.limit = 30 }},
	} {
		t.Run(c.name, func(t *testing.T) {
			proto := good
			name := strings.ReplaceAll(c.name, " ", "")
			entry := card.Card{Name: name, Title: "Majority", Summary: "s", Paper: "p", Missing: "m", Cost: "O(1)"}
			c.change(&proto, &entry)
			s := newSuite(mine.Miner{Card: entry, New: func() mine.Learner { m := proto; return param.Default(&m) }}, nil)
			var failed []string
			for _, k := range checks {
				if k.run(s) != nil {
					failed = append(failed, k.name)
				}
			}
			if got := strings.Join(failed, ", "); got != c.broken {
				t.Errorf("broken promises: %q, expected %q", got, c.broken)
			}
		})
	}
}
