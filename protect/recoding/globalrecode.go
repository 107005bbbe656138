package recoding

import (
	"context"
	"fmt"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/hierarchy"
	"github.com/dither-data/dither/internal/system/sorting"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/internal/named"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// Global is global recoding: it replaces values by classes, the same for all records, given or of equal
// size or width.
//
// Numbers become intervals whose limits are given (breaks), categories become groups that are given (groups), and other
// columns are cut into so many classes (classes): numbers and ordered categories into runs of neighbours that hold
// about the same number of records (cut=frequency) or are about equally wide (cut=width). It is generalise with a
// hierarchy of one level, written by hand: the released labels, the plan and its cost are the same.
//
// breaks=age=20|40|60 gives the classes "< 20", "[20, 40)", "[40, 60)" and ">= 60".
// groups=edu=Preschool|1st-4th:primary puts two categories into the class "primary"; without a label it is called by
// its values, "*" stands for all categories in no other class, and a category in none keeps its name. A category or
// label that holds one of the signs | and : before its own cannot be written so: give a hierarchy to generalise then.
//
// What an informed intruder learns: the class of every value, for certain. Combinations of classes may still be rare:
// measure k-anonymity. Limits of classes of equal size tell where quantiles of the original lie, between two
// neighbouring values; limits of classes of equal width tell the smallest and the largest value where the domain is not
// declared, and the notes say so. Limits given by hand tell nothing.
//
// Sampling weights are not used: classes of equal size count records, for it is records that hide in them.
//
// Cost: O(n) per column, O(n log n) to fit classes of equal size. Works on any chunk; draws nothing at random.
//
// Departures: none. Equal values are never torn apart, so classes of equal size differ by the records of one value, and
// there are fewer of them where one value has more records than a class.
//
// Reference: A. Hundepool et al., "Statistical Disclosure Control", Wiley 2012, chapter 3 (global recoding).
var Global = protect.Method{
	Card: card.Card{
		Name:      "globalrecode",
		Title:     "Global recoding",
		Aliases:   []string{"global-recoding"},
		Summary:   "Replaces numbers by intervals and categories by groups, given or of equal size or width.",
		Paper:     "Hundepool et al. 2012, chapter 3",
		Needs:     "columns and their classes, or quasi-identifiers to cut (none marked: all except confidential attributes)",
		Changes:   "the given columns or the quasi-identifiers, which become categorical",
		Preserves: "the truth of every value; counts of classes and of their combinations; rules that test limits of classes",
		Biases: "exact values are lost: distributions become histograms (type D), moments are those of classes " +
			"(types A to C), rules blur (type DM)",
		Exposes: "the class of every value, with certainty; quantiles, or the ends of an observed domain, from the " +
			"limits; combinations may still be rare",
		Missing: "stay missing",
		Cost:    "O(n) per column, O(n log n) to fit classes of equal size",
	},
	Purpose: protect.Generalises,
	Growth:  1,
	New:     func() protect.Technique { return NewGlobal() },
	Plan:    func() protect.Plan { return &GlobalPlan{} },
	Claims: []protect.Claim{protect.Recodes, protect.Raises, protect.Spans, protect.Notes, protect.Describes,
		protect.Checks},
}

// What classes that are not given have in common.
const (
	Frequency = "frequency" // about as many records in each
	Width     = "width"     // about as wide
)

// GlobalTechnique holds the parameters.
type GlobalTechnique struct {
	Columns []string // columns to cut
	Classes int
	Cut     string
	Breaks  []string // "column=20|40|60"
	Groups  []string // "column=value|value:label"
	Except  []string // columns left alone
}

// NewGlobal returns the technique with its defaults.
func NewGlobal() *GlobalTechnique { return param.Default(&GlobalTechnique{}) }

// Params declares the parameters.
func (q *GlobalTechnique) Params() param.Set {
	return param.Set{
		param.Names(&q.Columns, "columns", "columns to cut into classes (default: the quasi-identifiers, unless "+
			"breaks or groups list columns)"),
		param.Int(&q.Classes, "classes", 5, 2, 1000, "classes", "number of classes per column").Noisier(50, 2),
		param.Choice(&q.Cut, "cut", Frequency, []string{Frequency, Width}, "classes of about equal size, or of "+
			"about equal width"),
		param.Names(&q.Breaks, "breaks", "limits between the classes of a numeric column, as column=20|40|60"),
		param.Names(&q.Groups, "groups", "a class of a categorical column, as column=value|value:label; * is all values in "+
			"no other class"),
		param.Names(&q.Except, "except", "columns to leave alone"),
	}
}

// Fit works the classes out. Cost: O(n log n) per column cut into classes of equal size.
func (q *GlobalTechnique) Fit(ctx context.Context, t *table.Table, _ rng.Source) (protect.Plan, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	may, err := protect.Open(t, q.Except)
	if err != nil {
		return nil, err
	}
	given, err := q.given(t, may)
	if err != nil {
		return nil, err
	}
	p := &GlobalPlan{Recoding: hierarchy.Recoding{Attrs: t.Attrs()}}
	if err := q.cut(t, may, given, p); err != nil {
		return nil, err
	}
	for j, h := range given {
		p.Columns = append(p.Columns, hierarchy.Raised{Column: j, Level: 1, Hierarchy: h})
	}
	sorting.Func(p.Columns, func(a, b hierarchy.Raised) int { return a.Column - b.Column })
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if err := p.Study(t); err != nil {
		return nil, err
	}
	return p, nil
}

// cut adds classes of equal size or width for the columns that are not given by hand.
func (q *GlobalTechnique) cut(t *table.Table, may []int, given map[int]*hierarchy.Hierarchy, p *GlobalPlan) error {
	columns, err := named.Columns(t, "columns", q.Columns, may)
	if err != nil {
		return err
	}
	asked := len(columns) > 0
	if !asked && len(given) == 0 {
		all, _ := protect.Open(t, nil) // may is a part of it, so there is no error
		columns = protect.QuasiIdentifiers(t, all, may)
	}
	for _, j := range columns {
		c := t.Column(j)
		switch plain := c.Kind == table.Categorical && !c.Ordered; {
		case given[j] != nil:
			return fmt.Errorf("parameter %q: the classes of column %q are given already", "columns", c.Name)
		case plain && asked:
			return fmt.Errorf("parameter %q: column %q has categories without an order; give its classes in %q", "columns",
				c.Name, "groups")
		case plain:
			p.Left = append(p.Left, c.Name)
		case c.Kind == table.Categorical && len(c.Labels) == 0:
		default:
			h, ends, err := classes(&c, q.Classes, q.Cut)
			if err != nil {
				return err
			}
			if ends {
				p.Ends = append(p.Ends, c.Name)
			}
			given[j] = h
		}
	}
	return nil
}
