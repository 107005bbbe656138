package message

import (
	"encoding/json"
	"math"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
)

// TestStored: a sentence comes back from a file with its types and values, whatever its arguments.
func TestStored(t *testing.T) {
	s := Say("a").Count("n", 1).Amount("x", 1.5).Share("s", 0.1).Number("v", math.NaN(), 0.01).Fixed("f", 0.1+0.2, 3).
		Digits("d", math.Inf(1), 2).Name("who", "b").Names("all", []string{"c", "d"}).Columns("some", []string{"e", "f"}, 1).
		Text("t", "g").Part("p", Say("h").Count("n", 2)).Parts("ps", []Sentence{Name("i")}).Part("w", Say("j").Whole()).
		Choices("c", []Sentence{Name("k"), Say("l")})
	data := must.Get(json.Marshal(Stored(s)))(t)
	var got Stored
	must.NoError(t, json.Unmarshal(data, &got))
	if again, _ := json.Marshal(got); string(again) != string(data) ||
		Sentence(got).its().args[3].value.(number).step != 0.01 {
		t.Errorf("%s is read as %s", data, again)
	}
	if err := json.Unmarshal([]byte(`{"args":[{"type":"odd"}]}`), &got); err == nil {
		t.Error("an argument of an unknown type is read")
	}
}

// TestAlike: sentences are alike whose figures alone differ, not those of other names or other keys.
func TestAlike(t *testing.T) {
	of := func(n int, in string) Sentence {
		return Say("a").Count("n", n).Part("of", Say("b").Share("s", float64(n)/100).Name("in", in))
	}
	if !of(1, "x").Alike(of(2, "x")) || of(1, "x").Alike(of(1, "y")) || of(1, "x").Alike(Say("b")) ||
		of(1, "x").Equal(of(2, "x")) {
		t.Error("sentences are taken for alike by other things than their figures")
	}
}
