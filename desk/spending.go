package desk

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"slices"

	"github.com/dither-data/dither/budget"
	"github.com/dither-data/dither/internal/noise/units"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/mine"
	"github.com/dither-data/dither/param"
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

// bounds reports whether a technique or a miner promises differential privacy, by its parameters and those that are
// set: then only what is declared of a table is used.
func bounds(of param.Set, set map[string]string) bool {
	return of.Has(units.Name) && set["domains"] != "observed"
}

// promised is whom a promise of differential privacy is of: the unit that a role declares. One that was only found is
// named and not used, since finding it looked at the records.
func (l *Loaded) promised() (unit string, notes []message.Sentence) {
	unit = units.Record
	for _, of := range []struct {
		role table.Role
		unit string
	}{{table.Person, units.Person}, {table.Household, units.Household}} {
		switch j := l.Table.WithRole(of.role); {
		case j < 0:
		case l.Roles[j].Given:
			unit = of.unit
		default:
			notes = append(notes, message.Say("told.unitUnused."+of.unit).Name("column", l.Roles[j].Column))
		}
	}
	return unit, notes
}

// protects has a miner promise differential privacy of the unit that is declared, unless a parameter says of whom.
func (d *Desk) protects(l *Loaded, of param.Set) error {
	if !slices.ContainsFunc(of.Values(), func(v param.Value) bool {
		return v.Name == units.Name && v.Value == units.Told
	}) {
		return nil
	}
	unit, notes := l.promised()
	for _, n := range notes {
		d.note(n)
	}
	return of.Apply(map[string]string{units.Name: unit})
}

// promise has a technique promise differential privacy of the unit that is declared, unless a parameter says of whom,
// and refuses what would make it depend on what was found in the records.
func (l *loaded) promise(r *study.Request) error {
	of := r.Method.New().Params()
	if r.Plan != nil || !of.Has(units.Name) {
		return nil
	}
	if r.Set["domains"] == "bought" {
		for k := range l.t.Suppressed {
			w := &l.t.Suppressed[k]
			j := l.t.Table.Find(w.Column)
			if a := l.t.Table.Attr(j); !a.Declared && a.Role&table.Identifier == 0 {
				return usage(fmt.Errorf("column %q: values that few people have were withheld, so what is bought would tell "+
					"of them: declare its values, or make it an identifier (--role %s=identifier)", w.Column, w.Column))
			}
		}
	}
	if _, set := r.Set[units.Name]; set {
		return nil
	}
	unit, notes := l.t.promised()
	for _, n := range notes {
		l.d.note(n)
	}
	if r.Set == nil {
		r.Set = map[string]string{}
	}
	r.Set[units.Name] = unit
	return nil
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
