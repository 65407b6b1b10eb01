// Package predict predicts from history how long a new job will run. Most callers open a [Predictor] that keeps what it
// learns in a file, report each job that has ended with [Predictor.Observe], and ask [Predictor.Estimate] how long a new
// one will take:
//
//	p, err := predict.Open("runtimes", predict.Config{}) // or list Features, such as user, program, user+program
//	job := predict.Attrs{"user": "ann", "program": "build"} // or a *policy.Job
//	...
//	err = p.Observe(job, 63, now)       // when a job has ended, after 63 s
//	seconds, ok := p.Estimate(job, now) // when one is submitted; ok is false if nothing is known
//	err = p.Save()                      // now and then, and at the end
//
// [Predictor.Interval] gives bounds that hold as often as they claim. [Predictor.ObserveCensored] learns from jobs that failed
// or were stopped, and [Predictor.Predict] gives the distribution too. This is 3σPredict, the predictor of 3Sigma.
//
// A job has attributes, such as its user, its program and the hour of its submission. A feature is
// one attribute or a combination, and jobs with the same value of a feature count as similar. For
// every value of every feature a [Predictor] keeps the distribution of past runtimes and
// estimates of the next one. The paper calls a pair of value and estimate an expert, and scores it
// by its past errors. Expert selection (expert.go) takes the expert with the best score: the
// prediction is its estimate and the distribution of its value.
//
// Observe a job only when it has ended. A predictor that learns from jobs that still run knows the
// future, and its score is too good. To score estimates, use NMAE and Within of package estimate.
//
// A predictor has the features that [Config].Features names, such as [ThreeSigmaFeatures], or finds features in the jobs. One
// attribute of a feature may be a number, such as the bytes that a job reads. The predicted quantity is called a runtime here,
// but any quantity that is not negative will do, in any unit: the mean runtime of a job's tasks, or its memory.
//
// # Formulae
//
// For each value of each feature there are four estimates of the next runtime, given the past
// runtimes x_1 to x_n: the mean of all; the median and the mean of the last 20; and
// the exponentially weighted moving average r, which each runtime x updates to
//
//	r' = 0.6·x + 0.4·r
//
// The score of an estimate is its normalised mean absolute error over the jobs with that value,
//
//	NMAE = Σ |estimate - runtime| / Σ runtime
//
// where each estimate was made before the runtime was known. The least NMAE wins.
//
// A feature with a number has a fifth estimate, [PowerLaw]. With the logarithms x of the past numbers and y of their runtimes,
// and the means x̄ and ȳ of these, the runtime of a job with the number n is about exp(ȳ + b·(ln n - x̄)), where
//
//	b = Σ (x - x̄)·(y - ȳ) / (1 + Σ (x - x̄)²)
//
// These are least squares, except for the 1, which keeps b near 0 while there are few jobs. Values below 1e-9 count as
// 1e-9. The other four estimates are for jobs with similar numbers: those in the narrowest bin around n that has had four
// jobs. The widest bins reach from a number to 16 times that. A bin that has had eight jobs is split: into halves, and a bin
// of an eighth of an octave into single numbers.
//
// # Restart
//
// [Open] reads what [Predictor.Save] wrote to its file. To keep the history elsewhere, [Predictor.Snapshot]
// writes it, and [Predictor.Restore] reads it, also in another process. If the host then
// repeats the observations made after the snapshot, all answers are equal, to the last bit, to those of an uninterrupted
// predictor. If the host replays a log to a policy, the policy teaches its predictor again: restore the snapshot from where
// the log begins. After a change of Config.Features, the features that are still there keep their histories.
//
// # Wrong clocks
//
// With a HalfLife or a Window, a predictor trusts the dates that it is given. They should not decrease. Each value of a
// feature has its own clock, the latest date so far. A job dated earlier counts as of that date. A wrong date has these
// effects:
//
//   - Too late: the job's values forget what would be old by then. The right dates that follow are then too early.
//   - Too early, by at least a HalfLife or a Window: the value ignores the first seven such dates in a row. At the
//     eighth it concludes that the earlier dates were wrong, and sets its clock back to the eighth.
//   - In Predict or Estimate: only that answer is wrong.
//
// A host that takes dates from other machines should refuse dates later than its own clock.
//
// # Hostile jobs
//
// Users may choose attributes to do harm. A predictor stores only a hash of the attributes, keyed by a secret that
// [New] draws from crypto/rand. So nobody can compute a program name that shares the history of another program, or
// names that make lookups slow. No prediction depends on the secret.
//
// A hostile user can still:
//
//   - Give a job the attributes of somebody else's jobs, so that both share one history. Let the host set the
//     attributes that must be right, such as the user, and use features such as user+program.
//   - Submit jobs under ever new names, each twice. Each takes one of Config.Values places, and the least recently used values
//     are dropped.
//   - Run long jobs under [All], or under another feature shared with others.
//   - Submit long attributes. The time of a call grows with their length, so the host should limit it.
//   - Submit attributes of ever new names. A predictor that finds features looks at the first 32 only, so the host should
//     set the names.
//   - Read the secret from a snapshot, or change it: the checksum detects accidents, not forgeries. Let only
//     the owner read snapshots.
//
// # When not to use it
//
// If no past job is similar, only [All] predicts, which says little, or nothing does: run some of the job's tasks
// first, and let Beliefs of package forecast combine both. A prediction is no upper bound. Its high quantiles are
// exceeded more often than they claim, since the winner is the feature that fits best: for a limit, take
// [Predictor.Interval].
// Attributes that never recur, such as a job's number, only fill the memory.
//
// # Cost
//
// Estimate takes O(features) time, and Predict and Observe O(features + bins), where the bins are those of histograms. A
// feature with a number takes up to eight times as long as another. All of them hash the attributes besides. Observe takes
// about a third longer if the predictor finds features, since it compares each with All. [Config].Values bounds the memory. In
// the steady state nothing is allocated, except
//
//   - by Observe, to list the attributes if Config.Features is empty;
//   - for the sums of a feature with a number and a Window, or if the attribute is no number;
//   - for a feature whose attributes are longer than 400 bytes together, and by the job's Attr.
//
// # Source
//
//   - 3Sigma: J. W. Park, A. Tumanov, A. Jiang, M. A. Kozuch and G. R. Ganger, "3Sigma:
//     distribution-based cluster scheduling for runtime uncertainty", technical
//     report CMU-PDL-17-107, 2017, section 4.1.
//   - SLearn: A. Jajoo, Y. C. Hu, X. Lin and N. Deng, "A case for task sampling based learning for
//     cluster job scheduling", NSDI 2022 (extended version), section 4.2: windows and features.
package predict

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"sync"
	"time"
)

