package linkage

import (
	"context"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/measure/internal/channel"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// EarlierRelease measures what an intruder gains from earlier releases of the same people: several noisy copies
// reveal more than one, and only candidates in all of them remain.
//
// The intruder, who can tell which records of all releases are one person's, as by their order or a pseudonym, links
// each person to the nearest record (package measure/internal/nearest says how distances are taken): by this release,
// by every earlier one, and by all together. Of a number the mean of the r copies is compared, which has noise of
// 1/sqrt(r) the size where they were drawn apart; of a category either every copy counts, so that records of classes
// that agree in all are left, the intersection of the classes, or the one that most copies show, which noise drawn anew
// each time does not survive. Of t equally near records each is taken equally often. The way is chosen on one half of
// the people tried and counted on the other (package measure/internal/channel); the score is by how much the share of
// people found by all exceeds that by the best single one, with one-sided 95 % bounds (Clopper & Pearson 1934).
//
// An earlier release may have other columns than this one, or show them in other words, as where it generalises
// otherwise. Those that the intruder may know are taken to be known as it shows them, which is so where it generalises
// and too much where it draws noise; a note tells which they are.
//
// Parts give both shares, the mean of 1 over the number of records that look alike by one release and by all, the
// shares of the people who are alone, and among fewer than 5, by all, and, of the numbers that the release changes, how
// large the noise of the mean is beside that of one copy: 0.71 for two copies drawn apart, 0.58 for three, 1 for the
// same noise each time.
//
// It applies where an earlier release is given and the intruder knows something, and needs paired records. Who is in
// this release only is not tried.
//
// Cost: an index for each release and one more, and searches for those tried (parameter people): a million records of
// 14 columns take some 40 times the processor time of a slices.Sort of as many random float64, most of it for the
// indexes.
//
// Departures: the copies are averaged whatever their law; one who knows it weighs them better.
//
// Reference: S. R. Ganta, S. P. Kasiviswanathan and A. Smith, "Composition attacks and auxiliary information in data
// privacy", KDD 2008; X. Xiao and Y. Tao, "m-invariance: towards privacy preserving re-publication of dynamic
// datasets", SIGMOD 2007.
var EarlierRelease = measure.Measure{
	Card: card.Card{
		Name:      "earlierrelease",
		Title:     "An earlier release of the same records",
		Short:     "Earlier release",
		Aliases:   []string{"composition attack", "intersection of releases"},
		Summary:   "How many more are identified with this release and earlier ones combined than with one alone.",
		Paper:     "Ganta, Kasiviswanathan & Smith 2008",
		Needs:     "an intruder; paired records and an earlier release",
		Preserves: "0 when both releases have the same noise and the same classes",
		Missing:   "at the mean distance",
		Cost:      "a search in each release, and in both, for each person tested",
	},
	Facts: measure.Facts{
		About:  measure.Identity,
		Counts: measure.Records,
		Effort: measure.Fast,
		Place:  16,
		Bounds: map[string]string{"people": "1000"},
		Act: func(n, who, _ message.Sentence) message.Sentence {
			return message.Say("act.earlierrelease").Part("n", n).Part("people", who)
		},
		Remedy: func(*table.Table) (message.Sentence, string) {
			return message.Say("remedy.earlierrelease"), ""
		},
	},
	Side:     measure.Risk,
	Better:   measure.Lower,
	Range:    table.Interval{Lo: 0, Hi: 1},
	Unit:     measure.OfPeople("unit.ofPeople"),
	Intruder: true,
	New:      func() measure.Meter { return param.Default(&EarlierReleaseMeter{}) },
}

// EarlierReleaseMeter measures what an earlier release adds.
type EarlierReleaseMeter struct{ People int }

// Params declares the parameters.
func (m *EarlierReleaseMeter) Params() param.Set {
	return param.Set{param.Int(&m.People, "people", 2000, 2, 10_000_000, "people", "test up to this many people")}
}

// EarlierReleaseDetail is what both releases tell.
type EarlierReleaseDetail struct {
	Intruder string `json:"intruder"`
	People   int    `json:"people"`   // in an earlier release, too
	Releases int    `json:"releases"` // with this one
	channel.Gain
	Alike     float64  `json:"alike"`     // mean of 1 over the number of records that look alike in this release
	AlikeBoth float64  `json:"alikeBoth"` // and in all
	Alone     float64  `json:"alone"`     // share of the people in an earlier release with whom nobody is alike in all
	Few       float64  `json:"few"`       // share of them with whom fewer than 5 are, themselves among them
	Noise     *float64 `json:"noise"`     // of the mean of all copies, beside that of one; nil where no number changes
}

// Measure returns what the earlier release adds, with an EarlierReleaseDetail. It fails when records are not paired or
// there are none, and does not apply without an earlier release.
func (m *EarlierReleaseMeter) Measure(ctx context.Context, r *measure.Release, src rng.Source) (measure.Value, error) {
	view, err := r.PairedView()
	if err != nil {
		return measure.Value{}, err
	}
	switch {
	case len(r.Earlier) == 0:
		return measure.Value{}, measure.NotApplicable(message.Say("measure.skipped.noEarlier"))
	case len(view.Known) == 0:
		return measure.Value{}, measure.NotApplicable(message.Say("measure.skipped.knowsNoValue"))
	}
	p := newPair(r, view.Known)
	if len(p.both) == 0 {
		return measure.Value{}, measure.NotApplicable(message.Say("measure.skipped.nobodyEarlier"))
	}
	d := &EarlierReleaseDetail{Intruder: view.Name, People: len(p.both), Releases: 1 + len(r.Earlier)}
	credits, err := p.find(ctx, m.People)
	if err != nil {
		return measure.Value{}, err
	}
	choosing := channel.Halves(src.Fork("halves"), len(credits[0]))
	d.Gain = channel.Count(credits[channel.Best(credits, choosing)],
		credits[channel.Best(credits[:1+len(r.Earlier)], choosing)], choosing)
	if err = p.alike(ctx, d); err != nil {
		return measure.Value{}, err
	}
	v := measure.Value{Score: d.More, Lo: d.Lo, Hi: d.Hi, Parts: []measure.Part{
		{Key: "found-all", Name: message.Say("measure.earlierrelease.part.found-all"), Score: d.With},
		{Key: "found-one", Name: message.Say("measure.earlierrelease.part.found-one"), Score: d.Without},
		{Key: "alike-one", Name: message.Say("measure.earlierrelease.part.alike-one"), Score: d.Alike},
		{Key: "alike-all", Name: message.Say("measure.earlierrelease.part.alike-all"), Score: d.AlikeBoth},
		{Key: "alone-all", Name: message.Say("measure.earlierrelease.part.alone-all"), Score: d.Alone},
		{Key: "few-all", Name: message.Say("measure.earlierrelease.part.few-all"), Score: d.Few},
	}}
	if d.Noise = p.noise(); d.Noise != nil {
		v.Parts = append(v.Parts,
			measure.Part{Key: "noise", Name: message.Say("measure.earlierrelease.part.noise"), Score: *d.Noise})
	}
	if v.Detail = d; p.besides != nil {
		v.Notes = append(v.Notes, message.Say("measure.earlierrelease.note.further").Listed("columns", p.besides))
	}
	return v, nil
}

// Sentence says what the earlier release adds.
func (d *EarlierReleaseDetail) Sentence() message.Sentence {
	return message.Say("measure.earlierrelease.says").Count("people", d.Tried).Share("one", d.Without).
		Count("earlier", d.Releases-1).Share("all", d.With)
}
