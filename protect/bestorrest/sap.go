package bestorrest

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/mine/bore"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// SAP is SAP, the suppression algorithm for privacy (Peters 2011): it suppresses some of the values that
// distinguish the classes according to BORE.
//
// In scenario S1, against finding a person's record, BORE finds the critical value of every quasi-identifier for every
// class, numbers in bins of equal frequency, and of the cells of the class's records that hold it a share p, rounded
// up, is suppressed: exactly as many, drawn without replacement and independently for every class and attribute. In
// scenario S2, against learning a sensitive value, the same share of the records of every value of the sensitive
// attribute loses that value: of the class, as in figure A.4, whatever else is confidential or taken to be; others are
// named (parameter "besides").
//
// What an informed intruder learns: in S1 nearly everything. Suppressed cells leave 1 - p of the critical values, and
// all other ones, in the clear; and as only critical values are suppressed, a suppressed cell tells that it held that
// of its class, which anyone who sees the release works out by BORE, or has from the plan: the value itself or, of a
// number, its bin. Only an intruder who takes a suppressed cell at its word matches fewer records. In S2 a suppressed
// value may be any, with the frequencies of the known ones; what other attributes tell of it remains, as do 1 - p of
// the values. A value that few records have is suppressed in more than a share p of them, and in all where there is
// one.
//
// Cost: O(n p) and the sorting of critical cells: a release of a million records like Adult's takes 5 times the sorting
// of a million numbers, on two cores, and the fit 2.5 times it. All records meet, for counts are of the records at
// hand: the plan is a protect.Grouper with one group.
//
// Departures from the paper: the listing of S1 suppresses the class and never uses the critical value it is given; the
// text is followed. The listing counts a share of the class's records, the text one of those with the critical value:
// count=critical is the text, count=class_size the listing, as far as there are such cells. It writes -10000 for a
// suppressed value, which a distance takes for a number; here it is missing. p is taken as the decimal that it is
// written as, so that 0.07 of 100 are 7.
//
// Reference: Peters 2011, chapter 3, figures A.3 and A.4.
var SAP = protect.Method{
	Card: card.Card{
		Name:    "sap",
		Title:   "SAP (suppression algorithm for privacy)",
		Short:   "SAP",
		Aliases: []string{"suppression algorithm for privacy"},
		Summary: "Suppresses a share of the values that distinguish the classes (S1), or of the sensitive values (S2).",
		Paper:   "Peters 2011, chapter 3",
		Needs: "S1: a categorical class and quasi-identifiers (none marked: all others); S2: the class, or " +
			"without one a confidential attribute",
		Changes: "S1: the quasi-identifiers; S2: the class, and columns named besides; " +
			"without a class the confidential attributes",
		Preserves: "all values that are not suppressed; in S1 the class, in S2 the frequencies of the known sensitive " +
			"values, to rounding",
		Biases: "S1: critical values become rarer, by at most p (types A to D), and rules based on them weaker " +
			"(type DM); S2: none except by rounding",
		Exposes: "S1: that a suppressed cell held the critical value of its class, or was missing; S2: 1 - p of " +
			"the sensitive values, and what other attributes reveal about the rest",
		Missing: "stay missing and cannot be distinguished from suppressed ones",
		Cost:    "O(records * columns), and sorting the critical cells",
	},
	Purpose: protect.Generalises,
	Growth:  1,
	New:     func() protect.Technique { return SAPNew() },
	Plan:    func() protect.Plan { return &SAPPlan{} },
	Claims: []protect.Claim{protect.HasNoiseModel, protect.Divides, protect.Groups, protect.Corrects, protect.Notes,
		protect.Describes, protect.Checks},
}

// Values of the parameters "scenario" and "count".
const (
	S1        = "s1"         // identity: critical values of the quasi-identifiers
	S2        = "s2"         // sensitive values
	Critical  = "critical"   // a share of the class's records that have the critical value
	ClassSize = "class_size" // a share of all of the class's records
)

// SAPTechnique holds the parameters.
type SAPTechnique struct {
	Scenario string
	P        float64 // share that is suppressed
	Count    string
	Bins     int
	Besides  []string // columns that S2 suppresses in besides the class
	Except   []string // columns left alone
}

