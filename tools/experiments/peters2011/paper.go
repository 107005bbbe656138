package main

import (
	"fmt"
	"strings"
)

// metrics are those of the quartile charts, in the order of the figures.
var metrics = []string{"acc", "pd", "prec", "pf"}

// printed holds figures 4.5 and 4.7: by data set and metric the quartiles of sap0 to sap3, p = 0, 0.1, 0.2 and 0.3.
var printed = [2]map[string][]string{
	{ // figure 4.5
		"Breast Cancer": {"68 74 75/67 71 75/66 70 72/67 69 70", "24 56 91/25 63 90/24 53 89/27 56 85",
			"50 73 79/50 70 77/44 66 74/43 68 75", "8 21 74/10 21 73/11 24 74/14 23 71"},
		"Heart": {"71 75 78/72 77 79/70 75 80/65 70 72", "61 77 86/60 79 88/61 77 84/53 65 83",
			"70 76 82/71 77 82/68 77 82/64 70 74", "13 22 39/12 21 36/15 22 37/17 28 46"},
		"Mammography": {"60 60 63/60 61 63/59 61 63/57 59 63", "19 28 96/20 29 96/19 45 95/19 53 95",
			"58 63 79/58 63 79/58 63 77/58 63 76", "4 10 80/4 8 79/5 12 80/4 16 79"},
		"Vote": {"91 93 94/90 92 93/85 89 91/75 83 85", "87 92 96/85 91 96/76 86 96/56 81 98",
			"90 93 94/90 92 94/86 90 94/77 85 92", "4 8 11/4 9 15/4 10 22/2 8 43"},
	},
	{ // figure 4.7
		"Breast Cancer": {"67 74 78/67 72 77/67 71 77/65 72 75", "27 53 92/24 47 91/25 47 92/23 41 90",
			"57 67 76/50 67 76/60 69 75/55 69 76", "7 17 73/8 19 75/7 19 71/10 17 73"},
		"Heart": {"72 75 78/71 77 78/71 77 79/72 75 79", "62 76 87/62 78 86/62 78 88/63 76 86",
			"71 75 83/69 75 81/70 78 83/70 76 82", "12 22 38/13 22 38/11 22 38/11 24 37"},
		"Mammography": {"58 60 62/59 61 64/59 61 64/60 63 66", "17 30 96/21 34 96/21 48 95/25 41 95",
			"58 63 82/58 63 82/59 69 81/60 66 82", "4 11 81/4 10 79/5 10 78/5 12 74"},
		"Vote": {"90 92 95/90 92 95/90 92 94/91 92 95", "88 92 96/88 92 95/88 93 96/88 92 96",
			"89 93 96/89 93 96/88 93 95/89 94 96", "4 8 11/4 8 11/4 7 12/3 8 11"},
	},
}

// quartiles returns the paper's figures of a metric for one p.
func quartiles(scenario int, paper string, metric, p int) (q [3]int) {
	part := strings.Split(printed[scenario][paper][metric], "/")[p]
	if _, err := fmt.Sscan(part, &q[0], &q[1], &q[2]); err != nil {
		panic(err) // the literal above
	}
	return q
}

// marks holds how the paper marks the accuracy of sap1 to sap3 against that of sap0 in these figures.
var marks = [2]map[string][3]string{
	{"Breast Cancer": {"0", "−", "−"}, "Heart": {"0", "0", "−"}, "Mammography": {"0", "0", "0"}, "Vote": {"0", "−", "−"}},
	{"Breast Cancer": {"0", "0", "0"}, "Heart": {"0", "0", "0"}, "Mammography": {"0", "0", "+"}, "Vote": {"0", "0", "0"}},
}
