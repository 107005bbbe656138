package policy

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/internal/text/spelling"
	"github.com/dither-data/dither/param"
)

// CheckThresholds finds thresholds that no release can be judged by, before any table is read: those of a measure that
// ranges lacks, and bounds outside the range of the measure, which always hold or never. Ranges maps the names of
// measures to the smallest and the largest score, which may be infinite. The error has its place in the file.
func (p *Policy) CheckThresholds(ranges map[string][2]float64) error {
	for k, t := range p.Thresholds {
		at := fmt.Sprintf("/thresholds/%d", k)
		r, ok := ranges[t.Measure]
		if !ok {
			names := slices.Sorted(maps.Keys(ranges))
			hint := spelling.Hint(t.Measure, names)
			if hint == "" {
				hint = "; expected one of " + strings.Join(names, ", ")
			}
			return p.fault(at+"/measure", false, "unknown measure %q%s", t.Measure, hint)
		}
		for _, bound := range []struct {
			key   string
			value *float64
		}{{"min", t.Min}, {"max", t.Max}} {
			if v := bound.value; v != nil && (*v < r[0] || *v > r[1]) {
				return p.fault(at+"/"+bound.key, false, "%s is %s, but %s", bound.key, number(*v), within(t.Measure, r))
			}
		}
	}
	return nil
}

// within says in words where the scores of a measure lie.
func within(measure string, r [2]float64) string {
	switch {
	case r == [2]float64{0, 1}:
		return measure + " is a share from 0 to 1"
	case math.IsInf(r[1], 1):
		return fmt.Sprintf("%s is at least %s", measure, number(r[0]))
	case math.IsInf(r[0], -1):
		return fmt.Sprintf("%s is at most %s", measure, number(r[1]))
	}
	return fmt.Sprintf("%s lies from %s to %s", measure, number(r[0]), number(r[1]))
}

// MethodFault gives an error about the policy's technique its place in the file: that of the parameter of a
// param.Fault, else that of the name of the technique, the unknown one where there are several (card.Unknown). The
// result wraps err; it is err itself when that is nil, and when the policy was not parsed or names no technique.
func (p *Policy) MethodFault(err error) error {
	if err == nil || p.src == nil || p.Technique() == "" {
		return err
	}
	at, places := "/method/name", map[string]string{}
	var unknown *card.Unknown
	errors.As(err, &unknown)
	p.Method.places("/method", "", places)
	for k := range p.Stages {
		stage := fmt.Sprintf("/stages/%d", k)
		if p.Stages[k].places(stage, stagePrefix(k), places); k == 0 ||
			unknown != nil && strings.EqualFold(unknown.Name, p.Stages[k].Name) {
			at = stage + "/name"
		}
	}
	e := p.src.Errorf(at, "%v", err)
	var fault *param.Fault
	if errors.As(err, &fault) && places[fault.Name] != "" {
		if e = p.src.Errorf(places[fault.Name], "%v", err); fault.Unknown {
			e = p.src.KeyErrorf(places[fault.Name], "%v", err)
		}
	}
	e.Cause = err
	return e
}

// number writes a number exactly, with separators between thousands where it has no more digits than people read.
func number(v float64) string {
	if math.IsInf(v, 0) || v != 0 && (math.Abs(v) < 1e-6 || math.Abs(v) >= 1e15) {
		return strconv.FormatFloat(v, 'g', -1, 64)
	}
	s := strconv.FormatFloat(v, 'f', -1, 64)
	whole, frac, _ := strings.Cut(s, ".")
	for i := len(whole) - 3; i > 0 && whole[i-1] != '-'; i -= 3 {
		whole = whole[:i] + "," + whole[i:]
	}
	return strings.TrimSuffix(whole+"."+frac, ".")
}
