package predict

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/augur/histogram"
)

// A naive predictor is one that keeps every job and works all out anew when it is asked.
type naive struct {
	config  Config
	values  []*naiveValue // the last used one last
	dropped []string      // values of one job, the last ones, as many as there are places
	deepest int           // level of bins that has spoken
}

type naiveValue struct {
	feature, text string // of a bin of numbers, the text says which
	jobs          []naiveJob
	longest       float64 // that was not censored
	again         bool    // it was dropped before
	early         int     // jobs in a row, the last ones, that were dated far before those in front of them
}

type naiveJob struct {
	runtime float64 // assumed, if it is censored
	ran     float64 // how long it ran; less than runtime if that is censored
	number  float64 // NaN: none
	at      int64
	made    *[5]float64 // the estimates made just before, if any
	gone    bool        // it was out of the window when another was observed
}

// text tells a job's value of a feature, and its number.
func (r *naive) text(feature string, job Attrs) (text string, number float64, ok bool) {
	number = math.NaN()
	if feature == All {
		return "", number, true
	}
	for name := range strings.SplitSeq(feature, "+") {
		value, ok := job[strings.TrimSuffix(strings.TrimPrefix(name, "log("), ")")]
		if !ok {
			return "", number, false
		}
		if !strings.HasPrefix(name, "log(") {
			text += fmt.Sprintf("%q ", value)
		} else if _, err := fmt.Sscan(value, &number); err != nil || math.IsNaN(number-number) { // also of an infinite one
			return "", number, false
		}
	}
	return text, number, true
}

// bin tells a value's bin of a number. A bin of the first level is four octaves, and each other one half of one before, by
// the difference of its numbers. From the octave of 1 to that of 4 the borders are so at 2, 3 and 4.
func (r *naive) bin(text string, number float64, level int) string {
	octave, at := 0.0, math.Abs(number) // what is below 1 is of no interest here
	for at >= 2 {
		octave, at = octave+1, at/2
	}
	if number != 0 {
		octave += at
	}
	where := math.Floor((octave + 1022) * math.Exp2(float64(level-3))) // the least number is 2^-1022
	if number == 0 {
		where = 0
	}
	if level == 7 {
		where = math.Abs(number)
	}
	return fmt.Sprint(text, level, number < 0, where)
}

func (r *naive) find(feature, text string) *naiveValue {
	for _, v := range r.values {
		if v.feature == feature && v.text == text {
			return v
		}
	}
	return nil
}

func (r *naive) observe(job Attrs, ran float64, censored bool, now int64) {
	if censored && ran == 0 {
		return
	}
	for _, feature := range r.config.Features {
		text, number, ok := r.text(feature, job)
		if !ok {
			continue
		}
		split := r.learn(feature, text, number, ran, censored, now)
		for level := 1; level <= 7 && !math.IsNaN(number); level++ {
			bin := r.bin(text, number, level)
			if !split && r.find(feature, bin) == nil {
				break
			}
			split = r.learn(feature, bin, math.NaN(), ran, censored, now)
		}
	}
}

