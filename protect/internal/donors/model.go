package donors

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/dither-data/dither/table"
)

// Model is how a column is drawn: by a tree for each segment, and one for all records.
type Model struct {
	Column int `json:"column"`
	// Values are those of donors, ascending, rare ones blurred, to which the codes of a number refer; categories have
	// codes of their own. The code after the last one is a missing value.
	Values []float64 `json:"values,omitempty"`
	// Trees holds, as unsigned varints of encoding/binary, how many trees there are and then each, first the one of all
	// records. A tree is its nodes in depth-first order: 0 for a tree that there is not; 1 for a leaf, with its donors;
	// 2+s for a test on Scales[s], with the bins of the first branch.
	Trees []byte `json:"trees"`
}

// Donor is a value of a leaf, and how many of its donors have it or a smaller one.
type Donor struct {
	Code  int32
	UpTo  int32
	Exact bool // released as it is; otherwise a number between its neighbours is
}

// node is a test or a leaf.
type node struct {
	scale int32    // -1 at a leaf
	first bins     // those of the first branch, the missing value's among them
	kids  [2]int32 // the branches; of a leaf, where its donors begin and end
}

// Forest is a model ready for use.
type Forest struct {
	roots  []int32 // by segment, behind the one of all records; -1 where there is none
	nodes  []node
	donors []Donor // leaf by leaf, ascending by code
}

// writer packs trees.
type writer []byte

func (w *writer) put(v int) { *w = binary.AppendUvarint(*w, uint64(v)) }

// leaf writes a leaf: the values of its donors. Numbers that are not released as they are, whose codes are below the
// limit, are moved first: each to a value of the column strictly between its own and that of a neighbour in the leaf,
// either neighbour as likely, or where none is between them, to either. So who knows the neighbours, and draws from the
// leaf without end, does not learn the value.
func (w *writer) leaf(codes []int32, exact func(code int32) bool, limit int32, r *rand.Rand) {
	slices.Sort(codes)
	if limit > 0 {
		codes = moved(codes, exact, limit, r)
	}
	distinct := 0
	for k, c := range codes {
		if k == 0 || c != codes[k-1] {
			distinct++
		}
	}
	w.put(1)
	w.put(distinct)
	last := int32(0)
	for k := 0; k < len(codes); {
		c, from := codes[k], k
		for k < len(codes) && codes[k] == c {
			k++
		}
		w.put(int(c - last))
		how := (k - from) << 1
		if exact(c) {
			how |= 1
		}
		w.put(how)
		last = c
	}
}

// moved returns the codes, ascending, of which those that are not exact are moved.
func moved(codes []int32, exact func(code int32) bool, limit int32, r *rand.Rand) []int32 {
	out := slices.Clone(codes)
	for k := 0; k < len(codes); {
		c, from := codes[k], k
		for k < len(codes) && codes[k] == c {
			k++
		}
		if exact(c) {
			continue
		}
		other := int32(-1)
		if from > 0 {
			other = codes[from-1]
		}
		if k < len(codes) && codes[k] < limit && (other < 0 || r.IntN(2) == 1) {
			other = codes[k]
		}
		if other < 0 {
			continue
		}
		lo, hi := min(c, other), max(c, other)
		to := lo + int32(r.IntN(2))
		if hi-lo > 1 {
			to = lo + 1 + int32(r.IntN(int(hi-lo-1)))
		}
		for at := from; at < k; at++ {
			out[at] = to
		}
	}
	slices.Sort(out)
	return out
}

// test writes a test: the lengths of the runs of bins that go to the first branch and that do not, in turn, but for the
// last run.
func (w *writer) test(scale int, first *bins) {
	var runs []int
	side, n := true, 0
	for k := range 256 {
		if first.has(byte(k)) != side {
			runs = append(runs, n)
			side, n = !side, 0
		}
		n++
	}
	w.put(2 + scale)
	w.put(len(runs))
	for _, r := range runs {
		w.put(r)
	}
}

// reader unpacks trees. Its first error stays.
type reader struct {
	rest   []byte
	err    error
	codes  int // of the column, the missing value's among them
	scales int
	f      Forest
}

var errTorn = errors.New("the trees are torn")

