package central

import "example.com/augur/policy"

// works keeps the work of jobs by the Forecast. An event costs what has changed, and not a look at all stages.
type works struct {
	view     *View
	forecast Forecast                             // nil: nothing is known
	work     func(j *Job) (work float64, ok bool) // of the Forecast; nil: by the stages
	fixed    bool
	alike    func(j *Job, stage uint32) bool // of the Forecast; nil: no stages are alike
	jobs     policy.Table[policy.JobID, load]
}

// A load is the record of a job of several stages that somebody has asked about. What has two values has one for all
// units and one for those that are unfinished.
type load struct {
	// If the forecast is fixed, the core-seconds of the stages before next.
	work [2]float64
	next [2]uint32

	// If stages may be alike.
	cores [2]float64 // of the stages that are alike
	is    []bool     // by stage: it is apart, and not alike
	apart []uint32   // those that are, less those that are finished
	first uint32     // all before it are apart
	done  float64    // the work of those that are apart and finished
}

func newWorks(view *View, f Forecast) *works {
	w := &works{view: view, forecast: f}
	if f, ok := f.(WorkForecast); ok {
		w.work = f.Work
	}
	if f, ok := f.(Constant); ok {
		w.fixed = f.Fixed()
	}
	if f, ok := f.(UniformStages); ok && !w.fixed {
		w.alike = f.Alike
	}
	return w
}

// Note hears of each event after the Forecast.
func (w *works) Note(ev *policy.Event, j *Job) error {
	if j == nil {
		return nil
	}
	l, stage := w.jobs.Get(j.Job.ID), ev.Copy.Stage
	switch {
	case l == nil:
		return nil
	case ev.Kind == policy.Ended:
		w.jobs.Delete(j.Job.ID)
		return nil
	case ev.Kind == policy.Finished && w.fixed:
		if stage < l.next[1] {
			if d, ok := w.forecast.Runtime(j, stage); ok {
				l.work[1] -= d.Mean() * float64(j.Job.Stages[stage].Width())
			}
		}
	case ev.Kind == policy.Finished && !l.is[stage]:
		l.cores[1] -= float64(j.Job.Stages[stage].Width())
	}
	if w.alike != nil && !l.is[stage] && !w.alike(j, stage) {
		l.part(j, stage)
	}
	return nil
}

// part takes note that a stage is no longer like the others.
func (l *load) part(j *Job, stage uint32) {
	l.is[stage] = true
	l.apart = append(l.apart, stage)
	for of := range l.cores {
		l.cores[of] -= units(j, stage, of) * float64(j.Job.Stages[stage].Width())
	}
}

// all is [Books.Work], and left is [Books.Left].
func (w *works) all(j *Job) (work float64, ok bool) {
	if w.work != nil {
		return w.work(j)
	}
	return w.sum(j, 0)
}

func (w *works) left(j *Job) (work float64, ok bool) { return w.sum(j, 1) }

// units returns how many units a stage has, or if of is 1 how many are not finished.
func units(j *Job, stage uint32, of int) float64 {
	n := j.Job.Stages[stage].Units()
	if of == 1 {
		n -= j.Stages[stage].Finished
	}
	return float64(n)
}

// stage returns the work of a stage.
func (w *works) stage(j *Job, stage uint32, of int) (work float64, ok bool) {
	n := units(j, stage, of)
	if n == 0 {
		return 0, true
	}
	d, ok := w.forecast.Runtime(j, stage)
	if !ok {
		return 0, false
	}
	return d.Mean() * float64(j.Job.Stages[stage].Width()) * n, true
}

// sum returns the work of all units of a job, or if of is 1 of those that are not finished.
func (w *works) sum(j *Job, of int) (work float64, ok bool) {
	if w.forecast == nil {
		return 0, false
	}
	l := w.jobs.Get(j.Job.ID)
	if l == nil && len(j.Stages) > 1 && (w.fixed || w.alike != nil) && w.view.Job(j.Job.ID) == j {
		l = new(load)
		w.jobs.Put(j.Job.ID, l)
		if w.alike != nil {
			w.split(j, l)
		}
	}
	switch {
	case l == nil:
		return w.counted(j, &load{}, of)
	case w.fixed:
		return w.counted(j, l, of)
	}
	return w.shared(j, l, of)
}

// counted is sum for a job whose stages before l.next have been counted.
func (w *works) counted(j *Job, l *load, of int) (work float64, ok bool) {
	for ; int(l.next[of]) < len(j.Stages); l.next[of]++ {
		more, ok := w.stage(j, l.next[of], of)
		if !ok {
			return 0, false
		}
		l.work[of] += more
	}
	return l.work[of], true
}

// split finds the stages of a job that are alike.
func (w *works) split(j *Job, l *load) {
	l.is = make([]bool, len(j.Stages))
	for i := range uint32(len(j.Stages)) {
		for of := range l.cores {
			l.cores[of] += units(j, i, of) * float64(j.Job.Stages[i].Width())
		}
		if !w.alike(j, i) {
			l.part(j, i)
		}
	}
}

// shared is sum for a Forecast to which stages are alike.
func (w *works) shared(j *Job, l *load, of int) (work float64, ok bool) {
	for i := 0; i < len(l.apart); {
		stage := l.apart[i]
		if units(j, stage, 1) == 0 {
			if more, ok := w.stage(j, stage, 0); ok {
				l.done += more
			}
			l.apart[i] = l.apart[len(l.apart)-1]
			l.apart = l.apart[:len(l.apart)-1]
			continue
		}
		more, ok := w.stage(j, stage, of)
		if !ok {
			return 0, false
		}
		work += more
		i++
	}
	if of == 0 {
		work += l.done
	}
	if l.cores[of] > 0 {
		for l.is[l.first] {
			l.first++
		}
		d, ok := w.forecast.Runtime(j, l.first)
		if !ok {
			return 0, false
		}
		work += d.Mean() * l.cores[of]
	}
	return work, true
}
