import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import type { AccountId } from '@quittance/domain'
import { extractLedger, keyPairFromSeed, type WatchedAccounts } from '@quittance/ledger'
import * as E from 'fp-ts/lib/Either.js'
import { type Benchmark, median } from './report.ts'

const published = join(import.meta.dirname, '../../shared/conformance/ledger-close-meta/mainnet.jsonl.gz')
const networkPassphrase = 'Public Global Stellar Network ; September 2015'
const rounds = 30

/** A recorded mainnet ledger with 163 transactions, in base64. */
const mainnetLedger = (): string => JSON.parse(gunzipSync(readFileSync(published)).toString('utf8')).xdr

const read = (xdr: string) => {
  const ledger = extractLedger(xdr, networkPassphrase)
  if (E.isLeft(ledger)) throw new Error(ledger.left.cause)
  return ledger.right
}

const inMs = (work: () => unknown): number => {
  const startedAt = performance.now()
  work()
  return performance.now() - startedAt
}

const strangers = (count: number): WatchedAccounts => {
  const seed = Buffer.alloc(32)
  return new Set<AccountId>(
    Array.from({ length: count }, (_, number) => {
      seed.writeUInt32BE(number)
      return keyPairFromSeed(seed).accountId
    }),
  )
}

/** The time to find movements of watched accounts in a ledger, beside that of decoding it. */
export const extract: Benchmark = async () => {
  const xdr = mainnetLedger()
  const decoding: Array<number> = []
  const asking = (watched: WatchedAccounts): number => {
    const times = Array.from({ length: rounds }, () => {
      const ledger = read(xdr)
      return inMs(() => ledger.movementsOf(watched))
    })
    return median(times)
  }
  for (let round = 0; round < rounds; round++) decoding.push(inMs(() => read(xdr)))
  return {
    'decoding 163 transactions, ms': median(decoding),
    'movements, 1 watched account without any, ms': asking(strangers(1)),
    'movements, 10,000 such accounts, ms': asking(strangers(10_000)),
    'movements, every account watched, ms': asking({ has: () => true }),
  }
}
