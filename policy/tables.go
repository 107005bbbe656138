package policy

import "cmp"

// Tables says which tables of counts and totals are published, and how they are protected.
type Tables struct {
	// By are the tables that go out together, each by the columns that it is divided by.
	By []Words `json:"by,omitempty" jsonschema:"minItems=1"`
	// Sum lists columns of numbers that are summed.
	Sum Words `json:"sum,omitempty"`
	// Person is the column that says whose a record is; one with that role when absent.
	Person string `json:"person,omitempty" jsonschema:"minLength=1"`
	// Method leaves cells out (suppression, as without it), moves counts by keys of the records (cellkey) or rounds them
	// so that they add up (rounding).
	Method string `json:"method,omitempty" jsonschema:"enum=suppression,enum=cellkey,enum=rounding"`
	// Minimum is how many people a cell must have; 3 when absent, 0 for no such rule.
	Minimum *int `json:"minimum,omitempty"`
	// Dominance is n,k such as 2,85: a total is unsafe where its n largest have more than k percent.
	Dominance string `json:"dominance,omitempty" jsonschema:"pattern=^[0-9]+ *\\, *[0-9.]+$"`
	// P is a percentage: a total is unsafe where somebody can be estimated to within it; 10 when absent, 0 for no such
	// rule.
	P *float64 `json:"p,omitempty"`
	// Q is the percentage to within which everybody knows everybody before.
	Q float64 `json:"q,omitempty" jsonschema:"exclusiveMinimum=0"`
	// Alone keeps intervals open to those who are alone in a combination of values, too.
	Alone bool `json:"alone,omitempty"`
	// Base is that of rounding; 5 when absent.
	Base int `json:"base,omitempty" jsonschema:"exclusiveMinimum=1"`
	// Deviation is the largest number that a count moves by, by keys; 3 when absent.
	Deviation int `json:"deviation,omitempty" jsonschema:"exclusiveMinimum=0"`
	// Variance is that of the number; 2 when absent.
	Variance float64 `json:"variance,omitempty" jsonschema:"exclusiveMinimum=0"`
	// HideSmall shows no count from 1 to this one, by keys.
	HideSmall int `json:"hide-small,omitempty" jsonschema:"exclusiveMinimum=0"`
	// Beside is a release of records of the same people that goes out, too: a file, from the policy's folder.
	Beside string `json:"beside,omitempty" jsonschema:"minLength=1"`
	// Limits that tables must keep: a file of limits, from the policy's folder, or none; without them, the usual ones.
	Limits string `json:"limits,omitempty" jsonschema:"minLength=1"`
	// Accept overrides limits on tables by name, such as guessedcells=0.6.
	Accept []string `json:"accept,omitempty" jsonschema:"minItems=1"`
}

// with is With of tables: those that a caller names take the place of the file's.
func (t *Tables) with(said *Tables) Tables {
	out := *t
	if len(said.By) > 0 {
		out.By = said.By
	}
	if len(said.Sum) > 0 {
		out.Sum = said.Sum
	}
	out.Person = cmp.Or(said.Person, t.Person)
	out.Method = cmp.Or(said.Method, t.Method)
	out.Minimum = cmp.Or(said.Minimum, t.Minimum)
	out.Dominance = cmp.Or(said.Dominance, t.Dominance)
	out.P = cmp.Or(said.P, t.P)
	out.Q = cmp.Or(said.Q, t.Q)
	out.Alone = t.Alone || said.Alone
	out.Base = cmp.Or(said.Base, t.Base)
	out.Deviation = cmp.Or(said.Deviation, t.Deviation)
	out.Variance = cmp.Or(said.Variance, t.Variance)
	out.HideSmall = cmp.Or(said.HideSmall, t.HideSmall)
	out.Beside = cmp.Or(said.Beside, t.Beside)
	out.Limits = cmp.Or(said.Limits, t.Limits)
	out.Accept = append(t.Accept[:len(t.Accept):len(t.Accept)], said.Accept...)
	return out
}
