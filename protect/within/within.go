// Package within applies a technique inside the segments of a segmentation: the leaves of a tree, the intersections of
// the leaves of a forest, or the values of columns. It works with every technique that changes single values: gadp,
// rankswap, shuffle, mdav, pram.
//
// The segmentation divides the records, and the technique is fitted to the records of every segment by itself. There
// every number that the segment constrains has the segment's sub-domain as its declared domain, and every categorical
// column the categories of the segment's records as its only ones, so that no category is released in a segment where
// nobody has it. A declared domain always holds, so no released value leaves its segment, whatever the technique does
// outside of one; the certificate counts it. Where a technique needs all categories, as for a matrix of them, it has
// those that the segment allows, and the notes say so. A bound on odds does not hold where categories are those of the
// records.
//
// Small segments: a leaf with fewer records than "least" joins the heaviest branch beside it, so its rule becomes
// wider. A technique may still refuse a segment for having too few records, an intersection of leaves or a combination
// of values most of all. Then the table is refused, with how many segments are too small and for what; small=together
// protects the records of all such segments together, which may leave their segments, as the certificate then shows.
//
// Cost: that of the technique in every segment, on all cores, and of growing the trees.
//
// Reference: the idea that the techniques of Islam 2007 (sections 5 to 7) and of Fletcher & Islam 2015 share, as a
// parameter.
package within

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/dither-data/dither/internal/stats/aggregate"
	"github.com/dither-data/dither/internal/system/parallel"
	"github.com/dither-data/dither/mine/c45"
	"github.com/dither-data/dither/mine/forests"
	"github.com/dither-data/dither/noisemodel"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/internal/leafwise"
	"github.com/dither-data/dither/protect/internal/named"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/segment/tree"
	"github.com/dither-data/dither/table"
)

// Suffix follows the name of a technique that works inside segments: "gadp-within".
const Suffix = "-within"

// What makes the segments.
const (
	Tree    = "tree"    // the leaves of a C4.5 tree for the class
	Forest  = "forest"  // the intersections of the leaves of a SysFor forest for the class
	Columns = "columns" // the values of categorical columns
)

// What becomes of segments that are too small for the technique.
const (
	Refuse   = "refuse"   // the table is refused
	Together = "together" // their records are protected together
)

// Prefix stands before the names of the parameters that make the segments.
const Prefix = "within."

// Of returns the technique that applies m inside segments. Its parameters are those of m, and those that make the
// segments, which begin with Prefix.
func Of(m protect.Method) protect.Method {
	c := m.Card
	c.Name += Suffix
	c.Short = c.Called() + Suffix
	c.Title += ", inside segments"
	c.Aliases = nil
	c.Shards = "" // the records of a segment are brought together on the heap
	c.Summary = "Inside the segments of a tree, of a forest or of columns: " + strings.ToLower(
		c.Summary[:1],
	) + c.Summary[1:]
	c.Needs = "in every segment: " + c.Needs
	c.Preserves = "in every segment: " + c.Preserves
	c.Exposes = "the segment of every record, and inside it: " + c.Exposes
	return protect.Method{Card: c, Purpose: m.Purpose, OnDomain: m.OnDomain, Growth: m.Growth,
		New:  func() protect.Technique { return param.Default(&Technique{of: m, technique: m.New()}) },
		Plan: func() protect.Plan { return &Plan{of: m} },
		Claims: []protect.Claim{protect.Segments, protect.Divides, protect.Groups, protect.Notes, protect.Describes,
			protect.Checks},
	}
}

// Technique holds the parameters.
type Technique struct {
	of        protect.Method
	technique protect.Technique // whose parameters those of the segments' techniques are

	By      string // Tree, Forest or Columns
	Columns []string
	Small   string
	Least   int // records of a segment; 0: the minimum leaf of a tree, else fewest
	leafwise.Leaves
	Forest forests.SysForLearner // its CF and MinLeaf are those of Leaves
}

// Params declares the parameters.
func (q *Technique) Params() param.Set {
	own := param.Merge(param.Set{
		param.Choice(&q.By, "by", Tree, []string{Tree, Forest, Columns}, "segments: leaves of a tree, leaves of a "+
			"forest, or values of columns"),
		param.Names(&q.Columns, "columns", "categorical columns that define the segments"),
		param.Choice(&q.Small, "small", Refuse, []string{Refuse, Together},
			"segments too small for the technique: refuse the table, or protect them together (values may leave "+
				"their segment)"),
		param.Int(&q.Least, "least", 0, 0, math.MaxInt32, "records",
			fmt.Sprintf("a leaf with fewer records joins the heaviest branch beside it, any other segment is too small; 0 "+
				"takes the minimum leaf, or %d", fewest)),
	}, q.Leaves.Params(), q.Forest.Params())
	for k := range own {
		own[k] = own[k].Under(Prefix)
	}
	return append(q.technique.Params(), own...)
}

