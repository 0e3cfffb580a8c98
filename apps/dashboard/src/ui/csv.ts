/** A cell that a spreadsheet does not take for a formula. */
const cell = (text: string): string => {
  const plain = /^[=+\-@\t\r]/.test(text) && !/^[+-]?\d+(\.\d+)?$/.test(text) ? `'${text}` : text
  return /[",\n\r]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain
}

/** Rows by RFC 4180. */
export const csvOf = (rows: ReadonlyArray<ReadonlyArray<string>>): string =>
  rows.map((row) => `${row.map(cell).join(',')}\r\n`).join('')

/** Hands a text to the browser as a file. The mark at its beginning tells spreadsheets that it is UTF-8. */
export const download = (name: string, text: string): void => {
  const url = URL.createObjectURL(new Blob(['\uFEFF', text], { type: 'text/csv' }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  URL.revokeObjectURL(url)
}
