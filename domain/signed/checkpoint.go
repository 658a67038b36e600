package signed

import (
	"encoding/hex"
	"errors"
	"math"

	"github.com/transparency-dev/formats/log"

	"docket/domain/records"
	"docket/domain/terms"
)

// ErrCheckpoint says that a text is not a checkpoint of the service's log.
var ErrCheckpoint = errors.New("it is not a checkpoint of the service's log")

// OpenCheckpoint verifies a checkpoint of the service's log (C2SP tlog-checkpoint) and returns what it signs. The error is
// ErrCheckpoint.
func (k Key) OpenCheckpoint(signed string) (records.LogHead, error) {
	text, ok := k.open(signed)
	if !ok {
		return records.LogHead{}, ErrCheckpoint
	}
	var parsed log.Checkpoint
	rest, err := parsed.Unmarshal([]byte(text))
	if err != nil || len(rest) > 0 || parsed.Size > math.MaxInt64 || parsed.Origin != k.Origin() || string(parsed.Marshal()) != text {
		return records.LogHead{}, ErrCheckpoint
	}
	root, ok := terms.ParseHash("sha256:" + hex.EncodeToString(parsed.Hash))
	if !ok {
		return records.LogHead{}, ErrCheckpoint
	}
	return records.LogHead{Size: int64(parsed.Size), Root: root}, nil
}
