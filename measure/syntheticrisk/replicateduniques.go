package syntheticrisk

import (
	"context"
	"errors"
	"math"
	"slices"
	"strconv"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/internal/system/parallel"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/measure/internal/channel"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// ReplicatedUniques measures how many people's rows are in a release, in whatever record: the replicated
// uniques of the literature on synthetic data, minus what chance gives.
//
// The other measures of identity ask whether an intruder takes a person's released record for theirs. Where a technique
// exchanges whole rows between records, they find next to nobody, and yet the release is the original in another order:
// anyone who looks up a person finds their row, and reads in it whatever they did not know. So this measure takes both
// tables as sets of rows. Somebody is given away when they are alone in the original with what the intruder knows of
// them, and some released row of another record is equal to theirs in all columns, or in all but one without which they
// are still alone: one column that was perturbed by itself saves nobody. Columns of which the intruder knows a range or
// a group only do not make anybody alone.
//
// Chance. Where columns are few and have few values, rows of strangers meet by chance, and the more often the more a
// release has of the commonest. So the columns are dealt into two halves, anew for every person. Released rows with the
// person's values in one half have those in the other by chance as often as rows have that are the nearest to the
// person in the first half, but too far off to be the person's row whatever their other half is: these are some
// stranger's for certain, and much alike. Of rows that differ in as many columns the nearest count, by standard
// deviations: where columns are few, most of a table differs in as many. Where the first half leaves no row so far off,
// it tells nothing, and what is found counts as chance.
//
// The score is the share of the people whose row stands there minus that by chance, at least 0: how many more than
// chance explains. Lo and Hi are its one-sided 95 % bounds (package measure/internal/channel). Parts give both shares,
// and the share of people who are alone in the original.
//
// Numbers are equal when they are within a tenth of a standard deviation (parameter reach), as agreement has it in
// package linkage, so that a little noise besides does not hide an exchange; where somebody is not alone by such a
// yardstick, when they are the same.
//
// Where records are paired, a person's own released records do not count: found and the look-up judge them. It needs no
// pairs, so it judges synthetic records, and releases whose order is lost, as well; there every row counts. Values that
// were generalised are compared as they are released, so nobody is alone in a group of k.
//
// What it does not say. Several columns exchanged as a block, while others stay, show nobody's whole row; what can be
// read from the block is the business of learned. More noise than the reach hides an exchange, from this measure and
// from who looks for equal values. Where rows are short of what tells people apart, or noise drives strangers' rows
// together, chance explains much, and an exchange that is hidden by it shows less.
//
// Columns of all kinds count, but for identifiers and weights. A set of items is equal to the same set. With fewer than
// two columns there are no halves, and it does not apply.
//
// Where some people have several records, nobody but others makes them less alone, and a person's row stands there when
// one of their rows does.
//
// Missing values: equal to a missing value only; a value that was blanked is one that differs. What is missing of a
// person makes them alone where the intruder knows which values are missing.
//
// How well chance is told: of the two halves of a public table, which have nobody in common, the rows of one stand in
// the other for 2 to 8 of 100 people more than it says (Adult 8, CMC 6, Abalone 6, WBC 6, Wages 4, Mammography 2). So a
// figure below 0.1 shows nothing by itself. In Mushroom, whose columns follow from each other by rule, it is 27.
//
// Cost: O((n + m) p) once for a release, of n original and m released records with p columns, to list the records of a
// column by value; for everyone tried O((n + m) p / 64) and the records that are equal in a column, on all cores.
// People are sampled, never records (parameters people and pairs). With the budget of a report 30,162 records of 14
// columns take 1.3 times as long as a slices.Sort of a million random float64, and 1,000,000 take 7.4 times.
//
// Departures: the literature counts rows that are unique in the release, too, and by keys; to anyone who looks for
// somebody, two equal rows show the same. It counts no chance, which its authors leave to a comparison of releases.
//
// Reference: G. M. Raab, B. Nowok and C. Dibben, "Practical privacy metrics for synthetic data", 2024, on replicated
// uniques; the excess over a control is that of M. Giomi, F. Boenisch, C. Wehmeyer and B. Tasnádi, "A unified framework
// for quantifying privacy risk in synthetic data", PoPETs 2023.
var ReplicatedUniques = measure.Measure{
	Card: card.Card{
		Name:    "replicateduniques",
		Title:   "Whole rows in another record",
		Short:   "Replicated uniques",
		Aliases: []string{"replicated uniques", "repU", "exchanged rows"},
		Summary: "Share that is unique in what is known and whose row is in another released record, in full or " +
			"except for one column, beyond chance.",
		Paper:     "Raab, Nowok & Dibben 2024",
		Needs:     "an intruder; two columns; no pairing",
		Preserves: "0 when rows match by chance only; 1 when everyone is unique and the rows are released in other records",
		Missing:   "equal only to another missing value",
		Cost:      "O(n p) per person tested; people are sampled, never records",
	},
	Facts: measure.Facts{
		About: measure.Identity, Sets: true, Effort: measure.Fast, Place: 10, Bounds: map[string]string{"pairs": "300000000"},
		Act: func(n, who, _ message.Sentence) message.Sentence {
			return message.Say("act.replicateduniques").Part("n", n).Part("people", who)
		},
		Remedy: func(*table.Table) (message.Sentence, string) {
			return message.Say("remedy.replicateduniques"), ""
		},
	},
	Side:     measure.Risk,
	Better:   measure.Lower,
	Range:    table.Interval{Lo: 0, Hi: 1},
	Unit:     measure.OfPeople("unit.ofPeopleBeyondChance"),
	Intruder: true,
	New:      func() measure.Meter { return param.Default(&ReplicatedUniquesMeter{}) },
}

// ReplicatedUniquesMeter measures whose row stands in a release.
type ReplicatedUniquesMeter struct {
	People, Pairs int
	Reach         float64
}

// Params declares the parameters.
func (m *ReplicatedUniquesMeter) Params() param.Set {
	return param.Set{
		param.Int(&m.People, "people", 2000, 1, 10_000_000, "people", "test up to this many people"),
		param.Int(&m.Pairs, "pairs", 2_000_000_000, 1, math.MaxInt, "comparisons of two values", "and make at most "+
			"about this many comparisons, but test at least 100 people"),
		param.Float(&m.Reach, "reach", 0.1, 0, 10, "standard deviations", "numbers this close count as equal when "+
			"deciding who is unique"),
	}
}

// fewest is how many people are tried, whatever pairs.
const fewest = 100

// ReplicatedUniquesDetail is whose rows stand there.
type ReplicatedUniquesDetail struct {
	Intruder string `json:"intruder"`
	People   int    `json:"people"`
	Alone    int    `json:"alone"` // of those tried, those alone in the original with what is known of them
	channel.Gain
}

// Measure returns the share of people whose row stands in the release beyond chance with a ReplicatedUniquesDetail. It
// fails without records, and does not apply to fewer than two columns.
func (m *ReplicatedUniquesMeter) Measure(
	ctx context.Context,
	r *measure.Release,
	src rng.Source,
) (measure.Value, error) {
	if err := r.Check(); err != nil {
		return measure.Value{}, err
	}
	if r.Original.Rows() == 0 || r.Released.Rows() == 0 {
		return measure.Value{}, errors.New("a table has no records")
	}
	view, err := r.View()
	if err != nil {
		return measure.Value{}, err
	}
	c, err := compile(r, view, m.Reach)
	switch {
	case err != nil:
		return measure.Value{}, err
	case len(c.columns) < 2:
		return measure.Value{}, measure.NotApplicable(message.Say("measure.skipped.narrow"))
	case !slices.ContainsFunc(c.columns, func(c *replicatedColumn) bool { return c.known }):
		return measure.Value{}, measure.NotApplicable(message.Say("measure.skipped.knowsNoneExactly"))
	}
	work := (r.Original.Rows() + r.Released.Rows()) * len(c.columns)
	targets := r.Targets(min(m.People, max(fewest, m.Pairs/work)), 0)
	n := len(targets.Rows)
	stands, chance, alone := make([]float64, n), make([]float64, n), make([]float64, n)
	_, err = parallel.With(
		ctx,
		len(targets.Rows),
		func() *seeker { return newSeeker(c, r.Released.Rows()) },
		func(s *seeker, k int) error {
			row := targets.Rows[k]
			if s.alone(row) {
				alone[k] = 1
				stands[k], chance[k] = s.look(row, src.Fork(strconv.FormatUint(uint64(r.Original.ID(row)), 10)).Rand())
			}
			return nil
		},
	)
	if err != nil {
		return measure.Value{}, err
	}
	d := &ReplicatedUniquesDetail{Intruder: view.Name, People: targets.People}
	for _, a := range targets.Most(alone) {
		d.Alone += int(a)
	}
	d.Gain = channel.Count(targets.Most(stands), targets.Most(chance), make([]bool, targets.Tried))
	return d.value(), nil
}

func (d *ReplicatedUniquesDetail) value() measure.Value {
	v := measure.Value{Score: d.More, Lo: d.Lo, Hi: d.Hi, Detail: d, Parts: []measure.Part{
		{Key: "found", Name: message.Say("measure.replicateduniques.part.found"), Score: d.With},
		{Key: "chance", Name: message.Say("measure.replicateduniques.part.chance"), Score: d.Without},
		{
			Key:   "alone-before",
			Name:  message.Say("measure.replicateduniques.part.alone-before"),
			Score: float64(d.Alone) / float64(max(1, d.Tried)),
		},
	}}
	if d.Tried < d.People {
		v.Notes = append(v.Notes, measure.Sample(d.Tried, d.People))
	}
	return v
}

// Sentence says whose rows stand there.
func (d *ReplicatedUniquesDetail) Sentence() message.Sentence {
	return message.Say("measure.replicateduniques.says").Count("people", d.Tried).
		Share("alone", float64(d.Alone)/float64(max(1, d.Tried))).Share("found", d.With).Share("chance", d.Without)
}
