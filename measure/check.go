package measure

import (
	"errors"
	"fmt"
	"slices"

	"github.com/dither-data/dither/intruder"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/table"
)

// Check returns an error when the tables of the release do not have the same attributes, or when it is said to be
// paired and the numbers of records differ.
func (r *Release) Check() error {
	if r.Original == nil || r.Released == nil {
		return errors.New("a measure needs the original and the released table")
	}
	if err := alike(r.Original, r.Released, "released"); err != nil {
		return err
	}
	if a, b := r.Original.Rows(), r.Released.Rows(); r.Paired && a != b {
		return fmt.Errorf("the tables are paired but the released one has %d records, expected %d", b, a)
	}
	if n := len(r.Places); r.Places != nil && n != r.Released.Rows() {
		return fmt.Errorf("%d places of released records are known, expected %d", n, r.Released.Rows())
	}
	for _, earlier := range r.Earlier {
		if err := alike(r.Released, earlier, "earlier"); err != nil {
			return err
		}
		if a, b := r.Released.Rows(), earlier.Rows(); a != b {
			return fmt.Errorf("the earlier release has %d records, expected %d: row i of both must be the same person", b, a)
		}
	}
	for _, further := range r.Further {
		if a, b := r.Released.Rows(), further.Rows(); a != b {
			return fmt.Errorf("the further columns of an earlier release have %d records, expected %d", b, a)
		}
	}
	if r.Holdout != nil {
		return alike(r.Original, r.Holdout, "hold-out")
	}
	return nil
}

// CheckPaired is Check for a measure that compares every record with itself, which does not apply where it is not known
// which record is whose.
func (r *Release) CheckPaired() error {
	if !r.Paired {
		return NotApplicable(message.Say("measure.skipped.unpaired"))
	}
	return r.Check()
}

// PairedView is View for a measure that compares every person with the own record: it fails where records are not
// paired, and where there are none.
func (r *Release) PairedView() (*intruder.View, error) {
	if err := r.CheckPaired(); err != nil {
		return nil, err
	}
	if r.Original.Rows() == 0 {
		return nil, errors.New("the original table has no records")
	}
	return r.View()
}

// SecretView is View for a measure of what an intruder learns. It does not apply where nothing is secret, and fails
// where a table has no records.
func (r *Release) SecretView() (*intruder.View, error) {
	view, err := r.View()
	if err == nil {
		err = r.Check()
	}
	switch {
	case err != nil:
		return nil, err
	case len(view.Secret) == 0:
		return nil, NotApplicable(message.Say("measure.skipped.noSecret"))
	case r.Original.Rows() == 0 || r.Released.Rows() == 0:
		return nil, errors.New("a table has no records")
	}
	return view, nil
}

func alike(a, b *table.Table, name string) error {
	if a.Width() != b.Width() {
		return fmt.Errorf("the %s table has %d columns, expected %d", name, b.Width(), a.Width())
	}
	for j := range a.Width() {
		x, y := a.Attr(j), b.Attr(j)
		switch {
		case x.Name != y.Name:
			return fmt.Errorf("column %d of the %s table is %q, expected %q", j+1, name, y.Name, x.Name)
		case x.Kind != y.Kind:
			return fmt.Errorf("column %q of the %s table is %s, expected %s", x.Name, name, y.Kind, x.Kind)
		case !slices.Equal(x.Labels, y.Labels):
			return fmt.Errorf("column %q of the %s table has other categories than the original", x.Name, name)
		}
	}
	return nil
}
