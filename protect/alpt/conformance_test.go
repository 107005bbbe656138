package alpt

import (
	"testing"

	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/table"
)

func TestConformance(t *testing.T) {
	protecttest.Run(t, Method, protecttest.Options{})
}

func FuzzPlan(f *testing.F) { protecttest.FuzzPlan(f, Method, protecttest.Options{}) }

func TestConformanceOnATreeHandedOver(t *testing.T) {
	protecttest.Run(t, Method, protecttest.Options{Prepare: func(q protect.Technique, t *table.Table) {
		q.(*Technique).Tree = protecttest.Tree(t)
	}})
}
