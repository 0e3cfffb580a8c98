import type { HistoryEntry } from '@quittance/billing'

const columns: ReadonlyArray<readonly [name: string, cell: (entry: HistoryEntry) => string | number | null]> = [
  ['occurred_at', (each) => each.occurred_at],
  ['recorded_at', (each) => each.recorded_at],
  ['resource', (each) => each.resource.object],
  ['resource_id', (each) => each.resource.id],
  ['type', (each) => each.type],
  ['what', (each) => each.what],
  ['why', (each) => each.why],
  ['cause', (each) => each.cause.type],
  ['cause_entry_id', (each) => each.cause.entry_id],
  ['actor', (each) => each.actor],
  ['status', (each) => each.status],
  ['price', (each) => each.price?.amount ?? null],
  ['currency', (each) => each.price?.currency ?? null],
  ['rates', (each) => each.rates.map(({ pair, rate, source }) => `${pair} ${rate} (${source})`).join('; ')],
  ['amount', (each) => each.amount],
  ['asset_id', (each) => each.asset_id],
  ['transaction_hash', (each) => each.transaction_hash],
  ['ledger', (each) => each.ledger],
  ['id', (each) => each.id],
  ['command_id', (each) => each.command_id],
  ['correlation_id', (each) => each.correlation_id],
]

/** A text that a spreadsheet would take for a formula is shown as a text. */
const cell = (value: string | number | null): string => {
  const text = String(value ?? '')
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** A history as CSV (RFC 4180), with a line of names. */
export const asCsv = (entries: ReadonlyArray<HistoryEntry>): string =>
  [columns.map(([name]) => name), ...entries.map((each) => columns.map(([, value]) => cell(value(each))))]
    .map((row) => row.join(','))
    .join('\r\n')
