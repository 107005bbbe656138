package protecttest

import (
	"errors"
	"strings"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/table"
)

func FuzzPlanOfAnHonestTechnique(f *testing.F) { FuzzPlan(f, method(""), Options{}) }

// read checks a plan of the technique as FuzzPlan checks one that was read.
func read(t *testing.T, m protect.Method, opt Options) error {
	t.Helper()
	tab, s := Mixed(60), &suite{m: m, opt: opt}
	p := must.Get(s.fit(t.Context(), tab, 1, nil))(t)
	return s.accepted(p, tab, func(n string) (protect.Method, bool) { return m, m.Answers(n) })
}

func TestFaultsOfAPlanThatWasReadAreFound(t *testing.T) {
	if err := read(t, method(""), Options{}); err != nil {
		t.Fatalf("an honest plan: %v", err)
	}
	for _, fault := range []string{"outside the domain", "off the grid", "made missing", "missing filled",
		"undeclared change", "rows lost",
		"identity lost", "changes out of order", "law negative", "law off the domain", "law of what stays", "laws differ",
		"laws not comparable"} {
		if err := read(t, method(fault), Options{}); err == nil || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: not found: %v", fault, err)
		}
	}
}

func TestWhatElseATechniquePromises(t *testing.T) {
	broken := errors.New("broken")
	opt := Options{Holds: func(_ protect.Plan, original, release *table.Table) error {
		if original.Rows() != 60 || release.Rows() != 60 {
			t.Errorf("%d records become %d", original.Rows(), release.Rows())
		}
		return broken
	}}
	if err := read(t, method(""), opt); !errors.Is(err, broken) {
		t.Errorf("error %v", err)
	}
}

// mute is a plan that says nothing of itself, forgetful one that is written as another than it was read, wordless a
// composite of the mute.
type (
	mute      struct{ *plan }
	forgetful struct{ *plan }
	wordless  struct{ *plan }
)

func (mute) Describe() message.Sentence        { return message.Sentence{} }
func (w wordless) Steps() []protect.Plan       { return []protect.Plan{mute(w)} }
func (forgetful) MarshalJSON() ([]byte, error) { return []byte("{"), errors.New("lost") }

func TestPlansThatDoNotTell(t *testing.T) {
	m := method("")
	honest := &plan{Attrs: Mixed(60).Attrs(), Reach: 10}
	lookup := func(n string) (protect.Method, bool) { return m, m.Answers(n) }
	for what, p := range map[string]protect.Plan{"mute": mute{honest}, "forgetful": forgetful{honest},
		"wordless": wordless{honest}} {
		if err := (&suite{m: m}).accepted(p, Mixed(60), lookup); err == nil {
			t.Errorf("a %s plan is accepted", what)
		}
	}
}
