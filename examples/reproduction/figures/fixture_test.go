package main

import (
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"testing"
)

var update = flag.String("update", "", "write to testdata what the figures need of `FILE`, which reproduce -json all wrote")

// The file reproduce.json in testdata is what reproduce wrote, but only the lines that are drawn, without
// notes. The others are of:
//
//	compare -jobs 20 -nodes 4 -load 0.9 -policies fifo,fair,srpt -jobs-csv jobs.csv
//	compare -jobs 40 -nodes 4 -load 0.5 -seed 1 -policies fifo,srpt -json
//	predict -jobs 30 -features user,program -jobs-csv predictions.csv
func TestUpdate(t *testing.T) {
	if *update == "" {
		t.Skip("there is no -update")
	}
	queries := []query{pilotsQuery, slearnQuery, kairosQuery, hopperQuery, queuesQuery, oneQueueQuery, wingQuery, slackQuery, threesigmaQuery}
	text, err := os.ReadFile(*update)
	if err != nil {
		t.Fatal(err)
	}
	lines, err := readLines(*update)
	if err != nil {
		t.Fatal(err)
	}
	var list, kept []map[string]any
	if err := json.Unmarshal(text, &list); err != nil {
		t.Fatal(err)
	}
	for i, l := range lines {
		drawn := false
		for _, q := range queries {
			drawn = drawn || q.has(&l, map[string]string{})
		}
		if drawn {
			delete(list[i], "note")
			delete(list[i], "verdict")
			kept = append(kept, list[i])
		}
	}
	if text, err = json.Marshal(kept); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join("testdata", "reproduce.json"), append(text, '\n'), 0o644); err != nil {
		t.Fatal(err)
	}
}
