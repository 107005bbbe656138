package minetest

import (
	"context"
	"strings"
	"testing"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/mine"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// single is a clustering of one cluster. Its fields break one promise each.
type single struct {
	Of     []int32
	Number int32 // of the cluster
	Astray int32 // what is added in assigning
	hidden int32 // the same, and not in JSON
	Twin   string
	Line   string
}

func (m *single) Params() param.Set { return nil }

func (m *single) Fit(ctx context.Context, t *table.Table, _ rng.Source) (mine.Model, error) {
	m.Of = make([]int32, t.Rows())
	for i := range m.Of {
		m.Of[i] = m.Number
	}
	return m, ctx.Err()
}

func (m *single) Clusters() int   { return 1 }
func (m *single) Labels() []int32 { return m.Of }
func (m *single) Text() string    { return m.Line }

func (m *single) Assign(_ *table.Table, dst []int32) {
	for i := range dst {
		dst[i] = m.Number + m.Astray
	}
}

func (m *single) Similar() []mine.Alike {
	return []mine.Alike{{Attribute: "job", A: "clerk", B: m.Twin, Strength: 1 + float64(m.hidden)}}
}

// The suite passes a clustering that keeps its promises and names the one that is broken.
func TestClusterers(t *testing.T) {
	for _, c := range []struct {
		name, broken string
		change       func(m *single)
	}{
		{"good", "", func(*single) {}},
		{"a second cluster of one", "clusters are those assigned", func(m *single) { m.Number = 1 }},
		{"outliers", "", func(m *single) { m.Number = -1 }},
		{"below the outliers", "clusters are those assigned", func(m *single) { m.Number = -2 }},
		{"assigns otherwise", "clusters are those assigned", func(m *single) { m.Astray = -1 }},
		{"keeps something to itself", "a clustering is plain data", func(m *single) { m.hidden = 1 }},
		{"no such value", "similar values are values", func(m *single) { m.Twin = "baker" }},
		{"like itself", "similar values are values", func(m *single) { m.Twin = "clerk" }},
		{"a wide page", "text fits a page", func(m *single) { m.Line = strings.Repeat("x", 161) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			proto := single{Twin: "nurse"}
			c.change(&proto)
			entry := card.Card{Name: "single", Title: "Single", Summary: "s", Paper: "p", Missing: "m", Cost: "O(1)"}
			s := newSuite(mine.Miner{Card: entry, New: func() mine.Learner { m := proto; return &m }}, nil)
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
