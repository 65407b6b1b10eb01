package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"

	"example.com/augur/predict"
)

// Save takes a snapshot now. Whatever happens meanwhile, a whole one remains: it is written to another file in the
// same directory, whose name begins with FILE. and ends in .new, FILE becomes FILE.old, and the new one becomes FILE.
func (p *Pool) Save() error {
	file := p.config.File
	if file == "" {
		return nil
	}
	p.saving.Lock()
	defer p.saving.Unlock()
	made, err := p.write(file)
	if err != nil {
		return err
	}
	err = os.Rename(file, file+".old")
	if err == nil || errors.Is(err, fs.ErrNotExist) {
		err = os.Rename(made, file)
	}
	if err != nil {
		return errors.Join(err, os.Remove(made))
	}
	return syncDir(filepath.Dir(file))
}

// write writes a snapshot that is to take the place of a file, and returns its name.
func (p *Pool) write(file string) (name string, err error) {
	f, err := os.CreateTemp(filepath.Dir(file), filepath.Base(file)+".*.new") // for its owner only
	if err != nil {
		return "", err
	}
	if info, was := os.Stat(file); was == nil {
		err = f.Chmod(info.Mode().Perm())
	}
	if err == nil {
		err = p.history.Snapshot(f)
	}
	if err == nil {
		err = f.Sync() // else it may get its name before its contents
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return "", errors.Join(err, os.Remove(f.Name()))
	}
	return f.Name(), nil
}

// syncDir makes the names of a directory survive a loss of power. Windows has no way to do that.
func syncDir(name string) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	d, err := os.Open(name)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}

// restore reads the newest snapshot that is whole. An older one takes the place of a damaged one: else
// the next Save would put the damaged one in the place of the whole one.
func (p *Pool) restore() error {
	file := p.config.File
	if file == "" {
		return nil
	}
	damaged := p.read(file)
	if damaged == nil || !errors.Is(damaged, predict.ErrFormat) && !errors.Is(damaged, fs.ErrNotExist) {
		return damaged
	}
	switch err := p.read(file + ".old"); {
	case err == nil:
		return errors.Join(os.Rename(file+".old", file), syncDir(filepath.Dir(file)))
	case !errors.Is(err, fs.ErrNotExist):
		return errors.Join(damaged, err)
	case errors.Is(damaged, fs.ErrNotExist):
		return nil
	}
	return damaged
}

func (p *Pool) read(name string) error {
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	if err := p.history.Restore(f); err != nil {
		return fmt.Errorf("workerpool: %s: %w", name, err)
	}
	return nil
}
