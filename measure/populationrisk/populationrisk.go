// Package populationrisk measures how likely a guess among records that look alike is correct: the risk of the
// prosecutor, the journalist and the marketer, and the individual, global and household risk of a sample.
//
// Released records that agree in every column the intruder knows are a class (package measure/internal/classes). For a
// record whose class has f sampled records with weights that sum to F^, the estimated number of persons like it in the
// population, the risk is
//   - prosecutor: 1/f. The intruder knows that the target is in the file;
//   - journalist: 1/F^. The intruder does not, and has to reckon with everybody in the population;
//   - individual: E(1/F | f), the journalist's without taking the estimate for the truth. The population frequency F
//     given f is negative binomial with success probability p = f/F^ (Benedetti & Franconi 1998). With q = 1-p, E(1/F |
//     f) = (p/q) ln(1/p) for f = 1, (p/q) (1 - (p/q) ln(1/p)) for f = 2 and r_f = (p/q) (1/(f-1) - r_(f-1)) beyond; it
//     is also the series (p/f) sum_k q^k k! f! / (f+k)!, which serves where the recursion loses digits.
//
// The score is the global risk of one of them: its mean over the records, the share expected to be re-identified by one
// who tries all, the marketer. The parameter model says of which; by default it is the prosecutor's where the intruder
// knows that the target is in the file, else the individual one. Parts give each one's highest and mean risk, the
// expected number of re-identifications, and the share of records above the parameter threshold. With weights there is
// the probability that a unique match is correct, s n_1 / (s n_1 + 2 (1-s) n_2) with n_k classes of k records and the
// sampling fraction s, the records over the sum of the weights (Skinner & Elliot 2002).
//
// The individual risk takes a record's weight for all there is to know of F. Two models borrow from the other records,
// for the sample counts of the cells that the known columns make are Poisson with means mu by a log-linear model. It
// starts from independence and gets interactions of two columns until it is not off by more than chance in the expected
// number of sample uniques that are population uniques (Skinner & Shlomo 2008; misfit derives how far it is off anew).
// With pi = f/F^ the others in the population are then Poisson with mean m = mu (1-pi)/pi, and
//   - loglinear: E(1/(f + Poisson(m))), of which the mean over the sample uniques is their tau_2;
//   - kmap: P(f + Poisson(m) < k), the probability that a record fails k-map (El Emam & Dankar 2008).
//
// Where the known columns make more than 2^15 cells the model is independence, which finds a record in many columns
// nearly always alone. Of a person with several records the first counts.
//
// Where the parameter household names the columns that tell the households apart, a record's risk is that anybody of
// the household is re-identified, and thereby all: 1 - prod (1-r) over its members, taken as independent.
//
// Weights are the first column of the release with the role weight. Where the number of people in the population is
// known (measure.Release.Population), they are scaled so that they add up to it; without weights, everybody stands for
// as many. Without either the file is all there is: f is F,
// and the three risks are the same, with a note; a journalist's needs the population.
//
// It judges known values that are the persons' own or a group's, and does not apply where noise or swaps moved them:
// see package kanonymity for how that is told.
//
// Missing values: a missing known value is by default a value of its own; with missing=any it agrees with every value,
// as in sdcMicro, and f and F^ are those of the class's candidates. A record without a household value is a household
// by itself. Every weight must be positive.
//
// Cost: O(n p) for n records and p known columns, on all cores, and with weights up to 2^15 cells times p^4 times 50
// rounds of fitting; with missing=any as package measure/internal/classes
// says.
//
// References: R. Benedetti and L. Franconi, "Statistical and technological solutions for controlled data
// dissemination", NTTS 1998; L. Franconi and S. Polettini, "Individual risk estimation in mu-Argus: a review", PSD
// 2004; C. J. Skinner and M. J. Elliot, "A measure of disclosure risk for microdata", JRSS B 64(4), 2002; C. J. Skinner
// and N. Shlomo, "Assessing identification risk in survey microdata using log-linear models", JASA 103(483), 2008; K.
// El Emam and F. K. Dankar, "Protecting privacy using k-anonymity", JAMIA 15(5), 2008; F. K. Dankar and K. El Emam, "A
// method for evaluating marketer re-identification risk", PAIS 2010.
package populationrisk

