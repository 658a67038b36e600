package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"docket/contracts"
	"docket/domain/packets"
	"docket/domain/shape"
	"docket/domain/visible"
)

// newSeal fills in the hashes of handwritten packets.
func newSeal(p *program) *cobra.Command {
	return &cobra.Command{
		Use:   "seal [FILE]",
		Short: "Fill in the hashes of handwritten packets",
		Long: "Reads packets (one, an array, or JSON Lines) from FILE or standard input and prints each as one line with\n" +
			"policyHash, scopeHash, caseHash or amendmentHash filled in. A case or amendment without a policyHash gets the hash\n" +
			"of the policy it names, if that policy came before it. Private members are left out; a text with private details is\n" +
			"refused.",
		Args: argumentCount(0, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return p.withInput(args, func(name string, in io.Reader) error { return p.seal(cmd.Context(), name, in) })
		},
	}
}

func (p *program) seal(ctx context.Context, name string, in io.Reader) (err error) {
	out := bufio.NewWriter(p.Out)
	defer func() { err = errors.Join(err, out.Flush()) }()
	var sealer packets.Sealer
	failed := false
	err = contracts.ReadTexts(ctx, name, in, contracts.TextHandler{
		Text: func(_ int, text []byte) (*shape.Fault, error) {
			sealed, fault := sealer.Seal(text)
			if fault != nil {
				return fault, nil
			}
			_, err := out.Write(append(sealed, '\n'))
			return nil, err
		},
		Explain: contracts.ExplainPacket,
		Refused: func(r contracts.Refusal) {
			failed = true
			for _, fault := range r.All() {
				fmt.Fprintln(p.Err, visible.String(fault.Error()))
			}
		},
	})
	if err == nil && failed {
		err = errReported
	}
	return err
}
