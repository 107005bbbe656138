package profile_test

import (
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/dither-data/dither/profile"
	"github.com/dither-data/dither/table"
)

// spread is a column in which each value stands in as many records as it says.
func spread(values map[string]int) table.Column {
	var labels []string
	var codes []int32
	for l := range values {
		labels = append(labels, l)
	}
	slices.Sort(labels)
	for k, l := range labels {
		for range values[l] {
			codes = append(codes, int32(k))
		}
	}
	return table.CatColumn("column", labels, codes)
}

// told are the values of a column that are withheld.
func told(c table.Column, of []int32) (out []string) {
	gone, n := profile.Telling(&c, of, profile.Few)
	for k, g := range gone {
		if g {
			out = append(out, c.Labels[k])
		}
	}
	if len(out) != n {
		panic(fmt.Sprint(len(out), " values, not ", n))
	}
	return out
}

// Values that say who somebody is by what they are tell of them in any number of records.
func TestFormsTell(t *testing.T) {
	for _, s := range []string{
		"anna.k@example.org", "+49 30 1234567", "DE89 3704 0044 0532 0130 00", "GB82WEST12345698765432",
		"4111 1111 1111 1111", "378282246310005", "192.168.17.4", "2001:db8::8a2e:370:7334", "00:1B:44:11:3A:B7",
		"9e107d9d372bb6826bd81d3542a419d6", "123e4567-e89b-12d3-a456-426614174000", "078-05-1120", "B-MW 1234",
		"AA-229-AA", "KA 01 AB 1234", "12 Main Street", "221b Baker St", "14 old mill road", "Hauptstraße 12",
		"Bahnhofstr. 3a", "Lindenweg 7", "12 rue de Rivoli", "Via Garibaldi 4", "Calle Mayor, 9", "Keizersgracht 174",
		"ул. Ленина, 5", "南京东路88", "52.5200, 13.4050", "48.8566 2.3522", "Dr. Weiß", "Frau Kowalska",
		"Karl Brandt", "Brandt, Karl", "HIV pos., wife Karl must not know", "lives at 7 Elm Avenue with sister",
		"DE89-3704-0044-0532-0130-00", "2223003122003222", "0x32be343b94f860124dc4fee278fdcbd38c102d88",
		"756.1234.5678.97", "123.456.789-09", "B MW 1234", "1234 BCD", "AB-12-CD", "А123ВС 777", "粤B·12345",
		"品川 300 あ 12-34", "5 avenue Foch", "Am Markt 3", "Unter den Linden 77", "Vestergade 12", "Mannerheimintie 5",
		"C/ Mayor 5", "Paseo de Gracia 43", "ul. Długa 5 m. 3", "plac Wolności 2", "пр. Мира 12", "Невский проспект, 28",
		"Václavské náměstí 1", "Atatürk Caddesi 12", "서울시 강남구 테헤란로 152", "PO Box 1234", "Иван Петров",
		"Сидорова Инна Львовна", "محمد علي", "Anna-Lena Schmidt", "SMITH, JOHN", "JOHN SMITH", "Maria K.", "Smith, J.",
		"Señora López", "Г-н Громов",
	} {
		if got := told(spread(map[string]int{"none": 900, s: 20}), nil); !slices.Equal(got, []string{s}) {
			t.Errorf("%q in 20 records: %q", s, got)
		}
	}
}

// What only looks a little so is a value like any other.
func TestVocabularyStays(t *testing.T) {
	few := []string{"E11.9", "08:05:30", "1.2.3", "2023-04-05", "25/11/63", "10115", "00202", "Platz 1", "New York",
		"Asthma", "San Luis Obispo", "St Helens", "Never-married", "2-4-d-injury", "3-12Mo", "HIV positive", "Very Good",
		"other", "United States Virgin Islands"}
	many := []string{"C50.911", "A10BA02", "126/126", "5 minutes drive", "[0.125, 0.375)", "(0.1250, 0.3750]",
		"20231201123456", "Trinidad and Tobago", "4111 1111 1111 1112", "DE88370400440532013000", "300.400.1.2",
		"often in a bad mood", "Very Likely To Recommend", "arbeitet in der Küche", "Plaza 2", "Im Haus", "12 MAR 2020",
		"USA 1234", "WARD 12", "高血压", "S. Africa", "1234 ABA", "ST PAUL", "1234567890123", "place 5 of 9"}
	for k, s := range append(few, many...) {
		if got := told(spread(map[string]int{"yes": 500, "no": 400, s: 20}), nil); got != nil {
			t.Errorf("%q in 20 records: %q", s, got)
		}
		if got := told(spread(map[string]int{"yes": 500, "no": 400, s: 1}), nil); k < len(few) && got != nil {
			t.Errorf("%q in one record: %q", s, got)
		}
	}
}

