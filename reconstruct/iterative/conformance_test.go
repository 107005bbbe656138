package iterative_test

import (
	"testing"

	"github.com/dither-data/dither/noisemodel/modelfile"
	"github.com/dither-data/dither/reconstruct/iterative"
	"github.com/dither-data/dither/reconstruct/reconstructtest"
)

func TestConformance(t *testing.T) { reconstructtest.Family(t, iterative.Reconstructions) }

// Both take numbers, and em alone categories.
func TestTakes(t *testing.T) {
	number := modelfile.Part{Number: &modelfile.Number{}}
	category := modelfile.Part{Category: &modelfile.Category{}}
	for _, r := range iterative.Reconstructions {
		if m := r.New(); !m.Takes(&number) || m.Takes(&category) != (r.Name == "em") {
			t.Errorf("%s takes numbers: %v, categories: %v", r.Name, m.Takes(&number), m.Takes(&category))
		}
	}
}
