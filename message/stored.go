package message

import (
	"encoding/json"
	"fmt"
	"strconv"
)

// Stored is a sentence as a file of the program's own keeps it: with the types and values of its arguments, so that
// the same sentence is read from it. A value that brings its own words is kept as its English words.
type Stored Sentence

type (
	storedSentence struct {
		Key   string           `json:"key,omitempty"`
		Args  []storedArgument `json:"args,omitempty"`
		Whole bool             `json:"whole,omitempty"` // with a capital and a full stop
		Of    string           `json:"of,omitempty"`    // whom it speaks of, as Among has it
	}
	storedArgument struct {
		As      string   `json:"as,omitempty"`
		Type    string   `json:"type"`
		Numbers []string `json:"numbers,omitempty"` // NaN and the infinities too
		Words   []string `json:"words,omitempty"`
		Parts   []Stored `json:"parts,omitempty"`
	}
)

// MarshalJSON writes the key and the arguments.
func (s Stored) MarshalJSON() ([]byte, error) {
	its := Sentence(s).its()
	out := storedSentence{Key: its.key, Whole: its.whole, Of: its.of}
	for _, a := range its.args {
		out.Args = append(out.Args, stored(a))
	}
	return json.Marshal(out)
}

func stored(a argument) storedArgument {
	numbers := func(vs ...float64) (out []string) {
		for _, v := range vs {
			out = append(out, strconv.FormatFloat(v, 'g', -1, 64))
		}
		return out
	}
	switch v := a.value.(type) {
	case count:
		return storedArgument{As: a.name, Type: "count", Numbers: numbers(float64(v))}
	case amount:
		return storedArgument{As: a.name, Type: "amount", Numbers: numbers(float64(v))}
	case share:
		return storedArgument{As: a.name, Type: "share", Numbers: numbers(float64(v))}
	case number:
		return storedArgument{As: a.name, Type: "number", Numbers: numbers(v.value, v.step)}
	case fixed:
		return storedArgument{As: a.name, Type: "fixed", Numbers: numbers(v.value, float64(v.decimals))}
	case percent:
		return storedArgument{As: a.name, Type: "percent", Numbers: numbers(v.value, float64(v.decimals))}
	case rounded:
		return storedArgument{As: a.name, Type: "digits", Numbers: numbers(v.value, float64(v.digits))}
	case name:
		return storedArgument{As: a.name, Type: "name", Words: []string{string(v)}}
	case names:
		return storedArgument{As: a.name, Type: "names", Words: v}
	case some:
		return storedArgument{As: a.name, Type: "some", Numbers: numbers(float64(v.all)), Words: v.names}
	case Sentence:
		return storedArgument{As: a.name, Type: "part", Parts: []Stored{Stored(v)}}
	case parts:
		return storedArgument{As: a.name, Type: "parts", Words: []string{v.between}, Parts: storedAll(v.all)}
	case choices:
		return storedArgument{As: a.name, Type: "choices", Parts: storedAll(v)}
	}
	return storedArgument{As: a.name, Type: "text", Words: []string{a.value.In(English())}}
}

func storedAll(all []Sentence) (out []Stored) {
	for _, s := range all {
		out = append(out, Stored(s))
	}
	return out
}

// UnmarshalJSON reads what MarshalJSON writes. It fails for a type of argument that there is not.
func (s *Stored) UnmarshalJSON(data []byte) error {
	var in storedSentence
	if err := json.Unmarshal(data, &in); err != nil {
		return err
	}
	if in.Key == "" && len(in.Args) == 0 {
		*s = Stored{}
		return nil
	}
	its := &template{key: in.Key, whole: in.Whole, of: in.Of}
	for k := range in.Args {
		v, err := in.Args[k].value()
		if err != nil {
			return err
		}
		its.args = append(its.args, argument{in.Args[k].As, v})
	}
	*s = Stored{its}
	return nil
}

func (a *storedArgument) value() (Value, error) {
	var n [2]float64
	for k := range min(len(a.Numbers), len(n)) {
		v, err := strconv.ParseFloat(a.Numbers[k], 64)
		if err != nil {
			return nil, fmt.Errorf("%q is not a number", a.Numbers[k])
		}
		n[k] = v
	}
	word := ""
	if len(a.Words) > 0 {
		word = a.Words[0]
	}
	var all []Sentence
	for _, p := range a.Parts {
		all = append(all, Sentence(p))
	}
	switch a.Type {
	case "count":
		return count(n[0]), nil
	case "amount":
		return amount(n[0]), nil
	case "share":
		return share(n[0]), nil
	case "number":
		return number{n[0], n[1]}, nil
	case "fixed":
		return fixed{n[0], int(n[1])}, nil
	case "percent":
		return percent{n[0], int(n[1])}, nil
	case "digits":
		return rounded{n[0], int(n[1])}, nil
	case "name":
		return name(word), nil
	case "names":
		return names(a.Words), nil
	case "some":
		return some{a.Words, int(n[0])}, nil
	case "part":
		if len(all) == 1 {
			return all[0], nil
		}
	case "choices":
		return choices(all), nil
	case "parts":
		return parts{all, word}, nil
	case "text":
		return text(word), nil
	}
	return nil, fmt.Errorf("a sentence cannot have an argument of type %q", a.Type)
}
