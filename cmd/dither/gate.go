package main

import (
	"fmt"
	"strings"

	"github.com/dither-data/dither/policy"
	"github.com/dither-data/dither/study"
)

// gate checks the policy's thresholds. With all set, a threshold on a measure that was not taken, or failed, is broken; otherwise
// only the measures taken are checked.
func gate(p *policy.Policy, taken []study.Measured, all bool, verdict string) error {
	values := map[string]float64{}
	asked := map[string]bool{}
	for _, m := range taken {
		asked[m.Name] = true
		if m.Err == "" {
			values[m.Name] = m.Value.Score
		}
	}
	var lines []string
	for _, b := range p.Check(values) {
		if all || asked[b.Measure] {
			lines = append(lines, b.String())
		}
	}
	if lines == nil {
		return nil
	}
	return thresholdError{fmt.Errorf("%s: %s", verdict, strings.Join(lines, "; "))}
}