// learn adds a job to a value, and reports whether it has had enough before to be split into bins.
func (r *naive) learn(feature, text string, number, ran float64, censored bool, now int64) (split bool) {
	v := r.find(feature, text)
	if v == nil {
		v = &naiveValue{feature: feature, text: text}
		if len(r.values) == r.config.Values {
			// The one that was used longest ago, of those of one job if they have a quarter of the places, or else of the others.
			once := func(v *naiveValue) bool { return len(v.jobs) == 1 && !v.again }
			singles := len(slices.DeleteFunc(slices.Clone(r.values), func(v *naiveValue) bool { return !once(v) }))
			single := singles >= max(1, r.config.Values/4) || singles == len(r.values)
			at := slices.IndexFunc(r.values, func(v *naiveValue) bool { return once(v) == single })
			if single {
				r.dropped = append(r.dropped, r.values[at].feature+" "+r.values[at].text)
				r.dropped = r.dropped[max(0, len(r.dropped)-r.config.Values):]
			}
			r.values = slices.Delete(r.values, at, at+1)
		}
		v.again = slices.Contains(r.dropped, feature+" "+text)
	} else {
		r.values = slices.DeleteFunc(r.values, func(o *naiveValue) bool { return o == v })
	}
	r.values = append(r.values, v)
	r.redate(v, now)
	at := now
	if len(v.jobs) > 0 {
		at = max(at, v.jobs[len(v.jobs)-1].at)
	}
	for i := range v.jobs {
		v.jobs[i].gone = v.jobs[i].gone || !r.within(v.jobs[i].at, at)
	}
	if len(r.live(v, at)) == 0 {
		v.longest = 0
	}
	made := naiveJob{runtime: ran, ran: ran, number: number, at: at}
	if censored {
		made.runtime = r.beyond(v, ran, at)
	} else {
		frac, exp := math.Frexp(ran)
		v.longest = max(v.longest, math.Ldexp(math.Floor(32*frac)+1, exp-5))
	}
	if c, ok := r.candidate(v, number, at); ok {
		made.made = &c.Estimates
		made.made[PowerLaw] = r.powerLaw(r.live(v, at), number, at)
	}
	weight := 0.0
	for _, j := range r.live(v, at) {
		weight += r.weight(j.at, at)
	}
	v.jobs = append(v.jobs, made)
	return weight >= 8
}

// beyond is the mean of the runtimes of a value that are longer than ran. Those that are recent no longer are in bins.
func (r *naive) beyond(v *naiveValue, ran float64, now int64) float64 {
	jobs := r.live(v, now)
	older := jobs
	if r.config.HalfLife == 0 {
		older = jobs[:max(0, len(jobs)-recent)]
	}
	h, sum, n := new(histogram.Histogram), 0.0, 0.0
	for _, j := range older {
		if err := h.AddN(j.runtime, r.weight(j.at, now)); err != nil {
			panic(err)
		}
	}
	if h.Count() > 0 && ran < h.Max() {
		n = h.Count() * h.Survival(ran)
		sum = float64(h.Count()*h.SurvivalIntegral(ran, h.Max())) + float64(n*ran)
	}
	for _, j := range jobs[len(older):] {
		if j.runtime > ran {
			sum += j.runtime
			n++
		}
	}
	if n == 0 {
		return 2 * ran
	}
	return min(sum/n, max(2*ran, v.longest))
}

// redate gives other dates to the jobs of a value if enough jobs in a row were dated far before them: in a window those
// that are later than now become as late as now, and where weights fade the last becomes so and all others keep their distance.
func (r *naive) redate(v *naiveValue, now int64) {
	step, far := int64(r.config.Window/8), 8.0
	if r.config.HalfLife > 0 {
		step, far = int64(r.config.HalfLife/64), 64
	}
	if step == 0 || len(v.jobs) == 0 {
		return
	}
	steps := func(at int64) float64 { return math.Floor(float64(at) / float64(step)) }
	back := steps(v.jobs[len(v.jobs)-1].at) - steps(now)
	if back < far {
		v.early = 0
		return
	}
	if v.early++; v.early < 8 {
		return
	}
	v.early = 0
	for i := range v.jobs {
		if r.config.HalfLife > 0 {
			v.jobs[i].at -= int64(back) * step
		} else {
			v.jobs[i].at = min(v.jobs[i].at, now)
		}
	}
}

// weight is that of a job when another has been seen at the instant now.
func (r *naive) weight(at, now int64) float64 {
	if r.config.HalfLife == 0 {
		return 1
	}
	tick := float64(r.config.HalfLife / 64)
	return math.Exp2(-(math.Floor(float64(now)/tick) - math.Floor(float64(at)/tick)) / 64)
}

