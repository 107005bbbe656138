package limit

import (
	"bytes"
	"cmp"
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
	if len(data) > maxSize {
		return nil, fmt.Errorf("%s: the file has %d bytes, expected at most %d", name, len(data), maxSize)
	}
	f, err := decode(name, data)
	if err != nil {
		return nil, err
	}
	s = &Set{Name: cmp.Or(f.Name, name), Source: f.Source, Unchecked: f.Unchecked}
	for _, b := range f.Limits {
		l := Limit{Measure: b.Measure, Min: b.Min, Max: b.Max, Source: cmp.Or(b.Source, Phrase(s.String()))}
		if err := s.admit(&l); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		s.Limits = append(s.Limits, l)
	}
	return s, nil
}

// decode reads YAML.
func decode(name string, data []byte) (f file, err error) {
	defer func() { // the parser has panicked on odd input in earlier releases
		if recover() != nil {
			err = fmt.Errorf("%s: the text is not YAML", name)
		}
	}()
	if err = yaml.NewDecoder(bytes.NewReader(data), yaml.Strict()).Decode(&f); err == nil {
		return f, nil
	}
	var y yaml.Error
	if errors.As(err, &y) {
		at := y.GetToken().Position
		return f, fmt.Errorf("%s:%d:%d: %s", name, at.Line, at.Column, y.GetMessage())
	}
	return f, fmt.Errorf("%s: %w", name, err)
}

// admit refuses a limit that is not sound, or is the second on its measure.
func (s *Set) admit(l *Limit) error {
	switch {
	case l.Measure == "":
		return errors.New("a limit names no measure")
	case l.Min == nil && l.Max == nil:
		return fmt.Errorf("the limit on %s has neither min nor max", l.Measure)
	case !finite(l.Min) || !finite(l.Max):
		return fmt.Errorf("a bound on %s is not a finite number", l.Measure)
	case l.Min != nil && l.Max != nil && *l.Min > *l.Max:
		return fmt.Errorf("the limit on %s has a min above its max", l.Measure)
	case s.Find(l.Measure) != nil:
		return fmt.Errorf("there are two limits on %s", l.Measure)
	case (l.OfRelease() || l.OfTechnique()) && l.Max == nil:
		return fmt.Errorf("the limit on %s needs a max", l.Measure)
	case slices.Contains(Kinds(), l.Measure) && *l.Max < 0:
		return fmt.Errorf("the limit on %s is below 0", l.Measure)
	}
	return nil
}

func finite(v *float64) bool { return v == nil || !math.IsNaN(*v) && !math.IsInf(*v, 0) }
