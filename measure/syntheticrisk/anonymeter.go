package syntheticrisk

import (
	"errors"
	"math"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/internal/stats/confidence"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/table"
)

// anonymeterMeasures hold the three attacks of Giomi et al. (2023), by which the Article 29 Working Party's risks of a
// release are measured: singling out, linkability and inference.
//
// An attack is counted on people of the original, and the same attack on people of a hold-out, who are not in the
// release: what it learns of these it learns of anybody. The risk is the share of what the control left to win,
// (attack - control) / (1 - control), of Wilson's centres of both rates, and its interval follows from their half
// widths by the propagation of errors, within 0 and 1 (95 %). A guess that looks at no released record is the
// baseline: where it is right as often as the attack, the attack failed, which shows no safety, and a note says so.
//
// Departures: every person is tried, up to the parameter people, where the authors' program tries some hundred; of
// records equally near each counts its share, so that neither order nor chance decides; the baselines of linkability
// and inference are expectations. Numbers are guessed right within 5 % of what they are, of negative ones too.
// Records are compared by Gower's distance, numbers relative to their range in all tables; two missing values are
// equal, and a single one is as far as a different category.
//
// Records need not be paired. Without a hold-out the attacks say nothing.
//
// References: M. Giomi, F. Boenisch, C. Wehmeyer and B. Tasnádi, "A unified framework for quantifying privacy risk in
// synthetic data", PoPETs 2023; J. C. Gower, "A general coefficient of similarity and some of its properties",
// Biometrics 27, 1971; E. B. Wilson, "Probable inference, the law of succession, and statistical inference", JASA 22,
// 1927; Article 29 Data Protection Working Party, opinion 05/2014 on anonymisation techniques.
var anonymeterMeasures = []measure.Measure{
	anonymeterEntry(measure.Identity, false, func() measure.Meter { return NewSinglingOut() }, card.Card{
		Name:    "singlingout",
		Title:   "Singling out",
		Aliases: []string{"singling-out", "anonymeter singling out", "SinglingOutEvaluator"},
		Summary: "How much more often a predicate that holds of exactly one released record holds of exactly one " +
			"original than of exactly one record that is not in the release.",
		Paper: "Giomi, Boenisch, Wehmeyer and Tasnádi 2023, section 4.1",
		Needs: "a hold-out; records need not be paired",
		Biases: "three columns of a record that is kept hold of one person often, in the release or not: the control is " +
			"taken off; a hold-out of another size is scaled by a model",
		Cost: "a count per predicate among the fewest records that one of its conditions leaves",
	}),
	anonymeterEntry(measure.Identity, true, func() measure.Meter { return NewLinkability() }, card.Card{
		Name:    "linkability",
		Title:   "Linkability",
		Aliases: []string{"anonymeter linkability", "LinkabilityEvaluator"},
		Summary: "How much more often one released record is the nearest by both halves of what is known for those in " +
			"the release than for others.",
		Paper: "Giomi, Boenisch, Wehmeyer and Tasnádi 2023, section 4.2",
		Needs: "an intruder who knows two columns; a hold-out; records need not be paired",
		Biases: "the halves are every other column that the intruder knows, unless the parameter first names one; of " +
			"records equally near each counts its share",
		Cost: "two searches per person",
	}),
	anonymeterEntry(measure.Secret, true, func() measure.Meter { return NewInference() }, card.Card{
		Name:    "inference",
		Title:   "Inference",
		Aliases: []string{"anonymeter inference", "InferenceEvaluator"},
		Summary: "How much more often the released record nearest by what is known has the secret of those in the " +
			"release than of others.",
		Paper: "Giomi, Boenisch, Wehmeyer and Tasnádi 2023, section 4.3",
		Needs: "an intruder with a secret; a hold-out; records need not be paired",
		Biases: "one nearest record is not the best attack: learned chooses among many, and attributeinference lets " +
			"several records vote",
		Cost: "a search per person",
	}),
}

// anonymeterEntry is a catalogue entry, with what all say.
func anonymeterEntry(about measure.About, intruder bool, fresh func() measure.Meter, c card.Card) measure.Measure {
	c.Preserves = "1 when the attack always succeeds and never on others, 0 when it succeeds as often on people who are " +
		"not in the release"
	c.Missing = "two missing values are equal; a single one differs from any value"
	return measure.Measure{
		Card: c,
		Facts: measure.Facts{About: about, Counts: measure.Records, Effort: measure.Slow,
			Bounds: map[string]string{"people": "1000"}},
		Side:     measure.Risk,
		Better:   measure.Lower,
		Range:    table.Interval{Lo: 0, Hi: 1},
		Unit:     measure.In(measure.Share, message.Say("unit.beyondControl")),
		Intruder: intruder,
		New:      fresh,
	}
}

