// Package predict tells from history how long a new job will run: 3σPredict, the predictor
// of 3Sigma.
//
// A job has attributes: its user, its program, the hour of its submission. A feature is an
// attribute or several, and jobs with the same value of a feature are thought to be alike.
// For every value of every feature a [Predictor] keeps the distribution of the runtimes seen
// so far, and four running estimates of the next one. A value with an estimate is what the paper calls an
// expert, each scored by the errors that it has made. Expert selection (expert.go) takes the one with the best score: the
// prediction is its estimate, with the distribution that it comes from.
//
// Make a predictor with [New], tell it each job that has ended with [Predictor.Observe], and
// ask with [Predictor.Predict], or with [Predictor.Estimate] for the number alone:
//
//	p, err := predict.New(predict.Config{Features: []string{"user", "program", "user+program"}})
//	job := predict.Attrs{"user": "ann", "program": "build"} // or a *policy.Job
//	...
//	err = p.Observe(job, 63, now)       // when a job has ended, after 63 s
//	seconds, ok := p.Estimate(job, now) // when one is submitted
//
// Observe a job when it has ended and not before: a predictor that learns from jobs that still
// run knows the future, and scores too well. NMAE and Within of package estimate score what
// Estimate said against what came true.
//
// [Config].Features says which attributes are looked at, and no others are; [Predictor.Missing]
// says which features no job had. [Calendar] adds the hour and the day.
// What is predicted is called a runtime here, but any quantity that is not negative can be, in
// any unit: the mean runtime of a job's tasks, or its memory. [Hybrid] and [Chooser] bring
// history together with what the first tasks of a job show.
//
// # Formulae
//
// For each value of each feature there are four estimates of the next runtime, of those x_1 to
// x_n seen so far: the mean of all; the median and the mean of the last [Config].Recent; and
// the rolling average r, which becomes
//
//	r' = Alpha·x + (1-Alpha)·r
//
// with each runtime x. Each of the four is scored by its normalised mean absolute error,
//
//	NMAE = Σ |estimate - runtime| / Σ runtime
//
// over the jobs that had that value, where the estimates are those made before the runtime was
// known. The least NMAE wins.
//
// # Restart
//
// [Predictor.Snapshot] writes all that a predictor has learned, and [Predictor.Restore] reads it, in another
// process too. If the observations after the snapshot are made again, all answers are, to the last bit, those of a
// predictor that was never interrupted. A [Hybrid] and a [Chooser] have nothing but their two predictors: save
// these one by one. A host that replays a log to a policy, which teaches a predictor again, must restore a
// snapshot from where the log begins.
//
// # Wrong clocks
//
// With a HalfLife or a Window a predictor believes the dates that it is given, and they should not decrease. Each value
// of a feature has a clock of its own, which shows the latest date so far. A job that is dated before that counts as of that
// date. A wrong date does this:
//
//   - Too late: the job's values forget what would be old by then. The right dates that follow are then too early.
//   - Too early by a HalfLife or a Window, or by more: the value ignores the first seven such dates in a row. At the
//     eighth it decides that the dates before these were wrong, and sets its clock back to the eighth.
//   - In Predict or Estimate: only that answer is wrong.
//
// A host that takes dates from other machines should accept none that is later than its own clock.
//
// # Hostile jobs
//
// Those who submit jobs may choose attributes to do harm. A predictor keeps a hash of the attributes only, keyed
// by a secret that [New] draws from crypto/rand. So nobody can compute a program name that
// shares the history of another program, or names that make lookups slow. No prediction depends on the secret.
//
// What they can still do:
//
//   - Give a job the attributes of somebody else's jobs, so that both share one history. Let the host, not the job, say
//     what must be right, such as the user, and use features such as user+program.
//   - Submit jobs of ever new names. Each takes a place among Config.Values, and the values used the longest ago are dropped.
//   - Run long under [All], or under another feature that they share with others.
//   - Submit long attributes: the time of a call grows with their length. The host should limit it.
//   - Read the secret from a snapshot, or change it: the checksum finds accidents, not forgeries. Let only
//     the owner read snapshots.
//
// # When not to use it
//
// A job that is like none before it is predicted by [All], which says little, or not at all; run some of its
// tasks first, and let [Hybrid] bring both together. Where tasks of one job are more alike
// than jobs of one user, pilots alone may do better; [Chooser] finds out. A prediction is no upper bound, and its
// high quantiles are exceeded more often than they claim, since the winner is the feature that fits best: for a
// limit let Conformal of package estimate widen it. Attributes that never come again, such as a job's number, only
// fill the memory.
//
// # Cost
//
// To predict takes O(features) time for a number and O(features + bins) with the distribution;
// to observe, O(features · (Recent + bins)) in the worst case. Both hash the attributes besides. In the steady
// state neither allocates, unless the attributes of one feature are longer than 400 bytes together. [Config].Values
// bounds the memory.
//
// # Source
//
//   - 3Sigma: J. W. Park, A. Tumanov, A. Jiang, M. A. Kozuch and G. R. Ganger, "3Sigma:
//     distribution-based cluster scheduling for runtime uncertainty", EuroSys 2018
//     (CMU-PDL-17-107), section 4.1.
//   - SLearn: A. Jajoo, Y. C. Hu, X. Lin and N. Deng, "A case for task sampling based learning for
//     cluster job scheduling", NSDI 2022 (extended version), section 4.2: the windows.
package predict

