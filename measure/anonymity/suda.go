package anonymity

import (
	"context"
	"errors"
	"math"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/internal/portable"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// SUDA measures special uniques (SUDA, DIS-SUDA): records that few of the known columns are enough to tell from
// all others.
//
// A minimal sample unique of a record is a set of known columns in which no other record has its values, though some
// other has them in every smaller set. The fewer columns it takes, and the more such sets a record has, the more likely
// it is unique in the population, too, and not in the sample by chance. A record is a special unique when it has a
// minimal sample unique of at most size columns. The score is the share of the people who have such a record.
//
// The SUDA score of a record is the sum of a weight of its minimal sample uniques. Of p columns, of which at most M =
// size are taken together, a set of k has the weight of Elliot, Manning & Ford: the product of p-i for i from k to the
// smaller of M and p-1. With weights=ihsn it is (2^(p-k) - 1) k! (p-k)! / p!, as in the program of the IHSN.
//
// The DIS score of the file is the probability that a unique match is right: U f / (U f + P (1-f)) for U people who are
// unique in all the columns, P people who come in pairs and the sampling fraction f. The DIS-SUDA score shares it among
// the records: 1 / (1 + (U/DIS - U) / (score^q A)), where A is the sum of score^-q over all special uniques and q is
// 1 + (8-p)/20, but at least 0. A common factor of the SUDA scores does not change it.
//
// Both definitions are those of sdcMicro 5.8.1 with original_scores=TRUE (elliot) and FALSE (ihsn), for size=0, which
// looks at all sets, as it does; its DisFraction is 0.01 by default. With fewer than three columns it adds constant
// ones, which changes the weights; here none are added.
//
// The fraction is that of the population where the policy tells its size or records have sampling weights, else 0.1.
//
// The released values are looked at. Where records are paired, a minimal sample unique counts when the values in it are
// the person's own: what noise made unique tells nobody.
//
// Where some people have several records, people are counted: nobody but others makes a record less unique, and the
// highest of a person's scores is the person's.
//
// Missing values: as in sdcMicro no set has a column that a record lacks, and who lacks it hides nobody there. In U and
// P a missing value is one of its own.
//
// Cost: O(n) for every set of up to size of p columns at most; a class of one person, and one of equal records, is left
// out of all larger sets. Where this would be above the parameter work, smaller sets are taken, and a note says so.
//
// Reference: M. J. Elliot, A. M. Manning and R. W. Ford, "A computational algorithm for handling the special uniques
// problem", IJUFKS 10(5), 2002; A. M. Manning, D. J. Haglin and J. A. Keane, "A recursive search algorithm for
// statistical disclosure assessment", Data Mining and Knowledge Discovery 16, 2008; C. J. Skinner and M. J. Elliot, "A
// measure of disclosure risk for microdata", JRSS B 64(4), 2002, for DIS.
var SUDA = measure.Measure{
	Card: card.Card{
		Name:    "suda",
		Title:   "Special uniques (SUDA)",
		Short:   "Special uniques",
		Aliases: []string{"suda2", "dis-suda", "suda score", "special uniques", "minimal sample uniques"},
		Summary: "Share that few of the known columns are enough to tell from all others, with SUDA and DIS-SUDA " +
			"scores.",
		Paper:     "Elliot, Manning & Ford 2002; Manning, Haglin & Keane 2008",
		Needs:     "an intruder who knows at most 64 columns; paired records to leave out what noise made unique",
		Preserves: "0 when nobody is unique in a few columns; 1 when everyone is",
		Biases:    "a unique record of the sample may have doubles in the population",
		Missing:   "in no set of columns; a separate value in DIS",
		Cost:      "O(n) for every set of up to size columns",
	},
	Facts: measure.Facts{
		About: measure.Identity, Effort: measure.Fast, Bounds: map[string]string{"work": "1000000000"},
	},
	Side:     measure.Risk,
	Better:   measure.Lower,
	Range:    table.Interval{Lo: 0, Hi: 1},
	Unit:     measure.In(measure.Share, message.Say("unit.ofThePersons")),
	Intruder: true,
	New:      func() measure.Meter { return param.Default(&SUDAMeter{}) },
}

// The weights of a minimal sample unique.
const (
	Elliot = "elliot"
	IHSN   = "ihsn"
)

const mostColumns = 64

// SUDAMeter measures special uniques.
type SUDAMeter struct {
	Size     int     // columns of a set; 0 for any number
	Weights  string  // Elliot or IHSN
	Fraction float64 // sampling fraction; 0 for the one that is told
	Work     int     // sets of columns times records, at most
}

// Params declares the parameters.
func (m *SUDAMeter) Params() param.Set {
	return param.Set{
		param.Int(&m.Size, "size", 3, 0, mostColumns, "columns", "most columns of a minimal sample unique; 0: any number, "+
			"as in sdcMicro"),
		param.Choice(&m.Weights, "weights", Elliot, []string{Elliot, IHSN}, "weights of the SUDA score: of Elliot, "+
			"Manning & Ford, or of the IHSN's program"),
		param.Float(&m.Fraction, "fraction", 0, 0, 1, "share", "sampling fraction for DIS; 0: from the population or "+
			"the weights where they are told, otherwise 0.1"),
		param.Int(&m.Work, "work", 1<<36, 1, math.MaxInt, "records", "take smaller sets if sets of columns times "+
			"records would be more"),
	}
}

// Measure returns the share of the people who are special uniques, with a SUDADetail. It fails when the release has no
// records, and does not apply against one who knows no column or more than 64.
func (m *SUDAMeter) Measure(ctx context.Context, r *measure.Release, _ rng.Source) (measure.Value, error) {
	if err := r.Check(); err != nil {
		return measure.Value{}, err
	}
	view, err := r.View()
	if err != nil {
		return measure.Value{}, err
	}
	switch {
	case r.Released.Rows() == 0 || r.Original.Rows() == 0:
		return measure.Value{}, errors.New("a table has no records")
	case len(view.Known) == 0:
		return measure.Value{}, measure.NotApplicable(message.Say("measure.skipped.knowsNoneExactly"))
	case len(view.Known) > mostColumns:
		return measure.Value{}, measure.NotApplicable(message.Say("measure.skipped.knowsMany").Count("n", mostColumns))
	}
	s, err := look(ctx, r, view.Known)
	if err != nil {
		return measure.Value{}, err
	}
	d := &SUDADetail{Intruder: view.Name, People: s.people, Columns: len(view.Known)}
	if d.Fraction = m.Fraction; d.Fraction == 0 {
		share, told := r.Sampled()
		if d.Fraction = share; !told {
			d.Fraction = 0.1
		}
	}
	d.Size = m.most(len(s.owner), d.Columns)
	found, err := seek(ctx, &s.items, d.Size)
	if err != nil {
		return measure.Value{}, err
	}
	d.score(newScorer(s, found, weights(m.Weights, d.Size, d.Columns)))
	d.risk = d.byRecord(s, r)
	v := measure.Exact(sudaShare(d.Special, d.People), d.parts(view, r.Released))
	if d.Size < min(d.Columns, m.asked(d.Columns)) {
		v.Notes = append(v.Notes, message.Say("measure.suda.note.smaller").Count("n", d.Size))
	}
	v.Detail = d
	return v, nil
}

// asked is how many of p columns are taken together.
func (m *SUDAMeter) asked(p int) int {
	if m.Size == 0 {
		return p
	}
	return min(m.Size, p)
}

// most is how many are taken of so many different rows, within the work; at least one.
func (m *SUDAMeter) most(rows, p int) int {
	sets, all := 1.0, 0.0
	for k := 1; k <= m.asked(p); k++ {
		sets = sets * float64(p-k+1) / float64(k)
		if all += sets; k > 1 && all*float64(rows) > float64(m.Work) {
			return k - 1
		}
	}
	return m.asked(p)
}

// weights returns by columns of a set, from 0, what a minimal sample unique of p columns adds to a score.
func weights(by string, size, p int) []float64 {
	out := make([]float64, size+1)
	for k := 1; k <= size; k++ {
		w := 1.0
		if by == Elliot {
			for i := k; i <= min(size, p-1); i++ {
				w = float64(w * float64(p-i))
			}
		} else {
			for i := 1; i <= k; i++ { // k! (p-k)! / p!
				w = float64(w * (float64(i) / float64(p-i+1)))
			}
			w = float64(w * (portable.Exp2(float64(p-k)) - 1))
		}
		out[k] = w
	}
	return out
}
