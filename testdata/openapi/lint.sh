#!/usr/bin/env bash
# Lints the OpenAPI document of the service with @redocly/cli, which npx fetches. Where there is no npx, or it cannot fetch
# anything, it says so and succeeds.
set -euo pipefail
cd "$(dirname "$0")/../.."

tool=@redocly/cli@2.77.0
if ! command -v npx >/dev/null || ! timeout 120 npx --yes "$tool" --version >/dev/null 2>&1; then
	echo "skipped: $tool cannot be had here"
	exit 0
fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
DOCKET_OPENAPI="$folder/openapi.json" go test -count=1 -run OpenAPI ./cmd/internal/serve >/dev/null
REDOCLY_TELEMETRY=off REDOCLY_SUPPRESS_UPDATE_NOTICE=true npx --yes "$tool" lint --config testdata/openapi/redocly.yaml "$folder/openapi.json"
