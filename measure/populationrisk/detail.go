package populationrisk

import (
	"math"

	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/message"
)

// parts lists the risks there are.
func (d *Detail) parts() []measure.Part {
	var out []measure.Part
	n, who := d.counted()
	add := func(name string, r *Risk) {
		if r == nil {
			return
		}
		risk := message.Say("measure.populationrisk.risk." + name)
		out = append(
			out,
			measure.Part{
				Key:   "highest",
				Of:    name,
				Name:  message.Say("measure.populationrisk.part.highest").Part("risk", risk),
				Score: r.Highest,
			},
			measure.Part{
				Key:   "mean",
				Of:    name,
				Name:  message.Say("measure.populationrisk.part.mean").Part("risk", risk),
				Score: r.Mean,
			},
			measure.Part{
				Key:   "expected",
				Of:    name,
				Name:  message.Say("measure.populationrisk.part.expected").Part("risk", risk),
				Score: r.Expected,
			},
			measure.Part{Key: "above", Of: name, Name: message.Say("measure.populationrisk.part.above").
				Part("risk", risk).Part("who", message.Say("measure.who."+who)).
				Number("threshold", d.Threshold, 0), Score: float64(r.Above) / float64(n)},
		)
	}
	add("prosecutor", &d.Prosecutor)
	add("journalist", d.Journalist)
	add("individual", d.Individual)
	add("loglinear", d.LogLinear)
	add("household", d.Household)
	if d.LogLinear != nil {
		out = append(
			out,
			measure.Part{Key: "alone", Name: message.Say("measure.populationrisk.part.alone"), Score: d.Alone},
			measure.Part{Key: "few", Name: message.Say("measure.populationrisk.part.few").
				Part("who", message.Say("measure.who."+who)).Count("k", d.K), Score: d.KMap.Mean},
		)
	}
	if d.Unique != nil {
		out = append(out,
			measure.Part{Key: "unique", Name: message.Say("measure.populationrisk.part.unique"), Score: *d.Unique})
	}
	return out
}

// counted returns how many records or, where some people have several, people are judged, and the word for them.
func (d *Detail) counted() (n int, who string) {
	if d.People > 0 {
		return d.People, "people"
	}
	return d.Released, "records"
}

// score returns the risk that is the score.
func (d *Detail) score() *Risk {
	switch {
	case d.Household != nil:
		return d.Household
	case d.Model == Journalist && d.Journalist != nil:
		return d.Journalist
	case d.Model == IndividualRisk && d.Individual != nil:
		return d.Individual
	case d.Model == LogLinear && d.LogLinear != nil:
		return d.LogLinear
	case d.Model == KMap && d.KMap != nil:
		return d.KMap
	}
	return &d.Prosecutor
}

// Records returns for every original record the risk of its released record, by the model of the score; NaN where
// records are not paired.
func (d Detail) Records() []float64 { return d.risk }

// Sentence says how many are re-identified.
func (d Detail) Sentence() message.Sentence {
	r := d.score()
	among := message.Say("measure.populationrisk.among.alike")
	if r != &d.Prosecutor && d.Population != nil && d.Model != Prosecutor {
		among = message.Say("measure.populationrisk.among.population").Count("people", int(math.Round(*d.Population)))
	}
	if d.Household != nil {
		among = message.Say("measure.populationrisk.among.household").Part("among", among)
	}
	n, who := d.counted()
	if d.People == 0 {
		who = "released"
	}
	if d.KMap != nil && r == d.KMap {
		return message.Say("measure.populationrisk.saysKMap").Part("expected", expected(r.Expected)).Count("n", n).
			Part("who", message.Say("measure.who."+who)).Share("mean", r.Mean).Count("k", d.K)
	}
	return message.Say("measure.populationrisk.says").Part("among", among).Part("expected", expected(r.Expected)).
		Count("n", n).Part("who", message.Say("measure.who."+who)).Share("mean", r.Mean).
		Digits("highest", r.Highest, 3)
}

// expected writes an expected number of records or people: with decimals only where it is small.
func expected(v float64) message.Sentence {
	if v < 100 {
		return message.Digits(v, 3)
	}
	return message.Fixed(v, 0)
}
