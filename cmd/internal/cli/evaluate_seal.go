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
	"docket/domain/rules"
	"docket/domain/shape"
	"docket/domain/views"
	"docket/domain/visible"
)

// newEvaluate evaluates without a store and without a clock.
func newEvaluate(p *program) *cobra.Command {
	return command("evaluate", 0, 1, func(cmd *cobra.Command, args []string) error {
		name := inputOf(args)
		return p.withInput(name, func(in io.Reader) error { return p.evaluate(cmd.Context(), name, in) })
	})
}

// evaluate answers line by line. Its output is buffered until the input ends or fails.
func (p *program) evaluate(ctx context.Context, name string, in io.Reader) (err error) {
	out := bufio.NewWriterSize(p.Out, 1<<16)
	defer func() { err = errors.Join(err, out.Flush()) }()
	var reader packets.Reader
	var buf []byte
	failed, answers := false, 0
	write := func() error {
		answers++
		buf = append(buf, '\n')
		_, err := out.Write(buf)
		return err
	}
	refuse := func(line int, fault shape.Fault, all ...shape.Fault) error {
		failed = true
		buf = views.AppendRefusal(buf[:0], line, fault, all...)
		return write()
	}
	var writeErr error
	err = contracts.ReadLines(ctx, name, in, contracts.TextHandler{
		Text: func(line int, text []byte) (*shape.Fault, error) {
			question, fault := rules.ReadInput(&reader, text)
			if fault != nil {
				all := contracts.ExplainInput(text, fault)
				return nil, refuse(line, contracts.Foremost(fault, all), all...)
			}
			buf = views.AppendAnswer(buf[:0], &question, rules.Evaluate(&question))
			return nil, write()
		},
		Refused: func(r contracts.Refusal) {
			writeErr = errors.Join(writeErr, refuse(r.Line, shape.Fault{Pointer: r.Pointer, Reason: r.Reason}))
		},
	})
	err = errors.Join(err, writeErr)
	switch {
	case err == nil && failed:
		err = errReported
	case err == nil && answers == 0:
		p.noteEmpty(name, "docket evaluate --help")
	}
	return err
}

// noteEmpty says that an input held nothing, so that nobody takes silence for an answer.
func (p *program) noteEmpty(name, help string) {
	if name == standardInput {
		fmt.Fprintf(p.Err, "nothing came from standard input; `%s` says what is read\n", help)
		return
	}
	fmt.Fprintf(p.Err, "%s is empty; `%s` says what is read\n", visible.String(name), help)
}

// newSeal fills in the hashes of handwritten packets.
func newSeal(p *program) *cobra.Command {
	return command("seal", 0, 1, func(cmd *cobra.Command, args []string) error {
		name := inputOf(args)
		return p.withInput(name, func(in io.Reader) error { return p.seal(cmd.Context(), name, in) })
	})
}

func (p *program) seal(ctx context.Context, name string, in io.Reader) (err error) {
	out := bufio.NewWriter(p.Out)
	defer func() { err = errors.Join(err, out.Flush()) }()
	var sealer packets.Sealer
	failed, count := false, 0
	err = contracts.ReadTexts(ctx, name, in, contracts.TextHandler{
		Text: func(_ int, text []byte) (*shape.Fault, error) {
			sealed, fault := sealer.Seal(text)
			if fault != nil {
				return fault, nil
			}
			count++
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
	switch {
	case err == nil && failed:
		err = errReported
	case err == nil && count == 0:
		p.noteEmpty(name, "docket seal --help")
	}
	return err
}
