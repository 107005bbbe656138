// This makes excelize.xlsx with github.com/xuri/excelize/v2 v2.11.0: go run . (in a module of its own)
package main

import (
	"log"
	"time"

	"github.com/xuri/excelize/v2"
)

func main() {
	f := excelize.NewFile()
	check(f.SetSheetName("Sheet1", "people"))
	_, err := f.NewSheet("notes")
	check(err)
	check(f.SetSheetVisible("notes", false))
	at := time.Date(2021, 2, 3, 10, 20, 30, 0, time.UTC)
	day := func(y, m, d int) time.Time { return time.Date(y, time.Month(m), d, 0, 0, 0, 0, time.UTC) }
	for cell, v := range map[string]any{
		"A1": "born", "B1": "seen", "C1": "wage", "D1": "town", "E1": "alive", "F1": "code",
		"A2": day(1980, 1, 31), "B2": at, "C2": 1250.5, "D2": "Ulm", "E2": true, "F2": "007",
		"B3": day(2021, 2, 4), "D3": "=1+1", "E3": false, "F3": "NA",
		"A4": day(2000, 2, 29), "C4": 0.25, "D4": "Köln", "F4": "8",
	} {
		check(f.SetCellValue("people", cell, v))
	}
	days := `dd\.mm\.yyyy`
	style, err := f.NewStyle(&excelize.Style{CustomNumFmt: &days})
	check(err)
	check(f.SetCellStyle("people", "A2", "A4", style))
	check(f.SaveAs("excelize.xlsx"))
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
