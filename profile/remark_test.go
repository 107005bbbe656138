package profile

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// days makes n days, each held by the given number of records, in a layout of year, month and day.
func days(name, layout string, n, each int) table.Column {
	text := make([]string, n*each)
	for i := range text {
		k := i % n
		text[i] = fmt.Sprintf(layout, 1950+k%60, 1+k%12, 1+k%28)
	}
	return column(name, text)
}

func TestRemarks(t *testing.T) {
	given := func(r table.Role) map[string]table.Role { return map[string]table.Role{"x": r} }
	for _, c := range []struct {
		about  string
		col    table.Column
		given  map[string]table.Role
		role   string
		remark Remark
		reason string // part of it
	}{
		{"ISO", days("x", "%04d-%02d-%02d", 200, 1), nil, "q", Dates,
			"dates: most are unique; techniques treat them as categories, so have them read as dates (--dates), drop the " +
				"column or coarsen it to a year or an age"},
		{"ISO, repeated", days("x", "%04d-%02d-%02d", 100, 3), nil, "q", Dates, "dates: 100 different ones in 300 records"},
		{"ISO with a time", days("x", "%04d-%02d-%02dT10:30:00Z", 200, 1), nil, "q", Dates, "dates: "},
		{"German", days("x", "%02[3]d.%02[2]d.%04[1]d", 200, 1), nil, "q", Dates, "dates: "},
		{"British", days("x", "%[3]d/%[2]d/%04[1]d", 200, 1), nil, "q", Dates, "dates: "},
		{"American", days("x", "%02[2]d/%02[3]d/%04[1]d", 200, 1), nil, "q", Dates, "dates: "},
		{"under a name of numbering", days("record_date", "%04d-%02d-%02d", 200, 1), nil, "q", Dates, "dates: "},
		{"number named date", days("admission_date", "%04d%02d%02d", 200, 1), nil, "q", Dates, "noise turns them into " +
			"numbers that are not dates"},
		{"number not named date that reads as one", days("x", "%04d%02d%02d", 200, 1), nil, "q", Dates, "dates: "},
		{"birth in words", days("dob", "%[3]d Jan %[1]d", 200, 1), nil, "q", Dates, "dates: "},
		{"months", column("date", strings.Fields(strings.Repeat("may june july ", 20))), nil, "q", "",
			"others often know this about a person"},
		{"versions", days("x", "%[2]d.%[3]d.%[1]d7", 200, 1), nil, "i", Texts, "texts differ"},
		{"given dates", days("x", "%04d-%02d-%02d", 200, 1), given(table.Confidential), "c", Dates, "given; dates: "},
		{"dropped dates", days("x", "%04d-%02d-%02d", 200, 1), given(table.Identifier), "i", "", "given"},
		{"many texts", sample("city", "words", 400, 101), nil, "q", ManyTexts, "most values would stay"},
		{"a large share of texts", sample("city", "words", 200, 11), nil, "q", ManyTexts, "most values would stay"},
		{"few texts", sample("city", "words", 400, 20), nil, "q", "", "others often know"},
		{"codes", sample("x", "integer", 200, 5), nil, "-", FewNumbers, "it may be a code; declare it with kind: " +
			"categorical in a policy"},
		{"six numbers", sample("x", "integer", 200, 6), nil, "-", "", "a measurement; if others may know it of a person"},
		{"few fractions", sample("x", "fraction", 200, 3), nil, "-", "", "a measurement"},
		{"codes with a decimal", table.NumColumn("x", 0.1, sample("x", "integer", 200, 3).Num), nil, "-", FewNumbers,
			"it may be a code"},
		{"code known to others", sample("sex", "integer", 200, 2), nil, "q", FewNumbers, "others often know this about a " +
			"person; few distinct numbers"},
		{"class of codes", sample("class", "integer", 200, 2), nil, "k", "", "class"},
		{"sampling weight", sample("fnlwgt", "integer", 200, 150), nil, "-", "", "the role weight would release it as it is"},
		{"what may be one", sample("Gewicht", "fraction", 200, 150), nil, "-", "", "may be a sampling weight, or a " +
			"measurement"},
		{"another one", sample("sampling_weight", "fraction", 200, 150), nil, "-", "", "the role weight would release it " +
			"as it is"},
		{"weight of a body", sample("body weight", "fraction", 200, 150), nil, "-", "", "a measurement; "},
		{"unique weight", sample("x", "fraction", 200, 190), given(table.Weight), "w", WeightAsIs, "values occur once: " +
			"they identify"},
		{"coarse weight", sample("x", "fraction", 200, 9), given(table.Weight), "w", WeightAsIs, "given; a weight is " +
			"released as it is"},
	} {
		tab := tabletest.Of(t, c.col)
		_, got, err := Roles(tab, of(t, tab), "", c.given)
		must.NoError(t, err)
		if s := got[0]; short(s.Role) != c.role || s.Remark != c.remark || !strings.Contains(s.Reason().String(), c.reason) {
			t.Errorf("%s: %s, remark %q, %s\nwant %s, %q, %s", c.about, short(s.Role), s.Remark, s.Reason(), c.role, c.remark,
				c.reason)
		}
	}
}

func TestIsDate(t *testing.T) {
	for text, want := range map[string]bool{
		"2024-02-29": true, "29.2.2024": true, "2024/1/9 10:00": true, "20240131 10:00": true, "31/12/1999": true,
		"12/31/1999": true,
		"2024-13-01": false, "2024-02-30": false, "2024-02": false, "1.2.03": false, "13/13/1999": false, "20240131": false,
		"0001-01-01":    false,
		"2024-01-02-03": false, "2024-01.02": false, "1-2-3": false, "": false, "T": false, "--": false, "-1-2-2024": false,
		"555-12-1234": false,
	} {
		if got := isDate(text); got != want {
			t.Errorf("isDate(%q) = %v", text, got)
		}
	}
}

// TestLoosely: dates as people write them, with the year that they are of.
func TestLoosely(t *testing.T) {
	for text, want := range map[string]int{
		"3. 5. 1950": 1950, "03.05.50": 1950, "3/25/50": 1950, "3 May 1950": 1950, "May 3, 1950": 1950, "3. Mai 1950": 1950,
		"03051950": 1950,
		"12311950": 1950, "19501231": 1950, "1950 Mar 3": 1950, "3-Dec-50": 1950, "3. 5. 1950 10:00": 1950,
		"3. Okt. 1950": 1950,
		"":             0, "1-2-3": 0, "13/13/50": 0, "555-12-1234": 0, "192.168.1.12": 0, "99999999": 0, "32 May 1950": 0,
		"May June 1950": 0, "2 mg daily": 0,
		"12.5": 0, "call 3 times": 0, "0171 2345678": 0,
	} {
		got, ok := loosely(text)
		if !ok {
			got = 0
		}
		if got != want {
			t.Errorf("loosely(%q) = %d, want %d", text, got, want)
		}
	}
}

func TestRemarkAsJSON(t *testing.T) {
	tab := tabletest.Of(t, sample("sex", "integer", 200, 2))
	text, err := json.Marshal(of(t, tab).Columns[0].Suggest)
	if err != nil || !strings.Contains(string(text), `"remark":"few-numbers"`) {
		t.Errorf("%s, %v", text, err)
	}
}
