package xlsx

import (
	"bufio"
	"fmt"
	"strings"
)

// The parts of a workbook that are always the same.
const (
	declaration  = `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>` + "\n"
	office       = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
	relations    = "http://schemas.openxmlformats.org/package/2006/relationships"
	spreadsheet  = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
	kindOf       = "application/vnd.openxmlformats-officedocument.spreadsheetml."
	contentTypes = declaration + `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">` +
		`<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>` +
		`<Override PartName="/xl/workbook.xml" ContentType="` + kindOf + `sheet.main+xml"/>` +
		`<Override PartName="/xl/worksheets/sheet1.xml" ContentType="` + kindOf + `worksheet+xml"/>` +
		`<Override PartName="/xl/styles.xml" ContentType="` + kindOf + `styles+xml"/>` +
		`<Override PartName="/xl/sharedStrings.xml" ContentType="` + kindOf + `sharedStrings+xml"/></Types>`
	packageRels  = declaration + `<Relationships xmlns="` + relations + `"><Relationship Id="rId1" Type="` + office + `/officeDocument" Target="xl/workbook.xml"/></Relationships>`
	workbookXML  = declaration + `<workbook xmlns="` + spreadsheet + `" xmlns:r="` + office + `"><sheets><sheet name="NAME" sheetId="1" r:id="rId1"/></sheets></workbook>`
	workbookRels = declaration + `<Relationships xmlns="` + relations + `"><Relationship Id="rId1" Type="` + office + `/worksheet" Target="worksheets/sheet1.xml"/>` +
		`<Relationship Id="rId2" Type="` + office + `/styles" Target="styles.xml"/><Relationship Id="rId3" Type="` + office + `/sharedStrings" Target="sharedStrings.xml"/></Relationships>`
)

func plain(text string) func(out *bufio.Writer) error {
	return func(out *bufio.Writer) error { _, err := out.WriteString(text); return err }
}

// firstOwn is the number of the first format that Excel does not have itself.
const firstOwn = 164

// stylesXML is the formats of the cells.
func (b *writer) stylesXML() string {
	var own, cells strings.Builder
	n := 0
	for _, s := range b.styles {
		id := 0
		switch s.code {
		case "":
		case "@":
			id = 49
		default:
			id = firstOwn + n
			fmt.Fprintf(&own, `<numFmt numFmtId="%d" formatCode="%s"/>`, id, escape(s.code))
			n++
		}
		quote := ""
		if s.text {
			quote = ` quotePrefix="1"`
		}
		fmt.Fprintf(&cells, `<xf numFmtId="%d" fontId="0" fillId="0" borderId="0" xfId="0"%s applyNumberFormat="1"/>`, id, quote)
	}
	list := ""
	if n > 0 {
		list = fmt.Sprintf(`<numFmts count="%d">%s</numFmts>`, n, own.String())
	}
	return declaration + `<styleSheet xmlns="` + spreadsheet + `">` + list + `<fonts count="1"><font><sz val="11"/><name val="Calibri"/></font></fonts>` +
		`<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>` +
		`<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>` +
		`<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>` +
		fmt.Sprintf(`<cellXfs count="%d">%s</cellXfs>`, len(b.styles), cells.String()) +
		`<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>`
}

// sharedXML writes the texts.
func (b *writer) sharedXML(out *bufio.Writer) error {
	fmt.Fprintf(out, `%s<sst xmlns="%s" uniqueCount="%d">`, declaration, spreadsheet, len(b.list))
	for _, s := range b.list {
		if _, err := out.WriteString(`<si><t xml:space="preserve">` + escape(s) + "</t></si>"); err != nil {
			return err
		}
	}
	_, err := out.WriteString("</sst>")
	return err
}

// escape is a text as it stands in XML: characters that XML has no place for as Excel writes them, _x0001_, and what
// looks like that with its first _ so.
func escape(s string) string {
	var out strings.Builder
	for i, r := range s {
		switch {
		case r == '&':
			out.WriteString("&amp;")
		case r == '<':
			out.WriteString("&lt;")
		case r == '>':
			out.WriteString("&gt;")
		case r == '"':
			out.WriteString("&quot;")
		case r < ' ' && r != '\t' && r != '\n', r >= 0xfffe && r <= 0xffff:
			fmt.Fprintf(&out, "_x%04X_", r)
		case r == '_':
			if _, ok := escaped([]byte(s[i:min(len(s), i+7)])); ok {
				out.WriteString("_x005F")
			}
			out.WriteByte('_')
		default:
			out.WriteRune(r)
		}
	}
	return out.String()
}
