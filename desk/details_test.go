package desk

import (
	"github.com/dither-data/dither/measure/accuracy"
	"github.com/dither-data/dither/measure/attributeinference"
	"github.com/dither-data/dither/measure/bedr"
	"github.com/dither-data/dither/measure/bias"
	"github.com/dither-data/dither/measure/classdisclosure"
	"github.com/dither-data/dither/measure/classifier"
	"github.com/dither-data/dither/measure/closeness"
	"github.com/dither-data/dither/measure/clusterquality"
	"github.com/dither-data/dither/measure/conditionalprivacy"
	"github.com/dither-data/dither/measure/earlierrelease"
	"github.com/dither-data/dither/measure/eduds"
	"github.com/dither-data/dither/measure/edusc"
	"github.com/dither-data/dither/measure/found"
	"github.com/dither-data/dither/measure/gaplinkage"
	"github.com/dither-data/dither/measure/hidingfailure"
	"github.com/dither-data/dither/measure/informationloss"
	"github.com/dither-data/dither/measure/intervaldisclosure"
	"github.com/dither-data/dither/measure/intervalinference"
	"github.com/dither-data/dither/measure/iqm"
	"github.com/dither-data/dither/measure/kanonymity"
	"github.com/dither-data/dither/measure/kmanonymity"
	"github.com/dither-data/dither/measure/knowledge"
	"github.com/dither-data/dither/measure/lambert"
	"github.com/dither-data/dither/measure/ldiversity"
	"github.com/dither-data/dither/measure/leakedplan"
	"github.com/dither-data/dither/measure/learned"
	"github.com/dither-data/dither/measure/linkage"
	"github.com/dither-data/dither/measure/membership"
	"github.com/dither-data/dither/measure/misclassification"
	"github.com/dither-data/dither/measure/optimum"
	"github.com/dither-data/dither/measure/pcadr"
	"github.com/dither-data/dither/measure/populationrisk"
	"github.com/dither-data/dither/measure/queryattack"
	"github.com/dither-data/dither/measure/reidentification"
	"github.com/dither-data/dither/measure/repeatedrecords"
	"github.com/dither-data/dither/measure/replicateduniques"
	"github.com/dither-data/dither/measure/roworder"
	"github.com/dither-data/dither/measure/rulesurvival"
	disclosurescore "github.com/dither-data/dither/measure/score"
	"github.com/dither-data/dither/measure/segments"
	"github.com/dither-data/dither/measure/sensitiverules"
	"github.com/dither-data/dither/measure/sers"
	"github.com/dither-data/dither/measure/shadowmembership"
	"github.com/dither-data/dither/measure/spectralfilter"
	"github.com/dither-data/dither/measure/sse"
	"github.com/dither-data/dither/measure/tcloseness"
	"github.com/dither-data/dither/measure/treesimilarity"
	"github.com/dither-data/dither/measure/uniqueness"
	"github.com/dither-data/dither/measure/variancedifference"
)

// detailTypes are the types of what measures tell besides their figure, by name of the measure. A measure
// that is not listed tells nothing more.
var detailTypes = map[string]any{
	"edusc-norm":         edusc.Detail{},
	"accuracy":           accuracy.Detail{},
	"attributeinference": attributeinference.Detail{},
	"bedr":               bedr.Detail{},
	"bias":               bias.Detail{},
	"classdisclosure":    classdisclosure.Detail{},
	"classifier":         classifier.Detail{},
	"clusterquality":     clusterquality.Detail{},
	"conditionalprivacy": conditionalprivacy.Detail{},
	"dcr":                closeness.DcrDetail{},
	"earlierrelease":     earlierrelease.Detail{},
	"eduds":              eduds.Detail{},
	"edusc":              edusc.Detail{},
	"found":              found.Detail{},
	"gaplinkage":         gaplinkage.Detail{},
	"hidingfailure":      hidingfailure.Detail{},
	"informationloss":    informationloss.Detail{},
	"intervaldisclosure": intervaldisclosure.Detail{},
	"intervalinference":  intervalinference.Detail{},
	"iqm":                iqm.Detail{},
	"jmeasure":           sensitiverules.Detail{},
	"kanonymity":         kanonymity.Detail{},
	"kmanonymity":        kmanonymity.Detail{},
	"knowledge":          knowledge.Detail{},
	"lambert":            lambert.Detail{},
	"ldiversity":         ldiversity.Detail{},
	"leakedplan":         leakedplan.Detail{},
	"learned":            learned.Detail{},
	"levelofprivacy":     sensitiverules.Detail{},
	"linkage":            linkage.Detail{},
	"membership":         membership.Detail{},
	"misclassification":  misclassification.Detail{},
	"nndr":               closeness.NndrDetail{},
	"optimum":            optimum.Detail{},
	"pcadr":              pcadr.Detail{},
	"populationrisk":     populationrisk.Detail{},
	"queryattack":        queryattack.Detail{},
	"reidentification":   reidentification.Detail{},
	"repeatedrecords":    repeatedrecords.Detail{},
	"replicateduniques":  replicateduniques.Detail{},
	"roworder":           roworder.Detail{},
	"rulesurvival":       rulesurvival.Detail{},
	"score":              disclosurescore.Detail{},
	"segments":           segments.Detail{},
	"sers":               sers.Detail{},
	"shadowmembership":   shadowmembership.Detail{},
	"spectralfilter":     spectralfilter.Detail{},
	"sse":                sse.Detail{},
	"tcloseness":         tcloseness.Detail{},
	"treesimilarity":     treesimilarity.Detail{},
	"uniqueness":         uniqueness.Detail{},
	"variancedifference": variancedifference.Detail{},
}