import (
	"cmp"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"example.com/augur/histogram"
)

// Config describes a predictor. The zero Config has the parameters and the features of the paper.
type Config struct {
	// Features are names of attributes, joined by + where several make one feature, as in
	// user+program, which is program+user too, and so cannot be there as both; a job without one of
	// the attributes does not have the feature. There are 1 to 32, of at most 32 attributes. Of equally good
	// estimates that of the earlier feature wins. None means [ThreeSigmaFeatures].
	//
	// An attribute that no feature names is not looked at: list those of your own, and where some tell more
	// together say so, such as user, program, user+program. Of a job that has none of the features, or only
	// values that no job had before, nothing is predicted. If something must be, add [All], the feature that all jobs
	// share: it answers only when no other can. Missing says which features no job had.
	Features []string

	Histogram histogram.Config // of the distributions; 0 means 80 bins
	Recent    int              // last runtimes that Median and RecentMean look at, 1 to 255; 0 means 20
	Alpha     float64          // weight of the newest runtime in Rolling, in (0, 1]; 0 means 0.6

	// Unscored is the NMAE assumed for a feature's value that was seen in one job only and so has
	// no score yet, > 0; 0 means 0.5. With +Inf all values that have a score go first. The paper
	// says nothing of it. If estimates usually err by more than this, set +Inf; otherwise values
	// seen once win, with a distribution of a single point.
	Unscored float64

	// Values is the number of values kept of all features together, 1 to 2^30; 0 means
	// 100,000. When there are more, the one whose last observation is the longest ago is
	// dropped. A value that has seen one job takes about 160 bytes, from the second on 180
	// more, and after Recent jobs a histogram besides.
	Values int

	// HalfLife is the time in which what has been seen loses half its weight in the mean,
	// the scores and the distribution, at least 1µs; 0 means that nothing fades. It fades
	// in 64 steps to a half-life. Recent runtimes and Rolling forget in their own way.
	HalfLife time.Duration

	// Window is how far back the mean, the scores, the distribution and the recent runtimes
	// go, at least 1µs; 0 means that nothing is forgotten. An eighth of it is forgotten at
	// a time, so they go back between 7/8 of it and all of it. Rolling begins anew only
	// when all is forgotten. SLearn uses 3, 7 or 14 days. There is no HalfLife with it.
	Window time.Duration
}

const (
	defaultRecent   = 20
	defaultAlpha    = 0.6
	defaultUnscored = 0.5
	defaultValues   = 100_000
	maxValues       = 1 << 30
)

