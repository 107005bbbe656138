package iterative

import (
	"testing"

	"github.com/dither-data/dither/law/published"
	"github.com/dither-data/dither/reconstruct/reconstructtest"
)

func TestConformance(t *testing.T) { reconstructtest.Family(t, Reconstructions) }

// Both take numbers, and em alone categories.
func TestTakes(t *testing.T) {
	number := published.Part{Number: &published.Number{}}
	category := published.Part{Category: &published.Category{}}
	for _, r := range Reconstructions {
		if m := r.New(); !m.Takes(&number) || m.Takes(&category) != (r.Name == "em") {
			t.Errorf("%s takes numbers: %v, categories: %v", r.Name, m.Takes(&number), m.Takes(&category))
		}
	}
}
