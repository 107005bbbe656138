package main

import (
	"os"
	"strings"
	"testing"

	"github.com/dither-data/dither/budget"
	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
)

// ledgerOf begins the ledger of a party.
func (c *custodian) ledgerOf(t *testing.T, epsilon string) {
	t.Helper()
	amount, err := budget.Parse(epsilon)
	must.NoError(t, err)
	_, err = budget.Create(c.file(".ledger"), budget.Limits{Epsilon: amount, Unit: budget.Unit{Of: "record", Records: 1}})
	must.NoError(t, err)
}

func (c *custodian) spent(t *testing.T) string {
	t.Helper()
	l := must.Get(budget.Open(c.file(".ledger")))(t)
	all := ""
	for _, e := range l.Entries() {
		all += e.Amount.String() + " for " + e.Purpose + ";"
	}
	return all
}

// A run with noise is charged to the ledger of each party, once. Where the ledger of one does not allow it, the run
// ends at all, and nothing is written, nor kept in the history of that party; its status is that of a budget that any
// release would break. A party without a ledger is told before anything is sent.
func TestJointNoise(t *testing.T) {
	long.Only(t, "six processes")
	t.Parallel()
	column := func(int) string { return "cost\n" + strings.Repeat("0\n7\n", 30) }
	parties := agreed(t, column, "--protocol", "sharedsum", "--noise", "1/2")
	for k, c := range parties {
		c.ledgerOf(t, []string{"2", "2", "0.7"}[k])
		c.begin(t, "--ledger", c.file(".ledger"), "--purpose", "costs of May")
	}
	for _, c := range parties {
		if c.end(); c.code != exitDone || !strings.Contains(c.out.String(), "standard deviation of the noise") {
			t.Fatalf("%s ended with status %d: %s%s", c.name, c.code, c.out.String(), c.err.String())
		}
		if got := c.spent(t); got != "1/2 for costs of May;" {
			t.Errorf("the ledger of %s has %q", c.name, got)
		}
		for _, f := range []string{".json", ".record"} {
			must.NoError(t, os.Remove(c.file(f)))
		}
		c.relay.Reset()
	}
	for _, c := range parties {
		c.begin(t, "--ledger", c.file(".ledger"))
	}
	west := parties[2]
	history := content(t, west.file(".pem.history"))
	for k, c := range parties {
		c.end()
		if last := c.complaint(t); k == 2 && (c.code != exitThreshold || !strings.Contains(last, "budget is epsilon 0.7")) ||
			k < 2 && !strings.Contains(last, "west: refused") {
			t.Errorf("%s: %s", c.name, last)
		}
	}
	if got := west.spent(t); strings.Count(got, ";") != 1 {
		t.Errorf("the ledger of west has %q", got)
	}
	if content(t, west.file(".pem.history")) != history {
		t.Error("a run that the ledger refused is in the history of west")
	}
	north := parties[0]
	code, _, errs := try(t, "joint", "run", north.file(".yaml"), "--party", "north", "--data", north.file(".csv"), "--key",
		north.file(".pem"))
	if code != exitUsage || !strings.Contains(errs, "name the ledger") {
		t.Errorf("without a ledger: status %d, %s", code, errs)
	}
	code, _, errs = try(t, "joint", "plan", "--protocol", "comparison", "--noise", "1", "--party", "a", "--party", "b",
		"--data", north.file(".csv"))
	if code != exitUsage || !strings.Contains(errs, "comparison adds none") {
		t.Errorf("a comparison with noise: status %d, %s", code, errs)
	}
}
