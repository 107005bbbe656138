package tabletest_test

import (
	"slices"
	"testing"

	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// ended is a test that notes that it was ended.
type ended struct{ fatal bool }

func (e *ended) Helper()      {}
func (e *ended) Fatal(...any) { e.fatal = true }

func TestColumnsThatMakeNoTable(t *testing.T) {
	long, short := table.NumColumn("long", 1, make([]float64, 2)), table.NumColumn("short", 1, make([]float64, 1))
	e := &ended{}
	tabletest.Of(e, long, short)
	if !e.fatal {
		t.Error("columns of two lengths do not end the test")
	}
	defer func() {
		if recover() == nil {
			t.Error("columns of two lengths do not panic")
		}
	}()
	tabletest.Must(long, short)
}

func TestNumbers(t *testing.T) {
	tab := tabletest.Of(t, tabletest.Numbers(0.5, []float64{1, 2}, []float64{3, 4.5})...)
	if tab.Width() != 2 || tab.Attr(1).Name != "b" || tab.Attr(1).Step != 0.5 ||
		!slices.Equal(tab.Num(1), []float64{3, 4.5}) {
		t.Errorf("two columns of numbers become %v with %v", tab.Attrs(), tab.Num(1))
	}
	if same := tabletest.Must(tabletest.Numbers(0.5, tab.Num(0), tab.Num(1))...); !slices.Equal(same.Num(0), tab.Num(0)) {
		t.Errorf("the first column becomes %v", same.Num(0))
	}
}
