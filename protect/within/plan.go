package within

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"

	"github.com/dither-data/dither/internal/executor"
	"github.com/dither-data/dither/internal/system/parallel"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/segment"
	"github.com/dither-data/dither/segment/tree"
	"github.com/dither-data/dither/table"
)

// Plan is the fitted technique: what makes the segments, and a plan for each. Records of a segment must meet where
// those of its plan must.
type Plan struct {
	of protect.Method

	Method string            `json:"technique"` // that works in the segments
	Attrs  []table.Attribute `json:"schema"`
	// whose leaves, or intersections of leaves, are the segments; nil where columns make them
	Forest *tree.Forest `json:"forest,omitempty"`
	// positions in the schema of the columns whose values make the segments
	Columns []int          `json:"columns,omitempty"`
	Keys    []uint64       `json:"keys"`           // of the segments with a plan, ascending
	Sizes   []int          `json:"sizes"`          // records of the fit, by position in Keys
	Plans   []protect.Plan `json:"plans"`          // by position in Keys
	Rest    protect.Plan   `json:"rest,omitempty"` // of the records of all other segments; nil where there are none
	Few     int            `json:"few,omitempty"`  // segments that were too small
	Left    int            `json:"left,omitempty"` // their records
	// segments in which the technique needs categories that none of their records has: it may release combinations that
	// nobody has
	Wide int `json:"wide,omitempty"`

	once     sync.Once
	released []table.Attribute
}

// UnmarshalJSON reads a plan; the plans of the segments are those of the technique.
func (p *Plan) UnmarshalJSON(data []byte) error {
	type stored Plan
	doc := struct {
		*stored
		Plans []json.RawMessage `json:"plans"`
		Rest  json.RawMessage   `json:"rest,omitempty"`
	}{stored: (*stored)(p)}
	if err := strict(data, &doc); err != nil {
		return err
	}
	for k, raw := range doc.Plans {
		of := p.of.Plan()
		if err := strict(raw, of); err != nil {
			return fmt.Errorf("segment %d: %w", k+1, err)
		}
		p.Plans = append(p.Plans, of)
	}
	if len(doc.Rest) > 0 {
		p.Rest = p.of.Plan()
		if err := strict(doc.Rest, p.Rest); err != nil {
			return fmt.Errorf("the small segments: %w", err)
		}
	}
	return nil
}

func strict(data []byte, into any) error {
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	return dec.Decode(into)
}

// Check refuses a decoded plan without segments, or whose plans are not consistent or not of the schema.
func (p *Plan) Check() error {
	switch {
	case p.Method != p.of.Name:
		return fmt.Errorf("the plan is of %q inside segments; expected %q", p.Method, p.of.Name)
	case (p.Forest == nil) == (len(p.Columns) == 0):
		return errors.New("either a forest or columns make segments")
	case len(p.Keys) != len(p.Plans) || len(p.Keys) != len(p.Sizes):
		return fmt.Errorf("there are %d plans and %d sizes for %d segments", len(p.Plans), len(p.Sizes), len(p.Keys))
	case slices.ContainsFunc(p.Sizes, func(n int) bool { return n < 1 }) || min(p.Few, p.Left, p.Wide) < 0:
		return errors.New("a segment has less than one record, or less than no segments are small")
	case p.Forest != nil && !slices.EqualFunc(p.Forest.Attrs(), p.Attrs, same):
		return errors.New("the trees are of another schema")
	}
	if p.Forest == nil {
		if err := p.values().Check(); err != nil {
			return err
		}
	}
	count, err := p.segmentation().Count()
	if err != nil {
		return err
	}
	for k, key := range p.Keys {
		if key >= count || k > 0 && key <= p.Keys[k-1] {
			return errors.New("the keys of the segments are not ascending, or none of the segmentation's")
		}
		if err := p.checkPart(p.Plans[k]); err != nil {
			return fmt.Errorf("segment %d: %w", k+1, err)
		}
	}
	if p.Rest != nil {
		return p.checkPart(p.Rest)
	}
	return nil
}

