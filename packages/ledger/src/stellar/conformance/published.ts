import { createReadStream } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { createGunzip } from 'node:zlib'
import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { PathReporter } from 'io-ts/lib/PathReporter.js'

/** A closed ledger as it was published: `source` and `ledger` name it, `xdr` is its base64 `LedgerCloseMeta`. */
const PublishedLedger = t.type({ source: t.string, group: t.string, ledger: t.number, xdr: t.string })
export type PublishedLedger = t.TypeOf<typeof PublishedLedger>

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
  delta: t.string,
  operations: t.record(t.string, t.string),
})
export type KnownChange = t.TypeOf<typeof KnownChange>

const Index = t.type({ groups: t.array(t.type({ group: t.string, networkPassphrase: t.string })) })

const LEDGERS = 'ledger-close-meta'

const decoded = <A>(codec: t.Decoder<unknown, A>, text: string, file: string): A => {
  const read = codec.decode(JSON.parse(text))
  if (E.isLeft(read)) throw new Error(`${file}: ${PathReporter.report(read).join('; ')}`)
  return read.right
}

async function* linesOf<A>(codec: t.Decoder<unknown, A>, file: string): AsyncGenerator<A> {
  const input = createReadStream(file).pipe(createGunzip())
  for await (const line of createInterface({ input })) if (line !== '') yield decoded(codec, line, file)
}

/** The network passphrases of a folder's groups of ledgers. */
export const passphrasesIn = async (folder: string): Promise<ReadonlyMap<string, string>> => {
  const file = join(folder, LEDGERS, 'index.json')
  const { groups } = decoded(Index, await readFile(file, 'utf8'), file)
  return new Map(groups.map(({ group, networkPassphrase }) => [group, networkPassphrase]))
}

/** A folder's ledgers, one file after the other. */
export async function* ledgersIn(folder: string): AsyncGenerator<PublishedLedger> {
  for (const name of (await readdir(join(folder, LEDGERS))).toSorted())
    if (name.endsWith('.jsonl.gz')) yield* linesOf(PublishedLedger, join(folder, LEDGERS, name))
}

/** What is known of a folder's ledgers. */
export const knownChangesIn = (folder: string): AsyncGenerator<KnownChange> =>
  linesOf(KnownChange, join(folder, 'expected-credits.jsonl.gz'))
