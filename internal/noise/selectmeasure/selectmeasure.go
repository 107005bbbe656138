// Package selectmeasure fits laws of a whole table under differential privacy in three steps: select marginal tables,
// measure them with noise, generate records from the model that fits best (McKenna, Miklau & Sheldon 2021).
//
// Neighbours differ by adding or removing one record, or a unit of several (Promise.Group). Counts are whole numbers
// and noise is drawn on whole numbers, and so are the scores of a choice. The domain is what the caller declares:
// nothing of it may come from the records, and neither may their number, which is estimated from noisy counts unless
// it is declared to be public.
package selectmeasure

import (
	"errors"
	"fmt"
	"math"
	"math/big"

	"github.com/dither-data/dither/internal/noise/mechanism"
	"github.com/dither-data/dither/internal/stats/graphical"
	"github.com/dither-data/dither/rng"
)

// Table holds records by column: Columns[v][i] is a value from 0 to Domain[v]-1.
type Table struct {
	Domain  graphical.Domain
	Columns [][]int32
}

// Promise says what a fit may tell: it is (Epsilon, Delta)-differentially private.
type Promise struct {
	Epsilon, Delta float64
	// Records is the number of records where it is public; 0 where it is not, and then estimated.
	Records int
	// Group is how many records a unit has at most, of which the promise is: one more or less of as many. 0 is 1. Noise
	// grows with it (group privacy).
	Group int
	// Spent is the share of the budget that was spent before, as for domains: of Epsilon where Delta is 0, else of the
	// zero-concentrated budget.
	Spent float64
}

// left returns what is left of Epsilon for one record, exactly. It is what a promise without delta has.
func (p *Promise) left() (*big.Rat, error) {
	epsilon, err := mechanism.Decimal(p.Epsilon)
	if err != nil {
		return nil, err
	}
	rest := new(big.Rat).SetFloat64(p.Spent)
	rest.Sub(big.NewRat(1, 1), rest).Mul(rest, epsilon.Rat())
	return rest.Quo(rest, big.NewRat(int64(max(1, p.Group)), 1)), nil
}

// Pay takes what was spent on one record from Epsilon: so that no rounding leaves more than there is, the share that is
// spent is rounded up.
func (p *Promise) Pay(epsilon *big.Rat) error {
	whole, err := (&Promise{Epsilon: p.Epsilon, Group: p.Group}).left()
	if err != nil {
		return err
	}
	share := new(big.Rat).Quo(epsilon, whole)
	share.Add(share, new(big.Rat).SetFloat64(p.Spent))
	if share.Cmp(big.NewRat(1, 1)) > 0 {
		return errors.New("the budget is overdrawn")
	}
	p.Spent, _ = share.Float64()
	if new(big.Rat).SetFloat64(p.Spent).Cmp(share) < 0 {
		p.Spent = math.Nextafter(p.Spent, 2)
	}
	return nil
}

// group returns how many records a unit has at most.
func (p *Promise) group() float64 { return float64(max(1, p.Group)) }

// Law is what was fitted: a network over the attributes of Domain, of which some are the columns of the table. The
// others are columns with rare values merged, which stand before them.
type Law struct {
	Domain  graphical.Domain
	Network graphical.Network
	Columns []int   // by column of the table: its attribute
	Records float64 // how many records it speaks for, at least 1: public, or estimated
}

// Sample draws so many records, by column of the table.
func (l *Law) Sample(records int, src rng.Source) [][]int32 {
	all := l.Network.Sample(l.Domain, records, src)
	out := make([][]int32, len(l.Columns))
	for v, at := range l.Columns {
		out[v] = all[at]
	}
	return out
}

// Check reports what is wrong with a law.
func (l *Law) Check() error {
	if err := l.Network.Check(l.Domain); err != nil {
		return err
	}
	for v, at := range l.Columns {
		if at < 0 || at >= len(l.Domain) {
			return fmt.Errorf("column %d is attribute %d, which there is not", v, at)
		}
	}
	if !(l.Records >= 1) {
		return fmt.Errorf("a law of %g records", l.Records)
	}
	return nil
}

