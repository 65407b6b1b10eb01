package predict

import (
	"encoding/binary"
	"slices"
	"time"
)

// A Prepared is a Job whose attributes a predictor has read, so that its further calls take a fraction of the time. Make it with
// [Predictor.Prepare], where the same job is predicted and observed. It may be used by several goroutines at once.
type Prepared struct {
	job  Job
	keys *keys // jobs with the same attributes share them; nil: there are none
}

// kept is how many keys of different jobs are kept for jobs like them.
const kept = 10_000

// Prepare makes dst the job, whose attributes must not change from now on. The job stays as it is for a predictor that
// finds its features, or that has one with a number. The predictor keeps in memory what it has read of 10,000 different jobs,
// each with attributes of up to 200 bytes, and allocates for others.
func (p *Predictor) Prepare(dst *Prepared, job Job) {
	if j, ok := job.(*Prepared); ok {
		job = j.job
	}
	*dst = Prepared{job: job}
	if job == nil {
		job = Attrs{}
	}
	p.mu.RLock()
	set := p.features
	if p.discovery != nil || set.numbers {
		p.mu.RUnlock()
		return
	}
	var place [256]byte
	text := place[:0]
	for _, part := range set.parts {
		value, ok := job.Attr(part)
		if !ok {
			text = append(text, 0)
			continue
		}
		text = binary.AppendUvarint(text, uint64(len(value))+1)
		text = append(text, value...)
	}
	k := p.kinds[string(text)]
	p.mu.RUnlock()
	if k == nil {
		k = p.kind(job, text)
	}
	dst.keys = k
}

// kind computes the keys of a job, and keeps them by the text of its attributes.
func (p *Predictor) kind(job Job, text []byte) *keys {
	p.mu.Lock()
	defer p.mu.Unlock()
	if k := p.kinds[string(text)]; k != nil { // made meanwhile
		return k
	}
	n := len(p.features.features)
	all := p.features.keys(job, &p.secret, new(places))
	k := &keys{set: p.features, of: slices.Clone(all.of[:n]), values: make([]*value, n), have: all.have}
	if len(text) <= 200 {
		if len(p.kinds) >= min(kept, p.config.Values) { // each may hold values that are no longer kept
			clear(p.kinds)
		}
		p.kinds[string(text)] = k
	}
	return k
}

// Like returns what jobs have in common whose attributes the predictor does not tell apart, so that all it says of one it says
// of the others: a key that can be compared. It is nil for a job that stays as it is.
func (j *Prepared) Like() any {
	if j.keys == nil {
		return nil
	}
	return j.keys
}

// Attr returns the value of an attribute.
func (j *Prepared) Attr(name string) (value string, ok bool) {
	if j.job == nil {
		return "", false
	}
	return j.job.Attr(name)
}

// Mean returns the mean of the runtimes of the past jobs with the winner's value, which [Prediction.Distribution] has too,
// without its cost. It returns false if nothing is known.
func (p *Predictor) Mean(job Job, now time.Time) (mean float64, ok bool) {
	p.mu.RLock()
	defer p.mu.RUnlock()
	k := p.prepared(job)
	if k == nil {
		k = new(p.features.keys(job, &p.secret, new(places)))
	}
	w, ok := p.choose(k, now.UnixNano(), nil)
	return w.mean, ok
}

// prepared returns the keys of a job that is Prepared, nil if it has none for this predictor.
func (p *Predictor) prepared(job Job) *keys {
	if j, ok := job.(*Prepared); ok && j.keys != nil && j.keys.set == p.features {
		return j.keys
	}
	return nil
}
