package witness

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"docket/domain/terms"
	"docket/domain/visible"
)

// The protocol is C2SP tlog-witness: POST PREFIX/add-checkpoint with the size that the witness saw,
// a consistency proof from that size, an empty line and the signed checkpoint; 200 has the
// cosignature, 409 the size that the witness saw.
const (
	addCheckpoint = "/add-checkpoint"
	sizeMedia     = "text/x.tlog.size"
	mostProof     = 63
	// mostAnswer is the size of the largest answer that is read, in bytes.
	mostAnswer = 16 << 10
)

// The errors of a request to a witness.
var (
	errUnreachable = errors.New("it cannot be reached")
	errUnreadable  = errors.New("its answer is not one of a witness")
)

// A conflict says that the witness saw another size of the log than the proof begins with.
type conflict struct{ size int64 }

func (c *conflict) Error() string { return fmt.Sprintf("it saw %d entries of the log", c.size) }

// A refusal is an answer that the protocol knows, other than a cosignature or a conflict.
type refusal struct {
	status int
	said   string // one line of the witness, safe to print
}

func (r *refusal) Error() string {
	if r.said == "" {
		return fmt.Sprintf("status %d", r.status)
	}
	return fmt.Sprintf("status %d: %s", r.status, r.said)
}

// add submits the checkpoint and returns lines that should be cosignatures; the error is a
// *conflict, a *refusal, or wraps errUnreachable or errUnreadable.
func (s *submission) add(ctx context.Context, old int64, proof []terms.Hash) (lines []byte, err error) {
	to := *s.base
	to.Path += addCheckpoint
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, to.String(), bytes.NewReader(requestBody(old, proof, s.checkpoint)))
	if err != nil {
		return nil, fmt.Errorf("%w: the request cannot be made", errUnreachable)
	}
	request.Header.Set("User-Agent", "docket")
	response, err := s.http.Do(request)
	if err != nil {
		return nil, unreachable(err)
	}
	defer func() { _ = response.Body.Close() }() // only read
	body, err := io.ReadAll(io.LimitReader(response.Body, mostAnswer+1))
	if err != nil {
		return nil, unreachable(err)
	}
	if len(body) > mostAnswer {
		return nil, fmt.Errorf("%w: it is larger than %d KiB", errUnreadable, mostAnswer>>10)
	}
	switch status := response.StatusCode; {
	case status == http.StatusOK:
		return body, nil
	case status == http.StatusConflict:
		return nil, conflictOf(response.Header.Get("Content-Type"), body)
	case status >= 300 && status < 400:
		return nil, fmt.Errorf("%w: it redirects, which is refused", errUnreadable)
	case status < http.StatusBadRequest:
		return nil, fmt.Errorf("%w: status %d", errUnreadable, status)
	}
	return nil, &refusal{response.StatusCode, firstLine(body)}
}

func requestBody(old int64, proof []terms.Hash, checkpoint []byte) []byte {
	var body bytes.Buffer
	fmt.Fprintf(&body, "old %d\n", old)
	for _, hash := range proof {
		raw, _ := hex.DecodeString(strings.TrimPrefix(hash.String(), "sha256:")) // a Hash is hex
		body.WriteString(base64.StdEncoding.EncodeToString(raw) + "\n")
	}
	body.WriteString("\n")
	body.Write(checkpoint)
	return body.Bytes()
}

// conflictOf reads the size that a witness saw, without its media type, which some do not send.
func conflictOf(media string, body []byte) error {
	kind, _, err := mime.ParseMediaType(media)
	digits, ended := strings.CutSuffix(string(body), "\n")
	size, failed := strconv.ParseInt(digits, 10, 64)
	if media != "" && (err != nil || kind != sizeMedia && kind != "text/plain") || !ended ||
		failed != nil || size < 0 || strconv.FormatInt(size, 10) != digits {
		return fmt.Errorf("%w: the size that it saw cannot be read", errUnreadable)
	}
	return &conflict{size}
}

// unreachable returns why there is no answer, without the address.
func unreachable(err error) error {
	var failed *url.Error
	if errors.As(err, &failed) {
		err = failed.Err
	}
	if errors.Is(err, context.DeadlineExceeded) {
		return fmt.Errorf("%w: it did not answer in time", errUnreachable)
	}
	return fmt.Errorf("%w: %w", errUnreachable, err)
}

const mostSaid = 200

// firstLine returns the first line of an answer, safe to print.
func firstLine(body []byte) string {
	line, _, _ := strings.Cut(strings.TrimSpace(string(body)), "\n")
	text := []rune(visible.String(strings.ToValidUTF8(line, "�")))
	return string(text[:min(len(text), mostSaid)])
}
