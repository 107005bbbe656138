package desk

import (
	"github.com/dither-data/dither/measure/anonymity"
	"github.com/dither-data/dither/measure/attributedisclosure"
	"github.com/dither-data/dither/measure/clusterings"
	"github.com/dither-data/dither/measure/dataquality"
	"github.com/dither-data/dither/measure/distributions"
	"github.com/dither-data/dither/measure/found"
	"github.com/dither-data/dither/measure/hidingeffects"
	"github.com/dither-data/dither/measure/informationloss"
	"github.com/dither-data/dither/measure/prediction"
	"github.com/dither-data/dither/measure/rulepreservation"
	"github.com/dither-data/dither/measure/syntheticrisk"
	"github.com/dither-data/dither/measure/valuedisclosure"

	"github.com/dither-data/dither/measure/learned"
	"github.com/dither-data/dither/measure/linkage"
	"github.com/dither-data/dither/measure/noiseremoval"
	"github.com/dither-data/dither/measure/populationrisk"
	"github.com/dither-data/dither/measure/queryattack"

	"github.com/dither-data/dither/measure/segments"
	"github.com/dither-data/dither/measure/uncertainty"
)

// detailTypes are the types of what measures tell besides their figure, by name of the measure. A measure
// that is not listed tells nothing more.
var detailTypes = map[string]any{
	"edusc-norm":           rulepreservation.EDUSCDetail{},
	"accuracy":             prediction.AccuracyDetail{},
	"attributeinference":   attributedisclosure.AttributeInferenceDetail{},
	"bedr":                 noiseremoval.BEDRDetail{},
	"bias":                 distributions.Detail{},
	"breachprobability":    valuedisclosure.BreachProbabilityDetail{},
	"classdisclosure":      uncertainty.ClassDisclosureDetail{},
	"classifier":           prediction.ClassifierDetail{},
	"clusterquality":       clusterings.ClusterQualityDetail{},
	"conditionalprivacy":   valuedisclosure.ConditionalPrivacyDetail{},
	"constraintviolations": dataquality.ConstraintViolationsDetail{},
	"dcr":                  syntheticrisk.DcrDetail{},
	"earlierrelease":       linkage.EarlierReleaseDetail{},
	"eduds":                rulepreservation.EDUDSDetail{},
	"edusc":                rulepreservation.EDUSCDetail{},
	"found":                found.Detail{},
	"gaplinkage":           linkage.GapLinkageDetail{},
	"groupworth":           prediction.GroupWorthDetail{},
	"hidingfailure":        hidingeffects.HidingFailureDetail{},
	"impliedvalues":        attributedisclosure.ImpliedValuesDetail{},
	"informationloss":      informationloss.InformationLossDetail{},
	"intervaldisclosure":   valuedisclosure.IntervalDisclosureDetail{},
	"intervalinference":    valuedisclosure.IntervalInferenceDetail{},
	"iqm":                  dataquality.Detail{},
	"jmeasure":             hidingeffects.Detail{},
	"kanonymity":           anonymity.KAnonymityDetail{},
	"kmanonymity":          anonymity.KMAnonymityDetail{},
	"knowledge":            uncertainty.KnowledgeDetail{},
	"lambert":              uncertainty.LambertDetail{},
	"ldiversity":           anonymity.LDiversityDetail{},
	"leakedplan":           linkage.LeakedPlanDetail{},
	"learned":              learned.Detail{},
	"levelofprivacy":       hidingeffects.Detail{},
	"linkage":              linkage.LinkageDetail{},
	"membership":           syntheticrisk.MembershipDetail{},
	"misclassification":    clusterings.MisclassificationDetail{},
	"nndr":                 syntheticrisk.NndrDetail{},
	"optimum":              hidingeffects.OptimumDetail{},
	"pcadr":                noiseremoval.PCADRDetail{},
	"populationrisk":       populationrisk.Detail{},
	"queryattack":          queryattack.Detail{},
	"reidentification":     uncertainty.ReidentificationDetail{},
	"repeatedrecords":      linkage.RepeatedRecordsDetail{},
	"replicateduniques":    syntheticrisk.ReplicatedUniquesDetail{},
	"roworder":             linkage.RowOrderDetail{},
	"rulesurvival":         rulepreservation.RuleSurvivalDetail{},
	"rulesworth":           rulepreservation.RulesWorthDetail{},
	"score":                informationloss.ScoreDetail{},
	"segments":             segments.Detail{},
	"sers":                 uncertainty.SERSDetail{},
	"shadowmembership":     syntheticrisk.ShadowDetail{},
	"spectralfilter":       noiseremoval.SpectralDetail{},
	"sse":                  informationloss.SSEDetail{},
	"suda":                 anonymity.SUDADetail{},
	"tcloseness":           anonymity.TClosenessDetail{},
	"alphak":               anonymity.SharesDetail{},
	"deltadisclosure":      anonymity.SharesDetail{},
	"betalikeness":         anonymity.SharesDetail{},
	"enhancedbetalikeness": anonymity.SharesDetail{},
	"kmarginal":            distributions.KMarginalDetail{},
	"pmse":                 distributions.PMSEDetail{},
	"twosampleauc":         distributions.AUCDetail{},
	"cap":                  attributedisclosure.AttributionDetail{},
	"tcap":                 attributedisclosure.AttributionDetail{},
	"disco":                attributedisclosure.AttributionDetail{},
	"singlingout":          syntheticrisk.AnonymeterDetail{},
	"linkability":          syntheticrisk.AnonymeterDetail{},
	"inference":            syntheticrisk.AnonymeterDetail{},
	"treesimilarity":       rulepreservation.TreeSimilarityDetail{},
	"uniqueness":           anonymity.UniquenessDetail{},
	"variancedifference":   valuedisclosure.VarianceDifferenceDetail{},
}
