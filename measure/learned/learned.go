// Package learned measures how much the best of several attacks learns about secrets of people in a release, beyond
// what it learns about people who are not in it.
//
// Every attack guesses a secret, a category or a number, of people of the original; a number is right within the
// parameter tolerance, and of t values that are guessed alike each counts 1/t. The attacks are
//   - the votes of the 1, 5 and 20 nearest released records by distance (package measure/internal/nearest), and of all
//     as near as the last,
//   - the same of the records that agree best, each column weighted by what agreement on it tells (Fellegi & Sunter
//     1969): with one vote the secret is read off the record that is found,
//   - boosted trees (package internal/boosting) that learned from the release to tell the secret from what is known,
//   - the commonest value in the segment that the person falls in, where the intruder knows the technique and all
//     columns by which it divides.
//
// The first two are played with all that is known, and with subsets that begin with the column that the release changed
// least and grow by the next, so that noise in one column hides nothing that another one tells. Who knows which values
// are missing (intruder.View) compares that, too.
//
// Of the people tried one half chooses, for every secret, the attack and the subset; the other half counts, so the
// figure does not gain by there being many attacks. The score is that of the secret that the first half found the most
// learned of.
//
// The control group tells what anybody learns of anybody. With a hold-out it is the same attack on the people there.
// Without one, of paired tables, it is the same attack on the same people, each as if the own record were not in the
// release: near records and segments vote without it, and trees are asked that grew without it (in five folds; the
// attack asks trees that grew with it on equally many records). Where some people have several records, or households
// are told, all of theirs are left out: a member's record tells what is one for all of them. A record has nothing to do
// with the others given the pattern, so a person without the record is as good as one who was never in the file, where
// records are disguised one by one. Where some are disguised together, as in groups that are averaged, others carry a
// part of the record, and the control learns a little of it: give a hold-out. Segments may have been made by the
// secrets themselves, as the leaves of a tree; so their control is, where it is right less often, what trees tell that
// grew without the record, or the commonest value. A vote of more than 200 records is held against one of as many
// without the record. Of unpaired tables without a hold-out the guess of the commonest value is the control, and a note
// says so.
//
// What counts is the share of what the control left to learn: (attack - control) / (1 - control), 0 when it is negative
// (Giomi et al. 2023). Lo and Hi are one-sided 95 % bounds. With a hold-out they combine the bounds of Clopper &
// Pearson (1934) of the attack and of the control, at 97.5 % each. Where the control is of the same people, what is
// learned is g - l: g is the share of those whom the control gets wrong that the attack gets right, l the number of
// those whom the attack alone gets wrong, relative to the former. They combine the bounds of g at 97 % and, at 99 %,
// those of the shares of the latter and of the control. Both hold by Bonferroni's inequality whatever the rates have to
// do with each other.
//
// Parts give, by secret, what is learned, both rates, what the attack that is right most often is right for, and the
// share of the people for whom all records that vote in it have one value. What follows from what is known, for
// anybody, such as a segment that fixes the secret of all who are like those in it, is no part of the score; a note
// tells it. The Detail tells the best attack (measure.Assault) and what the same intruder learns with the original in
// place of the release.
//
// Missing values: a person who lacks the secret is not judged in it, and a record that lacks it has no vote; a note
// says where the release shows who lacks it. What is not known of a person, or missing in a record, is at the mean
// distance.
//
// Cost: all records are compared with every person who is tried, whatever the data, so people are sampled: at most the
// parameter people, and so many that about the parameter values are compared to choose by and to count. Trees learn
// from a sample of the parameter train, in which everybody who is tried is. A few columns of few values in a row are
// looked up at once. By the benchmark 30,162 records like Adult's take some 30 times the processor time of a
// slices.Sort of a million random float64, and 1,000,000 some 45 times, half of it for the original; a report takes a
// twentieth of the comparisons (Bounds).
//
// References: M. Giomi, F. Boenisch, C. Wehmeyer and B. Tasnádi, "A unified framework for quantifying privacy risk in
// synthetic data", PoPETs 2023; C. J. Clopper and E. S. Pearson, "The use of confidence or fiducial limits illustrated
// in the case of the binomial", Biometrika 26, 1934; I. P. Fellegi and A. B. Sunter, "A theory for record linkage",
// JASA 64, 1969.
package learned

