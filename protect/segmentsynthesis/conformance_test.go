package segmentsynthesis

import (
	"testing"

	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/table"
)

func TestConformance(t *testing.T) {
	for name, set := range map[string]map[string]string{
		"one tree":       nil,
		"several trees":  {"trees": "3"},
		"class kept":     {"classTechnique": "keep"},
		"values in gaps": {"gaps": "draw"},
	} {
		t.Run(name, func(t *testing.T) {
			m := Method
			if name == "several trees" {
				m.Shards = "" // refused for tables larger than the memory
			}
			protecttest.Run(t, m, protecttest.Options{Set: set, Joint: true, Gaps: name == "values in gaps"})
		})
	}
}

func TestConformanceOnATreeHandedOver(t *testing.T) {
	protecttest.Run(t, Method, protecttest.Options{
		Joint:   true,
		Prepare: func(q protect.Technique, t *table.Table) { q.(*Technique).Tree = protecttest.Tree(t) },
	})
}

func FuzzPlan(f *testing.F) {
	protecttest.FuzzPlan(f, Method, protecttest.Options{Joint: true, Gaps: true})
}