import (
	"context"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/internal/portable/exact"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/measure/internal/classes"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// Measure is the catalogue entry.
var Measure = measure.Measure{
	Card: card.Card{
		Name:  "populationrisk",
		Title: "Prosecutor, journalist, marketer and individual risk",
		Short: "Population risk",
		Aliases: []string{"prosecutor risk", "journalist risk", "marketer risk", "individual risk", "global risk",
			"household risk", "log-linear risk"},
		Summary: "Share of records re-identified by guessing among those that look alike, in the file or in the " +
			"population.",
		Paper: "Franconi & Polettini 2004; Dankar & El Emam 2010; Skinner & Elliot 2002; Skinner & Shlomo 2008",
		Needs: "an intruder; sampling weights for risks in the population; known values that are not changed " +
			"by noise or swaps",
		Preserves: "1 divided by the number of records when all of them look alike",
		Biases:    "does not apply to noise, swaps and random codes, where classes arise by chance",
		Missing: "a missing known value is a separate value and a suppressed one (*) another, as in ARX, or both match " +
			"every value, as in sdcMicro",
		Cost: "O(n p); with weights, fitting up to 32,768 cells besides",
	},
	Facts:    measure.Facts{About: measure.Identity, Effort: measure.Fast, Place: 7},
	Side:     measure.Risk,
	Better:   measure.Lower,
	Range:    table.Interval{Lo: 0, Hi: 1},
	Unit:     measure.In(measure.Share, message.Say("unit.ofRecords")),
	Intruder: true,
	New:      func() measure.Meter { return param.Default(&Meter{}) },
}

// Whose risk is the score.
const (
	Intruder       = "intruder"   // as the intruder knows the file
	Prosecutor     = "prosecutor" // 1/f
	Journalist     = "journalist" // 1/F
	IndividualRisk = "individual" // E(1/F | f)
	LogLinear      = "loglinear"  // E(1/F | f) by a log-linear model
	KMap           = "kmap"       // P(F < k | f) by it
)

// Meter measures population risk.
type Meter struct {
	classes.Options
	Model     string // intruder, prosecutor, journalist, individual, loglinear or kmap
	Threshold float64
	K         int      // people of the population, for kmap
	Household []string // columns
}

// Params declares the parameters.
func (m *Meter) Params() param.Set {
	return append(param.Set{
		param.Choice(&m.Model, "model", Intruder, []string{Intruder, Prosecutor, Journalist, IndividualRisk,
			LogLinear, KMap}, "risk used as the score: prosecutor 1/f, journalist 1/F, individual E(1/F | f), the same by a "+
			"log-linear model, the probability that fewer than k in the population are alike (k-map), or according to what "+
			"the intruder knows of the file"),
		param.Float(&m.Threshold, "threshold", 0.2, 0, 1, "", "count records with a risk above this"),
		param.Int(&m.K, "k", 5, 2, 1_000_000, "people", "for k-map: so many people of the population have to share what is "+
			"known"),
		param.Names(&m.Household, "household", "columns that together identify the household of a record (default: "+
			"the one with the role household)"),
	}, m.Options.Params()...)
}

// Risk is a risk over the released records, or the people whose they are.
type Risk struct {
	Highest  float64 `json:"highest"`
	Mean     float64 `json:"mean"`     // the global risk
	Expected float64 `json:"expected"` // re-identifications
	Above    int     `json:"above"`    // records, or people, above the threshold
}

// Detail is the risks of a release. Those in the population are absent without weights.
type Detail struct {
	Intruder string `json:"intruder"`
	Released int    `json:"records"`
	// whose the records are, where some have several; a person's risk is the largest of theirs
	People     int     `json:"people"`
	Classes    int     `json:"classes"`
	Model      string  `json:"model"` // of the score
	Threshold  float64 `json:"threshold"`
	Prosecutor Risk    `json:"prosecutor"`
	Journalist *Risk   `json:"journalist"`
	Individual *Risk   `json:"individual"`
	// LogLinear is the individual risk by the log-linear model, and KMap the probability that fewer than K people
	// of the population share the values. Alone is how many records that are unique in the sample are so in the
	// population.
	LogLinear *Risk   `json:"logLinear"`
	KMap      *Risk   `json:"kMap"`
	K         int     `json:"k"`
	Alone     float64 `json:"alone"`
	// Interactions are the pairs of columns that the log-linear model does not take for independent.
	Interactions [][2]string `json:"interactions"`
	// Population is the sum of the weights, and Unique the probability that a unique match is correct.
	Population *float64 `json:"population"`
	Unique     *float64 `json:"unique"`
	// Households is how many there are, and Household the risk of the model with that of the other members.
	Households int   `json:"households"`
	Household  *Risk `json:"household"`

	risk []float64
}

// Measure returns the global risk with a Detail. It fails when the release has no records, a weight is missing or not
// positive, or there is no such household column.
func (m *Meter) Measure(ctx context.Context, r *measure.Release, _ rng.Source) (measure.Value, error) {
	s, err := m.Released(ctx, r)
	if err != nil {
		return measure.Value{}, err
	}
	w, err := weigh(ctx, s, r)
	if err != nil {
		return measure.Value{}, err
	}
	d := Detail{Intruder: s.View.Name, Released: len(s.Of), Classes: len(s.Sizes), Threshold: m.Threshold, Model: m.Model,
		K: m.K}
	if d.Model == Intruder {
		d.Model = "individual"
		if s.View.InFile {
			d.Model = "prosecutor"
		}
	}
	if s.People != nil {
		d.People = s.Number()
	}
	v := measure.Value{Notes: s.Notes}
	if w == nil && d.Model != Prosecutor {
		v.Notes = append(v.Notes, message.Say("measure.populationrisk.note.noWeights").
			Part("risk", message.Say("measure.populationrisk.risk."+d.Model)))
	}
	perRecord, err := d.models(ctx, s, w, r.Released)
	if err != nil {
		return measure.Value{}, err
	}
	global := d.of(s.Worst(perRecord))
	if home, err := homes(ctx, r, m.Household); err != nil {
		return measure.Value{}, err
	} else if home != nil {
		if perRecord, err = m.inHomes(ctx, r, &d, home, perRecord, s.People); err != nil {
			return measure.Value{}, err
		}
		global = d.of(s.Worst(perRecord))
		d.Household = &global
	}
	d.risk = s.ByRecord(func(int32) float64 { return 0 })
	if r.Paired {
		copy(d.risk, perRecord)
	}
	v.Score, v.Lo, v.Hi, v.Parts, v.Detail = global.Mean, global.Mean, global.Mean, d.parts(), d
	return v, nil
}

// models sets the risks of all models and returns that of the score's by released record.
func (d *Detail) models(ctx context.Context, s *classes.Study, w *weights, t *table.Table) ([]float64, error) {
	byRecord := func(f func(class int32) float64) []float64 {
		out := make([]float64, len(s.Of))
		for i, class := range s.Of {
			out[i] = f(class)
		}
		return out
	}
	out := byRecord(func(class int32) float64 { return 1 / float64(s.Hides[class]) })
	d.Prosecutor = d.of(s.Worst(out))
	if w == nil {
		return out, nil
	}
	d.Population, d.Unique = &w.total, w.uniqueMatch(s)
	journalist := byRecord(func(class int32) float64 { return 1 / w.candidates[class] })
	risk := make([]float64, len(s.Hides))
	for class, f := range s.Hides {
		risk[class] = Individual(int(f), float64(f)/w.candidates[class])
	}
	individual := byRecord(func(class int32) float64 { return risk[class] })
	j, i := d.of(s.Worst(journalist)), d.of(s.Worst(individual))
	d.Journalist, d.Individual = &j, &i
	expected, few, err := d.modelled(ctx, s, w, t)
	if err != nil {
		return nil, err
	}
	logLinear := byRecord(func(class int32) float64 { return expected[class] })
	kMap := byRecord(func(class int32) float64 { return few[class] })
	l, k := d.of(s.Worst(logLinear)), d.of(s.Worst(kMap))
	d.LogLinear, d.KMap = &l, &k
	switch d.Model {
	case Journalist:
		return journalist, nil
	case IndividualRisk:
		return individual, nil
	case LogLinear:
		return logLinear, nil
	case KMap:
		return kMap, nil
	}
	return out, nil
}

// of summarises the risks of the released records, or of people.
func (d *Detail) of(risks []float64) Risk {
	var r Risk
	for _, p := range risks {
		r.Highest = max(r.Highest, p)
		if p > d.Threshold {
			r.Above++
		}
	}
	r.Expected = exact.Of(risks)
	r.Mean = min(1, r.Expected/float64(len(risks)))
	return r
}