// candidate works out what a value says of a number, and false if it says nothing.
func (r *naive) candidate(v *naiveValue, number float64, now int64) (c Candidate, ok bool) {
	jobs := r.live(v, now)
	if len(jobs) == 0 {
		return c, false
	}
	c.Feature = v.feature
	latest := jobs[len(jobs)-1].at
	sum, actual := 0.0, 0.0
	var errors [5]float64
	scores := 0
	for _, j := range jobs {
		w := r.weight(j.at, latest)
		c.Jobs += w
		sum += w * j.runtime
		if j.made != nil && j.ran == j.runtime {
			scores++
			actual += w * j.runtime
			for e := range errors {
				errors[e] += w * math.Abs(j.made[e]-j.runtime)
			}
		}
	}
	for e := range errors {
		switch {
		case scores == 0 || e == 4 && math.IsNaN(number):
			c.NMAE[e] = math.NaN()
		case errors[e] == 0:
			c.NMAE[e] = 0
		default:
			c.NMAE[e] = errors[e] / actual
		}
	}
	c.Estimates[Mean] = sum / c.Jobs
	rolling := 0.0
	for _, j := range v.jobs {
		if j.made == nil {
			rolling = j.runtime
		} else if j.ran == j.runtime || rolling <= j.ran {
			rolling = alpha*j.runtime + (1-alpha)*rolling
		}
	}
	c.Estimates[EWMA] = rolling
	var last []float64
	recentSum := 0.0
	for _, j := range jobs[max(0, len(jobs)-recent):] {
		last = append(last, j.runtime)
		recentSum += j.runtime
	}
	slices.Sort(last)
	n := len(last)
	c.Estimates[Median] = (last[(n-1)/2] + last[n/2]) / 2
	c.Estimates[RecentMean] = recentSum / float64(n)
	c.Estimates[PowerLaw] = r.powerLaw(jobs, number, latest)
	return c, true
}

// powerLaw is least squares by plain sums, with one more job beside the mean. Neither logarithm is below that of 1e-9.
func (r *naive) powerLaw(jobs []naiveJob, number float64, now int64) float64 {
	log := func(x float64) float64 { return math.Log(max(x, 1e-9)) }
	n, x, y := 0.0, 0.0, 0.0
	for _, j := range jobs {
		w := r.weight(j.at, now)
		n, x, y = n+w, x+w*log(j.number), y+w*log(j.runtime)
	}
	x, y = x/n, y/n
	square, product := 1.0, 0.0
	for _, j := range jobs {
		w := r.weight(j.at, now)
		square += w * (log(j.number) - x) * (log(j.number) - x)
		product += w * (log(j.number) - x) * (log(j.runtime) - y)
	}
	return min(1e100, math.Exp(y+product/square*(log(number)-x)))
}

// live are the jobs in the window.
func (r *naive) live(v *naiveValue, now int64) (jobs []naiveJob) {
	if len(v.jobs) > 0 {
		now = max(now, v.jobs[len(v.jobs)-1].at)
	}
	for _, j := range v.jobs {
		if !j.gone && r.within(j.at, now) {
			jobs = append(jobs, j)
		}
	}
	return jobs
}

// within reports whether what was seen at an instant is in the window now.
func (r *naive) within(at, now int64) bool {
	if r.config.Window == 0 {
		return true
	}
	part := func(at int64) float64 { return math.Floor(float64(at) / float64(r.config.Window/8)) }
	return part(at) > part(now)-8
}

// distribution adds all runtimes of a value to a new histogram.
func (r *naive) distribution(v *naiveValue, now int64) *histogram.Histogram {
	h := new(histogram.Histogram)
	jobs := r.live(v, now)
	last := jobs[len(jobs)-1].at
	for _, j := range jobs {
		if err := h.AddN(j.runtime, r.weight(j.at, last)); err != nil {
			panic(err)
		}
	}
	return h
}

