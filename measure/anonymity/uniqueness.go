package anonymity

import (
	"context"
	"errors"
	"math"
	"slices"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/intruder"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/measure/internal/classes"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// Uniqueness measures how many people can be singled out in a release because they are unique in what is known
// about them.
//
// A record is unique when no other agrees with it in every column the intruder knows (package measure/internal/classes,
// which says how knowledge that is not exact is compared). A person who is unique in the original is found when exactly
// one released record has the person's known values: that is what an intruder sees. The score is the share of the
// original records that are found, where records are paired rightly so: the record found is the person's own. Parts
// give the share of unique records in the release and in the original, the share of the original's unique ones that are
// found, and of these the share found rightly.
//
// Where it is known which records are one person's, people are counted: somebody is the only one where all records with
// one of their sets of known values are their own.
//
// Where the release lacks values that the person has, they were suppressed, and an intruder compares what is left: a
// missing released value agrees with everything then, unless a record lacks everything that is known, which hides
// nobody. So whom suppression left alone is found, and whom it put among others is not.
//
// Releasing the original gives the share of its unique records, which is the most that any release can give. Perturbed
// values are not looked for nearby: an intruder who expects noise finds more than one who looks for the same values;
// see found, reidentification and linkage. A note says so where no record has the known values of its person.
//
// It needs no pairing; without it the finds cannot be told from chance ones, which count then. Where the plan says that
// known values were drawn anew, there are no others, and the measure does not apply.
//
// Missing values: by default a missing known value is a value of its own where the release lacks none that the original
// has, and agrees with everything where it does; with missing=value and missing=any it does the one or the other, in
// either table.
//
// Cost: O((n+m) p) for n original and m released records and p known columns, on all cores; with missing=any as package
// measure/internal/classes says.
//
// Reference: C. J. Skinner and M. J. Elliot, "A measure of disclosure risk for microdata", JRSS B 64(4), 2002, whose
// uniques these are in the sample; L. Sweeney, "Simple demographics often identify people uniquely", Carnegie Mellon
// University, 2000.
var Uniqueness = measure.Measure{
	Card: card.Card{
		Name:      "uniqueness",
		Title:     "Uniqueness",
		Aliases:   []string{"sample uniques", "unique records"},
		Summary:   "Share that is unique in what is known and is found in the release by the same values.",
		Paper:     "Skinner & Elliot 2002",
		Needs:     "an intruder; paired records to distinguish correct matches from chance",
		Preserves: "0 when nobody is found; releasing the original unchanged gives its share of unique records",
		Biases:    "considers identical values only, not similar ones",
		Missing: "a separate value and a suppressed one (*) another, as in ARX, or both match every value, as in " +
			"sdcMicro, which is the default if values were suppressed",
		Cost: "O(n p)",
	},
	Facts: measure.Facts{
		About:  measure.Identity,
		Effort: measure.Fast,
		Place:  5,
		Record: measure.Entry{Place: 4, Says: message.Say("riskOf.uniqueness")},
	},
	Side:     measure.Risk,
	Better:   measure.Lower,
	Range:    table.Interval{Lo: 0, Hi: 1},
	Unit:     measure.In(measure.Share, message.Say("unit.ofThePersons")),
	Intruder: true,
	New:      func() measure.Meter { return param.Default(&UniquenessMeter{}) },
}

// Suppressed is what a missing known value agrees with by default: with anything where the release lacks values that
// the original has.
const Suppressed = "suppressed"

// UniquenessMeter measures uniqueness.
type UniquenessMeter struct {
	Missing string // suppressed, value or any
}

// Params declares the parameters.
func (m *UniquenessMeter) Params() param.Set {
	return param.Set{param.Choice(&m.Missing, "missing", Suppressed, []string{Suppressed, classes.Value, classes.Any},
		"what a missing known value matches: anything if values were suppressed, only another missing one, or anything")}
}

// UniquenessDetail counts unique records.
type UniquenessDetail struct {
	Intruder       string `json:"intruder"`
	Original       int    `json:"original"` // records
	Released       int    `json:"released"`
	UniqueOriginal int    `json:"uniqueOriginal"`
	UniqueReleased int    `json:"uniqueReleased"`
	Found          int    `json:"found"` // unique in the original, and one released record has the same known values
	Right          *int   `json:"right"` // of these, those where it is the own record; absent where records are not paired

	risk []float64
	kept bool // a record has the known values of its person
}

// Measure returns the share of the original records that are found, with an UniquenessDetail. It fails when a table has
// no records.
func (m *UniquenessMeter) Measure(ctx context.Context, r *measure.Release, _ rng.Source) (measure.Value, error) {
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
	if !r.Paired {
		if _, err := classes.Applies(r, view); err != nil {
			return measure.Value{}, err
		}
	}
	gone := 0
	if m.Missing == Suppressed {
		gone = lost(r, view)
	}
	c, err := classes.Of(ctx, view.Known, m.Missing == classes.Any || gone > 0, r.Original, r.Released)
	if err != nil {
		return measure.Value{}, err
	}
	d, err := m.people(ctx, r, view, c, gone > 0)
	if err != nil {
		return measure.Value{}, err
	}
	d.Intruder = view.Name
	v := measure.Exact(float64(d.taken())/float64(d.Original), d.parts())
	if d.Right == nil {
		v.Notes = append(v.Notes, message.Say("measure.uniqueness.note.unpaired"))
	}
	if r.Paired && len(view.Known) > 0 && !d.kept {
		v.Notes = append(v.Notes, message.Say("measure.uniqueness.note.nothing"))
	}
	if gone > 0 {
		v.Notes = append(v.Notes, message.Say("measure.uniqueness.note.suppressed").Count("n", gone))
	}
	v.Detail = d
	return v, nil
}

// people counts the unique ones: records, unless it is known which are one person's.
func (m *UniquenessMeter) people(
	ctx context.Context,
	r *measure.Release,
	view *intruder.View,
	c *classes.Classes,
	gone bool,
) (UniquenessDetail, error) {
	if of, n := r.People(); of != nil && r.Paired {
		var void []bool
		if gone {
			void = voids(r.Released, view)
		}
		return countPeople(ctx, c, of, n, void)
	}
	counts, err := c.Candidates(ctx)
	if err != nil {
		return UniquenessDetail{}, err
	}
	empty := int32(-1)
	if gone {
		counts, empty = uncover(c, counts, r.Released, view)
	}
	return count(c, counts, empty, r.Paired), nil
}

// lost returns how many known values the release lacks more than the original.
func lost(r *measure.Release, view *intruder.View) int {
	n := 0
	for _, j := range view.Columns() {
		for i := range r.Released.Rows() {
			if r.Released.MissingAt(i, j) {
				n++
			}
		}
		for i := range r.Original.Rows() {
			if r.Original.MissingAt(i, j) {
				n--
			}
		}
	}
	return max(0, n)
}

// uncover takes the released records that lack everything that is known out of the candidates of others: they hide
// nobody. It returns their class, -1 where there are none.
func uncover(
	c *classes.Classes,
	counts [][]int32,
	released *table.Table,
	view *intruder.View,
) (candidates [][]int32, empty int32) {
	void := -1
	for i := range c.Of[1] {
		if !slices.ContainsFunc(view.Columns(), func(j int) bool { return !released.MissingAt(i, j) }) {
			void = i
			break
		}
	}
	if void < 0 {
		return counts, -1
	}
	own := c.Of[1][void]
	out := slices.Clone(counts[1])
	for class := range out {
		if int32(class) != own {
			out[class] -= c.Sizes[1][own]
		}
	}
	return [][]int32{counts[0], out}, own
}

// count finds the unique records. Candidates are by table, the original first, and class; a record of the empty class
// is found by nobody else.
func count(c *classes.Classes, counts [][]int32, empty int32, paired bool) UniquenessDetail {
	original, released := c.Of[0], c.Of[1]
	d := UniquenessDetail{Original: len(original), Released: len(released), risk: make([]float64, len(original))}
	for _, class := range released {
		if counts[1][class] == 1 {
			d.UniqueReleased++
		}
	}
	right := 0
	for i, class := range original {
		candidates := counts[1][class]
		own := paired && c.Alike(class, released[i]) && (class == empty || released[i] != empty)
		d.kept = d.kept || own || empty >= 0 && paired && released[i] == empty
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
func (d *UniquenessDetail) taken() int {
	if d.Right != nil {
		return *d.Right
	}
	return d.Found
}

func (d *UniquenessDetail) parts() []measure.Part {
	parts := []measure.Part{
		{
			Key:   "unique",
			Name:  message.Say("measure.uniqueness.part.unique"),
			Score: uniqueShare(d.UniqueReleased, d.Released),
		},
		{
			Key:   "unique-original",
			Name:  message.Say("measure.uniqueness.part.unique-original"),
			Score: uniqueShare(d.UniqueOriginal, d.Original),
		},
		{
			Key:   "unique-found",
			Name:  message.Say("measure.uniqueness.part.unique-found"),
			Score: uniqueShare(d.Found, d.UniqueOriginal),
		},
	}
	if d.Right != nil {
		parts = append(
			parts,
			measure.Part{
				Key:   "right",
				Name:  message.Say("measure.uniqueness.part.right"),
				Score: uniqueShare(*d.Right, d.Found),
			},
		)
	}
	return parts
}

// uniqueShare returns a/b, and 0 where there is nothing to take a share of.
func uniqueShare(a, b int) float64 {
	if b == 0 {
		return 0
	}
	return float64(a) / float64(b)
}

// Records returns for every original record the probability that it is hit by a guess among the released records that
// have its known values: 1 over their number where its own is among them, else 0. NaN where records are not paired.
func (d UniquenessDetail) Records() []float64 { return d.risk }

// Sentence says whom the intruder picks out.
func (d UniquenessDetail) Sentence() message.Sentence {
	if d.Right == nil {
		return message.Say("measure.uniqueness.says").Count("people", d.Original).Count("unique", d.UniqueOriginal).
			Share("share", uniqueShare(d.UniqueOriginal, d.Original)).Count("found", d.Found)
	}
	return message.Say("measure.uniqueness.saysRight").Count("people", d.Original).Count("unique", d.UniqueOriginal).
		Share("share", uniqueShare(d.UniqueOriginal, d.Original)).Count("found", d.Found).Count("right", *d.Right)
}