// Config describes a predictor. The zero Config has the parameters of the paper, and finds features in the jobs.
type Config struct {
	// Features are names of attributes. Join several by + to make one feature of them, as in user+program,
	// which is the same feature as program+user. A job that lacks one of the attributes does not have the
	// feature. There are at most 32 features, of at most 32 attributes. If estimates are equally good, the
	// earlier feature wins.
	//
	// One attribute of a feature may be a number, as in log(bytes) or program+log(bytes). Jobs then count as similar if
	// their numbers are near, the nearer the more jobs there are, and the feature has the estimator [PowerLaw] too. A job
	// whose attribute is no number does not have the feature.
	//
	// If Features is empty, the predictor finds features in the jobs, each of which must be a [Lister], as *policy.Job and
	// [Attrs] are: All, each attribute, and its pairs with user, program and group. It looks at the first 32 attributes. An
	// attribute is a number if its first value is one, but not these three. Of more than 32 features, the others wait
	// until one tells nothing: over 1,000 jobs or more, it had an estimate for less than a twentieth of them, or All
	// estimated as well. They take its place.
	//
	// A predictor ignores attributes that no feature names. If a job has none of the features, or only values that
	// no job had before, nothing is predicted. If there must be a prediction, add [All], the feature that all
	// jobs share: it answers only if no other feature can. Missing returns the features that no job had.
	Features []string

	// Values is the number of values kept, of all features together, 1 to 2^30; 0 means 100,000. If there are more, the one
	// whose last observation is longest ago is dropped: of those with one job, or, if these have less than a quarter of the
	// places, of the others, so that a flood of jobs that never recur does not push out those that do. A value that comes
	// again soon after it was dropped has recurred too, within as many others as there are places. A value takes about 290
	// bytes after one job, up to 250 more until it has had 20 jobs, and then a histogram; and 4 bytes for each of the last
	// 100 errors of its estimates. Each bin of a number is a value. A dropped one takes 40 bytes.
	Values int

	// HalfLife is the time in which an observation loses half its weight in the mean, the power law, the scores and
	// the distribution, at least 1µs; 0 means that nothing fades. Weights fade in 64 steps per half-life.
	// The recent runtimes and EWMA forget in their own way.
	HalfLife time.Duration

	// Window is how far back the mean, the power law, the scores, the distribution and the recent runtimes
	// reach, at least 1µs; 0 means no limit. An eighth of the window is forgotten at a time, so they reach
	// back between 7/8 of it and all of it. EWMA starts anew only when all is forgotten. SLearn uses 3, 7 or
	// 14 days. Window and HalfLife exclude each other.
	Window time.Duration
}

const (
	defaultValues = 100_000
	maxValues     = 1 << 30
)

