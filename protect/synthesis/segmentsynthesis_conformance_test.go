package synthesis

import (
	"testing"

	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/table"
)

func TestSegmentConformance(t *testing.T) {
	protecttest.Family(t, []protect.Method{Segment}, protecttest.Trials{Segment.Name: {
		"defaults":       {Joint: true},
		"class kept":     {Joint: true, Set: map[string]string{"classTechnique": "keep"}},
		"values in gaps": {Joint: true, Gaps: true, Set: map[string]string{"gaps": "draw"}},
		"a tree handed over": {
			Joint:   true,
			Prepare: func(q protect.Technique, t *table.Table) { q.(*SegmentTechnique).Tree = protecttest.Tree(t) },
		},
	}})
	several := Segment
	several.Shards = "" // refused for tables larger than the memory
	protecttest.Family(t, []protect.Method{several}, protecttest.Trials{several.Name: {
		"several trees": {Joint: true, Set: map[string]string{"trees": "3"}},
	}})
}

func FuzzSegmentPlan(f *testing.F) {
	protecttest.FuzzPlan(f, Segment, protecttest.Options{Joint: true, Gaps: true})
}
