import { ApiKeyId, Credits, Merchant, unixMs } from '@quittance/domain'
import { exampleId } from '@quittance/domain/testing'
import * as any from '@quittance/domain/testing/any-command'
import { anyCreditsCommand } from '@quittance/domain/testing/any-credits'
import fc from 'fast-check'
import * as O from 'fp-ts/lib/Option.js'
import { apiKeys } from './api-keys.ts'
import { foldRow } from './read-model.ts'
import { inlineProjections, readModels } from './read-models.ts'
import { sqliteReading } from './reading.ts'
import { booksOf, idOf } from './testing/any-history.ts'
import { openLog } from './testing/log.ts'

describe('every read model', () => {
  it('keeps a row for each entry in the books of credits, and none for their opening and closing', async () => {
    const log = openLog(inlineProjections)
    const { creditTransactions } = readModels(sqliteReading(log.store.reader))
    for (const command of fc.sample(anyCreditsCommand, { numRuns: 40, seed: 20_261_102 })) {
      await log.give(Credits, booksOf(1), command)
    }
    const { events } = await log.read(`credits-${booksOf(1)}`)
    const entries = events.filter(({ type }) => type.startsWith('Credits'))
    const expected = entries.map(({ data }) => ({ id: data.transactionId, row: { account: 'cus_1/prod_1' } }))
    expect(await creditTransactions.all()).toHaveLength(entries.length)
    const found = entries.map(({ data }) => creditTransactions.withId(String(data.transactionId)))
    expect(await Promise.all(found)).toMatchObject(expected)
    expect(entries.length).toBeGreaterThan(0)
    expect(entries.length).toBeLessThan(events.length)
    expect(await creditTransactions.withId('ctx_of_nobody')).toBeNull()
    log.store.close()
  })

  it('keeps a row for each key of a merchant, found by the hash of the key', async () => {
    const [command] = fc.sample(
      any.anyMerchantCommand.filter((each) => each.type === 'CreateApiKey' && each.key.kind === 'secret'),
      { numRuns: 1, seed: 1 },
    )
    if (command?.type !== 'CreateApiKey') throw new Error('a command was sampled')
    const log = openLog(inlineProjections)
    const [founding] = fc.sample(
      any.anyMerchantCommand.filter(({ type }) => type === 'CreateMerchant'),
      { numRuns: 1, seed: 1 },
    )
    if (founding === undefined) throw new Error('a command was sampled')
    await log.give(Merchant, idOf(1), founding)
    await log.give(Merchant, idOf(1), command)
    const models = readModels(sqliteReading(log.store.reader))
    const { key } = command
    const expected = { merchantId: 'mer_1', environment: 'testnet', id: key.keyId }
    expect(await models.apiKeys.withKey(key.keyHash)).toEqual([
      { ...expected, row: { key, createdAt: 0, validUntil: null, revokedAt: null } },
    ])
    const another = exampleId(ApiKeyId, 3)
    const replace = {
      type: 'ReplaceApiKey',
      keyId: key.keyId,
      key: { ...key, keyId: another },
      validUntil: unixMs(5),
    } as const
    await log.give(Merchant, idOf(1), replace, { occurredAt: 8 })
    await log.give(Merchant, idOf(1), { type: 'RevokeApiKey', keyId: key.keyId }, { occurredAt: 9 })
    expect(await models.apiKeys.withKey(key.keyHash)).toMatchObject([
      { id: key.keyId, row: { validUntil: 5, revokedAt: 9 } },
      { id: another, row: { createdAt: 8, validUntil: null, revokedAt: null } },
    ])
    expect((await models.apiKeys.withKey(key.keyHash))[0]).toEqual({
      ...expected,
      row: { key, createdAt: 0, validUntil: 5, revokedAt: 9 },
    })
    const { events } = await log.read(`merchant-${idOf(1)}`)
    const own = events.filter((event) => apiKeys.rowOf?.(event) === key.keyId)
    expect(foldRow(apiKeys, own)).toEqual(O.some({ key, createdAt: 0, validUntil: 5, revokedAt: 9 }))
    log.store.close()
  })
})
