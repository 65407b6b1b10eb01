package catalog

import (
	"flag"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"example.com/augur/policy"
	"example.com/augur/policy/central"
	"example.com/augur/policy/policytest"
	"example.com/augur/policy/threesigma"
	"example.com/augur/policy/workload"
)

var (
	drawn  = flag.Int("combinations", 4, "how many specs of parts are drawn and tested")
	drawBy = flag.Uint64("draw", 1, "what they are drawn by")
)

// Any parts that go together keep to the contract.
func TestCombinations(t *testing.T) {
	for _, l := range draw(rand.NewPCG(*drawBy, 1), *drawn) {
		t.Run(l.String(), func(t *testing.T) {
			policytest.Test(t, conformance(l))
		})
	}
}

// conformance says how a spec is tested, and for how long it may leave room empty beside work.
func conformance(l Spec) policytest.Config {
	c := policytest.Config{
		Allocates: l.Turn == "3sigma",
		New: func(truth policy.Truth) (policy.Scheduler, error) {
			return l.New(Setting{Truth: truth, Seed: 1})
		},
	}
	if l.When == "reserved" || l.Place == "preferred" {
		// Some cores are for copies alone. And a Start in a partition may count on a core that another one has by the time
		// that a late host looks.
		c.NodePatience = math.MaxInt64
	}
	if l.Turn == "3sigma" {
		c.Patience = 16 * 10 * time.Second // cycles in which a job that was refused is left out
		c.Keeps = func(p policy.Scheduler, task policy.Task, _ policy.NodeID) bool {
			return p.(*threesigma.Scheduler).Waits(task.Job)
		}
	}
	if l.Node != "" {
		c.Patience = time.Second // for which a job waits after a refusal
		c.Keeps = func(p policy.Scheduler, task policy.Task, _ policy.NodeID) bool {
			return p.(*central.Distributed).Waits(task.Job)
		}
		c.Prepare = func(j *workload.Job) {
			for i := range j.Stages {
				j.Stages[i].Gang, j.Stages[i].Cores, j.Stages[i].Needs = false, 1, nil
			}
		}
	}
	if l.Node == "adaptive" {
		c.NodePatience = math.MaxInt64 // a task stays on the node that it was sent to, though another one is idle
	}
	return c
}

