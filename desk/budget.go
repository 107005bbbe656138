package desk

import (
	"errors"
	"fmt"
	"io"
	"math/big"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/dither-data/dither/budget"
	"github.com/dither-data/dither/internal/noise/mechanism"
	"github.com/dither-data/dither/internal/noise/units"
	"github.com/dither-data/dither/message"
)

// BudgetRequest asks for what is spent of a budget of differential privacy, or begins one.
type BudgetRequest struct {
	Ledger  string // path
	Begin   bool   // make the ledger, with the limits Epsilon and Delta
	Epsilon string // of a release that is thought of, where the ledger is there
	Delta   string
	Unit    string // whom the ledger protects: record, person or household; empty is record
	Records int    // that a person, or household, has at most
	Again   string // release whose cost is asked for once more; Last is the last one
	Times   int    // how often it is thought of; 0 is once
}

// Last stands for the last release of a ledger.
const Last = "last"

// BudgetDocument is what a ledger holds.
type BudgetDocument struct {
	Schema     string      `json:"schema"`
	Epsilon    string      `json:"epsilon"` // the budget, exactly
	Delta      string      `json:"delta"`
	Unit       budget.Unit `json:"unit"`       // whom it protects
	Neighbours string      `json:"neighbours"` // tables that promises make alike
	Spent      BudgetTotal `json:"spent"`
	Left       float64     `json:"left"` // epsilon that one more pure release may have
	// epsilon, at the delta of the ledger, of one more release of Gaussian noise; 0 where no delta is left
	LeftGaussian float64       `json:"leftGaussian"`
	Head         string        `json:"head"`    // hash of the last line
	Charges      []BudgetEntry `json:"charges"` // in order
	Plan         *BudgetPlan   `json:"plan"`    // what was asked for besides; null for nothing
}

// BudgetTotal is what releases promise together.
type BudgetTotal struct {
	Epsilon Number            `json:"epsilon"` // the least of the views; null where none holds
	Delta   float64           `json:"delta"`
	View    string            `json:"view"`  // how the charges are composed
	Views   map[string]Number `json:"views"` // all ways that hold
	Rho     float64           `json:"rho"`   // zero-concentrated
}

// BudgetEntry is one charge.
type BudgetEntry struct {
	Time      string `json:"time"`
	Release   string `json:"release"`
	Mechanism string `json:"mechanism"`
	Kind      string `json:"kind"`   // epsilon, exponential epsilon, rho or mu squared
	Amount    string `json:"amount"` // in that measure, exactly
	Delta     string `json:"delta"`
	Purpose   string `json:"purpose"`
	Hash      string `json:"hash"`
}

// BudgetPlan is what releases that are thought of would cost.
type BudgetPlan struct {
	Total   BudgetTotal `json:"total"`   // with them
	Alone   BudgetTotal `json:"alone"`   // by themselves
	Adds    Number      `json:"adds"`    // to the epsilon that is spent
	Allowed bool        `json:"allowed"` // the budget has it
	Runs    int         `json:"runs"`    // how often the budget has them, up to a thousand
	// by which factor their epsilon may be larger, or must be smaller, so that the budget just allows them
	Largest float64     `json:"largest"`
	Most    BudgetTotal `json:"most"` // by themselves, with that epsilon
}

// mostRuns is how often a release is thought of at most.
const mostRuns = 1000

func totalOf(t budget.Total) BudgetTotal {
	out := BudgetTotal{Number(t.Epsilon), t.Delta, string(t.View), map[string]Number{}, t.Rho}
	for v, eps := range t.Views {
		out.Views[string(v)] = Number(eps)
	}
	return out
}

