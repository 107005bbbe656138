package linkage

import (
	"context"
	"errors"
	"slices"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/internal/system/parallel"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/measure/internal/channel"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// RepeatedRecords measures what an intruder gains who knows which released records belong to the same person:
// noise drawn separately for each record averages out.
//
// Where a person has several records, such as visits, some columns hold the same value in all of them: a postcode, a
// year of birth. The intruder estimates it from one released record and from all of the person's. A number is estimated
// by the mean and by the median, a category by majority and by the product of likelihoods: how often each category is
// released as which, and how common it is, as the pairs of records of other people show. A number is right when it is
// within the parameter tolerance of the original, in per cent of the range of the originals; of one record every one is
// tried, and the credit is the mean. Column and way are chosen on one half of the people and counted on the other
// (package measure/internal/channel). The score is by how much the share of the people whose value is right rises, with
// one-sided 95 % bounds (Clopper & Pearson 1934). Parts give both shares: what all records tell is what a custodian
// must fear, whatever one tells.
//
// A technique that gives all records of a person the same noise has 0, and so has a column that is released as it is:
// one record tells it already.
//
// It applies to an intruder for whom a policy names the column that tells persons apart (person: COLUMN), which may be
// an identifier that the release lacks: who knows that the records of a file come in runs, or finds a pseudonym in it,
// needs no name. It needs paired records.
//
// Missing values: a person whose original values differ, or are missing in some records, is not tried in that column;
// released values that are missing tell nothing.
//
// Cost: O(n p), with people above the parameter people left out, and O(v) for each value of a category with v labels,
// up to 64 of them; with more labels majority alone decides.
//
// Departures: none; there is no published measure of this channel.
//
// Reference: D. Agrawal and C. C. Aggarwal, "On the design and quantification of privacy preserving data mining
// algorithms", PODS 2001, on what repeated draws of noise reveal; U. Erlingsson, V. Pihur and A. Korolova, "RAPPOR",
// CCS 2014, section 4, on averaging attacks.
var RepeatedRecords = measure.Measure{
	Card: card.Card{
		Name:      "repeatedrecords",
		Title:     "Several records of one unit",
		Short:     "Repeated records",
		Aliases:   []string{"averaging attack", "repeated persons"},
		Summary:   "How much more often a value is guessed correctly from all records of a unit than from one.",
		Paper:     "Agrawal & Aggarwal 2001; Erlingsson, Pihur & Korolova 2014, section 4",
		Needs:     "an intruder who knows which records belong to the same person; paired records",
		Preserves: "0 when all records of a person have the same noise",
		Missing:   "reveals nothing",
		Cost:      "O(n p)",
	},
	Facts: measure.Facts{
		Besides: true, About: measure.Secret, Effort: measure.Fast, Place: 11,
		Act: func(n, who, _ message.Sentence) message.Sentence {
			return message.Say("act.repeatedrecords").Part("n", n).Part("people", who)
		},
		Remedy: func(*table.Table) (message.Sentence, string) {
			return message.Say("remedy.repeatedrecords"), ""
		},
	},
	Side:     measure.Risk,
	Better:   measure.Lower,
	Range:    table.Interval{Lo: 0, Hi: 1},
	Unit:     measure.OfPeople("unit.ofPeople"),
	Intruder: true,
	New:      func() measure.Meter { return param.Default(&RepeatedRecordsMeter{}) },
}

// RepeatedRecordsMeter measures what several records of a person tell.
type RepeatedRecordsMeter struct {
	People    int
	Tolerance float64
}

// Params declares the parameters.
func (m *RepeatedRecordsMeter) Params() param.Set {
	return param.Set{
		param.Int(&m.People, "people", 20_000, 2, 10_000_000, "people", "test up to this many people"),
		param.Float(&m.Tolerance, "tolerance", 1, 0, 100, "% of the range", "a guess this close to a number is correct"),
	}
}

// RepeatedRecordsColumn is what the records of a person tell of one column, of the half of the people on which attacks
// are counted.
type RepeatedRecordsColumn struct {
	Column string           `json:"column"`
	By     message.Sentence `json:"by"` // how the value is told by all records
	channel.Gain
}

// RepeatedRecordsDetail is what the records of a person tell.
type RepeatedRecordsDetail struct {
	Intruder string                  `json:"intruder"`
	By       string                  `json:"person"`  // the column that tells persons apart
	People   int                     `json:"people"`  // with several records
	Tried    int                     `json:"tried"`   // of them
	Each     float64                 `json:"records"` // of one of those tried, on average
	Best     *RepeatedRecordsColumn  `json:"best"`    // in which most is gained; nil without a column that stays the same
	Columns  []RepeatedRecordsColumn `json:"columns"`
}

// Measure returns by how much several records tell more than one, with a RepeatedRecordsDetail. It fails when records
// are not paired, and does not apply where the intruder cannot tell persons, or nobody has several records.
func (m *RepeatedRecordsMeter) Measure(ctx context.Context, r *measure.Release, src rng.Source) (measure.Value, error) {
	view, err := r.PairedView()
	if err != nil {
		return measure.Value{}, err
	}
	if view.Person == "" {
		return measure.Value{}, measure.NotApplicable(message.Say("measure.skipped.noPerson"))
	}
	people, err := several(r, view.Person)
	if err != nil {
		return measure.Value{}, err
	}
	if len(people) == 0 {
		return measure.Value{}, measure.NotApplicable(message.Say("measure.skipped.singleRecords"))
	}
	d := &RepeatedRecordsDetail{
		Intruder: view.Name,
		By:       view.Person,
		People:   len(people),
		Columns:  []RepeatedRecordsColumn{},
	}
	var tried [][]int32
	for _, k := range measure.Drawn(len(people), m.People) {
		tried = append(tried, people[k])
		d.Each += float64(len(people[k]))
	}
	d.Tried = len(tried)
	d.Each /= float64(d.Tried)
	v, err := m.tell(ctx, r, d, tried, src)
	v.Detail = d
	return v, err
}

// several returns the rows of every person who has at least two, in the order of their first.
func several(r *measure.Release, by string) ([][]int32, error) {
	of := r.Named(by)
	if of == nil {
		j := r.Original.Find(by)
		if j < 0 {
			return nil, errors.New("it is not known which records are one person's: the original has no such column")
		}
		of = ofColumn(r.Original.Column(j))
	}
	records := make([]int32, 1+slices.Max(of)) // of every person
	for _, p := range of {
		records[p]++
	}
	var people [][]int32
	place := make([]int32, len(records)) // of a person with several: 1 + that in people
	for i, p := range of {
		if records[p] < 2 {
			continue
		}
		if place[p] == 0 {
			people = append(people, make([]int32, 0, records[p]))
			place[p] = int32(len(people))
		}
		people[place[p]-1] = append(people[place[p]-1], int32(i))
	}
	return people, nil
}

// ofColumn numbers persons by the values of a column; a record without a value is one of its own.
func ofColumn(c table.Column) []int32 {
	of, at := make([]int32, c.Len()), map[string]int32{}
	next := int32(0)
	var key []byte
	for i := range of {
		key = c.AppendKey(key[:0], i)
		k, known := at[string(key)]
		if missing := c.MissingAt(i); missing || !known {
			k = next
			if next++; !missing {
				at[string(key)] = k
			}
		}
		of[i] = k
	}
	return of
}

// tell takes every column of the people.
func (m *RepeatedRecordsMeter) tell(
	ctx context.Context,
	r *measure.Release,
	d *RepeatedRecordsDetail,
	people [][]int32,
	src rng.Source,
) (measure.Value, error) {
	found, chosen, err := m.attack(ctx, r, d.By, people, channel.Halves(src.Fork("halves"), len(people)))
	if err != nil {
		return measure.Value{}, err
	}
	best := -1
	for k := range found {
		if 2*found[k].Tried < len(people)-len(people)/2 { // of most people it is not the same in all records
			continue
		}
		d.Columns = append(d.Columns, found[k])
		if best < 0 || chosen[k] > chosen[best] {
			best = k
		}
	}
	if best < 0 {
		return measure.Exact(0, nil, message.Say("measure.repeatedrecords.note.none")), nil
	}
	g := &found[best]
	d.Best = g
	return measure.Value{Score: g.More, Lo: g.Lo, Hi: g.Hi, Parts: []measure.Part{
		{
			Key:   "right-all",
			Of:    g.Column,
			Name:  message.Say("measure.repeatedrecords.part.right-all").Name("column", g.Column),
			Score: g.With,
		},
		{Key: "right-one", Name: message.Say("measure.repeatedrecords.part.right-one"), Score: g.Without},
		{Key: "records", Name: message.Say("measure.repeatedrecords.part.records"), Score: d.Each},
	}}, nil
}

// attack guesses the values of every column but the one that tells persons apart. It returns what is found of each on
// the half of the people on which attacks are counted, and what is gained on that on which they are chosen.
func (m *RepeatedRecordsMeter) attack(
	ctx context.Context,
	r *measure.Release,
	by string,
	people [][]int32,
	choosing []bool,
) (found []RepeatedRecordsColumn, chosen []float64, err error) {
	var columns []int
	for j := range r.Original.Width() {
		if a := r.Original.Attr(j); a.Kind.Scalar() && a.Role&(table.Identifier|table.Weight) == 0 && a.Name != by {
			columns = append(columns, j)
		}
	}
	found, chosen = make([]RepeatedRecordsColumn, len(columns)), make([]float64, len(columns))
	err = parallel.Each(ctx, len(columns), func(k int) error {
		c := &constant{
			was:      r.Original.Column(columns[k]),
			is:       r.Released.Column(columns[k]),
			people:   people,
			choosing: choosing,
		}
		all, one, ways := c.credits(m.Tolerance / 100)
		w, o := channel.Best(all, choosing), channel.Best(one, choosing)
		found[k] = RepeatedRecordsColumn{
			r.Original.Attr(columns[k]).Name,
			message.Say("measure.repeatedrecords.by." + ways[w]),
			channel.Count(all[w], one[o], choosing),
		}
		x, _ := channel.Mean(all[w], choosing, true)
		y, _ := channel.Mean(one[o], choosing, true)
		chosen[k] = x - y
		return nil
	})
	return found, chosen, err
}

// Sentence says what the records of a person tell.
func (d *RepeatedRecordsDetail) Sentence() message.Sentence {
	if d.Best == nil {
		return message.Say("measure.repeatedrecords.saysNothing").Count("people", d.People)
	}
	g := d.Best
	return message.Say("measure.repeatedrecords.says").Count("people", d.People).Digits("each", d.Each, 3).
		Name("column", g.Column).Share("one", g.Without).Share("all", g.With)
}
