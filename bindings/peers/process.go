package peers

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"time"
)

// process is a program that can be started repeatedly.
type process struct {
	ctx       context.Context
	program   string
	dir       string
	log       string
	arguments func(rpc, p2p string) []string
	ready     func(ctx context.Context, url string) error

	running *exec.Cmd
	ended   chan struct{} // closed when running has ended
}

// start launches the program and polls until it responds. If the program exits, start tries again with other ports,
// because another process may have occupied a port between its choice and its use.
func (p *process) start() error {
	if p.dir == "" {
		return errors.New("peers: Options.Dir is empty")
	}
	if err := os.MkdirAll(p.dir, 0o700); err != nil {
		return err
	}
	var last error
	for range attempts {
		ports, err := freePorts(2)
		if err != nil {
			return err
		}
		if err := p.launch(append(
			p.arguments(ports[0], ports[1]), "--log-file", filepath.Join(p.dir, p.log),
		)); err != nil {
			return err
		}
		last = p.await("http://127.0.0.1:" + ports[0])
		if last == nil {
			return nil
		}
		_ = p.Kill()
		if !errors.Is(last, errEnded) {
			break
		}
	}
	return fmt.Errorf("peers: %s did not start: %w%s", filepath.Base(p.program), last, p.printed())
}

var errEnded = errors.New("it ended by itself")

func (p *process) launch(args []string) error {
	out, err := os.Create(filepath.Join(p.dir, p.log+".out"))
	if err != nil {
		return err
	}
	defer out.Close()
	cmd := exec.Command(p.program, args...)
	cmd.Stdout, cmd.Stderr, cmd.Dir, cmd.Env = out, out, p.dir, quick()
	separate(cmd)
	ended, started := make(chan struct{}), make(chan error)
	go func() {
		// Linux kills the child when the thread that started it ends, so this goroutine keeps its thread until then.
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		defer close(ended)
		err := cmd.Start()
		started <- err
		if err == nil {
			_ = cmd.Wait()
		}
	}()
	if err := <-started; err != nil {
		return err
	}
	p.running, p.ended = cmd, ended
	go func() {
		select {
		case <-p.ctx.Done():
			killGroup(cmd)
		case <-ended:
		}
	}()
	return nil
}

func (p *process) await(url string) error {
	ctx, cancel := context.WithTimeout(p.ctx, startLimit)
	defer cancel()
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-p.ended:
			return errEnded
		case <-ctx.Done():
			return ctx.Err()
		case <-tick.C:
		}
		one, done := context.WithTimeout(ctx, 10*time.Second)
		err := p.ready(one, url)
		done()
		if err == nil {
			select {
			case <-p.ended: // another program has the port, and responded
				return errEnded
			default:
				return nil
			}
		}
	}
}

// PID returns the process ID of the program, or 0 if it is not running.
func (p *process) PID() int {
	if p.running == nil {
		return 0
	}
	return p.running.Process.Pid
}

// printed returns the beginning and the end of the program's output, for an error message. A program that refuses an
// option first names it and then lists all options.
func (p *process) printed() string {
	text, err := os.ReadFile(filepath.Join(p.dir, p.log+".out"))
	text = bytes.TrimSpace(text)
	if err != nil || len(text) == 0 {
		return ""
	}
	if len(text) > 2000 {
		return fmt.Sprintf("\n%s\n[...]\n%s", text[:1000], text[len(text)-1000:])
	}
	return "\n" + string(text)
}

// stop calls ask, which requests the program to end, and waits until it has ended. After stopLimit, it kills the
// program and returns an error.
func (p *process) stop(ask func(context.Context) error) error {
	if p.running == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), stopLimit)
	defer cancel()
	// The program may end before it has sent its response, so an error matters only if the program does not end.
	asked := ask(ctx)
	select {
	case <-p.ended:
		p.running = nil
		return nil
	case <-ctx.Done():
		_ = p.Kill()
		return fmt.Errorf(
			"peers: %s did not stop when asked: %w", filepath.Base(p.program), errors.Join(asked, ctx.Err()),
		)
	}
}

// Kill ends the program at once, as a power failure would, and waits until it has ended. It may be called twice.
func (p *process) Kill() error {
	if p.running == nil {
		return nil
	}
	killGroup(p.running)
	<-p.ended
	p.running = nil
	return nil
}