// Fit divides the table and fits the technique to the records of every segment.
func (q *Technique) Fit(ctx context.Context, t *table.Table, src rng.Source) (protect.Plan, error) {
	if slices.Contains(q.of.Claims, protect.Synthesises) {
		return nil, fmt.Errorf("%s draws new records of a whole table: leave out the segments (within); segmentsynthesis "+
			"draws records inside segments", q.of.Name)
	}
	p := &Plan{of: q.of, Method: q.of.Name, Attrs: t.Attrs()}
	if err := q.divide(ctx, t, src.Fork("segments"), p); err != nil {
		return nil, err
	}
	parts, err := p.parts(t)
	if err != nil {
		return nil, err
	}
	plans, errs := make([]protect.Plan, len(parts)), make([]error, len(parts))
	values, wide := set(q.technique.Params()), make([]bool, len(parts))
	err = parallel.Each(ctx, len(parts), func(k int) error {
		plans[k], wide[k], errs[k] = q.fitPart(ctx, p, t, &parts[k], values, src.Fork(label(parts[k].key)))
		if errors.Is(errs[k], errWhole) {
			return errs[k]
		}
		return ctx.Err()
	})
	if err != nil {
		return nil, err
	}
	var few []part
	var why error
	for k := range parts {
		if errs[k] != nil {
			few = append(few, parts[k])
			if why == nil {
				why = errs[k]
			}
			continue
		}
		if wide[k] {
			p.Wide++
		}
		p.Keys, p.Plans, p.Sizes = append(p.Keys, parts[k].key), append(p.Plans, plans[k]),
			append(p.Sizes, len(parts[k].rows))
	}
	switch {
	case why == nil:
		return p, nil
	case q.Small != Together:
		return nil, fmt.Errorf("in %d of %d segments, of %s, the technique cannot be fitted: %w; make larger segments, or "+
			"set %ssmall=%s",
			len(few), len(parts), sizes(few), why, Prefix, Together)
	}
	rest := together(few)
	if p.Rest, err = fit(ctx, q.of, values, t.Gather(rest), src.Fork("rest")); err != nil {
		return nil, fmt.Errorf("the %d records of %d small segments together: %w", len(rest), len(few), err)
	}
	p.Few = len(few)
	p.Left = len(rest)
	return p, nil
}

// fitPart fits the technique to a segment: with the categories of its records or, where it needs others, such as those
// of a matrix, with all that the segment allows.
func (q *Technique) fitPart(ctx context.Context, p *Plan, t *table.Table, s *part, values map[string]string,
	src rng.Source) (of protect.Plan, wide bool, err error) {
	if err = q.tooSmall(len(s.rows)); err != nil {
		return nil, false, err
	}
	if of, err = fit(ctx, q.of, values, p.view(t, s), src); err == nil || errors.Is(err, errWhole) {
		return of, false, err
	}
	of, err = fit(ctx, q.of, values, p.wide(t, s), src)
	return of, err == nil, err
}

// divide sets what makes the segments.
func (q *Technique) divide(ctx context.Context, t *table.Table, src rng.Source, p *Plan) error {
	all := make([]int, t.Width())
	for j := range all {
		all[j] = j
	}
	columns, err := named.Columns(t, Prefix+"columns", q.Columns, all)
	if err != nil {
		return err
	}
	switch q.By {
	case Columns:
		if p.Columns = columns; len(columns) == 0 {
			return fmt.Errorf("parameter %q: name the columns that define the segments", Prefix+"columns")
		}
		if err := p.values().Check(); err != nil {
			return fmt.Errorf("parameter %q: %w", Prefix+"columns", err)
		}
		return nil
	case Forest:
		class, err := protect.ClassOf(t)
		if err != nil {
			return err
		}
		sample, err := q.Sample(ctx, aggregate.Over(t, src))
		if err != nil {
			return err
		}
		l := q.Forest
		l.CF, l.MinLeaf, l.Workers = q.CF, leafwise.Share(q.MinLeaf, sample.Rows(), t.Rows()), q.Workers
		f, err := l.Grow(ctx, sample, class)
		if err != nil {
			return err
		}
		for k := range f.Trees {
			f.Trees[k] = q.join(f.Trees[k], t)
		}
		p.Forest = f
		_, err = f.Count()
		return err
	}
	tr, err := q.Grow(ctx, aggregate.Over(t, src))
	if err != nil {
		return err
	}
	p.Forest = tree.One(q.join(tr, t))
	return nil
}

// fewest is how many records an intersection of leaves, or a combination of values, has at least: alone or in a pair
// one is as good as untouched by whatever changes places.
const fewest = 3

// tooSmall returns an error for a segment with fewer records than asked for.
func (q *Technique) tooSmall(rows int) error {
	least := q.Least
	switch {
	case least > 0:
	case q.By == Tree:
		return nil // joined
	default:
		least = fewest
	}
	if rows >= least {
		return nil
	}
	return fmt.Errorf("there are %d records, expected at least %d (%sleast)", rows, least, Prefix)
}

// join returns the tree, counted on all records, without leaves that have too few.
func (q *Technique) join(tr *tree.Tree, t *table.Table) *tree.Tree {
	least := q.Least
	if least == 0 {
		least = q.MinLeaf
	}
	if least == 0 {
		least = c45.Auto(t.Rows())
	}
	counted := *tr
	counted.Nodes = slices.Clone(tr.Nodes)
	for tr = &counted; ; {
		tr.Recount(t)
		next := tr.Join(float64(least))
		if len(next.Nodes) == len(tr.Nodes) {
			return tr
		}
		tr = next
	}
}

// fit fits the technique, with the parameters that were set, to the records of one segment.
func fit(
	ctx context.Context,
	m protect.Method,
	values map[string]string,
	t *table.Table,
	src rng.Source,
) (protect.Plan, error) {
	q := m.New()
	if err := q.Params().Apply(values); err != nil {
		return nil, err
	}
	p, err := q.Fit(ctx, t, src)
	if err != nil {
		return nil, err
	}
	if _, ok := p.(noisemodel.Recoder); ok {
		return nil, errWhole
	}
	return p, nil
}

// errWhole refuses a technique for which no segments are large enough.
var errWhole = errors.New("a technique that generalises works on whole columns, not inside segments")

// set returns what parameters are set to, as text.
func set(params param.Set) map[string]string {
	out := map[string]string{}
	for _, v := range params.Values() {
		out[v.Name] = fmt.Sprint(v.Value)
	}
	return out
}
