package predict

import (
	"slices"
	"time"
)

// A Prepared is a Job whose attributes a predictor has read, so that its further calls take half the time. Make it with
// [Predictor.Prepare], where the same job is predicted and observed. It may be used by several goroutines at once.
type Prepared struct {
	job  Job
	set  *featureSet // whose keys these are; nil: there are none
	keys [prepared]key
	have uint32
}

// prepared is how many features a Prepared has room for.
const prepared = 4

// Prepare makes dst the job, whose attributes must not change from now on. The job stays as it is for a predictor that has more than four features, that
// finds its features, or that has one with a number. It allocates nothing but as "Cost" in the package comment says.
func (p *Predictor) Prepare(dst *Prepared, job Job) {
	if j, ok := job.(*Prepared); ok {
		job = j.job
	}
	*dst = Prepared{job: job}
	p.mu.RLock()
	defer p.mu.RUnlock()
	if p.discovery != nil || len(p.features.features) > prepared || p.features.numbers() {
		return
	}
	var k keys
	p.features.keys(job, &p.secret, &k)
	dst.set, dst.have = p.features, k.have
	copy(dst.keys[:], k.of[:])
}

// Attr returns the value of an attribute.
func (j *Prepared) Attr(name string) (value string, ok bool) {
	if j.job == nil {
		return "", false
	}
	return j.job.Attr(name)
}

// numbers reports whether a feature has a number.
func (s *featureSet) numbers() bool {
	return slices.ContainsFunc(s.features, func(f feature) bool { return f.number >= 0 })
}

// Job returns the job that was prepared.
func (j *Prepared) Job() Job { return j.job }

// Mean returns the mean of the runtimes of the past jobs with the winner's value, which [Prediction.Distribution] has too,
// without its cost. It returns false if nothing is known.
func (p *Predictor) Mean(job Job, now time.Time) (mean float64, ok bool) {
	p.mu.RLock()
	defer p.mu.RUnlock()
	var k keys
	p.features.keys(job, &p.secret, &k)
	w, ok := p.choose(&k, now.UnixNano(), nil)
	return w.Estimates[Mean], ok
}
