package profile

import (
	"strings"
	"sync"
	"unicode"
)

// vocabulary is a set of words and of phrases written without their blanks: "zipcode" stands for "zip code" and
// "zipcode".
type vocabulary func() map[string]bool

// words takes a list apart when it is first used, without accents, as tokens has names: most calls of the program use
// none.
//
//go:noinline
func words(list string) vocabulary {
	return sync.OnceValue(func() map[string]bool {
		v := make(map[string]bool)
		for _, w := range strings.Fields(unaccented.Replace(list)) {
			v[w] = true
		}
		return v
	})
}

// postcodes are what postcodes are called; demographic holds them, too.
const postcodes = ` zip zipcode postcode postal postalcode plz postleitzahl codigopostal codepostal cep kodpocztowy
	codicepostale codiceavviamentopostale codpostal psč postnummer postnr postinumero pincode почтовыйиндекс
	邮编 邮政编码 郵遞區號 郵便番号 우편번호 `

// places are what the names of places are called; demographic holds them, too.
const places = ` city town village municipality stadt ort wohnort gemeinde ville ciudad citta cidade woonplaats state
	province county district region canton kanton bundesland neighborhood neighbourhood `

// The vocabularies hold English and the commonest words of other languages.
var (
	// direct names something that points at one person wherever it ends a column's name.
	direct = words(
		`ssn socialsecurity sin nino passport reisepass pasaporte passeport email emailaddress mail correo courriel
		phone telephone telefon telefono telefone tel cellphone mobile mobil handy fax address adresse direccion indirizzo
		endereco adres street strasse surname lastname firstname fullname forename givenname familyname middlename maidenname
		username patientname vorname nachname familienname nom prenom nombre apellido apellidos nome cognome sobrenome naam voornaam
		achternaam mrn medicalrecord healthcard nhs nhsnumber driverlicense driverslicense driverlicence license licence iban
		creditcard accountnumber accountno dni nif nie curp cpf rut codicefiscale personnummer bsn pesel aadhaar steuernummer
		steuerid patid patno patnr pat pid hospitalnumber hospitalno hospitalnr fallnummer fallnr studycode studynumber
		studyno labno labnr labnumber labid visitid encounterid specimenid episodeid admissionid chartno chartnumber recordno
		recordid sampleid versichertennummer versicherungsnummer patientennummer kundennummer personalnummer matrikelnummer uuid guid ip
		ipaddress macaddress imei vin licenseplate licenceplate numberplate kennzeichen autokennzeichen
		kenteken immatriculation matricula vrm госномер 车牌 车牌号 車牌 photo fingerprint signature`,
	)
	// bearer is who or what an identifier belongs to: with a word of numbering it makes one, as in "patient no".
	bearer = words(
		`patient person people customer client member employee staff worker student pupil subject user participant respondent
		policyholder policy insured insurance citizen taxpayer tax national voter resident account acct card loan donor proband
		health medical record case sample kunde patientin versicherte personne cliente paciente paziente`,
	)
	// carriers are what a number in a table of people belongs to: alone as a name they may also head a few kinds or
	// groups, so the values must be many.
	carriers = words(
		`patient person client customer member participant respondent proband subject case record sample specimen encounter
		episode kunde patientin paciente paziente`,
	)
	// counters at the end of a name say that the column numbers something.
	counters = words(`id ids identifier no nr number numero nummer uid`)
	// numbering words make a column an identifier when its values hardly repeat.
	numbering = words(
		`id ids identifier no nr num number numero nummer numer key code name account acct reference ref serial record
		row rownum rowid index seq sequence uid pid sno case unnamed konto kontonummer compte cuenta token hash`,
	)
	// demographic words name what many people know of another.
	demographic = words(postcodes + places +
		`age agegroup alter edad eta leeftijd idade sex gender geschlecht sexe sexo sesso geslacht genero race ethnicity
		ethnic ethnie birth birthday birthdate birthyear
		dob yob born geburt geburtsdatum geburtsjahr nacimiento naissance nascita geboortedatum nascimento marital maritalstatus
		marr married spouse husband wife familienstand estadocivil etatcivil education edu school schooling degree ausbildung
		bildung occupation job profession beruf profesion professione ocupacion employer employment workclass industry country
		nationality citizenship citizen native immigrant pais pays nationalitat
		latitude longitude lat lon lng gps location household family children kids dependents
		relationship religion language sprache langue idioma veteran military union date admission admitted discharge death
		deceased visit
		wiek płeć plec vek věk pohlaví alder kön køn kjønn ikä sukupuoli yaş cinsiyet életkor spol vârstă
		umur usia возраст пол вік стать ηλικία φύλο 年龄 年齡 性别 性別 民族 婚姻状况 职业 学历 年齢 年代 職業
		나이 연령 성별 직업 العمر الجنس urodzenia urodzin narození födelsedatum fødselsdato рождения народження
		isco kldb ssyk nace insee fips lsoa msoa nuts ags
		出生 出生日期 出生年月 生年月日 생년월일`,
	)
	sites = words(places)
	// births name a date of birth, dates any date; numbers like 20240131 are dates only under such a name.
	births = words(
		`birth birthday birthdate dateofbirth dob born geburt geburtsdatum geburtstag nacimiento naissance nascita
		geboortedatum nascimento urodzenia urodzin narození födelsedatum fødselsdato рождения народження
		出生 出生日期 出生年月 生年月日 생년월일`,
	)
	dates = words(
		`date datum fecha data day dob birth birthday birthdate born geburt geburtsdatum geburtstag nacimiento naissance
		nascita geboortedatum nascimento admission admitted discharge discharged death deceased died visit time timestamp`,
	)
	// clinical words name what a test or a doctor finds.
	clinical = words(
		`glucose bmi systolic diastolic pressure bloodpressure cholesterol chol hdl ldl triglycerides hemoglobin
		haemoglobin hba1c creatinine tumor tumour stage lab labs result results`,
	)
	// sensitive words name what people would rather keep to themselves.
	sensitive = words(
		`salary salaries income wage wages earning earnings pay payroll gain gains loss losses debt balance wealth assets
		networth loan mortgage credit diagnosis diagnoses disease illness condition disorder icd icd9 icd10 hiv aids cancer
		symptom treatment therapy drug drugs medication prescription disability pregnant pregnancy contraceptive
		contraception abortion sexual orientation criminal crime conviction arrest offense offence vote party politics gehalt lohn einkommen
		diagnose krankheit salario sueldo ingreso ingresos diagnostico enfermedad salaire revenu diagnostic maladie stipendio
		reddito malattia diagnosi renda doenca inkomen ziekte dochód dochody zarobki wynagrodzenie płaca diagnoza rozpoznanie
		choroba příjem mzda diagnóza inkomst indkomst inntekt доход доходы зарплата диагноз болезнь 收入 年收入 月收入 工资 诊断 疾病
		年収 収入 給与 診断 病名 소득 급여 진단`,
	)
	// weighting words name sampling weights.
	weighting = words(
		`fnlwgt wgt weighting samplingweight sampleweight surveyweight pweight caseweight designweight perwt hhwt`,
	)
	// weights may name sampling weights where a name has no other words, and weigh a body as well.
	weights = words(
		`weight weights wt wts gewicht gewichte gewichtung poids ponderation peso pesos ponderacion ponderazione ponderacao weging weegfactor
		expansion factor faktor facteur sampling sample survey design final case person stichprobe stichproben hochrechnung hochrechnungsfaktor
		ponderador exp fac`,
	)
	// unweighted are words of weights that do not say weight by themselves.
	unweighted = words("factor faktor facteur sampling sample survey design final case person stichprobe stichproben " +
		"expansion exp fac")
	// classes name what is predicted, outcomes what may be.
	classes  = words(`class klasse clase classe target label outcome response`)
	outcomes = words(`diagnosis income`)
)

