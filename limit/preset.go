package limit

import (
	"fmt"
	"slices"
	"strings"
)

// None is the preset without limits, Survey that of samples: its figure is the individual risk in the population.
const (
	None   = "none"
	Survey = "survey"
)

const (
	agencies Phrase = "European Medicines Agency, policy 0070, and Health Canada, public release of clinical " +
		"information: " +
		"a risk of at most 0.09"
	usual Phrase = agencies + "; at most 1 % of the people by look-up; no free text, names or dates of birth"
	// House is the source of what every release must keep.
	House Phrase = "dither: the least that every release must keep"
	// scorecards is where the limit on drift comes from.
	scorecards Phrase = "a population stability index above 0.25 is a major shift (Siddiqi, Credit Risk Scorecards, 2006)"
	harbor     Phrase = "HIPAA safe harbor, 45 CFR 164.514(b)(2)"
	nobody     Phrase = "no limit was asked for"
	// CommandLine and Policy are the sources of limits that were asked for there.
	CommandLine Phrase = "the command line"
	Policy      Phrase = "the policy"

	// global is the largest global risk by which sdcMicro's measure_risk finds the records to treat.
	global Phrase = "sdcMicro, measure_risk, max_global_risk: 1 % of the records of a survey re-identified in the " +
		"population (Templ, Kowarik & Meindl, JSS 67(4), 2015; Franconi & Polettini, 2004)"
	frame Phrase = "that nobody knows who was in the sample"

	dossier    Phrase = "that the whole dossier, not this table alone, keeps the risk"
	users      Phrase = "who will use the data, and under what contract"
	postcodes  Phrase = "that three-digit postcodes hold more than 20,000 people each"
	recordings Phrase = "photographs, fingerprints and other recordings"
	knowledge  Phrase = "that nobody in the house knows how the rest could identify a person"
)

func most(measure string, v float64, source Phrase) Limit {
	return Limit{Measure: measure, Max: &v, Source: source}
}

// presets by name; the empty name stands for the default.
var presets = map[string]func() *Set{
	"default": func() *Set {
		return &Set{Name: "default", Source: usual,
			Limits: slices.Concat([]Limit{most("found", 0.09, agencies)}, channels(), least())}
	},
	"ema": func() *Set {
		return &Set{
			Name:      "ema",
			Source:    agencies,
			Limits:    slices.Concat([]Limit{most("found", 0.09, agencies)}, channels(), least()),
			Unchecked: []Phrase{dossier, users},
		}
	},
	"hipaa": func() *Set {
		return &Set{Name: "hipaa", Source: harbor,
			Limits: []Limit{
				most(Text, 0, harbor),
				most(Name, 0, harbor+"(i)(A), (D)-(R)"),
				most(Birth, 0, harbor+"(i)(C)"),
				most(Date, 0, harbor+"(i)(C)"),
				most(Age, 0, harbor+"(i)(C)"),
				most(Zip, 0, harbor+"(i)(B)"),
				most(Lookup, 0.01, House),
				hidden(),
				most(Drift, 0.25, scorecards),
				most(Outside, 0.05, House),
			},
			Unchecked: []Phrase{postcodes, recordings, knowledge}}
	},
	Survey: func() *Set {
		// Who is unique in the sample and has a look-alike in the population is not looked up, so that limit is left out.
		limits := slices.DeleteFunc(least(), func(l Limit) bool { return l.Measure == Lookup })
		return &Set{Name: Survey, Source: global, Limits: append([]Limit{most("populationrisk", 0.01, global)}, limits...),
			Unchecked: []Phrase{frame}}
	},
	None: func() *Set { return &Set{Name: None, Source: nobody} },
}

// channels are the limits on what is found by other ways than the values of one record: the same risk, by whatever way.
func channels() (out []Limit) {
	for _, name := range []string{"gaplinkage", "roworder", "repeatedrecords", "leakedplan", "membership",
		"replicateduniques", "earlierrelease"} {
		l := most(name, 0.09, agencies)
		l.IfAny = true
		out = append(out, l)
	}
	return out
}

// least are the limits that every release must keep.
func least() []Limit {
	return []Limit{most(Lookup, 0.01, House), most(Text, 0, House), most(Name, 0, House), most(Birth, 0, House), hidden(),
		most(Drift, 0.25, scorecards), most(Outside, 0.05, House)}
}

// KeyOfUnits is the limit on a column that is kept and puts the records of people or of households together again. It
// is held against every release that limits are asked for, whether or not they name it.
func KeyOfUnits() *Limit {
	l := most(UnitKey, 0.2, House)
	return &l
}

// NoShortSeed is the limit on short seeds (rng.ShortSeed), which can be tried out. It is held against every release
// that limits are asked for, whether or not they name it.
func NoShortSeed() *Limit {
	l := most(Seed, 0, House)
	return &l
}

// AsPlanned is the limit on what a plan suppresses in another table than its own: the share that it was fitted to
// suppress at most. It is held against every release that limits are asked for, whether or not they name it.
func AsPlanned(share float64) *Limit {
	l := most(Suppressed, share, House)
	return &l
}

// OfStronger is the limit on people on whom an intruder succeeds who knows more than those whom the limits are against:
// some 9 of 10 are no matter of care. It holds beside whatever limits are asked for.
func OfStronger() *Limit {
	l := most(Stronger, 0.9, House)
	return &l
}

// LeastImplied is the limit on people of whom other columns tell what was suppressed or changed, which holds beside
// whatever limits are asked for: such a value is released.
func LeastImplied() Limit {
	l := most(Implied, 0.01, House)
	l.IfAny = true
	return l
}

// hidden is the limit on patterns that a technique was to hide; there is nothing to judge where none was.
func hidden() Limit {
	l := most(Patterns, 0, House)
	l.IfAny = true
	return l
}

// Tables are the limits on tables of counts and totals, where no others are asked for.
func Tables() *Set {
	s := &Set{Name: "tables", Source: House, Limits: []Limit{most(Open, 0, House)}}
	for _, name := range []string{Guessed, Differences, Jointly} {
		l := most(name, 0.5, House)
		l.IfAny = true
		s.Limits = append(s.Limits, l)
	}
	l := most(Singled, 0.09, agencies)
	l.IfAny = true
	s.Limits = append(s.Limits, l)
	return s
}

// Names returns the names of the presets, sorted.
func Names() []string { return []string{"default", "ema", "hipaa", Survey, None} }

// Preset returns the limits of a name; the empty one stands for the default.
func Preset(name string) (*Set, error) {
	if name == "" {
		name = "default"
	}
	make, ok := presets[name]
	if !ok {
		return nil, fmt.Errorf("there are no limits %q; expected %s, or a file", name, strings.Join(Names(), ", "))
	}
	return make(), nil
}
