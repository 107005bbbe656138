package minetest

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"strings"

	"github.com/dither-data/dither/mine"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// strange fits on a table with a column of a kind that the miner does not know: the model is the same as without it,
// wherever it stands. As the class, the weight or the only column, such a column gives an error of one line or a model
// that works.
func strange(s *suite) (err error) {
	t := Mixed(400, 0.1)
	plain, err := s.fit(context.Background(), t)
	if err != nil {
		return err
	}
	c := tabletest.Baskets("basket", 400)
	last, err := s.fit(context.Background(), tabletest.Insert(t, t.Width(), c))
	if err != nil {
		return fmt.Errorf("as the last column: %w", err)
	}
	with := tabletest.Insert(t, t.Width(), c)
	if !s.sets && !reflect.DeepEqual(show(plain, t), show(last, with)) {
		return errors.New("a last column of a kind that the miner does not know changes the model")
	}
	with = tabletest.Insert(t, 1, c)
	amid, err := s.fit(context.Background(), with)
	if err != nil {
		return fmt.Errorf("as the second column: %w", err)
	}
	if a, b := show(plain, t), show(amid, with); !reflect.DeepEqual(a.Classes, b.Classes) ||
		!reflect.DeepEqual(a.Routes, b.Routes) ||
		len(a.Similar) != len(b.Similar) {
		return errors.New("a second column of a kind that the miner does not know changes the model")
	}
	small := Mixed(40, 0)
	class := small.WithRole(table.Class)
	for role, t := range map[table.Role]*table.Table{table.Class: small.Select(1, 2, 3), table.Weight: small,
		table.Identifier: small, 0: small.Select(class)} {
		c := tabletest.Baskets("basket", 40)
		c.Role = role
		if role == table.Class {
			if at := t.WithRole(table.Class); at >= 0 {
				a := *t.Attr(at)
				a.Role = 0
				t = t.WithAttr(at, a)
			}
		}
		with := tabletest.Insert(t, 1, c)
		if m, fault := s.fit(context.Background(), with); fault == nil {
			show(m, with)
			if d, ok := m.(mine.Described); ok {
				d.Text()
			}
		} else if text := fault.Error(); text == "" || strings.Contains(text, "\n") {
			return fmt.Errorf("role %s: the error is not one line: %q", role, text)
		}
	}
	return nil
}
