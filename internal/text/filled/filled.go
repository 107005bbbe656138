// Package filled makes the nil lists and maps of a value empty, so that JSON has them as [] and {} and not as null.
package filled

import (
	"encoding/json"
	"reflect"
	"strings"
)

var marshaler = reflect.TypeFor[json.Marshaler]()

// Copy returns a copy of a value in which every list and map that is nil is empty. Fields that JSON may leave out are
// as they are unless all are to be filled. A value that writes its JSON itself is left alone. Cost: that of the copy.
func Copy[T any](value T, all bool) T {
	fill(reflect.ValueOf(&value).Elem(), all)
	return value
}

// fill makes nil lists and maps below v empty, and copies what it changes.
func fill(v reflect.Value, all bool) {
	t := v.Type()
	if t.Implements(marshaler) || reflect.PointerTo(t).Implements(marshaler) {
		return
	}
	switch t.Kind() {
	case reflect.Struct:
		for k := range t.NumField() {
			f := t.Field(k)
			left := strings.Contains(f.Tag.Get("json"), ",omit")
			if (f.IsExported() || f.Anonymous && f.Type.Kind() == reflect.Struct) && (all || !left) {
				fill(v.Field(k), all)
			}
		}
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			inner := reflect.New(v.Elem().Type())
			inner.Elem().Set(v.Elem())
			fill(inner.Elem(), all)
			if t.Kind() == reflect.Interface {
				inner = inner.Elem()
			}
			v.Set(inner)
		}
	case reflect.Slice:
		items := reflect.MakeSlice(t, v.Len(), v.Len())
		reflect.Copy(items, v)
		for k := range v.Len() {
			fill(items.Index(k), all)
		}
		v.Set(items)
	case reflect.Array:
		for k := range v.Len() {
			fill(v.Index(k), all)
		}
	case reflect.Map:
		from := v.MapRange()
		items := reflect.MakeMapWithSize(t, v.Len())
		for from.Next() {
			value := reflect.New(t.Elem()).Elem()
			value.Set(from.Value())
			fill(value, all)
			items.SetMapIndex(from.Key(), value)
		}
		v.Set(items)
	}
}
