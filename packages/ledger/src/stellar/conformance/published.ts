import { createReadStream } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { pipeline } from 'node:stream'
import { createGunzip } from 'node:zlib'
import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { PathReporter } from 'io-ts/lib/PathReporter.js'

/** A closed ledger as it was published: `source` and `ledger` name it, `xdr` is its base64 `LedgerCloseMeta`. */
const PublishedLedger = t.type({ source: t.string, group: t.string, ledger: t.number, xdr: t.string })
export type PublishedLedger = t.TypeOf<typeof PublishedLedger>

const IntegerText = new t.Type<string, string, unknown>(
  'IntegerText',
  t.string.is,
  (input, context) =>
    typeof input === 'string' && /^-?\d+$/.test(input) ? t.success(input) : t.failure(input, context),
  (text) => text,
)

/**
 * What a published ledger is known to have done to one balance: `delta` in stroops, and its parts by operation index.
 * Fees are left out.
 */
const KnownChange = t.type({
  source: t.string,
  ledger: t.number,
  txHash: t.string,
  account: t.string,
  asset: t.string,
  delta: IntegerText,
  operations: t.record(t.string, IntegerText),
})
export type KnownChange = t.TypeOf<typeof KnownChange>

const Index = t.type({ groups: t.array(t.type({ group: t.string, networkPassphrase: t.string })) })

const LEDGERS = 'ledger-close-meta'

/** A file of the folder is not there, or is not what it should be: nothing can be compared. */
export class FolderUnreadable extends Error {
  override readonly name = 'FolderUnreadable'
}

const unreadable = (file: string, thrown: unknown): FolderUnreadable =>
  new FolderUnreadable(`${file}: ${thrown instanceof Error ? thrown.message : String(thrown)}`)

const decoded = <A>(codec: t.Decoder<unknown, A>, text: string): A => {
  const read = codec.decode(JSON.parse(text))
  if (E.isLeft(read)) throw new Error(PathReporter.report(read).join('; '))
  return read.right
}

async function* linesOf<A>(codec: t.Decoder<unknown, A>, file: string): AsyncGenerator<A> {
  // Whatever fails in either stream ends the reading of lines with its error.
  const input = pipeline(createReadStream(file), createGunzip(), () => undefined)
  try {
    for await (const line of createInterface({ input })) if (line !== '') yield decoded(codec, line)
  } catch (thrown) {
    throw unreadable(file, thrown)
  }
}

/** The network passphrases of a folder's groups of ledgers. */
export const passphrasesIn = async (folder: string): Promise<ReadonlyMap<string, string>> => {
  const file = join(folder, LEDGERS, 'index.json')
  try {
    const { groups } = decoded(Index, await readFile(file, 'utf8'))
    return new Map(groups.map(({ group, networkPassphrase }) => [group, networkPassphrase]))
  } catch (thrown) {
    throw unreadable(file, thrown)
  }
}

/** A folder's ledgers, one file after the other. */
export async function* ledgersIn(folder: string): AsyncGenerator<PublishedLedger> {
  for (const name of (await readdir(join(folder, LEDGERS))).toSorted())
    if (name.endsWith('.jsonl.gz')) yield* linesOf(PublishedLedger, join(folder, LEDGERS, name))
}

/** What is known of a folder's ledgers. */
export const knownChangesIn = (folder: string): AsyncGenerator<KnownChange> =>
  linesOf(KnownChange, join(folder, 'expected-credits.jsonl.gz'))