// A text is withheld where few people have it, and only there; so is a code that is none of a vocabulary.
func TestFewTell(t *testing.T) {
	codes := map[string]int{"none": 900}
	icd := map[string]int{}
	for k := range 40 {
		codes[fmt.Sprintf("KLM %d", 4000+k)] = 1
		icd[fmt.Sprintf("C50.%d", 900+k)] = 1 + 2*(k%10)
	}
	mixed := maps.Clone(codes)
	mixed["KLM 5000"] = 6
	for _, c := range []struct {
		name   string
		values map[string]int
		want   int
	}{
		{"a text of one", map[string]int{"none": 900, "stable": 90, "lost job after the fire": 1}, 1},
		{"a text of four", map[string]int{"none": 900, "stable": 90, "lost job after the fire": 4}, 1},
		{"a text of five", map[string]int{"none": 900, "stable": 90, "lost job after the fire": 5}, 0},
		{"three words among single ones", map[string]int{"none": 900, "stable": 90, "lost his job": 1}, 1},
		{"a text without spaces", map[string]int{"无": 900, "他的妻子不知道他有病": 1}, 1},
		{"near-equal texts with two names", map[string]int{
			"none": 900, "tell wife Zorka Peeva nothing": 20, "tell wife Ilze Mata nothing": 20}, 2},
		{"equal beginnings, other words", map[string]int{
			"none": 900, "often in a bad mood": 20, "often in a good mood": 20}, 0},
		{"names of whom no list knows", map[string]int{"none": 900, "Zorka Peeva": 1, "Ilze Mata": 1, "Tove Roos": 1}, 3},
		{"places of two words", map[string]int{"Oslo": 900, "New York": 40, "Los Angeles": 1, "Las Vegas": 1}, 0},
		{"surnames where most have none", map[string]int{"none": 900, "Brandt": 1, "Haddad": 1, "Menon": 1}, 3},
		{"countries of which one is common", map[string]int{"Norway": 900, "Chile": 1, "Ghana": 1, "Laos": 1}, 0},
		{"codes of one each", codes, 40},
		{"codes of one each, and one of a few", mixed, 40},
		{"a vocabulary of codes", icd, 0},
	} {
		if got := told(spread(c.values), nil); len(got) != c.want {
			t.Errorf("%s: %q", c.name, got)
		}
	}
}

// People count, not records: the plain count of the owners of every value decides.
func TestTellingCountsPeople(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 200 {
		values := map[string]int{"none": 50}
		for k := range 6 {
			values[fmt.Sprintf("said that the %c was gone", 'a'+k)] = 1 + r.IntN(12)
		}
		c := spread(values)
		of, owners := make([]int32, c.Len()), map[string]map[int32]bool{}
		for i := range of {
			of[i] = int32(r.IntN(12))
			if l := c.Labels[c.Cat[i]]; owners[l] == nil {
				owners[l] = map[int32]bool{of[i]: true}
			} else {
				owners[l][of[i]] = true
			}
		}
		var want []string
		for _, l := range c.Labels {
			if l != "none" && len(owners[l]) < profile.Few {
				want = append(want, l)
			}
		}
		if got := told(c, of); !slices.Equal(got, want) {
			t.Fatalf("%q, not %q", got, want)
		}
	}
}