// candidates are those of a job, and the values whose distributions they have.
func (r *naive) candidates(job Attrs, now int64) (all []Candidate, of []*naiveValue) {
	for _, feature := range r.config.Features {
		text, number, ok := r.text(feature, job)
		v := r.find(feature, text)
		if !ok || v == nil {
			continue
		}
		c, ok := r.candidate(v, number, now)
		if !ok {
			continue
		}
		for level := 1; level <= 7 && !math.IsNaN(number); level++ {
			bin := r.find(feature, r.bin(text, number, level))
			if bin == nil {
				break
			}
			finer, ok := r.candidate(bin, math.NaN(), now)
			if !ok || finer.Jobs < 4 {
				break
			}
			r.deepest, v = max(r.deepest, level), bin
			finer.Estimates[PowerLaw], finer.NMAE[PowerLaw] = c.Estimates[PowerLaw], c.NMAE[PowerLaw]
			c = finer
		}
		all, of = append(all, c), append(of, v)
	}
	return all, of
}

// check fails the test unless the prediction is that of the naive one. Sums are equal up to
// rounding; so estimators whose scores are equal up to rounding may win for each other.
func (r *naive) check(t *testing.T, p *Predictor, job Attrs, now int64) {
	t.Helper()
	var got Prediction
	at := time.Unix(0, now)
	ok := p.Predict(job, at, &got)
	want, values := r.candidates(job, now)
	if ok != (len(want) > 0) || len(got.Candidates) != len(want) {
		t.Fatalf("%v: predicted %v of %d candidates, want %d", job, ok, len(got.Candidates), len(want))
	}
	if runtime, also := p.Estimate(job, at); also != ok || ok && runtime != got.Runtime {
		t.Fatalf("%v: Estimate is %v, %v, but Predict says %v, %v", job, runtime, also, got.Runtime, ok)
	}
	if !ok {
		return
	}
	best := rank{true, math.Inf(1)}
	var winner Candidate
	var value *naiveValue
	for i, c := range want {
		g := got.Candidates[i]
		if g.Feature != c.Feature || !near(g.Jobs, c.Jobs) || !slices.EqualFunc(g.Estimates[:], c.Estimates[:], near) ||
			!slices.EqualFunc(g.NMAE[:], c.NMAE[:], near) {
			t.Fatalf("%v: candidate\n%+v, want\n%+v", job, g, c)
		}
		if r := r.rank(c); r.before(best) {
			best = r
		}
		if c.Feature == got.Feature {
			winner, value = g, values[i]
		}
	}
	if r := r.rank(winner); r.shared != best.shared || !near(r.nmae, best.nmae) {
		t.Fatalf("%v: %v won with rank %v, want %v", job, &got, r, best)
	}
	if e := got.Estimator; got.Runtime != winner.Estimates[e] || !same(got.NMAE, winner.NMAE[e]) {
		t.Fatalf("%v: %v won, but its candidate is %+v", job, &got, winner)
	}
	h := r.distribution(value, now)
	if !near(got.Distribution().Count(), h.Count()) || !near(got.Distribution().Mean(), h.Mean()) {
		t.Fatalf("%v: distribution has %v of mean %v, want %v of mean %v", job,
			got.Distribution().Count(), got.Distribution().Mean(), h.Count(), h.Mean())
	}
	for p := range 11 {
		p := float64(p) / 10
		x := h.Quantile(p)
		got, want := got.Distribution(), h.CDF(x)
		if got.CDF(x-1e-9*x) > want+1e-9 || got.CDF(x+1e-9*x) < want-1e-9 { // it may jump at x, which is rounded
			t.Fatalf("%v: CDF(%v) is %v, want %v", job, x, got.CDF(x), want)
		}
	}
}

// rank is that of a candidate.
func (r *naive) rank(c Candidate) rank {
	nmae := slices.Min(c.NMAE[:PowerLaw])
	if power := c.NMAE[PowerLaw]; power < nmae || math.IsNaN(nmae) {
		nmae = power
	}
	if math.IsNaN(nmae) {
		nmae = unscored
	}
	return rank{c.Feature == All, nmae}
}

