package pool_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log"
	"os"
	"path/filepath"

	"example.com/augur/policy/pool"
	"example.com/augur/predict"
)

// openPool makes a pool that knows what the last one learned, if the file is there.
func openPool(file string) (*pool.Pool, error) {
	p, err := pool.New(pool.Config{Order: pool.Shortest, Predict: predict.Config{Features: []string{"kind"}}})
	if err != nil {
		return nil, err
	}
	f, err := os.Open(file)
	if errors.Is(err, fs.ErrNotExist) {
		return p, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if err := p.Load(f); err != nil && !errors.Is(err, predict.ErrConfig) { // with another HalfLife it begins anew
		return nil, err
	}
	return p, nil
}

// save replaces the file by what the pool has learned. Whatever happens meanwhile, a whole file remains.
func save(p *pool.Pool, file string) error {
	f, err := os.CreateTemp(filepath.Dir(file), filepath.Base(file)+".*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name()) // if it still has that name
	if err := errors.Join(p.Save(f), f.Sync(), f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), file)
}

// What a pool has learned outlives the program. Save it when the program ends, and now and then before.
func Example_restart() {
	dir, err := os.MkdirTemp("", "pool")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "runtimes")
	for range 2 {
		p, err := openPool(file)
		if err != nil {
			log.Fatal(err)
		}
		task, err := p.Submit(context.Background(), predict.Attrs{"kind": "mail"}, func(context.Context) error { return nil })
		if err != nil {
			log.Fatal(err)
		}
		if err := errors.Join(task.Wait(), p.Close(context.Background()), save(p, file)); err != nil {
			log.Fatal(err)
		}
		fmt.Println("saved")
	}
	// Output:
	// saved
	// saved
}
