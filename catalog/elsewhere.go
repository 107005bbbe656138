package catalog

import "github.com/dither-data/dither/card"

// elsewhere are names that the field and other tools (ARX, sdcMicro, μ-ARGUS) have for what goes by no name here, with what is nearest.
var elsewhere = []struct {
	names []string
	near  string
}{
	{[]string{"k-map", "kmap"},
		"k-map asks that k people of the population, not of the file, share what an intruder knows. The measure populationrisk estimates that from weights of the records; " +
			"the technique kanonymise makes classes of k records of the file, which is stricter"},
	{[]string{"delta-presence", "δ-presence", "d-presence"},
		"it bounds how sure an intruder is that somebody is in the file. The measures membership and shadowmembership try that; no technique makes it hold"},
	{[]string{"population uniqueness", "population uniques", "modRisk", "LLmodGlobalRisk", "measure_risk", "indivRisk"},
		"the measure populationrisk estimates the risk with the population, and uniqueness counts who is alone in the file"},
	{[]string{"average risk", "average reidentification risk", "highest risk", "strict average risk"},
		"the measure populationrisk has the prosecutor's, the journalist's and the marketer's risk; the technique kanonymise bounds the highest"},
	{[]string{"suda", "suda2", "suda score", "special uniques"},
		"no measure scores special uniques; uniqueness counts who is alone with what is known, and knowledge says which attribute tells most"},
	{[]string{"dRisk", "dRiskRMD"}, "the measure intervaldisclosure says how often an original number lies close to the released one"},
	{[]string{"dUtility"}, "the measures informationloss and bias say how values, means and correlations moved"},
	{[]string{"record suppression", "outlier suppression", "suppression limit"},
		"kanonymise takes the quasi-identifiers of records that fit no class (parameter suppression)"},
	{[]string{"attribute suppression", "delete variable", "removeDirectID", "deleteVars"}, "give the column the role identifier, and it is left out: --role COLUMN=identifier"},
	{[]string{"ldiversity", "l-diversity", "distinct l-diversity", "entropy l-diversity", "recursive (c,l)-diversity"},
		"the technique kanonymise has the parameters l and diversity; the measure ldiversity counts"},
	{[]string{"tcloseness", "t-closeness", "equal distance t-closeness", "hierarchical distance t-closeness"},
		"the technique kanonymise has the parameter t; the measure tcloseness measures it"},
	{[]string{"differential privacy", "dp", "epsilon-differential privacy", "(e,d)-differential privacy", "SafePub"},
		"no technique promises it for a table; warner bounds the odds of single values, and the measures of risk try what a release leaves open"},
	{[]string{"microaggrGower", "Gower microaggregation"}, "mdav and vmdav aggregate numbers, and categories that are named, together"},
	{[]string{"topBotCoding", "top and bottom coding"}, "one after the other: --method topcode+bottomcode"},
	{[]string{"groupAndRename", "groupVars"}, "globalrecode joins categories into classes that you name (parameter groups)"},
	{[]string{"swapping"}, "rankswap exchanges values of near rank, dataswap keeps tables of counts, and recordswap exchanges the places of records at risk"},
	{[]string{"noise"}, "sadp adds noise to each column by itself, correlatednoise noise with the covariances of the data, and framework noise that keeps decision rules"},
	{[]string{"pseudonymisation", "pseudonymization", "hashing"}, "--pseudonymise COLUMN replaces an identifier by a keyed pseudonym"},
	{[]string{"synthetic data", "synthesis", "synthpop", "dataSynthetic"},
		"no technique makes people up from a model; cgadp, egadp and shuffle draw the confidential numbers anew, and keep the other columns"},
}

// Elsewhere says what is nearest to a name that the field or another tool has and no entry of the catalogue goes by; "" where that is not known.
func Elsewhere(name string) string {
	for _, e := range elsewhere {
		if (card.Card{Name: e.names[0], Aliases: e.names}).Answers(name) && name != "" {
			return e.near
		}
	}
	return ""
}
