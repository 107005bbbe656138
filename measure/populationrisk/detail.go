package populationrisk

import (
	"fmt"

	"github.com/dither-data/dither/internal/numeral"
	"github.com/dither-data/dither/measure"
)

// parts lists the risks there are.
func (d *Detail) parts() []measure.Part {
	var out []measure.Part
	n, who := d.counted()
	add := func(name string, r *Risk) {
		if r == nil {
			return
		}
		out = append(out, measure.Part{Key: "highest", Of: name, Name: name + ", highest", Score: r.Highest}, measure.Part{Key: "mean", Of: name, Name: name + ", mean", Score: r.Mean},
			measure.Part{Key: "expected", Of: name, Name: name + ", expected re-identifications", Score: r.Expected},
			measure.Part{Key: "above", Of: name, Name: fmt.Sprintf("%s, share of %s above %g", name, who, d.Threshold), Score: float64(r.Above) / float64(n)})
	}
	add("prosecutor", &d.Prosecutor)
	add("journalist", d.Journalist)
	add("individual", d.Individual)
	add("household", d.Household)
	if d.Unique != nil {
		out = append(out, measure.Part{Key: "unique", Name: "probability that a unique match is correct", Score: *d.Unique})
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
	}
	return &d.Prosecutor
}

// Records returns for every original record the risk of its released record, by the model of the score; NaN where records are not paired.
func (d Detail) Records() []float64 { return d.risk }

// Sentence says how many are re-identified.
func (d Detail) Sentence() string {
	r := d.score()
	who := "among the records that look alike"
	if r != &d.Prosecutor && d.Population != nil && d.Model != Prosecutor {
		who = fmt.Sprintf("among the persons of the population, about %.0f, who look like a record", *d.Population)
	}
	if d.Household != nil {
		who += ", where one member gives the household away"
	}
	n, judged := d.counted()
	if d.People == 0 {
		judged = "released records"
	}
	return numeral.Sprintf("Guessing at random %s, this intruder is expected to re-identify %s of %d %s (%s), the riskiest of them "+
		"with probability %.3g.",
		who, expected(r.Expected), n, judged, numeral.Percent(r.Mean), r.Highest)
}

// expected writes an expected number of records or people: with decimals only where it is small.
func expected(v float64) string {
	if v < 100 {
		return fmt.Sprintf("%.3g", v)
	}
	return fmt.Sprintf("%.0f", v)
}
