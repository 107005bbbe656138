package study

import (
	"github.com/dither-data/dither/mine/c45"
	"github.com/dither-data/dither/mine/sysfor"
	"github.com/dither-data/dither/param"
)

// treeParams names the parameters of the tree builders. A technique and a measure that both have one mean the same by it, so that the trees a
// technique works in and those it is judged by are grown alike; any other name they share is a coincidence.
var treeParams = func() map[string]bool {
	out := map[string]bool{"model": true}
	for _, p := range param.Merge(param.Default(&c45.Learner{}).Params(), param.Default(&sysfor.Learner{}).Params()) {
		out[p.Name] = true
	}
	return out
}()

// ForMeasures returns those parameters of a technique, or of a data set, that hold for measures too: the ones of its trees.
func ForMeasures(set map[string]string) map[string]string {
	out := map[string]string{}
	for name, v := range set {
		if treeParams[name] {
			out[name] = v
		}
	}
	return out
}
