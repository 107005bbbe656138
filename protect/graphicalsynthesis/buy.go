package graphicalsynthesis

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math/big"
	"strconv"

	"github.com/dither-data/dither/internal/noise/domains"
	"github.com/dither-data/dither/internal/noise/mechanism"
	"github.com/dither-data/dither/internal/noise/units"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// shopping are the columns whose domains are bought, which depend on the schema alone, and the delta that goes into
// categories.
type shopping struct {
	numbers, categories []int
	delta               float64
}

// empty reports whether nothing is bought.
func (s *shopping) empty() bool { return len(s.numbers)+len(s.categories) == 0 }

// shopping lists what a fit to a table buys. Categories need a delta: half of it, where noise needs some, too.
func (q *Technique) shopping(t *table.Table) (s shopping) {
	if q.Domains != Bought {
		return s
	}
	for j := range t.Width() {
		switch a := t.Attr(j); {
		case a.Declared:
		case a.Kind == table.Numeric:
			s.numbers = append(s.numbers, j)
		case a.Kind == table.Categorical && q.Delta > 0:
			s.categories = append(s.categories, j)
		}
	}
	if s.categories != nil {
		if s.delta = q.Delta; q.model.concentrated {
			s.delta /= 2
		}
	}
	return s
}

// price returns the noise of the counts with which domains are bought: all cost the same.
func (q *Technique) price(s shopping, records int) (domains.Noise, error) {
	columns := len(s.numbers) + len(s.categories)
	if !q.model.concentrated {
		e, err := q.each(columns * records)
		if err != nil {
			return nil, err
		}
		return mechanism.NewLaplace(e, 1)
	}
	share := q.Bounds / float64(columns)
	rho, err := mechanism.RhoRatio(q.Epsilon, q.Delta-s.delta)
	if err != nil {
		return nil, err
	}
	sigma2, err := mechanism.AtLeast(float64(records*records) / (2 * rho.Float() * share))
	return mechanism.NewGaussian(sigma2), err
}

// each returns one of so many parts of what domains may cost, of which together they are no more, exactly.
func (q *Technique) each(parts int) (mechanism.Ratio, error) {
	whole, err := mechanism.Decimal(q.Epsilon)
	if err != nil {
		return mechanism.Ratio{}, err
	}
	share := new(big.Rat).SetFloat64(q.Bounds)
	share.Mul(share, whole.Rat())
	return mechanism.Below(share.Quo(share, big.NewRat(int64(parts), 1)))
}

// buy returns the codings of columns whose domains are bought with the records of some rows. A column whose categories
// are all rare has none.
func (q *Technique) buy(t *table.Table, s shopping, rows []int, src rng.Source) (out []Coding, err error) {
	if s.empty() {
		return nil, nil
	}
	records := units.Of(q.Unit, t, q.Records).Records
	noise, err := q.price(s, records)
	if err != nil {
		return nil, err
	}
	words := func(j int, values *table.Column) mechanism.Words {
		return src.Fork("domain " + strconv.Itoa(j)).Fork(q.digest(s, records, values)).Stream().Words()
	}
	for _, j := range s.numbers {
		values := t.Column(j).Gather(rows)
		d, step := domains.Numbers(words(j, &values), values.Num, noise), t.Attr(j).Step
		if step == 0 {
			step = domains.Grid(d)
		}
		d = onGrid(d, step)
		if c := (Coding{Column: j, Domain: &d, Step: step}); c.settle(t.Attr(j), q.Bins) {
			out = append(out, c)
		}
	}
	for _, j := range s.categories {
		values := t.Column(j).Gather(rows)
		each := s.delta / float64(len(s.categories))
		c := Coding{Column: j, Named: domains.Categories(words(j, &values), values.Cat, values.Labels, noise, each,
			records)}
		if len(c.Named) > 0 && c.settle(t.Attr(j), q.Bins) {
			out = append(out, c)
		}
	}
	return out, nil
}

// digest hashes what a domain is bought of, and for how much: other questions have other noise.
func (q *Technique) digest(s shopping, records int, values *table.Column) string {
	h := sha256.New()
	_, _ = fmt.Fprint(h, q.model.card.Name, q.Epsilon, q.Delta, q.Bounds, records, s)
	_, _ = fmt.Fprintf(h, "%q", values.Labels)
	_ = binary.Write(h, binary.LittleEndian, values.Num)
	_ = binary.Write(h, binary.LittleEndian, values.Cat)
	return hex.EncodeToString(h.Sum(nil))
}
