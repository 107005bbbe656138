package hintoglu

import (
	"testing"

	"github.com/dither-data/dither/protect/protecttest"
)

// Which cells of a record go is decided together.
var options = protecttest.Options{Suppresses: true, Joint: true}

func TestConformance(t *testing.T) { protecttest.Run(t, Method, options) }

func FuzzPlan(f *testing.F) { protecttest.FuzzPlan(f, Method, options) }
