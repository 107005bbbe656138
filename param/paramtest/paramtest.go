// Package paramtest is the part of the conformance suites that is about parameters set in Go.
package paramtest

import (
	"fmt"
	"math"
	"strings"

	"github.com/dither-data/dither/param"
)

// Refused returns an error unless run refuses, by the name of the parameter, every value out of range that a field of a
// new value is set to.
func Refused[T param.Parametrised](fresh func() T, run func(T) error) error {
	for k, p := range fresh().Params() {
		for _, spoil := range wrong(p) {
			v := fresh()
			spoil(v.Params()[k])
			if err := run(v); err == nil || !strings.Contains(err.Error(), fmt.Sprintf("parameter %q", p.Name)) {
				return fmt.Errorf("parameter %q set in Go to %v: the error is %v", p.Name, v.Params().Values()[k].Value, err)
			}
		}
	}
	return nil
}

// wrong returns ways to set the field of a parameter to what it does not take.
func wrong(p param.Param) []func(param.Param) {
	switch p.Field().(type) {
	case *float64:
		var out []func(param.Param)
		for _, v := range []float64{math.NaN(), math.Inf(-1), *p.Min - 1, *p.Max*2 + 1} {
			out = append(out, func(p param.Param) { *p.Field().(*float64) = v })
		}
		return out
	case *int:
		below := func(p param.Param) { *p.Field().(*int) = math.MinInt }
		if *p.Max >= math.MaxInt32 {
			return []func(param.Param){below}
		}
		return []func(param.Param){below, func(p param.Param) { *p.Field().(*int) = int(*p.Max) + 1 }}
	case *string:
		if p.Type == param.TypeText {
			return nil
		}
		return []func(param.Param){
			func(p param.Param) { *p.Field().(*string) = "" },
			func(p param.Param) { *p.Field().(*string) = "no such choice" },
		}
	}
	return nil
}