// The parameters of the paper, and of a case that it does not mention.
const (
	recent   = 20  // number of last runtimes for Median and RecentMean
	alpha    = 0.6 // weight of the newest runtime in EWMA
	unscored = 0.5 // NMAE assumed for a value that a single job had, which has no score yet
)

func (c Config) withDefaults() (Config, error) {
	c.Features = slices.Clone(c.Features)
	c.Values = cmp.Or(c.Values, defaultValues)
	switch {
	case c.Values < 0 || c.Values > maxValues:
		return c, fmt.Errorf("predict: Values is %d, must be 1 to %d, or 0 for %d", c.Values, maxValues, defaultValues)
	case c.HalfLife != 0 && c.HalfLife < time.Microsecond:
		return c, fmt.Errorf("predict: HalfLife is %v, must be at least 1µs, or 0 for none", c.HalfLife)
	case c.Window != 0 && c.Window < time.Microsecond:
		return c, fmt.Errorf("predict: Window is %v, must be at least 1µs, or 0 for none", c.Window)
	case c.Window != 0 && c.HalfLife != 0:
		return c, fmt.Errorf("predict: Window is %v and HalfLife %v, one must be 0", c.Window, c.HalfLife)
	}
	return c, nil
}

// maxRuntime is the largest runtime that can be observed, so that no sum becomes infinite.
const maxRuntime = 1e100

// A Predictor predicts runtimes from those of past jobs. Make it with [Open] or [New]: the methods of the zero
// Predictor panic. Any number of goroutines may call its methods at once. Predictions run in parallel,
// and wait some microseconds for an observation. So a prediction sees a job with all its features or
// not at all. A Job's methods are called while the Predictor is locked, so they must not call the Predictor.
type Predictor struct {
	config Config
	file   savedFile

	mu        sync.RWMutex // guards what follows
	features  *featureSet
	discovery *discovery // nil: the features are those of Config
	secret    secret     // changes with the store
	store     *store
	kinds     map[string]*keys // of jobs that are Prepared, by their attributes
	observed  uint64
	levels    ratios
	ratios    ratios // of jobs whose winner has not enough of its own
	note      string
	changes   uint64 // of what a snapshot has
	had       uint32 // features that some observed job had, as a set
	hears     bool   // a job was observed since p was made or restored
}

// New returns a predictor without observations. The error names the field that is not allowed.
func New(c Config) (*Predictor, error) {
	c, err := c.withDefaults()
	if err != nil {
		return nil, err
	}
	p := &Predictor{config: c, secret: newSecret(), store: newStore(c.Values), kinds: make(map[string]*keys)}
	if len(c.Features) == 0 {
		p.discovery, c.Features = new(discovery), []string{All}
	}
	if p.features, err = newFeatureSet(c.Features); err != nil {
		return nil, err
	}
	return p, nil
}

// Config returns the configuration of p, with defaults filled in and the features found so far.
func (p *Predictor) Config() Config {
	c := p.config
	c.Features = p.Features()
	return c
}

// Observe learns from a job that has ended. For each of its features it scores the current estimates
// and then adds the runtime. Now is the time; it matters only with a HalfLife or a Window, and only
// differences count: see "Wrong clocks" in the package comment. If the runtime is not between 0 and
// 1e100, Observe returns an error and learns nothing.
//
// The paper scores the estimates made when the job was submitted. The current estimates also know
// the jobs that have ended since, but the host need not keep estimates while a job runs.
//
// It allocates only for new values, until a value's histogram is full, and as "Cost" in the package comment says.
func (p *Predictor) Observe(job Job, runtime float64, now time.Time) error {
	return p.learn(job, outcome{what: "runtime", runtime: runtime}, now)
}

// ObserveCensored learns from a job that failed, or was stopped, after it had run for ran: its runtime would have been
// more than that, and is called censored. The units and the errors are those of [Predictor.Observe]. A job that ran for
// 0 says nothing, and nothing is learned.
//
// Each feature's value takes the runtime to be the mean of those of its past runtimes that are longer than ran. If none
// is longer, it takes it to be 2·ran, the mean of a Pareto tail of index 2 from ran on. So a kind of job that has only
// ever failed has a prediction too. What it has taken for a runtime counts as one later, but never for more than 2·ran
// or the longest job that has ended by itself (rounded up by at most 1/16): one job that hangs does not make all later
// failures long. An EWMA that is above ran does not change: the run does not contradict it. No
// estimate is scored, since its error is unknown: NMAE is about the jobs that have ended.
//
// Distribution has the mean in place of the runtime, so it is too narrow where many runs are censored.
//
// # Source
//
// J. Buckley and I. James, "Linear regression with censored data", Biometrika 66(3), 1979: a censored value counts as
// its conditional mean. We differ: each run is imputed once, when it is observed, and not again.
func (p *Predictor) ObserveCensored(job Job, ran float64, now time.Time) error {
	if ran == 0 {
		return nil
	}
	return p.learn(job, outcome{what: "ran", runtime: ran, censored: true}, now)
}