// checkPart refuses a segment's plan that is not consistent, or not of the attributes of the schema, whatever labels it
// has of them.
func (p *Plan) checkPart(of protect.Plan) error {
	if c, ok := of.(protect.Checker); ok {
		if err := c.Check(); err != nil {
			return err
		}
	}
	if err := protect.CheckSchema(of.Schema()); err != nil {
		return err
	}
	if !slices.EqualFunc(of.Schema(), p.Attrs, alike) {
		return errors.New("the plan is of another schema")
	}
	for j, a := range of.Schema() {
		for _, l := range a.Labels {
			if p.Attrs[j].Code(l) < 0 {
				return fmt.Errorf("column %q has categories that are not in the schema", a.Name)
			}
		}
	}
	return nil
}

func alike(a, b table.Attribute) bool { return a.Name == b.Name && a.Kind == b.Kind }

// same reports whether two attributes are alike and number their categories alike, so that codes of one are codes of
// the other.
func same(a, b table.Attribute) bool { return alike(a, b) && slices.Equal(a.Labels, b.Labels) }

func (p *Plan) values() *segment.ByValues {
	return &segment.ByValues{Schema: p.Attrs, Columns: p.Columns}
}

func (p *Plan) segmentation() segment.Segmentation {
	if p.Forest != nil {
		return p.Forest
	}
	return p.values()
}

// Schema returns the attributes of the table the plan was fitted on.
func (p *Plan) Schema() []table.Attribute { return p.Attrs }

// Segmentation returns the forest; nil where columns make the segments.
func (p *Plan) Segmentation() *tree.Forest { return p.Forest }

// Divide returns what makes the segments.
func (p *Plan) Divide(*table.Table) (segment.Segmentation, error) { return p.segmentation(), nil }

// all returns the plans.
func (p *Plan) all() []protect.Plan {
	if p.Rest != nil {
		return append(slices.Clone(p.Plans), p.Rest)
	}
	return p.Plans
}

// Changes returns the names of the columns that the technique changes in some segment. Those whose values make the
// segments stay as they are, but where small segments are protected together.
func (p *Plan) Changes() []string {
	changes := map[string]bool{}
	for _, of := range p.all() {
		for _, n := range of.Changes() {
			changes[n] = true
		}
	}
	var out []string
	for j, a := range p.Attrs {
		if changes[a.Name] && !(p.Rest == nil && slices.Contains(p.Columns, j)) {
			out = append(out, a.Name)
		}
	}
	return out
}

// Describe says what the plan does.
func (p *Plan) Describe() message.Sentence {
	does := message.Say("does.protected")
	for _, of := range p.all() {
		if d, ok := of.(protect.Described); ok {
			does = d.Describe()
			break
		}
	}
	return message.Say("does.within").Part("does", does).Part("segments", p.what())
}

// what says what the segments are.
func (p *Plan) what() message.Sentence {
	switch {
	case p.Forest == nil:
		return message.Say("plan.within.values").Listed("columns", protect.Names(p.Attrs, p.Columns))
	case len(p.Forest.Trees) == 1:
		return message.Say("plan.within.leaves")
	}
	return message.Say("plan.within.intersections").Count("n", len(p.Forest.Trees))
}

// narrowed reports whether a segment has fewer categories of a column that changes than it allows.
func (p *Plan) narrowed() bool {
	changes := p.Changes()
	for k, s := range p.segments(p.Keys) {
		for j, a := range p.Attrs {
			if a.Kind != table.Categorical || !slices.Contains(changes, a.Name) {
				continue
			}
			allows := len(a.Labels)
			if codes, ok := s.Cat[j]; ok {
				allows = len(codes)
			}
			if len(p.Plans[k].Schema()[j].Labels) < allows {
				return true
			}
		}
	}
	return false
}

