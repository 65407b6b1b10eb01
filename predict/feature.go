package predict

import (
	"fmt"
	"iter"
	"math/bits"
	"slices"
	"strings"
)

// A Job is anything with attributes. Attr returns the value of an attribute, such as user or
// program, and false if the job does not have it. *policy.Job and [Attrs] are Jobs. A nil Job has
// no attributes.
type Job interface {
	Attr(name string) (value string, ok bool)
}

// Attrs are attributes by name.
type Attrs map[string]string

// Attr returns the value of an attribute.
func (a Attrs) Attr(name string) (value string, ok bool) {
	value, ok = a[name]
	return value, ok
}

// All is the feature that all jobs share.
const All = "*"

// ThreeSigmaFeatures returns the six features of 3Sigma, as SLearn, section 4.2, lists them: application name (program),
// job name (jobname), user, time of submission (day+hour), requested CPU (cpu) and requested memory (memory). The readers
// of policy/workload/trace use the same names; there the hour is 0 to 23, and the day such as Monday. The caller owns
// the slice.
func ThreeSigmaFeatures() []string {
	return []string{"program", "jobname", "user", "day+hour", "cpu", "memory"}
}

// maxFeatures limits the features of a predictor, and the attributes that they name.
const maxFeatures = 32

// A feature is a set of attributes. A job has the feature if it has all of them.
type feature struct {
	attrs []int  // positions in a featureSet's attrs
	need  uint32 // the same, as a set
}

// A featureSet turns jobs into keys.
type featureSet struct {
	attrs    []string // that any feature names, each once
	features []feature
	all      int // the position of All, or -1
}

func newFeatureSet(names []string) (*featureSet, error) {
	if len(names) == 0 || len(names) > maxFeatures {
		return nil, fmt.Errorf("predict: there are %d Features, must be 1 to %d", len(names), maxFeatures)
	}
	s := &featureSet{all: -1}
	for i, name := range names {
		if slices.Contains(names[:i], name) {
			return nil, fmt.Errorf("predict: Features has %q twice, want each once", name)
		}
		var f feature
		if name == All {
			s.all = i
			s.features = append(s.features, f)
			continue
		}
		for attr := range strings.SplitSeq(name, "+") {
			if attr == "" || attr == All {
				return nil, fmt.Errorf("predict: Features has %q, must be names of attributes joined by +, or %s", name, All)
			}
			if strings.TrimSpace(attr) != attr {
				return nil, fmt.Errorf("predict: Features has %q, must have no blanks around an attribute", name)
			}
			at := slices.Index(s.attrs, attr)
			if at < 0 {
				at = len(s.attrs)
				s.attrs = append(s.attrs, attr)
			}
			f.attrs = append(f.attrs, at)
			f.need |= 1 << at
		}
		if len(s.attrs) > maxFeatures {
			return nil, fmt.Errorf("predict: Features name more than %d attributes, want at most that many", maxFeatures)
		}
		if same := slices.IndexFunc(s.features, func(o feature) bool { return o.need == f.need }); same >= 0 {
			return nil, fmt.Errorf("predict: Features has %q, which is the same as %q, want one of them", name, names[same])
		}
		s.features = append(s.features, f)
	}
	return s, nil
}

// keys holds a job's key for each feature that applies.
type keys struct {
	of   [maxFeatures]key
	have uint32 // the features that apply, as a set
}

// features yields those that apply.
func (k *keys) features() iter.Seq[int] {
	return func(yield func(int) bool) {
		for have := k.have; have != 0; have &= have - 1 {
			if !yield(bits.TrailingZeros32(have)) {
				return
			}
		}
	}
}

// of returns the values of a job's attributes, and which features apply, as a set.
func (s *featureSet) of(job Job) (values [maxFeatures]string, features uint32) {
	if job == nil {
		job = Attrs{}
	}
	var have uint32
	for i, name := range s.attrs {
		if text, ok := job.Attr(name); ok {
			values[i] = text
			have |= 1 << i
		}
	}
	for i, f := range s.features {
		if f.need&^have == 0 {
			features |= 1 << i
		}
	}
	return values, features
}

// keys computes the keys of a job. That of All is 0.
func (s *featureSet) keys(job Job, secret *secret, k *keys) {
	var values [maxFeatures]string
	values, k.have = s.of(job)
	var place [512]byte
	for i := range k.features() {
		k.of[i] = key{}
		if i != s.all {
			k.of[i] = secret.key(i, s.features[i].attrs, &values, place[:])
		}
	}
}
