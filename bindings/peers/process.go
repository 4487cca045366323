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

// process is one program under our control, started again as often as asked.
type process struct {
	ctx       context.Context
	program   string
	dir       string
	log       string
	arguments func(rpc, p2p string) []string
	ready     func(ctx context.Context, url string) error

	running *exec.Cmd
	ended   chan struct{} // closed when running has been waited for
}

// start launches the program and polls until it answers. A program that ends by itself is tried again with other
// ports: between our choice of a port and its use another process may have taken it.
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
		if err := p.launch(append(p.arguments(ports[0], ports[1]), "--log-file", filepath.Join(p.dir, p.log))); err != nil {
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
		// Linux ties a child's life to the thread that started it, so this one stays until the child's end.
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
			case <-p.ended: // then another program answered on the port we lost
				return errEnded
			default:
				return nil
			}
		}
	}
}

// PID returns the number of the running program's process, 0 when it does not run.
func (p *process) PID() int {
	if p.running == nil {
		return 0
	}
	return p.running.Process.Pid
}

// printed returns how the program's output began and ended, for an error message. Refusing an option, the programs
// first name it, then explain every option they have.
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

// stop asks politely, then waits.
func (p *process) stop(ask func(context.Context) error) error {
	if p.running == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), stopLimit)
	defer cancel()
	// The answer may be cut off by the end it asks for: only the end counts.
	asked := ask(ctx)
	select {
	case <-p.ended:
		p.running = nil
		return nil
	case <-ctx.Done():
		_ = p.Kill()
		return fmt.Errorf("peers: %s did not stop when asked: %w", filepath.Base(p.program), errors.Join(asked, ctx.Err()))
	}
}

// Kill ends the program at once, as a power cut would, and waits until it is gone. Killing twice is harmless.
func (p *process) Kill() error {
	if p.running == nil {
		return nil
	}
	killGroup(p.running)
	<-p.ended
	p.running = nil
	return nil
}
