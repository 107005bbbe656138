package rnat_test

import (
	"testing"

	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/protect/rnat"
)

func TestConformance(t *testing.T) { protecttest.Run(t, rnat.Method, protecttest.Options{}) }

func FuzzPlan(f *testing.F) { protecttest.FuzzPlan(f, rnat.Method, protecttest.Options{}) }
