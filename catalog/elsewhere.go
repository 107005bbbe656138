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
	{[]string{"differential privacy", "dp", "epsilon-differential privacy", "(e,d)-differential privacy", "SafePub",
		"epsilon", "privacy budget", "Laplace mechanism", "Gaussian mechanism"},
		"aim, mst, privbayes and privatesegments draw new records under it: dither synthesise --method aim --epsilon 1; " +
			"dither budget says what is spent. No noise on records guarantees it: warner bounds the odds of single values"},
	{[]string{"microaggrGower", "Gower microaggregation"}, "mdav and vmdav aggregate numbers together with the " +
		"given categories"},
	{[]string{"topBotCoding", "top and bottom coding"}, "one after the other: --method topcode+bottomcode"},
	{[]string{"groupAndRename", "groupVars"}, "globalrecode joins categories into classes that you name (parameter " +
		"groups)"},
	{[]string{"swapping"}, "rankswap swaps values of similar rank, dataswap keeps tables of counts, and recordswap " +
		"swaps the geography of records at risk"},
	{[]string{"noise"}, "sadp adds noise to each column separately, correlatednoise adds noise with the " +
		"covariances of the data, and framework adds noise that keeps decision rules"},
	{[]string{"pseudonymisation", "pseudonymise", "pseudonym", "hashing", "hash", "salted hash", "HMAC", "tokenisation",
		"tokenise", "token", "encrypt identifiers"}, "--pseudonymise COLUMN replaces an identifier by a keyed pseudonym, " +
		"and by default it is left out. A pseudonym alone protects nobody: the other columns are judged as they are"},
	{[]string{"redaction", "redact", "data masking", "masking", "character masking", "blackout"}, "names, free text and " +
		"identifiers are never released; localsuppression and kanonymise suppress single values or columns, and generalise " +
		"replaces the ends of codes, by a hierarchy that dither hierarchy IN COLUMN --prefix writes"},
	{[]string{"date shift", "date shifting", "shift dates", "dates shift", "jitter dates"}, "--dates-shift person moves " +
		"all dates of a person by one random offset, so that intervals stay; it goes with any technique"},
	{[]string{"compositional data", "composition", "sums", "totals", "largest remainder"}, "sums between columns are " +
		"found, and a release keeps them: by their parts, or with --sums shares by the total and the parts' shares of it"},
	{[]string{"CTGAN", "TVAE", "GAN", "generative adversarial network", "PATE-GAN", "CopulaGAN"}, "no neural network " +
		"is trained; dither synthesise draws new records with cartsynthesis, bayesiannetwork or copulasynthesis, and under " +
		"differential privacy with aim or mst"},
	{[]string{"local recoding", "local generalisation"}, "kanonymise generalises by record with --set local=true, or " +
		"partitions the records with --set search=mondrian"},
	{[]string{"Datafly", "Incognito", "Samarati", "OLA", "optimal lattice anonymization", "ARX"}, "kanonymise searches " +
		"the same lattice of levels as these, and finds the best node of it where Datafly takes the first that it meets"},
	{[]string{"winsorise", "winsorisation", "clip", "clipping", "trimming", "outliers"}, "one after the other: " +
		"--method topcode+bottomcode replaces values beyond a limit by the limit or by their mean"},
	{[]string{"binning", "bin", "bucketing", "banding", "discretise", "discretisation", "aggregation", "categorisation"},
		"globalrecode makes intervals of equal size or width, or groups that you name; mdav replaces values by the mean of " +
			"groups of similar records; dither hierarchy writes intervals to choose from"},
	{[]string{"Wasserstein", "Wasserstein distance", "earth mover's distance", "EMD", "Jensen-Shannon", "KL divergence",
		"chi-squared"}, "the measure hellinger compares the distribution of each column with the original's, bias has the " +
		"Kolmogorov-Smirnov distance, and kmarginal compares tables of three columns; tcloseness is an earth mover's " +
		"distance inside classes"},
	{[]string{"homogeneity", "homogeneity attack", "background knowledge attack", "skewness attack"}, "the measure " +
		"ldiversity counts the different secrets of those who look alike, tcloseness their skewness, and learned how often " +
		"the best attack infers one; the technique kanonymise bounds both (parameters l and t)"},
	{[]string{"secure multi-party computation", "secure multi-party", "secure multiparty computation", "multi-party",
		"multiparty", "MPC", "SMC", "secure sum", "private set intersection", "PSI", "secure scalar product"},
		"several custodians compute one result of the records of all, and show each other nothing else: dither joint " +
			"protocols lists how"},
	{[]string{"synthetic data", "synthesis", "dataSynthetic", "SDV", "data synthesizer"},
		"dither synthesise draws new records, which stand for nobody: with cartsynthesis, as synthpop does, unless " +
			"--method names another"},
}

// besides are names of entries of the catalogue that mean something else, too.
var besides = []struct {
	names []string
	near  string
}{
	{[]string{"mask"}, "to mask names, codes or parts of values: dither methods redact"},
	{[]string{"cell suppression"}, "to suppress cells of published tables of counts: dither tabulate"},
	{[]string{"synthetic"}, "the verb is dither synthesise; new records stand for nobody"},
}

// Besides says what else a name may mean that an entry of the catalogue goes by, or its words; "" for nothing.
func Besides(name string) string {
	for _, e := range besides {
		if (card.Card{Name: e.names[0], Aliases: e.names}).Answers(name) && name != "" {
			return e.near
		}
	}
	return ""
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
