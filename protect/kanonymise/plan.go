package kanonymise

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/dither-data/dither/hierarchy"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/internal/combined"
	"github.com/dither-data/dither/protect/kanonymise/internal/mondrian"
	"github.com/dither-data/dither/protect/kanonymise/internal/rounds"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/segment"
	"github.com/dither-data/dither/table"
)

// Plan says how general every quasi-identifier is released: whole columns are raised to a level of their hierarchy (the
// embedded recoding, which has the columns that are not left at level 0), or records are partitioned. It holds no
// record; what is suppressed depends on the records that meet.
type Plan struct {
	protect.OneGroup
	protect.Counted
	hierarchy.Recoding
	Goals  Goals `json:"goals"`
	Quasi  []int `json:"quasi"`               // the quasi-identifiers, ascending
	Secret []int `json:"sensitive,omitempty"` // the sensitive attributes that goals speak of, ascending
	// the combinations of quasi-identifiers in each of which the goals hold, with a k of its own; none: in all together
	Within  []combined.Set      `json:"combinations,omitempty"`
	Regions *mondrian.Partition `json:"regions,omitempty"` // nil where levels of columns are searched
	Local   *rounds.Recoding    `json:"local,omitempty"`   // nil where whole columns are generalised
	// columns are in groups of their own (search=genetic): the hierarchies have these as their only level
	Cut bool `json:"cut,omitempty"`
	// categories that are raised to "*", for they have no hierarchy and no order; for the notes
	Bare  []int `json:"bare,omitempty"`
	Found Found `json:"found"`

	solution *protect.Solution // what else was found; nil where regions were made, and in a plan that was read

	whole *Whole // what suppressing alone would do; nil where it is no better, and in a plan that was read
}

// Found says what the plan does to the records it was fitted to.
type Found struct {
	Records    int `json:"records"`
	Classes    int `json:"classes"`    // groups of records that look alike, besides the suppressed ones
	Suppressed int `json:"suppressed"` // records
	// of all cells of quasi-identifiers, by the parameter loss and the weights, or of all records where loss=cm: in
	// [0, 1]; 0 where records are partitioned
	Loss float64 `json:"loss"`
	// the combinations of levels of the least loss that meet the goals, this one first, ten at most
	Best []Node `json:"best,omitempty"`
}

// Node is a combination of levels that meets the goals.
type Node struct {
	Levels     []int   `json:"levels"` // by quasi-identifier
	Loss       float64 `json:"loss"`
	Suppressed int     `json:"suppressed"`
}

// Changes returns the quasi-identifiers: even those that stay as special as they are may be suppressed.
func (p *Plan) Changes() []string { return protect.Names(p.Attrs, p.Quasi) }

// Crowd returns k and the quasi-identifiers; 1 where k holds in combinations of them only.
func (p *Plan) Crowd() (k int, columns []string) {
	if len(p.Within) > 0 {
		return 1, p.Changes()
	}
	return p.Goals.K, p.Changes()
}

// Describe says what the plan does.
func (p *Plan) Describe() message.Sentence {
	if p.Regions != nil {
		return message.Say("does.regions").Part("goals", p.goals())
	}
	if p.Local != nil {
		return message.Say("does.local").Part("goals", p.goals())
	}
	return message.Say("does.columns").Part("goals", p.goals())
}

// Notes says how general the columns are and how many records lose them.
func (p *Plan) Notes() []message.Sentence {
	var out []message.Sentence
	if p.Local != nil {
		out = append(out, message.Say("plan.kanonymise.local").Count("n", len(p.Local.Rounds)))
	} else if p.Cut {
		out = append(out, message.Say("plan.kanonymise.cut").Part("columns", message.Listed(p.groups())))
	} else if p.Regions == nil {
		list := make([]message.Sentence, len(p.Quasi))
		for k, j := range p.Quasi {
			at := message.Say("plan.levels.none")
			if p.raised(j) != nil {
				level, height, _ := p.Generalised(j)
				at = message.Say("plan.levels.of").Count("level", level).Count("height", height)
			}
			list[k] = message.Column(p.Attrs[j].Name, at)
		}
		out = append(out, message.Say("plan.levels.all").Part("columns", message.Listed(list)))
		if len(p.Found.Best) > 1 {
			out = append(out, p.others())
		}
	}
	if len(p.Bare) > 0 {
		out = append(out,
			message.Say("plan.kanonymise.bare").Quoted("columns", protect.Names(p.Attrs, p.Bare)).Name("top", hierarchy.Top))
	}
	if len(p.Within) > 0 {
		out = append(out, combined.Sentence(p.Within, p.Attrs))
	}
	if p.whole != nil {
		out = append(out, p.whole.says(p))
	}
	return append(
		out,
		message.Say("plan.kanonymise.found").Count("lose", p.Found.Suppressed).Count("records", p.Found.Records).
			Count("groups", p.Found.Classes).Part("goals", p.goals()),
	)
}

