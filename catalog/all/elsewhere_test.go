package all_test

import (
	"strings"
	"testing"

	"github.com/dither-data/dither/catalog"
)

// TestOtherTools: techniques answer to what sdcMicro, ARX and the field call them.
func TestOtherTools(t *testing.T) {
	for name, want := range map[string]string{
		"microaggregation": "mdav", "noise addition": "sadp", "local suppression": "localsuppression",
		"rank swapping": "rankswap", "data swapping": "dataswap",
		"generalization": "generalise", "top coding": "topcode", "bottom coding": "bottomcode", "addNoise": "sadp",
		"pram": "pram", "localSuppression": "localsuppression",
		"kAnon": "localsuppression", "globalRecode": "globalrecode", "rankSwap": "rankswap", "recordSwap": "recordswap",
		"localSupp":        "localsuppression",
		"cell suppression": "localsuppression", "random sampling": "sample", "k-anonymity": "kanonymise",
		"shuffle": "shuffle", "Mondrian": "kanonymise",
	} {
		if m, err := catalog.Method(name); err != nil || m.Name != want {
			t.Errorf("%q is %q, %v; want %s", name, m.Name, err, want)
		}
		if near := catalog.Elsewhere(name); near != "" {
			t.Errorf("%q is a technique, and said to be none: %s", name, near)
		}
	}
}

// A misspelt name of another tool is told with the one that was meant, too.
func TestMisspeltAlias(t *testing.T) {
	for name, meant := range map[string]string{"microagregation": "microaggregation", "framwork": "framework",
		"k-anonimity": "k-anonymity"} {
		if _, err := catalog.Method(name); err == nil ||
			!strings.Contains(strings.ToLower(err.Error()), `did you mean "`+meant) {
			t.Errorf("%q: %v", name, err)
		}
	}
}

// TestElsewhere: what goes by no name here is told with what is nearest, in one line.
func TestElsewhere(t *testing.T) {
	for name, words := range map[string][]string{"k-map": {"populationrisk", "kanonymise"},
		"dRisk":                {"intervaldisclosure"},
		"differential privacy": {"warner"}, "topBotCoding": {"topcode+bottomcode"}} {
		_, err := catalog.Method(name)
		if err == nil || strings.Contains(err.Error(), "\n") {
			t.Errorf("%q: %v", name, err)
			continue
		}
		for _, w := range words {
			if _, other := catalog.Measure(w); !strings.Contains(err.Error(), w) {
				t.Errorf("%q: %v says nothing of %s", name, err, w)
			} else if _, own := catalog.Method(w); own != nil && other != nil {
				t.Errorf("%q: %s is nothing", name, w)
			}
		}
	}
	if near := catalog.Elsewhere("") + catalog.Elsewhere("framework"); near != "" {
		t.Error(near)
	}
}
