package limit

import (
	"fmt"
	"slices"
	"strings"
)

// None is the preset without limits.
const None = "none"

const (
	agencies = "European Medicines Agency, policy 0070, and Health Canada, public release of clinical information: a risk of at most 0.09"
	house    = "dither: the least that every release must keep"
	// scorecards is where the limit on drift comes from.
	scorecards = "a population stability index above 0.25 is a major shift (Siddiqi, Credit Risk Scorecards, 2006)"
	harbor     = "HIPAA safe harbor, 45 CFR 164.514(b)(2)"
)

func most(measure string, v float64, source string) Limit {
	return Limit{Measure: measure, Max: &v, Source: source}
}

// presets by name; the empty name stands for the default.
var presets = map[string]func() *Set{
	"default": func() *Set {
		return &Set{Name: "default", Source: agencies + "; at most 1 % of the people by look-up; no free text, names or dates of birth",
			Limits: slices.Concat([]Limit{most("found", 0.09, agencies)}, channels(), least())}
	},
	"ema": func() *Set {
		return &Set{Name: "ema", Source: agencies, Limits: slices.Concat([]Limit{most("found", 0.09, agencies)}, channels(), least()),
			Unchecked: []string{"that the whole dossier, not this table alone, keeps the risk", "who will use the data, and under what contract"}}
	},
	"hipaa": func() *Set {
		return &Set{Name: "hipaa", Source: harbor,
			Limits: []Limit{most(Text, 0, harbor), most(Name, 0, harbor+"(i)(A), (D)-(R)"), most(Birth, 0, harbor+"(i)(C)"), most(Date, 0, harbor+"(i)(C)"),
				most(Age, 0, harbor+"(i)(C)"), most(Zip, 0, harbor+"(i)(B)"), most(Lookup, 0.01, house), hidden(),
				most(Drift, 0.25, scorecards), most(Outside, 0.05, house)},
			Unchecked: []string{"that three-digit postcodes hold more than 20,000 people each", "photographs, fingerprints and other recordings",
				"that nobody in the house knows how the rest could identify a person"}}
	},
	None: func() *Set { return &Set{Name: None, Source: "no limit was asked for"} },
}

// channels are the limits on what is found by other ways than the values of one record: the same risk, by whatever way.
func channels() (out []Limit) {
	for _, name := range []string{"gaplinkage", "roworder", "repeatedrecords", "leakedplan", "membership", "replicateduniques"} {
		l := most(name, 0.09, agencies)
		l.IfAny = true
		out = append(out, l)
	}
	return out
}

// least are the limits of the house.
func least() []Limit {
	return []Limit{most(Lookup, 0.01, house), most(Text, 0, house), most(Name, 0, house), most(Birth, 0, house), hidden(),
		most(Drift, 0.25, scorecards), most(Outside, 0.05, house)}
}

// hidden is the limit on patterns that a technique was to hide; there is nothing to judge where none was.
func hidden() Limit {
	l := most(Patterns, 0, house)
	l.IfAny = true
	return l
}

// Names returns the names of the presets, sorted.
func Names() []string { return []string{"default", "ema", "hipaa", None} }

// Preset returns the limits of a name; the empty one stands for the default.
func Preset(name string) (*Set, error) {
	if name == "" {
		name = "default"
	}
	make, ok := presets[name]
	if !ok {
		return nil, fmt.Errorf("there are no limits %q; expected %s, or a file", name, strings.Join(Names(), ", "))
	}
	s := make()
	for k := range s.Limits {
		l := &s.Limits[k]
		l.Besides = l.Source != s.Source && l.Source != house && l.Source != agencies
	}
	return s, nil
}
