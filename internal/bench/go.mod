module example.com/augur/internal/bench

go 1.26.0

require (
	example.com/augur v0.0.0
	github.com/DataDog/sketches-go v1.4.8
	github.com/VividCortex/gohistogram v1.0.0
	github.com/alitto/pond/v2 v2.5.0
	github.com/bsm/histogram/v3 v3.0.2
	github.com/caio/go-tdigest v3.1.0+incompatible
	github.com/google/go-cmp v0.7.0
	github.com/influxdata/tdigest v0.0.1
	github.com/marcboeker/go-duckdb v1.8.5
	gonum.org/v1/gonum v0.17.0
)

require github.com/panjf2000/ants/v2 v2.12.1

require (
	github.com/apache/arrow-go/v18 v18.1.0 // indirect
	github.com/go-viper/mapstructure/v2 v2.2.1 // indirect
	github.com/goccy/go-json v0.10.5 // indirect
	github.com/google/flatbuffers v25.1.24+incompatible // indirect
	github.com/google/uuid v1.6.0 // indirect
	github.com/klauspost/compress v1.17.11 // indirect
	github.com/klauspost/cpuid/v2 v2.2.9 // indirect
	github.com/pierrec/lz4/v4 v4.1.22 // indirect
	github.com/zeebo/xxh3 v1.0.2 // indirect
	golang.org/x/exp v0.0.0-20250128182459-e0ece0dbea4c // indirect
	golang.org/x/mod v0.23.0 // indirect
	golang.org/x/sync v0.12.0
	golang.org/x/sys v0.30.0 // indirect
	golang.org/x/xerrors v0.0.0-20240903120638-7835f813f4da // indirect
)

require (
	example.com/augur/examples v0.0.0
	github.com/leesper/go_rng v0.0.0-20190531154944-a612b043e353 // indirect
	golang.org/x/tools v0.30.0 // indirect
	google.golang.org/protobuf v1.36.11 // indirect
)

replace example.com/augur => ../..

replace example.com/augur/examples => ../../examples
