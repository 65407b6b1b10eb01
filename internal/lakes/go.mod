module example.com/augur/internal/lakes

go 1.26.0

require example.com/augur v0.0.0

require gonum.org/v1/gonum v0.17.0 // indirect

replace example.com/augur => ../..
