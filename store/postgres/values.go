package postgres

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgtype"
)

// The store has texts, bytes, numbers and truth values. What is sent is a text but for bytes, so that the server finds its type; what comes
// back is binary.

// sentValues are arguments as they are sent, with their formats.
func sentValues(args []any) (values [][]byte, formats []int16, err error) {
	values, formats = make([][]byte, len(args)), make([]int16, len(args))
	for i, arg := range args {
		switch arg := arg.(type) {
		case []byte: // NULL if it is nil
			values[i], formats[i] = arg, pgtype.BinaryFormatCode
		case []int64:
			values[i] = sentList(arg, func(n int64) string { return strconv.FormatInt(n, 10) })
		case []string:
			values[i] = sentList(arg, quoted)
		case [][]byte:
			values[i] = sentList(arg, func(b []byte) string { return `"\\x` + hex.EncodeToString(b) + `"` })
		default:
			switch of := reflect.ValueOf(arg); of.Kind() {
			case reflect.String:
				values[i] = []byte(of.String())
			case reflect.Int, reflect.Int64:
				values[i] = strconv.AppendInt(nil, of.Int(), 10)
			default:
				return nil, nil, fmt.Errorf("argument %d is a %T, which is not sent", i+1, arg)
			}
		}
	}
	return values, formats, nil
}

// sentList is a list as an array in a text; NULL if it is nil.
func sentList[T any](list []T, text func(T) string) []byte {
	if list == nil {
		return nil
	}
	parts := make([]string, len(list))
	for i, one := range list {
		parts[i] = text(one)
	}
	return []byte("{" + strings.Join(parts, ",") + "}")
}

var escape = strings.NewReplacer(`\`, `\\`, `"`, `\"`)

func quoted(text string) string { return `"` + escape.Replace(text) + `"` }

// errNull says that a column is NULL where that was not expected.
var errNull = errors.New("it is NULL")

// scanRow reads the values of a row into variables.
func scanRow(fields []pgconn.FieldDescription, values [][]byte, into []any) error {
	if len(into) != len(values) || len(fields) != len(values) {
		return fmt.Errorf("a row has %d columns instead of %d", len(values), len(into))
	}
	for i, value := range values {
		if err := scanValue(fields[i].DataTypeOID, value, into[i]); err != nil {
			return fmt.Errorf("column %d (%s): %w", i+1, fields[i].Name, err)
		}
	}
	return nil
}

// scanValue reads a value; nil is NULL, which bytes and pointers can hold.
func scanValue(kind uint32, value []byte, into any) error {
	switch into := into.(type) {
	case *[]byte:
		*into = bytes.Clone(value)
		return ofKind(kind, pgtype.ByteaOID, pgtype.TextOID)
	case *passing:
		*into = value
		return ofKind(kind, pgtype.ByteaOID, pgtype.TextOID)
	case **string:
		if *into = nil; value != nil {
			*into = new(string(value))
		}
		return ofKind(kind, pgtype.TextOID)
	case **int64:
		if *into = nil; value == nil {
			return nil
		}
		*into = new(int64)
		return scanValue(kind, value, *into)
	}
	if value == nil {
		return errNull
	}
	switch into := into.(type) {
	case *string:
		*into = string(value)
		return ofKind(kind, pgtype.TextOID, pgtype.NameOID)
	case *int64:
		return scanNumber(kind, value, into)
	case *int:
		var number int64
		err := scanNumber(kind, value, &number)
		*into = int(number)
		return err
	case *bool:
		*into = len(value) == 1 && value[0] == 1
		return ofKind(kind, pgtype.BoolOID)
	}
	of := reflect.ValueOf(into)
	if of.Kind() != reflect.Pointer || of.Elem().Kind() != reflect.String {
		return fmt.Errorf("nothing is read into a %T", into)
	}
	of.Elem().SetString(string(value))
	return ofKind(kind, pgtype.TextOID)
}

func scanNumber(kind uint32, value []byte, into *int64) error {
	switch {
	case kind == pgtype.Int8OID && len(value) == 8:
		*into = int64(binary.BigEndian.Uint64(value))
	case kind == pgtype.Int4OID && len(value) == 4:
		*into = int64(int32(binary.BigEndian.Uint32(value)))
	default:
		return ofKind(kind, pgtype.Int8OID, pgtype.Int4OID)
	}
	return nil
}

// ofKind is an error unless the server's type is one of those.
func ofKind(kind uint32, due ...uint32) error {
	for _, one := range due {
		if kind == one {
			return nil
		}
	}
	return fmt.Errorf("the type %d is not read into it", kind)
}

// A passing document is read where it lies, and is not to be kept.
type passing []byte