// take returns the next number, up to a limit.
func (r *reader) take(limit int) int {
	v, n := binary.Uvarint(r.rest)
	if n <= 0 || v > uint64(limit) {
		r.err, r.rest = errTorn, nil
		return 0
	}
	r.rest = r.rest[n:]
	return int(v)
}

// deepest is how many tests may follow each other.
const deepest = 1 << 12

// node reads a node and all below it, and returns where it stands.
func (r *reader) node(depth int) int32 {
	kind := r.take(r.scales + 1)
	if r.err != nil || kind == 0 || depth > deepest {
		if depth > 0 {
			r.err = errTorn
		}
		return -1
	}
	at := int32(len(r.f.nodes))
	r.f.nodes = append(r.f.nodes, node{scale: -1})
	if kind == 1 {
		from := len(r.f.donors)
		r.donors()
		r.f.nodes[at].kids = [2]int32{int32(from), int32(len(r.f.donors))}
		return at
	}
	n := node{scale: int32(kind - 2)}
	r.bins(&n.first)
	for k := range n.kids {
		if r.err != nil {
			return -1
		}
		n.kids[k] = r.node(depth + 1)
	}
	r.f.nodes[at] = n
	return at
}

// bins reads the bins of a first branch.
func (r *reader) bins(first *bins) {
	side, k := true, 0
	for left := r.take(256); left >= 0 && r.err == nil; left-- {
		n := 256 - k
		if left > 0 {
			n = r.take(256 - k)
		}
		for range n {
			if side {
				first.add(byte(k))
			}
			k++
		}
		side = !side
	}
}

// donors reads those of a leaf.
func (r *reader) donors() {
	code, sum := 0, 0
	for k := range r.take(len(r.rest)) {
		d := r.take(r.codes)
		how := r.take(math.MaxInt32)
		if code, sum = code+d, sum+how>>1; r.err != nil || k > 0 && d == 0 || how < 2 || sum > math.MaxInt32 ||
			code >= r.codes {
			r.err = errTorn
			return
		}
		r.f.donors = append(r.f.donors, Donor{int32(code), int32(sum), how&1 != 0})
	}
}

// Unpack reads the trees of a model for so many segments.
func (m *Model) Unpack(schema []table.Attribute, segments, scales int) (Forest, error) {
	r := reader{rest: m.Trees, codes: len(m.Values) + 1, scales: scales}
	if a := &schema[m.Column]; a.Kind == table.Categorical {
		r.codes = len(a.Labels) + 1
	}
	if n := r.take(segments + 1); n != segments+1 {
		return Forest{}, errTorn
	}
	for range segments + 1 {
		r.f.roots = append(r.f.roots, r.node(0))
		if r.err != nil {
			return Forest{}, r.err
		}
	}
	if len(r.rest) > 0 {
		return Forest{}, errTorn
	}
	return r.f, nil
}

// Check refuses a decoded model that could not be applied. Known are the scales of what is at hand when it is drawn.
func (m *Model) Check(schema []table.Attribute, segments int, known []bool) error {
	a := &schema[m.Column]
	ascends := !slices.ContainsFunc(m.Values, func(v float64) bool { return v-v != 0 }) && slices.IsSorted(m.Values)
	if !ascends || a.Kind == table.Categorical && len(m.Values) > 0 {
		return fmt.Errorf("the values of column %q are not ascending numbers", a.Name)
	}
	f, err := m.Unpack(schema, segments, len(known))
	if err != nil {
		return fmt.Errorf("column %q: %w", a.Name, err)
	}
	for k := range f.nodes {
		if s := f.nodes[k].scale; s >= 0 && !known[s] {
			return fmt.Errorf("column %q: a test is on a column that is drawn later", a.Name)
		}
	}
	return nil
}

// Leaf returns the donors of the leaf that a record falls into; nil where the segment has no tree. Bins are by scale.
func (f *Forest) Leaf(root int, of [][]byte, i int) []Donor {
	at := f.roots[root]
	if at < 0 {
		return nil
	}
	for {
		n := &f.nodes[at]
		if n.scale < 0 {
			return f.donors[n.kids[0]:n.kids[1]]
		}
		side := 1
		if n.first.has(of[n.scale][i]) {
			side = 0
		}
		at = n.kids[side]
	}
}