import (
	"context"
	"fmt"
	"math"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// Measure is the catalogue entry.
var Measure = measure.Measure{
	Card: card.Card{
		Name:    "learned",
		Title:   "Secrets learned by the best attack",
		Short:   "Secrets learned",
		Aliases: []string{"worst attribute disclosure"},
		Summary: "How much more often the best of several attacks guesses a secret of those in the release than of " +
			"those who are not.",
		Paper: "Giomi, Boenisch, Wehmeyer & Tasnádi 2023, for the control group",
		Needs: "an intruder with a secret; paired records or a hold-out, otherwise the most frequent value is the control",
		Preserves: "1 when secrets are read off, 0 when they are guessed equally well for people who are not in " +
			"the release",
		Missing: "people with a missing secret are not tested; records without it have no vote",
		Cost:    "bounded: tests at most the parameter people, fewer if there are many records",
	},
	Facts: measure.Facts{
		Act: func(n, who, secret message.Sentence) message.Sentence {
			return message.Say("act.learned").Part("n", n).Part("people", who).Part("secret", secret)
		},
		About:  measure.Secret,
		Counts: measure.Records,
		Effort: measure.Fast,
		Bounds: map[string]string{"values": "150000000", "train": "3000"},
		Place:  1,
		Figure: measure.Entry{Place: 2, Says: message.Say("headFigure.learned")},
	},
	Side:     measure.Risk,
	Better:   measure.Lower,
	Range:    table.Interval{Lo: 0, Hi: 1},
	Unit:     measure.In(measure.Share, message.Say("unit.beyondControl")),
	Intruder: true,
	New:      func() measure.Meter { return New() },
}

// Meter holds the parameters.
type Meter struct {
	Tolerance float64
	People    int
	Values    int
	Train     int
}

// New returns the meter with its defaults.
func New() *Meter { return param.Default(&Meter{}) }

// Params declares the parameters.
func (m *Meter) Params() param.Set {
	return param.Set{
		param.Float(&m.Tolerance, "tolerance", 0.1, 0, 100, "standard deviations", "a guess this close to a number "+
			"is correct"),
		param.Int(&m.People, "people", 1400, 2, math.MaxInt32, "people", "test at most this many; half of them "+
			"choose the attack"),
		param.Int(&m.Values, "values", 3_000_000_000, 1000, math.MaxInt, "values",
			"compare at most about this many with what is known about people, to choose and to count; above it "+
				"fewer people are tested, at least 100"),
		param.Int(&m.Train, "train", 20_000, 100, 1_000_000, "records", "learn the trees from at most this many"),
	}
}

// Measure returns the share of the people whose secret is learned, beyond the control's, with a Detail. It fails when
// the intruder has no secret, when nobody has a value in one, and when a table has no records.
func (m *Meter) Measure(ctx context.Context, r *measure.Release, _ rng.Source) (measure.Value, error) {
	view, err := r.SecretView()
	if err != nil {
		return measure.Value{}, err
	}
	secrets, worst, err := m.play(ctx, r, view)
	if err != nil {
		return measure.Value{}, err
	}
	if secrets == nil {
		return measure.Value{}, measure.NotApplicable(message.Say("measure.skipped.secretless"))
	}
	if r.Released == r.Original {
		for k := range secrets {
			secrets[k].Before = &secrets[k].Share
		}
	} else if err := m.before(ctx, r, secrets); err != nil {
		return measure.Value{}, err
	}
	d := &Detail{Intruder: view.Name, People: r.Original.Rows(), Secrets: secrets, Worst: worst}
	return d.value(), nil
}

// before sets what the same intruder learns with the original in place of the release, once for all releases of an
// original; it is left out where the intruder cannot be played there.
func (m *Meter) before(ctx context.Context, r *measure.Release, secrets []Secret) error {
	was := &measure.Release{Original: r.Original, Holdout: r.Holdout, Paired: true, Intruder: r.Intruder, Owners: r.Owners,
		Work: measure.NewWorkspace()}
	if r.Exact != nil {
		was.Original, was.Holdout = r.Exact, r.ExactHoldout
	}
	was.Released = was.Original
	view, err := was.View()
	if err != nil || len(view.Secret) == 0 {
		return nil
	}
	got, err := measure.PerOriginal(r, fmt.Sprintf("learned of the original %+v %+v %t by %q and %q %t",
		*m, *view, was.Holdout != nil, r.Person, r.Household, r.Declared != nil),
		func(*table.Table) ([]Secret, error) {
			half := *m
			half.People, half.Values, half.Train = max(2, m.People/2), max(1, m.Values/4), max(1, m.Train/2)
			all, _, err := half.play(ctx, was, view)
			return all, err
		})
	if err != nil {
		return err
	}
	for _, s := range got {
		for k := range secrets {
			if secrets[k].Name == s.Name {
				secrets[k].Before = &s.Share
			}
		}
	}
	return nil
}
