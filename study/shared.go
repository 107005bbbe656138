package study

import "github.com/dither-data/dither/param"

// ForMeasure returns those parameters of a technique, or of a data set, that hold for a measure with the declared ones
// too, so that the trees a technique works in and those it is judged by are grown alike.
func ForMeasure(declared param.Set, set map[string]string) map[string]string {
	out := map[string]string{}
	for name, v := range set {
		if declared.Shares(name) {
			out[name] = v
		}
	}
	return out
}
