package boost

import (
	"fmt"
	"strings"
	"time"

	"example.com/augur/examples/internal/owner"
	"example.com/augur/predict"
)

// A Workload is one of Kueue, with the attributes
//
//	namespace  its namespace
//	owner      what it is a run of, without what is new in each run: Job/report
//	image      the image of its first container, without tag and digest
//	queue      its LocalQueue
//	label:KEY  the label KEY of its pods
type Workload struct {
	Namespace, Name string
	Queue           string
	Priority        int32 // its base priority
	Submitted       time.Time
	Owner           owner.Object // with the labels of its pods
	Image           string
	Quota           float64 // how much of the scarce resource its pods request, such as cores; 0 counts as 1
	Written         Written
}

// Attr returns the value of an attribute.
func (w Workload) Attr(name string) (value string, ok bool) {
	switch name {
	case "namespace":
		return w.Namespace, true
	case "owner":
		return owner.Of(w.Owner), true
	case "image":
		return owner.Repository(w.Image), w.Image != ""
	case "queue":
		return w.Queue, true
	}
	value, ok = w.Owner.Labels[strings.TrimPrefix(name, "label:")]
	return value, ok
}

// checkFeature names an attribute that no workload has.
func checkFeature(feature string) error {
	if feature == predict.All {
		return nil
	}
	for attr := range strings.SplitSeq(feature, "+") {
		key, label := strings.CutPrefix(attr, "label:")
		switch {
		case attr == "namespace", attr == "owner", attr == "image", attr == "queue", label && key != "":
		default:
			return fmt.Errorf("boost: Features has %q with the attribute %q, want namespace, owner, image, queue or label:KEY", feature, attr)
		}
	}
	return nil
}
