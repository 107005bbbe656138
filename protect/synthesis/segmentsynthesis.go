package synthesis

import (
	"context"
	"errors"
	"math"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/internal/stats/aggregate"
	"github.com/dither-data/dither/mine/c45"
	"github.com/dither-data/dither/mine/forests"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/internal/leafwise"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/segment/tree"
	"github.com/dither-data/dither/table"
)

// Segment draws the records of every segment of a decision tree, or of a forest, anew, column after
// column, so that no record leaves its segment.
//
// One C4.5 tree for the class, or SysFor's forest, segments the records as in the Framework and the Forest Framework. A
// record keeps its segment; RPT deals the classes of a segment out anew. Then the other columns are drawn, those of few
// values first: a tree for the column, on the columns before it, is grown on the segment's originals with at least leaf
// records in a leaf, and a record gets the value of a random donor of the leaf that it falls into with what was drawn
// of it so far (Reiter 2005, inside segments). A segment is a conjunction of conditions on single columns and all
// donors are of the segment, so whatever they give, the record stays: the certificate holds by construction.
//
// A number that fewer than common records have is not released: the donor gives a value strictly between its own and
// that of the next donor of the leaf, on the column's grid, and where there is none, either. A category that fewer have
// makes no donor. What a rule fixes is released all the same: a single value, or a rare category of its own segment.
//
// What an informed intruder learns: the segment of a record. Within it nothing depends on its own values, but that it
// is one of many donors. Who knows all other records of a leaf, and the release, learns what donors added.
//
// A segment of fewer than leaf records has no trees of its own: it takes donors from trees of the records under the
// lowest node above it that has enough, or of all records, those that its conditions allow, and where there are none,
// any value that they allow. So does a record of a later table in a segment that had no records. Records are counted by
// person where it is told whose they are.
//
// Columns that are one for a household or a person are drawn first. Execution shows in all records of a person what it
// shows in the first, and the other columns are drawn given that (protect.Conditional).
//
// The plan holds the values of the donors, by leaf, so it is as confidential as the records that the trees are grown
// on, at most fitRows. Any chunk of records can be drawn but for the class, whose records meet by segment.
//
// Departures: Reiter draws by a Bayesian bootstrap in the leaf and grows on all records; here a donor is as likely as
// any other, and trees are grown inside segments. Leaves are by variance of ranks, not of numbers. Smoothing between
// neighbours replaces his kernel density.
//
// Cost: the tree; for p columns O(p² n log n) for the n records that trees are grown on; then O(p depth) per record,
// about 2 µs for 15 columns.
//
// Reference: Reiter 2005, "Using CART to generate partially synthetic public use microdata", Journal of Official
// Statistics 21(3); Islam 2007, chapter 7; Fletcher & Islam 2015.
var Segment = protect.Method{
	Card: card.Card{
		Name:    "segmentsynthesis",
		Title:   "Segment synthesis",
		Aliases: []string{"CART synthesis inside segments"},
		Summary: "Draws every column anew inside the leaves of a decision tree, from donors that agree in the columns " +
			"drawn before.",
		Paper:   "Reiter 2005, inside segments of Islam 2007, chapter 7",
		Needs:   "a categorical class",
		Changes: "every attribute, the class included",
		Preserves: "the leaf of every record and, with RPT, the class counts of every leaf, so every rule of the original " +
			"tree with its support and confidence (type DM); distributions of every column (type D) and relations among " +
			"two and three of them (types A to C), as far as donors of a leaf agree",
		Biases: "relations that show in fewer records than a leaf of the drawing trees; rare values give way to " +
			"neighbours, rare categories to others",
		Exposes: "the leaf of a record; of its donors the values, rare ones blurred or left out, but for what a rule fixes",
		Missing: "stay missing, or are drawn like values (gaps); a missing tested value follows the heaviest branch",
		Shards:  protect.FromSample,
		Cost:    "a C4.5 tree; O(p² n log n) for p columns and the n sampled records; then O(p depth) per record",
	},
	Purpose: protect.KeepsRules,
	Growth:  1,
	New:     func() protect.Technique { return SegmentNew() },
	Plan:    func() protect.Plan { return &SegmentPlan{} },
	Claims:  []protect.Claim{protect.Segments, protect.Groups, protect.HasSteps, protect.Notes, protect.Checks},
	Steps: []protect.Step{
		{
			Plan: func() protect.Plan { return &inLeaves{} },
			Claims: []protect.Claim{protect.HasNoiseModel, protect.Segments, protect.TakesLeaves, protect.Groups,
				protect.Describes, protect.Checks},
		},
		{
			Plan:   func() protect.Plan { return &inIntersections{} },
			Claims: []protect.Claim{protect.HasNoiseModel, protect.Segments, protect.Groups, protect.Describes},
		},
	},
}

// What becomes of the class.
const (
	RPT       = "rpt"  // the classes of a segment are permuted
	KeepClass = "keep" // it is released as it is
)

// What becomes of missing values.
const (
	KeepGaps = "keep"
	DrawGaps = "draw"
)

