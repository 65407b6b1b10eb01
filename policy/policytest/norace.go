//go:build !race

package policytest

const raceDetector = false
