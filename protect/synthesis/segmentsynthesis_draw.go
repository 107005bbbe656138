package synthesis

import (
	"math"
	"slices"

	"github.com/dither-data/dither/internal/system/mmap"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/noisemodel"
	"github.com/dither-data/dither/protect/internal/donors"
	"github.com/dither-data/dither/protect/internal/leafwise"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/segment"
	"github.com/dither-data/dither/segment/tree"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/wrap"
)

// drawing draws records whose segments are known.
type drawing struct {
	plan    *SegmentPlan
	forests []donors.Forest // by model
	known   []place         // by segment
}

// place is where records of a segment are drawn.
type place struct {
	roots []int // of the trees that donors are taken from, the first where there are any
	box   segment.Segment
	boxes []wrap.Domain // by model: the values that a number may have
	bare  []bool        // by model: conditions of several trees contradict each other, and hold of missing values alone
}

func newDrawing(p *SegmentPlan) *drawing {
	d := &drawing{plan: p}
	var boxes []segment.Segment
	if len(p.Forest.Trees) == 1 {
		boxes = p.Forest.Trees[0].Segments()
	} else {
		boxes = p.Forest.Segments(p.Keys...)
	}
	for k := range p.Models {
		f, _ := p.Models[k].Unpack(p.Schema(), len(boxes)+len(p.Pools), len(p.Scales)) // Check has looked at them
		d.forests = append(d.forests, f)
	}
	for s, box := range boxes {
		d.known = append(d.known, d.place(box, s+1, 0))
	}
	if len(p.Pools) == 0 {
		return d
	}
	tr := p.Forest.Trees[0]
	parent := parents(tr)
	for l, n := range tr.Leaves() {
		for n = parent[n]; n > 0; n = parent[n] {
			if k, ok := slices.BinarySearch(p.Pools, n); ok {
				d.known[l].roots = []int{l + 1, len(boxes) + 1 + k, 0}
				break
			}
		}
	}
	return d
}

// parents returns, by node, the one above it; -1 for the root.
func parents(tr *tree.Tree) []int32 {
	out := make([]int32, len(tr.Nodes))
	out[0] = -1
	for n := range tr.Nodes {
		for _, k := range tr.Nodes[n].Kids {
			out[k] = int32(n)
		}
	}
	return out
}

// place prepares a segment that takes donors from trees of the given roots; 0 is that of all records.
func (d *drawing) place(box segment.Segment, roots ...int) place {
	models := len(d.plan.Models)
	p := place{roots: roots, box: box, boxes: make([]wrap.Domain, models), bare: make([]bool, models)}
	for k := range d.plan.Models {
		j := d.plan.Models[k].Column
		if a := &d.plan.Schema()[j]; a.Kind == table.Numeric {
			p.boxes[k] = boxOf(a, j, &box)
		}
		if sub, ok := box.Num[j]; ok {
			p.bare[k] = sub.Empty()
		} else if codes, ok := box.Cat[j]; ok {
			p.bare[k] = len(codes) == 0
		}
	}
	return p
}

// keeps reports whether a column is left as it is.
func (d *drawing) keeps(j int) bool { return slices.Contains(d.plan.kept, d.plan.Schema()[j].Name) }

// deals reports whether classes are permuted.
func (d *drawing) deals() bool { return d.plan.Class == RPT && !d.keeps(d.plan.Forest.Class()) }

// changes returns the names of the columns that are drawn or permuted, in schema order.
func (d *drawing) changes() (out []string) {
	attrs := d.plan.Schema()
	for j := range attrs {
		if !d.keeps(j) && (j == d.plan.Forest.Class() && d.deals() ||
			slices.ContainsFunc(d.plan.Models, func(m donors.Model) bool { return m.Column == j })) {
			out = append(out, attrs[j].Name)
		}
	}
	return out
}

// describe says what is done.
func (d *drawing) describe() message.Sentence {
	if d.deals() {
		return message.Say("does.segmentsynthesis")
	}
	return message.Say("does.segmentsynthesisKept")
}

// read returns the names of the columns that are read or changed.
func (d *drawing) read() (out []string) {
	attrs := d.plan.Schema()
	for j := range attrs {
		if j == d.plan.Forest.Class() ||
			slices.ContainsFunc(d.plan.Scales, func(s donors.Scale) bool { return s.Column == j }) {
			out = append(out, attrs[j].Name)
		}
	}
	return out
}

// Law returns the law of a column: dealt or drawn anew in its segment, a value says nothing of whose it was there.
func (d *drawing) Law(j int) (noisemodel.Column, bool) {
	attrs := d.plan.Schema()
	var k noisemodel.Kernel = noisemodel.Anew{}
	switch {
	case d.plan.Gaps == DrawGaps && j != d.plan.Forest.Class():
		k = anything{}
	case attrs[j].Kind == table.Categorical:
		k = noisemodel.Dealt{}
	}
	return noisemodel.Everywhere(k), slices.Contains(d.changes(), attrs[j].Name)
}

// anything is the kernel of values that are drawn anew, missing ones among them, without regard to the original one.
type anything struct{}

// P returns 1.
func (anything) P(_, _ float64) float64 { return 1 }

// segmentTogether is how many records are drawn at once, column after column.
const segmentTogether = 4096

