package adopt

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/dither-data/dither/internal/testkit/ziptest"
)

const sdv = `{"METADATA_SPEC_VERSION":"V1","tables":{"guests":{"primary_key":"email","alternate_keys":["card"],"sequence_key":"guest","sequence_index":"stay","columns":{
"email":{"sdtype":"email"},"card":{"sdtype":"credit_card_number","pii":true},"guest":{"sdtype":"id","regex_format":"G_[0-9]{3}"},"stay":{"sdtype":"numerical","computer_representation":"Int64"},
"rate":{"sdtype":"numerical"},"room":{"sdtype":"categorical","order":["basic","suite"]},"rewards":{"sdtype":"boolean"},"arrived":{"sdtype":"datetime","datetime_format":"%d.%m.%Y"},
"left":{"sdtype":"datetime","datetime_format":"%d %b %Y"},"region":{"sdtype":"country_code","pii":false},"other":{"sdtype":"unknown"}},"column_relationships":[]},
"hotels":{"columns":{"id":{"sdtype":"id"}}}},"relationships":[{}]}`

const csvw = `{"@context":"http://www.w3.org/ns/csvw","url":"people.csv","dialect":{"delimiter":";","encoding":"windows-1252"},
"tableSchema":{"null":["-9","n/a"],"primaryKey":["pid"],"columns":[{"name":"pid","titles":"person id","datatype":"string"},{"name":"age","titles":{"en":"Age"},"datatype":{"base":"integer","minimum":"0","maximum":110}},
{"name":"wage","datatype":"decimal","null":"-1"},{"name":"born","datatype":{"base":"date","format":"dd/MM/yyyy"}},{"name":"seen","datatype":"dateTime"},{"name":"half","datatype":{"base":"double","minimum":0,"maxExclusive":1,"format":{"decimalChar":","}}},
{"name":"odd","datatype":"gYear","suppressOutput":true,"separator":";","default":"1900"},{"name":"row","virtual":true}],"foreignKeys":[{}]}}`

const argus = `  <SEPARATOR> ";"
SEX 1 9 "" 
    <RECODABLE>
    <IDLEVEL> 1
    <SUPPRESSWEIGHT> 50
    <CODELIST> "sex.cdl"
INCOME 8 99999998 99999999
    <NUMERIC>
    <DECIMALS> 2
    <RELATED> SEX
AREA 4 9999
    <RECODEABLE>
    <TRUNCABLE>
    <IDLEVEL> 2
    <CODELIST> area.cdl
HOUSE 5
    <HOUSE_ID>
FACTOR 6
    <NUMERIC>
    <WEIGHT>
`

const definition = `<?xml version="1.0"?><definition>
<assigment><name>age</name><type>QUASI_IDENTIFYING_ATTRIBUTE</type><datatype>Integer</datatype><ref>hierarchies/age.csv</ref><min>All</min><max>1</max></assigment>
<assigment><name>born</name><type>QUASI_IDENTIFYING_ATTRIBUTE</type><datatype>Date/time</datatype><format>dd.MM.yyyy</format></assigment>
<assigment><name>name</name><type>IDENTIFYING_ATTRIBUTE</type><datatype>String</datatype></assigment>
<assigment><name>disease</name><type>SENSITIVE_ATTRIBUTE</type><datatype>String</datatype><ref>hierarchies/disease.csv</ref><min>All</min><max>All</max></assigment>
<assigment><name>pay</name><type>SENSITIVE_ATTRIBUTE</type><datatype>Decimal</datatype><microaggregationFunction>Arithmetic mean</microaggregationFunction><microaggregationIgnoreMissingData>true</microaggregationIgnoreMissingData></assigment>
<assigment><name>note</name><type>INSENSITIVE_ATTRIBUTE</type><datatype>Ordinal</datatype></assigment></definition>`

