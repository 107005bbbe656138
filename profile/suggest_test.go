package profile

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// Each line is a data set and what its columns are taken for: i identifier, q quasi-identifier, c confidential, k
// class, kc class and confidential, - other.
func TestSuggestionsOnPublicData(t *testing.T) {
	for _, c := range []struct{ file, want string }{
		{"wbc/wbc.csv", "i - - - - - - - - - k"},
		{"adult/adult.csv", "q q - q q q q q q q c c - q kc"},
		{"crx/crx.csv", "q - - q q q q - q q - q q - - k"},
		{"heart-c/heart-c.csv", "q q - - c - - - - - - - - -"},
		{"iris/iris.csv", "- - - - k"},
		{"wine/wine.csv", "k - - - - - - - - - - - - -"},
		{"wages/wages.csv", "q q q - q c q q q q q"},
		{"cmc/cmc.csv", "q q q q q q q - - c"},
		{"abalone/abalone.csv", "q - - - - - - - -"},
		{"bhp/bhp.csv", "- - - - - - q - - - - - - -"},
		{"bupa/bupa.csv", "- - - - - - -"},
		{"breast-cancer/breast-cancer.csv", "k q q c q q - q q q"},
		{"mammography/mammography.csv", "- q - - - -"},
	} {
		t.Run(strings.SplitN(c.file, "/", 2)[0], func(t *testing.T) {
			if c.file == "adult/adult.csv" {
				long.Only(t, "32,561 records")
			}
			p := of(t, load(t, c.file))
			want := strings.Fields(c.want)
			if len(want) != len(p.Columns) {
				t.Fatalf("%d columns, the test expects %d", len(p.Columns), len(want))
			}
			for j, col := range p.Columns {
				if got := short(col.Suggest.Role); got != want[j] {
					t.Errorf("%s is taken for %s (%s), want %s", col.Name, got, col.Suggest.Reason(), want[j])
				}
				if len(col.Suggest.Why) == 0 {
					t.Errorf("%s: no reason", col.Name)
				}
			}
		})
	}
}

func short(r table.Role) string {
	s := ""
	for _, n := range []struct {
		role table.Role
		name string
	}{{table.Identifier, "i"}, {table.Class, "k"}, {table.Quasi, "q"}, {table.Confidential, "c"}, {table.Weight, "w"}} {
		if r&n.role != 0 {
			s += n.name
		}
	}
	if s == "" {
		return "-"
	}
	return s
}

// sample makes a column of n values with the given number of different ones.
func sample(name, shape string, n, distinct int) table.Column {
	r := rand.New(rand.NewPCG(1, uint64(distinct)))
	num, text := make([]float64, n), make([]string, n)
	for i := range n {
		k := r.IntN(distinct)
		if i < distinct {
			k = i
		}
		num[i] = float64(k*k*7 + k*13 + 100) // gaps, so that the numbers do not count the records
		text[i] = fmt.Sprint("v", k)
		if shape == "prose" {
			text[i] = fmt.Sprintf("patient %d says that the pain has been getting worse", k)
		}
		if shape == "skewed" && i%4 == 0 {
			text[i] = "v0"
		}
		if shape == "towns" {
			text[i] = string([]rune{'A' + rune(k/26), 'a' + rune(k%26)})
		}
		if shape == "words" {
			text[i] = string([]rune{'a' + rune(k/26), 'a' + rune(k%26)})
		}
		if shape == "decimals" {
			text[i] = fmt.Sprintf("%d,5", k)
		}
		if shape == "fraction" {
			num[i] += 0.25
		}
		if shape == "row" {
			num[i] = float64(i + 1)
		}
	}
	switch shape {
	case "fraction":
		return table.NumColumn(name, 0.01, num)
	case "integer", "row":
		return table.NumColumn(name, 1, num)
	}
	return categories(name, text)
}