// SAPNew returns the technique with its defaults.
func SAPNew() *SAPTechnique { return param.Default(&SAPTechnique{}) }

// Params declares the parameters.
func (q *SAPTechnique) Params() param.Set {
	return param.Set{
		param.Choice(&q.Scenario, "scenario", S1, []string{S1, S2}, "suppress critical values of quasi-identifiers, or "+
			"sensitive values"),
		param.Float(&q.P, "p", 0.1, 0, 1, "", "share to suppress, rounded up to whole records").Noisier(0.01, 1),
		param.Choice(&q.Count, "count", Critical, []string{Critical, ClassSize},
			"in s1: that share of the records of the class with the critical value, or as many as that share of "+
				"the whole class"),
		bore.BinsParam(&q.Bins),
		param.Names(&q.Besides, "besides", "in s2: columns to suppress in, besides the class"),
		param.Names(&q.Except, "except", "columns to leave alone"),
	}
}

// Fit finds what is to be suppressed. It draws no random numbers.
func (q *SAPTechnique) Fit(ctx context.Context, t *table.Table, _ rng.Source) (protect.Plan, error) {
	p := &SAPPlan{Attrs: t.Attrs(), Class: -1, P: q.P, Count: q.Count}
	columns, err := q.columns(t)
	if err != nil {
		return nil, err
	}
	if q.Scenario == S1 {
		err = p.critical(ctx, t, columns, q.Bins)
	} else {
		p.sensitive(t, columns, q.Bins)
	}
	if err != nil {
		return nil, err
	}
	return p, p.study(ctx, t)
}

// columns returns the positions of the columns to change, ascending: in S1 the quasi-identifiers or, where no column is
// one, those that are not confidential; in S2 the class with those named besides or, without a class that may change,
// the confidential ones.
func (q *SAPTechnique) columns(t *table.Table) ([]int, error) {
	var may []int
	for _, kind := range []table.Kind{table.Numeric, table.Categorical} {
		columns, err := protect.Columns(t, kind, q.Except)
		if err != nil {
			return nil, err
		}
		may = append(may, columns...)
	}
	for _, name := range q.Besides {
		if t.Find(name) < 0 {
			return nil, fmt.Errorf("parameter \"besides\": there is no column %q", name)
		}
	}
	if q.Scenario == S2 {
		return q.sensitives(t, may)
	}
	is := func(r table.Role) bool { return r&table.Confidential == 0 }
	if slices.ContainsFunc(t.Attrs(), func(a table.Attribute) bool { return a.Kind.Scalar() && a.Role&table.Quasi != 0 }) {
		is = func(r table.Role) bool { return r&table.Quasi != 0 }
	}
	may = slices.DeleteFunc(may, func(j int) bool { return !is(t.Attr(j).Role) })
	if len(may) == 0 {
		return nil, errors.New("scenario s1 suppresses quasi-identifiers, and there are none that may change")
	}
	slices.Sort(may)
	return may, nil
}

// sensitives returns the positions of the columns that S2 changes, of those that may change and the class.
func (q *SAPTechnique) sensitives(t *table.Table, may []int) ([]int, error) {
	class := t.WithRole(table.Class)
	if class >= 0 && (!t.Attr(class).Kind.Scalar() || slices.Contains(q.Except, t.Attr(class).Name)) {
		class = -1
	}
	var out []int
	for _, name := range q.Besides {
		j := t.Find(name)
		if j != class && !slices.Contains(may, j) {
			return nil, fmt.Errorf("parameter \"besides\": column %q may not change", name)
		}
		out = append(out, j)
	}
	for _, j := range may {
		if class < 0 && t.Attr(j).Role&table.Confidential != 0 {
			out = append(out, j)
		}
	}
	if class >= 0 {
		out = append(out, class)
	}
	if len(out) == 0 {
		return nil, errors.New("scenario s2 suppresses the class or confidential attributes, and there are none that may " +
			"change")
	}
	slices.Sort(out)
	return slices.Compact(out), nil
}
