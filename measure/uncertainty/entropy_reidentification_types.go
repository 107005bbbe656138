package uncertainty

import "github.com/dither-data/dither/measure/internal/posterior"

// Rule says when a release counts as secure, Summary is what it makes of the entropies of a release, and Suspects are
// the records among which the person at the highest risk is sought.
type (
	Rule     = posterior.Rule
	Summary  = posterior.Summary
	Suspects = posterior.Suspects
)
