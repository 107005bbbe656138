package linkage

import (
	"context"
	"math"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/measure/internal/channel"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/segment"
	"github.com/dither-data/dither/table"
)

// LeakedPlan measures how many people an intruder with the plan links: the plan reveals the trees, and so the
// segments of all records.
//
// The intruder sends what is known of the target and every released record through the trees of the plan. Records stay
// inside their segments, so the target's is one of those in the segment that the target falls into; where the intruder
// does not know all that is tested, one of those in a segment that what is known does not rule out. Of these the
// intruder keeps the ones that agree in every known column that the plan leaves as it is. Of t that are left each is
// taken equally often, so the credit is 1/t when the own record is among them. The score is the mean credit: the share
// of people linked. Lo and Hi are its one-sided 95 % bounds (Clopper & Pearson 1934).
//
// The segments of a forest are the intersections of its leaves. Trees whose leaves hold many records each may have
// intersections of one, and who is alone in an intersection is linked for certain, however strong the noise. Parts give
// the share linked by segments alone, the share of people alone in theirs, that of people with fewer than five, and how
// many segments hold records.
//
// It applies to intruders to whom the plan leaked (plan: true), and needs paired records and the plan. A plan with
// groups of records, as that of mdav, holds no rule that sends a record to its group, and a plan without segments tells
// the law of the noise only, which reidentification plays.
//
// Missing values: as the segmentation treats them; of a forest, a record whose tested value is missing follows the
// heaviest branch. In a column that is left as it is, a missing value is a value of its own.
//
// Cost: O(n) routes of all records, where all tested columns are known. Else O(s f) for s segments that hold records
// and f trees for each of those tried (parameter people, and fewer where there are many segments). A million records
// take 2 to 4 times a slices.Sort of as many float64.
//
// Departures: Fletcher and Islam take the forest to be secret; this asks what follows when it is not.
//
// Reference: S. Fletcher and M. Z. Islam, "An anonymization technique using intersected decision trees", Journal of
// King Saud University 27, 2015, section 3; that mechanisms are to be judged as known: A. Kerckhoffs, "La cryptographie
// militaire", 1883.
var LeakedPlan = measure.Measure{
	Card: card.Card{
		Name:    "leakedplan",
		Title:   "Linkage by a leaked plan",
		Aliases: []string{"plan leaked", "intersections of leaves"},
		Summary: "Share linked by an intruder who has the plan: by their segment and, within it, by unchanged columns.",
		Paper:   "Fletcher & Islam 2015, section 3",
		Needs:   "an intruder who has the plan; paired records and the plan",
		Preserves: "1 when everyone is alone in a segment; the number of segments divided by the number of records " +
			"when segments are all that helps",
		Missing: "as in the segmentation",
		Cost:    "O(n) if everything that is tested is known",
	},
	Facts: measure.Facts{
		Besides: true, About: measure.Identity, Counts: measure.Records, Effort: measure.Fast, Place: 13,
		Bounds: map[string]string{"people": "2000"},
		Record: measure.Entry{Place: 5, Says: message.Say("riskOf.leakedplan")},
		Act: func(n, who, _ message.Sentence) message.Sentence {
			return message.Say("act.leakedplan").Part("n", n).Part("people", who)
		},
		Remedy: func(*table.Table) (message.Sentence, string) {
			return message.Say("remedy.leakedplan"), ""
		},
	},
	Side:     measure.Risk,
	Better:   measure.Lower,
	Range:    table.Interval{Lo: 0, Hi: 1},
	Unit:     measure.OfPeople("unit.ofPeople"),
	Intruder: true,
	AsMade:   true,
	New:      func() measure.Meter { return param.Default(&LeakedPlanMeter{}) },
}

// LeakedPlanMeter measures linkage by a leaked plan.
type LeakedPlanMeter struct{ People int }

// Params declares the parameters.
func (m *LeakedPlanMeter) Params() param.Set {
	return param.Set{param.Int(&m.People, "people", 20_000, 1, math.MaxInt, "people", "test up to this many people "+
		"if not everything that is tested is known")}
}

// LeakedPlanDetail is what the plan tells.
type LeakedPlanDetail struct {
	Intruder  string   `json:"intruder"`
	People    int      `json:"people"`
	Tried     int      `json:"tried"`
	Linked    float64  `json:"linked"`    // of those tried
	Inside    float64  `json:"inside"`    // of those tried, by segments alone
	Segments  int      `json:"segments"`  // that hold released records
	Alone     int      `json:"alone"`     // of those tried: the only one in the segments that the target may be in
	Few       int      `json:"few"`       // of those tried: one of fewer than five there
	Untouched []string `json:"untouched"` // known columns that the plan leaves as they are

	risk []float64
}

// Measure returns the share of the people linked with a LeakedPlanDetail. It fails when records are not paired, there
// are none, or the tables do not fit the plan, and does not apply without a plan or where the intruder does not have
// it.
func (m *LeakedPlanMeter) Measure(ctx context.Context, r *measure.Release, _ rng.Source) (measure.Value, error) {
	view, err := r.PairedView()
	if err != nil {
		return measure.Value{}, err
	}
	switch _, groups := r.Segments.(*segment.Groups); {
	case !view.Plan:
		return measure.Value{}, measure.NotApplicable(message.Say("measure.skipped.noPlan"))
	case r.Segments == nil:
		return measure.Value{}, measure.NotApplicable(message.Say("measure.skipped.noSegments"))
	case groups:
		return measure.Value{}, measure.NotApplicable(message.Say("measure.skipped.segmentsOfRecords"))
	}
	s, err := newSearch(ctx, r, view)
	if err != nil {
		return measure.Value{}, err
	}
	d := &LeakedPlanDetail{Intruder: view.Name, People: r.Original.Rows(), Segments: len(s.segments)}
	for _, j := range s.untouched {
		d.Untouched = append(d.Untouched, r.Original.Attr(j).Name)
	}
	err = s.link(ctx, d, m.People)
	return d.value(), err
}

func (d *LeakedPlanDetail) value() measure.Value {
	v := channel.Share(d.Linked, d.Tried)
	n := float64(d.Tried)
	v.Parts = []measure.Part{
		{Key: "linked-by-segments", Name: message.Say("measure.leakedplan.part.linked-by-segments"), Score: d.Inside / n},
		{Key: "alone", Name: message.Say("measure.leakedplan.part.alone"), Score: float64(d.Alone) / n},
		{Key: "below-five", Name: message.Say("measure.leakedplan.part.below-five"), Score: float64(d.Few) / n},
		{Key: "segments", Name: message.Say("measure.leakedplan.part.segments"), Score: float64(d.Segments)},
	}
	if d.Tried < d.People {
		v.Notes = append(v.Notes, measure.Sample(d.Tried, d.People))
	}
	v.Detail = d
	return v
}

// Records returns for every original record the probability of a guess among the records that the plan leaves; NaN
// where it was not tried.
func (d *LeakedPlanDetail) Records() []float64 { return d.risk }

// Sentence says whom a leaked plan gives away.
func (d *LeakedPlanDetail) Sentence() message.Sentence {
	n := float64(d.Tried)
	key := "measure.leakedplan.says"
	if len(d.Untouched) > 0 {
		key = "measure.leakedplan.saysUntouched"
	}
	return message.Say(key).Amount("linked", d.Linked).Count("people", d.Tried).Share("share", d.Linked/n).
		Count("alone", d.Alone).Share("aloneShare", float64(d.Alone)/n)
}
