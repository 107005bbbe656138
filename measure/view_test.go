package measure

import (
	"maps"
	"reflect"
	"slices"
	"testing"

	"github.com/dither-data/dither/intruder"
	"github.com/dither-data/dither/segment"
)

// filled returns a release whose every exported field has a value of its own.
func filled(t *testing.T) *Release {
	t.Helper()
	r := &Release{}
	v := reflect.ValueOf(r).Elem()
	for _, field := range fieldsOf(v) {
		f := v.FieldByIndex(field.Index)
		switch name := field.Name; {
		case f.Kind() == reflect.Pointer:
			f.Set(reflect.New(f.Type().Elem()))
		case f.Kind() == reflect.Slice:
			f.Set(reflect.MakeSlice(f.Type(), 1, 1))
		case f.Kind() == reflect.Map:
			f.Set(reflect.MakeMap(f.Type()))
		case f.Kind() == reflect.Bool:
			f.SetBool(true)
		case f.Kind() == reflect.String:
			f.SetString(name)
		case f.Kind() == reflect.Float64:
			f.SetFloat(7)
		case name == "Work":
			f.Set(reflect.ValueOf(NewWorkspace()))
		case f.Kind() == reflect.Func:
			f.Set(reflect.MakeFunc(f.Type(), nil))
		case name == "Segments":
			f.Set(reflect.ValueOf(&segment.ByValues{}))
		default:
			t.Fatalf("field %s is a %s: say how the test fills one", name, f.Kind())
		}
	}
	return r
}

// fieldsOf returns the exported fields of a struct, and of those in it.
func fieldsOf(v reflect.Value) []reflect.StructField {
	return slices.DeleteFunc(reflect.VisibleFields(v.Type()), func(f reflect.StructField) bool {
		return f.Anonymous || !f.IsExported()
	})
}

// differing names the exported fields in which two releases differ.
func differing(a, b *Release) map[string]bool {
	out := map[string]bool{}
	x, y := reflect.ValueOf(a).Elem(), reflect.ValueOf(b).Elem()
	for _, field := range fieldsOf(x) {
		f, g := x.FieldByIndex(field.Index), y.FieldByIndex(field.Index)
		if f.Kind() == reflect.Interface {
			f, g = f.Elem(), g.Elem()
		}
		var same bool
		switch f.Kind() {
		case reflect.Bool:
			same = f.Bool() == g.Bool()
		case reflect.Float64:
			same = f.Float() == g.Float()
		case reflect.String:
			same = f.String() == g.String()
		case reflect.Struct:
			same = f.Equal(g)
		default:
			same = f.Pointer() == g.Pointer()
		}
		if !same {
			out[field.Name] = true
		}
	}
	return out
}

// TestViewsAreWhole: a view of a release knows all that the release knows, whatever fields it gets one day.
func TestViewsAreWhole(t *testing.T) {
	r := filled(t)
	r.Paired = false
	who := &intruder.Intruder{Name: "x"}
	v := r.Against(who)
	if got := differing(r, v); len(got) != 1 || !got["Intruder"] || v.Intruder != who {
		t.Errorf("against an intruder %v differ", got)
	}
	those := r.OfThose()
	want := map[string]bool{"Original": true, "Paired": true, "Matched": true, "Exact": true, "ExactHoldout": true,
		"Work": true}
	if got := differing(r, those); !maps.Equal(got, want) {
		t.Errorf("of the records it has, %v differ, expected %v", got, want)
	}
	if those.Original != r.Matched || !those.Paired || those.Matched != nil || those.Exact != nil ||
		those.ExactHoldout != nil {
		t.Errorf("of the records it has: %+v", those)
	}
	if got := differing(v.OfThose(), those.Against(who)); len(got) > 1 || !got["Work"] {
		t.Errorf("%v depend on which comes first, the intruder or the records", got)
	}
	if whole := (&Release{}); whole.OfThose() != whole {
		t.Error("a release of all records is not itself")
	}
}
