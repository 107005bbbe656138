package kdpartition

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// MarshalText writes the tree depth first in one line: "0:40.5 1:15 2 2 5" is a test of column 0, whose low child is a
// test of column 1 with two leaves of two records each, and whose high child is a leaf of five.
func (t Tree) MarshalText() ([]byte, error) {
	var out []byte
	for i := range t.Nodes {
		if i > 0 {
			out = append(out, ' ')
		}
		n := &t.Nodes[i]
		if n.Attr == Leaf {
			out = strconv.AppendInt(out, int64(n.Size), 10)
			continue
		}
		out = append(strconv.AppendInt(out, int64(n.Attr), 10), ':')
		out = strconv.AppendFloat(out, n.Cut, 'g', -1, 64)
	}
	return out, nil
}

// UnmarshalText reads what MarshalText writes. Text that is not one whole tree, cuts that are no finite numbers, and
// more than 2^31-1 records are errors.
func (t *Tree) UnmarshalText(text []byte) error {
	var d decoder
	for word := range strings.SplitSeq(string(text), " ") {
		if err := d.node(word); err != nil {
			return err
		}
	}
	if !d.whole() {
		return errors.New("the tree is incomplete")
	}
	*t = Tree{Nodes: d.nodes}
	t.number()
	return nil
}

// decoder reads a tree node by node. open holds the positions of the tests that lack a child, from the root down; of a
// test whose low child is complete, Next is set.
type decoder struct {
	nodes []Node
	open  []int32
}

func (d *decoder) whole() bool { return len(d.nodes) > 0 && len(d.open) == 0 }

// node reads a test or a leaf.
func (d *decoder) node(word string) error {
	if d.whole() {
		return errors.New("the tree goes on after its last leaf")
	}
	at := int32(len(d.nodes))
	attr, number, test := strings.Cut(word, ":")
	if !test {
		size, err := strconv.ParseInt(word, 10, 32)
		if err != nil || size < 0 {
			return fmt.Errorf("node %d of the tree is neither a test nor a number of records", at+1)
		}
		d.nodes = append(d.nodes, Node{Attr: Leaf, Size: int32(size)})
		return d.close()
	}
	j, err := strconv.ParseInt(attr, 10, 32)
	cut, err2 := strconv.ParseFloat(number, 64)
	if err != nil || err2 != nil || j < 0 || math.IsNaN(cut) || math.IsInf(cut, 0) {
		return fmt.Errorf("node %d of the tree is not a column and a finite cut", at+1)
	}
	d.nodes, d.open = append(d.nodes, Node{Attr: int32(j), Cut: cut}), append(d.open, at)
	return nil
}

// close ends the tests whose last child is complete.
func (d *decoder) close() error {
	for len(d.open) > 0 {
		at := d.open[len(d.open)-1]
		n := &d.nodes[at]
		if n.Next == 0 {
			n.Next = int32(len(d.nodes)) - at
			return nil
		}
		size := int64(d.nodes[at+1].Size) + int64(d.nodes[at+n.Next].Size)
		if size > math.MaxInt32 {
			return fmt.Errorf("the tree has more than %d records", math.MaxInt32)
		}
		n.Size = int32(size)
		d.open = d.open[:len(d.open)-1]
	}
	return nil
}
