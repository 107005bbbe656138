package main

import (
	"fmt"
	"strings"

	"github.com/dither-data/dither/policy"
	"github.com/dither-data/dither/study"
)

// gate checks the policy's thresholds. With all set, a threshold on a measure that was not taken is broken; otherwise only the measures
// taken are checked. One that failed breaks its threshold, and a measure that is taken against several intruders must keep it against each.
func gate(p *policy.Policy, taken []study.Measured, all bool, verdict string) error {
	var lines []string
	for _, t := range p.Thresholds {
		one := &policy.Policy{Thresholds: []policy.Threshold{t}}
		asked := false
		for _, m := range taken {
			if m.Name != t.Measure {
				continue
			}
			asked = true
			score := map[string]float64{}
			if m.Err == "" {
				score[m.Name] = m.Value.Score
			}
			for _, b := range one.Check(score) {
				lines = append(lines, b.String()+withstanding(m.Intruder))
			}
		}
		if !asked && all {
			for _, b := range one.Check(nil) {
				lines = append(lines, b.String())
			}
		}
	}
	if lines == nil {
		return nil
	}
	return thresholdError{fmt.Errorf("%s: %s", verdict, strings.Join(lines, "; "))}
}

// withstanding names the intruder of a figure that depends on one.
func withstanding(intruder string) string {
	if intruder == "" {
		return ""
	}
	return fmt.Sprintf(" (intruder: %s)", printable(intruder))
}
