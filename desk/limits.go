package desk

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/dither-data/dither/limit"
	"github.com/dither-data/dither/policy"
	"github.com/dither-data/dither/study/judge"
)

// limitsOf returns the limits of a request: those that it names or else the policy names, where they are a preset or a file, then
// what judge.Limits adds.
func limitsOf(q judge.Demanded, pol *policy.Policy, policyPath string) (*limit.Set, error) {
	name := limitsFile(q.Limits, pol, policyPath)
	set, err := limit.Preset(name)
	if err != nil {
		if set, err = readLimits(name, err); err != nil {
			return nil, err
		}
	}
	return judge.Limits(set, q, pol)
}

// limitsFile is the name of a preset, or the path of a file of limits, that is asked for or that the policy names from its own folder; empty for neither.
func limitsFile(name string, pol *policy.Policy, policyPath string) string {
	if name == "" && pol.Limits != "" {
		if name = pol.Limits; !slices.Contains(limit.Names(), name) {
			name = besidePolicy(name, policyPath)
		}
	}
	return name
}

// readLimits reads a file of limits; wrong is the error where there is no such file.
func readLimits(path string, wrong error) (*limit.Set, error) {
	data, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) && !strings.ContainsAny(path, `./\`) {
		return nil, usage(wrong)
	}
	if err != nil {
		return nil, err
	}
	set, err := limit.Parse(nameOf(path), data)
	if err != nil {
		return nil, err
	}
	for _, l := range set.Limits {
		if err := judge.Judgeable(&l); err != nil {
			return nil, fmt.Errorf("%s: %w", nameOf(path), err)
		}
	}
	return set, nil
}
