package bestorrest

import (
	"context"
	"fmt"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/mine/bore"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// CLIFF releases only the records most representative of their class: CLIFF (Peters & Menzies 2012).
//
// BORE (package bore) ranks the values of every attribute for every class, numbers in bins of equal frequency; the
// power of a record is the product of the ranks of its values for its own class. Of every class the records of the
// highest power are released, as they are: by default 20 %, rounded up. Of records that are equal in everything one is
// released (parameter distinct).
//
// What an informed intruder learns: of those who are released, everything, exactly. CLIFF protects those who are left
// out, and says of them that others of their class are more typical. Released people have common values, for their
// class, so fewer of them are alone with theirs; nothing is promised. It is meant to be followed by MORPH (which has
// both in one run).
//
// Missing values stay missing. The power of a record is over its known values: their geometric mean, which orders
// complete records as the product does. Records without a class are not released, nor are those without any value.
//
// Cost: O(n p) and O(n log n); a release of a million records like Adult's takes 15 times the sorting of a million
// numbers, on two cores. All records meet, for they compete: the plan is a protect.Grouper with one group. It holds
// counts of values by class and no records.
//
// Departures: ties at the cut are decided by lot, the code takes what comes first. Powers are added up as logarithms,
// as products of many ranks are too small for a number.
//
// Reference: F. Peters and T. Menzies, "Privacy and utility for defect prediction: experiments with MORPH", ICSE 2012;
// F. Peters, T. Menzies, L. Gong and H. Zhang, "Balancing privacy and utility in cross-company defect prediction", IEEE
// Trans. Software Engineering 39, 2013.
var CLIFF = protect.Method{
	Card: card.Card{
		Name:      "cliff",
		Title:     "CLIFF",
		Summary:   "Releases only the records most representative of their class.",
		Paper:     "Peters & Menzies 2012; Peters, Menzies, Gong & Zhang 2013",
		Needs:     "a categorical class and other attributes",
		Changes:   "no values; omits records",
		Preserves: "the released values; the shares of the classes",
		Biases: "distributions narrow (types A and D), attributes become more dependent (types B and C), rules " +
			"sharpen (type DM); rare cases are lost",
		Exposes: "released people, exactly; about omitted people, that others of their class are more typical",
		Missing: "stay missing; records without a class are omitted",
		Cost:    "O(records * columns), and sorting the records",
	},
	Purpose: protect.Samples,
	Growth:  1,
	New:     func() protect.Technique { return CLIFFNew() },
	Plan:    func() protect.Plan { return &CLIFFPlan{} },
	Claims:  []protect.Claim{protect.Groups, protect.Notes, protect.Describes, protect.Checks},
}

// CLIFFTechnique holds the parameters.
type CLIFFTechnique struct {
	Keep     float64 // per cent of the records of every class
	Bins     int
	Distinct bool
}

// CLIFFNew returns the technique with its defaults.
func CLIFFNew() *CLIFFTechnique { return param.Default(&CLIFFTechnique{}) }

// Params declares the parameters.
func (q *CLIFFTechnique) Params() param.Set {
	return param.Set{
		param.Float(&q.Keep, "keep", 20, 0.01, 100, "%", "share of the records of every class to release, rounded up"),
		bore.BinsParam(&q.Bins),
		param.Bool(&q.Distinct, "distinct", true, "release equal records once"),
	}
}

// Fit ranks the values. It draws no random numbers.
func (q *CLIFFTechnique) Fit(ctx context.Context, t *table.Table, _ rng.Source) (protect.Plan, error) {
	if _, err := protect.Columns(t, table.Categorical, nil); err != nil { // an identifier
		return nil, err
	}
	if _, err := protect.ClassOf(t); err != nil {
		return nil, err
	}
	m, err := (&bore.Learner{Bins: q.Bins}).Fit(ctx, t, rng.Source{})
	if err != nil {
		return nil, err
	}
	return &CLIFFPlan{Model: m.(*bore.Model), Keep: q.Keep, Distinct: q.Distinct}, nil
}

// CLIFFPlan is the fitted technique. Ties are drawn from src.Fork("ties").
type CLIFFPlan struct {
	protect.OneGroup
	Model    *bore.Model `json:"model"`
	Keep     float64     `json:"keep"` // per cent
	Distinct bool        `json:"distinct"`
}

// Schema returns the attributes of the table the plan was fitted on.
func (p *CLIFFPlan) Schema() []table.Attribute { return p.Model.Attrs }

// Changes returns nothing: released records are as they were.
func (p *CLIFFPlan) Changes() []string { return nil }

// Describe says what the plan does.
func (p *CLIFFPlan) Describe() message.Sentence {
	return message.Say("does.cliff").Number("keep", p.Keep, 0)
}

// Notes says what the release is not.
func (p *CLIFFPlan) Notes() []message.Sentence {
	return []message.Sentence{message.Say("plan.originals")}
}

// Apply chooses among the records of the chunk.
func (p *CLIFFPlan) Apply(chunk *table.Table, src rng.Source) (*table.Table, error) {
	if err := protect.Conforms(chunk, p.Model.Attrs); err != nil {
		return nil, err
	}
	rows := p.Model.Strongest(chunk, p.Keep, src.Fork("ties"))
	if p.Distinct {
		rows = bore.Distinct(chunk, rows)
	}
	return chunk.Gather(rows), nil
}

// Check refuses a decoded plan that could not be applied.
func (p *CLIFFPlan) Check() error {
	if p.Model == nil {
		return fmt.Errorf("the plan has no ranks")
	}
	if !(p.Keep >= 0 && p.Keep <= 100) {
		return fmt.Errorf("keep is %v, expected 0 to 100", p.Keep)
	}
	return p.Model.Check()
}
