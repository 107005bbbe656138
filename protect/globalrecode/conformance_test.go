package globalrecode

import (
	"testing"

	"github.com/dither-data/dither/law"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/protecttest"
)

var (
	_ law.Recoder       = (*Plan)(nil)
	_ protect.Noted     = (*Plan)(nil)
	_ protect.Described = (*Plan)(nil)
)

func TestConformance(t *testing.T) {
	for name, set := range map[string]map[string]string{
		"defaults": {},
		"width":    {"cut": "width", "classes": "7", "except": "age"},
		"given":    {"breaks": "age=20|40|60,income=0|2500.5", "groups": "city=a|b:AB,city=*:rest,sex=a"},
		"both":     {"breaks": "age=40", "columns": "size,income", "classes": "2"},
	} {
		t.Run(name, func(t *testing.T) { protecttest.Run(t, Method, protecttest.Options{Set: set, Drawless: true}) })
	}
}

func FuzzPlan(f *testing.F) {
	protecttest.FuzzPlan(f, Method, protecttest.Options{Set: map[string]string{"breaks": "age=30|60", "groups": "city=a|b:A"}})
}
