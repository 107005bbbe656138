package sav

import (
	"bytes"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/dither-data/dither/format/dialect"
	"github.com/dither-data/dither/format/dta"
	"github.com/dither-data/dither/format/formattest"
	"github.com/dither-data/dither/internal/testkit/must"
)

// Labels of texts stay in a release, also of those that no record has, and in Stata's format, whose codes are numbers,
// the texts become numbers with their labels.
func TestLabelsOfTexts(t *testing.T) {
	data := must.Get(os.ReadFile("testdata/labels.sav"))(t)
	got, info, err := Read(t.Context(), data, dialect.Options{})
	must.NoError(t, err)
	want := []string{"n: 1 2 3 4 5 6", `s: "male" "female" "female" "male" "x" "male"`, `long: "AAA" "BBB" "BBB" "BBB" "BBB" "BBB"`}
	if d := cmp.Diff(want, formattest.Shown(got)); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	var spss, stata bytes.Buffer
	must.NoError(t, write(t.Context(), &spss, got, ptr(info.Like(dialect.Options{})), false))
	again, about, err := Read(t.Context(), spss.Bytes(), dialect.Options{})
	if err != nil || !cmp.Equal(want, formattest.Shown(again)) || !cmp.Equal(about.Codebook, info.Codebook) {
		t.Errorf("%v, %v\n%+v\n%+v", err, again, about.Codebook, info.Codebook)
	}
	if v := about.Codebook["s"].Spare; len(v) != 1 || v[0].Word != "u" || v[0].Label != "unused" {
		t.Errorf("%+v", v)
	}
	must.NoError(t, dta.Write(t.Context(), &stata, got, info.Like(dialect.Options{})))
	again, _, err = dta.Read(t.Context(), stata.Bytes(), dialect.Options{})
	if err != nil || !cmp.Equal(want, formattest.Shown(again)) {
		t.Errorf("%v, %q", err, formattest.Shown(again))
	}
}

func ptr[T any](v T) *T { return &v }
