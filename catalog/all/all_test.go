package all_test

import (
	"testing"

	"github.com/dither-data/dither/catalog"
	_ "github.com/dither-data/dither/catalog/all"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/measure/clusterings"
	"github.com/dither-data/dither/measure/prediction"
	"github.com/dither-data/dither/mine"
)

// TestNamed: the miners that measures name are those of the catalogue.
func TestNamed(t *testing.T) {
	own := map[string]bool{"kmeans": true, "knn": true, "c45": true, "sysfor": true, prediction.Every: true}
	for param, m := range map[string]*measure.Measure{
		"learner": &prediction.Classifier,
		"miner":   &clusterings.Misclassification,
	} {
		named := 0
		for _, d := range m.New().Params() {
			if d.Name != param {
				continue
			}
			for _, name := range d.Choices {
				if own[name] {
					continue
				}
				named++
				if got, err := mine.Named(name); err != nil || got.Name != name {
					t.Errorf("%s: %s: %v, %v", m.Name, name, got.Name, err)
				}
			}
		}
		if named < 3 {
			t.Errorf("%s names %d miners", m.Name, named)
		}
	}
	if _, err := mine.Named("none"); err == nil {
		t.Error("a miner that nobody wrote is found")
	}
}

// TestNotLinked: a program without the miners says what to import.
func TestNotLinked(t *testing.T) {
	defer mine.Register(catalog.Miners)
	mine.Register(nil)
	const want = "the miner rock is not in this program: import catalog/all"
	if _, err := mine.Named("rock"); err == nil || err.Error() != want {
		t.Errorf("%v; want %s", err, want)
	}
}