// groups says how many groups every quasi-identifier has.
func (p *Plan) groups() []message.Sentence {
	list := make([]message.Sentence, len(p.Quasi))
	for k, j := range p.Quasi {
		at := message.Say("plan.levels.none")
		if c := p.raised(j); c != nil {
			at = message.Say("plan.kanonymise.groups").Count("n", len(c.Hierarchy.Labels(1)))
		}
		list[k] = message.Column(p.Attrs[j].Name, at)
	}
	return list
}

// others tells the best combinations of levels, as they can be pinned.
func (p *Plan) others() message.Sentence {
	list := make([]message.Sentence, len(p.Found.Best))
	for n, node := range p.Found.Best {
		levels := make([]string, len(node.Levels))
		for k, level := range node.Levels {
			levels[k] = p.Attrs[p.Quasi[k]].Name + "=" + strconv.Itoa(level)
		}
		list[n] = message.Say("plan.kanonymise.level").Name("levels", strings.Join(levels, ",")).
			Fixed("loss", float64(100*node.Loss), 1).Count("n", node.Suppressed)
	}
	return message.Say("plan.kanonymise.best").Count("n", len(list)).Parts("levels", list)
}

// raised returns what is known of a column that is raised as a whole; nil for others.
func (p *Plan) raised(column int) *hierarchy.Raised {
	for k := range p.Columns {
		if p.Columns[k].Column == column {
			return &p.Columns[k]
		}
	}
	return nil
}

// Spans returns how much of a generalised column every label of the release covers, in [0, 1]; ok is false for other
// columns.
func (p *Plan) Spans(column int) (spans []float64, ok bool) {
	if c := p.raised(column); c != nil {
		return c.Hierarchy.Spans(c.Level), true
	}
	k := slices.Index(p.Quasi, column)
	if p.Local != nil && k >= 0 && !p.Local.Exact(k) {
		return p.Local.Face(k, &p.Attrs[column]).Spans, true
	}
	if p.Regions == nil || k < 0 {
		return nil, false
	}
	return p.Regions.Face(k, &p.Attrs[column]).Spans, true
}

// Recode returns the records as general as the plan makes them.
func (p *Plan) Recode(t *table.Table) (*table.Table, error) {
	if err := protect.Conforms(t, p.Attrs); err != nil {
		return nil, err
	}
	var own []table.Column
	var err error
	switch {
	case p.Regions != nil:
		own = p.Regions.Recode(p.columns(t))
	case p.Local != nil:
		own, err = p.Local.Recode(p.columns(t))
	default:
		return p.Recoding.Recode(t)
	}
	if err != nil {
		return nil, err
	}
	cols := t.Columns()
	for k, c := range own {
		cols[p.Quasi[k]] = c
	}
	return t.WithColumns(cols)
}

// columns returns the quasi-identifiers of a table that conforms to the plan.
func (p *Plan) columns(t *table.Table) []table.Column {
	out := make([]table.Column, len(p.Quasi))
	for k, j := range p.Quasi {
		out[k] = t.Column(j)
		out[k].Attribute = p.Attrs[j]
	}
	return out
}

// Apply generalises the records and suppresses the quasi-identifiers of those that the goals are not met with. Where
// all of them together do not meet these, as fewer than k records do not, all are suppressed.
func (p *Plan) Apply(chunk *table.Table, _ rng.Source) (*table.Table, error) {
	return protect.InOrder(chunk, func(chunk *table.Table) (*table.Table, error) {
		out, _, err := p.release(context.Background(), chunk)
		return out, err
	})
}