func (c Config) withDefaults() (Config, error) {
	c.Features = slices.Clone(c.Features)
	if len(c.Features) == 0 {
		c.Features = ThreeSigmaFeatures()
	}
	h, err := histogram.New(c.Histogram)
	if err != nil {
		return c, fmt.Errorf("predict: Histogram: %w", err)
	}
	c.Histogram = h.Config()
	c.Recent, c.Values = cmp.Or(c.Recent, defaultRecent), cmp.Or(c.Values, defaultValues)
	c.Alpha, c.Unscored = cmp.Or(c.Alpha, defaultAlpha), cmp.Or(c.Unscored, defaultUnscored)
	switch {
	case c.Recent < 0 || c.Recent > maxRecent:
		return c, fmt.Errorf("predict: Recent is %d, must be 1 to %d, or 0 for %d", c.Recent, maxRecent, defaultRecent)
	case !(c.Alpha > 0 && c.Alpha <= 1):
		return c, fmt.Errorf("predict: Alpha is %v, must be in (0, 1], or 0 for %v", c.Alpha, defaultAlpha)
	case !(c.Unscored > 0):
		return c, fmt.Errorf("predict: Unscored is %v, must be above 0, or 0 for %v", c.Unscored, defaultUnscored)
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

// newHistogram makes an empty distribution. The configuration has been checked.
func (c *Config) newHistogram() *histogram.Histogram {
	h, err := histogram.New(c.Histogram)
	if err != nil {
		panic("predict: " + err.Error())
	}
	return h
}

// maxRuntime is the largest runtime that can be observed, so that no sum becomes infinite.
const maxRuntime = 1e100

func isRuntime(x float64) bool { return x >= 0 && x <= maxRuntime }

// checkRuntime refuses what cannot be observed.
func checkRuntime(what string, x float64) error {
	if isRuntime(x) {
		return nil
	}
	return fmt.Errorf("predict: %s is %v, must be between 0 and 1e100", what, x)
}

// A Predictor predicts runtimes from those of past jobs. Make it with [New]: methods of the zero Predictor
// panic. All methods may be called by any number of goroutines at once. Predictions run side by side, and an observation
// keeps them waiting for the microsecond or two that it takes: to them a job has been observed
// with all its features or not at all.
type Predictor struct {
	config   Config
	features *featureSet
	secret   atomic.Pointer[secret] // changes while mu is held, and with the store

	mu       sync.RWMutex // guards what follows
	store    *store
	observed uint64
	had      uint32 // the features that some job observed had, as a set
}

// New returns a predictor that has seen no job. The error names the field that is not
// allowed.
func New(c Config) (*Predictor, error) {
	c, err := c.withDefaults()
	if err != nil {
		return nil, err
	}
	features, err := newFeatureSet(c.Features)
	if err != nil {
		return nil, err
	}
	p := &Predictor{config: c, features: features, store: newStore(&c)}
	p.secret.Store(newSecret())
	return p, nil
}

// lock computes a job's keys, and then locks p for writing or for reading. If Restore has changed the secret in between
// it begins again.
func (p *Predictor) lock(mu sync.Locker, job Job, k *keys) {
	for {
		secret := p.secret.Load()
		p.features.keys(job, secret, k)
		mu.Lock()
		if p.secret.Load() == secret {
			return
		}
		mu.Unlock()
	}
}

// Config returns what p was made with, defaults filled in.
func (p *Predictor) Config() Config {
	c := p.config
	c.Features = slices.Clone(c.Features)
	return c
}

// Observe learns from a job that has ended: for each of its features the estimates that would
// be made now are scored, and then the runtime is added. Now is the time, of which only
// differences matter, and only with a HalfLife or a Window: see "Wrong clocks" in the package comment.
// Observe returns an error, and learns nothing, if the runtime is not between 0
// and 1e100.
//
// The paper scores the estimates that were made when the job was submitted. Those of now have
// seen the jobs that have ended in between, but no host needs to keep them while the job runs.
//
// It takes O(features · (Recent + bins)) time in the worst case, and allocates only while
// there are new values, and for the histograms of those that have seen more than Recent jobs,
// until they are full.
func (p *Predictor) Observe(job Job, runtime float64, now time.Time) error {
	if err := checkRuntime("runtime", runtime); err != nil {
		return err
	}
	runtime += 0 // -0 is 0
	instant := now.UnixNano()
	var k keys
	p.lock(&p.mu, job, &k)
	defer p.mu.Unlock()
	p.observed++
	p.had |= k.have
	p.store.lookupAll(&k)
	p.store.fetch(&k)
	for i := range k.features() {
		p.store.observe(p.store.use(k.of[i], k.ids[i]), runtime, instant, &p.config)
	}
	return nil
}

// Observed returns the number of jobs learned from.
func (p *Predictor) Observed() uint64 {
	p.mu.RLock()
	defer p.mu.RUnlock()
	return p.observed
}

// Missing returns the features, in the order of Config.Features, that no job had of those observed
// since p was made or restored: a job that lacks one of a feature's attributes does not have it. Such
// a feature tells nothing, perhaps since it is called something else in the jobs.
func (p *Predictor) Missing() (features []string) {
	p.mu.RLock()
	defer p.mu.RUnlock()
	for i, name := range p.config.Features {
		if p.had&(1<<i) == 0 {
			features = append(features, name)
		}
	}
	return features
}

// Values returns the number of values of features that are held now.
func (p *Predictor) Values() int {
	p.mu.RLock()
	defer p.mu.RUnlock()
	return p.store.len()
}
