package cli

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"example.com/augur/policy"
	"example.com/augur/policy/sim"
	"example.com/augur/policy/workload"
)

// OffersExample is a value of -offers.
const OffersExample = "gpu=8,bandwidth=25:shared"

// ParseOffers reads what each node offers, such as gpu=8,bandwidth=25:shared: 8 devices of one unit each, and 25 units that come
// in no devices.
func ParseOffers(text string) (offers []policy.Offer, err error) {
	for part := range strings.SplitSeq(text, ",") {
		name, amount, _ := strings.Cut(part, "=")
		o := policy.Offer{Name: name, Amount: 1000}
		if units, shared := strings.CutSuffix(amount, ":shared"); shared {
			x, err := Decimal(units)
			if err != nil || !(x >= 0.001 && x <= policy.MaxAmount/1000) {
				return nil, fmt.Errorf("%q: want 0.001 to 1e6 units, such as bandwidth=25:shared", part)
			}
			o.Amount = int64(x*1000 + 0.5)
		} else {
			n, err := strconv.ParseUint(amount, 10, 8)
			if err != nil || n < 1 || n > policy.MaxDevices {
				return nil, fmt.Errorf("%q: want 1 to %d devices, such as gpu=8", part, policy.MaxDevices)
			}
			o.Devices = uint8(n)
		}
		offers = append(offers, o)
	}
	n := policy.Node{ID: 1, Partition: 1, Cores: 1, Speed: 1, Offers: offers}
	return offers, n.Validate()
}

// offered says what nodes offer, as -offers has it.
func offered(offers []policy.Offer) string {
	var list []string
	for i := range offers {
		o := &offers[i]
		if o.Devices > 0 {
			list = append(list, fmt.Sprintf("%s=%d", o.Name, o.Devices))
		} else {
			list = append(list, fmt.Sprintf("%s=%s:shared", o.Name, Exact(float64(o.Amount)/1000)))
		}
	}
	if len(list) == 0 {
		return "nothing"
	}
	return strings.Join(list, ",")
}

// checkNeeds returns an error if a task needs what no node offers, or more of it than a node has, or if no task needs what
// nodes offer.
func (f *ClusterFlags) checkNeeds(js *Jobs) error {
	stock := policy.NewStock(&policy.Node{Offers: f.Offers})
	needed := make(map[string]bool)
	for _, j := range js.List {
		for i := range j.Stages {
			s := &j.Stages[i]
			if len(s.Needs) == 0 {
				continue
			}
			if stock.Fits(s) == 0 {
				return Usagef("a task of job %d needs %s, and nodes offer %s; want -offers of compare with as much, such as gpu=8, or columns without needs", j.ID, needs(s.Needs), offered(f.Offers))
			}
			for _, need := range s.Needs {
				needed[need.Name] = true
			}
		}
	}
	for i := range f.Offers {
		if name := f.Offers[i].Name; !needed[name] {
			return Usagef("nodes offer %s, which no job of %s needs, want -columns that read it, such as need.%s=COLUMN, philly_needs or alibaba_gpu_needs", name, js.Name, name)
		}
	}
	return nil
}

func needs(list []policy.Need) string {
	var text []string
	for _, n := range list {
		text = append(text, fmt.Sprintf("%s %s", Exact(float64(n.Amount)/1000), n.Name))
	}
	return strings.Join(text, " and ")
}

// Loads returns the load that jobs, in order of submission, offer to each named resource of the nodes, as [workload.Measure] has
// that of their cores; nil if the nodes offer none.
func Loads(jobs []*workload.Job, nodes []policy.Node) map[string]float64 {
	all := capacity(nodes)
	if len(all) == 0 {
		return nil
	}
	loads := make(map[string]float64)
	for name, amount := range all {
		loads[name] = workload.Measure(inPlaceOfCores(jobs, name)).Load(float64(amount))
	}
	return loads
}

// Loaded says in words what loads are. There must be at least one.
func Loaded(loads map[string]float64) string {
	var list []string
	for _, name := range slices.Sorted(maps.Keys(loads)) {
		list = append(list, fmt.Sprintf("%s %.2f", name, loads[name]))
	}
	return strings.Join(list, ", ")
}

// inPlaceOfCores returns jobs whose tasks take as many cores as the given ones need thousandths of a resource.
func inPlaceOfCores(jobs []*workload.Job, name string) []*workload.Job {
	list := make([]*workload.Job, len(jobs))
	for i, j := range jobs {
		x := *j
		x.Stages = slices.Clone(j.Stages)
		for k := range x.Stages {
			s := &x.Stages[k]
			s.Cores = 0
			for _, need := range s.Needs {
				if need.Name == name {
					s.Cores = int32(need.Amount) // at most policy.MaxAmount
				}
			}
		}
		list[i] = &x
	}
	return list
}

// capacity returns the thousandths of each named resource that nodes offer.
func capacity(nodes []policy.Node) map[string]int64 {
	all := make(map[string]int64)
	for i := range nodes {
		for k := range nodes[i].Offers {
			o := &nodes[i].Offers[k]
			all[o.Name] += o.All()
		}
	}
	return all
}

// scarcity returns how many times the load of the scarcest resource is that of the cores, at least 1.
func (f *ClusterFlags) scarcity(js *Jobs) float64 {
	node := []policy.Node{{Offers: f.Offers}}
	cores := workload.Measure(js.List).Load(float64(f.Cores))
	most := 1.0
	for _, load := range Loads(js.List, node) {
		if cores > 0 && load > 0 {
			most = max(most, load/cores)
		}
	}
	return most
}

// InUse sums up what copies have of named resources, from an instant to the last submission.
type InUse struct {
	jobs     map[policy.JobID]*workload.Job
	from, to policy.Time
	sums     map[string]float64 // thousandths times nanoseconds
}

// NewInUse begins the sum for a run of jobs, which are in order of submission. There is at least one.
func NewInUse(jobs []*workload.Job, from policy.Time) *InUse {
	u := &InUse{make(map[policy.JobID]*workload.Job), from, jobs[len(jobs)-1].Submitted, make(map[string]float64)}
	for _, j := range jobs {
		u.jobs[j.ID] = j
	}
	return u
}

// Add adds a time during which a copy was on a node: for the Span of a [sim.Monitor].
func (u *InUse) Add(s sim.Span) {
	stage := &u.jobs[s.Copy.Job].Stages[s.Copy.Stage]
	overlap := float64(min(s.End, u.to)) - float64(max(s.Begin, u.from))
	tasks := float64(s.Cores / int64(stage.Cores))
	for _, need := range stage.Needs {
		if overlap > 0 {
			u.sums[need.Name] += overlap * tasks * float64(need.Amount)
		}
	}
}

// Shares returns the share of each named resource of the nodes that was in use, in the mean over the time. It is nil if that time
// is empty.
func (u *InUse) Shares(nodes []policy.Node) map[string]float64 {
	span := float64(u.to.Sub(u.from))
	if span <= 0 {
		return nil
	}
	shares := make(map[string]float64)
	for name, amount := range capacity(nodes) {
		shares[name] = u.sums[name] / (span * float64(amount))
	}
	return shares
}
