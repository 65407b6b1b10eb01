package slearn

import (
	"math"
	"slices"

	"example.com/augur/policy"
)

// naiveShares is what naive goes by if service is shared: what each queue was charged and holds.
// No job goes by attained service.
type naiveShares struct {
	n       *naive
	weights []float64
	served  []float64 // by weight
	waits   []bool
	start   float64 // where a queue begins that joins when none waits
	jobs    map[policy.JobID]*naiveShare
	sum     float64 // of the runtimes of tasks that are finished
	count   float64
}

// naiveShare is what a queue holds for a job.
type naiveShare struct {
	queue, joined int
	cores         int64
	held          float64
}

func newNaiveShares(n *naive) *naiveShares {
	queues := n.config.Queues.Levels
	s := &naiveShares{n: n, served: make([]float64, queues+1), waits: make([]bool, queues+1), jobs: map[policy.JobID]*naiveShare{}}
	for q := range queues {
		s.weights = append(s.weights, math.Pow(n.config.Decay, -float64(q)))
	}
	s.weights = append(s.weights, s.weights[1])
	return s
}

// note takes note of an event, of which the naive has.
func (s *naiveShares) note(ev *policy.Event) {
	j := s.n.jobs[ev.Copy.Job]
	service := ev.Service.Seconds()
	if ev.Kind == policy.Finished {
		s.sum += service
		s.count++
	}
	if sh := s.jobs[ev.Copy.Job]; ev.Kind.End() && (j.when != Later || j.pilots[ev.Copy.Task]) {
		s.served[sh.queue] += service * float64(j.width(ev.Copy)) / s.weights[sh.queue]
	}
	s.place(j)
}

// place brings what is held for a job up to date, and which queues wait.
func (s *naiveShares) place(j *naiveJob) {
	if j != nil {
		sh := s.jobs[j.job.ID]
		if sh == nil || sh.joined != j.joined {
			sh = &naiveShare{queue: j.home, joined: j.joined}
			s.jobs[j.job.ID] = sh
		}
		more := j.cores() - sh.cores
		if more > 0 {
			expected := 1.0
			switch {
			case j.when == Now && !j.plan.Bypass && j.work > 0:
				expected = j.work / width(j.job)
			case s.count > 0:
				expected = s.sum / s.count
			}
			sh.held += float64(more) * max(expected, 1e-3)
		} else if more < 0 {
			sh.held += float64(more) * sh.held / float64(sh.cores)
		}
		sh.cores += more
	}
	wants := make([]bool, len(s.waits))
	for _, j := range s.n.jobs {
		if j.queue >= 0 {
			wants[j.queue] = true
		}
	}
	for q := range wants {
		if s.waits[q] && !wants[q] {
			s.waits[q] = false
			if !slices.Contains(s.waits, true) {
				s.start = s.served[q]
			}
		}
	}
	for q := range wants {
		if wants[q] && !s.waits[q] {
			s.served[q] = max(s.served[q], s.begin())
			s.waits[q] = true
		}
	}
}

// begin returns the least measure of the queues that wait, or the most service if that is less.
func (s *naiveShares) begin() float64 {
	least, most := math.Inf(1), math.Inf(-1)
	for q, m := range s.measures() {
		if s.waits[q] {
			least, most = min(least, m), max(most, s.served[q])
		}
	}
	if math.IsInf(least, 1) {
		return s.start
	}
	return min(least, most)
}

// measures returns by what the queues are compared.
func (s *naiveShares) measures() []float64 {
	measures := slices.Clone(s.served)
	for id, sh := range s.jobs {
		if s.n.jobs[id] != nil {
			measures[sh.queue] += sh.held / s.weights[sh.queue]
		}
	}
	return measures
}
