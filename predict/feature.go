package predict

import (
	"fmt"
	"iter"
	"maps"
	"math"
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

// A Lister is a Job that lists its attributes, each once, in any order, as *policy.Job and [Attrs] do. A Predictor without
// Config.Features needs it.
type Lister interface {
	Job
	AttrNames() iter.Seq[string]
}

// AttrNames yields the names of the attributes.
func (a Attrs) AttrNames() iter.Seq[string] { return maps.Keys(a) }

// All is the feature that all jobs share.
const All = "*"

// ThreeSigmaFeatures returns the six features of 3Sigma, as SLearn, section 4.2, lists them: application name (program),
// job name (jobname), user, time of submission (day+hour), requested CPU (cpu) and requested memory (memory). The readers
// of policy/workload/trace use the same names; there the hour is 0 to 23, and the day such as Monday. The caller owns
// the slice.
func ThreeSigmaFeatures() []string {
	return []string{"program", "jobname", "user", "day+hour", "cpu", "memory"}
}

// maxFeatures limits the features of a predictor, and the parts that they name.
const maxFeatures = 32

// A feature is a set of parts: attributes, or a number such as log(bytes). A job has the feature if it has all of them.
type feature struct {
	name   string
	id     string // the same for all orders of the parts
	attrs  []int  // positions in a featureSet's parts, without that of the number
	need   uint32 // all of them, as a set
	number int    // the position of the number, or -1
}

// A featureSet turns jobs into keys.
type featureSet struct {
	parts    []string // that any feature names, each once
	features []feature
	all      int  // the position of All, or -1
	numbers  bool // a feature has a number
}

func newFeatureSet(names []string) (*featureSet, error) {
	if len(names) > maxFeatures {
		return nil, fmt.Errorf("predict: there are %d Features, must be 1 to %d", len(names), maxFeatures)
	}
	s := &featureSet{all: -1}
	for _, name := range names {
		f, err := s.parse(name)
		if err != nil {
			return nil, err
		}
		if strings.ContainsAny(strings.ReplaceAll(name, "log(", ""), "(,") {
			return nil, fmt.Errorf("predict: Features has %q, want attributes joined by +, of which one may be a number, as log(bytes)", name)
		}
		switch same := s.index(f.id); {
		case same >= 0 && s.features[same].name == name:
			return nil, fmt.Errorf("predict: Features has %q twice, want each once", name)
		case same >= 0:
			return nil, fmt.Errorf("predict: Features has %q, which is the same as %q, want one of them", name, s.features[same].name)
		}
		s.set(len(s.features), f)
	}
	return s, nil
}

// index returns the position of a feature, or -1.
func (s *featureSet) index(id string) int {
	return slices.IndexFunc(s.features, func(f feature) bool { return f.id == id })
}

// set makes f the feature at a position, at most the next one.
func (s *featureSet) set(at int, f feature) {
	if at == len(s.features) {
		s.features = append(s.features, f)
	}
	s.features[at] = f
	s.numbers = s.numbers || f.number >= 0
	if f.name == All {
		s.all = at
	}
}

// parse reads the name of a feature.
func (s *featureSet) parse(name string) (feature, error) {
	f := feature{name: name, id: name, number: -1}
	if name == All {
		return f, nil
	}
	parts := strings.Split(name, "+")
	slices.Sort(parts)
	parts = slices.Compact(parts)
	f.id = strings.Join(parts, "+")
	for _, part := range parts {
		attr, isNumber := numberOf(part)
		switch {
		case attr == "" || attr == All:
			return f, fmt.Errorf("predict: Features has %q, must be names of attributes joined by +, or %s", name, All)
		case strings.TrimSpace(attr) != attr:
			return f, fmt.Errorf("predict: Features has %q, must have no blanks around an attribute", name)
		case strings.HasPrefix(part, "log(") && !isNumber:
			return f, fmt.Errorf("predict: Features has %q with a log( that does not end, want log(NAME)", name)
		case isNumber && f.number >= 0:
			return f, fmt.Errorf("predict: Features has %q, must have at most one log", name)
		}
		at := slices.Index(s.parts, part)
		if at < 0 {
			if len(s.parts) == maxFeatures {
				return f, fmt.Errorf("predict: Features name more than %d attributes, want at most that many", maxFeatures)
			}
			at = len(s.parts)
			s.parts = append(s.parts, part)
		}
		f.need |= 1 << at
		if isNumber {
			f.number = at
		} else {
			f.attrs = append(f.attrs, at)
		}
	}
	return f, nil
}

// numberOf returns the attribute of a part of a feature's name, and whether it is a number, as in log(bytes).
func numberOf(part string) (attr string, isNumber bool) {
	if inner, ok := strings.CutPrefix(part, "log("); ok && strings.HasSuffix(inner, ")") {
		return inner[:len(inner)-1], true
	}
	return part, false
}

// keys holds a job's key for each feature that applies.
type keys struct {
	set    *featureSet // that they are of; nil: nobody keeps them
	of     []key
	number []float64 // NaN: the feature has none; nil: no feature has one
	values []*value  // those of the keys that were observed; nil: nobody keeps them
	have   uint32    // the features that apply, as a set
}

// next takes the position of a feature out of a set.
func next(have *uint32) int {
	i := bits.TrailingZeros32(*have)
	*have &= *have - 1
	return i
}

// places is the room for the keys of a job.
type places struct {
	of     [maxFeatures]key
	number [maxFeatures]float64
}

// of returns a job's values of the parts, its numbers among them, and which features apply, as a set. Of a job that is Prepared
// it returns only the features.
func (s *featureSet) of(job Job) (values [maxFeatures]string, numbers [maxFeatures]float64, features uint32) {
	if j, ok := job.(*Prepared); ok {
		if j.keys != nil && j.keys.set == s {
			return values, numbers, j.keys.have
		}
		job = j.job
	}
	if job == nil {
		job = Attrs{}
	}
	var have uint32
	for i, part := range s.parts {
		attr, isNumber := numberOf(part)
		text, ok := job.Attr(attr)
		if ok && isNumber {
			numbers[i] = number(text)
			ok = !math.IsNaN(numbers[i])
		}
		if ok {
			values[i] = text
			have |= 1 << i
		}
	}
	for i, f := range s.features {
		if f.need&^have == 0 {
			features |= 1 << i
		}
	}
	return values, numbers, features
}

// keys computes the keys of a job that is not Prepared. That of All is 0.
func (s *featureSet) keys(job Job, secret *secret, to *places) keys {
	values, numbers, have := s.of(job)
	var place [512]byte
	for i := range s.features {
		f := &s.features[i]
		to.number[i] = math.NaN()
		if have&(1<<i) == 0 {
			continue
		}
		if i != s.all {
			to.of[i] = secret.key(f, &values, place[:])
		}
		if f.number >= 0 {
			to.number[i] = numbers[f.number]
		}
	}
	return keys{of: to.of[:], number: to.number[:], have: have}
}