// Notes says how many segments there are, and what the plans note, once for all segments whose notes differ in their
// figures only.
func (p *Plan) Notes() []message.Sentence {
	var out []message.Sentence
	if len(p.Sizes) > 0 {
		out = append(out, message.Say("plan.within.sizes").Name("technique", p.Method).Count("n", len(p.Sizes)).
			Part("segments", p.what()).Count("least", slices.Min(p.Sizes)).Count("most", slices.Max(p.Sizes)))
	}
	if p.narrowed() {
		out = append(out, message.Say("plan.within.narrowed"))
	}
	bounds := func(of protect.Plan) bool { return !math.IsInf(protect.Epsilon(of), 1) }
	if slices.ContainsFunc(p.Plans, bounds) {
		out = append(out, message.Say("plan.within.unbound").Name("technique", p.Method))
	}
	if p.Wide > 0 {
		out = append(out, message.Say("plan.within.wide").Count("n", p.Wide).Name("technique", p.Method))
	}
	if p.Rest != nil {
		out = append(out,
			message.Say("plan.within.few").Count("n", p.Few).Name("technique", p.Method).Count("records", p.Left))
		for _, note := range notes(p.Rest) {
			out = append(out, message.Say("plan.within.rest").Part("note", note))
		}
	}
	var first []message.Sentence
	var in []int // segments that note the same, figures aside
	for _, of := range p.Plans {
		seen := map[int]bool{}
		for _, note := range notes(of) {
			k := slices.IndexFunc(first, note.Alike)
			if k < 0 {
				k, first, in = len(first), append(first, note), append(in, 0)
			}
			if !seen[k] {
				seen[k] = true
				in[k]++
			}
		}
	}
	for k, note := range first {
		out = append(out, message.Say("plan.within.some").Count("n", in[k]).Count("all", len(p.Plans)).Part("note", note))
	}
	return out
}

func notes(of protect.Plan) []message.Sentence {
	if n, ok := of.(protect.Noted); ok {
		return n.Notes()
	}
	return nil
}

// Group returns the segment of every record, as one for all that have no plan of their own.
func (p *Plan) Group(chunk *table.Table) ([]uint64, error) {
	if err := protect.Conforms(chunk, p.Attrs); err != nil {
		return nil, err
	}
	keys := make([]uint64, chunk.Rows())
	if err := p.segmentation().Route(chunk, keys); err != nil {
		return nil, err
	}
	for i, key := range keys {
		if k, ok := slices.BinarySearch(p.Keys, key); ok {
			keys[i] = uint64(k)
		} else {
			keys[i] = uint64(len(p.Keys))
		}
	}
	return keys, nil
}

// Apply applies the plan of every segment to its records. Segment k draws from a fork of its own.
func (p *Plan) Apply(chunk *table.Table, src rng.Source) (*table.Table, error) {
	group, err := p.Group(chunk)
	if err != nil {
		return nil, err
	}
	rows := make([][]int, len(p.Keys)+1)
	for i, g := range group {
		rows[g] = append(rows[g], i)
	}
	if len(rows[len(p.Keys)]) > 0 && p.Rest == nil {
		return nil, fmt.Errorf("%d records are in segments that had none when the plan was fitted; fit it again, or with "+
			"%ssmall=%s",
			len(rows[len(p.Keys)]), Prefix, Together)
	}
	out, err := p.blank(chunk)
	if err != nil {
		return nil, err
	}
	segments, plans, changes := p.segments(p.Keys), p.all(), p.Changes()
	err = parallel.Each(context.Background(), len(plans), func(k int) error {
		if len(rows[k]) == 0 {
			return nil
		}
		part, share := chunk.Gather(rows[k]), "rest"
		if k < len(p.Keys) {
			var err error
			if part, err = conform(occurring(narrow(part, &segments[k])), plans[k].Schema()); err != nil {
				return err
			}
			share = label(p.Keys[k])
		}
		done, err := executor.Run(context.Background(), plans[k], part, src.Fork(share), protect.Options{Workers: 1})
		if err != nil {
			return err
		}
		if done.Rows() != part.Rows() {
			return errors.New("a technique that releases fewer records works on whole tables, not inside segments")
		}
		own := slices.DeleteFunc(plans[k].Changes(), func(n string) bool { return !slices.Contains(changes, n) })
		return put(out, done, own, rows[k])
	})
	if err != nil {
		return nil, err
	}
	return chunk.WithColumns(out)
}

// Inner returns the plans of the segments, and that of the rest.
func (p *Plan) Inner() []protect.Plan {
	if p.Rest == nil {
		return p.Plans
	}
	return append(slices.Clip(p.Plans), p.Rest)
}
