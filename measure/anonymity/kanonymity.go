package anonymity

import (
	"context"
	"maps"
	"math"
	"slices"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/measure/internal/classes"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// KAnonymity measures how many released records look alike at least: k-anonymity (Samarati 2001, Sweeney 2002).
//
// Released records that agree in every column the intruder knows are a class (package measure/internal/classes, which
// says how knowledge that is not exact is compared). The score is k, the size of the smallest class. Parts give the
// share of records in classes below the parameter k, the share of records that are alone, the number of classes and
// their average size; the Detail has how many classes have which size.
//
// It judges a release whose values are the persons' own, generalised, suppressed, cut off or those of a group
// (microaggregation). Noise, swaps and random codes put records into classes by chance, so k = 1 would not mean that a
// person was found, nor a large k that none is: where more than one record in twenty has a known value that was moved,
// the measure does not apply. Pairs of records tell, and where there are none the plan does (package
// measure/internal/classes); of a table without either it is taken as if nothing was moved. See found, reidentification
// and linkage.
//
// Where the plan reached k in chosen combinations of columns instead of in all together, as local suppression can, k is
// measured in each of these, as far as the intruder knows their columns; the score and all else is that of the worst. A
// note says so, and what k is in everything that the intruder knows.
//
// Missing values: by default a missing known value is a value of its own; with missing=any it agrees with every value,
// as sdcMicro counts NA, and the size of a class is that of its candidates.
//
// Cost: O(n p) for n records and p known columns, on all cores; with missing=any as package measure/internal/classes
// says.
//
// References: P. Samarati, "Protecting respondents' identities in microdata release", IEEE TKDE 13(6), 2001; L.
// Sweeney, "k-anonymity: a model for protecting privacy", IJUFKS 10(5), 2002.
var KAnonymity = measure.Measure{
	Card: card.Card{
		Name:      "kanonymity",
		Title:     "k-anonymity",
		Aliases:   []string{"k-anonymity"},
		Summary:   "Size of the smallest group of released records that agree in everything the intruder knows.",
		Paper:     "Samarati 2001; Sweeney 2002",
		Needs:     "an intruder; values that are generalised, suppressed or grouped, not changed by noise or swaps",
		Preserves: "the number of records when all of them look alike",
		Biases:    "does not apply to noise, swaps and random codes, where classes arise by chance",
		Missing: "a missing known value is a separate value and a suppressed one (*) another, as in ARX, or both match " +
			"every value, as in sdcMicro",
		Cost: "O(n p)",
	},
	Facts:    measure.Facts{About: measure.Identity, Effort: measure.Fast, Place: 6, Groups: true},
	Side:     measure.Risk,
	Better:   measure.Higher,
	Range:    table.Interval{Lo: 1, Hi: math.MaxInt32},
	Unit:     measure.Counting(measure.Heads, "unit.records"),
	Intruder: true,
	New:      func() measure.Meter { return param.Default(&KAnonymityMeter{}) },
}

// KAnonymityMeter measures k-anonymity.
type KAnonymityMeter struct {
	classes.Options
	K int // size that classes are asked to have
}

// Params declares the parameters.
func (m *KAnonymityMeter) Params() param.Set {
	return append(
		param.Set{param.Int(&m.K, "k", 5, 2, 1_000_000, "records", "count the records in smaller classes")},
		m.Options.Params()...)
}

// Size is how many classes have a size.
type Size struct {
	Size    int `json:"size"` // records
	Classes int `json:"classes"`
}

// KAnonymityDetail is the sizes of the classes.
type KAnonymityDetail struct {
	Intruder string `json:"intruder"`
	Released int    `json:"records"`
	Classes  int    `json:"classes"`
	Smallest int    `json:"smallest"` // k
	// People is how many people there are, where some have several records: sizes of classes are then in people.
	People  int     `json:"people"`
	K       int     `json:"k"`       // asked for
	Below   int     `json:"below"`   // records, or people, in classes below it
	Alone   int     `json:"alone"`   // records, or people, in classes of one
	Average float64 `json:"average"` // size of a class
	Sizes   []Size  `json:"sizes"`   // ascending
	// Combinations of columns in which k was measured, the worst first; everything above is of that. Absent where it was
	// measured in all that the intruder knows.
	Combinations []Combination `json:"combinations,omitempty"`
	Together     int           `json:"together,omitempty"` // k in all that the intruder knows, where there are combinations

	risk []float64
}

// Measure returns k with a Detail. It fails when the release has no records.
func (m *KAnonymityMeter) Measure(ctx context.Context, r *measure.Release, _ rng.Source) (measure.Value, error) {
	s, err := m.Released(ctx, r)
	if err != nil {
		return measure.Value{}, err
	}
	d := m.detail(s)
	notes := s.Notes
	if chosen, ok := measure.Mechanism[combined](r.AsMade()); ok && len(chosen.Combinations()) > 0 {
		if d, err = m.each(ctx, r, chosen.Combinations(), d); err != nil {
			return measure.Value{}, err
		}
		if d.Combinations != nil {
			notes = append(slices.Clip(notes), d.note())
		}
	}
	n, who := float64(s.Number()), message.Say("measure.who."+s.Word())
	v := measure.Exact(float64(d.Smallest), []measure.Part{
		{
			Key:   "below-k",
			Name:  message.Say("measure.kanonymity.part.below-k").Part("who", who).Count("k", d.K),
			Score: float64(d.Below) / n,
		},
		{Key: "alone", Name: message.Say("measure.kanonymity.part.alone").Part("who", who), Score: float64(d.Alone) / n},
		{Key: "classes", Name: message.Say("measure.kanonymity.part.classes"), Score: float64(d.Classes)},
		{Key: "class-size", Name: message.Say("measure.kanonymity.part.class-size"), Score: d.Average},
	}, notes...)
	v.Detail = d
	return v, nil
}

// detail counts the classes, and says what risk each record has.
func (m *KAnonymityMeter) detail(s *classes.Study) KAnonymityDetail {
	d := m.count(s)
	d.risk = s.ByRecord(func(class int32) float64 { return 1 / float64(s.Hides[class]) })
	if s.People != nil {
		d.People = s.Number()
	}
	return d
}

func (m *KAnonymityMeter) count(s *classes.Study) KAnonymityDetail {
	d := KAnonymityDetail{
		Intruder: s.View.Name,
		Released: len(s.Of),
		Classes:  len(s.Sizes),
		K:        m.K,
		Smallest: int(slices.Min(s.Hides)),
	}
	sizes := map[int]int{}
	sum := 0
	for _, candidates := range s.Hides {
		sizes[int(candidates)]++
		sum += int(candidates)
	}
	d.Below = s.Count(func(class int32) bool { return int(s.Hides[class]) < m.K })
	d.Alone = s.Count(func(class int32) bool { return s.Hides[class] == 1 })
	d.Average = float64(sum) / float64(d.Classes)
	for _, size := range slices.Sorted(maps.Keys(sizes)) {
		d.Sizes = append(d.Sizes, Size{size, sizes[size]})
	}
	return d
}

// Records returns for every original record 1 over the size of the class that its released record is in; NaN where
// records are not paired.
func (d KAnonymityDetail) Records() []float64 { return d.risk }

// Sentence says among how many records one hides.
func (d KAnonymityDetail) Sentence() message.Sentence {
	if d.Combinations != nil {
		return message.Say("measure.kanonymity.saysCombined").Count("n", len(d.Combinations)).
			Count("smallest", d.Smallest).Count("together", d.Together)
	}
	if d.People > 0 {
		return message.Say("measure.kanonymity.saysPeople").Count("smallest", d.Smallest).
			Count("people", d.People).Count("below", d.Below).Share("share", float64(d.Below)/float64(d.People)).
			Count("k", d.K).Count("alone", d.Alone)
	}
	return message.Say("measure.kanonymity.says").Count("smallest", d.Smallest).Count("records", d.Released).
		Count("below", d.Below).Share("share", float64(d.Below)/float64(d.Released)).Count("k", d.K).
		Count("alone", d.Alone)
}
