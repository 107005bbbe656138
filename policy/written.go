package policy

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/dither-data/dither/param"
)

// Written returns how a policy says a technique with its parameters, as Technique and Settings tell them: its key,
// method or stages, and the value as Set takes it. Inside the values of columns a policy says nothing but these
// columns.
func Written(technique string, set map[string]string) (key string, value any) {
	names := strings.Split(technique, stageJoint)
	if len(names) == 1 {
		return "method", writtenMethod(technique, set, "")
	}
	var stages []any
	for k, name := range names {
		stages = append(stages, writtenMethod(name, set, stagePrefix(k)))
	}
	return "stages", stages
}

// writtenMethod is a technique whose parameters stand behind a prefix.
func writtenMethod(name string, set map[string]string, prefix string) []Pair {
	inside := strings.HasSuffix(name, withinSuffix)
	out := []Pair{{Key: "name", Value: strings.TrimSuffix(name, withinSuffix)}}
	var own, trees []Pair
	for _, k := range slices.Sorted(maps.Keys(set)) {
		short, mine := strings.CutPrefix(k, prefix)
		if !mine {
			continue
		}
		switch of, segments := strings.CutPrefix(short, withinPrefix); {
		case !inside || !segments:
			own = append(own, Pair{Key: short, Value: scalar(set[k])})
		case of != "by" && of != "columns":
			trees = append(trees, Pair{Key: of, Value: scalar(set[k])})
		}
	}
	if own != nil {
		out = append(out, Pair{Key: "set", Value: own})
	}
	if !inside {
		return out
	}
	by := set[prefix+withinPrefix+"by"]
	switch {
	case by == "columns":
		return append(out, Pair{Key: "within", Value: param.SplitNames(set[prefix+withinPrefix+"columns"])})
	case trees != nil:
		return append(out, Pair{Key: "within", Value: []Pair{{Key: by, Value: trees}}})
	}
	return append(out, Pair{Key: "within", Value: by})
}

// scalar is a number where the text is one, else the text.
func scalar(s string) any {
	var n json.Number
	if json.Unmarshal([]byte(s), &n) == nil && string(n) == s {
		return n
	}
	return s
}
