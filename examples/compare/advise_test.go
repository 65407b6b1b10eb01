package main

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
)

// The advice as text is short and the same twice. As JSON it names the advised policy among those that were run.
func TestAdvise(t *testing.T) {
	args := []string{"-jobs", "600", "-advise=to=1,windows=4"}
	text, _, err := compare(t, args...)
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(text, "\n"); n > 40 || !strings.Contains(text, "Based on: jobs 1 to 600 of 600") {
		t.Errorf("%d lines, want at most 40 about 600 jobs:\n%s", n, text)
	}
	var r advice
	out, _, err := compare(t, append(args, "-json")...)
	if err == nil {
		err = json.Unmarshal([]byte(out), &r)
	}
	if err != nil {
		t.Fatal(err)
	}
	best := func(p advised) bool {
		return p.Policy == r.Best && p.ToBest.Ratio == 1 && *p.MeanJCT > 0 && p.P99Ratio != nil
	}
	if r.Traits.Jobs != 600 || r.Windows != 4 || r.Size != 100 || !slices.ContainsFunc(r.Policies, best) || !strings.Contains(text, "advised: "+r.Best) {
		t.Errorf("%+v, want 4 windows of 100 of 600 jobs, and the advised policy of\n%s", r, text)
	}
	if again, _, _ := compare(t, append(args, "-json")...); again != out {
		t.Errorf("again it prints\n%s\nwant\n%s", again, out)
	}
}

// With -saves it tries index-preempt, and what saving costs counts. Without, it says how to try.
func TestAdviseSaves(t *testing.T) {
	mean := func(saves string) float64 {
		t.Helper()
		var r advice
		out, _, err := compare(t, "-jobs", "600", "-advise", "-saves", saves, "-json")
		if err == nil {
			err = json.Unmarshal([]byte(out), &r)
		}
		i := slices.IndexFunc(r.Policies, func(p advised) bool { return p.Policy == "index-preempt" })
		if err != nil || i < 0 || r.Traits.Saves != 1 {
			t.Fatalf("error %v, want index-preempt, and that all jobs can be saved, in\n%s", err, out)
		}
		return *r.Policies[i].MeanJCT
	}
	if free, dear := mean("reload=1s"), mean("reload=1s,cost=10s"); free >= dear {
		t.Errorf("index-preempt takes %v s, and %v if saving takes 10 s, want more", free, dear)
	}
	text, _, err := compare(t, "-jobs", "600", "-advise")
	if err != nil || !strings.Contains(text, "try compare -saves reload=60s") || strings.Contains(text, "\n  index-preempt") {
		t.Errorf("error %v, want how to try index-preempt, and no run of it, in\n%s", err, text)
	}
}

// Policies that are named are tried in place of those of the rules, and FIFO.
func TestAdviseNamed(t *testing.T) {
	out, _, err := compare(t, "-jobs", "600", "-advise", "-policies", "srpt,gs/pilots", "-json")
	var r advice
	if err == nil {
		err = json.Unmarshal([]byte(out), &r)
	}
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, p := range r.Policies {
		names = append(names, p.Policy)
	}
	if want := []string{"srpt", "gs/pilots", "fifo"}; !slices.Equal(names, want) || r.Best != "srpt" {
		t.Errorf("%s of %v is advised, want srpt of %v", r.Best, names, want)
	}
	if r.Requested != 0 {
		t.Errorf("%d requested times were set, want 0, since no policy goes by them", r.Requested)
	}
	out, _, err = compare(t, "-jobs", "600", "-advise", "-policies", "easy,srpt", "-json")
	if err != nil || !strings.Contains(out, `"requested_set": 600`) {
		t.Errorf("error %v, want 600 requested times set in\n%s", err, out)
	}
	var with, alone advice
	for r, policies := range map[*advice]string{&with: "index,easy", &alone: "index"} {
		if out, _, err = compare(t, "-jobs", "600", "-advise", "-policies", policies, "-json"); err == nil {
			err = json.Unmarshal([]byte(out), r)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if *with.Policies[0].MeanJCT != *alone.Policies[0].MeanJCT {
		t.Errorf("beside easy the index takes %v s, and alone %v: the requests that easy gets tell it the runtimes", *with.Policies[0].MeanJCT, *alone.Policies[0].MeanJCT)
	}
	text, _, err := compare(t, "-jobs", "600", "-advise", "-policies", "gs/pilots,srpt")
	if want := "the first candidate, gs/pilots, has a mean"; err != nil || !strings.Contains(text, want) {
		t.Errorf("error %v, want %q in\n%s", err, want, text)
	}
}

// Too few jobs are described, and nothing is run.
func TestAdviseFew(t *testing.T) {
	out, _, err := compare(t, "-jobs", "40", "-advise", "-json")
	var r advice
	if err == nil {
		err = json.Unmarshal([]byte(out), &r)
	}
	if err != nil || r.Windows != 0 || r.Best == "" || r.Policies[0].MeanJCT != nil || r.Policies[0].JCTRatio != nil {
		t.Errorf("error %v, output %s, want a policy and no numbers of runs", err, out)
	}
}

func TestAdviseBadUse(t *testing.T) {
	for want, args := range map[string][]string{
		`-advise: "to=2": want a number above 0, at most 1`: {"-advise=to=2"},
		`-advise: "jobs=0": want a whole number`:            {"-advise=jobs=0"},
		`"part=1": unknown parameter`:                       {"-advise=part=1"},
		"-advise: from=0.5, want less than to=0.5":          {"-advise=from=0.5"},
		"-advise with -seeds":                               {"-advise", "-seeds", "1-2"},
		"-advise with policy hawk":                          {"-advise", "-policies", "fifo,hawk"},
		"-advise with -trim":                                {"-advise", "-trim", "0.1"},
	} {
		if _, exit, err := compare(t, args...); err == nil || exit != 2 || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: exit %d, error %v, want 2 and one with %q", args, exit, err, want)
		}
	}
}
