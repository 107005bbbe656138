package profile

// The forms of values that tell who somebody is wherever they stand, however many people have them.
var (
	titled = pattern(`(?:^|[\s(,;])(?:(?:Dr|Mr|Mrs|Ms|Herr|Frau|Mme|Mlle|Sra|Dhr|Mevr|Sig|Sig\.ra)\.?|Prof\.|Señora?|` +
		`Signora?|Pani|Г-н|Г-жа|Господин|Госпожа) (?:med\. |Dr\. )?\p{Lu}[\p{L}'’-]+`)
	patronymic = pattern(`\p{Lu}\p{Cyrillic}+(?:ович|евич|овна|евна|инична)(?:$|[\s,.;)])`)
	initialled = pattern(`^\p{Lu}[\p{L}'’-]+, \p{Lu}\.(?: ?\p{Lu}\.)?$`)
	home       = pattern(`(?:^|[\s,;(])(?:` + english + `|` + germanic + `|` + romance + `|` + eastern + `)`)
	place      = pattern(`^[^([]*-?\d{1,3}\.\d{3,}°?\s*[NS]?[,; /]+-?\d{1,3}\.\d{3,}|\d{1,3}°\s?\d{1,2}['’′]`)
	hash       = pattern(`(?i)(?:^|[^0-9a-z])(?:0x)?(?:[0-9a-f]{64}|[0-9a-f]{40}|[0-9a-f]{32}|` +
		`[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|[0-9a-f]{2}(?:[:-][0-9a-f]{2}){5})(?:$|[^0-9a-z])|` +
		`\$2[aby]\$\d\d\$[./0-9a-z]{53}`)
	network = pattern(`(?i)\d{1,3}(?:\.\d{1,3}){3}|[0-9a-f]{0,4}(?::[0-9a-f]{0,4}){2,7}`)
	account = pattern(`\b[A-Z]{2}\d{2}(?:[ -]?[A-Z0-9]{4}){2,7}(?:[ -]?[A-Z0-9]{1,3})?\b`)
	card    = pattern(`\b(?:[3-6]\d{3}|2[2-7]\d\d)(?:[ -]?\d){9,15}\b`)
	// numbers of social security: of the United States, of Switzerland, and of taxpayers in Brazil
	social = pattern(`\b(?:\d{3}-\d{2}-\d{4}|756\.\d{4}\.\d{4}\.\d\d|\d{3}\.\d{3}\.\d{3}-\d\d)\b`)
	plate  = pattern(`^(?:[A-ZÄÖÜ]{1,3}[- ][A-Z]{1,2} \d{2,4}[EH]?|[A-ZÄÖÜ]{1,3}-[A-Z]{1,2} \d[EH]?|` +
		`[A-Z]{2}-\d{3}-[A-Z]{2}|[A-Z]{2}\d{2} [A-Z]{3}|[A-Z]{2} \d{3} ?[A-Z]{2}|` +
		`[A-Z]{2}[ -]?\d{1,2}[ -]?[A-Z]{1,3}[ -]?\d{4}|\d{4}[ -][B-DF-HJ-NPR-TV-Z]{3}|[A-Z]{2}-\d\d-[A-Z]{2}|` +
		`[A-Z]{3}\d[A-Z]\d\d|\d-[A-Z]{3}-\d{3}|[АВЕКМНОРСТУХ] ?\d{3} ?[АВЕКМНОРСТУХ]{2} ?\d{2,3}|` +
		`[京津沪渝冀豫云辽黑湘皖鲁新苏浙赣鄂桂甘晋蒙陕吉闽贵粤青藏川宁琼][A-Z][· ]?[A-Z0-9]{5,6}|` +
		`\p{Han}{1,4} ?\d{2,3} ?\p{Hiragana} ?[\d・.]{1,2}-?\d\d)$`)
)

// The addresses of homes, by the words for streets of several languages.
const (
	english = `\d{1,5}[A-Za-z]?,? (?:\p{Lu}[\p{L}.'-]* |\d+(?:st|nd|rd|th) ){1,3}(?i:street|st|road|rd|avenue|ave|lane|ln|` +
		`drive|dr|boulevard|blvd|court|crescent|terrace|close|way|place|square|highway)\b|` +
		`\d{1,5}[a-z]?,? (?:[\p{Ll}.'-]+ ){1,3}(?:street|road|avenue|lane|boulevard)\b|(?i:p\.? ?o\.? ?box \d)`
	germanic = `(?i:[\p{L}.'-]*(?:stra(?:ß|ss)e|str\.|gasse|allee|straat|laan|gracht|gatan|vägen|gata|veien)|` +
		`[\p{L}.'-]{3,}(?:weg|platz|ufer|damm|vej|gade|utca|katu)|[\p{L}]{4,}(?:intie|entie)) ?\d{1,5}(?: ?[A-Za-z])?\b|` +
		`(?:Am|An de[rnm]|Im|In de[rn]|Auf de[rm]|Unter den|Zum|Zur) \p{Lu}\p{Ll}{2,} \d{1,4} ?[a-z]?(?:$|,)|Postfach \d`
	romance = `\d{1,5}(?: ?(?:bis|ter))?,? (?:rue|boulevard|avenue|chemin|impasse|allée|quai|place|cours) [\p{L}'’-]{2,}|` +
		`(?:C/|Calle|Avenida|Avda\.|Av\.|Plaza|Paseo|Via|Viale|Piazza|Corso|Rua|Travessa|Praça) ?` +
		`[\p{L}'’][\p{L}'’. -]{1,40},? \d{1,5}\b`
	eastern = `(?i:ul\.|ulica|al\.|aleja|os\.|osiedle|pl\.|plac|ул\.|улица|пр\.|пр-т|проспект|пер\.|переулок|шоссе|бульвар) ?` +
		`\p{L}[\p{L}'’. -]{1,40},? (?:д\.? ?)?\d{1,5}|` +
		`\p{Lu}[\p{L} ]+ (?:проспект|улица|переулок|náměstí|ulice|třída|utca|Caddesi|Cad\.|Sokak|Sok\.),? (?:д\.? ?)?\d{1,5}|` +
		`(?:Οδός|Λεωφόρος) [\p{L} ]+ \d{1,5}|` +
		`[\p{Han}]{2,}(?:路|街|巷|丁目)[\d一二三四五六七八九十]+|[都道府県市区町村]\p{Han}+\d{1,3}-\d{1,3}|` +
		`\p{Hangul}+[로길] ?\d{1,4}`
)

// brands are what columns are called whose values are not people, though some are called after one.
var brands = words(`brand marke marque marca марка 品牌 make manufacturer maker hersteller fabricant fabricante product produkt
	produit producto label designer model drink school schule ecole escuela college university hospital hotel restaurant
	town city ort stadt ville ciudad citta cidade miasto gorod город 城市 place region county country state province
	land pays pais paese stato kraj species street station airport team club`)

// clans are the commonest family names of one syllable in Chinese and Korean, but for those that begin many words.
const clans = `王李张張刘劉陈陳杨楊赵趙吴吳徐孙孫朱胡郭何罗羅郑鄭梁谢謝宋许許邓鄧冯馮韩韓曹彭曾萧蔡潘袁于董余叶葉蒋杜魏程吕丁沈任姚卢김이박최정강조윤장임한오서신권황안송전홍`