// SegmentTechnique holds the parameters: those of the tree, and six of its own.
type SegmentTechnique struct {
	Leaf           int      // records in a leaf of the trees that columns are drawn by, at least
	Common         int      // records that have a value which is released as it is, at least
	Gaps           string   // keep | draw
	ClassTechnique string   // rpt | keep
	Trees          int      // that segment the records
	Except         []string // columns left alone
	leafwise.Leaves
}

// SegmentNew returns the technique with its defaults.
func SegmentNew() *SegmentTechnique { return param.Default(&SegmentTechnique{}) }

// Params declares the parameters.
func (q *SegmentTechnique) Params() param.Set {
	return append(param.Set{
		param.Int(&q.Leaf, "leaf", 20, 1, math.MaxInt32, "records", "a value comes from one of at least so many donors "+
			"that agree in the columns drawn before; fewer keep more relations").Noisier(5, 200),
		param.Int(&q.Common, "common", 5, 1, math.MaxInt32, "records", "a number that fewer have is drawn between "+
			"neighbouring donors, and a category that fewer have is not drawn; 1 releases the values of donors as they are"),
		param.Choice(&q.Gaps, "gaps", KeepGaps, []string{KeepGaps, DrawGaps}, "missing values stay where they are, or are "+
			"drawn from donors like any value"),
		param.Choice(&q.ClassTechnique, "classTechnique", RPT, []string{RPT, KeepClass}, "permute the classes in a segment, "+
			"or release them as they are"),
		param.Int(&q.Trees, "trees", 1, 1, 1000, "trees", "segment by the leaves of one C4.5 tree, or by the intersections "+
			"of the leaves of at most so many trees of SysFor"),
		param.Names(&q.Except, "except", "columns to leave alone; others are drawn given them"),
	}, q.leaves()...)
}

// leaves declares the parameters of the segmentation. Unless its minimum leaf is given, it is no smaller than common: a
// record shows its segment, as it shows a value, so enough others must be in it.
func (q *SegmentTechnique) leaves() param.Set {
	set := q.Leaves.Params()
	for i := range set {
		if set[i].Name == "minLeaf" {
			set[i].Help = "minimum records in at least two branches of every split; 0: max(2, common, rows/150)"
			set[i] = set[i].Guards(10, 200)
		}
	}
	return set
}

// Fit grows the tree or the forest, unless a tree was handed over, and the trees by which columns are drawn.
func (q *SegmentTechnique) Fit(ctx context.Context, t *table.Table, src rng.Source) (protect.Plan, error) {
	return q.FitAggregates(ctx, aggregate.Over(t, src))
}

// FitAggregates is Fit for all records.
func (q *SegmentTechnique) FitAggregates(ctx context.Context, r *aggregate.Records) (protect.Plan, error) {
	numeric, err := protect.Columns(r.Schema, table.Numeric, q.Except)
	if err != nil {
		return nil, err
	}
	categorical, err := protect.Columns(r.Schema, table.Categorical, q.Except)
	if err != nil {
		return nil, err
	}
	p := &SegmentPlan{Gaps: q.Gaps, Class: q.ClassTechnique}
	if p.Forest, err = q.plant(ctx, r); err != nil {
		return nil, err
	}
	for _, name := range q.Except {
		if r.Schema.Find(name) == p.Forest.Class() {
			p.Class = KeepClass
		}
	}
	f := segmentFitting{SegmentTechnique: q, plan: p, schema: r.Schema, src: r.Source}
	if err := f.take(ctx, r); err != nil {
		return nil, err
	}
	if err := f.segments(); err != nil {
		return nil, err
	}
	f.arrange(append(numeric, categorical...))
	return p, f.draw(ctx)
}

// plant returns the segmentation.
func (q *SegmentTechnique) plant(ctx context.Context, r *aggregate.Records) (*tree.Forest, error) {
	if q.Tree != nil {
		in, err := q.Segment(ctx, r)
		if err != nil {
			return nil, err
		}
		return tree.One(in.Tree), nil
	}
	if q.Trees > 1 && r.Mapped() {
		return nil, errors.New("the table is larger than the memory, where records are segmented by one tree: set trees to " +
			"1, or give more --memory")
	}
	class, err := protect.ClassOf(r.Schema)
	if err != nil {
		return nil, err
	}
	sample, err := q.Sample(ctx, r)
	if err != nil {
		return nil, err
	}
	f, err := q.grow(ctx, sample, r.Rows, class)
	if err == nil && sample.Rows() < r.Rows {
		err = leafwise.Recount(ctx, r, f.Trees...)
	}
	return f, err
}

// grow grows the tree or the forest on a sample of so many records.
func (q *SegmentTechnique) grow(ctx context.Context, sample *table.Table, all, class int) (*tree.Forest, error) {
	least := leafwise.Share(q.MinLeaf, sample.Rows(), all)
	if q.MinLeaf == 0 {
		least = max(q.Common, c45.Auto(sample.Rows()))
	}
	if q.Trees > 1 {
		l := forests.SysForNew()
		l.Trees, l.CF, l.MinLeaf, l.Workers = q.Trees, q.CF, least, q.Workers
		return l.Grow(ctx, sample, class)
	}
	l := q.Learner
	l.MinLeaf = least
	tr, err := l.Grow(ctx, sample, class)
	if err != nil {
		return nil, err
	}
	return tree.One(tr), nil
}
