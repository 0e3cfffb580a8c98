import { Buffer } from 'node:buffer'

// PostgreSQL's text holds every character but NUL, and the literals of its arrays write control characters in another
// way than JSON. So control characters of names (streams, ids, types) are stored as a backslash and two hex digits, and
// so is the backslash. Each character is written by itself, so a prefix of a name stays one.

const written = /[^ -\uffff]|\\/g
const read = /\\([01][0-9a-f]|5c)/g

/** A stream, an id or a type as it is stored. */
export const storedName = (name: string): string =>
  name.replace(written, (character) => `\\${character.charCodeAt(0).toString(16).padStart(2, '0')}`)

/** What an entry of an index holds, with room for the revision beside it. */
const longestStreamBytes = 2_000

/** Errors: throws `RangeError` for a stream's name that no index holds, or it would fail all appends of its commit. */
export const requireStreamName = (stream: string): void => {
  const bytes = Buffer.byteLength(storedName(stream))
  if (bytes > longestStreamBytes) throw new RangeError(`The name of a stream is too long: ${bytes} bytes`)
}

/** The stream, the id or the type that is stored in this way. */
export const readName = (stored: string): string =>
  stored.includes('\\')
    ? stored.replace(read, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    : stored

/**
 * The literal of a `text[]`. The texts hold no control characters, of which JSON writes more than PostgreSQL reads; then
 * JSON's own writer is the quickest.
 */
export const textArray = (texts: ReadonlyArray<string>): string => `{${JSON.stringify(texts).slice(1, -1)}}`
