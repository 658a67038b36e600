package packets

import (
	"reflect"

	"docket/domain/json"
	"docket/domain/terms"
)

// CheckPacket reports every fault of the shape of a packet that Read refuses. No fault holds a value or an
// unknown member's name.
func CheckPacket(root json.Value, tell json.Tell) {
	var parts packetParts
	if packetShape.Check(&parts, root, &Reading{}, "", tell) && parts.record.Exists() {
		CheckRecord(parts.table, parts.record, "/"+RecordMember, tell)
	}
}

// CheckRecord does the same for a record of a packet table that stands at a place.
func CheckRecord(table terms.Table, record json.Value, at string, tell json.Tell) {
	if known, is := recordTables[table]; is {
		known.check(record, at, tell)
	}
}

func (k *kindOf[R]) check(record json.Value, at string, tell json.Tell) {
	if record.End()-record.Offset() <= maxRecordSize {
		k.shape.Check(reflect.ValueOf(new(R)).Elem(), record, &Reading{}, at, tell)
	}
}
