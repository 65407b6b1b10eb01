package trace

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"example.com/augur/policy"
)

// A csvNeed says which columns tell what a task needs of a named resource.
type csvNeed struct {
	csvColumn           // its unit is a csvNeedUnits, and its key the name of the resource
	times     csvColumn // the count that the amount is multiplied by; no column: 1
	most      int64     // units that one task may take; more make a gang; 0: no limit
}

var csvNeedUnits = []csvUnit{{"units", 1000, false}, {"milli", 1, false}}

// planNeed reads need.NAME=COLUMN, with the name of the resource and what follows the sign.
func planNeed(name, text string) (n csvNeed, err error) {
	n.key = name
	if name == "" {
		return n, fmt.Errorf("need. names no resource, want such as need.gpu")
	}
	if text, n.unit, err = cutUnit("need."+name, text, csvNeedUnits); err != nil {
		return n, err
	}
	if at := strings.LastIndexByte(text, '/'); at >= 0 {
		most, err := strconv.ParseInt(text[at+1:], 10, 64)
		if err != nil || most < 1 || most > policy.MaxAmount/1000 {
			return n, fmt.Errorf("need.%s: a task may take %q units, want 1 to 1e6", name, text[at+1:])
		}
		text, n.most = text[:at], most
	}
	count, amount, product := strings.Cut(text, "*")
	if product {
		n.times.column, n.column = count, amount
	} else {
		n.column = text
	}
	if n.column == "" || product && count == "" {
		return n, fmt.Errorf("need.%s names no column, want such as need.%s=gpus or need.%s=gpus*share", name, name, name)
	}
	return n, nil
}

// wrongNeeds says what the needs of a plan lack, or have too much.
func (p *csvPlan) wrongNeeds() string {
	limits := 0
	for i := range p.needs {
		if p.needs[i].most > 0 {
			limits++
		}
	}
	switch {
	case len(p.needs) > policy.MaxNames:
		return fmt.Sprintf("%d needs, want at most %d", len(p.needs), policy.MaxNames)
	case limits > 1:
		return "two needs have a limit of a task, want at most one"
	case limits > 0 && (p.has(csvTasks) || p.has(csvGang) || p.grouped()):
		return "a need with a limit of a task makes gangs, so want neither tasks, gang nor job"
	}
	return ""
}

// needs returns what a task of a row needs. Nothing is needed of what is blank or 0. A row that needs more than one task may
// take becomes a gang.
func (t *csvTable) needs(r *csvRow) (needs []policy.Need) {
	split := 1
	for i := range t.header.needs {
		n := &t.header.needs[i]
		amount := t.need(n)
		if amount == 0 {
			continue
		}
		if most := n.most * 1000; most > 0 && amount > most {
			if split = share(amount, most); split == 0 {
				t.refuseNeed(n, fmt.Sprintf(" is above %d and no whole number", n.most))
			}
		}
		needs = append(needs, policy.Need{Name: n.key, Amount: amount})
	}
	if split > 1 {
		k := int64(split)
		for i := range needs {
			needs[i].Amount = (needs[i].Amount + k - 1) / k
		}
		r.tasks, r.gang = split, true
		r.cores, r.memory = int32((int64(r.cores)+k-1)/k), r.memory/k+min(r.memory%k, 1)
	}
	return needs
}

// share returns the least number of tasks that share an amount evenly in whole units, none with more than most; 0 if the
// amount is no whole number of units.
func share(amount, most int64) int {
	if amount%1000 != 0 {
		return 0
	}
	k := (amount + most - 1) / most
	for amount%(k*1000) != 0 {
		k++
	}
	return int(k)
}

// need returns the thousandths that the columns of a need tell.
func (t *csvTable) need(n *csvNeed) int64 {
	text := t.cols[n.at]
	if len(text) == 0 {
		return 0
	}
	amount, reason := scaled(text, &n.unit)
	times := uint64(1)
	if n.times.column != "" {
		var ok bool
		if times, ok = natural(t.cols[n.times.at]); !ok && reason == "" {
			reason = " is not multiplied by a natural number"
		}
	}
	switch {
	case reason != "":
	case amount < 0:
		reason = " is negative"
	case amount > policy.MaxAmount || amount > 0 && times > policy.MaxAmount/uint64(amount):
		reason = " is above 1e6"
	}
	if reason != "" {
		t.refuseNeed(n, reason)
		return 0
	}
	return amount * int64(min(times, math.MaxInt32))
}

// refuseNeed notes what is wrong with a need.
func (t *csvTable) refuseNeed(n *csvNeed, reason string) {
	detail := quote(t.cols[n.at])
	if n.times.column != "" {
		detail = quote(t.cols[n.times.at]) + " times " + detail
	}
	t.refuse("need."+n.key+reason, detail)
}

// mostNeeds raises the needs of a stage to those of another task of it.
func mostNeeds(s *policy.Stage, needs []policy.Need) {
	for _, need := range needs {
		at := slices.IndexFunc(s.Needs, func(n policy.Need) bool { return n.Name == need.Name })
		if at < 0 {
			s.Needs = append(s.Needs, need)
		} else {
			s.Needs[at].Amount = max(s.Needs[at].Amount, need.Amount)
		}
	}
}
