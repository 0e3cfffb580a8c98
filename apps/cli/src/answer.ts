/** What a command found or did: for programs, and the same for people. Status 1: what was asked about is not in order. */
export type Answer = { readonly status: 0 | 1; readonly json: unknown; readonly text: string }

/** Lines with the columns of one under the other. */
export const table = (rows: ReadonlyArray<ReadonlyArray<string>>): string => {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => (row[column] ?? '').length)))
  return rows
    .map((row) =>
      row
        .map((cell, column) => printable(cell).padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

/** Control characters become `�`, one for one: what a damaged or forged log holds must not steer the terminal. */
export const printable = (text: string): string => text.replace(/\p{Cc}/gu, '\uFFFD')
