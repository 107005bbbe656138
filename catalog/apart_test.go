package catalog

import (
	"testing"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/protect"
)

// A program without package catalog/all says what it lacks, not that there is no such technique.
func TestApart(t *testing.T) {
	of := func(m *protect.Method) *card.Card { return &m.Card }
	_, err := find("technique", "dither methods", []protect.Method{}, of, "Hide2a")
	if want := "the technique Hide2a is not in this program: import catalog/all"; err == nil || err.Error() != want {
		t.Errorf("%v; want %s", err, want)
	}
	for _, name := range apart {
		_, err := Method(name)
		_, none := Measure(name)
		if err != nil && none != nil {
			t.Errorf("package all does not add %s", name)
		}
	}
}
