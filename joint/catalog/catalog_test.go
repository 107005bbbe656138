package catalog_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/joint"
	"github.com/dither-data/dither/joint/catalog"
)

func TestNames(t *testing.T) {
	owner := map[string]string{}
	for _, q := range catalog.Protocols() {
		if err := q.Check(); err != nil {
			t.Error(err)
		}
		for _, n := range append([]string{q.Name, q.Title}, q.Aliases...) {
			if got, err := catalog.Protocol(n); err != nil || got.Name != q.Name {
				t.Errorf("%q finds %v, %v; expected %s", n, got, err, q.Name)
			}
			if owner[n] != "" {
				t.Errorf("%q is a name of %s and of %s", n, owner[n], q.Name)
			}
			owner[n] = q.Name
		}
	}
	var unknown *card.Unknown
	if _, err := catalog.Protocol("ringsumm"); !errors.As(err, &unknown) {
		t.Errorf("an unknown name gives the error %v", err)
	}
}

// A plan of two parties is refused by what needs three, and told of protocols that take two.
func TestTwoParties(t *testing.T) {
	try := func(q *joint.Protocol) string {
		p := joint.Plan{Version: 1, Protocol: q.Name, Parties: []joint.Member{{Name: "ada"}, {Name: "bob"}}}
		joint.Fill(&p)
		if _, err := q.Computation(&p); err != nil {
			return err.Error()
		}
		return ""
	}
	refused := 0
	for _, q := range catalog.Protocols() {
		says := try(&q)
		if !strings.Contains(says, "could take its own part") {
			if len(q.Two) > 0 {
				t.Errorf("%s names what two can run, and takes two: %s", q.Name, says)
			}
			continue
		}
		refused++
		if len(q.Two) == 0 || !strings.Contains(says, "two can run "+strings.Join(q.Two, " or ")+" (") {
			t.Errorf("%s does not say what two can run: %s", q.Name, says)
		}
		for _, name := range q.Two {
			if other, err := catalog.Protocol(name); err != nil || strings.Contains(try(other), "the plan has 2") {
				t.Errorf("%s names %s for two, which takes more: %v", q.Name, name, err)
			}
		}
	}
	if refused < 10 {
		t.Errorf("%d protocols need three parties", refused)
	}
}