// draw deals the classes out, then draws column after column. Column j draws from src.Fork(name of j).
func (d *drawing) draw(chunk *table.Table, seg []int32, places []place, src rng.Source) (*table.Table, error) {
	attrs, cols := d.plan.Schema(), chunk.Columns()
	if class := d.plan.Forest.Class(); d.deals() {
		s := chunk.Space()
		keys := mmap.Make[rng.Block](s, chunk.Rows())
		ids, first := chunk.IDs()
		rng.Blocks(src.Fork(attrs[class].Name).Stream(), keys, ids, first)
		cols[class].Cat = leafwise.DealIn(s, chunk.Cat(class), seg, len(places), len(attrs[class].Labels), keys)
		mmap.Free(s, keys)
	}
	b := segmentBatch{drawing: d, seg: seg, places: places, cols: cols, streams: make([]rng.Stream, len(d.plan.Models))}
	for k := range d.plan.Models {
		if j := d.plan.Models[k].Column; !d.keeps(j) {
			cols[j] = chunk.Room(chunk.Column(j).Attribute)
			b.streams[k] = src.Fork(attrs[j].Name).Stream()
		}
	}
	size := min(segmentTogether, chunk.Rows())
	b.bins = make([][]byte, len(d.plan.Scales))
	for s := range b.bins {
		b.bins[s] = make([]byte, size)
	}
	b.draws = make([]rng.Block, size)
	for lo := 0; lo < chunk.Rows(); lo += segmentTogether {
		b.records(chunk, lo, min(lo+segmentTogether, chunk.Rows()))
	}
	return chunk.WithColumns(cols)
}

// segmentBatch is the drawing of a chunk.
type segmentBatch struct {
	*drawing
	seg     []int32 // by record
	places  []place // by segment
	cols    []table.Column
	streams []rng.Stream // by model
	bins    [][]byte     // by scale, of the records in hand
	draws   []rng.Block
}

// records draws records lo..hi-1.
func (b *segmentBatch) records(chunk *table.Table, lo, hi int) {
	for s := range b.plan.Scales {
		scale := &b.plan.Scales[s]
		c := &b.cols[scale.Column]
		if k := s - b.plan.AtHand; k >= 0 && !b.keeps(scale.Column) {
			ids, first := chunk.IDs()
			if ids != nil {
				ids = ids[lo:hi]
			}
			rng.Blocks(b.streams[k], b.draws[:hi-lo], ids, first+table.RecordID(lo))
			was := chunk.Column(scale.Column)
			for i := lo; i < hi; i++ {
				b.value(k, &was, c, i, lo)
			}
		}
		scale.Code(c, lo, hi, b.bins[s])
	}
}

// value draws the value of a record in the column of a model.
func (b *segmentBatch) value(k int, was, c *table.Column, i, lo int) {
	m, in, x := &b.plan.Models[k], &b.places[b.seg[i]], b.draws[i-lo]
	if was.MissingAt(i) && (b.plan.Gaps == KeepGaps || in.bare[k]) {
		put(c, i, -1, math.NaN())
		return
	}
	var from []donors.Donor
	for n := 0; n < len(in.roots) && len(from) == 0; n++ {
		from = b.forests[k].Leaf(in.roots[n], b.bins, i-lo)
		if len(from) > 0 && (n > 0 || len(in.roots) == 1) { // they are of other segments, too
			from = b.allowed(k, in, from)
		}
	}
	box := &in.boxes[k]
	if len(from) == 0 {
		put(c, i, in.any(m.Column, len(c.Labels), x.A), anyOf(box, x.A))
		return
	}
	at := donors.Chosen(from, x.A)
	code := from[at].Code
	switch {
	case c.Kind == table.Categorical && int(code) == len(c.Labels):
		put(c, i, -1, 0)
	case c.Kind == table.Categorical:
		put(c, i, code, 0)
	case int(code) == len(m.Values):
		put(c, i, 0, math.NaN())
	default:
		put(c, i, 0, m.Number(from, at, box, x.B))
	}
}

// put writes a value: the code of a category, or a number.
func put(c *table.Column, i int, code int32, v float64) {
	if c.Kind == table.Numeric {
		c.Num[i] = v
	} else {
		c.Cat[i] = code
	}
}

// allowed returns the donors of a leaf of several segments whose values the conditions of a segment allow.
func (d *drawing) allowed(k int, in *place, from []donors.Donor) (out []donors.Donor) {
	m := &d.plan.Models[k]
	a := &d.plan.Schema()[m.Column]
	codes, tested := in.box.Cat[m.Column]
	last, sum := int32(0), int32(0)
	for _, e := range from {
		count := e.UpTo - last
		last = e.UpTo
		ok := !in.box.Influential(m.Column)
		switch {
		case ok:
		case a.Kind == table.Categorical && tested:
			_, ok = slices.BinarySearch(codes, e.Code)
		case a.Kind == table.Numeric && int(e.Code) < len(m.Values):
			sub := in.box.Num[m.Column]
			ok = sub.Contains(m.Values[e.Code])
		}
		if ok {
			sum += count
			out = append(out, donors.Donor{Code: e.Code, UpTo: sum, Exact: e.Exact})
		}
	}
	return out
}

// any returns a category that the conditions of a segment allow, each as likely.
func (p *place) any(j, labels int, w uint64) int32 {
	codes, tested := p.box.Cat[j]
	switch {
	case tested && len(codes) > 0:
		return codes[rng.Below(w, len(codes))]
	case labels == 0:
		return -1
	}
	return int32(rng.Below(w, labels))
}

// anyOf returns a value of a domain, each as likely.
func anyOf(d *wrap.Domain, w uint64) float64 {
	if d.Size() <= 1 {
		return d.Clip(0)
	}
	lo, _ := d.Limits()
	return d.Clip(lo + float64(float64(rng.Below(w, int(d.Size())))*d.Step()))
}
