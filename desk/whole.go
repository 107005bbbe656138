package desk

import (
	"encoding/json"
	"reflect"
	"strings"
)

// Kept is a value that public documents withhold. There its key is absent; in all others it is present, and
// null where there is nothing. The tag of the field has omitzero.
type Kept[T any] struct {
	Value    T
	Withheld bool
}

// IsZero reports whether the value is withheld.
func (k Kept[T]) IsZero() bool { return k.Withheld }

// MarshalJSON writes the value alone.
func (k Kept[T]) MarshalJSON() ([]byte, error) {
	return encoded(k.Value, "") // json.Marshal would escape what HTML takes for marks
}

// UnmarshalJSON reads what MarshalJSON writes.
func (k *Kept[T]) UnmarshalJSON(data []byte) error { return json.Unmarshal(data, &k.Value) }

// whole returns a copy of a document in which every list and map that is nil is empty, so that its key is
// present however its tag is written. What a public document withholds stays nil, and with omitzero in its
// tag absent: public documents are encoded without this.
func whole[T any](document T) T {
	fill(reflect.ValueOf(&document).Elem(), true)
	return document
}

var marshaler = reflect.TypeFor[json.Marshaler]()

// fill makes nil lists and maps below v empty, and copies what it changes. Fields that may be left out are as
// they are unless all are to be filled. A value that writes its JSON itself is left alone.
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