// tokens cuts a column's name into lower-case words without accents: at everything that is neither letter nor digit,
// and where a small letter meets a capital ("patientNumber").
func tokens(name string) []string {
	var out []string
	var word []rune
	flush := func() {
		if len(word) > 0 {
			out = append(out, unaccented.Replace(strings.ToLower(string(word))))
		}
		word = word[:0]
	}
	last := ' '
	for _, r := range name {
		switch {
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			flush()
		case unicode.IsUpper(r) && unicode.IsLower(last):
			flush()
			fallthrough
		default:
			word = append(word, r)
		}
		last = r
	}
	flush()
	return out
}

var unaccented = strings.NewReplacer("á", "a", "à", "a", "â", "a", "ã", "a", "ä", "a", "å", "a", "ç", "c", "é", "e",
	"è", "e", "ê", "e", "ë", "e", "í", "i", "ì", "i", "î", "i", "ï", "i", "ñ", "n", "ó", "o", "ò", "o", "ô", "o", "õ",
	"o", "ö", "o", "ú", "u", "ù", "u", "û", "u", "ü", "u", "ß", "ss")

// in returns the first run of up to three tokens that the vocabulary holds, as written in the name, or "".
func (v vocabulary) in(tokens []string) string {
	for i := range tokens {
		for k := min(len(tokens), i+3); k > i; k-- {
			if v()[strings.Join(tokens[i:k], "")] {
				return strings.Join(tokens[i:k], " ")
			}
		}
	}
	return ""
}

// ending returns the longest run of up to three tokens at the end of the name that the vocabulary holds, or "".
func (v vocabulary) ending(tokens []string) string {
	for i := max(0, len(tokens)-3); i < len(tokens); i++ {
		if v()[strings.Join(tokens[i:], "")] {
			return strings.Join(tokens[i:], " ")
		}
	}
	return ""
}

// pointer returns the part of a name that says outright that the column identifies people, or "". Numbering
// after it belongs to it ("phone no 2"); any other word turns it into something else ("phone calls").
func pointer(tokens []string) string {
	stem := tokens
	for len(stem) > 1 && (numbering()[stem[len(stem)-1]] || isNumber(stem[len(stem)-1])) {
		stem = stem[:len(stem)-1]
	}
	if w := direct.ending(stem); w != "" {
		return w
	}
	if w := direct.ending(tokens); w != "" {
		return w
	}
	if len(stem) < len(tokens) && bearer()[stem[len(stem)-1]] {
		return strings.Join(tokens[len(stem)-1:], " ")
	}
	if len(tokens) == 1 && (tokens[0] == "id" || tokens[0] == "name" || tokens[0] == "identifier") {
		return tokens[0]
	}
	return ""
}

func isNumber(s string) bool { return strings.Trim(s, "0123456789") == "" }
