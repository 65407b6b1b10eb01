module example.com/augur/internal/bench

go 1.26.0

require (
	example.com/augur v0.0.0
	github.com/DataDog/sketches-go v1.4.8
	github.com/VividCortex/gohistogram v1.0.0
	github.com/bsm/histogram/v3 v3.0.2
	github.com/caio/go-tdigest v3.1.0+incompatible
	github.com/influxdata/tdigest v0.0.1
	gonum.org/v1/gonum v0.17.0
)

require (
	github.com/leesper/go_rng v0.0.0-20190531154944-a612b043e353 // indirect
	golang.org/x/tools v0.30.0 // indirect
	google.golang.org/protobuf v1.36.11 // indirect
)

replace example.com/augur => ../..
