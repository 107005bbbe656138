package main

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/dither-data/dither/intruder"
	"github.com/dither-data/dither/policy"
	"github.com/dither-data/dither/table"
)

// intruders is the flags that say whom a release is to withstand.
type intruders struct {
	files             []string
	knows, secret     string
	outsider, unaware bool
}

func (f *intruders) flags(c *cobra.Command) {
	fl := c.Flags()
	fl.StringArrayVar(&f.files, "intruder", nil, "read intruders from the section intruders of a policy `file`; may be repeated (default: those of --policy, else one who knows "+
		"the quasi-identifiers and one who knows everything but the class)")
	fl.StringVar(&f.knows, "knows", "", "an intruder who knows these `columns` of the target, with commas between: age~2 for a number known within 2, \"all\", \"role:quasi-identifier\"")
	fl.StringVar(&f.secret, "secret", "", "the `columns` that this intruder wants to learn (default: the confidential ones and the class)")
	fl.BoolVar(&f.outsider, "outsider", false, "this intruder does not know whether the target is in the file")
	fl.BoolVar(&f.unaware, "unaware", false, "this intruder does not know the technique")
}

// declared returns the intruders of the flags; none when there are no such flags.
func (f *intruders) declared() ([]intruder.Intruder, error) {
	var out []intruder.Intruder
	for _, file := range f.files {
		data, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		p, err := policy.Parse(file, data)
		if err != nil {
			return nil, err
		}
		if len(p.Intruders) == 0 {
			return nil, fmt.Errorf("%s: it declares no intruders", file)
		}
		out = append(out, p.Intruders...)
	}
	if f.knows == "" && (f.secret != "" || f.outsider || f.unaware) {
		return nil, usageError{errors.New("--secret, --outsider and --unaware describe an intruder whose knowledge --knows gives")}
	}
	if f.knows != "" {
		i, err := f.described()
		if err != nil {
			return nil, err
		}
		out = append(out, i)
	}
	for k, i := range out {
		if slices.ContainsFunc(out[:k], func(o intruder.Intruder) bool { return o.Name == i.Name }) {
			return nil, usageError{fmt.Errorf("two intruders are named %q", i.Name)}
		}
	}
	return out, nil
}

// chosen returns the intruders of the flags or, without any, those of the policy; none when neither names one.
func (f *intruders) chosen(pol *policy.Policy) ([]intruder.Intruder, error) {
	list, err := f.declared()
	if list == nil {
		list = pol.Intruders
	}
	return list, err
}

// described returns the intruder of --knows.
func (f *intruders) described() (intruder.Intruder, error) {
	i := intruder.Intruder{Outsider: f.outsider, Unaware: f.unaware, Within: map[string]float64{}}
	var told []string
	for _, word := range strings.Split(f.knows, ",") {
		name, within, off := strings.Cut(strings.TrimSpace(word), "~")
		if off {
			v, err := strconv.ParseFloat(within, 64)
			if err != nil || !(v >= 0) {
				return i, usageError{fmt.Errorf("--knows %q: expected a number of at least 0 after ~", word)}
			}
			i.Within[name] = v
			word = name + " within " + within
		}
		i.Knows, told = append(i.Knows, name), append(told, strings.TrimSpace(word))
	}
	if f.secret != "" {
		for _, name := range strings.Split(f.secret, ",") {
			i.Secret = append(i.Secret, strings.TrimSpace(name))
		}
	}
	i.Name = "knows " + strings.Join(told, ", ")
	switch {
	case f.outsider && f.unaware:
		i.Name += ", but neither who is in the file nor the technique"
	case f.outsider:
		i.Name += ", but not who is in the file"
	case f.unaware:
		i.Name += ", but not the technique"
	}
	return i, nil
}

// against returns the intruders of the flags or, without any, those of the policy or, when there is none in it either, the default ones of the
// table that is measured. Every one must fit it; whole is the table as it was read, with its identifiers.
func against(declared []intruder.Intruder, pol *policy.Policy, whole, attrs []table.Attribute) ([]intruder.Intruder, error) {
	if declared == nil {
		declared = pol.Intruders
	}
	if declared == nil {
		return intruder.Defaults(attrs), nil
	}
	if err := fit(declared, whole); err != nil {
		return nil, err
	}
	if err := fit(declared, attrs); err != nil {
		return nil, usageError{fmt.Errorf("%w in both tables", err)}
	}
	return declared, nil
}

// fit checks that the columns the intruders are about are there.
func fit(list []intruder.Intruder, attrs []table.Attribute) error {
	for k := range list {
		if _, err := list[k].On(attrs); err != nil {
			return usageError{err}
		}
	}
	return nil
}
