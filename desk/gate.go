package desk

import (
	"fmt"
	"strings"

	"github.com/dither-data/dither/policy"
	"github.com/dither-data/dither/study"
)

// Broken is the error for a release that does not keep the thresholds of its policy.
type Broken struct {
	Verdict  string   // what follows
	Breaches []string // one sentence for every threshold and intruder, in the order of the policy
}

// Error is one line.
func (b *Broken) Error() string { return b.Verdict + ": " + strings.Join(b.Breaches, "; ") }

// gate checks the policy's thresholds; nil when all are kept. With all set, a threshold on a measure that was not taken is broken; otherwise only the
// measures taken are checked. One that failed breaks its threshold, and a measure that is taken against several intruders must keep it against each.
func gate(p *policy.Policy, taken []study.Measured, all bool, verdict string) *Broken {
	var lines []string
	for _, t := range p.Thresholds {
		one := &policy.Policy{Thresholds: []policy.Threshold{t}}
		asked := false
		var against []study.Measured // whom it does not hold against
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
				against = append(against, m)
			}
		}
		if p.Intruders == nil && tooMuch(against) {
			lines[len(lines)-1] += alternative
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
	return &Broken{verdict, lines}
}

// alternative is what to do about a group of records that one who knows nearly everything takes apart.
const alternative = ", who takes every group of records apart; to hold it against one who knows the quasi-identifiers, declare that one " +
	"in the policy: intruders: [{name: neighbour, knows: [\"role:quasi-identifier\"]}]"

// tooMuch reports whether a threshold on groups of records is broken by the default intruder who knows nearly everything, and by nobody else.
func tooMuch(by []study.Measured) bool {
	return len(by) == 1 && by[0].Groups && strings.HasPrefix(by[0].Intruder, "knows everything")
}

// withstanding names the intruder of a figure that depends on one.
func withstanding(intruder string) string {
	if intruder == "" {
		return ""
	}
	return fmt.Sprintf(" (intruder: %s)", intruder)
}
