package main

import (
	"cmp"
	"compress/gzip"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
)

// job is a job that has ended.
type job struct {
	id            uint64
	begin         int64   // µs
	runtime       float64 // s
	width         int     // tasks
	user, program string
}

// read returns the jobs that ended, or those that finished, and whose tasks are known, by runtime, then by ID.
func read(jobsFile, tasksFile string, finished bool) ([]job, error) {
	found := make(map[uint64]*job)
	err := table(jobsFile, []string{"job_id", "user", "logical_job_name", "schedule_us", "end_us", "end_event"}, func(f []string) error {
		if f[5] == "" || finished && f[5] != "FINISH" || f[3] == "" || f[3] == "0" {
			return nil // not ended so, or begun before the trace
		}
		id, err := strconv.ParseUint(f[0], 10, 64)
		begin, err2 := strconv.ParseInt(f[3], 10, 64)
		end, err3 := strconv.ParseInt(f[4], 10, 64)
		if err := errors.Join(err, err2, err3); err != nil {
			return err
		}
		if begin < 0 || end <= begin {
			return fmt.Errorf("job %d runs from %d to %d µs, want it to end later than it begins", id, begin, end)
		}
		found[id] = &job{id: id, begin: begin, runtime: float64(end-begin) / 1e6, user: f[1], program: f[2]}
		return nil
	})
	if err != nil {
		return nil, err
	}
	type task struct {
		job   uint64
		index int
	}
	seen := make(map[task]bool)
	err = table(tasksFile, []string{"job_id", "task_index"}, func(f []string) error {
		id, err := strconv.ParseUint(f[0], 10, 64)
		index, err2 := strconv.Atoi(f[1])
		if err := errors.Join(err, err2); err != nil {
			return err
		}
		if j := found[id]; j != nil && !seen[task{id, index}] {
			seen[task{id, index}] = true
			j.width++
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	var jobs []job
	for _, j := range found {
		if j.width > 0 {
			jobs = append(jobs, *j)
		}
	}
	slices.SortFunc(jobs, func(a, b job) int { return cmp.Or(cmp.Compare(a.runtime, b.runtime), cmp.Compare(a.id, b.id)) })
	return jobs, nil
}

// table calls row with the named columns of each row of a gzipped CSV file.
func table(name string, columns []string, row func(fields []string) error) error {
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	r := csv.NewReader(z)
	r.ReuseRecord = true
	header, err := r.Read()
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	places := make([]int, len(columns))
	for i, c := range columns {
		if places[i] = slices.Index(header, c); places[i] < 0 {
			return fmt.Errorf("%s has no column %s", name, c)
		}
	}
	fields := make([]string, len(columns))
	for {
		record, err := r.Read()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		for i, p := range places {
			fields[i] = record[p]
		}
		if err := row(fields); err != nil {
			line, _ := r.FieldPos(0)
			return fmt.Errorf("%s, line %d: %w", name, line, err)
		}
	}
}