// Budget reads a ledger, or begins one, and works out what releases would cost. It charges nothing.
func (d *Desk) Budget(q BudgetRequest) (*BudgetDocument, error) {
	if q.Times < 0 {
		return nil, number("times", q.Times, "expected 1 or more")
	}
	var l *budget.Ledger
	var err error
	if q.Begin {
		l, err = q.begin()
	} else {
		l, err = budget.Open(q.Ledger)
	}
	if err != nil {
		return nil, err
	}
	limits := l.Limits()
	out := &BudgetDocument{Schema: schemaOf("budget"), Epsilon: limits.Epsilon.String(), Delta: limits.Delta.String(),
		Unit: limits.Unit, Neighbours: limits.Neighbours, Spent: totalOf(l.Spent()), Left: l.Left().Float(), Head: l.Head()}
	if limits.Delta.Sign() > 0 {
		rho, _ := l.Rho().Float64()
		out.LeftGaussian = mechanism.TightEpsilon(rho, limits.Delta.Float())
	}
	for _, e := range l.Entries() {
		out.Charges = append(out.Charges, BudgetEntry{e.Time, e.Release, e.Mechanism, string(e.Kind), e.Amount.String(),
			e.Delta.String(), e.Purpose, e.Hash})
	}
	if q.Begin {
		return out, nil
	}
	plan, err := q.plan(l)
	if err != nil || len(plan) == 0 {
		return out, err
	}
	total, ok := l.Cost(plan...)
	factor := l.Affordable(plan...)
	largest, _ := factor.Float64()
	out.Plan = &BudgetPlan{Total: totalOf(total), Alone: totalOf(budget.Compose(plan, limits.Delta)),
		Adds: Number(total.Epsilon - l.Spent().Epsilon), Allowed: ok, Runs: l.Runs(mostRuns, plan...), Largest: largest}
	if factor.Sign() > 0 {
		out.Plan.Most = totalOf(budget.Compose(budget.Scaled(plan, factor), limits.Delta))
	}
	return out, nil
}

// begin makes a ledger.
func (q *BudgetRequest) begin() (*budget.Ledger, error) {
	limits := budget.Limits{Unit: budget.Unit{Of: "record", Records: 1}}
	var err error
	if limits.Epsilon, err = budget.Parse(q.Epsilon); err != nil {
		return nil, &Usage{Field: "epsilon", Value: q.Epsilon, Err: err}
	}
	if q.Delta != "" {
		if limits.Delta, err = budget.Parse(q.Delta); err != nil {
			return nil, &Usage{Field: "delta", Value: q.Delta, Err: err}
		}
	}
	switch {
	case q.Again != "":
		return nil, usage(errors.New("a ledger that is begun has no release that may be made again"))
	case q.Unit != "" && q.Unit != units.Record:
		limits.Unit = budget.Unit{Of: q.Unit, Records: max(q.Records, 1)}
	case q.Records > 1:
		return nil, number("records", q.Records, "how many records one has goes with the unit person or household")
	}
	l, err := budget.Create(q.Ledger, limits)
	if err != nil {
		return nil, usage(err)
	}
	return l, nil
}

// plan is the releases that are thought of.
func (q *BudgetRequest) plan(l *budget.Ledger) (out []budget.Entry, err error) {
	var one []budget.Entry
	if q.Epsilon != "" {
		e := budget.Entry{Kind: budget.Pure}
		if e.Amount, err = budget.Parse(q.Epsilon); err != nil {
			return nil, &Usage{Field: "epsilon", Value: q.Epsilon, Err: err}
		}
		if q.Delta != "" {
			if e, err = concentrated(e.Amount, q.Delta); err != nil {
				return nil, &Usage{Field: "delta", Value: q.Delta, Err: err}
			}
		}
		one = append(one, e)
	}
	if q.Again != "" {
		all := l.Entries()
		name := q.Again
		if name == Last && len(all) > 0 {
			name = all[len(all)-1].Release
		}
		again := slices.DeleteFunc(slices.Clone(all), func(e budget.Entry) bool { return e.Release != name })
		if len(again) == 0 {
			return nil, usage(fmt.Errorf("%s holds no release %q", q.Ledger, q.Again))
		}
		one = append(one, again...)
	}
	return slices.Repeat(one, max(q.Times, 1)), nil
}

