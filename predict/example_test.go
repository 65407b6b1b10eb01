package predict_test

import (
	"bytes"
	"fmt"
	"log"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"time"

	"example.com/augur/estimate"
	"example.com/augur/predict"
)

// Ann's builds take a minute and her reports an hour; Bob runs the same programs on much
// more. Neither the user nor the program says much alone: both together do.
func Example() {
	p, err := predict.New(predict.Config{
		Features: []string{"user", "program", "user+program", predict.All},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	now := time.Date(2026, time.March, 2, 9, 0, 0, 0, time.UTC)
	for i := range 5 {
		day := float64(i)
		for _, job := range []struct {
			user, program string
			runtime       float64 // seconds
		}{
			{"ann", "build", 60 + day},
			{"ann", "report", 3600 + 10*day},
			{"bob", "build", 600 + 2*day},
			{"bob", "report", 7200 - 50*day},
		} {
			attrs := predict.Attrs{"user": job.user, "program": job.program}
			if err := p.Observe(attrs, job.runtime, now); err != nil {
				fmt.Println(err)
			}
		}
		now = now.Add(24 * time.Hour)
	}

	var next predict.Prediction
	p.Predict(predict.Attrs{"user": "ann", "program": "build"}, now, &next)
	fmt.Println(&next)
	fmt.Println("median of what was seen:", next.Distribution().Quantile(0.5))
	for _, c := range next.Candidates {
		fmt.Printf("%-12s mean %4.0f, error %.2f\n", c.Feature, c.Estimates[predict.Mean], c.NMAE[predict.Mean])
	}

	p.Predict(predict.Attrs{"user": "eve"}, now, &next) // whom nobody has seen before
	fmt.Println(&next)
	// Output:
	// 63.35 by rolling of user+program, with error 0.022 over 5 jobs
	// median of what was seen: 62
	// user         mean 1841, error 1.05
	// program      mean  333, error 0.89
	// user+program mean   62, error 0.03
	// *            mean 2846, error 0.93
	// 2846 by mean of *, with error 0.93 over 20 jobs
}

// A scheduler that wants small jobs first may value a runtime of t at 1/t². The point
// estimate of that utility is a power mean of the distribution (SLearn, section 4.3), which
// short runtimes dominate.
func ExamplePrediction() {
	p, err := predict.New(predict.Config{Features: []string{"user"}})
	if err != nil {
		fmt.Println(err)
		return
	}
	ann := predict.Attrs{"user": "ann"}
	for _, runtime := range []float64{10, 10, 1000, 1000} {
		if err := p.Observe(ann, runtime, time.Time{}); err != nil {
			fmt.Println(err)
		}
	}
	var next predict.Prediction
	if !p.Predict(ann, time.Time{}, &next) {
		fmt.Println("nothing known")
		return
	}
	utility, err := estimate.CertaintyEquivalent(next.Distribution().All())
	fmt.Printf("mean %.0f, for utility 1/t² %.1f %v", next.Distribution().Mean(), utility, err)
	// Output:
	// mean 505, for utility 1/t² 14.1 <nil>
}

// A host that stops writes down what it has learned, and goes on from there.
func ExamplePredictor_Restore() {
	config := predict.Config{Features: []string{"user"}}
	before, err := predict.New(config)
	if err != nil {
		fmt.Println(err)
		return
	}
	ann := predict.Attrs{"user": "ann"}
	for _, runtime := range []float64{100, 120, 140} {
		if err := before.Observe(ann, runtime, time.Time{}); err != nil {
			fmt.Println(err)
		}
	}
	var file bytes.Buffer
	if err := before.Snapshot(&file); err != nil {
		fmt.Println(err)
	}

	after, err := predict.New(config)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(after.Restore(bytes.NewReader(file.Bytes()[:40])))
	fmt.Println(after.Restore(&file))
	fmt.Println(after.Estimate(ann, time.Time{}))
	// Output:
	// predict: not a whole snapshot: it ends early
	// <nil>
	// 128.8 true
}

// A copy takes a second for each 100 MB, and two to begin. From seven jobs a feature with a number expects about that also of
// sizes that none of them had, of which the first takes 52 s and the second 5,002 s.
func ExampleConfig_number() {
	p, err := predict.New(predict.Config{Features: []string{"program", "program+log(bytes)"}})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, megabytes := range []int64{1000, 40_000, 3000, 100_000, 9000, 2000, 20_000} {
		job := predict.Attrs{"program": "copy", "bytes": fmt.Sprint(megabytes * 1_000_000)}
		if err := p.Observe(job, float64(2+megabytes/100), time.Time{}); err != nil {
			fmt.Println(err)
		}
	}
	var next predict.Prediction
	for _, bytes := range []string{"5000000000", "500000000000"} {
		p.Predict(predict.Attrs{"program": "copy", "bytes": bytes}, time.Time{}, &next)
		fmt.Println(&next)
	}
	// Output:
	// 55.55 by power law of program+log(bytes), with error 0.42 over 7 jobs
	// 3695 by power law of program+log(bytes), with error 0.42 over 7 jobs
}

// Without Features, a predictor finds them in what its jobs carry.
func ExamplePredictor_Features() {
	p, err := predict.New(predict.Config{})
	if err != nil {
		fmt.Println(err)
		return
	}
	job := predict.Attrs{"user": "ann", "program": "copy", "bytes": "1000000"}
	if err := p.Observe(job, 12, time.Time{}); err != nil {
		fmt.Println(err)
	}
	for _, name := range p.Features() {
		fmt.Println(name)
	}
	// Output:
	// *
	// log(bytes)
	// program
	// user
	// log(bytes)+program
	// log(bytes)+user
	// program+user
}

// A predictor that outlives the program. Nine reports of ten take between low and high.
func ExampleOpen() {
	dir, err := os.MkdirTemp("", "predict")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	report, luck := predict.Attrs{"kind": "report"}, rand.New(rand.NewPCG(1, 1))
	for range 2 { // the second time, it knows what it has learned the first time
		p, err := predict.Open(filepath.Join(dir, "runtimes"), predict.Config{Features: []string{"kind"}})
		if err != nil {
			log.Fatal(err)
		}
		low, high, ok := p.Interval(report, 0.9, time.Now())
		fmt.Printf("%.0f to %.0f s, %v\n", low, high, ok)
		for range 100 {
			if err := p.Observe(report, 60*math.Exp(luck.NormFloat64()), time.Now()); err != nil {
				log.Fatal(err)
			}
		}
		if err := p.Save(); err != nil {
			log.Fatal(err)
		}
	}
	// Output:
	// 0 to 0 s, false
	// 6 to 339 s, true
}