// Each name is there once and makes its policy, or says what it needs.
func TestNamed(t *testing.T) {
	seen := make(map[string]bool)
	for _, p := range Named() {
		if seen[p.Name] || p.About == "" {
			t.Errorf("%s is named twice, or is about nothing", p.Name)
		}
		seen[p.Name] = true
		_, truth := workload.Split(nil)
		_, err := New(p.Name, Setting{Truth: truth})
		if p.Lake != (err != nil && strings.Contains(err.Error(), "want the jobs of a data lake")) || !p.Lake && err != nil {
			t.Errorf("New(%q): %v; it needs a lake: %v", p.Name, err, p.Lake)
		}
		if p.Spec != "" {
			if l, err := Parse(p.Spec); err != nil || l.Requests() != p.Requests || l.Lake() != p.Lake {
				t.Errorf("%s stands for %+v, %v, and says that it needs requests: %v, a lake: %v", p.Name, l, err, p.Requests, p.Lake)
			}
		}
	}
	for name, want := range map[string]string{
		"lifo": "with a turn of fifo, ", "Fifo": "want fifo", "easy/history": "easy is the name of a whole policy, write fifo-easy/history", "easy++:fastest": "write fifo-sjbf/last-two:fastest", "kairos:fastest": "and a spec of parts is", "gs-easy": "gs does not", "srpt": "truth",
	} {
		if _, err := New(name, Setting{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("New(%q): %v, want an error with %q", name, err, want)
		}
	}
}

func TestParse(t *testing.T) {
	for _, test := range []struct {
		text string
		want Spec
	}{
		{"fifo", Spec{Turn: "fifo"}},
		{"srpt+grass", Spec{Turn: "srpt", Copy: "grass"}},
		{"gs/pilots+grass", Spec{Turn: "gs", Forecast: "pilots", Copy: "grass"}},
		{"index-mil-easy/none", Spec{Turn: "index-mil", Fill: "easy", Forecast: "none"}},
		{"fifo-sjbf/last-two", Spec{Turn: "fifo", Fill: "sjbf", Forecast: "last-two"}},
		{"fair@kairos", Spec{Turn: "fair", Node: "kairos"}},
		{"wing-prio+late.after-own@kairos", Spec{Turn: "wing-prio", Copy: "late", When: "after-own", Node: "kairos"}},
		{"sjf-conservative/hybrid+ras.after-own:least-variance", Spec{"sjf", "conservative", "hybrid", "ras", "after-own", "least-variance", ""}},
	} {
		got, err := Parse(test.text)
		if err != nil || got != test.want {
			t.Errorf("Parse(%q) = %+v, %v, want %+v", test.text, got, err, test.want)
		}
		if got.String() != test.text {
			t.Errorf("String of %q is %q", test.text, got)
		}
	}
}

// What does not go together is refused with the reason, and what there is not with what there is.
func TestParseRefuses(t *testing.T) {
	for text, want := range map[string]string{
		"":                          "want one of fifo, fair",
		"lifo":                      `turn "lifo", want one of fifo, fair`,
		"fifo-eager":                `fill "eager", want one of easy, conservative`,
		"lifo-easy":                 `turn "lifo", want one of fifo`,
		"sjf/oracle":                `forecast "oracle", want one of history`,
		"fifo+hope":                 `copy "hope", want one of simple`,
		"fifo+late.soon":            `when "soon", want one of after-own`,
		"fifo:moon":                 `place "moon"`,
		"fifo@sparrow":              `node "sparrow", want one of kairos`,
		"fifo-easy+late.reserved":   "keeps some for copies",
		"index-preempt+late":        "does not go with copies of them",
		"fifo-preempt":              "fifo has none; take index",
		"gs-preempt":                "gs has none; take index",
		"gs-easy":                   "gs does not",
		"gs-conservative":           "gs does not",
		"fifo/history":              "does not ask for a forecast",
		"3sigma+grass":              "plans for all jobs at once",
		"3sigma@kairos":             "plans for all jobs at once",
		"fifo+mantri@kairos":        "mantri kills copies",
		"fifo-easy@kairos":          "neither a fill nor a place",
		"fifo:fastest@kairos":       "neither a fill nor a place",
		"fifo+late.reserved@kairos": "no cores to reserve",
		"fifo+":                     "empty part",
		"fifo/":                     "empty part",
		"fifo@":                     "empty part",
		"fifo+.after-own":           "empty part",
	} {
		if _, err := Parse(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Parse(%q): %v, want an error with %q", text, err, want)
		}
	}
}

// draw returns so many specs, drawn at random of all that go together, without those that need a data lake. Each occurs
// once.
func draw(src rand.Source, n int) (specs []Spec) {
	rng := rand.New(src)
	one := func(r *room, odds float64) string {
		if rng.Float64() >= odds {
			return ""
		}
		return r.parts[rng.IntN(len(r.parts))].name
	}
	seen := make(map[Spec]bool)
	for len(specs) < n {
		l := Spec{one(&turns, 1), one(&fills, 0.25), one(&forecasts, 0.5), one(&copiers, 0.5), "", one(&places, 0.25), one(&nodes, 0.25)}
		if l.Fill == "preempt" {
			l.Turn = "index"
		}
		if l.Copy != "" {
			l.When = one(&whens, 0.5)
		}
		if !seen[l] && l.check() == nil && !l.Lake() {
			seen[l] = true
			specs = append(specs, l)
		}
	}
	return specs
}

// Every part is drawn, and each spec can be read again.
func TestDraw(t *testing.T) {
	specs := draw(rand.NewPCG(1, 2), 400)
	seen := make(map[string]bool)
	for _, l := range specs {
		got, err := Parse(l.String())
		if err != nil || got != l {
			t.Errorf("Parse(%q) = %+v, %v, want %+v", l, got, err, l)
		}
		for room, name := range map[string]string{"turn": l.Turn, "fill": l.Fill, "forecast": l.Forecast, "copy": l.Copy, "when": l.When, "place": l.Place, "node": l.Node} {
			seen[room+" "+name] = true
		}
	}
	for _, r := range []*room{&turns, &fills, &forecasts, &copiers, &whens, &places, &nodes} {
		for _, p := range r.parts {
			if !p.lake && !seen[r.name+" "+p.name] {
				t.Errorf("%s %s is not drawn", r.name, p.name)
			}
		}
	}
}
