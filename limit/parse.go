package limit

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/goccy/go-yaml"
)

// file is a file of limits:
//
//	name: our house
//	source: the board's decision of May
//	limits:
//	  - {measure: found, max: 0.05}
//	  - {measure: text, max: 0}
//	unchecked: [that the contract is signed]
type file struct {
	Name      string   `yaml:"name"`
	Source    Phrase   `yaml:"source"`
	Limits    []bound  `yaml:"limits"`
	Unchecked []Phrase `yaml:"unchecked"`
}

type bound struct {
	Measure string   `yaml:"measure"`
	Min     *float64 `yaml:"min"`
	Max     *float64 `yaml:"max"`
	Source  Phrase   `yaml:"source"`
}

// maxSize bounds a file, in bytes.
const maxSize = 1 << 20

// Parse reads a file of limits, YAML. Unknown keys are errors. The measures are not looked up here.
func Parse(name string, data []byte) (s *Set, err error) {
	defer func() { // the parser has panicked on odd input in earlier releases
		if recover() != nil {
			s, err = nil, fmt.Errorf("%s: the text is not YAML", name)
		}
	}()
	if len(data) > maxSize {
		return nil, fmt.Errorf("%s: the file has %d bytes, expected at most %d", name, len(data), maxSize)
	}
	var f file
	if err := yaml.NewDecoder(bytes.NewReader(data), yaml.Strict()).Decode(&f); err != nil {
		var y yaml.Error
		if errors.As(err, &y) {
			at := y.GetToken().Position
			return nil, fmt.Errorf("%s:%d:%d: %s", name, at.Line, at.Column, y.GetMessage())
		}
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	s = &Set{Name: f.Name, Source: f.Source, Unchecked: f.Unchecked}
	if s.Name == "" {
		s.Name = name
	}
	for _, b := range f.Limits {
		l := Limit{Measure: b.Measure, Min: b.Min, Max: b.Max, Source: b.Source}
		if l.Source == "" {
			l.Source = Phrase(s.String())
		}
		switch {
		case l.Measure == "":
			return nil, fmt.Errorf("%s: a limit names no measure", name)
		case l.Min == nil && l.Max == nil:
			return nil, fmt.Errorf("%s: the limit on %s has neither min nor max", name, l.Measure)
		case !finite(l.Min) || !finite(l.Max):
			return nil, fmt.Errorf("%s: a bound on %s is not a finite number", name, l.Measure)
		case l.Min != nil && l.Max != nil && *l.Min > *l.Max:
			return nil, fmt.Errorf("%s: the limit on %s has a min above its max", name, l.Measure)
		case s.Find(l.Measure) != nil:
			return nil, fmt.Errorf("%s: there are two limits on %s", name, l.Measure)
		case (l.OfRelease() || l.OfTechnique()) && l.Max == nil:
			return nil, fmt.Errorf("%s: the limit on %s needs a max", name, l.Measure)
		case slices.Contains(Kinds(), l.Measure) && *l.Max < 0:
			return nil, fmt.Errorf("%s: the limit on %s is below 0", name, l.Measure)
		}
		s.Limits = append(s.Limits, l)
	}
	return s, nil
}

func finite(v *float64) bool { return v == nil || !math.IsNaN(*v) && !math.IsInf(*v, 0) }
