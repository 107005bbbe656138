package desk

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/dither-data/dither/internal/system/wholefile"
	"github.com/dither-data/dither/limit"
	"github.com/dither-data/dither/policy"
	"github.com/dither-data/dither/study/judge"
)

// limitsOf returns the limits of a policy: a preset or a file, then what judge.Limits adds.
func limitsOf(pol *policy.Policy) (*limit.Set, error) {
	set, err := limit.Preset(pol.Limits)
	if err != nil {
		if set, err = readLimits(pol.Limits, err); err != nil {
			return nil, err
		}
	}
	return judge.Limits(set, pol)
}

// readLimits reads a file of limits; wrong is the error where there is no such file.
func readLimits(path string, wrong error) (*limit.Set, error) {
	data, err := wholefile.Read(path)
	if errors.Is(err, os.ErrNotExist) && !strings.ContainsAny(path, `./\`) {
		return nil, usage(wrong)
	}
	if err != nil {
		return nil, err
	}
	set, err := limit.Parse(nameOf(path), data)
	if err != nil {
		return nil, usage(err)
	}
	for _, l := range set.Limits {
		if err := judge.Judgeable(&l); err != nil {
			return nil, usage(fmt.Errorf("%s: %w", nameOf(path), err))
		}
	}
	return set, nil
}
