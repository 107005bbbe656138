package minetest

import (
	"encoding/json"
	"testing"

	"github.com/dither-data/dither/mine"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// Predictor is a model that predicts classes.
type Predictor interface {
	mine.Classifier
	Check() error
	Text() string
}

// FuzzModel decodes models that predict a class: one that passes Check predicts a class of its own for every record,
// whatever its figures are. It begins with models that are learned with some parameters. Schema returns the attributes
// of a model and which of them is the class.
func FuzzModel[M Predictor](
	f *testing.F,
	learner func() mine.Learner,
	fresh func() M,
	schema func(M) (attrs []table.Attribute, class int),
	sets ...map[string]string,
) {
	tab := Mixed(30, 0.2).Select(1, 3, 7)
	for _, set := range sets {
		l := learner()
		if err := l.Params().Apply(set); err != nil {
			f.Fatal(err)
		}
		m, err := l.Fit(f.Context(), tab, rng.Source{})
		if err != nil {
			f.Fatal(err)
		}
		text, err := json.Marshal(m)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		m := fresh()
		if json.Unmarshal(text, m) != nil || m.Check() != nil {
			return
		}
		attrs, class := schema(m)
		asked, err := tab.Conform(attrs, true)
		if err != nil {
			return
		}
		dst := make([]int32, asked.Rows())
		m.Predict(asked, dst)
		for i, c := range dst {
			if c < 0 || int(c) >= len(attrs[class].Labels) {
				t.Errorf("record %d is predicted class %d", i, c)
			}
		}
		_ = m.Text()
	})
}
