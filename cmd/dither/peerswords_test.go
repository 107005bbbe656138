package main

import (
	"strings"
	"testing"

	"github.com/dither-data/dither/desk"
	"github.com/dither-data/dither/internal/testkit/long"
)

// TestPeersWords: every word that peers have for something leads somewhere in each part of the catalogue, and first to
// what is meant, in British and in American spelling. A quick run looks among the techniques alone.
func TestPeersWords(t *testing.T) {
	for word, want := range map[string]string{
		"pseudonymise": "--pseudonymise", "pseudonymize": "--pseudonymise", "hash": "--pseudonymise",
		"tokenise": "--pseudonymise", "tokenize": "--pseudonymise", "mask": "mask", "redact": "never released",
		"date shift": "--dates-shift", "synthetic": "dither synthesise", "CTGAN": "no neural network",
		"local recoding": "local=true", "anatomy": "anatomy", "anatomization": "anatomy", "Datafly": "kanonymise",
		"Incognito": "kanonymise", "winsorise": "topcode+bottomcode", "winsorize": "topcode+bottomcode",
		"binning": "globalrecode", "pMSE": "pmse", "propensity": "pmse", "Hellinger": "hellinger",
		"Wasserstein": "hellinger", "k-marginal": "kmarginal", "singling out": "singlingout",
		"linkability": "linkability", "homogeneity": "ldiversity", "epsilon": "dither synthesise --method aim",
		"TSTR": "classifier", "secure multi-party": "dither joint", "cell suppression": "localsuppression",
		"randomised response": "warner", "randomized response": "warner", "discretization": "globalrecode",
	} {
		for _, p := range []desk.Part{desk.Methods, desk.Measures, desk.Miners, desk.Generators}[:long.Of(1, 4)] {
			f, err := p.Search(strings.Fields(word))
			if err != nil {
				t.Errorf("dither %s %s: %v", p.Name, word, err)
				continue
			}
			if own, ok := first(f); p.Name == "methods" && !strings.Contains(own, want) || !ok {
				t.Errorf("dither %s %s leads to %q first; expected %s", p.Name, word, own, want)
			}
		}
	}
	if f, err := desk.Methods.Search([]string{"nothing", "such"}); err == nil {
		t.Errorf("a word of nothing leads to %v", f)
	}
}

// first is the first thing that a finding says.
func first(f desk.Finding) (string, bool) {
	switch {
	case f.Entry != nil:
		return f.Entry.Name, true
	case f.Instead != "":
		return f.Instead, true
	case len(f.Entries) > 0:
		return f.Entries[0].Name, true
	case len(f.Others) > 0:
		return f.Others[0].Entry.Name, f.Others[0].Part.Name != ""
	}
	return "", false
}
