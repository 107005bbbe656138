package main

import (
	"slices"

	"github.com/spf13/cobra"

	"github.com/dither-data/dither/desk"
)

func (a *app) budget() *cobra.Command {
	q := desk.BudgetRequest{}
	var asJSON bool
	var unit string
	c := &cobra.Command{
		Use:   "budget LEDGER",
		Short: "what is spent and left of a budget of differential privacy, and what a release would cost",
		Long: `budget shows the ledger to which releases under differential privacy are charged (--ledger): what
they promise together, what is left, and every charge. --begin makes a new ledger with the limits
--epsilon and --delta; from then on they cannot be changed.

--again asks what one more run of a release would cost, and --epsilon (with --delta) what a release
of that epsilon would; both say what the largest is that is left, and how many runs there is room
for. Nothing is charged.

Charges are composed in every way that holds (basic, zero-concentrated, both mixed, Gaussian), and
the least total counts. All lines are checked: a changed, moved or missing one is an error.`,
		Example: `  dither budget patients.budget --begin --epsilon 1 --delta 1e-6
  dither budget patients.budget
  dither budget patients.budget --again last --times 3
  dither budget patients.budget --epsilon 0.2`,
		Args: cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			q.Ledger = args[0]
			if q.Unit = unit; !slices.Contains([]string{"record", "person", "household"}, unit) {
				return wrong("budget: --unit is record, person or household, not %q", unit)
			}
			b, err := a.desk().Budget(q)
			if err != nil {
				return err
			}
			return b.Print(a.out, asJSON)
		},
	}
	fl := c.Flags()
	fl.BoolVar(&q.Begin, "begin", false, "make the ledger")
	fl.StringVar(&q.Epsilon, "epsilon", "", "with --begin, the `epsilon` that all releases together may have, such "+
		"as 1 or 1/2; else that of a release that is thought of")
	fl.StringVar(&q.Delta, "delta", "", "the same for `delta`, such as 1e-6 (default: 0)")
	fl.StringVar(&unit, "unit", "record", "with --begin, whom it protects: record, person or household (`unit`)")
	fl.IntVar(&q.Records, "records", 0, "with --unit person or household, how many `records` one has at most (default: 1)")
	fl.StringVar(&q.Again, "again", "", "ask what one more run of this `release` would cost; last is the last one")
	fl.IntVar(&q.Times, "times", 1, "how many `runs` are thought of")
	fl.BoolVar(&asJSON, "json", false, "print JSON")
	return c
}

// spendingFlags are those of every verb that spends.
func spendingFlags(c *cobra.Command, s *desk.Spending) {
	fl := c.Flags()
	fl.StringVar(&s.Ledger, "ledger", "", "charge epsilon to the ledger in this `file` before noise is drawn (\"dither "+
		"budget\" begins one)")
	fl.StringVar(&s.Purpose, "purpose", "", "what the release is for, as the ledger keeps it: a `text`")
}