// concentrated is the charge of Gaussian noise for (epsilon, delta).
func concentrated(epsilon budget.Amount, delta string) (budget.Entry, error) {
	d, err := budget.Parse(delta)
	if err != nil {
		return budget.Entry{}, err
	}
	rho, err := mechanism.Rho(epsilon.Float(), d.Float())
	if err != nil {
		return budget.Entry{}, err
	}
	r, err := mechanism.AtMost(rho)
	return budget.Entry{Kind: budget.Concentrated, Amount: budget.Of(r)}, err
}

// Print writes the document, or the ledger as a table.
func (b *BudgetDocument) Print(w io.Writer, asJSON bool) error {
	if asJSON {
		return WriteJSON(w, b)
	}
	line := func(name string, says message.Sentence) { fmt.Fprintf(w, "%-8s %s\n", name, says) }
	line("budget", message.Say("ledger.budget").Text("epsilon", decimalOf(b.Epsilon)).
		Text("delta", decimalOf(b.Delta)).Text("unit", fmt.Sprint(b.Unit)).Text("neighbours", b.Neighbours))
	line("spent", message.Say("ledger.spent").Text("epsilon", b.Spent.epsilon()).Count("n", len(b.Charges)).
		Text("ways", b.Spent.ways()))
	left := message.Say("ledger.left").Text("epsilon", fmt.Sprintf("%.6g", b.Left))
	if b.LeftGaussian > 0 {
		left = message.Say("ledger.leftGaussian").Part("pure", left).Text("epsilon", fmt.Sprintf("%.6g", b.LeftGaussian))
	}
	line("left", left)
	if p := b.Plan; p != nil {
		allowed := message.Say("ledger.allowed")
		if !p.Allowed {
			allowed = message.Say("ledger.beyond")
		}
		line("plan", message.Say("ledger.plan").Text("alone", p.Alone.epsilon()).Text("adds", fmt.Sprintf("%.6g",
			float64(p.Adds))).Text("epsilon", p.Total.epsilon()).Text("ways", p.Total.ways()).Part("allowed", allowed))
		if p.Largest > 0 {
			line("most", message.Say("ledger.most").Text("epsilon", p.Most.epsilon()).
				Text("times", fmt.Sprintf("%.4g", p.Largest)).Count("n", p.Runs))
		}
	}
	if len(b.Charges) == 0 {
		return nil
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "\ntime\trelease\tmechanism\tcharged\tpurpose")
	for _, e := range b.Charges {
		delta := ""
		if e.Delta != "0" {
			delta = ", delta " + decimalOf(e.Delta)
		}
		fmt.Fprintf(t, "%s\t%s\t%s\t%s %s%s\t%s\n", e.Time, e.Release, e.Mechanism, e.Kind, decimalOf(e.Amount), delta,
			e.Purpose)
	}
	return t.Flush()
}

func (t *BudgetTotal) epsilon() string {
	if !(float64(t.Epsilon) < 1e300) {
		return "unbounded"
	}
	return message.Say("ledger.at").Text("epsilon", fmt.Sprintf("%.6g", float64(t.Epsilon))).
		Text("delta", fmt.Sprintf("%.3g", t.Delta)).String()
}

// ways lists the views.
func (t *BudgetTotal) ways() string {
	var out []string
	for v, eps := range t.Views {
		out = append(out, fmt.Sprintf("%s %.6g", v, float64(eps)))
	}
	slices.Sort(out)
	return strings.Join(out, ", ")
}

// decimalOf writes a fraction as a decimal.
func decimalOf(fraction string) string {
	r, ok := new(big.Rat).SetString(fraction)
	if !ok {
		return fraction
	}
	f, _ := r.Float64()
	return fmt.Sprintf("%.6g", f)
}
