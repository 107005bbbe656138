package desk

import (
	"slices"
	"strings"

	"github.com/dither-data/dither/policy"
	"github.com/dither-data/dither/study/reading"
)

// marks are the texts that mean missing in every column: the policy's or the default ones, and those of the source.
func (s *Source) marks(pol *policy.Policy) []string {
	marks := reading.Marks(pol)
	for _, m := range s.Missing {
		if !strings.Contains(m, "=") && !slices.Contains(marks, m) {
			marks = append(marks, m)
		}
	}
	return marks
}

// codes are the texts that mean missing in single columns: the policy's, and those of the source, which are written column=text.
func (s *Source) codes(pol *policy.Policy) map[string][]string {
	codes := reading.Codes(pol)
	for _, m := range s.Missing {
		if at := strings.LastIndexByte(m, '='); at > 0 { // the name of a column may hold one
			codes[m[:at]] = append(codes[m[:at]], m[at+1:])
		}
	}
	return codes
}
