package valueclusters

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/dither-data/dither/internal/system/sorting"
	"github.com/dither-data/dither/mine"
)

// CACTUSModel is what was found. It is plain data.
type CACTUSModel struct {
	Records    int          `json:"records"`
	Delta      float64      `json:"delta"`
	Attributes []Domain     `json:"attributes"` // those that were used
	Links      []Link       `json:"links"`      // the inter-attribute summary
	Pairs      []mine.Alike `json:"similar"`    // the intra-attribute summary
	Found      []Cluster    `json:"clusters"`   // those of largest support first
	Notes      []string     `json:"notes"`      // what was left out, and why
}

// Domain is an attribute with the values that occur.
type Domain struct {
	Name   string   `json:"name"`
	Values []string `json:"values"`
}

// Link is a pair of strongly connected values.
type Link struct {
	Attribute string  `json:"attribute"`
	Value     string  `json:"value"`
	With      string  `json:"with"` // the other attribute, of a later column
	And       string  `json:"and"`  // its value
	Records   int     `json:"records"`
	Expected  float64 `json:"expected"`
}

// Cluster is a set of values of every attribute.
type Cluster struct {
	Values   [][]string `json:"values"` // by attribute
	Support  int        `json:"support"`
	Expected float64    `json:"expected"` // the support if all records were equally likely
}

// Similar returns the pairs of values of one attribute that are strongly connected to common values of another, and how
// many: all pairs of the intra-attribute summary, whether or not they are in a cluster.
func (m *CACTUSModel) Similar() []mine.Alike { return m.Pairs }

// Together returns the pairs of values that are in one cluster, by attribute in the order of the columns; the strength
// is the number of clusters. Islam 2007, section 6.6.1, reads similarity this way.
func (m *CACTUSModel) Together() []mine.Alike {
	var out []mine.Alike
	for i, d := range m.Attributes {
		from := len(out)
		for k, v := range d.Values {
			for _, w := range d.Values[k+1:] {
				n := 0
				for _, c := range m.Found {
					if slices.Contains(c.Values[i], v) && slices.Contains(c.Values[i], w) {
						n++
					}
				}
				if n > 0 {
					out = append(out, mine.Alike{Attribute: d.Name, A: v, B: w, Strength: float64(n)})
				}
			}
		}
		strongestFirst(out[from:])
	}
	return out
}

func strongestFirst(pairs []mine.Alike) {
	sorting.Stable(pairs, func(x, y mine.Alike) int { return cmp.Compare(y.Strength, x.Strength) })
}

// model returns the summaries.
func (s *summary) model() *CACTUSModel {
	m := &CACTUSModel{Records: s.rows, Delta: s.Delta}
	for i, a := range s.cols {
		m.Attributes = append(m.Attributes, Domain{a.name, a.labels})
		for _, b := range s.cols[i+1:] {
			m.Links = append(m.Links, s.links(a, b)...)
		}
		from := len(m.Pairs)
		for v := range a.labels {
			for w := v + 1; w < len(a.labels); w++ {
				for j, b := range s.cols {
					if j == i {
						continue
					}
					if n := s.rel[i][j][v].common(s.rel[i][j][w]); n > 0 {
						m.Pairs = append(m.Pairs,
							mine.Alike{Attribute: a.name, A: a.labels[v], B: a.labels[w], Strength: float64(n), Within: b.name})
					}
				}
			}
		}
		strongestFirst(m.Pairs[from:])
	}
	return m
}

// links returns the strongly connected values of two columns.
func (s *summary) links(a, b *column) (out []Link) {
	c := s.pairs[[2]*column{a, b}]
	expected := Expected(c.known, len(a.labels), len(b.labels))
	for k, n := range c.of {
		if Strong(float64(n), expected, s.Delta) {
			out = append(out, Link{a.name, a.labels[k/len(b.labels)], b.name, b.labels[k%len(b.labels)], int(n), expected})
		}
	}
	return out
}

// name returns the values of a candidate.
func (s *summary) name(c []set) [][]string {
	out := make([][]string, len(c))
	for i, x := range c {
		x.each(func(v int) { out[i] = append(out[i], s.cols[i].labels[v]) })
	}
	return out
}

// cactusShown is how many pairs and clusters Text shows of each kind.
const cactusShown = 50

// Text lists the clusters, the similar pairs and the notes.
func (m *CACTUSModel) Text() string {
	var b strings.Builder
	line := func(format string, args ...any) {
		text := fmt.Sprintf(format, args...)
		if r := []rune(text); len(r) > 160 {
			text = string(r[:157]) + "..."
		}
		b.WriteString(text)
		b.WriteByte('\n')
	}
	line("%d clusters, %d similar pairs, %d strong connections of %d records", len(m.Found), len(m.Pairs), len(m.Links),
		m.Records)
	for k, c := range m.Found[:min(cactusShown, len(m.Found))] {
		parts := make([]string, len(c.Values))
		for i, v := range c.Values {
			parts[i] = m.Attributes[i].Name + " {" + strings.Join(v, ", ") + "}"
		}
		line("cluster %d, %d records, %.1f expected: %s", k, c.Support, c.Expected, strings.Join(parts, ", "))
	}
	if n := len(m.Found) - cactusShown; n > 0 {
		line("and %d smaller clusters", n)
	}
	for _, p := range m.Pairs[:min(cactusShown, len(m.Pairs))] {
		line("%s: %s and %s share %.0f of %s", p.Attribute, p.A, p.B, p.Strength, p.Within)
	}
	if n := len(m.Pairs) - cactusShown; n > 0 {
		line("and %d more similar pairs", n)
	}
	for _, n := range m.Notes {
		line("note: %s", n)
	}
	return b.String()
}
