package desk

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/dither-data/dither/intruder"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/policy"
	"github.com/dither-data/dither/study"
	"github.com/dither-data/dither/study/judge"
)

// DescribeIntruder returns the intruder who knows the given columns of a target and wants to learn the secret ones,
// both with commas between: age~2 is a number known within 2; "all" and "role:quasi-identifier" stand for several; no
// secret stands for the confidential columns and the class. An outsider does not know whether the target is in the
// file, one who is unaware does not know the technique. The name says all this.
func DescribeIntruder(knows, secret string, outsider, unaware bool) (intruder.Intruder, error) {
	i := intruder.Intruder{Outsider: outsider, Unaware: unaware, Within: map[string]float64{}}
	var told []string
	for _, word := range strings.Split(knows, ",") {
		name, within, off := strings.Cut(strings.TrimSpace(word), "~")
		if off {
			v, err := strconv.ParseFloat(within, 64)
			if err != nil || !(v >= 0) {
				return i, &Usage{Field: "knows", Value: strconv.Quote(word), Err: errors.New("expected a number of at least 0 " +
					"after ~")}
			}
			i.Within[name] = v
			word = message.Say("described.within").Name("column", name).Text("by", within).String()
		}
		i.Knows, told = append(i.Knows, name), append(told, strings.TrimSpace(word))
	}
	if secret != "" {
		for _, name := range strings.Split(secret, ",") {
			i.Secret = append(i.Secret, strings.TrimSpace(name))
		}
	}
	says := message.Say("described.knows").Part("what", message.Listed(message.Texts(told)))
	switch {
	case outsider && unaware:
		says = message.Say("described.neither").Part("knows", says)
	case outsider:
		says = message.Say("described.outsider").Part("knows", says)
	case unaware:
		says = message.Say("described.unaware").Part("knows", says)
	}
	i.Name, i.Described = says.String(), true
	return i, nil
}

// WithChannels returns an intruder who besides knows the gaps of the target, the order of the original or the plan, as
// the given one does, or can tell by a column which records are one person's. The name says so; without another name it
// is all that is known.
func WithChannels(i, channels intruder.Intruder) intruder.Intruder {
	i.Gaps, i.Order, i.Plan, i.Person = channels.Gaps, channels.Order, channels.Plan, channels.Person
	var told []message.Sentence
	for _, c := range []struct {
		key string
		has bool
	}{{"order", i.Order}, {"plan", i.Plan}, {"persons", i.Person != ""}, {"gaps", i.Gaps}} {
		if c.has {
			told = append(told, message.Say("described.channel."+c.key))
		}
	}
	switch what := message.Listed(told); {
	case told == nil:
	case i.Name == "":
		i.Name, i.Described = message.Say("described.knows").Part("what", what).String(), true
	default:
		i.Name = message.Say("described.also").Name("intruder", i.Name).Part("what", what).String()
	}
	return i
}

// intrudersOf returns the intruders of the files that a policy names, then its own; nil when there are none.
func intrudersOf(pol *policy.Policy) ([]intruder.Intruder, error) {
	var out []intruder.Intruder
	for _, file := range pol.IntruderFiles {
		p, err := parsePolicy(file)
		if err != nil {
			return nil, err
		}
		if len(p.Intruders) == 0 {
			return nil, fmt.Errorf("%s: it declares no intruders", file)
		}
		out = append(out, p.Intruders...)
	}
	if out = append(out, pol.Intruders...); out == nil {
		return pol.Intruders, nil
	}
	for k, i := range out {
		if slices.ContainsFunc(out[:k], func(o intruder.Intruder) bool { return o.Name == i.Name }) {
			return nil, usage(fmt.Errorf("two intruders are named %q", i.Name))
		}
	}
	return out, nil
}

// againstAll returns the intruders of a comparison, who must fit every table, and the names of those whom the limits
// bind, as judge.Subject.Binding does for one table; understood is false where it takes all for one of the tables.
func againstAll(pol *policy.Policy, data []study.DataSet, understood bool) (list []intruder.Intruder,
	binding []string, err error) {
	if list = pol.Intruders; list == nil {
		list = shared(data)
	}
	for _, d := range data {
		if err := judge.Fit(list, d.Table.Attrs()); err != nil {
			return nil, nil, usage(fmt.Errorf("%s: %w", d.Name, err))
		}
	}
	if binding = judge.Called(list); pol.Intruders == nil && understood {
		binding = binding[:1]
	}
	return list, binding, nil
}

// shared returns the default intruders of the first table whom every other has as well, or else the one who knows most.
func shared(data []study.DataSet) []intruder.Intruder {
	first := intruder.Defaults(data[0].Table.Attrs())
	out := slices.Clone(first)
	for _, d := range data[1:] {
		own := intruder.Defaults(d.Table.Attrs())
		out = slices.DeleteFunc(out, func(i intruder.Intruder) bool {
			return !slices.ContainsFunc(own, func(o intruder.Intruder) bool { return o.Name == i.Name })
		})
	}
	if len(out) == 0 {
		return first[len(first)-1:]
	}
	return out
}
