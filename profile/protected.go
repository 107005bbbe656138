package profile

import (
	"slices"
	"strings"

	"github.com/dither-data/dither/table"
)

// protected words name what nobody should be served worse for: sex and origin.
var protected = words(`sex gender geschlecht sexe sexo sesso geslacht genero kön køn kjønn sukupuoli
	płeć plec pohlaví cinsiyet spol пол стать φύλο 性别 性別 성별 الجنس
	race ethnicity ethnic ethnie ethnicgroup origin herkunft origine origen origem herkomst etnia etnicidad hautfarbe
	raza raca razza nationality nationalitat staatsangehorigkeit nacionalidad nationalite nazionalita nacionalidade nationaliteit
	citizenship citizen citoyennete cittadinanza ciudadania cidadania immigrant migrant migration migrationshintergrund
	nativecountry countryofbirth birthcountry geburtsland narodowość narodnost национальность гражданство 民族 国籍 國籍 국적`)

// Protected reports whether a column tells the sex or the origin of people, by its heading or by categories that are
// two sexes.
func Protected(a *table.Attribute) bool {
	if protected.in(tokens(a.Name)) != "" {
		return true
	}
	if a.Kind != table.Categorical || len(a.Labels) != 2 {
		return false
	}
	both := []string{strings.ToLower(a.Labels[0]), strings.ToLower(a.Labels[1])}
	slices.Sort(both)
	return slices.Contains(sexes, strings.Join(both, " "))
}
