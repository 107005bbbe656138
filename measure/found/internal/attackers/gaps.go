package attackers

import (
	"github.com/dither-data/dither/internal/portable"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/measure/internal/missing"
	"github.com/dither-data/dither/segment/tree"
	"github.com/dither-data/dither/table"
)

// gaps is which values are missing, in all columns that have a gap. What is suppressed may be either.
type gaps struct {
	columns  []int
	codes    []int32   // of the pattern of every released record
	share    []float64 // of the records, by code
	patterns [][]missing.Shown
	people   [][]int      // by place and column: whether somebody has no value (1)
	kept     []float64    // by column: the share of gaps that are gaps in the release
	made     []float64    // and of values
	hidden   [][2]float64 // by column and whether there is no value: the share that is suppressed
	equal    []float64    // by column: the share of pairs of one person that agree, of those that show it
	chance   []float64    // and of others
}

// newGaps returns the gaps with those of the people in rows, nil where no values are missing. All but the people's is
// worked out once for a release.
func newGaps(r *measure.Release, rows []int) (*gaps, error) {
	shared, err := measure.PerRelease(r, "attackers: gaps", func(r *measure.Release) (*gaps, error) {
		return learnedGaps(r), nil
	})
	if err != nil || shared == nil {
		return nil, err
	}
	g := *shared
	for _, row := range rows {
		g.people = append(g.people, g.lacks(r.Original, row))
	}
	return &g, nil
}

func learnedGaps(r *measure.Release) *gaps {
	g := &gaps{codes: make([]int32, r.Released.Rows())}
	keys := make([]uint64, len(g.codes))
	for j := range r.Original.Width() {
		if a := r.Original.Attr(j); a.Role&(table.Identifier|table.Weight) != 0 {
			continue
		}
		was, is := r.Original.Column(j), r.Released.Column(j)
		if !g.learn(&was, &is) {
			continue
		}
		g.columns = append(g.columns, j)
		for i, c := range g.codes {
			keys[i] = uint64(c)<<2 | uint64(missing.Of(&is, i))
		}
		tree.Number(keys, g.codes)
	}
	if len(g.columns) == 0 {
		return nil
	}
	for i, c := range g.codes {
		for int(c) >= len(g.patterns) {
			g.patterns = append(g.patterns, nil)
		}
		if g.patterns[c] == nil {
			g.patterns[c] = g.of(r.Released, i)
		}
	}
	g.share = shares(g.codes, len(g.patterns))
	return g
}

// of returns the pattern of a row of a release.
func (g *gaps) of(t *table.Table, row int) []missing.Shown {
	out := make([]missing.Shown, len(g.columns))
	for k, j := range g.columns {
		c := t.Column(j)
		out[k] = missing.Of(&c, row)
	}
	return out
}

// lacks returns which values a row of an original has not.
func (g *gaps) lacks(t *table.Table, row int) []int {
	out := make([]int, len(g.columns))
	for k, j := range g.columns {
		out[k] = bit(t.MissingAt(row, j))
	}
	return out
}

// learn takes from the pairs how gaps are kept, made and suppressed in a column; false where there are none. The shares
// are those of one pair more of every kind, so that nothing is impossible.
func (g *gaps) learn(was, is *table.Column) bool {
	n := missing.Count(was, is)
	before, after, stars := n.Had(1), n[0][missing.Gap]+n[1][missing.Gap], n.Stars()
	all := before + n.Had(0)
	if before+after == 0 || after+stars == all && before == all {
		return false
	}
	ways, hidden := 2.0, [2]float64{}
	if stars > 0 {
		ways = 3
		for none := range hidden {
			hidden[none] = (n[none][missing.Suppressed] + 1) / (n.Had(none) + ways)
		}
	}
	g.kept = append(g.kept, (n[1][missing.Gap]+1)/(before+ways))
	g.made = append(g.made, (n[0][missing.Gap]+1)/(all-before+ways))
	g.hidden = append(g.hidden, hidden)
	all, before = all-stars, before-n[1][missing.Suppressed]
	g.equal = append(g.equal, (n[0][missing.Value]+n[1][missing.Gap]+1)/(all+2))
	g.chance = append(g.chance, (float64(before*after)+float64((all-before)*(all-after))+all)/(float64(all*all)+2*all))
	return true
}

// patterned scores patterns: the sum of what every column says by what is missing before and after.
type patterned struct {
	g     *gaps
	table [][2][3]float64 // by column, whether there is no value, and what is shown of it
	was   []int           // of the person
}

func (g *gaps) scorer(score func(column, was int, is missing.Shown) float64) func() scorer {
	table := make([][2][3]float64, len(g.columns))
	for k := range table {
		for was := range table[k] {
			for is := range table[k][was] {
				table[k][was][is] = score(k, was, missing.Shown(is))
			}
		}
	}
	return func() scorer { return &patterned{g: g, table: table} }
}

func (p *patterned) person(k int, gaps bool) (most float64, ok bool) {
	p.was = p.g.people[k]
	for c, was := range p.was {
		of := &p.table[c][was]
		if most += max(of[missing.Value], of[missing.Gap]); p.g.hidden[c][was] > 0 {
			most += max(0, of[missing.Suppressed]-max(of[missing.Value], of[missing.Gap]))
		}
	}
	return most, gaps
}

func (p *patterned) add(to []float64, codes []int32) {
	for i, code := range codes {
		is := p.g.patterns[code]
		for c, was := range p.was {
			to[i] += p.table[c][was][is[c]]
		}
	}
}

// distance has what is suppressed as half a difference.
func (g *gaps) distance() func() scorer {
	return g.scorer(func(_, was int, is missing.Shown) float64 {
		if is == missing.Suppressed {
			return -0.5
		}
		return -float64(bit(was != int(is)))
	})
}

func (g *gaps) lookUp() func() scorer {
	several := func(share float64) bool { return share*float64(len(g.codes)) > 2 } // the technique does it
	return g.scorer(func(c, was int, is missing.Shown) float64 {
		switch {
		case is == missing.Suppressed && several(g.hidden[c][was]), was == int(is), was == 0 && several(g.made[c]):
			return 0
		}
		return mismatch
	})
}

// agreement takes no account of what is suppressed.
func (g *gaps) agreement() func() scorer {
	return g.scorer(func(c, was int, is missing.Shown) float64 {
		switch {
		case is == missing.Suppressed:
			return 0
		case was == int(is):
			return portable.Log(g.equal[c] / g.chance[c])
		}
		return portable.Log((1 - g.equal[c]) / (1 - g.chance[c]))
	})
}

func (g *gaps) probability() func() scorer {
	return g.scorer(func(c, was int, is missing.Shown) float64 {
		p := g.made[c]
		if was == 1 {
			p = g.kept[c]
		}
		switch star := g.hidden[c][was]; {
		case is == missing.Value:
			p = 1 - p - star
		case is == missing.Suppressed && star > 0:
			p = star
		}
		return portable.Log(p)
	})
}

func bit(b bool) int { return missing.Bit(b) }
