package report

import (
	"strings"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/study"
)

// told judges a comparison by accuracy and the given risk.
func told(t *testing.T, c *study.Comparison, risk string) (headline, deck string) {
	t.Helper()
	k := must.Get(newContest(c, CompareOptions{Risk: risk}))(t)
	v := newVerdict(k)
	return v.headline().String(), strings.Join(stringsOf(v.deck()), " ")
}

func pick(trials []trial, names ...string) []trial {
	var out []trial
	for _, n := range names {
		for _, t := range trials {
			if t.name == n {
				out = append(out, t)
			}
		}
	}
	return out
}

func TestVerdicts(t *testing.T) {
	alike := []trial{
		{name: "a", scores: [4]float64{94, 0.9, 9.2, 10}},
		{name: "b", scores: [4]float64{94.1, 0.9, 9.2, 10.2}},
	}
	paid := []trial{{name: "a", scores: [4]float64{94, 0.9, 9.2, 20}}, {name: "b", scores: [4]float64{80, 0.9, 9.2, 20.1}}}
	steps := gridTrials(30)[:4]
	for _, c := range []struct {
		name           string
		c              *study.Comparison
		risk           string
		headline, deck string // must be part of them
	}{
		{"one", compared(pick(paperTrials, "randomtechnique"), 1, 10, 0.1), "linkage", "Random Technique reaches 74.6 % in " +
			"prediction accuracy", "Record linkage: 1.2 %."},
		{"one that keeps", compared(pick(paperTrials, "forestframework"), 1, 10, 1), "sers", "Forest Framework keeps the " +
			"prediction accuracy of the original", ""},
		{"alike", compared(alike, 1, 10, 1), "linkage", "b and a cannot be told apart in prediction accuracy",
			"In risk they cannot be told apart"},
		{"tie with a safer one", compared(paperTrials, 1, 10, 1), "linkage", "Forest Framework and Framework lead in " +
			"prediction accuracy, too close to tell apart; Framework is the safer", "Random Technique loses"},
		{"tie with a better one elsewhere", compared(paperTrials, 1, 10, 1), "sers", "too close to tell apart; Forest " +
			"Framework is ahead in EDUDS", "In risk they cannot be told apart"},
		{"clear", compared(paid, 1, 10, 0.1), "linkage", "A comes closest to the original in prediction accuracy at the " +
			"same risk", "B loses 15.0 points"},
		{"three sets", compared(paperTrials, 3, 10, 0.05), "linkage", "Forest Framework and Framework",
			"on average over 3 data sets"},
		{"grid", compared(steps, 1, 10, 1), "linkage", "The 4 settings cannot be told apart", "prediction accuracy"},
		{"one fold", compared(paperTrials, 1, 1, 0), "linkage", "Too few folds to tell Forest Framework and Framework apart",
			"--folds 5"},
		{"nothing", compared(nil, 1, 10, 1), "", "Nothing was compared", ""},
	} {
		headline, deck := told(t, c.c, c.risk)
		if !strings.Contains(strings.ToLower(headline), strings.ToLower(c.headline)) {
			t.Errorf("%s: headline %q lacks %q", c.name, headline, c.headline)
		}
		if !strings.Contains(strings.ToLower(headline+" "+deck), strings.ToLower(c.deck)) {
			t.Errorf("%s: deck %q lacks %q", c.name, deck, c.deck)
		}
		if strings.Contains(headline+deck, "NaN") || strings.Contains(headline+deck, "  ") ||
			strings.Contains(headline+deck, "..") {
			t.Errorf("%s: %q %q", c.name, headline, deck)
		}
	}
}