// check looks at what callers hand in.
func (t *Table) check() error {
	if len(t.Domain) == 0 || len(t.Domain) != len(t.Columns) {
		return errors.New("a table needs a column, and each column a domain")
	}
	for v, column := range t.Columns {
		if t.Domain[v] < 1 || len(column) != len(t.Columns[0]) {
			return fmt.Errorf("column %d has %d records and a domain of %d values", v, len(column), t.Domain[v])
		}
		for _, x := range column {
			if x < 0 || int(x) >= t.Domain[v] {
				return fmt.Errorf("a value of column %d is outside its domain", v)
			}
		}
	}
	return nil
}

// fit is one fit under way.
type fit struct {
	table *Table
	words mechanism.Words
	rho   float64 // what is left: zero-concentrated privacy
	known float64 // the number of records where it is public, else 0
	all   []graphical.Measurement
}

// begin checks a table and a promise. The noise is all that src says.
func begin(t *Table, p Promise, src rng.Source) (*fit, error) {
	if err := t.check(); err != nil {
		return nil, err
	}
	whole, err := mechanism.RhoRatio(p.Epsilon, p.Delta)
	if err != nil {
		return nil, err
	}
	rho := whole.Float() * (1 - p.Spent) / float64(p.group()*p.group())
	return &fit{table: t, words: src.Fork("noise").Stream().Words(), rho: rho, known: float64(p.Records)}, nil
}

// gaussian returns the noise of which one draw for each cell of a table costs at most rho, and pays for it so many
// times.
func (f *fit) gaussian(rho float64, times int) (mechanism.Gaussian, error) {
	sigma2, err := mechanism.AtLeast(1 / (2 * rho))
	if err != nil {
		return mechanism.Gaussian{}, err
	}
	return mechanism.NewGaussian(sigma2), f.pay(float64(times) / (2 * sigma2.Float()))
}

// selection returns the choice that costs at most rho, by scores that one record changes by so much, and pays for it so
// many times.
func (f *fit) selection(rho float64, sensitivity uint64, times int) (mechanism.Selection, error) {
	epsilon, err := mechanism.AtMost(math.Sqrt(8 * rho))
	if err != nil {
		return mechanism.Selection{}, err
	}
	s, err := mechanism.NewSelection(epsilon, sensitivity)
	if err != nil {
		return mechanism.Selection{}, err
	}
	return s, f.pay(float64(float64(times) * mechanism.RhoOfSelection(epsilon.Float())))
}

// pay takes from what is left. Amounts are rounded, so the last payment may be over by 1e-9 of it: AtLeast and AtMost
// have rounded by more to the other side.
func (f *fit) pay(rho float64) error {
	if rho > f.rho+float64(1e-9*rho) {
		return fmt.Errorf("the budget is overdrawn: rho %g of %g", rho, f.rho)
	}
	f.rho -= rho
	return nil
}

// measure counts the table of a scope with noise.
func (f *fit) measure(scope []int, noise mechanism.Gaussian) graphical.Measurement {
	counts := f.table.Domain.Count(f.table.Columns, scope)
	m := graphical.Measurement{Scope: scope, Variance: noise.Sigma2().Float(), Counts: make([]float64, len(counts))}
	for i, c := range counts {
		m.Counts[i] = float64(c + noise.Draw(f.words))
	}
	return m
}

// fine is how many steps of a score one record is: models' counts are rounded to so many parts.
const fine = 1 << 16

// steps rounds a model's count.
func steps(x float64) int64 { return int64(math.Round(float64(x * fine))) }

// distance returns the sum of absolute differences of counts and a model's, in steps: one record more or less changes
// it by fine, exactly.
func distance(counts []int64, model []float64) (sum int64) {
	for i, c := range counts {
		off := c*fine - steps(model[i])
		if off < 0 {
			off = -off
		}
		sum += off
	}
	return sum
}
