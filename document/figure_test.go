package document

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/message"
)

// TestFigureJSON: a figure is written by its numbers and as a reader sees it; where there is no interval there is no
// level, and what is no number is null.
func TestFigureJSON(t *testing.T) {
	f := Figure{
		Key:   "found",
		Value: 0.0743,
		Lo:    0.056,
		Hi:    0.0961,
		Level: 0.95,
		Unit:  measure.OfPeople("unit.ofPeople"),
	}
	for _, c := range []struct {
		f    Figure
		want string
	}{
		{f, `"value":0.0743,"lo":0.056,"hi":0.0961,"level":0.95,"unitKind":"share","unit":"share of the people","unitKey":"unit.ofPeople","shown":"7 %","interval":"6 to 10 %"`},
		{Figure{Value: 3, Lo: 3, Hi: 3, Level: 0.95}, `"value":3,"lo":3,"hi":3,"level":null,"unitKind":"","unit":"","unitKey":"","shown":"3","interval":""`},
		{Figure{Value: math.NaN(), Lo: math.Inf(-1), Hi: math.NaN()},
			`"value":null,"lo":null,"hi":null,"level":null,"unitKind":"","unit":"","unitKey":"","shown":"not defined"`},
	} {
		data, err := json.Marshal(c.f)
		if err != nil || !strings.Contains(string(data), c.want) {
			t.Errorf("%s, expected %s (%v)", data, c.want, err)
		}
	}
	if got := message.Say("attack.was").Figure("before", f).String(); got != "was 7 % (6 to 10 %)" {
		t.Errorf("%q", got)
	}
}

// TestPublicTakesNoOther: a public document refuses a section that is not said to be for the public.
func TestPublicTakesNoOther(t *testing.T) {
	d := Document{Public: true}
	d.Add(&Section{Key: "secret"})
	d.Add(&Section{Key: "open", Public: true})
	d.Add(nil)
	if len(d.Sections) != 1 || d.Find("secret") != nil || d.Find("open") == nil {
		t.Errorf("%+v", d.Sections)
	}
}
