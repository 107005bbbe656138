//go:build !race

package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/dither-data/dither/catalog"
	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
)

// pagesOfPeople are the pages that show somebody their own work, and their files.
var pagesOfPeople = []string{"hospitals", "statisticians", "datascientists", "fromarx", "fromsdcmicro"}

// TestPagesOfPeople runs every command of the pages, ten at most on each, on small tables and without limits, and looks
// up every technique and measure that they name. A quick run parses the commands only.
func TestPagesOfPeople(t *testing.T) {
	named := regexp.MustCompile("--(method|measure) ([a-z,+]+)")
	for _, page := range pagesOfPeople {
		t.Run(page, func(t *testing.T) {
			text, err := os.ReadFile(filepath.Join("..", "..", "docs", page+".md"))
			must.NoError(t, err)
			for _, m := range named.FindAllStringSubmatch(string(text), -1) {
				for _, name := range strings.FieldsFunc(m[2], func(r rune) bool { return r == ',' || r == '+' }) {
					if m[1] == "method" {
						_, err = catalog.Method(name)
					} else {
						_, err = catalog.Measure(name)
					}
					if err != nil && name != "cellkey" {
						t.Error(err)
					}
				}
			}
			if long.Enabled() {
				tables(t)
			}
			n := 0
			for line := range strings.Lines(string(text)) {
				command, ok := strings.CutPrefix(line, "    dither ")
				if !ok {
					continue
				}
				n++
				args := strings.Fields(command)
				if parses(t, args); !long.Enabled() {
					continue
				}
				if slices.Contains([]string{"protect", "synthesise"}, args[0]) {
					args = append(args, "--limits", "none")
				}
				var out, notes strings.Builder
				if code := run(context.Background(), args, strings.NewReader(""), &out, &notes); code != exitDone &&
					code != exitThreshold && code != exitUnproven {
					t.Errorf("dither %s ends with %d: %s", strings.Join(args, " "), code, notes.String())
				}
			}
			if n == 0 || n > 10 {
				t.Errorf("%d commands", n)
			}
		})
	}
}

// tables writes the files of the pages into a folder of their own: patients, a project of ARX, and a survey.
func tables(t *testing.T) {
	t.Helper()
	t.Chdir(t.TempDir())
	must.NoError(t, os.WriteFile("g.seed", fmt.Appendf(nil, "%064x\n", 1), 0o600))
	done(t, "generate", "patients", "-n", "120", "-o", "patients.csv", "--seed-file", "g.seed")
	var b strings.Builder
	b.WriteString("hhid,region,sex,age,income,weight,poor\n")
	for k := range 120 {
		home := k / 2
		fmt.Fprintf(&b, "h%d,%s,%s,%d,%d,%d,%s\n", home, []string{"north", "south"}[home%2], []string{"f", "m"}[k%2],
			20+k*7%60, 1000+home*37%900, 40+home%3, []string{"no", "yes"}[k*7%10/8])
	}
	must.NoError(t, os.WriteFile("survey.csv", []byte(b.String()), 0o600))
}

// TestPeersAreWhole: the page for users of sdcMicro has every function that it exports, that for users of ARX every
// privacy model.
func TestPeersAreWhole(t *testing.T) {
	for page, names := range map[string]string{
		"fromsdcmicro": "IL_correl IL_variables KI_createSdcObj LocalRecProg addGhostVars addNoise argus_microaggregation " +
			"argus_rankswap calcRisks createDat createNewID createSdcObj dRisk dRiskRMD dUtility dataGen extractManipData " +
			"freq freqCalc generateStrata get.sdcMicroObj globalRecode groupAndRename importProblem indivRisk infoLoss " +
			"kAnon kAnon_violations ldiversity localSupp localSuppression mafast measure_risk mergeHouseholdData " +
			"microaggrGower microaggregation modRisk mvTopCoding nextSdcObj plot.localSuppression plotMicro pram rankSwap " +
			"readMicrodata recordSwap removeDirectID report riskyCells sdcApp selectHouseholdData set.sdcMicroObj shuffle " +
			"strataVar<- suda2 topBotCoding undolast valTable varToFactor varToNumeric writeSafeFile",
		"fromarx": "k-anonymity k-map diversity t-closeness disclosure β-likeness δ-presence profitability " +
			"differential uniqueness discernibility precision classification microaggregation sampling prosecutor",
	} {
		text := must.Get(os.ReadFile(filepath.Join("..", "..", "docs", page+".md")))(t)
		for name := range strings.FieldsSeq(names) {
			if !strings.Contains(string(text), name) {
				t.Errorf("%s lacks %s", page, name)
			}
		}
	}
}
