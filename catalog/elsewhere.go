package catalog

import "github.com/dither-data/dither/card"

// elsewhere are names that the field and other tools (ARX, sdcMicro, μ-ARGUS) have for what goes by no name here, with
// what is nearest.
var elsewhere = []struct {
	names []string
	near  string
}{
	{[]string{"k-map", "kmap"},
		"k-map requires that k people in the population, not in the file, share what an intruder knows. The " +
			"measure populationrisk estimates of how many this fails, with model=kmap, from weights or the size of the " +
			"population; the technique kanonymise makes classes of k records in the file, which is stricter"},
	{[]string{"delta-presence", "δ-presence", "d-presence"},
		"it bounds how sure an intruder is that someone is in the file. The measures membership and " +
			"shadowmembership test this; no technique guarantees it"},
	{[]string{"population uniqueness", "population uniques", "modRisk", "LLmodGlobalRisk", "measure_risk", "indivRisk"},
		"the measure populationrisk estimates the risk in the population (model=loglinear for log-linear models), and " +
			"uniqueness counts who is unique in the file"},
	{[]string{"average risk", "average reidentification risk", "highest risk", "strict average risk"},
		"the measure populationrisk has the prosecutor's, the journalist's and the marketer's risk; the technique " +
			"kanonymise bounds the highest"},
	{[]string{"dRisk", "dRiskRMD"}, "the measure intervaldisclosure shows how often an original number lies close " +
		"to the released one"},
	{[]string{"dUtility"}, "the measures informationloss and bias show how values, means and correlations changed"},
	{[]string{"record suppression", "outlier suppression", "suppression limit"},
		"kanonymise suppresses the quasi-identifiers of records that fit no class (parameter suppression)"},
	{[]string{"attribute suppression", "delete variable", "removeDirectID", "deleteVars"}, "give the column the " +
		"role identifier, and it is not released: --role COLUMN=identifier"},
	{[]string{"ldiversity", "l-diversity", "distinct l-diversity", "entropy l-diversity", "recursive (c,l)-diversity"},
		"the technique kanonymise has the parameters l and diversity; the measure ldiversity counts"},
	{[]string{"tcloseness", "t-closeness", "equal distance t-closeness", "hierarchical distance t-closeness"},
		"the technique kanonymise has the parameter t; the measure tcloseness measures it"},
	{[]string{"differential privacy", "dp", "epsilon-differential privacy", "(e,d)-differential privacy", "SafePub"},
		"mst, aim, privbayes and privatesegments draw new records under it; warner bounds the odds of single values " +
			"of records that stay, and the risk measures test what a release reveals"},
	{[]string{"microaggrGower", "Gower microaggregation"}, "mdav and vmdav aggregate numbers together with the " +
		"given categories"},
	{[]string{"topBotCoding", "top and bottom coding"}, "one after the other: --method topcode+bottomcode"},
	{[]string{"groupAndRename", "groupVars"}, "globalrecode joins categories into classes that you name (parameter " +
		"groups)"},
	{[]string{"swapping"}, "rankswap swaps values of similar rank, dataswap keeps tables of counts, and recordswap " +
		"swaps the geography of records at risk"},
	{[]string{"noise"}, "sadp adds noise to each column separately, correlatednoise adds noise with the " +
		"covariances of the data, and framework adds noise that keeps decision rules"},
	{[]string{"pseudonymisation", "pseudonymization", "hashing"}, "--pseudonymise COLUMN replaces an identifier by a " +
		"keyed pseudonym"},
	{[]string{"secure multi-party computation", "secure multi-party", "secure multiparty computation", "multi-party",
		"multiparty", "MPC", "SMC", "secure sum", "private set intersection", "PSI", "secure scalar product"},
		"several custodians compute one result of the records of all, and show each other nothing else: dither joint " +
			"protocols lists how"},
	{[]string{"synthetic data", "synthesis", "synthpop", "dataSynthetic"},
		"no technique invents people from a model; cgadp, egadp and shuffle regenerate the confidential numbers " +
			"and keep the other columns"},
}

// Elsewhere says what is nearest to a name that the field or another tool has and no entry of the catalogue goes by; ""
// where that is not known.
func Elsewhere(name string) string {
	for _, e := range elsewhere {
		if (card.Card{Name: e.names[0], Aliases: e.names}).Answers(name) && name != "" {
			return e.near
		}
	}
	return ""
}
