package peers

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"syscall"
	"time"
)

// answerLimit is the maximum size of a response in bytes, far above that of any response in tests.
const answerLimit = 1 << 30

// direct ignores the proxies of the environment, because the services listen on this machine.
var direct = &http.Client{
	Transport: &http.Transport{Proxy: nil, MaxIdleConnsPerHost: 8, IdleConnTimeout: 5 * time.Second},
}

// Client sends requests to one service. Without a Login it sends no credentials.
type Client struct {
	URL   string // http://host:port
	Login string // user:password for digest authentication
}

// Error is the error of a response: that of JSON-RPC, or an HTTP status other than 200.
type Error struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
}

func (e *Error) Error() string { return fmt.Sprintf("%s (%d)", e.Message, e.Code) }

// JSON calls a method of /json_rpc and decodes the result into out. Without params, it sends none; if out is nil, it
// discards the result. It returns an *Error if the service returns an error.
func (c Client) JSON(ctx context.Context, method string, params, out any) error {
	request := map[string]any{"jsonrpc": "2.0", "id": "0", "method": method}
	if params != nil {
		request["params"] = params
	}
	var answer struct {
		Result json.RawMessage `json:"result"`
		Error  *Error          `json:"error"`
	}
	if err := again(method, func() error { return c.Path(ctx, "/json_rpc", request, &answer) }); err != nil {
		return fmt.Errorf("%s: %w", method, err)
	}
	if answer.Error != nil {
		return fmt.Errorf("%s: %w", method, answer.Error)
	}
	if out == nil {
		return nil
	}
	return json.Unmarshal(answer.Result, out)
}

// Path posts req as JSON to a plain path of the daemon, such as /get_transactions, and decodes the response into out.
// If req is nil, it posts an empty object; if out is nil, it discards the response.
func (c Client) Path(ctx context.Context, path string, req, out any) error {
	if req == nil {
		req = struct{}{}
	}
	body, err := json.Marshal(req)
	if err != nil {
		return err
	}
	var answer []byte
	if err = again(path, func() (err error) {
		answer, err = c.post(ctx, path, "application/json", body)
		return err
	}); err != nil {
		return err
	}
	if out == nil {
		return nil
	}
	return json.Unmarshal(answer, out)
}

// Binary posts bytes to a .bin path of the daemon and returns the body of the response.
func (c Client) Binary(ctx context.Context, path string, body []byte) ([]byte, error) {
	var answer []byte
	err := again(path, func() (err error) {
		answer, err = c.post(ctx, path, "application/octet-stream", body)
		return err
	})
	return answer, err
}

// lost reports whether the connection ended before the response, so that it is unknown whether the request was carried
// out. On a busy machine, the packaged programs drop about one connection in ten thousand.
func lost(err error) bool {
	return errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, syscall.ECONNRESET) ||
		errors.Is(err, syscall.EPIPE)
}

// again sends a request, and repeats it if its connection was lost and it is repeatable.
func again(name string, ask func() error) error {
	err := ask()
	for n := 1; n < attempts && lost(err) && repeatable(strings.TrimPrefix(name, "/")); n++ {
		err = ask()
	}
	return err
}

// repeatable reports whether an operation is idempotent.
func repeatable(name string) bool {
	for _, beginning := range []string{"get_", "check_", "is_", "rescan_"} {
		if strings.HasPrefix(name, beginning) {
			return true
		}
	}
	switch name {
	case "refresh", "auto_refresh", "open_wallet", "store", "query_key", "incoming_transfers", "describe_transfer",
		"validate_address", "verify",
		"calc_pow", "flush_txpool", "hard_fork_info", "on_get_block_hash", "sync_info":
		return true
	}
	return false
}

func (c Client) post(ctx context.Context, path, kind string, body []byte) ([]byte, error) {
	status, challenge, answer, err := c.once(ctx, path, kind, body, "")
	if err == nil && status == http.StatusUnauthorized && c.Login != "" {
		var proof string
		if proof, err = digest(challenge, c.Login, path); err != nil {
			return nil, err
		}
		status, _, answer, err = c.once(ctx, path, kind, body, proof)
	}
	if err != nil {
		return nil, err
	}
	if status != http.StatusOK {
		return nil, &Error{Code: status, Message: "HTTP " + http.StatusText(status)}
	}
	return answer, nil
}

func (c Client) once(
	ctx context.Context, path, kind string, body []byte, proof string,
) (status int, challenge []string, answer []byte, err error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, c.URL+path, bytes.NewReader(body))
	if err != nil {
		return 0, nil, nil, err
	}
	req.Header.Set("Content-Type", kind)
	if proof != "" {
		req.Header.Set("Authorization", proof)
	}
	res, err := direct.Do(req)
	if err != nil {
		return 0, nil, nil, err
	}
	defer res.Body.Close()
	answer, err = io.ReadAll(io.LimitReader(res.Body, answerLimit))
	return res.StatusCode, res.Header.Values("Www-Authenticate"), answer, err
}
