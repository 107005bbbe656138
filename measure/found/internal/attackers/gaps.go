package attackers

import (
	"github.com/dither-data/dither/internal/portable"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/segment/tree"
	"github.com/dither-data/dither/table"
)

// gaps is which values are missing, in all columns that have a gap.
type gaps struct {
	columns  []int
	codes    []int32   // of the pattern of every released record
	share    []float64 // of the records, by code
	patterns [][]bool  // by code and column
	people   [][]bool  // the patterns of the people, by place and column
	kept     []float64 // by column: the share of gaps that are gaps in the release
	made     []float64 // and of values
	equal    []float64 // by column: the share of pairs of one person that agree
	chance   []float64 // and of others
}

// newGaps returns the gaps with those of the people in rows, nil where no values are missing. All but the people's is
// worked out once for a release.
func newGaps(r *measure.Release, rows []int) (*gaps, error) {
	shared, err := r.Shared("attackers: gaps", func() (any, error) { return learnedGaps(r), nil })
	if err != nil || shared.(*gaps) == nil {
		return nil, err
	}
	g := *shared.(*gaps)
	for _, row := range rows {
		g.people = append(g.people, g.of(r.Original, row))
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
			if keys[i] = uint64(c) << 1; is.MissingAt(i) {
				keys[i]++
			}
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

// of returns the pattern of a row of a table.
func (g *gaps) of(t *table.Table, row int) []bool {
	out := make([]bool, len(g.columns))
	for k, j := range g.columns {
		out[k] = t.MissingAt(row, j)
	}
	return out
}

// learn takes from the pairs how gaps are kept and made in a column; false where there are none. The shares are those
// of one pair more of every kind, so that nothing is impossible.
func (g *gaps) learn(was, is *table.Column) bool {
	var n [2][2]float64 // by missing before and after
	for i := range was.Len() {
		n[bit(was.MissingAt(i))][bit(is.MissingAt(i))]++
	}
	before, after := n[1][0]+n[1][1], n[0][1]+n[1][1]
	all := before + n[0][0] + n[0][1]
	if before+after == 0 || after == all && before == all {
		return false
	}
	g.kept = append(g.kept, (n[1][1]+1)/(before+2))
	g.made = append(g.made, (n[0][1]+1)/(all-before+2))
	g.equal = append(g.equal, (n[0][0]+n[1][1]+1)/(all+2))
	g.chance = append(g.chance, (float64(before*after)+float64((all-before)*(all-after))+all)/(float64(all*all)+2*all))
	return true
}

func bit(b bool) int {
	if b {
		return 1
	}
	return 0
}

// patterned scores patterns: the sum of what every column says by what is missing before and after.
type patterned struct {
	g     *gaps
	table [][4]float64 // by column, what is missing before in bit 1 and after in bit 0
	was   []bool       // of the person
}

func (g *gaps) scorer(score func(column int, was, is bool) float64) func() scorer {
	table := make([][4]float64, len(g.columns))
	for k := range table {
		for b := range 4 {
			table[k][b] = score(k, b&2 > 0, b&1 > 0)
		}
	}
	return func() scorer { return &patterned{g: g, table: table} }
}

func (p *patterned) person(k int, gaps bool) (most float64, ok bool) {
	p.was = p.g.people[k]
	for c, was := range p.was {
		most += max(p.table[c][2*bit(was)], p.table[c][2*bit(was)+1])
	}
	return most, gaps
}

func (p *patterned) add(to []float64, codes []int32) {
	for i, code := range codes {
		is := p.g.patterns[code]
		for c, was := range p.was {
			to[i] += p.table[c][2*bit(was)+bit(is[c])]
		}
	}
}

func (g *gaps) distance() func() scorer {
	return g.scorer(func(_ int, was, is bool) float64 { return -float64(bit(was != is)) })
}

func (g *gaps) lookUp() func() scorer {
	return g.scorer(func(c int, was, is bool) float64 {
		if was == is || !was && g.made[c]*float64(len(g.codes)) > 2 { // the technique suppresses values
			return 0
		}
		return mismatch
	})
}

func (g *gaps) agreement() func() scorer {
	return g.scorer(func(c int, was, is bool) float64 {
		if was == is {
			return portable.Log(g.equal[c] / g.chance[c])
		}
		return portable.Log((1 - g.equal[c]) / (1 - g.chance[c]))
	})
}

func (g *gaps) probability() func() scorer {
	return g.scorer(func(c int, was, is bool) float64 {
		p := g.made[c]
		if was {
			p = g.kept[c]
		}
		if !is {
			p = 1 - p
		}
		return portable.Log(p)
	})
}
