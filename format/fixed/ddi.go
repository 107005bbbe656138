package fixed

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/dither-data/dither/format/codebook"
)

// ddiVar is a variable in a codebook of DDI 2.
type ddiVar struct {
	Name     string `xml:"name,attr"`
	Decimals string `xml:"dcml,attr"`
	Location []struct {
		Start   string `xml:"StartPos,attr"`
		End     string `xml:"EndPos,attr"`
		Width   string `xml:"width,attr"`
		Segment string `xml:"RecSegNo,attr"`
	} `xml:"location"`
	Label  []string `xml:"labl"`
	Format struct {
		Type string `xml:"type,attr"`
	} `xml:"varFormat"`
	Categories []struct {
		Missing string   `xml:"missing,attr"`
		Value   string   `xml:"catValu"`
		Label   []string `xml:"labl"`
	} `xml:"catgry"`
	Invalid []struct {
		Value string `xml:"VALUE,attr"`
	} `xml:"invalrng>item"`
}

// parseDDI reads the variables of a codebook that have a place.
func parseDDI(data []byte) (*Layout, error) {
	d := xml.NewDecoder(bytes.NewReader(data))
	d.CharsetReader = func(string, io.Reader) (io.Reader, error) {
		return nil, errors.New("it is not UTF-8")
	}
	l := &Layout{}
	for {
		t, err := d.Token()
		if err == io.EOF {
			return l, nil
		}
		if err != nil {
			line, _ := d.InputPos()
			return nil, fmt.Errorf("is no sound XML in line %d", line)
		}
		e, begins := t.(xml.StartElement)
		if !begins || e.Name.Local != "var" {
			continue
		}
		line, _ := d.InputPos()
		var v ddiVar
		if err := d.DecodeElement(&v, &e); err != nil {
			return nil, fmt.Errorf("is no sound XML in line %d or behind it", line)
		}
		if len(v.Location) == 0 || v.Location[0].Start == "" {
			continue
		}
		c, err := v.column()
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", line, err)
		}
		l.Columns = append(l.Columns, c)
	}
}

// column makes a column of a variable.
func (v *ddiVar) column() (c Column, err error) {
	at := v.Location[0]
	whole := func(text string, otherwise int) int {
		n, fault := strconv.Atoi(strings.TrimSpace(text))
		if text == "" {
			return otherwise
		}
		if fault != nil && err == nil {
			err = fmt.Errorf("the place of %q is not a number", v.Name)
		}
		return n
	}
	c = Column{Name: v.Name, Start: whole(at.Start, 0) - 1, Line: whole(at.Segment, 1) - 1, Decimals: whole(v.Decimals, 0)}
	if c.Width = whole(at.Width, 0); at.End != "" {
		c.Width = whole(at.End, 0) - c.Start
	}
	c.Label = first(v.Label)
	if v.Format.Type == "character" {
		c.Type = Text
	}
	for _, k := range v.Categories {
		word := strings.TrimSpace(k.Value)
		c.labelled(word, first(k.Label))
		if k.Missing == "Y" || k.Missing == "y" {
			c.missing(word, word)
		}
	}
	for _, k := range v.Invalid {
		c.missing(k.Value, k.Value)
	}
	return c, err
}

func first(labels []string) string {
	if len(labels) == 0 {
		return ""
	}
	return strings.Join(strings.Fields(labels[0]), " ")
}

// labelled gives a value a label, unless the value cannot stand in the column.
func (c *Column) labelled(word, label string) {
	if label == "" || word == "" {
		return
	}
	v := codebook.Value{Word: word, Label: label}
	if c.Type != Text {
		n, err := strconv.ParseFloat(word, 64)
		if err != nil {
			return
		}
		v = codebook.Value{Number: n, Label: label}
	}
	for _, o := range c.Labels {
		if o.Number == v.Number && o.Word == v.Word {
			return
		}
	}
	c.Labels = append(c.Labels, v)
}

// missing declares the values from lo to hi missing.
func (c *Column) missing(lo, hi string) {
	if c.Type == Text {
		c.MissWords = append(c.MissWords, lo)
		return
	}
	from, err := strconv.ParseFloat(lo, 64)
	to, err2 := strconv.ParseFloat(hi, 64)
	if err == nil && err2 == nil {
		c.Missing = append(c.Missing, codebook.Span{Lo: from, Hi: to})
	}
}