const config = `<config><relativeMaxOutliers>0.05</relativeMaxOutliers><criteria><criterion>5-anonymity</criterion><criterion>distinct-2-diversity for attribute 'pay'</criterion><criterion>distinct-3-diversity for attribute &apos;disease&apos;</criterion><criterion>distinct-2-diversity for attribute 'note'</criterion>
<criterion>0.4-closeness with equal ground-distance for attribute 'disease'</criterion><criterion>0.2-closeness with ordered distance for attribute 'pay'</criterion><criterion>0.3-closeness with equal ground-distance for attribute 'disease'</criterion>
<criterion>0.1-closeness with hierarchical ground-distance for attribute 'disease'</criterion><criterion>0.1-closeness with ordered distance for attribute 'disease'</criterion><criterion>shannon-entropy-2-diversity for attribute 'disease'</criterion></criteria></config>`

func project(t testing.TB) []byte {
	return ziptest.Of(
		t,
		"metadata.xml",
		"<metadata/>",
		"project.xml",
		"<project><separator>;</separator></project>",
		"input/definition.xml",
		definition,
		"input/config.xml",
		config,
		"input/hierarchies/age.csv",
		"41;40-49;*\n42;40-49;*\n",
		"input/config.dat",
		"\xac\xed\x00\x05",
	)
}

// shown is what was found, a line each.
func shown(f *Found) (out []string) {
	out = append(out, fmt.Sprintf("%s %q %q", f.From, f.File.Delimiter, f.File.Encoding))
	for _, c := range f.Columns {
		line := c.Name + ":"
		for _, v := range []any{strings.Join(c.Role, "+"), c.Kind, c.Dates, c.Domain, c.Step, c.Values, c.Missing,
			len(c.Tree)} {
			if text := fmt.Sprint(v); text != "" && text != "[]" && text != "0" {
				line += " " + text
			}
		}
		out = append(out, line)
	}
	for _, t := range f.Thresholds {
		if t.Min != nil {
			out = append(out, fmt.Sprint(t.Measure, " at least ", *t.Min))
		} else {
			out = append(out, fmt.Sprint(t.Measure, " at most ", *t.Max))
		}
	}
	return append(out, f.Left...)
}

func beside(name string) ([]byte, error) {
	if name == "sex.cdl" {
		return []byte("1,male\n2,\"female, or so\"\n9,unknown\n"), nil
	}
	return nil, errors.New("there is no such file")
}

func TestRead(t *testing.T) {
	for name, c := range map[string]struct {
		table string
		data  []byte
		want  []string
	}{
		"metadata.json": {"guests", []byte(sdv), []string{`metadata of SDV "" ""`, "arrived: dd.mm.yyyy", "card: identifier", "email: identifier", "guest: person", "left:",
			"other:", "rate: numeric", "region:", "rewards: categorical", "room: ordered [basic suite]", "stay: numeric 1",
			`column "guest": the pattern of its values`, `column "left": the date format "%d %b %Y", which has no equivalent notation`, `column "other": the type unknown`, `column "region": the type "country_code"`,
			`column "stay": that it orders the records of a sequence`, "relationships with other tables"}},
		"people.json": {"", []byte(csvw), []string{`metadata of CSV on the Web ";" "windows-1252"`, "person id: identifier " +
			"categorical [-9 n/a]", "Age: numeric [0 110] 1 [-9 n/a]", "wage: numeric [-1]",
			"born: dd/mm/yyyy [-9 n/a]", "seen: [-9 n/a]", "half: numeric [-9 n/a]", "odd: [-9 n/a]",
			`column "half": the format of its values`, `column "half": an end of its domain that is not one of its values`, `column "half": its smallest or largest value, for the other one is not said`, `column "odd": that it is not put out`, `column "odd": that its cells hold several values each`, `column "odd": what an empty cell stands for`, `column "odd": the type "gYear"`, "a column that the file does not hold, or that has no name", "keys of other tables"}},
		"demo.RDA": {"", []byte(argus), []string{`metadata of mu-Argus ";" ""`, "SEX: quasi-identifier categorical [1 2] " +
			"[9]", "INCOME: numeric 0.01 [99999998 99999999]", "AREA: quasi-identifier categorical [9999]",
			"HOUSE: household", "FACTOR: weight numeric", `column "SEX": how gladly it is suppressed`, `column "SEX": the labels of its codes`, `column "INCOME": which one it is related to`,
			`column "AREA": that its codes may be cut short; dither hierarchy IN COLUMN --prefix writes such a hierarchy`, `column "AREA": its list of codes, which cannot be read`,
			"that the file may have no names of columns: put them into its first line"}},
		"fixed.rda": {"", []byte("A 1 2 99\n<NUMERIC>\n"), []string{`metadata of mu-Argus "" ""`, "A: numeric [99]",
			"the places of the fields: dither reads no fields of fixed width, so write the table as CSV with these names in " +
				"its first line"}},
		"p.deid": {"", project(t), []string{`a project of ARX ";" ""`, "age: quasi-identifier numeric 1 22", "born: quasi-identifier dd.mm.yyyy", "name: identifier", "disease: confidential",
			"pay: confidential numeric", "note: other categorical", "kanonymity at least 5", "ldiversity at least 3",
			"tcloseness at most 0.2",
			`column "age": between which levels it is generalised`, `column "disease": its hierarchy, which is not in the project`,
			`column "pay": the microaggregation function "Arithmetic mean"; the techniques mdav and uma do the like`, `column "note": the order of its values`,
			"the model 0.1-closeness with hierarchical ground-distance for attribute 'disease'", "the model 0.1-closeness " +
				"with ordered distance for attribute 'disease'", "the model shannon-entropy-2-diversity for attribute 'disease'",
			"how many records may be suppressed"}},
	} {
		f, err := Read(name, c.data, Options{Table: c.table, Open: beside})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if d := cmp.Diff(c.want, shown(f)); d != "" {
			t.Errorf("%s (-want +got):\n%s", name, d)
		}
	}
}

