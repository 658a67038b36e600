package ui

import (
	"context"
	"errors"
	"testing"

	"docket/ui/action"
)

func TestAnExportIsAskedForItsFolderAndAnnounced(t *testing.T) {
	b, workbench := withRecords(t, 1)
	b.console.export.Folder = "/home/marsh/docket-export"
	folder := ""
	workbench.Exporting = func(_ context.Context, into string) error { folder = into; return nil }
	b.press("e")
	b.shows("/home/marsh/docket-export")
	b.press("type -2", "enter")
	b.shows("✓ Exported", "1 record exported to /home/marsh/docket-export-2", "read back")
	if folder != "/home/marsh/docket-export-2" {
		t.Errorf("exported to %q", folder)
	}
}

func TestAnExportThatFailsIsAnAlarm(t *testing.T) {
	b, workbench := withRecords(t, 1)
	workbench.Exporting = func(context.Context, string) error { return errors.New("the folder holds something else") }
	b.press("e", "type x", "enter")
	b.shows("Nothing was exported", "the folder holds something else")
	if b.console.scene.StopExport != nil {
		t.Error("it still is under way")
	}
}

func TestEscStopsAnExport(t *testing.T) {
	b, workbench := withRecords(t, 1)
	workbench.Exporting = func(ctx context.Context, _ string) error { return ctx.Err() }
	b.hold = true
	b.press("e", "type x", "enter")
	b.shows("exporting", "Esc stops it")
	b.press("e")
	b.shows("✗ an export is running")
	b.press("q")
	b.shows("An export is running")
	b.press("enter", "esc")
	b.release()
	b.at(action.InRecords)
	b.shows("the export was stopped; the folder is unchanged")
	b.press("esc")
	b.at(action.InQueue)
}

func TestAnExportThatEndsDuringOtherWorkInterruptsNothing(t *testing.T) {
	b, _ := withRecords(t, 1)
	b.hold = true
	b.press("e", "type x", "enter")
	held := b.held
	b.hold, b.held = false, nil
	b.press("esc", "b", ":")
	b.held = held
	b.release()
	b.shows("Every action")
}

func TestWithoutARecordThereIsNothingToExport(t *testing.T) {
	b, _ := sample(t, 80, 24)
	b.press("r", "e")
	b.shows("✗ there is no record to export")
}