// Where nearly all records say nothing, a rare value of two words is a remark; a single one may be a category.
func TestSilentColumns(t *testing.T) {
	empty := func(n int, values map[string]int) table.Column {
		c := spread(values)
		for range n {
			c.Cat = append(c.Cat, -1)
		}
		return c
	}
	for _, c := range []struct {
		name   string
		column table.Column
		want   int
	}{
		{"one among those that say none", spread(map[string]int{"keine": 900, "HIV positiv": 2}), 1},
		{"among several words for nothing", spread(map[string]int{"none": 400, "-": 400, "mari violent": 1}), 1},
		{"among empty cells", empty(900, map[string]int{"HIV positiv": 2, "муж алкоголик": 1}), 2},
		{"few empty cells", empty(100, map[string]int{"HIV positiv": 2, "муж алкоголик": 1, "stable": 900}), 0},
		{"a single word", empty(900, map[string]int{"Grvl": 20, "Pave": 2}), 0},
		{"two signs", spread(map[string]int{"无": 900, "艾滋": 1, "哮喘": 1, "妻": 1, "ab": 1}), 2},
		{"five people", spread(map[string]int{"keine": 900, "HIV positiv": 5}), 0},
		{"usual categories besides", empty(900, map[string]int{"mild": 20, "strong": 10, "very strong": 2}), 0},
		{"words for nothing that are rare", spread(map[string]int{"none": 900, "nil": 1, "keine": 2, "ok": 1}), 0},
	} {
		if got := told(c.column, nil); len(got) != c.want {
			t.Errorf("%s: %q", c.name, got)
		}
	}
}

// A column where most values may be names holds names, in any order and of any script that has short ones.
func TestColumnsOfNames(t *testing.T) {
	named := func(name string, values ...string) table.Column {
		all := map[string]int{}
		for _, v := range values {
			all[v] = 20
		}
		c := spread(all)
		c.Name = name
		return c
	}
	for _, c := range []struct {
		name   string
		column table.Column
		want   int
	}{
		{"family name first", named("who", "Kowalska Maria", "Nowak Anna", "Wójcik Piotr"), 3},
		{"two are too few", named("who", "Kowalska Maria", "Nowak Anna"), 0},
		{"most are not", named("who", "Port Elizabeth", "Villa Maria", "King William", "a", "b", "c", "d"), 0},
		{"three signs", named("who", "王小明", "李明", "陈静", "김철수"), 4},
		{"illnesses", named("who", "高血压", "糖尿病", "哮喘"), 0},
		{"brands", named("brand", "Hugo Boss", "Karl Lagerfeld", "Calvin Klein", "Dr. Martens"), 0},
		{"towns", named("home_town", "Alice Springs", "King William", "Port Elizabeth"), 0},
		{"a sentence among brands", named("brand", "told Anna Kern to call"), 1},
		{"a telephone among brands", named("brand", "Nike", "+49 30 1234567"), 1},
		{"one name among codes", spread(map[string]int{"A1": 500, "B2": 500, "Zorka Peeva": 1}), 1},
		{"a category of two words among words", spread(map[string]int{"yes": 500, "no": 500, "Very Rare": 1}), 0},
	} {
		if got := told(c.column, nil); len(got) != c.want {
			t.Errorf("%s: %q", c.name, got)
		}
	}
}

// Numbers of cards are detected by their check digits, all of them, whether they are read as numbers or not.
func TestNumbersOfCards(t *testing.T) {
	cards := []float64{378282246310005, 371449635398431, 378734493671000}
	for _, c := range []struct {
		name   string
		values []float64
		want   bool
	}{
		{"cards", cards, true},
		{"with gaps", append([]float64{math.NaN()}, cards...), true},
		{"one that fails", append([]float64{378282246310006}, cards...), false},
		{"two", cards[:2], false},
		{"two, often", []float64{cards[0], cards[1], cards[0], cards[1]}, false},
		{"short numbers that check", []float64{18, 26, 34, 42}, false},
		{"fractions", append([]float64{1.5}, cards...), false},
		{"none", []float64{math.NaN()}, false},
	} {
		column := table.NumColumn("n", 1, c.values)
		if profile.AreCards(&column) != c.want {
			t.Errorf("%s: %v", c.name, !c.want)
		}
	}
}

// Rare categories are counted by people, without what stands for values that were taken out.
func TestRare(t *testing.T) {
	c := spread(map[string]int{"a": 900, "b": 4, "c": 5, "d": 1, "Other": 2})
	c.Labels = append(c.Labels, "nobody")
	if n := profile.Rare(&c, nil, 5); n != 2 {
		t.Errorf("%d of records", n)
	}
	if n := profile.Rare(&c, make([]int32, c.Len()), 5); n != 4 {
		t.Errorf("%d where all are one person's", n)
	}
}