func TestSuggestionRules(t *testing.T) {
	for _, c := range []struct {
		name, shape string
		distinct    int // of 200
		want        string
	}{
		// names that point at people, repeated or not
		{"SSN", "text", 200, "i"}, {"email", "text", 50, "i"}, {"Phone_No.2", "integer", 150, "i"},
		{"patientNumber", "integer", 20, "i"}, {"customer id", "integer", 20, "i"}, {"Last Name", "text", 90, "i"},
		{"Nachname", "text", 90, "i"}, {"apellidos", "text", 90, "i"}, {"prénom", "text", 90, "i"}, {"name", "text", 90, "i"},
		// numbering needs values that hardly repeat
		{"order_id", "integer", 199, "i"}, {"store_id", "integer", 12, "-"}, {"product name", "text", 12, "q"},
		{"number_of_visits", "integer", 9, "-"}, {"account", "integer", 200, "i"}, {"Unnamed: 0", "integer", 200, "i"},
		// repetition alone
		{"a", "text", 200, "i"}, {"a", "text", 60, "i"}, {"a", "text", 49, "q"}, {"a", "skewed", 60, "q"},
		{"a", "words", 60, "q"}, {"a", "words", 100, "i"}, {"a", "towns", 60, "i"}, {"a", "towns", 40, "q"},
		{"town", "towns", 60, "q"}, {"town", "towns", 200, "i"}, {"district", "towns", 179, "q"},
		{"a", "text", 1, "-"}, {"notes", "prose", 120, "i"}, {"diagnosis", "prose", 60, "i"},
		{"weighting", "prose", 60, "i"},
		{"a", "row", 200, "i"}, {"a", "integer", 200, "-"}, {"a", "fraction", 200, "-"},
		// several records of each person
		{"MRN", "integer", 20, "i"}, {"Hospital Number", "text", 30, "i"}, {"PatNr", "integer", 20, "i"},
		{"pat", "text", 30, "i"},
		{"PID", "integer", 30, "i"}, {"Fallnummer", "integer", 30, "i"}, {"case no", "text", 30, "i"},
		{"study_code", "text", 30, "i"},
		{"lab no", "text", 30, "i"}, {"record_id", "integer", 30, "i"}, {"visit id", "text", 30, "i"},
		{"sampleId", "text", 30, "i"},
		{"subject", "integer", 30, "i"}, {"record", "text", 30, "i"}, {"subject", "text", 4, "q"},
		{"chart_id", "integer", 60, "i"},
		{"pathology", "text", 30, "q"}, {"age of patient", "integer", 60, "q"}, {"rapid", "text", 30, "q"},
		{"grade", "decimals", 60, "q"},
		// a measurement is never an identifier
		{"id_ratio", "fraction", 200, "-"}, {"phone", "fraction", 200, "-"}, {"phone_calls", "integer", 30, "-"},
		// what others know
		{"Age", "integer", 70, "q"}, {"average", "integer", 70, "-"}, {"zip_code", "integer", 150, "q"},
		{"code postal", "text", 200, "q"}, {"Kod pocztowy", "integer", 199, "q"}, {"Postleitzahl", "text", 200, "q"},
		{"Alter bei Geburt", "integer", 70, "q"}, {"kön", "text", 2, "q"}, {"dochód", "integer", 200, "c"},
		{"出生日期", "text", 200, "q"}, {"诊断", "text", 9, "c"},
		{"ZIPcode", "text", 150, "q"},
		{"date_of_birth", "text", 195, "q"}, {"maritalStatus", "text", 5, "q"}, {"Código Postal", "text", 50, "q"},
		{"Geschlecht", "text", 2, "q"}, {"lat", "fraction", 200, "q"},
		// what people keep to themselves
		{"salary", "fraction", 200, "c"}, {"Einkommen", "integer", 150, "c"}, {"hiv_status", "text", 2, "c"},
		{"HbA1c", "fraction", 200, "c"},
		{"systolic", "integer", 80, "c"}, {"tumour stage", "text", 4, "c"}, {"lab result", "text", 150, "c"},
		{"bmi", "fraction", 200, "c"},
		{"diagnosis code", "text", 9, "c"},
		// weights are remarked upon, no more
		{"fnlwgt", "integer", 150, "-"}, {"sampling_weight", "fraction", 150, "-"}, {"weight", "fraction", 150, "-"},
		// classes
		{"Class", "text", 3, "k"}, {"target", "integer", 2, "k"}, {"outcome", "text", 2, "k"}, {"class", "integer", 150, "-"},
		{"class", "text", 1, "-"}, {"income", "text", 2, "kc"}, {"income", "integer", 150, "c"},
		{"diagnosis", "text", 4, "kc"},
		{"social_class", "text", 4, "q"}, {"workclass", "text", 4, "q"},
	} {
		got := of(t, tabletest.Of(t, sample(c.name, c.shape, 200, c.distinct))).Columns[0]
		if short(got.Suggest.Role) != c.want {
			t.Errorf("%s (%s, %d distinct) is taken for %s (%s), want %s", c.name, c.shape, c.distinct,
				short(got.Suggest.Role), got.Suggest.Reason(), c.want)
		}
	}
}

func TestOnlyOneClassIsSuggested(t *testing.T) {
	p := of(
		t,
		tabletest.Of(t, sample("income", "text", 50, 2), sample("class", "text", 50, 3), sample("label", "text", 50, 3),
			sample("age", "integer", 50, 20)),
	)
	var got []string
	for _, c := range p.Columns {
		got = append(got, short(c.Suggest.Role))
	}
	if s := strings.Join(got, " "); s != "c q k q" {
		t.Errorf("roles are %s, want c q k q: the last of the names that say class outright", s)
	}
}

func TestFewRecordsSayNothing(t *testing.T) {
	p := of(t, tabletest.Of(t, sample("a", "text", 5, 5), sample("b", "row", 5, 5)))
	for _, c := range p.Columns {
		if c.Suggest.Role&table.Identifier != 0 {
			t.Errorf("five different values of five made %s an identifier", c.Name)
		}
	}
}

// A reason names the column's words and counts, never a value of the table.
func TestReasonsHoldNoValue(t *testing.T) {
	for _, shape := range []string{"text", "prose", "integer"} {
		for _, d := range []int{1, 30, 200} {
			c := sample("a", shape, 200, d)
			s := of(t, tabletest.Of(t, c)).Columns[0].Suggest
			for _, l := range c.Labels {
				for _, w := range strings.Fields(s.Reason().String()) {
					if w == l {
						t.Errorf("reason %q holds a value", s.Reason())
					}
				}
			}
		}
	}
}

// TestMayWeigh: sampling weights are told by their names and by being positive and different.
func TestMayWeigh(t *testing.T) {
	for name, want := range map[string]bool{"weight": true, "wgt": true, "Gewicht": true, "poids": true,
		"sampling_weight": true, "finalWeight": true, "fnlwgt": true,
		"ponderador": true, "fac_exp": false,
		"body weight": false, "birthweight": false, "sample": false, "factor": false, "weight loss": false} {
		for about, c := range map[string]struct {
			values []float64
			may    bool
		}{"positive": {[]float64{1.5, 2, 2, 7}, true}, "constant": {[]float64{2, 2, 2, 2}, false},
			"with a zero": {[]float64{0, 2, 3, 4}, false}} {
			p := of(t, tabletest.Of(t, table.NumColumn(name, 0, c.values)))
			if got := p.Columns[0].MayWeigh(); got != (want && c.may) {
				t.Errorf("%s, %s: %v", name, about, got)
			}
		}
	}
}
