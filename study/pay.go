package study

import (
	"errors"

	"github.com/dither-data/dither/budget"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/table"
)

// failure is an error of a technique, which it names.
type failure struct {
	technique string
	err       error
}

func (f failure) Error() string { return f.technique + ": " + f.err.Error() }
func (f failure) Unwrap() error { return f.err }

// pay charges what a fit promises. It is an error where it is to be paid for and promises nothing.
func (q *Request) pay(tech protect.Technique, t *table.Table) error {
	if q.Pay == nil {
		return nil
	}
	var charges []budget.Entry
	if s, ok := tech.(protect.Spender); ok {
		var err error
		if charges, err = s.Charges(t); err != nil {
			return err
		}
	}
	if charges == nil {
		return errors.New("nothing is charged to a ledger: with these parameters it promises no differential privacy")
	}
	return q.Pay(charges)
}
