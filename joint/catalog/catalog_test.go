package catalog

import (
	"errors"
	"testing"

	"github.com/dither-data/dither/card"
)

func TestNames(t *testing.T) {
	owner := map[string]string{}
	for _, q := range Protocols() {
		if err := q.Check(); err != nil {
			t.Error(err)
		}
		for _, n := range append([]string{q.Name, q.Title}, q.Aliases...) {
			if got, err := Protocol(n); err != nil || got.Name != q.Name {
				t.Errorf("%q finds %v, %v; expected %s", n, got, err, q.Name)
			}
			if owner[n] != "" {
				t.Errorf("%q is a name of %s and of %s", n, owner[n], q.Name)
			}
			owner[n] = q.Name
		}
	}
	var unknown *card.Unknown
	if _, err := Protocol("ringsumm"); !errors.As(err, &unknown) {
		t.Errorf("an unknown name gives the error %v", err)
	}
}
