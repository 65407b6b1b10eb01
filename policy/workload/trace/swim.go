package trace

import (
	"bytes"
	"fmt"
	"math"

	"example.com/augur/internal/limits"
	"example.com/augur/internal/saturate"
	"example.com/augur/policy"
	"example.com/augur/policy/workload"
)

const (
	// swimBlock is the number of bytes that a map task reads, the block of Hadoop 1, and that a
	// reduce task reads and writes, as in SWIM's examples.
	swimBlock = 64 << 20
	// swimThroughput is the default of ReaderConfig.Throughput, bytes/s: about that of a disk.
	swimThroughput = 1e8
	// swimBytes and swimTasks bound sizes and the tasks of a stage, of which the samples of 2010 have up to 1,268,906.
	swimBytes = 1 << 53
	swimTasks = 1 << 21
)

// swimParser reads the samples of SWIM. The columns are the job's name, its submission (s), the gap before it (ignored), the
// bytes that its map tasks read, that it shuffles, and that it puts out, and the path of its input, which may be missing.
//
// # Source
//
// Y. Chen, A. Ganapathi, R. Griffith and R. Katz, "The case for evaluating MapReduce performance using workload suites",
// MASCOTS 2011. The number of reduce tasks is that of the suite's GenerateReplayScript, without its bound by the size of a
// cluster; it has one also for jobs without shuffle, which here are map-only, as Hadoop runs them.
func swimParser(c *ReaderConfig) (parser, error) {
	throughput := c.Throughput
	if throughput == 0 {
		throughput = swimThroughput
	}
	if !(throughput >= 1) || math.IsInf(throughput, 0) {
		return nil, fmt.Errorf("trace: throughput is %v bytes/s, want a finite number of at least 1, or 0 for %v", throughput, swimThroughput)
	}
	return &eachLine{parse: func(texts *interned, line []byte) (*workload.Job, *problem) {
		var cols [7][]byte
		n := 0
		for more := true; more && n < len(cols); n++ {
			cols[n], line, more = bytes.Cut(line, []byte("\t"))
		}
		if n < len(cols)-1 {
			return nil, &problem{"fewer than 6 columns", fmt.Sprintf("got %d", n)}
		}
		var f faults
		submitted := f.seconds(cols[1], "submission")
		input, shuffle, output := f.amount(cols[3], "input", swimBytes), f.amount(cols[4], "shuffle", swimBytes), f.amount(cols[5], "output", swimBytes)
		if f.wrong != nil {
			return nil, f.wrong
		}
		maps, reduces := max(math.Ceil(input/swimBlock), 1), 0.0
		if shuffle > 0 {
			reduces = max(math.Round((shuffle+output)/swimBlock), 1)
		}
		if maps > swimTasks || reduces > swimTasks {
			return nil, &problem{"more than 2^21 map or reduce tasks", fmt.Sprintf("%v map, %v reduce", maps, reduces)}
		}
		j := new(workload.Job)
		if reduces == 0 {
			f.addStage(j, saturate.To[int](maps), (input+output)/throughput)
		} else {
			f.addStage(j, saturate.To[int](maps), input/throughput)
			f.addStage(j, saturate.To[int](reduces), (shuffle+output)/throughput)
			j.Stages[1].Reads = []policy.Dep{{Stage: 0}}
		}
		if f.wrong != nil {
			return nil, f.wrong
		}
		if n == len(cols) && len(cols[6]) > 0 {
			j.Attrs = []policy.Attr{{Name: "input", Value: texts.get(cols[6])}}
		}
		j.Name, j.Submitted = string(cols[0]), policy.Time(submitted)
		return j, nil
	}}, nil
}

// addStage adds a stage of tasks of one core that share so many seconds of work evenly.
func (f *faults) addStage(j *workload.Job, tasks int, work float64) {
	each := work / float64(tasks)
	if each > limits.Seconds {
		f.refuse("a task runs for more than 1e9 s", fmt.Sprintf("%v s", each))
	}
	stage := uniform(tasks, nanoseconds(each))
	j.Stages, j.Runtimes = append(j.Stages, stage.Stages...), append(j.Runtimes, stage.Runtimes...)
}

// looksSWIM accepts a row of 6 columns or more whose first is no number.
func looksSWIM(first []byte) bool {
	cols := bytes.Split(first, []byte("\t"))
	if len(cols) < 6 {
		return false
	}
	for i, text := range cols[:6] {
		if _, ok := finite(text); ok != (i > 0) {
			return false
		}
	}
	return true
}