// release returns the release of records in order, and counts what becomes of them.
func (p *Plan) release(ctx context.Context, t *table.Table) (*table.Table, Found, error) {
	t, err := p.Recode(t)
	if err != nil {
		return nil, Found{}, err
	}
	f, err := p.frame(ctx, t, nil, nil, "")
	if err != nil {
		return nil, Found{}, err
	}
	w := f.newJudge(p.Goals)
	found := Found{Records: t.Rows(), Suppressed: w.goal(&f.base, t.Rows()), Classes: w.kept(&f.base)}
	if found.Suppressed == 0 {
		return t, found, nil
	}
	gone := f.gone(w.out)
	cols := t.Columns()
	for _, j := range p.Quasi {
		cols[j] = cols[j].Blank(gone)
	}
	t, err = t.WithColumns(cols)
	return t, found, err
}

// frame codes the records, with the combinations in which the goals hold.
func (p *Plan) frame(ctx context.Context, t *table.Table, hs []*hierarchy.Hierarchy, pins []int,
	loss string) (*frame, error) {
	f, err := newFrame(ctx, t, p.Quasi, p.Secret, hs, pins, loss)
	if err == nil {
		f.sets = p.within()
	}
	return f, err
}

// gone returns the records that are suppressed: of a class that loses some, the first ones.
func (f *frame) gone(out []int32) (gone []int) {
	r := f.newRoller()
	records := f.records()
	r.roll(make([]int, len(f.axes)), &records)
	left := slices.Clone(out)
	for i, class := range r.of {
		if left[class] > 0 {
			left[class]--
			gone = append(gone, i)
		}
	}
	return gone
}

// Check refuses a decoded plan that is not consistent.
func (p *Plan) Check() error {
	if err := p.Goals.check(); err != nil {
		return err
	}
	switch {
	case len(p.Quasi) == 0 || !ascending(p.Quasi, len(p.Attrs)) || !ascending(p.Secret, len(p.Attrs)):
		return errors.New("the quasi-identifiers or the sensitive attributes are not columns in ascending order, or there " +
			"are none")
	case p.Goals.looks() && len(p.Secret) == 0:
		return errors.New("the goals speak of sensitive attributes, and there are none")
	case slices.ContainsFunc(p.Secret, func(j int) bool { return slices.Contains(p.Quasi, j) }):
		return errors.New("a column is a quasi-identifier and sensitive at once")
	case p.Regions != nil && len(p.Columns) > 0 || p.Local != nil && (len(p.Columns) > 0 || p.Regions != nil):
		return errors.New("the plan raises columns and partitions records")
	}
	if err := combined.Check(p.Within, p.Quasi); err != nil {
		return err
	}
	if !ascending(p.Bare, len(p.Attrs)) {
		return errors.New("the columns without a hierarchy are not columns in ascending order")
	}
	for _, c := range p.Columns {
		if !slices.Contains(p.Quasi, c.Column) {
			return errors.New("a generalised column is not a quasi-identifier")
		}
	}
	attrs := make([]table.Attribute, len(p.Quasi))
	for k, j := range p.Quasi {
		attrs[k] = p.Attrs[j]
	}
	switch {
	case p.Regions != nil:
		return p.Regions.Check(attrs)
	case p.Local != nil:
		return p.Local.Check(attrs)
	}
	return p.Recoding.Check()
}

func ascending(columns []int, width int) bool {
	for k, j := range columns {
		if j < 0 || j >= width || k > 0 && columns[k-1] >= j {
			return false
		}
	}
	return true
}

// Divide returns the equivalence classes: the combinations of the values of the quasi-identifiers, as general as they
// are released. It is nil where they have too many combinations to be numbered.
func (p *Plan) Divide(t *table.Table) (segment.Segmentation, error) {
	released, err := p.Recode(t)
	if err != nil {
		return nil, err
	}
	v := &segment.ByValues{Schema: released.Attrs()}
	for _, j := range p.Quasi {
		if released.Attr(j).Kind == table.Categorical {
			v.Columns = append(v.Columns, j)
		}
	}
	if _, err := v.Count(); err != nil || len(v.Columns) == 0 {
		return nil, nil
	}
	return v, nil
}
