package desk

import (
	"errors"
	"fmt"
	"io/fs"
	"math"

	"github.com/dither-data/dither/budget"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/mine"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/record"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/study"
	"github.com/dither-data/dither/table"
)

// Spending is how a release under differential privacy is charged.
type Spending struct {
	Ledger  string // path of the ledger; empty charges nothing
	Purpose string // what the release is for, as the ledger keeps it
}

// Charged is what a release spent.
type Charged struct {
	Release string  `json:"release"` // by which the ledger finds it
	Entry   string  `json:"entry"`   // hash of its line in the ledger
	Spent   float64 `json:"spent"`   // epsilon of all releases in the ledger, at its delta
	Left    float64 `json:"left"`    // epsilon that one more pure release may have
}

// pay charges what a private learner spends on a table.
func (d *Desk) pay(s *Spending, l mine.Private, t *table.Table, seed rng.Seed, sum string) error {
	entries, err := l.Charges(t)
	if err != nil {
		return err
	}
	charged, err := s.charge(entries, seed, sum)
	switch {
	case err != nil:
		return err
	case len(entries) == 0 && s.Ledger != "":
		return usage(errors.New("nothing is charged to a ledger: with these parameters the miner is not differentially " +
			"private"))
	case charged != nil:
		d.note(charged.says())
	case len(entries) > 0:
		d.note(message.Say("told.uncharged"))
	}
	return nil
}

// charges has what the fit of a release promises charged, once, before its noise is drawn. Without a ledger nothing is.
func (d *Desk) charges(s *Spending, r *study.Request, sum string) {
	if s.Ledger == "" {
		return
	}
	var charged *Charged
	r.Pay = func(entries []budget.Entry) (err error) {
		if charged != nil {
			return nil
		}
		if charged, err = s.charge(entries, r.Seed, sum); err == nil {
			d.note(charged.says())
		}
		return err
	}
}

// unpaid reports whether a fit drew the noise of differential privacy.
func unpaid(r *study.Request, p protect.Plan) bool {
	_, spends := r.Method.New().(protect.Spender)
	return spends && !math.IsInf(protect.Epsilon(p), 1)
}

// says is what was charged.
func (c *Charged) says() message.Sentence {
	return message.Say("told.charged").Name("release", c.Release).Digits("spent", c.Spent, 4).Digits("left", c.Left, 4)
}

// charge spends what a release costs, before its noise is drawn. The identity of the release and the digest of the data
// come from the seed, so neither tells of the data. Without a ledger it returns nil.
func (s *Spending) charge(entries []budget.Entry, seed rng.Seed, sum string) (*Charged, error) {
	if s.Ledger == "" || len(entries) == 0 {
		return nil, nil
	}
	l, err := budget.Open(s.Ledger)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, usage(fmt.Errorf("%s: there is no such ledger: \"dither budget %s --epsilon E\" begins one", s.Ledger,
			s.Ledger))
	}
	if err != nil {
		return nil, err
	}
	key := recordKey(seed).bytes()
	release := record.Keyed(key, "release", sum)[len("hmac-sha256:"):][:16]
	var all []*budget.Entry
	for k := range entries {
		e := &entries[k]
		e.Release, e.Data = release, record.Keyed(key, "original", sum)
		if s.Purpose != "" {
			e.Purpose = record.Text(s.Purpose)
		}
		for name, value := range e.Parameters {
			e.Parameters[name] = record.Text(value)
		}
		all = append(all, e)
	}
	if err := l.ChargeAll(all); err != nil {
		return nil, err
	}
	return &Charged{release, all[len(all)-1].Hash, l.Spent().Epsilon, l.Left().Float()}, nil
}