func same(a, b float64) bool { return a == b || math.IsNaN(a) && math.IsNaN(b) }

func near(a, b float64) bool {
	return same(a, b) || math.Abs(a-b) <= 1e-9*(math.Abs(a)+math.Abs(b))+1e-12
}

func newPair(t *testing.T, c Config) (*Predictor, *naive) {
	t.Helper()
	p, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	return p, &naive{config: p.Config()}
}

// randomJob has few users, more programs, sometimes none, numbers of bytes of all kinds, and runtimes that depend on user and
// program, of which most are equal, so that a histogram is exact, and some 0.
func randomJob(rng *rand.Rand) (job Attrs, runtime float64) {
	user, program := rng.IntN(5), int(rng.ExpFloat64()*5)
	job = Attrs{"user": fmt.Sprint(user)}
	if rng.IntN(4) > 0 {
		job["program"] = fmt.Sprint(program)
	}
	if rng.IntN(8) == 0 {
		delete(job, "user")
	}
	job["bytes"] = []string{"1000", "1001", "1e12", "0", "-0", "-3", "NaN", "Inf", "many", "3", "7"}[rng.IntN(11)%(1+rng.IntN(11))]
	return job, math.Floor(float64(1+user)*math.Exp(float64(program%4)+math.Round(2*rng.NormFloat64())/2)) * 0.3
}

func TestPredictorEqualsNaive(t *testing.T) {
	for name, c := range map[string]Config{
		"default":    {Features: []string{"user", "program", "user+program", All}},
		"few values": {Features: []string{"user", "program", "program+user"}, Values: 11},
		"one value":  {Features: []string{"user"}, Values: 1},
		"window":     {Features: []string{"user", "program", All}, Window: 5 * time.Hour},
		"window few": {Features: []string{"user", "program", All}, Window: 2 * time.Hour},
		"half-life":  {Features: []string{"user", "program", All}, HalfLife: 3 * time.Hour},
		"numbers":    {Features: []string{"log(bytes)", "user+log(bytes)", All}},
		"few bins":   {Features: []string{"log(bytes)+user", "log(bytes)", "program"}, Values: 11},
		"old bins":   {Features: []string{"log(bytes)", "user+log(bytes)", All}, Window: 20 * time.Hour},
		"faded bins": {Features: []string{"log(bytes)", "user+log(bytes)", All}, HalfLife: 3 * time.Hour},
	} {
		jobs := 150
		if name == "numbers" {
			jobs = 400 // until there are bins of all levels
		}
		t.Run(name, func(t *testing.T) {
			for seed := range uint64(3) {
				p, r := newPair(t, c)
				rng := rand.New(rand.NewPCG(seed, 1))
				now, wrong := int64(0), int64(0)
				for range jobs {
					job, runtime := randomJob(rng)
					now += int64(rng.ExpFloat64()*30-5) * int64(time.Minute) // sometimes back
					r.check(t, p, job, now)
					switch rng.IntN(40) {
					case 0: // for some jobs
						wrong = int64(rng.IntN(41)-20) * int64(max(c.Window, c.HalfLife, time.Hour))
					case 1, 2, 3, 4:
						wrong = 0
					}
					date := now + wrong
					observe, censored := p.Observe, rng.IntN(4) == 0
					if censored {
						observe, runtime = p.ObserveCensored, runtime*rng.Float64()
					}
					if err := observe(job, runtime, time.Unix(0, date)); err != nil {
						t.Fatal(err)
					}
					r.observe(job, runtime, censored, date)
				}
				if got, want := p.Values(), len(r.values); got != want {
					t.Errorf("%d values, want %d", got, want)
				}
				if name == "numbers" && r.deepest < 7 {
					t.Errorf("no bin of a level above %d was asked", r.deepest)
				}
			}
		})
	}
}
