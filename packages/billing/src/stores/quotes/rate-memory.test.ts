import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { AcceptedAsset, asText, CurrencyCode, cents, type UnixMs, unixMs } from '@quittance/domain'
import { decoded } from '@quittance/domain/testing'
import { openDatabase, runNow, sqlitePrograms } from '@quittance/event-store/sqlite'
import { type LegMemory, type RateSource, rational } from '@quittance/ledger'
import fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { openTables } from '../tables.ts'
import { openStoreDatabase } from '../testing/store-database.ts'
import { quoter } from './quoter.ts'
import { rateMemory } from './rate-memory.ts'

const wednesday = Date.UTC(2026, 10, 4, 12)
const price = { _tag: 'fiat' as const, cents: cents(1000n), currency: decoded(CurrencyCode, 'USD') }
const xlm = decoded(AcceptedAsset, { assetId: 'native', description: 'XLM', pegged: false })

/** Two sources that say the same, at any time that they are asked for. */
const saying = (rate: string): RateSource => ({
  observe: (pairs, at) =>
    TE.right(
      pairs.flatMap((pair) =>
        ['a', 'b'].map((source) => ({
          source: asText(source),
          pair: asText(pair),
          rate: asText(rate),
          observedAt: at,
        })),
      ),
    ),
})

describe('the memory of rates', () => {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'quittance-rates-'))
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  /** A quote as a process makes it that is started for it, and ends with it. */
  const quoted = async (rate: string, seconds: number): Promise<string> => {
    const database = openDatabase(join(folder, 'log.db'), { durability: 'full' })
    const sql = sqlitePrograms(database)
    runNow(database, openTables(sql.dialect))
    const { quote } = quoter(saying(rate), { memory: rateMemory(sql) })
    const outcome = await quote(price, xlm, unixMs(wednesday + seconds * 1000))()
    database.close()
    if (E.isRight(outcome)) return outcome.right.amount.toString()
    return outcome.left._tag === 'RateUnavailable' ? outcome.left.reason : outcome.left._tag
  }

  it('holds back a jump from the last accepted rate after a restart, too', async () => {
    expect(await quoted('0.25', 0)).toBe('400000000')
    expect(await quoted('0.2', 10)).toBe('JumpUnconfirmed')
    expect(await quoted('0.24', 20)).toBe('416666667')
    expect(await quoted('0.2', 30)).toBe('JumpUnconfirmed')
  })
  it('confirms a jump across restarts', async () => {
    const steps: ReadonlyArray<[string, number]> = [
      ['0.25', 0],
      ['0.5', 10],
      ['0.5', 20],
      ['0.5', 79],
      ['0.5', 80],
      ['0.5', 81],
    ]
    const outcomes: Array<string> = []
    for (const [rate, seconds] of steps) outcomes.push(await quoted(rate, seconds))
    const waits = 'JumpUnconfirmed'
    expect(outcomes).toEqual(['400000000', waits, waits, waits, '200000000', '200000000'])
  })
  it('loads exactly what was saved, for the requested pairs', async () => {
    const fraction = fc
      .tuple(fc.bigInt({ min: 1n, max: 10n ** 60n }), fc.bigInt({ min: 1n, max: 10n ** 60n }))
      .map(([numerator, denominator]) => rational(numerator, denominator))
    const moment: fc.Arbitrary<UnixMs> = fc.integer({ min: 0, max: 4_000_000_000_000 }).map(unixMs)
    const jump = fc.record({ rate: fraction, seenAt: moment, confirmedAt: fc.option(moment) })
    const leg: fc.Arbitrary<LegMemory> = fc.record({ accepted: fraction, jump: fc.option(jump) })
    const database = await openStoreDatabase()
    const memory = rateMemory(database.sql)
    await fc.assert(
      fc.asyncProperty(leg, leg, async (one, other) => {
        await memory.save(new Map([['XLM/USD', one]]))
        await memory.save(new Map([['USD/EUR', other]]))
        expect(await memory.load(['XLM/USD', 'USD/JPY'])).toEqual(new Map([['XLM/USD', one]]))
        expect((await memory.load(['XLM/USD', 'USD/EUR'])).get('USD/EUR')).toEqual(other)
      }),
    )
    await database.close()
  })
})