func TestRefuses(t *testing.T) {
	for want, data := range map[string][]byte{
		"no metadata of SDV (JSON), CSV on the Web (JSON), mu-Argus (.rda) or ARX (.deid), and a hierarchy needs its " +
			"column: column=file": []byte("a;b\n"),
		"it describes several tables, guests, hotels: say which is meant":        []byte(sdv),
		"it describes no column, as metadata of SDV do (columns)":                []byte("{}"),
		"no sound metadata of SDV":                                               []byte(`{"columns":7}`),
		"it describes no column, as metadata of CSV on the Web do (tableSchema)": []byte(`{"@context":"x"}`),
		"it describes columns, but none with a name that a table can have":       []byte(`{"tableSchema":{"columns":[{}]}}`),
		"no project of ARX, or one that was cut short":                           []byte("PK\x03\x04"),
		"no project of ARX that describes a column (input/definition.xml)":       ziptest.Of(t, "a", "b"),
		"no sound project of ARX: input/definition.xml cannot be read": ziptest.Of(t, "input/definition.xml",
			"<definition>"),
		"no sound project of ARX: input/config.xml cannot be read": ziptest.Of(t, "input/definition.xml",
			definition, "input/config.xml", strings.Repeat(" ", partBytes+1)),
	} {
		if _, err := Read("x.json", data, Options{}); err == nil || err.Error() != want {
			t.Errorf("%v, expected %s", err, want)
		}
	}
	if _, err := Read("x.rda", nil, Options{}); err == nil || err.Error() != "it describes no variable, as metadata of "+
		"mu-Argus do" {
		t.Error(err)
	}
	if _, err := Read("x.json", []byte(sdv), Options{Table: "rooms"}); err == nil ||
		err.Error() != `it describes no table "rooms", but guests, hotels` {
		t.Error(err)
	}
}

// FuzzRead: whatever a file says, there is an error of one line or something found, and nothing else happens.
func FuzzRead(f *testing.F) {
	f.Add("a.json", []byte(csvw))
	f.Add("a.json", []byte(strings.Replace(sdv, `"hotels"`, `"x"`, 1)))
	f.Add("a.rda", []byte(argus))
	f.Add("a.deid", project(f))
	f.Add("a.json",
		[]byte(`{"@context":0,"tables":[{"tableSchema":{"columns":[{"titles":[["x"]],"datatype":{"base":7}}]}}]}`))
	f.Fuzz(func(t *testing.T, name string, data []byte) {
		got, err := Read(name, data, Options{Table: "guests", Open: beside})
		if err != nil && strings.Contains(err.Error(), "\n") {
			t.Errorf("an error of several lines: %q", err)
		}
		if err == nil && len(got.Columns) == 0 {
			t.Error("neither a column nor an error")
		}
	})
}
