// Package uniqueness measures how many persons can be picked out of a release as the only one with what is known of them.
//
// What it does. A record is unique when no other agrees with it in every column the intruder knows (package measure/internal/classes, which says
// how knowledge that is not exact is compared). A person who is unique in the original is found when exactly one released record has
// the person's known values: that is what an intruder sees. The score is the share of the original records that are found, where
// records are paired rightly so: the record found is the person's own. Parts give the share of unique records in the release and in
// the original, the share of the original's unique ones that are found, and of these the share found rightly.
//
// Releasing the original gives the share of its unique records, which is the most that any release can give. Perturbed values are not
// looked for nearby: an intruder who expects noise finds more than one who looks for the same values; see reidentification and
// linkage.
//
// It needs no pairing; without it the finds cannot be told from chance ones, which count then.
//
// Missing values: by default a missing known value is a value of its own; with missing=any it agrees with every value, in either table.
//
// Cost: O((n+m) p) for n original and m released records and p known columns, on all cores; with missing=any as package measure/internal/classes
// says.
//
// Reference: C. J. Skinner and M. J. Elliot, "A measure of disclosure risk for microdata", JRSS B 64(4), 2002, whose uniques these are
// in the sample; L. Sweeney, "Simple demographics often identify people uniquely", Carnegie Mellon University, 2000.
package uniqueness

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/measure/internal/classes"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// Measure is the catalogue entry.
var Measure = measure.Measure{
	Card: card.Card{
		Name:      "uniqueness",
		Title:     "Uniqueness",
		Aliases:   []string{"sample uniques", "unique records"},
		Summary:   "Share of the persons who are the only one with what is known of them, and are found in the release by the same values.",
		Paper:     "Skinner & Elliot 2002",
		Needs:     "an intruder; pairs to tell right finds from chance ones",
		Preserves: "0 when nobody is found; the original released as it is gives the share of its unique records",
		Biases:    "looks for the same values only, not for near ones",
		Missing:   "a missing known value is a value of its own, or agrees with every value",
		Cost:      "O(n p)",
	},
	Facts: measure.Facts{
		About:  measure.Identity,
		Effort: measure.Fast,
		Place:  5,
		Record: measure.Entry{Place: 4, Text: "probability of a guess among the records with the person's values"},
	},
	Side:     measure.Risk,
	Better:   measure.Lower,
	Range:    table.Interval{Lo: 0, Hi: 1},
	Unit:     "share of the persons",
	Intruder: true,
	New:      func() measure.Meter { return param.Default(&Meter{}) },
}

// Meter measures uniqueness.
type Meter struct{ classes.Options }

// Detail counts unique records.
type Detail struct {
	Intruder       string `json:"intruder"`
	Original       int    `json:"original"` // records
	Released       int    `json:"released"`
	UniqueOriginal int    `json:"uniqueOriginal"`
	UniqueReleased int    `json:"uniqueReleased"`
	Found          int    `json:"found"`           // unique in the original, and one released record has the same known values
	Right          *int   `json:"right,omitempty"` // of these, those where it is the own record; absent where records are not paired

	risk []float64
}

// Measure returns the share of the original records that are found, with a Detail. It fails when a table has no records.
func (m *Meter) Measure(ctx context.Context, r *measure.Release, _ rng.Source) (measure.Value, error) {
	if err := r.Check(); err != nil {
		return measure.Value{}, err
	}
	view, err := r.View()
	if err != nil {
		return measure.Value{}, err
	}
	if r.Original.Rows() == 0 || r.Released.Rows() == 0 {
		return measure.Value{}, errors.New("a table has no records")
	}
	c, err := classes.Of(ctx, view.Known, m.Anything(), r.Original, r.Released)
	if err != nil {
		return measure.Value{}, err
	}
	counts, err := c.Candidates(ctx)
	if err != nil {
		return measure.Value{}, err
	}
	d := count(c, counts, r.Paired)
	d.Intruder = view.Name
	v := measure.Exact(float64(d.taken())/float64(d.Original), d.parts())
	if d.Right == nil {
		v.Notes = append(v.Notes, "records are not paired, so finds by chance count too")
	}
	v.Detail = d
	return v, nil
}

// count finds the unique records. Candidates are by table, the original first, and class.
func count(c *classes.Classes, counts [][]int32, paired bool) Detail {
	original, released := c.Of[0], c.Of[1]
	d := Detail{Original: len(original), Released: len(released), risk: make([]float64, len(original))}
	for _, class := range released {
		if counts[1][class] == 1 {
			d.UniqueReleased++
		}
	}
	right := 0
	for i, class := range original {
		candidates := counts[1][class]
		own := paired && c.Alike(class, released[i])
		switch {
		case !paired:
			d.risk[i] = math.NaN()
		case own:
			d.risk[i] = 1 / float64(candidates)
		}
		if counts[0][class] > 1 {
			continue
		}
		d.UniqueOriginal++
		if candidates == 1 {
			d.Found++
			if own {
				right++
			}
		}
	}
	if paired {
		d.Right = &right
	}
	return d
}

// taken is the finds that the score counts.
func (d *Detail) taken() int {
	if d.Right != nil {
		return *d.Right
	}
	return d.Found
}

func (d *Detail) parts() []measure.Part {
	parts := []measure.Part{
		{Name: "share of released records that are unique", Score: share(d.UniqueReleased, d.Released)},
		{Name: "share of original records that are unique", Score: share(d.UniqueOriginal, d.Original)},
		{Name: "share of the original's unique ones that are found", Score: share(d.Found, d.UniqueOriginal)},
	}
	if d.Right != nil {
		parts = append(parts, measure.Part{Name: "share of the finds that are right", Score: share(*d.Right, d.Found)})
	}
	return parts
}

// share returns a/b, and 0 where there is nothing to take a share of.
func share(a, b int) float64 {
	if b == 0 {
		return 0
	}
	return float64(a) / float64(b)
}

// Records returns for every original record the probability that it is hit by a guess among the released records that have its known
// values: 1 over their number where its own is among them, else 0. NaN where records are not paired.
func (d Detail) Records() []float64 { return d.risk }

// Sentence says whom the intruder picks out.
func (d Detail) Sentence() string {
	text := fmt.Sprintf("Of %d people, %d (%.2f %%) are the only one with what this intruder knows of them; for %d of these exactly one released "+
		"record has the same values",
		d.Original, d.UniqueOriginal, 100*share(d.UniqueOriginal, d.Original), d.Found)
	if d.Right != nil {
		return text + fmt.Sprintf(", which is their own for %d.", *d.Right)
	}
	return text + "."
}
