package measure

import (
	"encoding/json"
	"maps"
	"testing"

	"github.com/dither-data/dither/message"
)

// TestUnit: what is counted is in the singular behind 1 only, a share says what it is one of, and documents have the
// unit as text with its key beside.
func TestUnit(t *testing.T) {
	for _, c := range []struct {
		unit          Unit
		one, two, key string
	}{
		{Counting(Heads, "unit.people"), "person", "people", "unit.people"},
		{Counting(Count, "unit.pairs"), "pair of records", "pairs of records", "unit.pairs"},
		{In(Bits, message.Say("unit.bits")), "bits", "bits", "unit.bits"},
		{In(Share, message.Say("unit.ofPersons")), "share of people", "share of people", "unit.ofPersons"},
		{In(Percent, message.Say("unit.ofRecords")), "% of the records", "% of the records", "unit.ofRecords"},
		{In(Share, message.Sentence{}), "share", "share", "unit.share"},
		{In(Percent, message.Sentence{}), "%", "%", "unit.percent"},
		{Unit{}, "", "", ""},
	} {
		if one, two := c.unit.Beside(1).String(), c.unit.Beside(1.5).String(); one != c.one || two != c.two {
			t.Errorf("%s: %q and %q, want %q and %q", c.key, one, two, c.one, c.two)
		}
		var got map[string]string
		data, err := json.Marshal(c.unit)
		want := map[string]string{"unit": c.two, "unitKey": c.key, "unitKind": string(c.unit.Kind)}
		if err != nil || json.Unmarshal(data, &got) != nil || !maps.Equal(got, want) {
			t.Errorf("%s is %s, want %v", c.key, data, want)
		}
	}
}