// tested fails where a table has no records, and does not apply without a hold-out.
func tested(r *measure.Release) error {
	switch err := r.Check(); {
	case err != nil:
		return err
	case r.Original.Rows() == 0 || r.Released.Rows() == 0:
		return errors.New("a table has no records")
	case r.Holdout == nil || r.Holdout.Rows() == 0:
		return measure.NotApplicable(message.Say("measure.skipped.noOthers"))
	}
	return nil
}

// Rate is how often an attack succeeds. Right is fractional where several records are equally near.
type Rate struct {
	Right float64 `json:"right"`
	Tried float64 `json:"tried"`
	Rate  float64 `json:"rate"` // centre of Wilson's 95 % interval
	Half  float64 `json:"half"` // its half width
}

// rate returns the rate of so many successes; 1/2 with a half width of 1/2 where nothing was tried.
func rate(right, tried float64) Rate {
	r := Rate{Right: right, Tried: tried, Rate: 0.5, Half: 0.5}
	if tried > 0 {
		p, z := right/tried, float64(confidence.Z)
		square := z * z / tried
		r.Rate = (p + square/2) / (1 + square)
		r.Half = float64(z / (1 + square) * math.Sqrt(max(0, p*(1-p)/tried)+square/4/tried))
	}
	return r
}

// Attack is what came of one attack.
type Attack struct {
	Name     string  `json:"name"` // univariate, multivariate, or the column that is known or secret
	Main     Rate    `json:"main"`
	Control  Rate    `json:"control"`
	Baseline Rate    `json:"baseline"`
	Risk     float64 `json:"risk"`
	Lo       float64 `json:"lo"`
	Hi       float64 `json:"hi"`
	Failed   bool    `json:"failed"` // the baseline is right as often
}

// newAttack holds an attack against its control and its baseline. An attack that was not tried has a risk of 0 of which
// nothing is known.
func newAttack(name string, main, control, baseline Rate) Attack {
	a := Attack{Name: name, Main: main, Control: control, Baseline: baseline}
	a.Failed = main.Tried == 0 || baseline.Rate >= main.Rate
	if main.Tried == 0 || control.Tried == 0 || control.Rate >= 1 {
		a.Hi = 1
		return a
	}
	left := 1 - control.Rate
	risk := (main.Rate - control.Rate) / left
	x, y := main.Half/left, control.Half*(main.Rate-1)/(left*left)
	half := math.Sqrt(float64(x*x) + float64(y*y))
	within := func(v float64) float64 { return max(0, min(1, v)) }
	a.Risk, a.Lo, a.Hi = within(risk), within(risk-half), within(risk+half)
	return a
}

// AnonymeterDetail is what came of the attacks.
type AnonymeterDetail struct {
	Intruder string   `json:"intruder"`
	Attacks  []Attack `json:"attacks"`

	measure string
	worst   int
}

// value makes the value of attacks, of which there is one: the one with the largest risk is the score. Of people says
// of how many the attacks are.
func (d *AnonymeterDetail) value(notes ...message.Sentence) measure.Value {
	for k, a := range d.Attacks {
		if a.Risk > d.Attacks[d.worst].Risk {
			d.worst = k
		}
	}
	w := d.Attacks[d.worst]
	v := measure.Value{Score: w.Risk, Lo: w.Lo, Hi: w.Hi, Detail: d, Notes: notes}
	for _, a := range d.Attacks {
		for _, p := range []struct {
			key   measure.Key
			says  message.Sentence
			score float64
		}{
			{measure.Key("risk"), message.Say("measure.anonymeter.part.risk").Part("attack", d.of(a)), a.Risk},
			{measure.Key("attack"), message.Say("measure.anonymeter.part.attack").Part("attack", d.of(a)), a.Main.Rate},
			{measure.Key("control"), message.Say("measure.anonymeter.part.control").Part("attack", d.of(a)), a.Control.Rate},
			{measure.Key("baseline"), message.Say("measure.anonymeter.part.baseline").Part("attack", d.of(a)), a.Baseline.Rate},
		} {
			v.Parts = append(v.Parts, measure.Part{Key: p.key, Of: a.Name, Score: p.score, Name: p.says})
		}
		if a.Failed {
			v.Notes = append(v.Notes, message.Say("measure.anonymeter.note.failed").Part("attack", d.of(a)))
		}
	}
	return v
}

// of names an attack.
func (d *AnonymeterDetail) of(a Attack) message.Sentence {
	if d.measure != "inference" {
		return message.Say("measure.anonymeter.attack." + a.Name)
	}
	return message.Name(a.Name)
}

// Sentence says how often the worst attack succeeds.
func (d *AnonymeterDetail) Sentence() message.Sentence {
	a := d.Attacks[d.worst]
	return message.Say("measure.anonymeter.says."+d.measure).Part("attack", d.of(a)).Share("main", a.Main.Rate).
		Share("control", a.Control.Rate).Share("risk", a.Risk).Share("lo", a.Lo).Share("hi", a.Hi)
}