// An outcome is what became of a job.
type outcome struct {
	what     string
	runtime  float64
	estimate float64 // NaN: there was none
	earlier  bool    // the estimate was made earlier, and not by Observe
	censored bool
}

func (p *Predictor) learn(job Job, o outcome, now time.Time) error {
	runtime, censored := o.runtime+0, o.censored // -0 is 0
	if !(runtime >= 0 && runtime <= maxRuntime) {
		return fmt.Errorf("predict: %s is %v, must be between 0 and 1e100", o.what, runtime)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.discovery != nil {
		if j, ok := job.(*Prepared); ok {
			job = j.job // which may be a Lister
		}
		if err := p.discover(job); err != nil {
			return err
		}
	}
	k := p.prepared(job)
	if k == nil {
		k = new(p.features.keys(job, &p.secret, new(places)))
	}
	if p.discovery != nil && !censored {
		p.judge(k, runtime, now.UnixNano())
	}
	if !censored {
		p.score(k, &o, now.UnixNano())
	}
	p.observed++
	p.changes++
	p.had, p.hears = p.had|k.have, true
	for have := k.have; have != 0; {
		i := next(&have)
		v := p.store.use(k.of[i], p.value(k, i), i)
		if k.values != nil {
			k.values[i] = v
		}
		split := v.observe(runtime, k.numberOf(i), censored, now.UnixNano(), &p.config)
		for bin := range k.bins(i) {
			if !split && p.store.values[bin] == nil {
				break
			}
			split = p.store.use(bin, p.store.values[bin], i).observe(runtime, math.NaN(), censored, now.UnixNano(), &p.config)
		}
	}
	return nil
}

// HasFeature reports whether a job has any of the features. Observe learns nothing from a job that has none, but counts it.
func (p *Predictor) HasFeature(job Job) bool {
	p.mu.RLock()
	defer p.mu.RUnlock()
	_, _, have := p.features.of(job)
	return have != 0
}

// Forget drops the history of the jobs that are like this one by a feature, given by its name, such as that of a program
// that has been rewritten; of a feature with a number, that of all numbers, and any number of the job will do. Other features of these
// jobs keep theirs: to forget a program, call Forget for each of Features that names it. Those without it, such as All, still
// hold its jobs. Forget reports whether there was a history, and takes O(Values) time.
func (p *Predictor) Forget(job Job, feature string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	f, err := new(featureSet).parse(feature)
	at := p.features.index(f.id)
	if err != nil || at < 0 {
		return false
	}
	k := p.prepared(job)
	if k == nil {
		k = new(p.features.keys(job, &p.secret, new(places)))
	}
	if k.have&(1<<at) == 0 {
		return false
	}
	p.changes++
	return p.store.drop(func(v *value) bool { return v.key.b^k.of[at].b <= levels }) // bins have the other bits too
}

// Observed returns the number of jobs that were observed, in other processes too, if p was opened or restored. Those of
// [Predictor.ObserveCensored] count, and those without any of the features. A program that learns from a log goes on there after a
// restart, if it observes each row once and in order. A host that keeps snapshots itself need write one only when the number has changed.
//
// A feature that p has not had before, see [Predictor.Missing], knows nothing of the jobs counted here. To teach it, begin a new
// file.
func (p *Predictor) Observed() uint64 {
	p.mu.RLock()
	defer p.mu.RUnlock()
	return p.observed
}

// Features returns the features: those of Config, or those found so far.
func (p *Predictor) Features() (names []string) {
	p.mu.RLock()
	defer p.mu.RUnlock()
	for _, f := range p.features.features {
		names = append(names, f.name)
	}
	return names
}

// Missing returns the features, in the order of [Predictor.Features], that none of the jobs observed
// since p was made or restored had. Such a feature predicts nothing; perhaps its attributes have
// other names in the jobs. Right after p was restored Missing returns the features of which the snapshot knew no job, such
// as one that is new in Config, or misspelt. A p that has never observed a job misses none.
func (p *Predictor) Missing() (features []string) {
	p.mu.RLock()
	defer p.mu.RUnlock()
	had := p.had
	if !p.hears {
		if p.observed == 0 {
			return nil
		}
		for _, v := range p.store.values {
			had |= 1 << (v.feature &^ often)
		}
	}
	for i, f := range p.features.features {
		if had&(1<<i) == 0 {
			features = append(features, f.name)
		}
	}
	return features
}

// Values returns the number of values of features that p holds now.
func (p *Predictor) Values() int {
	p.mu.RLock()
	defer p.mu.RUnlock()
	return len(p.store.values)
}
