package within_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/randomisedresponse"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// ages are people in three ages of life, with occupations that only some ages have.
func ages(t *testing.T, n int) *table.Table {
	age, job, pay := make([]int32, n), make([]int32, n), make([]float64, n)
	for i := range n {
		age[i] = int32(i % 3)
		job[i] = []int32{int32(i / 3 % 2), int32(1 + i/3%3), 3}[age[i]] // student to retired
		pay[i] = float64(100 + i*7%31)
	}
	return tabletest.Of(t, table.CatColumn("age", []string{"young", "middle", "old"}, age),
		table.CatColumn("job", []string{"student", "intern", "employee", "retired"}, job), table.NumColumn("pay", 1, pay))
}

// A technique that needs all categories has them, and its plan says that combinations may be released that nobody has.
func TestCategoriesOfAMatrix(t *testing.T) {
	tab := ages(t, 600)
	row := "0.25 0.25 0.25 0.25"
	set := map[string]string{"within.by": "columns", "within.columns": "age",
		"matrices": "job=" + strings.Join([]string{row, row, row, row}, "/")}
	p := must.Get(fit(inside["pram"], tab, set))(t)
	if p.Wide != 3 || !strings.Contains(fmt.Sprint(p.Notes()), "may contain combinations that nobody has") {
		t.Errorf("%d segments are wide; %v", p.Wide, p.Notes())
	}
}

// Which segment a record is in is released as it is, so no bound on odds holds for a whole record.
func TestSegmentsLeaveNoBound(t *testing.T) {
	tab := ages(t, 600)
	some, all := tab.Cat(1), make([]int32, tab.Rows())
	for i := range all {
		all[i] = int32(i / 3 % 4)
	}
	for name, jobs := range map[string][]int32{"some": some, "all": all} {
		c := tab.Column(1)
		c.Cat = jobs
		of := must.Get(tab.WithColumn(1, c))(t)
		p, err := fit(randomisedresponse.Warner, of, map[string]string{"within.by": "columns", "within.columns": "age"})
		must.NoError(t, err)
		said := strings.Join(message.Written(p.Notes()), "\n")
		if !math.IsInf(protect.Epsilon(p), 1) || !strings.Contains(said, "which segment a record is in") {
			t.Errorf("%s jobs in every segment: epsilon is %v; %s", name, protect.Epsilon(p), said)
		}
	}
}
