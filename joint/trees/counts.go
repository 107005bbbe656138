package trees

import (
	"errors"
	"fmt"

	"github.com/dither-data/dither/joint"
	"github.com/dither-data/dither/table"
)

// counter reads the own columns.
func (q *id3) counter(g *grower, t *table.Table) (counter, error) {
	codes := make([][]int32, len(g.columns))
	for k := range g.columns {
		c := &g.columns[k]
		if c.Owner != "" && c.Owner != g.p.Name(g.p.Me()) {
			continue
		}
		var err error
		if codes[k], err = g.p.Codes(t, c); err != nil {
			return nil, err
		}
		if !q.owned {
			continue
		}
		for _, v := range codes[k] {
			if v < 0 {
				return nil, g.p.Mine(fmt.Errorf("column %q has missing values: fill them, or leave these records out at both "+
					"parties", c.Name))
			}
		}
	}
	if q.owned {
		return &crossed{g, codes, t.Rows()}, nil
	}
	n, err := g.bound(t.Rows())
	return &pooled{g, complete(codes), n}, err
}

// bound agrees with the other party how many records both have at most: the power of two above each one's own, so that
// neither learns the other's number.
func (g *grower) bound(own int) (int, error) {
	mine := uint64(1)
	for mine <= uint64(own) {
		mine *= 2
	}
	if err := g.p.Send(1-g.p.Me(), "trees.bound", joint.AppendWords(nil, []uint64{mine})); err != nil {
		return 0, err
	}
	theirs, err := g.p.ReceiveWords(1-g.p.Me(), "trees.bound", 1)
	if err != nil {
		return 0, err
	}
	if theirs[0] > 1<<32 {
		return 0, g.p.Blame(1-g.p.Me(), errors.New("a number of records that cannot be"))
	}
	return int(mine + theirs[0]), nil
}

// complete leaves out the records that lack a value.
func complete(codes [][]int32) [][]int32 {
	out := make([][]int32, len(codes))
	for i := range codes[0] {
		lacks := false
		for k := range codes {
			lacks = lacks || codes[k][i] < 0
		}
		for k := range codes {
			if !lacks {
				out[k] = append(out[k], codes[k][i])
			}
		}
	}
	return out
}

// pooled counts the own records: the number of both parties' is the sum, so that the own one is a share.
type pooled struct {
	g     *grower
	codes [][]int32
	n     int
}

func (c *pooled) most() int { return c.n }

func (c *pooled) counts(n *node, columns ...int) ([]uint64, error) {
	out := make([]uint64, width(c.g.columns, columns))
	for i := range c.codes[0] {
		if !c.inside(n, i) {
			continue
		}
		at := 0
		for _, k := range columns {
			at = at*len(c.g.columns[k].Values) + int(c.codes[k][i])
		}
		out[at]++
	}
	return out, nil
}

func (c *pooled) inside(n *node, i int) bool {
	for _, t := range n.path {
		if c.codes[t.column][i] != int32(t.value) {
			return false
		}
	}
	return true
}

func width(columns []joint.Column, which []int) int {
	n := 1
	for _, k := range which {
		n *= len(columns[k].Values)
	}
	return n
}

// crossed counts the people of both parties' columns, by scalar products of bits (Du & Zhan 2002).
type crossed struct {
	g     *grower
	codes [][]int32 // nil for the other's columns
	n     int
}

func (c *crossed) most() int { return c.n }

func (c *crossed) counts(n *node, columns ...int) ([]uint64, error) {
	out := make([]uint64, width(c.g.columns, columns))
	for at := range out {
		tests := append([]test(nil), n.path...)
		for rest, k := at, len(columns)-1; k >= 0; k-- {
			values := len(c.g.columns[columns[k]].Values)
			tests = append(tests, test{columns[k], rest % values})
			rest /= values
		}
		share, err := c.g.pair.Dot(c.bits(tests), 1)
		if err != nil {
			return nil, err
		}
		out[at] = share
	}
	return out, nil
}

// bits marks the people who pass the tests of own columns.
func (c *crossed) bits(tests []test) []uint64 {
	out := make([]uint64, c.n)
	for i := range out {
		out[i] = 1
		for _, t := range tests {
			if c.codes[t.column] != nil && c.codes[t.column][i] != int32(t.value) {
				out[i] = 0
			}
		}
	}
	return out
}
